"""Which evidence covers an offset, and the underline pattern that tells its state."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import EvidenceMark, EvidenceState

# Where evidence overlaps, the state further left is drawn.
_URGENCY: tuple[EvidenceState, ...] = ("cut", "not retrieved", "whole", "unmeasured")

# Cut evidence is underlined in dashes: words, and bits of long ones. The bare part comes second.
_DASHES = re.compile(r"(\S{0,8})(\s+|\S|\Z)")
# Evidence not retrieved is underlined in dots: so many code points, then so many bare. Every
# change of style is sent to the terminal, so dots are few.
_DOT, _BARE = 2, 4


class EvidencePiece(NamedTuple):
    """`[start, end)` that belongs to evidence of one state; `origin` is where it began."""

    start: int
    end: int
    state: EvidenceState
    origin: int


class EvidenceIndex:
    """The evidence of one document, ready to be asked about any range."""

    def __init__(self, marks: Sequence[EvidenceMark]) -> None:
        self._marks = sorted(
            (mark for mark in marks if mark.span.length > 0), key=lambda mark: mark.span
        )
        self._starts = [mark.span.start for mark in self._marks]
        self._reach = list(accumulate((mark.span.end for mark in self._marks), max))
        self.cuts: tuple[int, ...] = tuple(sorted({cut for mark in marks for cut in mark.cuts}))

    def pieces(self, start: int, end: int) -> list[EvidencePiece]:
        """The evidence in `[start, end)`, left to right, disjoint, the most urgent state each."""
        marks = self._touching(start, end)
        if not marks:
            return []
        edges = {start, end}
        for mark in marks:
            edges.update((max(start, mark.span.start), min(end, mark.span.end)))
        points = sorted(edges)
        pieces: list[EvidencePiece] = []
        for low, high in pairwise(points):
            over = [mark for mark in marks if mark.span.start <= low and high <= mark.span.end]
            if over:
                mark = min(over, key=lambda mark: _URGENCY.index(mark.state))
                pieces.append(EvidencePiece(low, high, mark.state, mark.span.start))
        return pieces

    def state_in(self, start: int, end: int) -> EvidenceState | None:
        """The most urgent state of the evidence in `[start, end)`."""
        states = {mark.state for mark in self._touching(start, end)}
        return next((state for state in _URGENCY if state in states), None)

    def _touching(self, start: int, end: int) -> list[EvidenceMark]:
        first = bisect_right(self._reach, start)
        last = bisect_left(self._starts, end)
        return [mark for mark in self._marks[first:last] if mark.span.end > start]


class FoundIndex:
    """Matches of the search: ascending, disjoint ranges."""

    def __init__(self, found: Sequence[Span]) -> None:
        self._starts = [span.start for span in found]
        self._ends = [span.end for span in found]

    def any_in(self, start: int, end: int) -> bool:
        """Whether a match touches `[start, end)`."""
        return bisect_right(self._ends, start) < bisect_left(self._starts, end)

    def pieces(self, start: int, end: int) -> list[Span]:
        """The matches in `[start, end)`, cut to it."""
        first = bisect_right(self._ends, start)
        last = bisect_left(self._starts, end)
        return [
            Span(max(start, self._starts[at]), min(end, self._ends[at]))
            for at in range(first, last)
        ]


def underline_runs(piece: EvidencePiece, text: str) -> list[tuple[int, int, bool]]:
    """`[start, end)` runs of the piece and whether each is underlined: solid, dashed or dotted.

    Letters that join their neighbours (Arabic, Indic and others) are never parted: there the
    underline is solid and the marker beside the row tells the state.
    """
    start, end = piece.start, piece.end
    if piece.state == "unmeasured":
        return [(start, end, False)]
    if piece.state == "whole" or _joins(text[start:end]):
        return [(start, end, True)]
    if piece.state == "not retrieved":
        return _dots(start, end, piece.origin)
    runs: list[tuple[int, int, bool]] = []
    for match in _DASHES.finditer(text, start, end):
        for group, underlined in ((1, True), (2, False)):
            low, high = match.span(group)
            if low < high:
                runs.append((low, high, underlined))
    return runs


def _dots(start: int, end: int, origin: int) -> list[tuple[int, int, bool]]:
    runs: list[tuple[int, int, bool]] = []
    at = start
    while at < end:
        phase = (at - origin) % (_DOT + _BARE)
        stop = min(end, at + (_DOT if phase < _DOT else _DOT + _BARE) - phase)
        runs.append((at, stop, phase < _DOT))
        at = stop
    return runs


def _joins(text: str) -> bool:
    return not text.isascii() and any("\u0300" <= character < "\u2000" for character in text)
