"""The map between a row's columns and the text's offsets, tabs and scissors included."""

from bisect import bisect_right
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from chunkscope.text.spans import Span
from chunkscope.tui.painting.rows import RowIndex

_LONG_ROW = 4096
_KEPT_ROWS = 8


class Kind(Enum):
    """What an atom is drawn as."""

    TEXT = "text"
    TAB = "tab"
    SCISSORS = "scissors"
    BASE = "base"
    LINE_END = "line end"


class Atom(NamedTuple):
    """A run of a row: `[start, end)` of the text in `cells` columns from `column`.

    A scissors covers no text: its `end` is its `start`.
    """

    kind: Kind
    start: int
    end: int
    column: int
    cells: int


@dataclass(slots=True)
class _Marks:
    """What in a row is not plain text, in order."""

    atoms: list[Atom] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)

    def add(self, atom: Atom) -> None:
        self.atoms.append(atom)
        self.columns.append(atom.column)
        self.offsets.append(atom.start)


class Columns:
    """Columns of one row index. Drop it when the index's cuts change.

    Attributes:
        rows: the index.
    """

    def __init__(self, rows: RowIndex) -> None:
        self.rows = rows
        self._cells = rows.cells
        self._long: dict[int, _Marks] = {}

    def atoms(self, row: int, first: int = 0, last: int | None = None) -> list[Atom]:
        """The row's atoms that touch columns `[first, last)`, left to right.

        A run of text is cut to those columns at whole characters, so that the first atom may
        begin a column or more before `first`.
        """
        marks = self._marks(row)
        start, end = self.rows.content(row)
        limit = last if last is not None else 1 << 62
        atoms: list[Atom] = []
        at, column = start, 0
        index = bisect_right(marks.columns, first) - 1
        if index >= 0:
            atom = marks.atoms[index]
            if atom.column + atom.cells > first:
                atoms.append(atom)
            at, column = _after(atom)
        while column < limit:
            index += 1
            if index >= len(marks.atoms):
                self._text(atoms, Span(at, end), column, first, limit)
                break
            atom = marks.atoms[index]
            self._text(atoms, Span(at, atom.start), column, first, limit)
            if atom.column >= limit:
                break
            atoms.append(atom)
            at, column = _after(atom)
        return atoms

    def column_of(self, row: int, offset: int) -> int:
        """The column where the character at `offset` begins; the row's end past its last one."""
        marks = self._marks(row)
        start, end = self.rows.span(row)
        offset = max(start, min(offset, end))
        at, column = start, 0
        index = bisect_right(marks.offsets, offset) - 1
        if index >= 0:
            atom = marks.atoms[index]
            # A scissors stands left of its character; any other mark is the character.
            if offset < atom.end:
                return atom.column
            at, column = _after(atom)
        if offset < end and self._cells.zero_width(offset):
            offset = self._cells.before_joined(offset, at)
            if self._cells.zero_width(offset):
                return max(0, column - 1)
        return column + self._cells.cells(at, offset)

    def hit(self, row: int, column: int) -> Span:
        """The code points drawn in this column of the row.

        A character with all that joins it; empty on a scissors (at its cut) and right of the
        text (at the end of the row's content).
        """
        content = self.rows.content(row)
        if column < 0:
            return Span(content.start, content.start)
        for atom in self.atoms(row, column, column + 1):
            if not atom.column <= column < atom.column + atom.cells:
                continue
            if atom.kind is Kind.SCISSORS:
                return Span(atom.start, atom.start)
            if atom.kind is Kind.LINE_END:
                break
            if atom.kind is not Kind.TEXT:
                return Span(atom.start, self._joined_end(atom.end, content.end))
            # Wide characters answer in both of their columns.
            at = self._cells.fit(atom.start, atom.end, column - atom.column)
            at = min(at, atom.end - 1)
            at = self._cells.before_joined(at, atom.start)
            return Span(at, self._joined_end(at + 1, content.end))
        return Span(content.end, content.end)

    def end_column(self, row: int) -> int:
        """One past the last column of the row's content."""
        return self.column_of(row, self.rows.content(row).end)

    def _text(self, atoms: list[Atom], span: Span, column: int, first: int, limit: int) -> None:
        start, end = span
        if start >= end or column >= limit:
            return
        cells = self._cells
        if column < first:
            skip = cells.fit(start, end, first - column)
            if skip >= end and column + cells.cells(start, end) <= first:
                return
            column += cells.cells(start, skip)
            start = skip
        width = cells.cells(start, end)
        if column + width > limit:
            whole = end
            end = min(whole, cells.fit(start, whole, limit - column) + 1)
            end = cells.after_joined(end, whole)
            width = cells.cells(start, end)
        if start < end:
            atoms.append(Atom(Kind.TEXT, start, end, column, width))

    def _joined_end(self, offset: int, end: int) -> int:
        """`offset` moved right past what joins it, but not past a scissors."""
        cuts = self.rows.cuts_in(offset, end)
        return self._cells.after_joined(offset, cuts[0] if cuts else end)

    def _marks(self, row: int) -> _Marks:
        known = self._long.get(row)
        if known is not None:
            return known
        marks = self._measured(row)
        start, end = self.rows.span(row)
        if end - start > _LONG_ROW:
            if len(self._long) >= _KEPT_ROWS:
                self._long.pop(next(iter(self._long)))
            self._long[row] = marks
        return marks

    def _measured(self, row: int) -> _Marks:
        rows, cells = self.rows, self._cells
        start, end = rows.content(row)
        marks = _Marks()
        at, column = start, 0
        for offset in self._special(row, start, end):
            column += cells.cells(at, offset)
            at = offset
            cut = self._is_cut(offset)
            if cut:
                marks.add(Atom(Kind.SCISSORS, offset, offset, column, 1))
                column += 1
            if offset < end and cells.text[offset] == "\t":
                size = cells.tab_size - column % cells.tab_size
                marks.add(Atom(Kind.TAB, offset, offset + 1, column, size))
            elif offset in cells.unbased or (cut and offset < end and cells.zero_width(offset)):
                size = 1
                marks.add(Atom(Kind.BASE, offset, offset + 1, column, size))
            else:
                continue
            column, at = column + size, offset + 1
        row_end = rows.span(row).end
        if row_end > end:
            column += cells.cells(at, end)
            marks.add(Atom(Kind.LINE_END, end, row_end, column, row_end - end))
        return marks

    def _special(self, row: int, start: int, end: int) -> list[int]:
        """Offsets of tabs, cuts and characters without a base in `[start, end]`, ascending."""
        rows, cells = self.rows, self._cells
        special: set[int] = set()
        if len(cells.tabs):
            at = cells.text.find("\t", start, end)
            while at >= 0:
                special.add(at)
                at = cells.text.find("\t", at + 1, end)
        # A cut inside a line end is drawn before the whole of it.
        special.update(min(cut, end) for cut in rows.cuts_in(start, rows.span(row).end))
        if start in cells.unbased:
            special.add(start)
        return sorted(special)

    def _is_cut(self, offset: int) -> bool:
        text = self._cells.text
        end = offset + 2 if text[offset : offset + 2] == "\r\n" else offset + 1
        return bool(self.rows.cuts_in(offset, end))


def _after(atom: Atom) -> tuple[int, int]:
    return atom.end, atom.column + atom.cells
