"""What a start and a reload read: documents, golden set, the question of the command line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from chunkscope.cancel import CancelToken
from chunkscope.errors import ChunkscopeError
from chunkscope.golden.model import LocatedQuestion
from chunkscope.text.document import Corpus
from chunkscope.text.loading.reading import Reading
from chunkscope.tui.messages import CorpusLoaded

if TYPE_CHECKING:
    from chunkscope.text.loading.reader import CorpusReader


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
        first: id of the document that is read before the others.
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
    first: str = ""

    def without(self, file: Path) -> "Opening":
        """The same, with one more file that is no document."""
        return replace(self, exclude=(*self.exclude, file))

    @property
    def no_documents(self) -> list[Path]:
        """Everything that is read as no document."""
        others = (self.golden, self.case_golden, self.log)
        return [*self.exclude, *(path for path in others if path is not None)]


def list_files(opening: Opening, cancel: CancelToken) -> "CorpusReader | None":
    """The files that are to be read; None where the documents are read already.

    Raises:
        ChunkscopeError: when there is nothing to be read.
        CancelledError: when `cancel` was raised meanwhile.
    """
    from chunkscope.text.loading.extractions import default_extractions
    from chunkscope.text.loading.reader import CorpusReader
    from chunkscope.text.loading.reading import Reading

    if opening.corpus is not None:
        return None
    reading = opening.reading or Reading()
    if opening.encoding_of is not None:
        reading = replace(reading, encoding_of=opening.encoding_of)
    return CorpusReader(
        opening.paths,
        reading=reading,
        exclude=opening.no_documents,
        extractions=default_extractions(),
        cancel=cancel,
    )


def read(
    opening: Opening,
    reader: "CorpusReader | None",
    progress: Callable[[int, int], None],
    cancel: CancelToken,
) -> CorpusLoaded:
    """Everything that is to be opened, questions located.

    Args:
        opening: what is to be opened.
        reader: of the files; None where the documents are read already.
        progress: hears (files read, files to read).
        cancel: looked at between two files.

    Raises:
        ChunkscopeError: when documents or golden set cannot be read.
        OSError: when the folder cannot be.
        CancelledError: when `cancel` was raised meanwhile; what is read stays read.
    """
    from chunkscope.golden.asking import ask
    from chunkscope.golden.locating import locate, locate_question
    from chunkscope.golden.reading import read_golden
    from chunkscope.tui.reallog import read_real_log

    # A line of it that is wrong is told before anything is waited for.
    golden = read_golden(opening.golden) if opening.golden is not None else None
    corpus = reader.read_all(progress, cancel) if reader is not None else opening.corpus
    if corpus is None:
        raise ChunkscopeError("nothing is open")
    located = locate(golden, corpus, cancel=cancel) if golden is not None else ()
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
