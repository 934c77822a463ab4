"""How files become documents, as far as a person decides it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from chunkscope.text.origin import Origin

Newline = Literal["keep", "lf"]


@dataclass(frozen=True)
class Reading:
    """Choices on how files are read.

    Attributes:
        encoding_of: encoding by document id or file name. A file named here is read as the text it
            stands in: nothing is extracted from it.
        newline: `keep` leaves line ends as they are; `lf` makes each CRLF and CR an LF.
        html: whether HTML files are read as their main text instead of their source.
        records: the fields of a record that make up a document's text; with any, each line of a
            JSON Lines file is a document.
        record_id: the field that holds a record's id.
        join_hyphens: whether words that a PDF parts at line ends are joined.
        passwords: tried in turn on an encrypted PDF.
    """

    encoding_of: Mapping[str, str] = field(default_factory=dict)
    newline: Newline = "keep"
    html: bool = False
    records: tuple[str, ...] = ()
    record_id: str = "_id"
    join_hyphens: bool = False
    passwords: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Extracted:
    """A text taken out of a file, and what a person should know of it.

    Attributes:
        origin: where its parts stand; None where the text is the file's own.
    """

    text: str
    origin: Origin | None
    notes: tuple[str, ...]
