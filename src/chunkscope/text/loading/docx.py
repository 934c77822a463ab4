"""The text of a Word document, read as a stream with bounds on what it may unpack to.

The usual libraries hold the whole document in memory, images too, and leave out what stands in
content controls and in tracked insertions. No document type declaration is accepted, so that no
entity can grow.
"""

import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from xml.parsers import expat

from chunkscope.cancel import CancelToken
from chunkscope.text.display import visible
from chunkscope.text.loading.decode import DecodeError
from chunkscope.text.loading.reading import Extracted
from chunkscope.text.origin import Origin, joined

MAX_BYTES = 200_000_000
"""Unpacked bytes of one part beyond which a file is refused."""

MAX_RATIO = 300
"""Unpacked to packed size beyond which a part of over `FREE_BYTES` is refused."""

FREE_BYTES = 10_000_000

_STEP = 1 << 16
_WORD = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
_MATH = (
    "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "http://purl.oclc.org/ooxml/officeDocument/math",
)
_DOCUMENT = re.compile(r"word/document[0-9]*\.xml")
_LEFT_OUT = (("header", "headers"), ("footer", "footers"), ("comments", "comments"))

# Deleted text, the phonetic reading over a word, settings of paragraphs and runs (tab stops among
# them), and the second form of what is given twice.
_IGNORED = frozenset({"del", "moveFrom", "rt", "pPr", "rPr", "tblPr", "sectPr", "Fallback"})
_CHARACTERS = {
    "tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n",
    "noBreakHyphen": "\u2011", "softHyphen": "\u00ad",
}  # fmt: skip
_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})

_OTHERS = (
    ("xl/workbook.xml", "an Excel workbook; save its sheets as CSV"),
    ("xl/workbook.bin", "an Excel workbook; save its sheets as CSV"),
    ("ppt/presentation.xml", "a PowerPoint presentation; save it as PDF"),
    ("META-INF/container.xml", "an EPUB; convert it to text first"),
    ("content.xml", "an OpenDocument file; save it as .docx"),
)


def extract_docx(data: bytes, *, cancel: CancelToken | None = None) -> Extracted:
    """The paragraphs and tables of a document, then its footnotes and endnotes.

    A blank line stands between two paragraphs; a table is one line a row, its cells parted by
    tabs.

    Raises:
        DecodeError: another kind of archive, encrypted, damaged, or more than may be unpacked.
        CancelledError: when `cancel` was raised meanwhile.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _extract(archive, cancel)
    except (
        zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError,
        NotImplementedError, OverflowError, LookupError, RuntimeError, struct.error,
    ) as error:  # fmt: skip
        if isinstance(error, DecodeError):
            raise
        said = " ".join(visible(str(error)).split())
        raise DecodeError(f"a damaged or truncated zip archive or Word document: {said}") from error


def _extract(archive: zipfile.ZipFile, cancel: CancelToken | None) -> Extracted:
    names = frozenset(archive.namelist())
    document = min(filter(_DOCUMENT.fullmatch, names), default=None)
    if document is None:
        kinds = (what for name, what in _OTHERS if name in names)
        raise DecodeError(f"binary: {next(kinds, 'a zip archive; unpack it')}")
    blocks = list(_blocks(archive, document, "paragraph", cancel))
    for kind in ("footnote", "endnote"):
        if f"word/{kind}s.xml" in names:
            blocks.extend(_blocks(archive, f"word/{kind}s.xml", kind, cancel))
    text, parts = joined(_named(blocks), "\n\n")
    if not text:
        raise DecodeError("a Word document without text")
    notes = ["a Word document: offsets refer to the extracted text"]
    left = [
        plural
        for stem, plural in _LEFT_OUT
        if any(name.startswith(f"word/{stem}") and name.endswith(".xml") for name in names)
    ]
    if left:
        notes.append(f"left out: {', '.join(left)}")
    return Extracted(text, Origin("DOCX", parts), tuple(notes))


def _named(blocks: list[tuple[str, str]]) -> list[tuple[str, str]]:
    counts: dict[str, int] = {}
    named = []
    for kind, text in blocks:
        counts[kind] = counts.get(kind, 0) + 1
        named.append((f"{kind} {counts[kind]}", text))
    return named


def _blocks(
    archive: zipfile.ZipFile, name: str, kind: str, cancel: CancelToken | None
) -> Iterator[tuple[str, str]]:
    """(kind, text) of each paragraph and table that has text."""
    info = archive.getinfo(name)
    if info.flag_bits & 1:
        raise DecodeError("an encrypted zip archive; save it without a password")
    large = info.file_size > FREE_BYTES and info.file_size > MAX_RATIO * info.compress_size
    if info.file_size > MAX_BYTES or large:
        raise DecodeError(
            f"{name} unpacks to {info.file_size:,} bytes from {info.compress_size:,}: "
            "more than is read"
        )
    walk = _Walk(kind)
    # zipfile gives no more than the declared size, and compares the checksum at the end.
    with archive.open(info) as stream:
        while data := stream.read(_STEP):
            if cancel is not None:
                cancel.check()
            walk.feed(data)
            yield from walk.taken()
    walk.close()
    yield from walk.taken()


class _Walk:
    """What is known of the place that a stream of XML has come to."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._done: list[tuple[str, str]] = []
        # Text of the paragraphs that are open: one, or more where a text box stands inside.
        self._open: list[list[str]] = []
        # Rows, of cells, of the paragraphs in them, for each table that is open.
        self._tables: list[list[list[list[str]]]] = []
        self._ignored = 0
        self._in_text = False
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype

    def feed(self, data: bytes) -> None:
        """Take in some bytes."""
        self._parse(data, last=False)

    def close(self) -> None:
        """There are no more bytes."""
        self._parse(b"", last=True)

    def taken(self) -> list[tuple[str, str]]:
        """The blocks that have ended since the last call."""
        done, self._done = self._done, []
        return done

    def _parse(self, data: bytes, *, last: bool) -> None:
        try:
            self._parser.Parse(data, last)
        except expat.ExpatError as error:
            raise DecodeError(f"a damaged Word document: {error}") from error

    def _doctype(self, *_: object) -> None:
        raise DecodeError("a Word document with a document type declaration; save it anew")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        if self._ignored:
            self._ignored += 1
        elif local in _IGNORED or _is_separator(attributes):
            self._ignored = 1
        elif space in _MATH:
            self._in_text = local == "t"
        elif space in _WORD:
            self._start_word(local, attributes)

    def _start_word(self, local: str, attributes: dict[str, str]) -> None:
        if local == "p":
            self._open.append([])
        elif local == "tbl":
            self._tables.append([])
        elif local == "tr" and self._tables:
            self._tables[-1].append([])
        elif local == "tc" and self._tables and self._tables[-1]:
            self._tables[-1][-1].append([])
        elif local == "t":
            self._in_text = True
        elif self._open and local in _CHARACTERS:
            self._open[-1].append(_CHARACTERS[local])
        elif self._open and local == "sym":
            self._open[-1].append(_symbol(attributes))

    def _characters(self, data: str) -> None:
        if self._in_text and self._open and not self._ignored:
            self._open[-1].append(data)

    def _end(self, name: str) -> None:
        if self._ignored:
            self._ignored -= 1
            return
        space, _, local = name.rpartition(" ")
        if local == "t":
            self._in_text = False
        elif local == "p" and space in _WORD and self._open:
            self._emit(self._kind, "".join(self._open.pop()))
        elif local == "tbl" and space in _WORD and self._tables:
            rows = self._tables.pop()
            lines = ["\t".join(" ".join(cell) for cell in row) for row in rows]
            self._emit("table", "\n".join(line for line in lines if line.strip()))

    def _emit(self, kind: str, text: str) -> None:
        if not text.strip():
            return
        if self._tables:
            # A line end inside a cell would end its row.
            line = " ".join(text.split())
            rows = self._tables[-1]
            if rows and rows[-1]:
                rows[-1][-1].append(line)
        else:
            self._done.append((kind, text))


def _is_separator(attributes: dict[str, str]) -> bool:
    return any(
        name.endswith(" type") and value in _SEPARATORS for name, value in attributes.items()
    )


def _symbol(attributes: dict[str, str]) -> str:
    for name, value in attributes.items():
        if name.endswith(" char"):
            try:
                character = chr(int(value, 16))
            except (ValueError, OverflowError):
                return "\ufffd"
            return character if character.isprintable() or character > "\ue000" else "\ufffd"
    return ""
