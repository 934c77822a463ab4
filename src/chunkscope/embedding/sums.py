"""Exact sums of token vectors over ranges of a long row of tokens."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from chunkscope.embedding.lexicon import expanded
from chunkscope.embedding.protocol import IntArray

FloatArray = npt.NDArray[np.float64]

TABLE_BYTES = 1 << 27
"""What the kept prefixes of a row of tokens take at most."""

_LEAST_STEP = 8
_TOKENS_AT_ONCE = 1 << 14
_RANGES_AT_ONCE = 1 << 10
_LISTS_AT_ONCE = 1024
"""Lists whose sums a processor's cache holds."""

_MANY = 64
"""Tokens from which on a list is counted by number instead of added one by one."""


class Rows(Protocol):
    """Token vectors, float32 or float16, wherever they are kept."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many there are, and their length."""
        ...

    def __getitem__(self, rows: npt.NDArray[np.integer[Any]], /) -> npt.NDArray[Any]:
        """Some of them, (n, d)."""
        ...


class TokenSums:
    """Prefix sums of the vectors of a row of tokens.

    Vectors are multiples of 2⁻²⁴ (as float16 holds them), so sums below 2²⁹ are exact in
    float64: a difference of two prefix sums is the sum itself, to the last bit and in any order.
    Every `step`-th prefix is kept; the few tokens between a range's ends and the nearest kept
    ones are added or taken away.

    Attributes:
        step: tokens from one kept prefix to the next.
    """

    def __init__(self, vectors: Rows, tokens: IntArray, table_bytes: int = TABLE_BYTES) -> None:
        """The sums over `tokens`, numbers of rows of `vectors` (vocabulary, dimensions).

        Kept prefixes take `table_bytes` at most; the fewer, the more is added for each range.
        """
        self._vectors = vectors
        self._tokens = tokens.astype(np.int32)
        width = vectors.shape[1]
        self.step = _LEAST_STEP
        while len(tokens) // self.step * width * 8 > table_bytes:
            self.step *= 2
        kept = len(tokens) // self.step
        self._prefixes = np.zeros((kept + 1, width))
        at_once = max(1, _TOKENS_AT_ONCE // self.step)
        for begin in range(0, kept, at_once):
            end = min(kept, begin + at_once)
            part = vectors[self._tokens[begin * self.step : end * self.step]]
            part.reshape(end - begin, self.step, width).sum(
                axis=1, dtype=np.float64, out=self._prefixes[begin + 1 : end + 1]
            )
        np.cumsum(self._prefixes, axis=0, out=self._prefixes)

    def of_ranges(
        self, first: IntArray, last: IntArray, extra: IntArray, extra_counts: IntArray
    ) -> FloatArray:
        """Sums over the tokens `first … last - 1` of each range, and further ones.

        Args:
            first: first token of each range, shape (n,).
            last: one past its last, shape (n,).
            extra: further tokens of the ranges, one after another.
            extra_counts: how many of them each range has, shape (n,).
        """
        sums = np.empty((len(first), self._vectors.shape[1]))
        bounds = np.append(0, np.cumsum(extra_counts))
        for begin in range(0, len(first), _RANGES_AT_ONCE):
            part = slice(begin, min(len(first), begin + _RANGES_AT_ONCE))
            own = extra[bounds[part.start] : bounds[part.stop]]
            self._sum(sums[part], first[part], last[part], own, extra_counts[part])
        return sums

    def _sum(
        self,
        sums: FloatArray,
        first: IntArray,
        last: IntArray,
        extra: IntArray,
        extra_counts: IntArray,
    ) -> None:
        """Set `sums` to those of some ranges."""
        most = len(self._prefixes) - 1
        low = np.minimum((first + self.step // 2) // self.step, most)
        high = np.minimum((last + self.step // 2) // self.step, most)
        np.take(self._prefixes, high, axis=0, out=sums, mode="clip")
        sums -= self._prefixes[low]
        low *= self.step
        high *= self.step
        added = [(first, low), (high, last)]
        taken = [(low, first), (last, high)]
        self._add(sums, *self._lists(added, extra, extra_counts))
        none = np.zeros(0, dtype=np.int64)
        self._add(sums, *self._lists(taken, none, np.zeros_like(extra_counts)), sign=-1.0)

    def _lists(
        self, ranges: list[tuple[IntArray, IntArray]], extra: IntArray, extra_counts: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Tokens of each sum one after another, and how many; a range that runs back is empty."""
        owner = [np.repeat(np.arange(len(extra_counts)), extra_counts)]
        tokens = [extra]
        for start, end in ranges:
            counts = np.maximum(end - start, 0)
            owner.append(np.repeat(np.arange(len(counts)), counts))
            tokens.append(self._tokens[expanded(start, counts)].astype(np.int64))
        owners = np.concatenate(owner)
        order = np.argsort(owners, kind="stable")
        counts = np.bincount(owners, minlength=len(extra_counts))
        return np.concatenate(tokens)[order], counts

    def _add(
        self, sums: FloatArray, tokens: IntArray, counts: IntArray, *, sign: float = 1.0
    ) -> None:
        add_lists(self._vectors, sums, tokens, counts, sign=sign)


def add_lists(
    vectors: Rows,
    sums: FloatArray,
    tokens: IntArray,
    counts: IntArray,
    *,
    sign: float = 1.0,
) -> None:
    """Add the vectors of each list of tokens to its row of `sums`.

    Args:
        vectors: of the vocabulary, shape (vocabulary, dimensions).
        sums: changed in place, shape (n, dimensions).
        tokens: the lists, one after another.
        counts: the length of each, shape (n,).
        sign: 1 adds, −1 takes away.
    """
    first = np.cumsum(counts) - counts
    for row in np.flatnonzero(counts > _MANY).tolist():
        here = tokens[first[row] : first[row] + counts[row]]
        distinct, times = np.unique(here, return_counts=True)
        for begin in range(0, len(distinct), _TOKENS_AT_ONCE):
            part = slice(begin, begin + _TOKENS_AT_ONCE)
            sums[row] += sign * (times[part].astype(np.float64) @ vectors[distinct[part]])
    few = np.where(counts > _MANY, 0, counts)
    # The longest lists first, so that those that go on are always the first ones.
    order = np.argsort(-few, kind="stable")[: np.count_nonzero(few)]
    for begin in range(0, len(order), _LISTS_AT_ONCE):
        rows = order[begin : begin + _LISTS_AT_ONCE]
        starts, lengths = first[rows], few[rows]
        going = np.searchsorted(-lengths, -np.arange(int(lengths[0]))).tolist()
        own = np.zeros((len(rows), sums.shape[1]))
        for place, count in enumerate(going):
            own[:count] += vectors[tokens[starts[:count] + place]]
        if sign > 0:
            sums[rows] += own
        else:
            sums[rows] -= own
