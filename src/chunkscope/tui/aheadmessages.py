"""What the engine tells while documents are read: their names, one that was wanted, its chunks."""

from collections.abc import Mapping
from dataclasses import dataclass

from textual.message import Message

from chunkscope.splitting.chunks import Cuts
from chunkscope.text.document import Document
from chunkscope.tui.session import Variant
from chunkscope.tui.views.documents import DocumentLines


@dataclass
class CorpusListed(Message):
    """The lines of the document list before documents are read; `wanted`: the first to open."""

    lines: DocumentLines
    wanted: int


@dataclass
class DocumentAhead(Message):
    """The document of the file at a position of that list, or why it holds none."""

    position: int
    found: Document | str


@dataclass
class AheadCut(Message):
    """That document, cut by both variants."""

    generation: int
    document: Document
    cuts: Mapping[Variant, Cuts]


@dataclass
class LoadStopped(Message):
    """Reading was called off; what is read is kept, and reading can go on."""

    done: int
    total: int
