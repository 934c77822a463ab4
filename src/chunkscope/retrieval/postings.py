"""Which chunks hold which words: counted from where each term stands in the whole text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from chunkscope.splitting.chunks import BoolArray, IntArray

NarrowArray = npt.NDArray[np.int32]
"""Term and chunk numbers of every single word: many, so half as wide."""


@dataclass(frozen=True)
class Postings:
    """Which chunks hold a term, and how often.

    Attributes:
        terms: term numbers, ascending, shape (t,).
        first: where each term's chunks start, and their total last, shape (t + 1,).
        chunks: chunk numbers, ascending within a term, shape (p,).
        counts: times the term stands in the chunk, shape (p,).
    """

    terms: IntArray
    first: IntArray
    chunks: IntArray
    counts: NarrowArray

    @property
    def document_frequencies(self) -> IntArray:
        """Chunks that hold each term, shape (t,)."""
        return np.diff(self.first)

    @property
    def slots(self) -> NarrowArray:
        """Index into `terms` of each posting, shape (p,)."""
        return np.repeat(np.arange(len(self.terms), dtype=np.int32), np.diff(self.first))


@dataclass(frozen=True)
class Occurrences:
    """Places of some terms in the words of a whole text, term by term.

    Attributes:
        positions: index into the text's words, ascending within a term, shape (o,).
        slots: which of the terms each is of, ascending, shape (o,).
    """

    positions: NarrowArray
    slots: NarrowArray


class TermPlaces:
    """Where each term of a text stands, whatever its chunks."""

    def __init__(self, terms: NarrowArray, count: int) -> None:
        """Sort the words `terms` (numbers below `count`) by term; linear."""
        self._terms = terms
        self._order: NarrowArray = stable_order(terms, count).astype(np.int32)
        self._first = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(terms, minlength=count), out=self._first[1:])

    @cached_property
    def previous(self) -> NarrowArray:
        """For each word, the place of the same term before it, or -1: shape (w,)."""
        order = self._order
        sorted_terms = self._terms[order]
        found = np.full(len(order), -1, dtype=np.int32)
        again = sorted_terms[1:] == sorted_terms[:-1]
        found[order[1:][again]] = order[:-1][again]
        return found

    def within(self, terms: IntArray, low: IntArray, high: IntArray) -> BoolArray:
        """Whether each of `terms` stands among the words `[low, high)` beside it."""
        words = len(self._order)
        known = np.flatnonzero(terms < len(self._first) - 1)
        found = np.zeros(len(terms), dtype=np.bool_)
        if not (len(known) and words):
            return found
        keys = terms[known] * words
        at = np.searchsorted(self._keys, keys + low[known])
        nearest = self._keys[np.minimum(at, words - 1)]
        found[known] = (at < words) & (nearest < keys + high[known])
        return found

    @cached_property
    def earliest(self) -> IntArray:
        """The first place of each term, shape (terms,)."""
        return self._order[self._first[:-1]].astype(np.int64)

    @cached_property
    def _keys(self) -> IntArray:
        """Term · words + position of every word, ascending."""
        counts = np.diff(self._first)
        return np.repeat(np.arange(len(counts)) * len(self._order), counts) + self._order

    def of(self, terms: IntArray) -> Occurrences:
        """The places of these terms; numbers of no term of the text have none."""
        known = np.minimum(terms, len(self._first) - 1)
        first = self._first[known]
        counts = self._first[np.minimum(terms + 1, len(self._first) - 1)] - first
        slots = np.repeat(np.arange(len(terms), dtype=np.int32), counts)
        shift = (first - (np.cumsum(counts) - counts)).astype(np.int32)
        positions = self._order[shift[slots] + np.arange(len(slots), dtype=np.int32)]
        return Occurrences(positions, slots)


class WordHolders:
    """Which chunks hold each word of a text, for chunks whose ends never go back.

    Attributes:
        first: first chunk that ends behind each word, shape (w,).
        counts: chunks from there on that hold it, shape (w,).
        most: largest of `counts`.
    """

    def __init__(self, low: IntArray, high: IntArray, words: int) -> None:
        """Chunks hold the words `[low, high)`; neither ever falls, `low` is never above."""
        numbers = np.arange(len(low) + 1, dtype=np.int32)
        begun = np.repeat(numbers, np.diff(low, prepend=0, append=words))
        self.first: NarrowArray = np.repeat(numbers, np.diff(high, prepend=0, append=words))
        begun -= self.first
        self.most = int(begun.max(initial=0))
        # Chunks overlap a few times at most: one byte mostly holds how often.
        self.counts: npt.NDArray[np.integer] = begun.astype(np.min_scalar_type(self.most))

    def earliest(self, places: TermPlaces) -> IntArray:
        """The first place of each term that some chunk holds, or -1: shape (terms,)."""
        found = places.earliest.copy()
        if not len(self.counts):
            return found
        lost = np.flatnonzero(self.counts[found] == 0)
        rest = places.of(lost)
        held = self.counts[rest.positions] > 0
        found[lost] = -1
        # The last of repeated writes stays: the first place.
        found[lost[rest.slots[held]][::-1]] = rest.positions[held][::-1]
        return found

    def pairs(
        self, positions: NarrowArray | None = None
    ) -> Iterator[tuple[IntArray | slice, NarrowArray]]:
        """(indices into `positions`, chunk of each), every chunk that holds a word once.

        Indices ascend within each pair of arrays. Without `positions`: every word of the text.
        """
        first, counts = self.first, self.counts
        if positions is not None:
            first, counts = first[positions], counts[positions]
        if len(counts) and counts.min() > 0:
            yield slice(None), first
        else:
            held = np.flatnonzero(counts)
            yield held, first[held]
        for number in range(1, self.most):
            held = np.flatnonzero(counts > number)
            yield held, first[held] + np.int32(number)


def never_falls(low: IntArray, high: IntArray) -> bool:
    """Whether both ends of ranges ascend (or stay)."""
    return bool((low[1:] >= low[:-1]).all() and (high[1:] >= high[:-1]).all())


def counted(terms: IntArray, runs: Iterable[IntArray], size: int) -> Postings:
    """Postings out of a key (slot · size + chunk) for each word; each run of keys ascends."""
    keys = _merged(runs)
    fresh = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    counts = np.diff(np.flatnonzero(fresh), append=len(keys)).astype(np.int32)
    chunks = keys[fresh]
    # Many words, few terms: what is no longer needed makes room at once.
    del keys, fresh
    slots = (chunks // max(size, 1)).astype(np.int32)
    first = np.zeros(len(terms) + 1, dtype=np.int64)
    np.cumsum(np.bincount(slots, minlength=len(terms)), out=first[1:])
    chunks -= slots.astype(np.int64) * size
    return Postings(terms, first, chunks, counts)


def _merged(runs: Iterable[IntArray]) -> IntArray:
    filled = [run for run in runs if len(run)]
    if len(filled) == 1:
        return filled[0]
    keys = np.concatenate([np.zeros(0, np.int64), *filled])
    # numpy's stable sort of wide integers merges the runs that it finds.
    keys.sort(kind="stable")
    return keys


def expanded(first: IntArray, last: IntArray) -> tuple[IntArray, IntArray]:
    """Every number of the ranges `[first, last)`, behind the index of its range."""
    counts = last - first
    index = np.repeat(np.arange(len(first)), counts)
    numbers = (first - (np.cumsum(counts) - counts))[index]
    numbers += np.arange(len(index))
    return index, numbers


def stable_order(values: NarrowArray, limit: int) -> IntArray:
    """`argsort` of values in `[0, limit)`, equal ones in their order; linear.

    numpy sorts 16-bit integers by radix; wider ones go in two passes, low half first.
    """
    order = np.argsort((values & 0xFFFF).astype(np.uint16), kind="stable")
    if limit > 1 << 16:
        high = (values >> 16).astype(np.uint16)
        order = order[np.argsort(high[order], kind="stable")]
    return order
