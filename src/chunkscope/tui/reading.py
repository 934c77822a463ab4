"""What a start and a reload read: documents, golden set, the question of the command line."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from chunkscope.tui.messages import CorpusLoaded

if TYPE_CHECKING:
    from chunkscope.tui.engine import Opening


def read(opening: "Opening", progress: Callable[[int, int], None]) -> CorpusLoaded:
    """Everything that is to be opened, questions located.

    Args:
        opening: what is to be opened.
        progress: hears (files read, files to read).

    Raises:
        ChunkscopeError: when documents or golden set cannot be read.
        OSError: when the folder cannot be.
    """
    from chunkscope.golden.asking import ask
    from chunkscope.golden.locating import locate
    from chunkscope.golden.reading import read_golden
    from chunkscope.text.loading.load import load_corpus

    corpus = opening.corpus
    if corpus is None:
        corpus = load_corpus(
            opening.paths,
            encoding_of=opening.encoding_of,
            exclude=[opening.golden] if opening.golden is not None else [],
            progress=progress,
        )
    golden = read_golden(opening.golden) if opening.golden is not None else None
    located = locate(golden, corpus) if golden is not None else ()
    asked = opening.asked
    if opening.question is not None:
        asked = ask(opening.question, list(opening.evidence), corpus)
    return CorpusLoaded(corpus, golden, located, asked)
