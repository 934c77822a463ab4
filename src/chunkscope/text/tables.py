"""Tables of a document, and the row at their head that says what the others hold."""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from chunkscope.text.cells import Cells, is_separated
from chunkscope.text.headings import is_html, is_markdown
from chunkscope.text.html import html_markup
from chunkscope.text.markdown import markdown_blocks
from chunkscope.text.origin import Origin

_ROWS_ARE_PARTS = ("DOCX", "XLSX")
_CONVERTED = ("PPTX", "EPUB")
_ROW = re.compile(r"(.*), row [0-9]+", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Table:
    """A table and its header row.

    Attributes:
        start: its first character.
        body: the first character below the header row.
        end: one past its last.
        header: the header row: as it stands, of HTML the cells' texts with bars between them.
    """

    start: int
    body: int
    end: int
    header: str


def tables(text: str, *, document_id: str, origin: Origin | None = None) -> list[Table]:
    """The tables of a document in order; the ending of `document_id` says how they are written.

    An extracted text has the tables whose rows are parts of its `origin`; what was converted to
    Markdown is read as such.
    Markdown: pipe tables outside lists and quotes. HTML: outermost `table` elements with a first
    row. CSV and TSV: the whole file is one, its first row the header row. Nothing else has any.
    """
    name = document_id.lower()
    if origin is not None and origin.format in _ROWS_ARE_PARTS:
        return list(_tables_of_rows(text, origin))
    if origin is not None and origin.format == "HTML":
        return []
    if is_markdown(name) or (origin is not None and origin.format in _CONVERTED):
        return list(_markdown_tables(text))
    if is_html(name):
        return list(_html_tables(text))
    if is_separated(name):
        return _separated(text, name)
    return []


def header_above(found: list[Table], offset: int) -> str:
    """The header row of the table in which an offset stands below it; empty: there is none."""
    number = bisect_right(found, offset, key=lambda table: table.body) - 1
    if number < 0 or offset >= found[number].end:
        return ""
    return found[number].header


def _markdown_tables(text: str) -> Iterator[Table]:
    blocks = markdown_blocks(text)
    ends = [*(block.start for block in blocks[1:]), len(text)]
    for block, end in zip(blocks, ends, strict=True):
        if block.kind != "table":
            continue
        source = text[block.start : end].rstrip()
        header_end = _line_end(text, block.start)
        header = text[block.start : header_end].strip()
        yield Table(block.start, _next_line(text, header_end), block.start + len(source), header)


def _tables_of_rows(text: str, origin: Origin) -> Iterator[Table]:
    rows = [(match[1], part) for part in origin.parts if (match := _ROW.fullmatch(part.name))]
    for _, group in groupby(rows, key=lambda row: row[0]):
        parts = [part for _, part in group]
        head, last = parts[0], parts[-1]
        body = parts[1].start if len(parts) > 1 else head.end
        yield Table(head.start, body, last.end, text[head.start : head.end])


def _separated(text: str, name: str) -> list[Table]:
    start, end = Cells(text, document_id=name).row(0)
    header = text[start:end]
    if not header.strip():
        return []
    return [Table(0, _next_line(text, end), len(text), header)]


def _html_tables(text: str) -> Iterator[Table]:
    depth = start = 0
    row: tuple[int, int] | None = None
    row_start: int | None = None
    for markup in html_markup(text):
        if markup.name == "table":
            depth += -1 if markup.closes else 1
            if depth == 1 and not markup.closes:
                start, row, row_start = markup.start, None, None
            elif depth <= 0:
                if row is not None:
                    yield Table(start, row[1], markup.end, _cells(text[row[0] : row[1]]))
                depth = 0
        elif markup.name == "tr" and depth == 1 and row is None:
            if markup.closes and row_start is not None:
                row = row_start, markup.end
            elif not markup.closes and row_start is not None:
                # The first row is never closed: the second closes it.
                row = row_start, markup.start
            else:
                row_start = markup.end


def _cells(source: str) -> str:
    cells = re.split(r"<t[hd](?=[\s/>])[^<>]*>", source, flags=re.IGNORECASE)[1:]
    texts = [" ".join(html.unescape(_TAG.sub("", cell)).split()) for cell in cells]
    return " | ".join(text for text in texts if text)


def _line_end(text: str, start: int) -> int:
    lines = re.compile(r"\r\n|\r|\n")
    match = lines.search(text, start)
    return match.start() if match else len(text)


def _next_line(text: str, line_end: int) -> int:
    return line_end + (2 if text.startswith("\r\n", line_end) else 1)
