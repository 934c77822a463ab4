"""What a start and a reload read: documents, golden set, the question of the command line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chunkscope.golden.model import LocatedQuestion
from chunkscope.text.document import Corpus, Document
from chunkscope.text.loading.reading import Reading
from chunkscope.tui.messages import CorpusLoaded


@dataclass(frozen=True)
class Opening:
    """What is to be opened.

    Attributes:
        corpus: the documents where they are read already.
        question: asked on the command line, with its `evidence`.
        brought: a question with its evidence located already, such as a case's.
        log: what a real system returned.
        reading: how files are read; None: as usual.
        exclude: files that are no documents, though they may stand among them.
        case_golden: the golden set that a reopened case was saved beside; it is not asked.
    """

    paths: tuple[Path, ...]
    golden: Path | None = None
    corpus: Corpus | None = None
    question: str | None = None
    evidence: tuple[str, ...] = ()
    encoding_of: Mapping[str, str] | None = None
    brought: LocatedQuestion | None = None
    log: Path | None = None
    reading: Reading | None = None
    exclude: tuple[Path, ...] = ()
    case_golden: Path | None = None

    def without(self, file: Path) -> "Opening":
        """The same, with one more file that is no document."""
        return replace(self, exclude=(*self.exclude, file))

    @property
    def no_documents(self) -> list[Path]:
        """Everything that is read as no document."""
        others = (self.golden, self.case_golden, self.log)
        return [*self.exclude, *(path for path in others if path is not None)]


def read(
    opening: Opening,
    progress: Callable[[int, int], None],
    glimpse: Callable[[Sequence[str], Document], None] | None = None,
) -> CorpusLoaded:
    """Everything that is to be opened, questions located.

    Args:
        opening: what is to be opened.
        progress: hears (files read, files to read).
        glimpse: is given the files' ids and the first document before the others are read.

    Raises:
        ChunkscopeError: when documents or golden set cannot be read.
        OSError: when the folder cannot be.
    """
    from chunkscope.golden.asking import ask
    from chunkscope.golden.locating import locate, locate_question
    from chunkscope.golden.reading import read_golden
    from chunkscope.text.loading.extractions import default_extractions
    from chunkscope.text.loading.load import load_corpus
    from chunkscope.tui.reallog import read_real_log

    corpus = opening.corpus
    if corpus is None:
        corpus = load_corpus(
            opening.paths,
            encoding_of=opening.encoding_of,
            reading=opening.reading,
            exclude=opening.no_documents,
            extractions=default_extractions(),
            progress=progress,
            glimpse=glimpse,
        )
    golden = read_golden(opening.golden) if opening.golden is not None else None
    located = locate(golden, corpus) if golden is not None else ()
    asked = None
    if opening.question is not None:
        asked = ask(opening.question, list(opening.evidence), corpus)
    brought: tuple[LocatedQuestion, ...] = ()
    if opening.brought is not None:
        same = opening.corpus is not None
        case = opening.brought
        brought = (case if same else locate_question(case.question, corpus),)
    log = None
    if opening.log is not None:
        log, others = read_real_log(opening.log, corpus, (*located, *brought))
        brought += others
    return CorpusLoaded(corpus, golden, located, asked, brought, log)
