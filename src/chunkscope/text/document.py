"""One text with an id, and the corpus of them."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from chunkscope.text.cells import Cells, column_letters, is_separated
from chunkscope.text.origin import Origin
from chunkscope.text.shortplace import is_row, short_name


@dataclass(frozen=True)
class Document:
    """One text, as decoded and never changed afterwards.

    Attributes:
        id: path relative to the corpus root, `/` between parts.
        text: the decoded text, newlines untouched; a leading U+FEFF that is content stays.
        encoding: the name of the encoding it was read with, as shown to a person; of a binary
            format, such as `pdf`, the format's name.
        newline: `lf`, `crlf`, `cr`, `mixed` or `none`: the line ends that stand in the text.
        path: the file it came from, if any.
        notes: what a person should know of how it was read (a BOM, lone surrogates, …).
        origin: where an extracted text came from; None where the text is the file's own.
        newline_before: the line ends that stood there before they were made `lf`; empty where
            none were.
    """

    id: str
    text: str
    encoding: str = "utf-8"
    newline: str = "none"
    path: Path | None = None
    notes: tuple[str, ...] = ()
    origin: Origin | None = None
    newline_before: str = ""

    def place(self, start: int, end: int) -> str:
        """Page, sheet, row, cell or paragraph of a span, such as `page 3`; empty without one."""
        if self.origin is not None:
            return self.origin.place(start, end) + self._column(start, end)
        return self._cells.place(start, end) if self._cells is not None else ""

    def short_place(self, start: int, end: int) -> str:
        """`place` in few letters, such as `p. 3` or `Fees!B4`; empty without one."""
        if self.origin is not None:
            column = self._column(start, end)
            if column:
                return short_name(self.origin.place(start, end) + column)
            return self.origin.short_place(start, end)
        return self._cells.short_place(start, end) if self._cells is not None else ""

    @property
    def has_places(self) -> bool:
        """Whether `place` says anything of some spans."""
        if self.origin is not None:
            return bool(self.origin.parts or self.origin.pieces)
        return is_separated(self.id)

    def _column(self, start: int, end: int) -> str:
        """`, column B` of a span inside one cell of a workbook, whose rows part cells by tabs."""
        if self.origin is None or self.origin.format != "XLSX":
            return ""
        row = self.origin.part_at(start)
        if row is None or not is_row(row.name) or end > row.end or "\t" in self.text[start:end]:
            return ""
        before = self.text.count("\t", row.start, start)
        return f", column {column_letters(before)}"

    @cached_property
    def _cells(self) -> Cells | None:
        return Cells(self.text, document_id=self.id) if is_separated(self.id) else None

    @property
    def length(self) -> int:
        """Code points of the text."""
        return len(self.text)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the text's UTF-8 (surrogatepass), in hex."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Skipped:
    """A file that is not part of the corpus, and why."""

    path: str
    reason: str


@dataclass(frozen=True)
class Corpus:
    """Documents in code-point order of their ids, and what was left out.

    Attributes:
        reading: the choices with which files were read, as JSON values; empty where none were.
    """

    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...] = ()
    root: Path | None = None
    reading: Mapping[str, Any] = field(default_factory=dict, compare=False)
    _positions: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        positions = {document.id: index for index, document in enumerate(self.documents)}
        object.__setattr__(self, "_positions", positions)

    def position(self, document_id: str) -> int | None:
        """Index of the document with this id, or None."""
        return self._positions.get(document_id)

    @cached_property
    def read_as(self) -> dict[str, Any]:
        """What reports say of how files were read: `reading`, or nothing where none were.

        `extracted` in it counts, by format, the documents whose offsets are not those of a file.
        """
        if not self.reading:
            return {}
        formats = Counter(one.origin.format for one in self.documents if one.origin is not None)
        return {"reading": {**self.reading, "extracted": dict(sorted(formats.items()))}}

    @property
    def read_words(self) -> str:
        """`read_as` as a line; empty where no files were read."""
        if not self.reading:
            return ""
        words = [
            "line ends made lf"
            if self.reading["newline"] == "lf"
            else "line ends as they are in the files",
            *(f"{name} as {encoding}" for name, encoding in self.reading["encoding_of"].items()),
            *(
                f"{count:,} extracted from {name}: offsets refer to the extracted text"
                for name, count in self.read_as["reading"]["extracted"].items()
            ),
        ]
        return "; ".join(words)

    @property
    def characters(self) -> int:
        """Code points of all documents together."""
        return sum(document.length for document in self.documents)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over, per document in order: id, NUL, SHA-256 of its UTF-8; in hex."""
        digest = hashlib.sha256()
        for document in self.documents:
            digest.update(document.id.encode("utf-8", "surrogatepass"))
            digest.update(b"\0")
            digest.update(bytes.fromhex(document.sha256))
        return digest.hexdigest()
