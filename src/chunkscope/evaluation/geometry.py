"""Chunks as ranges on the corpus axis: which hold a range, which touch it, what they cover."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chunkscope.evaluation.evidence import document_bases
from chunkscope.splitting.chunks import ChunkSet, IntArray

_BLOCK = 1 << 22
"""Cells of a comparison made at once where ranges are not monotone."""


@dataclass(frozen=True)
class ChunkGeometry:
    """Source ranges of a chunk set on the corpus axis.

    A chunk is one range, or several where distant text was joined: contained then means inside
    one of them, and lengths are summed over them.

    Attributes:
        starts: first code point of each range, shape (r,).
        ends: one past the last, shape (r,).
        chunk: the chunk each range belongs to, ascending, shape (r,).
        count: number of chunks.
    """

    starts: IntArray
    ends: IntArray
    chunk: IntArray
    count: int

    @cached_property
    def single(self) -> bool:
        """Whether every chunk is one range: range numbers are then chunk numbers."""
        return len(self.chunk) == self.count

    @cached_property
    def first(self) -> IntArray:
        """First range of each chunk, and the number of ranges last, shape (count + 1,)."""
        if self.single:
            return np.arange(self.count + 1, dtype=np.int64)
        counts = np.bincount(self.chunk, minlength=self.count)
        return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)

    @cached_property
    def lengths(self) -> IntArray:
        """Source code points of each chunk, shape (count,)."""
        sizes = self.ends - self.starts
        if self.single:
            return sizes
        return np.add.reduceat(np.append(sizes, 0), self.first[:-1]) if self.count else sizes

    @cached_property
    def monotone(self) -> bool:
        """Whether starts and ends never go back, so that binary search may be used."""
        return bool(np.all(np.diff(self.starts) >= 0) and np.all(np.diff(self.ends) >= 0))

    def holding(self, low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
        """Pairs (index into `low`, chunk) of each chunk that holds `[low, high)` whole.

        Pairs ascend by index, then by chunk; a chunk stands once for an index.
        """
        if self.monotone:
            first = np.searchsorted(self.ends, high, "left")
            last = np.searchsorted(self.starts, low, "right")
            return self._pairs(*expand(first, last), len(low))
        found = [
            (index + offset, ranges)
            for offset, block_low, block_high in self._blocks(low, high)
            for index, ranges in [
                np.nonzero((self.starts <= block_low[:, None]) & (self.ends >= block_high[:, None]))
            ]
        ]
        return self._pairs(*_stack(found), len(low))

    def touching(self, low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
        """Pairs (index into `low`, range) of each range that shares text with `[low, high)`."""
        if self.monotone:
            first = np.searchsorted(self.ends, low, "right")
            last = np.searchsorted(self.starts, high, "left")
            index, ranges = expand(first, last)
        else:
            index, ranges = _stack(
                [
                    (index + offset, ranges)
                    for offset, block_low, block_high in self._blocks(low, high)
                    for index, ranges in [
                        np.nonzero(
                            (self.starts < block_high[:, None]) & (self.ends > block_low[:, None])
                        )
                    ]
                ]
            )
        kept = self.ends[ranges] > self.starts[ranges]
        return index[kept], ranges[kept]

    def whole_chunks(self, row: IntArray, ranges: IntArray) -> tuple[IntArray, IntArray]:
        """Pairs (row, range) with every range of the chunks that some of their ranges stand for.

        Pairs may repeat where each chunk is one range.
        """
        if self.single:
            return row, ranges
        keys = np.unique(row * max(self.count, 1) + self.chunk[ranges])
        row, chunk = keys // max(self.count, 1), keys % max(self.count, 1)
        index, ranges = expand(self.first[chunk], self.first[chunk + 1])
        return row[index], ranges

    @cached_property
    def _union(self) -> tuple[IntArray, IntArray, IntArray]:
        """Disjoint ranges of all chunks' union: starts, ends, code points before each."""
        order = np.lexsort((self.ends, self.starts))
        starts, ends = self.starts[order], self.ends[order]
        reach = np.maximum.accumulate(ends) if len(ends) else ends
        opens = np.ones(len(starts), dtype=bool)
        opens[1:] = starts[1:] > reach[:-1]
        first = np.nonzero(opens)[0]
        last = np.append(first[1:], len(starts))[: len(first)] - 1
        low, high = starts[first], reach[last]
        return low, high, np.cumsum(high - low) - (high - low)

    @cached_property
    def union_length(self) -> int:
        """Code points that some chunk covers."""
        starts, ends, _ = self._union
        return int((ends - starts).sum())

    def covered(self, low: IntArray, high: IntArray) -> IntArray:
        """Code points of each `[low, high)` that the union of all chunks covers."""
        return self._covered_before(high) - self._covered_before(low)

    def _covered_before(self, at: IntArray) -> IntArray:
        starts, ends, before = self._union
        if not len(starts):
            return np.zeros(len(at), dtype=np.int64)
        part = np.searchsorted(starts, at, "right") - 1
        inside = np.minimum(at, ends[part]) - starts[part]
        return np.where(part < 0, 0, before[part] + inside)

    def _pairs(self, index: IntArray, ranges: IntArray, count: int) -> tuple[IntArray, IntArray]:
        if self.single:
            return index, ranges
        keys = np.unique(index * max(self.count, 1) + self.chunk[ranges])
        return keys // max(self.count, 1), keys % max(self.count, 1)

    def _blocks(self, low: IntArray, high: IntArray) -> Iterator[tuple[int, IntArray, IntArray]]:
        step = max(1, _BLOCK // max(1, len(self.starts)))
        for offset in range(0, len(low), step):
            yield offset, low[offset : offset + step], high[offset : offset + step]


def chunk_geometry(chunks: ChunkSet) -> ChunkGeometry:
    """The source ranges of `chunks` on the corpus axis."""
    base = document_bases(chunks.corpus)[chunks.documents]
    starts, ends = chunks.starts + base, chunks.ends + base
    numbers = np.arange(len(chunks), dtype=np.int64)
    if not any(cuts.spans for cuts in chunks.cuts):
        return ChunkGeometry(starts, ends, numbers, len(chunks))
    all_starts: list[int] = []
    all_ends: list[int] = []
    owner: list[int] = []
    for chunk in range(len(chunks)):
        for span in chunks.spans(chunk):
            all_starts.append(int(base[chunk]) + span.start)
            all_ends.append(int(base[chunk]) + span.end)
            owner.append(chunk)
    return ChunkGeometry(
        np.array(all_starts, np.int64),
        np.array(all_ends, np.int64),
        np.array(owner, np.int64),
        len(chunks),
    )


def expand(first: IntArray, last: IntArray) -> tuple[IntArray, IntArray]:
    """Every number of the half-open `[first, last)`, with the index of its range."""
    counts = np.maximum(last - first, 0)
    index = np.repeat(np.arange(len(first), dtype=np.int64), counts)
    offsets = np.arange(len(index), dtype=np.int64) - np.repeat(np.cumsum(counts) - counts, counts)
    return index, first[index] + offsets


def _stack(parts: list[tuple[IntArray, IntArray]]) -> tuple[IntArray, IntArray]:
    empty = np.zeros(0, dtype=np.int64)
    return (
        np.concatenate([empty, *(index for index, _ in parts)]),
        np.concatenate([empty, *(ranges for _, ranges in parts)]),
    )
