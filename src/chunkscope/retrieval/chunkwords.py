"""The words of every chunk of one chunk set, out of the positions of the whole text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.retrieval.words import parse_rule, tokenise
from chunkscope.splitting.chunks import BoolArray, ChunkSet, IntArray

if TYPE_CHECKING:
    from chunkscope.retrieval.index import WordIndex


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
    counts: IntArray

    @property
    def document_frequencies(self) -> IntArray:
        """Chunks that hold each term, shape (t,)."""
        return np.diff(self.first)

    @property
    def slots(self) -> IntArray:
        """Index into `terms` of each posting, shape (p,)."""
        return np.repeat(np.arange(len(self.terms)), np.diff(self.first))


class ChunkWords:
    """The words of each chunk as indexed: its prefix's, then its own.

    They equal `tokenise(chunks.indexed_text(chunk), rule)`, but that U+FEFF at the start of a
    chunk's text is no part of a word behind a prefix either. A plain chunk's words are a range
    of the index's words, and at most two fragments: what is left of a stretch that one of the
    chunk's ends cuts. An altered chunk is tokenised from its own text.

    Attributes:
        chunks: the chunk set.
        lengths: words of each chunk, prefix counted, shape (n,).
        prefix_lengths: words of each chunk's prefix, shape (n,).
    """

    def __init__(self, index: WordIndex, chunks: ChunkSet) -> None:
        """Count the words of each chunk."""
        self.chunks = chunks
        self._index = index
        self._rule = parse_rule(index.rule)
        # Terms that stand nowhere in the whole text: fragments, prefixes, altered text.
        self._own: dict[str, int] = {}
        size = len(chunks)
        self._low = np.zeros(size, dtype=np.int64)
        self._high = np.zeros(size, dtype=np.int64)
        self.prefix_lengths: IntArray = np.zeros(size, dtype=np.int64)
        alone = self._tokenised_alone()
        before = [self._prefix_words(), self._words_of(alone)]
        after = _NONE
        if index.local and index.stretch_starts.size and size:
            left, after = self._cut_from_text(alone)
            before.append(left)
        joined_chunks = np.concatenate([chunk for chunk, _ in before])
        order = np.argsort(joined_chunks, kind="stable")
        self._before_chunks: IntArray = joined_chunks[order]
        self._before_terms: IntArray = np.concatenate([terms for _, terms in before])[order]
        self._after_chunks, self._after_terms = after
        self._befores: IntArray = np.bincount(self._before_chunks, minlength=size)
        afters = np.bincount(self._after_chunks, minlength=size)
        self.lengths: IntArray = self._befores + (self._high - self._low) + afters

    @property
    def term_count(self) -> int:
        """Every term number is below it."""
        return len(self._index.vocabulary) + len(self._own)

    def number(self, word: str) -> int:
        """The word's term number, or -1: no chunk nor the text outside of them holds it."""
        number = self._index.vocabulary.get(word)
        return self._own.get(word, -1) if number is None else number

    def numbers(self, words: Iterable[str]) -> list[int]:
        """The words' term numbers, as `number`."""
        return [self.number(word) for word in words]

    def terms(self, chunk: int, *, prefix: bool = True) -> IntArray:
        """Term numbers of the chunk's words in order; without `prefix` those of its own text."""
        low, high = np.searchsorted(self._before_chunks, (chunk, chunk + 1))
        at, end = np.searchsorted(self._after_chunks, (chunk, chunk + 1))
        whole = self._index.terms[self._low[chunk] : self._high[chunk]]
        parts = (self._before_terms[low:high], whole, self._after_terms[at:end])
        words = np.concatenate(parts, dtype=np.int64)
        if prefix or chunk not in self.chunks.prefixes:
            return words
        if self._prefix_apart:
            return words[self.prefix_lengths[chunk] :]
        return np.array(self.numbers(tokenise(self.chunks.text(chunk), self._rule.rule)), np.int64)

    def standing(self, words: Iterable[str], chunks: Iterable[int]) -> int:
        """How many of `words`, repeats counted, stand whole in the own text of some chunk."""
        held: set[int] = set()
        for chunk in chunks:
            held.update(self.terms(chunk, prefix=False).tolist())
        return sum(number in held for number in self.numbers(words))

    def postings(self, terms: IntArray) -> Postings:
        """The chunks that hold these terms (numbers, ascending, none twice)."""
        slot = np.full(self.term_count, -1, dtype=np.int64)
        slot[terms] = np.arange(len(terms))
        slots = slot[self._index.terms]
        wanted = slots >= 0
        passed = np.concatenate([np.zeros(1, np.int64), np.cumsum(wanted)])
        chunk, place = _expanded(passed[self._low], passed[self._high])
        flat_slots = [slots[wanted][place]]
        flat_chunks = [chunk]
        for extra_chunks, extra_terms in (
            (self._before_chunks, self._before_terms),
            (self._after_chunks, self._after_terms),
        ):
            extra = slot[extra_terms]
            flat_slots.append(extra[extra >= 0])
            flat_chunks.append(extra_chunks[extra >= 0])
        return self._counted(terms, np.concatenate(flat_slots), np.concatenate(flat_chunks))

    @cached_property
    def all_postings(self) -> Postings:
        """The chunks that hold each term there is; terms that no chunk holds have none."""
        terms, chunks = self.stream
        return self._counted(np.arange(self.term_count), terms, chunks)

    @cached_property
    def stream(self) -> tuple[IntArray, IntArray]:
        """Every word of every chunk, chunk by chunk, in order: term and chunk, each (words,)."""
        offsets = np.cumsum(self.lengths) - self.lengths
        terms = np.zeros(int(self.lengths.sum()), dtype=np.int64)
        chunk, place = _expanded(self._low, self._high)
        whole = offsets + self._befores
        terms[whole[chunk] + (place - self._low[chunk])] = self._index.terms[place]
        behind = np.cumsum(self._befores) - self._befores
        rank = np.arange(len(self._before_chunks)) - behind[self._before_chunks]
        terms[offsets[self._before_chunks] + rank] = self._before_terms
        last = (offsets + self.lengths - 1)[self._after_chunks]
        terms[last] = self._after_terms
        return terms, np.repeat(np.arange(len(self.lengths)), self.lengths)

    def _counted(self, terms: IntArray, slots: IntArray, chunks: IntArray) -> Postings:
        size = max(len(self.chunks), 1)
        keys = np.sort(slots * size + chunks)
        fresh = np.ones(len(keys), dtype=np.bool_)
        np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
        at = np.flatnonzero(fresh)
        counts = np.diff(at, append=len(keys))
        keys = keys[at]
        first = np.searchsorted(keys, np.arange(len(terms) + 1) * size)
        held = keys - np.repeat(np.arange(len(terms)) * size, np.diff(first))
        return Postings(terms, first, held, counts)

    @cached_property
    def _prefix_apart(self) -> bool:
        """Whether no word can reach over the line end between prefix and text."""
        return self._rule.atom is not None and self._rule.atom.match("\n") is None

    def _tokenised_alone(self) -> BoolArray:
        """Which chunks are tokenised from their own text."""
        alone = np.full(len(self.chunks), not self._index.local)
        for position, cuts in enumerate(self.chunks.cuts):
            if cuts.altered:
                numbers = np.fromiter(cuts.altered, np.int64, len(cuts.altered))
                alone[numbers + int(self.chunks.first[position])] = True
        if not self._prefix_apart:
            alone[[chunk for chunk, prefix in self.chunks.prefixes.items() if prefix]] = True
        return alone

    def _prefix_words(self) -> _Extras:
        known: dict[str, list[str]] = {}
        collected = _Collector()
        for chunk, prefix in self.chunks.prefixes.items():
            if prefix not in known:
                known[prefix] = tokenise(prefix, self._rule.rule)
            self.prefix_lengths[chunk] = len(known[prefix])
            if self._prefix_apart:
                collected.add(chunk, self._intern(known[prefix]))
        return collected.arrays()

    def _words_of(self, alone: BoolArray) -> _Extras:
        collected = _Collector()
        for chunk in np.flatnonzero(alone).tolist():
            text = self.chunks.text(chunk)
            prefix = self.chunks.prefixes.get(chunk)
            if prefix and not self._prefix_apart:
                own = text.removeprefix("\ufeff")
                text = f"{prefix}\n{own}"
            collected.add(chunk, self._intern(tokenise(text, self._rule.rule)))
        return collected.arrays()

    def _cut_from_text(self, alone: BoolArray) -> tuple[_Extras, _Extras]:
        """Ranges of whole words of the other chunks; fragments at their starts and ends."""
        index = self._index
        starts, ends = index.place(self.chunks)
        ends = np.maximum(starts, ends)
        plain = ~alone
        low = np.searchsorted(index.starts, starts.astype(index.starts.dtype))
        high = np.searchsorted(index.ends, ends.astype(index.ends.dtype), side="right")
        self._low = np.where(plain, low, 0)
        self._high = np.where(plain, np.maximum(low, high), 0)
        # The last stretch that begins before each end of the chunk, cut where it goes beyond.
        at_start = np.searchsorted(index.stretch_starts, starts.astype(index.starts.dtype)) - 1
        at_end = np.searchsorted(index.stretch_starts, ends.astype(index.starts.dtype)) - 1
        cut_start = plain & (at_start >= 0) & (index.stretch_ends[at_start] > starts)
        cut_end = plain & (at_end >= 0) & (index.stretch_ends[at_end] > ends)
        cut_end &= ~(cut_start & (at_start == at_end))
        left_ends = np.minimum(index.stretch_ends[at_start], ends)
        right_starts = np.maximum(index.stretch_starts[at_end], starts)
        return (
            self._fragments(cut_start, starts, left_ends, index.bigrams[at_start]),
            self._fragments(cut_end, right_starts, ends, index.bigrams[at_end]),
        )

    def _fragments(
        self, cut: BoolArray, starts: IntArray, ends: IntArray, bigrams: BoolArray
    ) -> _Extras:
        lengths = ends - starts
        # Two or more characters of a bigram stretch: their bigrams are whole words already.
        cut = cut & (lengths >= self._rule.least) & (~bigrams | (lengths == 1))
        chunks = np.flatnonzero(cut)
        words = [
            self._index.text(document, start, end)
            for document, start, end in zip(
                self.chunks.documents[chunks].tolist(),
                starts[chunks].tolist(),
                ends[chunks].tolist(),
                strict=True,
            )
        ]
        return chunks, np.array(self._intern(words), dtype=np.int64)

    def _intern(self, words: Sequence[str]) -> list[int]:
        numbers: list[int] = []
        for word in words:
            number = self.number(word)
            if number < 0:
                number = self.term_count
                self._own[word] = number
            numbers.append(number)
        return numbers


_Extras = tuple[IntArray, IntArray]
"""Words beside the ranges of the index: chunk (ascending) and term of each."""

_NONE: _Extras = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


class _Collector:
    def __init__(self) -> None:
        self._chunks: list[int] = []
        self._terms: list[int] = []

    def add(self, chunk: int, terms: Sequence[int]) -> None:
        self._chunks.extend([chunk] * len(terms))
        self._terms.extend(terms)

    def arrays(self) -> _Extras:
        chunks = np.array(self._chunks, dtype=np.int64)
        order = np.argsort(chunks, kind="stable")
        return chunks[order], np.array(self._terms, dtype=np.int64)[order]


def _expanded(low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
    """Every place of the ranges `[low, high)`: number of its range, and the place itself."""
    lengths = high - low
    ranges = np.repeat(np.arange(len(low)), lengths)
    shift = low - (np.cumsum(lengths) - lengths)
    return ranges, np.arange(len(ranges)) + shift[ranges]
