"""What a person should know of settings and corpus together, before the chunks are trusted."""

from chunkscope.splitting.separators import Separator, compile_separators
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.display import visible_separator
from chunkscope.text.document import Corpus


def corpus_warnings(corpus: Corpus, settings: SplitterSettings) -> list[str]:
    """One sentence for each thing that makes the splitter work otherwise than it reads."""
    if settings.kind not in ("recursive", "character"):
        return []
    texts = settings.separators if settings.kind == "recursive" else settings.separators[:1]
    separators = compile_separators(texts, regex=settings.regex, keep=settings.keep_separator)
    warnings = []
    for number, separator in enumerate(separators, start=1):
        if separator.text and not _occurs(corpus, separator):
            warnings.append(
                f"separators: number {number}, {visible_separator(separator.text)}, occurs nowhere"
            )
    return warnings


def _occurs(corpus: Corpus, separator: Separator) -> bool:
    return any(separator.occurs(doc.text, 0, len(doc.text)) for doc in corpus.documents)
