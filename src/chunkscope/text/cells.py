"""Rows and cells of CSV and TSV: where they stand in the text, which stays as it is.

A quoted cell may hold delimiters and line ends. A quote that is never closed is a character like
any other.
"""

import re
from array import array
from bisect import bisect_right
from typing import NamedTuple

from chunkscope.text.shortplace import short_name

_SEPARATED = (".csv", ".tsv", ".tab")
_DELIMITERS = ",;\t|"
_LONGEST_ROW = 100_000
"""Characters of a row beyond which its cells are not told apart."""

_SHOWN = 40
"""Characters of a column's name that are shown."""


class Cell(NamedTuple):
    """A cell, half-open, its quotes in it."""

    start: int
    end: int


def is_separated(document_id: str) -> bool:
    """Whether the document is CSV or TSV, by the ending of its id."""
    return document_id.lower().endswith(_SEPARATED)


def column_letters(number: int) -> str:
    """A workbook's name of a column counted from 0: A, B, … Z, AA."""
    letters = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


class Cells:
    """The rows of a CSV or TSV text; linear in it, cells are found row by row."""

    def __init__(self, text: str, *, document_id: str) -> None:
        """Find the rows; the ending of `document_id` and the first row tell what parts cells."""
        self._text = text
        begin = 1 if text.startswith("\ufeff") else 0
        tabs = document_id.lower().endswith((".tsv", ".tab"))
        self.delimiter = "\t" if tabs else _delimiter(text, begin)
        escaped = re.escape(self.delimiter)
        # A quote opens a cell only at its start; two inside stand for one.
        self._cell = re.compile(rf'(?:"(?:[^"]++|"")*+")?[^{escaped}\r\n]*+')
        line_end = re.compile(r"\r\n|\r|\n")
        quoted = '"' in text
        starts, ends = array("q", (begin,)), array("q")
        position = begin
        while True:
            end = self._row_end(position) if quoted else position
            match = line_end.search(text, end)
            if match is None:
                ends.append(len(text))
                break
            ends.append(match.start())
            starts.append(match.end())
            position = match.end()
        self._starts, self._ends = starts, ends
        self.columns = tuple(self._name(cell) for cell in self.cells(0))

    @property
    def rows(self) -> int:
        """How many rows there are, the header row among them; blank lines count."""
        return len(self._starts) - (self._starts[-1] == len(self._text) and len(self._starts) > 1)

    def row_at(self, offset: int) -> int:
        """The row that holds a place, counted from 0; its line end belongs to it."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def row(self, number: int) -> Cell:
        """Where a row stands, its line end left out."""
        return Cell(self._starts[number], self._ends[number])

    def cells(self, row: int) -> list[Cell]:
        """The cells of a row in order; of a row of over 100,000 characters, none."""
        start, end = self._starts[row], self._ends[row]
        if end - start > _LONGEST_ROW:
            return []
        found = []
        while True:
            match = self._cell.match(self._text, start, end)
            stop = match.end() if match else end
            found.append(Cell(start, stop))
            if stop >= end:
                return found
            start = stop + 1

    def place(self, start: int, end: int) -> str:
        """Where a span stands: `row 5, column 'Fee'`, `row 5`, `row 5 to row 9`; from 1."""
        last = self.row_at(max(start, end - 1))
        first = self.row_at(start)
        if first != last:
            return f"row {first + 1} to row {last + 1}"
        for number, cell in enumerate(self.cells(first)):
            if cell.start <= start and end <= cell.end:
                name = self.columns[number] if number < len(self.columns) else ""
                named = f"column {name!r}" if name and first else f"column {number + 1}"
                return f"row {first + 1}, {named}"
        return f"row {first + 1}"

    def short_place(self, start: int, end: int) -> str:
        """`place` in few letters: `row 5, Fee`, `row 5`, `row 5–9`."""
        first, last = self.row_at(start), self.row_at(max(start, end - 1))
        if first != last:
            return f"row {first + 1}–{last + 1}"
        return short_name(self.place(start, end))

    def _row_end(self, position: int) -> int:
        """Where the cells of the row from `position` end, quoted line ends passed over."""
        while True:
            match = self._cell.match(self._text, position)
            position = match.end() if match else position
            if not self._text.startswith(self.delimiter, position):
                return position
            position += 1

    def _name(self, cell: Cell) -> str:
        text = self._text[cell.start : cell.end].strip()
        if text[:1] == '"' == text[-1:] and len(text) > 1:
            text = text[1:-1].replace('""', '"')
        name = " ".join(text.split())
        return name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"


def _delimiter(text: str, begin: int) -> str:
    """What parts the cells of the first row: the commonest of comma, semicolon, tab and bar."""
    head = re.match(r"[^\r\n]{0,10000}", text[begin : begin + 10_000])
    bare = re.sub(r'"[^"]*"', "", head[0]) if head else ""
    return max(_DELIMITERS, key=bare.count)
