"""Texts of like length put together, so that little of a batch is filling."""

from collections.abc import Iterator

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.protocol import IntArray


def batches(
    lengths: IntArray, places: int, most: int, cancel: CancelToken | None = None
) -> Iterator[IntArray]:
    """Rows in batches, the longest first; every row stands in one of them.

    Args:
        lengths: tokens of each row, shape (n,).
        places: most places of a batch, filling included; a longer row stands alone.
        most: most rows of a batch.
        cancel: looked at before each batch.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    order = np.argsort(-lengths, kind="stable")
    begin = 0
    while begin < len(order):
        if cancel is not None:
            cancel.check()
        longest = max(1, int(lengths[order[begin]]))
        end = min(len(order), begin + max(1, min(most, places // longest)))
        yield order[begin:end]
        begin = end
