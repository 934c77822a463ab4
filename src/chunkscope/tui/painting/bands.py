"""Which chunks cover which part of the text, by bisection."""

from bisect import bisect_left, bisect_right
from enum import Enum
from typing import NamedTuple

import numpy as np

from chunkscope.tui.painting.layers import ChunkLayer


class Band(Enum):
    """How a part of the text is shaded; neighbouring chunks differ."""

    GAP = "gap"
    EVEN = "even"
    ODD = "odd"
    OVERLAP_EVEN = "overlap-even"
    OVERLAP_ODD = "overlap-odd"

    @property
    def shared(self) -> bool:
        """Whether two chunks or more hold the text."""
        return self in (Band.OVERLAP_EVEN, Band.OVERLAP_ODD)


class BandPiece(NamedTuple):
    """`[start, end)` shaded alike."""

    start: int
    end: int
    band: Band


class ChunkBands:
    """One layer's chunks, ready to be asked about any range.

    Chunks in any order are understood; those of a splitter come sorted by start.
    """

    def __init__(self, layer: ChunkLayer) -> None:
        starts = np.ascontiguousarray(layer.starts, dtype=np.int64)
        ends = np.ascontiguousarray(layer.ends, dtype=np.int64)
        self._order = None
        if len(starts) > 1 and bool((np.diff(starts) < 0).any()):
            order = np.argsort(starts, kind="stable")
            starts, ends = starts[order], ends[order]
            self._order = order
        self.layer = layer
        reach = np.maximum.accumulate(ends) if len(ends) else ends
        self._starts = starts.data
        self._ends = ends.data
        self._reach = np.concatenate([np.zeros(1, dtype=np.int64), reach]).data
        # The chunk that reaches furthest among those up to a position.
        furthest = np.where(ends == reach, np.arange(len(ends)), 0)
        self._furthest = (np.maximum.accumulate(furthest) if len(ends) else furthest).data
        self._sorted_ends = self._ends
        if len(ends) > 1 and bool((np.diff(ends) < 0).any()):
            self._sorted_ends = np.sort(ends).data

    def __len__(self) -> int:
        return len(self._starts)

    def chunk_at(self, offset: int) -> int | None:
        """Index in the layer of the chunk whose band the character at `offset` is drawn in.

        The last that starts at or before it, or the one that reaches furthest past it.
        """
        position = self._position(offset)
        return None if position is None else self._index(position)

    def starting(self, start: int, end: int) -> list[int]:
        """Indexes in the layer of the chunks that start in `[start, end)`."""
        low, high = self._between(start, end)
        return [self._index(position) for position in range(low, high)]

    def start_offsets(self, start: int, end: int) -> list[int]:
        """Where chunks start in `[start, end)`, ascending, each once."""
        low, high = self._between(start, end)
        return sorted(set(self._starts[low:high].tolist()))

    def starts_within(self, start: int, end: int) -> bool:
        """Whether a chunk starts in `[start, end)`."""
        low, high = self._between(start, end)
        return high > low

    def ends_within(self, start: int, end: int) -> bool:
        """Whether a chunk ends after `start` and at `end` or before."""
        ends = self._sorted_ends
        return bisect_right(ends, end) > bisect_right(ends, start)

    def covers(self, offset: int) -> bool:
        """Whether a chunk holds the character at `offset`."""
        return self._reach[bisect_right(self._starts, offset)] > offset

    def runs_into(self, offset: int) -> bool:
        """Whether a chunk that starts before `offset` holds the character there."""
        return self._reach[bisect_left(self._starts, offset)] > offset

    def pieces(self, start: int, end: int) -> list[BandPiece]:
        """`[start, end)` in runs shaded alike, left to right."""
        starts, ends, reach = self._starts, self._ends, self._reach
        count = len(starts)
        pieces: list[BandPiece] = []
        at = start
        after = bisect_right(starts, at)
        while at < end:
            while after < count and starts[after] <= at:
                after += 1
            stop = min(end, starts[after]) if after < count else end
            current = after - 1
            inside = current >= 0 and ends[current] > at
            shared = current >= 0 and reach[current] > at
            if inside:
                stop = min(stop, ends[current])
            if shared:
                stop = min(stop, reach[current])
            holder = current
            if shared and not inside:
                holder = self._position(at) or 0
                stop = min(stop, ends[holder])
            pieces.append(BandPiece(at, stop, _band(holder, inside=inside, shared=shared)))
            at = stop
        return pieces

    def _position(self, offset: int) -> int | None:
        position = bisect_right(self._starts, offset) - 1
        if position < 0 or self._reach[position + 1] <= offset:
            return None
        return position if self._ends[position] > offset else int(self._furthest[position])

    def _between(self, start: int, end: int) -> tuple[int, int]:
        return bisect_left(self._starts, start), bisect_left(self._starts, end)

    def _index(self, position: int) -> int:
        return position if self._order is None else int(self._order[position])


def _band(position: int, *, inside: bool, shared: bool) -> Band:
    if inside and shared:
        return Band.OVERLAP_ODD if position % 2 else Band.OVERLAP_EVEN
    if inside or shared:
        return Band.ODD if position % 2 else Band.EVEN
    return Band.GAP
