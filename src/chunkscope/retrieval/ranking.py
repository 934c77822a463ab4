"""Ranks out of scores: stable, with a stated rule for ties, and without a full sort."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from chunkscope.retrieval.protocol import Matches, ScoreBlock
from chunkscope.splitting.chunks import IntArray

FloatArray = npt.NDArray[np.float64]
Ties = Literal["earlier", "later"]


_GROUPS = 64


def _contenders(scores: FloatArray, k: int) -> IntArray:
    """Places, ascending, of every score that is at least the k-th highest; 1 <= k < len.

    A few lower ones may be among them. The k-th highest of the maxima of disjoint groups is
    never above the k-th highest score, and leaves little to be sorted.
    """
    groups = max(_GROUPS, 4 * k)
    members = len(scores) // groups
    if members < 4:
        return np.arange(len(scores))
    maxima = scores[: members * groups].reshape(members, groups).max(axis=0)
    return np.flatnonzero(scores >= np.partition(maxima, groups - k)[groups - k])


def rank_matches(matches: Matches, k: int, ties: Ties) -> tuple[IntArray, FloatArray]:
    """The first k chunks and their scores, highest first; all of them when fewer match."""
    chunks, scores = matches.chunks, matches.scores
    if k <= 0:
        return chunks[:0], scores[:0]
    if k < len(chunks):
        kept = _contenders(scores, k)
        chunks, scores = chunks[kept], scores[kept]
    if ties == "later":
        chunks, scores = chunks[::-1], scores[::-1]
    order = np.argsort(-scores, kind="stable")[:k]
    return chunks[order], scores[order]


def rank_block(
    block: ScoreBlock, k: int, ties: Ties, rows: IntArray | None = None
) -> tuple[IntArray, FloatArray, IntArray]:
    """`rank_matches` of many questions at once.

    Args:
        block: their scores.
        k: how many chunks, at least 1.
        ties: `earlier` or `later`.
        rows: rows of the block to rank; None: all.

    Returns:
        Chunks in ranked order (-1 past the end), their scores (NaN past the end), each
        (rows, w) with w <= k, and how many there are, (rows,).
    """
    scores, shared = block.scores, block.shared
    if rows is not None:
        scores, shared = scores[rows], None if shared is None else shared[rows]
    if shared is not None and not shared.all():
        scores = np.where(shared, scores, -np.inf)
    count, size = scores.shape
    least = np.full(count, _LEAST_MATCH if shared is None else _LEAST)
    if k < size:
        least = np.maximum(least, _least_contenders(scores, k))
    place = np.flatnonzero(scores >= least[:, None])
    row, chunk = np.divmod(place, max(1, size))
    counts = np.bincount(row, minlength=count)
    number = np.arange(len(row)) - (np.cumsum(counts) - counts)[row]
    if ties == "later":
        number = counts[row] - 1 - number
    width = int(counts.max(initial=0))
    chunks = np.full((count, width), -1, np.int64)
    values = np.full((count, width), np.nan)
    chunks[row, number] = chunk
    values[row, number] = scores.ravel()[place]
    # Sorting puts NaN last.
    order = np.argsort(-values, axis=1, kind="stable")[:, :k]
    return (
        np.take_along_axis(chunks, order, axis=1),
        np.take_along_axis(values, order, axis=1),
        np.minimum(counts, min(k, size)),
    )


_LEAST_MATCH = np.nextafter(0.0, 1.0)
_LEAST = np.finfo(np.float64).min


def _least_contenders(scores: FloatArray, k: int) -> FloatArray:
    """For each row a score that at least k reach, few more than k; as `_contenders` has it."""
    count, size = scores.shape
    groups = max(_GROUPS, 4 * k)
    members = size // groups
    if members < 4:
        return np.partition(scores, size - k, axis=1)[:, size - k]
    maxima = scores[:, : members * groups].reshape(count, members, groups).max(axis=1)
    return np.partition(maxima, groups - k, axis=1)[:, groups - k]


def rank_of(matches: Matches, chunk_numbers: Sequence[int], ties: Ties) -> list[int | None]:
    """Rank, from 1, of each given chunk in the full ranking; None where it does not match."""
    chunks, scores = matches.chunks, matches.scores
    ranks: list[int | None] = []
    for number, place in zip(
        chunk_numbers, np.searchsorted(chunks, chunk_numbers).tolist(), strict=True
    ):
        if place >= len(chunks) or chunks[place] != number:
            ranks.append(None)
            continue
        score = scores[place]
        rivals = scores[:place] if ties == "earlier" else scores[place + 1 :]
        ahead = np.count_nonzero(scores > score) + np.count_nonzero(rivals == score)
        ranks.append(int(ahead) + 1)
    return ranks


def tie_at_cutoff(matches: Matches, k: int) -> tuple[IntArray, IntArray]:
    """Chunks surely within the first k, and those that tie for the places left.

    The second is empty when no tie crosses the cut-off. Both ascend.
    """
    chunks, scores = matches.chunks, matches.scores
    if k >= len(chunks):
        return chunks, chunks[:0]
    if k <= 0:
        return chunks[:0], chunks[:0]
    cutoff = np.sort(scores[_contenders(scores, k)])[-k]
    within = scores >= cutoff
    if np.count_nonzero(within) == k:
        return chunks[within], chunks[:0]
    return chunks[scores > cutoff], chunks[scores == cutoff]
