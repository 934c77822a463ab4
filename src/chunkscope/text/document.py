"""One text with an id, and the corpus of them."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from chunkscope.text.origin import Origin


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
    """

    id: str
    text: str
    encoding: str = "utf-8"
    newline: str = "none"
    path: Path | None = None
    notes: tuple[str, ...] = ()
    origin: Origin | None = None

    def place(self, start: int, end: int) -> str:
        """Page, cell or paragraph of a span, such as `page 3`; empty where there is none."""
        return self.origin.place(start, end) if self.origin is not None else ""

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
    """Documents in code-point order of their ids, and what was left out."""

    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...] = ()
    root: Path | None = None
    _positions: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        positions = {document.id: index for index, document in enumerate(self.documents)}
        object.__setattr__(self, "_positions", positions)

    def position(self, document_id: str) -> int | None:
        """Index of the document with this id, or None."""
        return self._positions.get(document_id)

    @property
    def characters(self) -> int:
        """Code points of all documents together."""
        return sum(len(document.text) for document in self.documents)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over, per document in order: id, NUL, SHA-256 of its UTF-8; in hex."""
        digest = hashlib.sha256()
        for document in self.documents:
            digest.update(document.id.encode("utf-8", "surrogatepass"))
            digest.update(b"\0")
            digest.update(bytes.fromhex(document.sha256))
        return digest.hexdigest()
