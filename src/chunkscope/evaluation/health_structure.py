"""What a chunk should not cut: code fences, tables, lists and headings of one document."""

import re
from dataclasses import dataclass, field

import numpy as np

from chunkscope.splitting.chunks import BoolArray, IntArray
from chunkscope.text.document import Document
from chunkscope.text.headings import Heading, headings
from chunkscope.text.lines import LineIndex

_HTML = (".html", ".htm", ".xhtml")
_TABLES = (".csv", ".tsv")
_NO_PROSE = (
    ".py", ".pyi", ".js", ".mjs", ".ts", ".tsx", ".jsx", ".c", ".h", ".cc", ".cpp", ".hpp",
    ".cs", ".java", ".kt", ".go", ".rs", ".rb", ".php", ".pl", ".lua", ".r", ".scala", ".swift",
    ".sh", ".bash", ".zsh", ".ps1", ".sql", ".css", ".scss", ".json", ".jsonl", ".xml", ".yaml",
    ".yml", ".toml", ".ini", ".cfg", ".diff", ".patch",
)  # fmt: skip

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:[-+*•]|(\d{1,9})[.)])[ \t]+(?=\S)")
_RULE = re.compile(r"[ \t]*([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_DELIMITERS = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_TAG = re.compile(r"<(/?)(pre|table|tr|th|ul|ol)(?=[\s/>])[^<>]*>|<!--", re.IGNORECASE)


@dataclass(frozen=True)
class Ranges:
    """Disjoint ascending ranges of one text.

    Attributes:
        starts: first code point of each, shape (n,).
        ends: one past the last, shape (n,).
    """

    starts: IntArray
    ends: IntArray

    def inside(self, offsets: IntArray) -> BoolArray:
        """Which offsets have characters of one range on both sides, shape of `offsets`."""
        if not len(self.starts):
            return np.zeros(len(offsets), np.bool_)
        part = np.searchsorted(self.starts, offsets, "left") - 1
        held: BoolArray = (part >= 0) & (self.ends[part] > offsets)
        return held


@dataclass(frozen=True)
class Table:
    """A table: its header row, and where its other rows begin and end."""

    header_start: int
    header_end: int
    body_start: int
    body_end: int


@dataclass(frozen=True)
class Structure:
    """The blocks of one document.

    Attributes:
        prose: whether it is written in sentences, as far as its ending says.
        html: whether its blocks are tags.
        headings: its headings, in order.
        fences: code between fences (or in `pre`), the fences included.
        rows: rows of tables.
        lists: whole lists, from the first item's mark to the last item's end.
        tables: tables that have a header.
        block_starts: where lines begin that continue no sentence: headings, rows, items, fences.
        block_ends: where such lines end.
    """

    prose: bool
    html: bool
    headings: tuple[Heading, ...]
    fences: Ranges
    rows: Ranges
    lists: Ranges
    tables: tuple[Table, ...]
    block_starts: frozenset[int]
    block_ends: frozenset[int]


def find_structure(document: Document, heading_pattern: str = "") -> Structure:
    """The blocks of a document; linear in its text. Its ending says how it is written."""
    name = document.id.lower()
    found = headings(
        document.text, document_id=document.id, origin=document.origin, pattern=heading_pattern
    )
    blocks = _Blocks()
    if name.endswith(_HTML):
        _read_tags(document.text, blocks)
    elif name.endswith(_TABLES):
        _read_rows(document.text, blocks)
    elif not name.endswith(_NO_PROSE):
        _LineReader(document.text, blocks).read()
    starts = {heading.span.start for heading in found} | {low for low, _ in blocks.rows}
    ends = {heading.span.end for heading in found} | {high for _, high in blocks.rows}
    return Structure(
        prose=not name.endswith((*_NO_PROSE, *_TABLES)),
        html=name.endswith(_HTML),
        headings=tuple(found),
        fences=_ranges(blocks.fences),
        rows=_ranges(blocks.rows),
        lists=_ranges(blocks.lists),
        tables=tuple(blocks.tables),
        block_starts=frozenset(starts | blocks.starts | {low for low, _ in blocks.fences}),
        block_ends=frozenset(ends | {high for _, high in blocks.fences}),
    )


@dataclass
class _Blocks:
    fences: list[tuple[int, int]] = field(default_factory=list)
    rows: list[tuple[int, int]] = field(default_factory=list)
    lists: list[tuple[int, int]] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    starts: set[int] = field(default_factory=set)


def _ranges(pairs: list[tuple[int, int]]) -> Ranges:
    return Ranges(
        np.array([low for low, _ in pairs], np.int64),
        np.array([high for _, high in pairs], np.int64),
    )


class _LineReader:
    """Reads fences, pipe tables and lists line by line, as Markdown writes them."""

    def __init__(self, text: str, blocks: _Blocks) -> None:
        self._text = text
        self._blocks = blocks
        self._fence = ""
        self._fence_start = 0
        self._list: tuple[int, int] | None = None
        self._blank = True
        self._before: tuple[int, int] | None = None
        self._table: Table | None = None

    def read(self) -> None:
        """Read every line."""
        lines = LineIndex(self._text)
        for number in range(lines.count):
            start, end = lines.span(number)
            if start < end or not self._blank:
                self._take(start, self._text[start:end])
        if self._fence:
            self._blocks.fences.append((self._fence_start, len(self._text)))
        self._close_table()
        self._close_list()

    def _take(self, start: int, line: str) -> None:
        stripped = line.strip()
        first = start + len(line) - len(line.lstrip())
        last = start + len(line.rstrip())
        fence = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if self._fence:
            if fence and fence[1].startswith(self._fence) and stripped == fence[1]:
                self._blocks.fences.append((self._fence_start, last))
                self._fence = ""
        elif fence:
            self._close_table()
            self._fence, self._fence_start = fence[1], first
            self._blank = False
            self._before = None
        elif not stripped:
            self._close_table()
            self._blank = True
            self._before = None
        else:
            self._text_line(line, first, last)
            self._blank = False
            self._before = (first, last)

    def _text_line(self, line: str, first: int, last: int) -> None:
        if self._table is not None:
            if "|" in line:
                self._row(first, last)
                return
            self._close_table()
        if "|" in line and self._before is not None and _DELIMITERS.match(line):
            header = self._before
            if "|" in self._text[header[0] : header[1]]:
                self._close_list()
                self._blocks.rows += [header, (first, last)]
                self._table = Table(*header, last, last)
                return
        item = _ITEM.match(line)
        if item and not _RULE.match(line) and self._may_begin(item[1]):
            self._blocks.starts.add(first)
            self._list = (self._list[0] if self._list else first, last)
        elif self._list is not None:
            if self._blank and not line.startswith((" ", "\t")):
                self._close_list()
            else:
                self._list = (self._list[0], last)

    def _may_begin(self, number: str | None) -> bool:
        """A paragraph that is wrapped before a number is no list, unless the number is 1."""
        return self._list is not None or self._blank or number in (None, "1")

    def _row(self, first: int, last: int) -> None:
        assert self._table is not None
        self._blocks.rows.append((first, last))
        table = self._table
        begin = first if table.body_end == table.body_start else table.body_start
        self._table = Table(table.header_start, table.header_end, begin, last)

    def _close_table(self) -> None:
        if self._table is not None and self._table.body_end > self._table.body_start:
            self._blocks.tables.append(self._table)
        self._table = None

    def _close_list(self) -> None:
        if self._list is not None:
            self._blocks.lists.append(self._list)
        self._list = None


def _read_rows(text: str, blocks: _Blocks) -> None:
    """Every line that is not blank is a row; the first is the header."""
    lines = LineIndex(text)
    for number in range(lines.count):
        start, end = lines.span(number)
        if text[start:end].strip():
            blocks.rows.append((start, end))
    if len(blocks.rows) > 1:
        header, first, last = blocks.rows[0], blocks.rows[1], blocks.rows[-1]
        blocks.tables.append(Table(*header, first[0], last[1]))


def _read_tags(text: str, blocks: _Blocks) -> None:
    """`pre`, `tr`, lists, and tables whose first row has `th`; what is not closed is left out."""
    opened: dict[str, int] = {}
    depth = 0
    header: tuple[int, int] | None = None
    with_th = False
    first_of_table = len(blocks.rows)
    position = 0
    while match := _TAG.search(text, position):
        position = match.end()
        if match[2] is None:
            end = text.find("-->", position)
            position = len(text) if end < 0 else end + 3
            continue
        closing, tag = bool(match[1]), match[2].lower()
        if tag in ("ul", "ol"):
            depth = max(0, depth + (-1 if closing else 1))
            if depth == 1 and not closing:
                opened["list"] = match.start()
            elif depth == 0 and closing and "list" in opened:
                blocks.lists.append((opened.pop("list"), match.end()))
        elif tag == "th":
            with_th = with_th or not closing
        elif tag == "table":
            if closing and header is not None and len(blocks.rows) > first_of_table + 1:
                body = blocks.rows[first_of_table + 1 :]
                blocks.tables.append(Table(*header, body[0][0], body[-1][1]))
            header, first_of_table = None, len(blocks.rows)
        elif not closing:
            opened.setdefault(tag, match.start())
            with_th = with_th and tag != "tr"
        elif tag in opened:
            span = (opened.pop(tag), match.end())
            (blocks.fences if tag == "pre" else blocks.rows).append(span)
            if tag == "tr" and with_th and len(blocks.rows) == first_of_table + 1:
                header = span
