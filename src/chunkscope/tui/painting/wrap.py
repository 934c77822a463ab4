"""Greedy soft wrapping: after white space, around wide characters, else where the row is full."""

from array import array
from collections.abc import Sequence

from chunkscope.tui.painting.cells import TextCells

# Closing marks of East Asian text that hang at a row's end rather than begin the next one.
_HANGING = frozenset("、。，．・：；？！）］｝〕〉》」』】〟’”…ー々")


def wrap_line(cells: TextCells, start: int, end: int, width: int, starts: "array[int]") -> None:
    """Append to `starts` the rows of the line `[start, end)` after its first one."""
    text = cells.text
    if not cells.one_cell or text.find("\t", start, end) >= 0:
        wrap_measured(cells, start, end, width, starts)
        return
    find = text.rfind
    append = starts.append
    while end - start > width:
        full = start + width
        if text[full] == " ":
            start = full + 1
            if start >= end:
                return
        else:
            space = find(" ", start, full)
            start = space + 1 if space >= start else full
        append(start)


def wrap_measured(cells: TextCells, start: int, end: int, width: int, starts: "array[int]") -> None:
    """The same for characters of any width and tabs; slower."""
    while True:
        full = filled(cells, start, end, width)
        if full >= end:
            return
        start = _break(cells, start, full)
        if start >= end:
            return
        starts.append(start)


def filled(cells: TextCells, start: int, end: int, width: int) -> int:
    """One past the last code point that still fits in a row of `width` cells from `start`.

    At least one character with what joins it, however narrow the row.
    """
    text = cells.text
    column, at = 0, start
    while True:
        fits = cells.fit(at, end, width - column)
        tab = text.find("\t", at, min(fits + 1, end))
        if tab < 0 or tab >= end:
            break
        column += cells.cells(at, tab)
        size = cells.tab_size - column % cells.tab_size
        if column + size > width:
            fits = tab
            break
        column += size
        at = tab + 1
    if fits <= start < end:
        fits = cells.after_joined(start + 1, end)
    return fits


def row_cells(cells: TextCells, start: int, end: int, cuts: Sequence[int] = ()) -> int:
    """Columns that `[start, end)` takes when drawn from the first column, scissors counted."""
    text = cells.text
    column, at = 0, start
    for stop in (*cuts, end):
        while (tab := text.find("\t", at, stop)) >= 0:
            column += cells.cells(at, tab)
            column += cells.tab_size - column % cells.tab_size
            at = tab + 1
        column += cells.cells(at, stop)
        at = stop
        if stop < end:
            column += cut_cells(cells, stop)
    return column + sum(1 for cut in cuts if cut == end)


def cut_cells(cells: TextCells, offset: int) -> int:
    """Columns of a scissors before `offset`: with a base for a character that joins the last."""
    return 2 if offset < len(cells.text) and cells.zero_width(offset) else 1


def split_row(cells: TextCells, start: int, end: int, width: int, cuts: Sequence[int]) -> list[int]:
    """Starts of the rows, after the first, of a row that scissors before `cuts` make too long."""
    starts = []
    at, column = start, 0
    waiting = set(cuts)
    while at < end:
        after = at + 1
        while after < end and after not in waiting and cells.zero_width(after):
            after += 1
        size = cut_cells(cells, at) if at in waiting else 0
        if cells.text[at] == "\t":
            size += cells.tab_size - (column + size) % cells.tab_size
        else:
            size += cells.cells(at, after)
        if column + size > width and column > 0:
            starts.append(at)
            column = 0
            continue
        column += size
        at = after
    return starts


def _break(cells: TextCells, start: int, full: int) -> int:
    """Where the next row begins, when `[start, full)` fits and `full` does not."""
    text = cells.text
    character = text[full]
    if character == " " or character in _HANGING:
        return cells.after_joined(full + 1, len(text))
    if character == "\t" or text[full - 1] in " \t" or _wide(cells, full - 1) or _wide(cells, full):
        return full
    if cells.one_cell:
        space = max(text.rfind(" ", start, full), text.rfind("\t", start, full))
        return space + 1 if space >= start else full
    for at in range(full - 1, start, -1):
        if text[at - 1] in " \t" or _wide(cells, at - 1):
            return cells.after_joined(at, full)
    return full


def _wide(cells: TextCells, offset: int) -> bool:
    return not cells.one_cell and cells.cells(offset, offset + 1) > 1
