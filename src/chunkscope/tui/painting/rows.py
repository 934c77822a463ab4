"""Where the rows of the drawn text begin: one a line, or soft-wrapped to a width."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from chunkscope.text.spans import Span
from chunkscope.tui.painting.cells import TextCells
from chunkscope.tui.painting.wrap import row_cells, split_row, wrap_line

# Columns right of the wrapped text that a hanging space, a line end or a scissors may use.
SLACK = 2


class RowIndex:
    r"""The rows of one text, counted from 0; every code point belongs to exactly one.

    Attributes:
        cells: the text's widths.
        width: columns of the wrapped text, or None where lines are not wrapped.
        cuts: offsets before which one cell is kept for a scissors, ascending.
    """

    def __init__(self, cells: TextCells, width: int | None) -> None:
        self.cells = cells
        self.width = width
        self.cuts: tuple[int, ...] = ()
        self._starts = _wrapped(cells, width) if width else _lines(cells)
        self._base = self._starts

    def __len__(self) -> int:
        return len(self._starts)

    def span(self, row: int) -> Span:
        """The row's range, its line end included."""
        end = self._starts[row + 1] if row + 1 < len(self._starts) else len(self.cells.text)
        return Span(self._starts[row], end)

    def content(self, row: int) -> Span:
        """The row's range without its line end."""
        start, end = self.span(row)
        text = self.cells.text
        if end > start and text[end - 1] == "\n":
            end -= 1
            if end > start and text[end - 1] == "\r":
                end -= 1
        elif end > start and text[end - 1] == "\r":
            end -= 1
        return Span(start, end)

    def row_of(self, offset: int) -> int:
        """The row that holds `offset`; the last one for the text's end."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def cuts_in(self, start: int, end: int) -> Sequence[int]:
        """The offsets in `[start, end)` that a scissors stands before."""
        return self.cuts[bisect_left(self.cuts, start) : bisect_left(self.cuts, end)]

    def keep_room_for(self, cuts: Sequence[int]) -> bool:
        """Make room for scissors at these ascending offsets; whether any row changed.

        Only a row that grows past its width is broken, so nothing else moves.
        """
        self.cuts = tuple(cuts)
        before = self._starts
        self._starts = self._base
        if self.width is not None and self.cuts:
            self._starts = self._broken(self.width)
        return self._starts is not before and self._starts != before

    def longest(self) -> int:
        """Columns of the longest row (a line end counted), where lines are not wrapped."""
        if self.width is not None:
            return self.width + SLACK
        bounds = self.cells.line_widths()
        longest = 0
        # Bounds exceed widths only where there are tabs: measure those that could still win.
        for line in np.argsort(bounds)[::-1].tolist():
            if bounds[line] <= longest:
                break
            longest = max(longest, row_cells(self.cells, *self.content(line)) + 2)
        return longest

    def _broken(self, width: int) -> "array[int]":
        starts: array[int] = array("q")
        done = 0
        position = 0
        while position < len(self.cuts):
            row = self.row_of(self.cuts[position])
            start, end = self.content(row)
            last = bisect_left(self.cuts, self.span(row).end)
            inside = self.cuts[position:last]
            position = max(last, position + 1)
            within = [min(cut, end) for cut in inside]
            if not inside or row_cells(self.cells, start, end, within) <= width + SLACK:
                continue
            starts += self._base[done : row + 1]
            starts.extend(split_row(self.cells, start, end, width, inside))
            done = row + 1
        starts += self._base[done:]
        return starts


def _lines(cells: TextCells) -> "array[int]":
    starts: array[int] = array("q")
    starts.frombytes(cells.line_starts.tobytes())
    return starts


def _wrapped(cells: TextCells, width: int) -> "array[int]":
    line_starts = cells.line_starts
    ends = np.append(line_starts[1:], len(cells.text))
    long = np.flatnonzero(cells.line_widths() > width)
    starts: array[int] = array("q")
    done = 0
    for line in long.tolist():
        starts.frombytes(line_starts[done : line + 1].tobytes())
        done = line + 1
        start, end = int(line_starts[line]), int(ends[line])
        wrap_line(cells, start, _content_end(cells.text, start, end), width, starts)
    starts.frombytes(line_starts[done:].tobytes())
    return starts


def _content_end(text: str, start: int, end: int) -> int:
    if end > start and text[end - 1] == "\n":
        end -= 1
    if end > start and text[end - 1] == "\r":
        end -= 1
    return end
