"""Which evidence covers an offset, and the underline pattern that tells its state."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import EvidenceMark, EvidenceState

# Where evidence overlaps, the state further left is drawn.
_URGENCY: tuple[EvidenceState, ...] = ("cut", "not retrieved", "whole", "unmeasured")

# Underlined code points, then bare ones: solid, dashed, dotted.
_PATTERNS: dict[EvidenceState, tuple[int, int]] = {
    "whole": (1, 0),
    "cut": (3, 1),
    "not retrieved": (1, 1),
    "unmeasured": (0, 1),
}


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

    def pieces(self, start: int, end: int) -> list[Span]:
        """The matches in `[start, end)`, cut to it."""
        first = bisect_right(self._ends, start)
        last = bisect_left(self._starts, end)
        return [
            Span(max(start, self._starts[at]), min(end, self._ends[at]))
            for at in range(first, last)
        ]


def underline_runs(piece: EvidencePiece, text: str) -> list[tuple[int, int, bool]]:
    """`[start, end)` runs of the piece and whether each is underlined.

    Letters that join their neighbours (Arabic, Indic and others) are never parted: there the
    underline is solid and the marker beside the row tells the state.
    """
    on, off = _PATTERNS[piece.state]
    if on == 0 or off == 0 or _joins(text[piece.start : piece.end]):
        return [(piece.start, piece.end, on > 0)]
    runs: list[tuple[int, int, bool]] = []
    period = on + off
    at = piece.start
    while at < piece.end:
        phase = (at - piece.origin) % period
        underlined = phase < on
        stop = min(piece.end, at + (on - phase if underlined else period - phase))
        runs.append((at, stop, underlined))
        at = stop
    return runs


def _joins(text: str) -> bool:
    return not text.isascii() and any("\u0300" <= character < "\u2000" for character in text)
