"""Sentences grouped so that those of a chunk are as alike as can be, up to a size.

The objective is that of Chroma's ClusterSemanticChunker: the sum, over every two sentences of a
chunk, of how much more alike they are than two sentences of the text are on average. It takes
sentences where Chroma takes pieces of 50 tokens.
"""

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.splitting.chunks import IntArray

MOST_SENTENCES = 512
"""Sentences that a chunk holds at most: what keeps time linear in the text."""

_SENTENCES_PER_CHECK = 1 << 9


def mean_likeness(vectors: npt.NDArray[np.float64]) -> float:
    """Mean cosine of every two rows of unit length, in time linear in the rows."""
    count = len(vectors)
    if count < 2:
        return 0.0
    total = vectors.sum(axis=0)
    own = float(np.einsum("ij,ij->", vectors, vectors))
    return (float(total @ total) - own) / (count * (count - 1))


def cluster_starts(
    vectors: npt.NDArray[np.float64],
    lengths: IntArray,
    size: int,
    cancel: CancelToken | None = None,
) -> IntArray:
    """Numbers of the sentences with which clusters begin, ascending, 0 first.

    Of clusters no longer than `size`, by dynamic programming those with the largest sum; of
    equal ones the shorter last cluster. A sentence that alone is longer stands alone.

    Args:
        vectors: of the sentences, at unit length, shape (n, d).
        lengths: of the sentences, shape (n,).
        size: largest sum of lengths.
        cancel: looked at between sentences.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    count = len(vectors)
    sums = np.append(0, np.cumsum(lengths))
    lowest = np.searchsorted(sums, sums[1:] - size)
    lowest = np.maximum(lowest, np.arange(count) + 1 - MOST_SENTENCES)
    lowest = np.minimum(lowest, np.arange(count)).tolist()
    mean = mean_likeness(vectors)
    best = np.zeros(count + 1)
    begins = [0] * (count + 1)
    # The sum of the cluster that begins with each sentence from `low` on and ends here.
    inside = np.zeros(0)
    low = 0
    for last in range(count):
        if cancel is not None and last % _SENTENCES_PER_CHECK == 0:
            cancel.check()
        inside = inside[lowest[last] - low :]
        low = lowest[last]
        likeness = vectors[low:last] @ vectors[last] - mean
        inside = np.append(inside + 2 * np.cumsum(likeness[::-1])[::-1], 0.0)
        totals = best[low : last + 1] + inside
        begin = last - int(np.argmax(totals[::-1]))
        begins[last + 1], best[last + 1] = begin, totals[begin - low]
    starts = []
    end = count
    while end > 0:
        end = begins[end]
        starts.append(end)
    return np.array(starts[::-1], dtype=np.int64)
