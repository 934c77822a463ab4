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
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from chunkscope.cancel import CancelToken
from chunkscope.text.display import visible
from chunkscope.text.loading.decode import DecodeError
from chunkscope.text.loading.docx_styles import attribute, heading_styles, outline_level
from chunkscope.text.loading.packed import parse, unpacked, xml_parser
from chunkscope.text.loading.reading import Extracted
from chunkscope.text.origin import Origin, Part, joined

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
    ("xl/workbook.bin", "an Excel workbook; save its sheets as CSV"),
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
    styles = heading_styles(archive, cancel)
    blocks = list(_blocks(archive, document, "paragraph", styles, cancel))
    for kind in ("footnote", "endnote"):
        if f"word/{kind}s.xml" in names:
            blocks.extend(_blocks(archive, f"word/{kind}s.xml", kind, {}, cancel))
    text, parts = joined(_named(blocks), "\n\n")
    headings = tuple(
        (block.level, " ".join(block.text.split()), part.start, part.end)
        for block, part in zip(blocks, parts, strict=True)
        if block.level
    )
    parts = tuple(_with_rows(blocks, parts))
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
    return Extracted(text, Origin("DOCX", parts, headings=headings), tuple(notes))


class _Block(NamedTuple):
    """A paragraph, table or note; `level` is a heading's, else 0; `rows` number a table's lines."""

    kind: str
    text: str
    level: int = 0
    rows: tuple[int, ...] = ()


def _named(blocks: list[_Block]) -> list[tuple[str, str]]:
    counts: dict[str, int] = {}
    named = []
    for block in blocks:
        counts[block.kind] = counts.get(block.kind, 0) + 1
        named.append((f"{block.kind} {counts[block.kind]}", block.text))
    return named


def _with_rows(blocks: list[_Block], parts: tuple[Part, ...]) -> Iterator[Part]:
    """The parts of all blocks, a table's rows in its place."""
    for block, part in zip(blocks, parts, strict=True):
        if not block.rows:
            yield part
        start = part.start
        for row, line in zip(block.rows, block.text.split("\n"), strict=False):
            yield Part(f"{part.name}, row {row}", start, start + len(line))
            start += len(line) + 1


def _blocks(
    archive: zipfile.ZipFile,
    name: str,
    kind: str,
    styles: Mapping[str, int],
    cancel: CancelToken | None,
) -> Iterator[_Block]:
    """Each paragraph and table that has text."""
    walk = _Walk(kind, styles)
    for data in unpacked(archive, name, cancel):
        walk.feed(data)
        yield from walk.taken()
    walk.close()
    yield from walk.taken()


class _Walk:
    """What is known of the place that a stream of XML has come to."""

    def __init__(self, kind: str, styles: Mapping[str, int]) -> None:
        self._kind = kind
        self._styles = styles
        self._done: list[_Block] = []
        # Text of the paragraphs that are open: one, or more where a text box stands inside.
        self._open: list[list[str]] = []
        # The level of each of them, where it is a heading.
        self._levels: list[int] = []
        # Rows, of cells, of the paragraphs in them, for each table that is open.
        self._tables: list[list[list[list[str]]]] = []
        self._ignored = 0
        self._in_text = False
        self._in_settings = False
        self._parser = xml_parser()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def feed(self, data: bytes) -> None:
        """Take in some bytes."""
        parse(self._parser, data)

    def close(self) -> None:
        """There are no more bytes."""
        parse(self._parser, b"", last=True)

    def taken(self) -> list[_Block]:
        """The blocks that have ended since the last call."""
        done, self._done = self._done, []
        return done

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        if self._ignored:
            self._ignored += 1
            if self._in_settings and self._ignored == 2:
                self._setting(local, attributes)
        elif local in _IGNORED or _is_separator(attributes):
            self._ignored = 1
            self._in_settings = local == "pPr" and bool(self._open)
        elif space in _MATH:
            self._in_text = local == "t"
        elif space in _WORD:
            self._start_word(local, attributes)

    def _setting(self, local: str, attributes: dict[str, str]) -> None:
        """Take in what is set for the innermost paragraph; its own outline level comes last."""
        if local == "pStyle":
            self._levels[-1] = self._styles.get(attribute(attributes, "val"), 0)
        elif local == "outlineLvl":
            level = outline_level(attribute(attributes, "val"))
            self._levels[-1] = self._levels[-1] if level is None else level

    def _start_word(self, local: str, attributes: dict[str, str]) -> None:
        if local == "p":
            self._open.append([])
            self._levels.append(0)
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
            self._emit(_Block(self._kind, "".join(self._open.pop()), self._levels.pop()))
        elif local == "tbl" and space in _WORD and self._tables:
            rows = self._tables.pop()
            lines = ["\t".join(" ".join(cell) for cell in row) for row in rows]
            filled = {number: line for number, line in enumerate(lines, 1) if line.strip()}
            self._emit(_Block("table", "\n".join(filled.values()), 0, tuple(filled)))

    def _emit(self, block: _Block) -> None:
        if not block.text.strip():
            return
        if self._tables:
            # A line end inside a cell would end its row.
            line = " ".join(block.text.split())
            rows = self._tables[-1]
            if rows and rows[-1]:
                rows[-1][-1].append(line)
        else:
            self._done.append(block)


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
