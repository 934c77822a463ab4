"""What a start and a reload read: documents, golden set, the question of the command line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from chunkscope.golden.model import LocatedQuestion
from chunkscope.text.document import Corpus
from chunkscope.tui.messages import CorpusLoaded


@dataclass(frozen=True)
class Opening:
    """What is to be opened.

    Attributes:
        corpus: the documents where they are read already.
        question: asked on the command line, with its `evidence`.
        asked: the same with its evidence located already.
    """

    paths: tuple[Path, ...]
    golden: Path | None = None
    corpus: Corpus | None = None
    question: str | None = None
    evidence: tuple[str, ...] = ()
    encoding_of: Mapping[str, str] | None = None
    asked: LocatedQuestion | None = None


def read(opening: Opening, progress: Callable[[int, int], None]) -> CorpusLoaded:
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
