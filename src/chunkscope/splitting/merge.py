"""Pieces merged into chunks of a size with an overlap, by binary search over prefix sums.

The rule is that of LangChain's `TextSplitter._merge_splits`: a chunk takes pieces while they
fit; the next begins with the last pieces that make no more than the overlap and leave room for
the piece that follows.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.splitting.level import RAW, Level
from chunkscope.splitting.whitespace import Offsets

_RUNS_PER_CHECK = 1 << 10
_CHUNKS_PER_CHECK = 1 << 14


class Runs(NamedTuple):
    """Stretches of sibling pieces of one level that are merged together.

    Attributes:
        level: the level's number.
        first: first piece of each run, ascending, shape (n,).
        last: one past its last piece, shape (n,).
    """

    level: int
    first: Offsets
    last: Offsets


class Frontier(NamedTuple):
    """What a text falls into at one size.

    Attributes:
        runs: pieces shorter than the size, by level.
        raw_starts: first code point of each piece that is too long and cannot be split.
        raw_ends: one past its last.
    """

    runs: list[Runs]
    raw_starts: Offsets
    raw_ends: Offsets


def frontier(levels: Sequence[Level], root: int, root_pieces: int, size: int) -> Frontier:
    """The pieces at `size`: each long one replaced by its own, from the whole text down."""
    firsts: list[list[Offsets]] = [[] for _ in levels]
    lasts: list[list[Offsets]] = [[] for _ in levels]
    firsts[root].append(np.zeros(1, dtype=np.int32))
    lasts[root].append(np.full(1, root_pieces, dtype=np.int32))
    runs: list[Runs] = []
    raw_starts: list[Offsets] = []
    raw_ends: list[Offsets] = []
    for number, level in enumerate(levels):
        if not firsts[number]:
            continue
        first = np.sort(np.concatenate(firsts[number]))
        last = np.sort(np.concatenate(lasts[number]))
        long, child_level, child_first, child_last = level.long_pieces(size)
        node = np.searchsorted(first, long, side="right") - 1
        reached = (node >= 0) & (long < last[node])
        if not reached.all():
            long, child_level = long[reached], child_level[reached]
            child_first, child_last = child_first[reached], child_last[reached]
        if len(long):
            # Every long piece ends one run and begins the next.
            first = np.sort(np.concatenate((first, long + np.int32(1))))
            last = np.sort(np.concatenate((last, long)))
        filled = first < last
        runs.append(Runs(number, first[filled], last[filled]))
        raw = long[child_level == RAW]
        raw_starts.append(level.starts(raw))
        raw_ends.append(level.ends(raw))
        for child in set(child_level.tolist()) - {RAW}:
            of_child = child_level == child
            firsts[child].append(child_first[of_child])
            lasts[child].append(child_last[of_child])
    return Frontier(runs, np.concatenate(raw_starts), np.concatenate(raw_ends))


class _Chunks(NamedTuple):
    first: "array[int]"
    last: "array[int]"


def merge(
    level: Level, runs: Runs, size: int, overlap: int, cancel: CancelToken | None
) -> tuple[Offsets, Offsets]:
    """The chunks of some runs of `level`: first piece and one past the last of each."""
    totals = level.sums_array[runs.last] - level.sums_array[runs.first] - level.joiner_length
    whole = totals <= size
    chunks = _Chunks(array("i"), array("i"))
    cut = zip(runs.first[~whole].tolist(), runs.last[~whole].tolist(), strict=True)
    for number, (first, last) in enumerate(cut):
        if cancel is not None and number % _RUNS_PER_CHECK == 0:
            cancel.check()
        begin = end = first
        while end < last:
            begin, end = _merge_run(level, (begin, end, last), size, overlap, chunks)
            if cancel is not None and end < last:
                cancel.check()
    return (
        np.concatenate((runs.first[whole], np.frombuffer(chunks.first, dtype=np.int32))),
        np.concatenate((runs.last[whole], np.frombuffer(chunks.last, dtype=np.int32))),
    )


def _merge_run(
    level: Level, place: tuple[int, int, int], size: int, overlap: int, chunks: _Chunks
) -> tuple[int, int]:
    """Add the next chunks of a run, a bounded number of them.

    Args:
        level: the run's level.
        place: first piece of the next chunk, first piece that no chunk has yet, and one past
            the run's last piece.
        size: in the tree's unit.
        overlap: in the tree's unit.
        chunks: added to.

    Returns:
        The first two of `place` for the chunks that are left; the end of the run when none are.
    """
    sums = level.sums
    joiner = level.joiner_length
    room = size + joiner
    kept = overlap + joiner
    begin, end, last = place
    for _ in range(_CHUNKS_PER_CHECK):
        # Pieces begin…end-1 are kept from the last chunk; piece end joins them in any case.
        chunks.first.append(begin)
        end = bisect_right(sums, sums[begin] + room, end + 2, last + 1) - 1
        chunks.last.append(end)
        if end == last:
            break
        # A piece of no length stays even when there is no room left.
        least = max(sums[end] - kept, min(sums[end + 1] - room, sums[end] - joiner))
        begin = bisect_left(sums, least, begin, end)
    return begin, end
