"""The terms of every chunk of one chunk set, out of the positions of the whole text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.foundwords import (
    NO_EXTRAS,
    Extras,
    interned,
    made_into_terms,
    numbered,
    prefix_apart,
    words_of_chunks,
)
from chunkscope.retrieval.postings import (
    NarrowArray,
    Postings,
    WordHolders,
    counted,
    expanded,
    never_falls,
    stable_order,
)
from chunkscope.splitting.chunks import ChunkSet, IntArray

if TYPE_CHECKING:
    from chunkscope.retrieval.index import WordIndex
    from chunkscope.retrieval.queries import Queries


class ChunkWords:
    """The terms of each chunk as indexed: its prefix's, then its own.

    They equal `terms_of(chunks.indexed_text(chunk), words, rule)`, but that U+FEFF at the start
    of a chunk's text is no part of a word behind a prefix either. A plain chunk's words are a
    range of the text's words, and at most two fragments: what is left of a stretch that one of
    the chunk's ends cuts. An altered chunk is tokenised from its own text.

    Attributes:
        chunks: the chunk set.
        found: where the terms come from.
        lengths: terms of each chunk, prefix counted, shape (n,).
        prefix_lengths: terms of each chunk's prefix, shape (n,).
    """

    def __init__(
        self, index: WordIndex, chunks: ChunkSet, cancel: CancelToken | None = None
    ) -> None:
        """Count the terms of each chunk.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        self.chunks = chunks
        self._index = index
        # Held, for what counts words rather than terms asks for them next.
        self._plain: ChunkWords | None = None
        if index.text_terms is None:
            self.found = words_of_chunks(index.text, chunks, cancel)
        else:
            self._plain = index.plain.chunk_words(chunks, cancel)
            self.found = made_into_terms(
                self._plain.found, index.text_terms, chunks, index.text.rule
            )
        # Terms that stand nowhere in the whole text: fragments, prefixes, altered text.
        self._own = self.found.own
        self._low, self._high = self.found.low, self.found.high
        self._before_chunks, self._before_terms = self.found.before
        self._after_chunks, self._after_terms = self.found.after
        self.prefix_lengths = self.found.prefix_lengths
        size = len(chunks)
        self._before_first = np.searchsorted(self._before_chunks, np.arange(size + 1))
        self._after_first = np.searchsorted(self._after_chunks, np.arange(size + 1))
        beside = np.diff(self._before_first) + np.diff(self._after_first)
        self.lengths: IntArray = beside + (self._high - self._low)

    @property
    def term_count(self) -> int:
        """Every term number is below it."""
        return len(self._index.vocabulary) + len(self._own)

    def number(self, term: str) -> int:
        """The term's number, or -1: no chunk nor the text outside of them holds it."""
        number = self._index.vocabulary.get(term)
        return self._own.get(term, -1) if number is None else number

    def numbers(self, terms: Iterable[str]) -> list[int]:
        """The numbers of terms, as `number`."""
        return numbered(terms, self._index.vocabulary, self._own)

    def resolved(self, queries: Queries) -> IntArray:
        """Number of each term of the queries, -1 where no chunk holds it: (terms,)."""
        terms = queries.terms
        if self._own and queries.unknown:
            own = self._own.get
            terms = terms.copy()
            terms[queries.places] = [own(word, -1) for word in queries.unknown]
        return terms

    def own_words(self, chunks: IntArray) -> tuple[IntArray, IntArray]:
        """Terms of the chunks' own texts in any order, and which of `chunks` each is of."""
        if self.chunks.prefixes:
            parts = [self.terms(chunk, prefix=False) for chunk in chunks.tolist()]
            owner = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
            return np.concatenate([np.zeros(0, np.int64), *parts]), owner
        found = [
            (words[place], owner)
            for words, first, last in (
                (self._index.terms, self._low, self._high),
                (self._before_terms, self._before_first[:-1], self._before_first[1:]),
                (self._after_terms, self._after_first[:-1], self._after_first[1:]),
            )
            if len(words)
            for owner, place in [expanded(first[chunks], last[chunks])]
        ]
        none = np.zeros(0, np.int64)
        return (
            np.concatenate([none, *(words for words, _ in found)]),
            np.concatenate([none, *(owner for _, owner in found)]),
        )

    def terms(self, chunk: int, *, prefix: bool = True) -> IntArray:
        """Numbers of the chunk's terms in order; without `prefix` those of its own text."""
        low, high = self._before_first[chunk : chunk + 2]
        at, end = self._after_first[chunk : chunk + 2]
        whole = self._index.terms[self._low[chunk] : self._high[chunk]]
        parts = (self._before_terms[low:high], whole, self._after_terms[at:end])
        words = np.concatenate(parts, dtype=np.int64)
        if prefix or chunk not in self.chunks.prefixes:
            return words
        if prefix_apart(self._index.text.rule):
            return words[self.prefix_lengths[chunk] :]
        own = self._index.terms_of(self.chunks.text(chunk))
        return np.array(interned(own, self._index.vocabulary, self._own), dtype=np.int64)

    def standing(self, terms: Iterable[str], chunks: Iterable[int]) -> int:
        """How many of `terms`, repeats counted, stand in the own text of some chunk."""
        held: set[int] = set()
        for chunk in chunks:
            held.update(self.terms(chunk, prefix=False).tolist())
        return sum(number in held for number in self.numbers(terms))

    def postings(self, terms: IntArray) -> Postings:
        """The chunks that hold these terms (numbers, ascending, none twice)."""
        slot = np.full(self.term_count, -1, dtype=np.int32)
        slot[terms] = np.arange(len(terms))
        cut = (
            _ascending(slot[words], chunks, len(self.chunks))
            for chunks, words in (
                (self._before_chunks, self._before_terms),
                (self._after_chunks, self._after_terms),
            )
        )
        return counted(terms, chain(cut, self._whole_words(terms, slot)), len(self.chunks))

    def _whole_words(self, terms: IntArray, slot: NarrowArray) -> Iterator[IntArray]:
        """Keys slot · chunks + chunk of the words that the chunks hold whole, in runs."""
        size = len(self.chunks)
        if self._holders is None:
            stream, chunks = self._whole_stream()
            yield _ascending(slot[stream], chunks, size)
            return
        places = self._index.occurrences(terms)
        for held, chunk in self._holders.pairs(places.positions):
            keys = places.slots[held].astype(np.int64)
            keys *= size
            keys += self._holding[chunk]
            yield keys

    def all_postings(self) -> Postings:
        """The chunks that hold each term there is; terms that no chunk holds have none."""
        return self.postings(np.arange(self.term_count))

    def document_frequencies(self) -> IntArray:
        """Chunks that hold each term there is, shape (terms,)."""
        if self._holders is None:
            return self.all_postings().document_frequencies
        index, low = self._index, self._low[self._holding].astype(np.int32)
        found = np.zeros(self.term_count, dtype=np.int64)
        for held, chunk in self._holders.pairs():
            # The first of its term in the chunk: the one before it stands before the chunk.
            fresh = index.places.previous[held] < low[chunk]
            found += np.bincount(index.terms[held][fresh], minlength=len(found))
        chunks = np.concatenate((self._before_chunks, self._after_chunks))
        terms = np.concatenate((self._before_terms, self._after_terms))
        size = max(1, len(self.chunks))
        keys = np.sort(terms * size + chunks)
        keys = keys[np.diff(keys, prepend=-1) > 0]
        terms, chunks = np.divmod(keys, size)
        apart = ~index.places.within(terms, self._low[chunks], self._high[chunks])
        found += np.bincount(terms[apart], minlength=len(found))
        return found

    def first_appearances(self) -> IntArray:
        """Where each term first stands in `stream`, or the stream's length: shape (terms,)."""
        offsets = np.cumsum(self.lengths) - self.lengths
        found = np.full(self.term_count, int(self.lengths.sum()), dtype=np.int64)
        if self._holders is None:
            stream, _ = self.stream()
            found[stream[::-1]] = np.arange(len(stream))[::-1]
            return found
        at = self._holders.earliest(self._index.places)
        held = np.flatnonzero(at >= 0)
        at = at[held]
        chunk = self._holding[self._holders.first[at]]
        befores = np.diff(self._before_first)
        found[held] = at + (offsets + befores - self._low)[chunk]
        rank = np.arange(len(self._before_terms)) - self._before_first[self._before_chunks]
        np.minimum.at(found, self._before_terms, offsets[self._before_chunks] + rank)
        last = (offsets + self.lengths - 1)[self._after_chunks]
        np.minimum.at(found, self._after_terms, last)
        return found

    def stream(self) -> tuple[NarrowArray, NarrowArray]:
        """Every word of every chunk, chunk by chunk, in order: term and chunk, each (words,)."""
        before = (self._before_chunks, self._before_terms)
        after = (self._after_chunks, self._after_terms)
        return _stream(self._index.terms, (self._low, self._high), before, after)

    def _whole_stream(self) -> tuple[NarrowArray, NarrowArray]:
        """As `stream`, of the words that the chunks hold whole only."""
        return _stream(self._index.terms, (self._low, self._high), NO_EXTRAS, NO_EXTRAS)

    @cached_property
    def _holding(self) -> NarrowArray:
        """Chunks that hold whole words of the text, ascending."""
        return np.flatnonzero(self._high > self._low).astype(np.int32)

    @cached_property
    def _holders(self) -> WordHolders | None:
        """Which of `_holding` hold each word of the text; None where chunks go back."""
        low, high = self._low[self._holding], self._high[self._holding]
        if not never_falls(low, high):
            return None
        return WordHolders(low, high, len(self._index.terms))


def _stream(
    words: NarrowArray,
    whole: tuple[IntArray, IntArray],
    before: Extras,
    after: Extras,
) -> tuple[NarrowArray, NarrowArray]:
    """Words of all chunks in order, and their chunks.

    Args:
        words: the words of the whole text, in order.
        whole: the range `[low, high)` of `words` that each chunk holds.
        before: words that stand before that range in their chunk.
        after: words behind it, at most one a chunk.
    """
    low, high = whole
    size = len(low)
    befores = np.bincount(before[0], minlength=size)
    lengths = befores + (high - low)
    lengths[after[0]] += 1
    offsets = np.cumsum(lengths) - lengths
    chunks = np.repeat(np.arange(size, dtype=np.int32), lengths)
    # Where the word at each place of the stream would stand in `words`; wrong for the words
    # beside the ranges, which are put in their places afterwards.
    source = (low - offsets - befores)[chunks]
    source += np.arange(len(chunks))
    stream = words.take(source, mode="clip") if len(words) else np.zeros(len(chunks), np.int32)
    rank = np.arange(len(before[0])) - (np.cumsum(befores) - befores)[before[0]]
    stream[offsets[before[0]] + rank] = before[1]
    stream[(offsets + lengths - 1)[after[0]]] = after[1]
    return stream, chunks


def _ascending(slots: NarrowArray, chunks: IntArray | NarrowArray, size: int) -> IntArray:
    """Keys slot · size + chunk of words in the order of their chunks; slot -1 is left out."""
    wanted = slots >= 0
    slots, chunks = slots[wanted], chunks[wanted]
    order = stable_order(slots, int(slots.max(initial=0)) + 1)
    return slots[order].astype(np.int64) * size + chunks[order]
