"""How files become documents, as far as a person decides it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from typing import Any, Literal

from chunkscope.errors import InputError
from chunkscope.text.display import visible
from chunkscope.text.origin import Origin

Newline = Literal["keep", "lf"]


@dataclass(frozen=True)
class Reading:
    """Choices on how files are read.

    Attributes:
        encoding_of: encoding by document id, file name or pattern such as `*.csv`. A file named
            here is read as the text it stands in: nothing is extracted from it. A pattern only
            says how files that are text are decoded.
        newline: `keep` leaves line ends as they are; `lf` makes each CRLF and CR an LF.
        html: whether HTML files are read as their main text instead of their source.
        records: the fields of a record that make up a document's text; with any, each line of a
            JSON Lines file is a document.
        record_id: the field that holds a record's id.
        join_hyphens: whether words that a PDF parts at line ends are joined.
        passwords: tried in turn on an encrypted PDF.
        drop_running: whether lines that a PDF repeats at the head or foot of its pages are left
            out.
    """

    encoding_of: Mapping[str, str] = field(default_factory=dict)
    newline: Newline = "keep"
    html: bool = False
    records: tuple[str, ...] = ()
    record_id: str = "_id"
    join_hyphens: bool = False
    passwords: tuple[str, ...] = field(default=(), repr=False)
    drop_running: bool = False

    def to_mapping(self) -> dict[str, Any]:
        """The choices as JSON values, passwords left out."""
        return {
            "encoding_of": dict(self.encoding_of),
            "newline": self.newline,
            "html": self.html,
            "records": list(self.records),
            "record_id": self.record_id,
            "join_hyphens": self.join_hyphens,
            "drop_running": self.drop_running,
        }


@dataclass(frozen=True, slots=True)
class Extracted:
    """A text taken out of a file, and what a person should know of it.

    Attributes:
        origin: where its parts stand; None where the text is the file's own.
        secret: whether a password opened the file, so that its text is kept nowhere else.
    """

    text: str
    origin: Origin | None
    notes: tuple[str, ...]
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """The encoding that a person gave for a file.

    Attributes:
        exact: whether the file itself was named, not a pattern that it fits.
    """

    encoding: str
    exact: bool


class ToldEncodings:
    """Encodings by document id, file name or pattern; the first pattern that fits decides."""

    def __init__(self, encoding_of: Mapping[str, str]) -> None:
        self._names = dict(encoding_of)
        self._patterns = [
            (name, re.compile(translate(name)), encoding)
            for name, encoding in encoding_of.items()
            if any(mark in name for mark in "*?[")
        ]

    def of(self, document_id: str) -> Told | None:
        """The encoding given for a file, by its id, then its name, then patterns over both."""
        if not self._names:
            return None
        name = document_id.rpartition("/")[2]
        for exact in (document_id, name):
            if exact in self._names:
                return Told(self._names[exact], exact=True)
        for _, pattern, encoding in self._patterns:
            if pattern.match(document_id) or pattern.match(name):
                return Told(encoding, exact=False)
        return None

    def check_used(self, document_ids: Sequence[str]) -> None:
        """Make sure that each name and pattern is that of a file.

        Raises:
            InputError: when one is of none.
        """
        if not self._names:
            return
        known = {*document_ids, *(one.rpartition("/")[2] for one in document_ids)}
        patterns = {name: pattern for name, pattern, _ in self._patterns}
        for name in self._names:
            pattern = patterns.get(name)
            fits = pattern is not None and any(map(pattern.match, known))
            if name not in known and not fits:
                raise InputError(
                    f"an encoding is given for {visible(name)!r}, which no file is called; "
                    "give a document's id, a file's name or a pattern such as *.csv"
                )
