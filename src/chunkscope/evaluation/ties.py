"""The recall a question could have had, where a tie crosses the cut-off."""

from collections.abc import Mapping, Sequence

import numpy as np

from chunkscope.evaluation.evidence import EvidenceTable
from chunkscope.evaluation.geometry import ChunkGeometry
from chunkscope.evaluation.metrics import FloatArray
from chunkscope.evaluation.rankings import Tie
from chunkscope.splitting.chunks import IntArray

_MOST_ITEMS = 12
"""Items over which every subset is tried; beyond it the range is bounded item by item."""


def recall_ranges(
    table: EvidenceTable,
    geometry: ChunkGeometry,
    ties: Mapping[int, Tie],
    recall: FloatArray,
    weights: IntArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest recall of each question over the orders of tied chunks.

    Args:
        table: the evidence.
        geometry: the chunk set.
        ties: by row, as the rankings carry them.
        recall: recall in the order used, shape (m,).
        weights: tokens of each chunk under a budget; None: every chunk weighs 1.
    """
    low, high = recall.copy(), recall.copy()
    if not ties:
        return low, high
    index, chunk = geometry.holding(table.low, table.high)
    item = table.place_item[index]
    row = table.item_question[item]
    for question, tie in ties.items():
        here = row == question
        holders: dict[int, set[int]] = {}
        for holding, held in zip(chunk[here].tolist(), item[here].tolist(), strict=True):
            holders.setdefault(holding, set()).add(held)
        sure = set().union(*(holders.get(number, set()) for number in tie.certain.tolist()))
        numbers = tie.tied.tolist()
        gains = [frozenset(holders.get(number, set()) - sure) for number in numbers]
        sizes = [1] * len(numbers) if weights is None else weights[tie.tied].tolist()
        fewest, most = gain_range(gains, sizes, tie.room)
        items = int(table.items_of[question])
        low[question] = (len(sure) + fewest) / items
        high[question] = (len(sure) + most) / items
    return low, high


def gain_range(
    gains: Sequence[frozenset[int]], weights: Sequence[int], room: int
) -> tuple[int, int]:
    """Fewest and most items that the tied chunks can add, over all their orders.

    Chunks are taken in order until the next would exceed `room`; their weights together exceed
    it. Exact up to `_MOST_ITEMS` items, else bounds.
    """
    items = sorted(set().union(*gains)) if gains else []
    if not items:
        return 0, 0
    if len(items) > _MOST_ITEMS:
        fitting = [gain for gain, weight in zip(gains, weights, strict=True) if weight <= room]
        return 0, len(set().union(*fitting)) if fitting else 0
    number = {item: position for position, item in enumerate(items)}
    masks = np.array([sum(1 << number[item] for item in gain) for gain in gains], np.int64)
    sizes = np.array(weights, np.int64)
    subsets = sorted(range(1 << len(items)), key=int.bit_count)
    return _fewest(masks, sizes, room, subsets), _most(masks, sizes, room)


def _fewest(masks: IntArray, sizes: IntArray, room: int, subsets: Sequence[int]) -> int:
    # An order can stay within the items of a subset when the chunks that add nothing beyond it
    # fill the room by themselves, or with one more chunk that no longer fits and ends the taking.
    for subset in subsets:
        within = (masks & ~subset) == 0
        filled = int(sizes[within].sum())
        stopper = int(sizes[~within].max(initial=0))
        if filled > room or filled + stopper > room:
            return subset.bit_count()
    return subsets[-1].bit_count()


def _most(masks: IntArray, sizes: IntArray, room: int) -> int:
    # Any set of chunks that fits can stand first in some order.
    lightest = {0: 0}
    for mask, size in zip(masks.tolist(), sizes.tolist(), strict=True):
        if not mask:
            continue
        for held, weight in list(lightest.items()):
            joined, total = held | mask, weight + size
            if total <= room and total < lightest.get(joined, room + 1):
                lightest[joined] = total
    return max(held.bit_count() for held in lightest)
