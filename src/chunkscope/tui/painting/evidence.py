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
# A multiple of dot and bare part.
_BLOCK = 240


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
    start, end, state, origin = piece
    if state in {"unmeasured", "whole"}:
        return [(start, end, state == "whole")]
    runs: list[tuple[int, int, bool]] = []
    # Whole blocks from the evidence's start, so that no pattern depends on the part that is seen.
    for low in range(start - (start - origin) % _BLOCK, end, _BLOCK):
        high = low + _BLOCK
        if _joins(text[low:high]):
            pattern = [(low, high, True)]
        elif state == "cut":
            pattern = _dashes(text, low, high)
        else:
            pattern = _dots(low, high)
        runs += [
            (max(start, first), min(end, last), underlined)
            for first, last, underlined in pattern
            if first < end and last > start
        ]
    return runs


def _dashes(text: str, start: int, end: int) -> list[tuple[int, int, bool]]:
    return [
        (*match.span(group), underlined)
        for match in _DASHES.finditer(text, start, end)
        for group, underlined in ((1, True), (2, False))
        if match.start(group) < match.end(group)
    ]


def _dots(start: int, end: int) -> list[tuple[int, int, bool]]:
    runs: list[tuple[int, int, bool]] = []
    for at in range(start, end, _DOT + _BARE):
        runs += [(at, at + _DOT, True), (at + _DOT, at + _DOT + _BARE, False)]
    return runs


def _joins(text: str) -> bool:
    """Whether it holds a combining mark or a script whose letters join."""
    return not text.isascii() and any(
        "\u0300" <= character < "\u0370" or "\u0590" <= character < "\u1e00" for character in text
    )
