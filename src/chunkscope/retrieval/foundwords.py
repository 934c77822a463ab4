"""Which words every chunk of a chunk set holds: ranges of the text's words, and what is beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.postings import NarrowArray
from chunkscope.retrieval.terms import TermMaker
from chunkscope.retrieval.textwords import TextWords
from chunkscope.retrieval.words import WordRule, tokenise
from chunkscope.splitting.chunks import BoolArray, ChunkSet, IntArray

Extras = tuple[IntArray, npt.NDArray[np.signedinteger]]
"""Words beside the ranges: chunk (ascending) and term of each."""

NO_EXTRAS: Extras = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


@dataclass(frozen=True)
class FoundWords:
    """The words of each chunk as indexed, in order: before, whole, after.

    Attributes:
        low: first word of the text that each chunk holds whole, shape (n,).
        high: one past the last, shape (n,).
        before: words that stand before those in their chunk: prefixes, fragments, altered text.
        after: words behind them, at most one a chunk.
        own: numbers of the terms that stand nowhere in the whole text.
        prefix_lengths: words of each chunk's prefix, shape (n,).
    """

    low: IntArray
    high: IntArray
    before: Extras
    after: Extras
    own: dict[str, int]
    prefix_lengths: IntArray


@dataclass(frozen=True)
class TextTerms:
    """The words of a text made into terms.

    Attributes:
        maker: made them.
        numbers: the number of every term, in order of first appearance.
        terms: the number of each word's term, stop words left out, shape (t,).
        of_words: the number of each distinct word's term, -1 for a stop word, shape (v,).
        kept_before: how many words before each word are no stop words, and of all last, shape
            (w + 1,); None where there are none.
    """

    maker: TermMaker
    numbers: dict[str, int]
    terms: NarrowArray
    of_words: NarrowArray
    kept_before: NarrowArray | None

    @staticmethod
    def of(words: NarrowArray, numbers: Mapping[str, int], maker: TermMaker) -> TextTerms:
        """The terms of the words with these numbers."""
        found: dict[str, int] = {}
        made = (
            -1 if term is None else found.setdefault(term, len(found))
            for term in maker.terms(list(numbers))
        )
        of_words = np.fromiter(made, np.int32, count=len(numbers))
        terms = of_words[words] if len(words) else words
        kept = terms >= 0
        if kept.all():
            return TextTerms(maker, found, terms, of_words, None)
        kept_before = np.zeros(len(words) + 1, np.int32)
        np.cumsum(kept, out=kept_before[1:])
        return TextTerms(maker, found, terms[kept], of_words, kept_before)


def made_into_terms(
    found: FoundWords, text: TextTerms, chunks: ChunkSet, rule: WordRule
) -> FoundWords:
    """The terms of each chunk out of its words by a rule; of a cut word each part is a word."""
    numbers = text.numbers
    own: dict[str, int] = {}
    table = np.full(len(text.of_words) + len(found.own), -1, np.int64)
    table[: len(text.of_words)] = text.of_words
    for number, term in zip(found.own.values(), text.maker.terms(list(found.own)), strict=True):
        if term is not None:
            known = numbers.get(term)
            if known is None:
                known = own.setdefault(term, len(numbers) + len(own))
            table[number] = known
    low, high = found.low, found.high
    if text.kept_before is not None:
        low, high = (text.kept_before[ends].astype(np.int64) for ends in (low, high))
    before, kept = _made(found.before, table)
    after, _ = _made(found.after, table)
    prefix_lengths = found.prefix_lengths
    if prefix_lengths.any() and prefix_apart(rule):
        # A prefix's words come first in its chunk.
        kept_before = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
        first = np.searchsorted(found.before[0], np.arange(len(low)))
        prefix_lengths = kept_before[first + prefix_lengths] - kept_before[first]
    elif prefix_lengths.any():
        prefix_lengths = np.zeros(len(low), np.int64)
        for chunk, prefix in chunks.prefixes.items():
            prefix_lengths[chunk] = len(text.maker.kept(tokenise(prefix, rule.rule)))
    return FoundWords(low, high, before, after, own, prefix_lengths)


def _made(extras: Extras, table: IntArray) -> tuple[Extras, BoolArray]:
    terms = table[extras[1]] if len(extras[1]) else extras[1]
    kept = terms >= 0
    return (extras[0][kept], terms[kept]), kept


def words_of_chunks(
    text: TextWords, chunks: ChunkSet, cancel: CancelToken | None = None
) -> FoundWords:
    """The words of each chunk, each its own term.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    return _Finder(text, chunks).found(cancel)


def prefix_apart(rule: WordRule) -> bool:
    """Whether no word can reach over the line end between prefix and text."""
    return rule.atom is not None and rule.atom.match("\n") is None


class _Finder:
    """Finds the words of the chunks of one chunk set."""

    def __init__(self, text: TextWords, chunks: ChunkSet) -> None:
        self._text = text
        self._chunks = chunks
        self._rule = text.rule
        self._own: dict[str, int] = {}

    def found(self, cancel: CancelToken | None) -> FoundWords:
        size = len(self._chunks)
        low = high = np.zeros(size, dtype=np.int64)
        alone = self._tokenised_alone()
        prefixes, prefix_lengths = self._prefix_words()
        before = [prefixes, self._words_of(alone, cancel)]
        after = NO_EXTRAS
        if self._text.local and self._text.stretch_starts.size and size:
            low, high, left, after = self._cut_from_text(alone)
            before.append(left)
        joined = np.concatenate([chunk for chunk, _ in before])
        order = np.argsort(joined, kind="stable")
        terms = np.concatenate([terms for _, terms in before])
        return FoundWords(
            low, high, (joined[order], terms[order]), after, self._own, prefix_lengths
        )

    @cached_property
    def _prefix_apart(self) -> bool:
        return prefix_apart(self._rule)

    def _tokenised_alone(self) -> BoolArray:
        """Which chunks are tokenised from their own text."""
        alone = np.full(len(self._chunks), not self._text.local)
        for position, cuts in enumerate(self._chunks.cuts):
            if cuts.altered:
                numbers = np.fromiter(cuts.altered, np.int64, len(cuts.altered))
                alone[numbers + int(self._chunks.first[position])] = True
        if not self._prefix_apart:
            alone[[chunk for chunk, prefix in self._chunks.prefixes.items() if prefix]] = True
        return alone

    def _prefix_words(self) -> tuple[Extras, IntArray]:
        """Words of the prefixes that stand apart, and how many words each prefix has."""
        lengths = np.zeros(len(self._chunks), dtype=np.int64)
        known: dict[str, list[str]] = {}
        collected = _Collector()
        for chunk, prefix in self._chunks.prefixes.items():
            if prefix not in known:
                known[prefix] = tokenise(prefix, self._rule.rule)
            lengths[chunk] = len(known[prefix])
            if self._prefix_apart:
                collected.add(chunk, self._intern(known[prefix]))
        return collected.arrays(), lengths

    def _words_of(self, alone: BoolArray, cancel: CancelToken | None) -> Extras:
        collected = _Collector()
        for chunk in np.flatnonzero(alone).tolist():
            if cancel is not None:
                cancel.check()
            text = self._chunks.text(chunk)
            prefix = self._chunks.prefixes.get(chunk)
            if prefix and not self._prefix_apart:
                own = text.removeprefix("\ufeff")
                text = f"{prefix}\n{own}"
            collected.add(chunk, self._intern(tokenise(text, self._rule.rule)))
        return collected.arrays()

    def _cut_from_text(self, alone: BoolArray) -> tuple[IntArray, IntArray, Extras, Extras]:
        """Ranges of whole words of the other chunks; fragments at their starts and ends."""
        text = self._text
        starts, ends = text.place(self._chunks)
        ends = np.maximum(starts, ends)
        plain = ~alone
        low = np.searchsorted(text.starts, starts.astype(text.starts.dtype))
        high = np.searchsorted(text.ends, ends.astype(text.ends.dtype), side="right")
        # The last stretch that begins before each end of the chunk, cut where it goes beyond.
        at_start = np.searchsorted(text.stretch_starts, starts.astype(text.starts.dtype)) - 1
        at_end = np.searchsorted(text.stretch_starts, ends.astype(text.starts.dtype)) - 1
        cut_start = plain & (at_start >= 0) & (text.stretch_ends[at_start] > starts)
        cut_end = plain & (at_end >= 0) & (text.stretch_ends[at_end] > ends)
        cut_end &= ~(cut_start & (at_start == at_end))
        left_ends = np.minimum(text.stretch_ends[at_start], ends)
        right_starts = np.maximum(text.stretch_starts[at_end], starts)
        return (
            np.where(plain, low, 0),
            np.where(plain, np.maximum(low, high), 0),
            self._fragments(cut_start, starts, left_ends, text.bigrams[at_start]),
            self._fragments(cut_end, right_starts, ends, text.bigrams[at_end]),
        )

    def _fragments(
        self, cut: BoolArray, starts: IntArray, ends: IntArray, bigrams: BoolArray
    ) -> Extras:
        lengths = ends - starts
        # Two or more characters of a bigram stretch: their bigrams are whole words already.
        cut = cut & (lengths >= self._rule.least) & (~bigrams | (lengths == 1))
        chunks = np.flatnonzero(cut)
        documents = self._chunks.documents[chunks]
        words = self._text.texts(documents, starts[chunks], ends[chunks])
        return chunks, np.array(self._intern(words), dtype=np.int64)

    def _intern(self, words: Sequence[str]) -> list[int]:
        return interned(words, self._text.numbers, self._own)


def numbered(words: Iterable[str], known: Mapping[str, int], own: Mapping[str, int]) -> list[int]:
    """The number of each word among those of the text, or else one's own, or -1."""
    of_text, of_own = known.get, own.get
    return [of_own(word, -1) if (number := of_text(word)) is None else number for word in words]


def interned(words: Sequence[str], known: Mapping[str, int], own: dict[str, int]) -> list[int]:
    """As `numbered`; a word without a number gets the next one in `own`."""
    numbers = numbered(words, known, own)
    for place, number in enumerate(numbers):
        if number < 0:
            numbers[place] = own.setdefault(words[place], len(known) + len(own))
    return numbers


class _Collector:
    def __init__(self) -> None:
        self._chunks: list[int] = []
        self._terms: list[int] = []

    def add(self, chunk: int, terms: Sequence[int]) -> None:
        self._chunks.extend([chunk] * len(terms))
        self._terms.extend(terms)

    def arrays(self) -> Extras:
        chunks = np.array(self._chunks, dtype=np.int64)
        order = np.argsort(chunks, kind="stable")
        return chunks[order], np.array(self._terms, dtype=np.int64)[order]
