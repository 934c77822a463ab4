"""How many cells each code point of a text takes on the screen, and where its lines begin."""

from bisect import bisect_right

import numpy as np
import numpy.typing as npt
from rich.cells import get_character_cell_size

from chunkscope.splitting.chunks import IntArray
from chunkscope.text.display import visible

TAB_SIZE = 8

Codes = npt.NDArray[np.uint8] | npt.NDArray[np.uint32]

_NEWLINE, _RETURN, _TAB = 10, 13, 9

# An emoji presentation selector widens the character before it on some terminals only; its text
# sibling never does, so the drawing stays aligned.
_EMOJI_SELECTOR, _TEXT_SELECTOR = "\ufe0f", "\ufe0e"


def drawn(text: str) -> str:
    """What stands on the screen for `text`: one code point for each, none that is a control."""
    shown = visible(text)
    if _EMOJI_SELECTOR in shown:
        return shown.replace(_EMOJI_SELECTOR, _TEXT_SELECTOR)
    return shown


class TextCells:
    r"""Widths and line starts of one text, computed once and shared by every row width.

    Attributes:
        text: the text.
        tab_size: columns between tab stops, counted from the row's first column.
        line_starts: offset of each line's first code point, shape (lines,).
        tabs: offsets of the tabs, ascending.
        one_cell: every code point but tabs takes one cell, so offsets are columns.
        unbased: offsets of zero-width characters with no character before them in their line;
            they are drawn on a base of one cell.
    """

    def __init__(self, text: str, tab_size: int = TAB_SIZE) -> None:
        self.text = text
        self.tab_size = tab_size
        codes = _codes(text)
        ends = codes == _NEWLINE
        returns = np.flatnonzero(codes == _RETURN)
        if len(returns):
            follows = returns + 1
            paired = np.zeros(len(returns), dtype=bool)
            inside = follows < len(codes)
            paired[inside] = codes[follows[inside]] == _NEWLINE
            ends[returns[~paired]] = True
        self.line_starts: IntArray = np.concatenate(
            [np.zeros(1, dtype=np.int64), np.flatnonzero(ends) + 1]
        )
        self.tabs: IntArray = np.flatnonzero(codes == _TAB).astype(np.int64, copy=False)
        self.unbased: frozenset[int] = frozenset()
        self._sums: memoryview | None = None
        if not text.isascii():
            self._measure(codes)
        self.one_cell = self._sums is None

    def cells(self, start: int, end: int) -> int:
        """Cells of `[start, end)`; a tab counts none here, a line end one a code point."""
        if self._sums is None:
            return end - start
        return int(self._sums[end]) - int(self._sums[start])

    def fit(self, start: int, end: int, limit: int) -> int:
        """The largest offset up to `end` so that `[start, offset)` takes at most `limit` cells."""
        if self._sums is None:
            return min(end, start + max(0, limit))
        return bisect_right(self._sums, self._sums[start] + limit, start, end + 1) - 1

    def zero_width(self, offset: int) -> bool:
        """Whether the code point joins the cell before it."""
        sums = self._sums
        return sums is not None and bool(
            sums[offset] == sums[offset + 1] and self.text[offset] != "\t"
        )

    def after_joined(self, offset: int, end: int) -> int:
        """`offset` moved right past zero-width characters, at most to `end`."""
        if self._sums is not None:
            while offset < end and self.zero_width(offset):
                offset += 1
        return offset

    def before_joined(self, offset: int, start: int) -> int:
        """`offset` moved left to the character that carries it, at least `start`."""
        if self._sums is not None:
            while offset > start and self.zero_width(offset):
                offset -= 1
        return offset

    def line_widths(self) -> IntArray:
        """An upper bound of each line's cells, its line end counted, shape (lines,)."""
        bounds = np.append(self.line_starts, len(self.text))
        if self._sums is None:
            widths = np.diff(bounds)
        else:
            widths = np.diff(np.asarray(self._sums)[bounds].astype(np.int64))
        if len(self.tabs):
            lines = np.searchsorted(self.line_starts, self.tabs, side="right") - 1
            # A tab that is one cell wide is already counted where every code point is.
            each = self.tab_size if self._sums is not None else self.tab_size - 1
            widths = widths + each * np.bincount(lines, minlength=len(widths))
        return widths

    def _measure(self, codes: Codes) -> None:
        used = np.flatnonzero(np.bincount(codes))
        shown = drawn("".join(map(chr, used.tolist())))
        sizes = [get_character_cell_size(character) for character in shown]
        table = np.zeros(int(used[-1]) + 1, dtype=np.int32)
        table[used] = sizes
        table[_TAB] = table[_NEWLINE] = table[_RETURN] = 1
        if bool((table[used] == 1).all()):
            return
        table[_TAB] = 0
        widths = table[codes]
        joined = np.flatnonzero((widths == 0) & (codes != _TAB))
        before = codes[joined - 1]
        alone = joined[(joined == 0) | (before == _NEWLINE) | (before == _RETURN)]
        widths[alone] = 1
        self.unbased = frozenset(alone.tolist())
        sums = np.zeros(len(codes) + 1, dtype=np.int32)
        np.cumsum(widths, out=sums[1:])
        self._sums = sums.data


def _codes(text: str) -> Codes:
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
