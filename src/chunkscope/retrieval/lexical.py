"""What the retrievers that count words have in common: postings, weights, sums."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.postings import Postings
from chunkscope.retrieval.protocol import Matches, ScoreBlock
from chunkscope.splitting.chunks import BoolArray, IntArray

FloatArray = npt.NDArray[np.float64]

_BLOCK_CELLS = 1 << 18
"""Scores (questions x chunks) that are worked on at a time: what a processor's cache holds."""

_ROW_CELLS = 1 << 22
"""Weights (terms x chunks) that rows of frequent terms take at most, about."""

_FEW_CELLS = 1 << 21
"""Weights (terms x chunks) up to which every term gets a whole row."""


class Weighting(Protocol):
    """A formula: what one occurrence of a query word gives a chunk that holds it."""

    def weigh(self, postings: Postings) -> FloatArray:
        """The weight of each posting, shape (p,)."""
        ...

    def scale(self, terms: Sequence[int]) -> float:
        """What the sum over a question's terms (repeats included) is multiplied by."""
        ...


class LexicalRetriever:
    """Ranks chunks by the sum of weights of the question's words, or of their stems.

    Sums are taken in float64 in the order of the question's words, so equal texts tie exactly.
    """

    def __init__(
        self,
        index: WordIndex,
        words: ChunkWords,
        weighting: Weighting,
        query_terms: Literal["bag", "set"],
    ) -> None:
        """A retriever over the chunks of `words`."""
        self.words = words
        self._index = index
        self._weighting = weighting
        self._query_terms = query_terms

    def query_words(self, question: str) -> tuple[str, ...]:
        """The question's terms that count, in order; with `set` each once."""
        words = self._index.words_of(question)
        return tuple(dict.fromkeys(words)) if self._query_terms == "set" else words

    def match(self, questions: Sequence[str]) -> Iterator[Matches]:
        """One `Matches` a question, in order. A chunk sharing no term is not in it."""
        for block in self.blocks(questions):
            for row in range(len(block.scores)):
                yield block.matches(row)

    def blocks(self, questions: Sequence[str]) -> Iterator[ScoreBlock]:
        """The scores of every chunk, some questions at a time, in order."""
        queries = self._index.queries(questions, distinct=self._query_terms == "set")
        terms = self.words.resolved(queries)
        known = terms >= 0
        terms, question = terms[known], queries.questions[known]
        wanted = np.zeros(self.words.term_count, np.bool_)
        wanted[terms] = True
        number = np.cumsum(wanted) - 1
        size = len(self.words.chunks)
        # Held by nobody else: of the postings only what the columns need stays.
        columns = _Columns(self.words.postings(np.flatnonzero(wanted)), self._weighting, size)
        bounds = np.searchsorted(question, np.arange(queries.count + 1))
        step = max(1, _BLOCK_CELLS // max(1, size))
        for first in range(0, queries.count, step):
            each = bounds[first : first + step + 1]
            here = slice(int(each[0]), int(each[-1]))
            slots, lengths = number[terms[here]], np.diff(each)
            scores = columns.summed(slots, lengths)
            split = (each - each[0]).tolist()
            flat = terms[here].tolist()
            scales = [self._weighting.scale(flat[low:high]) for low, high in pairwise(split)]
            if any(scale != 1.0 for scale in scales):
                scores *= np.array(scales)[:, None]
            yield ScoreBlock(scores, None if columns.positive else columns.held(slots, lengths))

    def explain(self, question: str, chunk: int) -> list[tuple[str, float]]:
        """The parts of a chunk's score (query term, contribution), largest first.

        A term is shown as the question's own words, with the stem where it differs:
        `running → run`.
        """
        words = Counter(self.query_words(question))
        shown = self._index.shown(question)
        terms = self._terms(question)
        numbers = np.unique(np.array(terms, np.int64))
        postings = self.words.postings(numbers)
        held = postings.chunks == chunk
        weights = self._weighting.weigh(postings) * self._weighting.scale(terms)
        found = dict(
            zip(postings.terms[postings.slots[held]].tolist(), weights[held].tolist(), strict=True)
        )
        parts = [
            (shown[word], repeats * found[number])
            for word, repeats in words.items()
            if (number := self.words.number(word)) in found
        ]
        return sorted(parts, key=lambda part: -part[1])

    def _terms(self, question: str) -> list[int]:
        numbers = self.words.numbers(self.query_words(question))
        return [number for number in numbers if number >= 0]


class _Columns:
    """The weights of the terms asked for, each over the chunks that hold it.

    Attributes:
        positive: every weight is above 0, so that a score above 0 says that a term is shared.
    """

    def __init__(self, postings: Postings, weighting: Weighting, size: int) -> None:
        weights = weighting.weigh(postings)
        self.positive = bool((weights > 0).all())
        self._size = size
        self._chunks, self._weights = postings.chunks, weights
        self._bounds = postings.first.tolist()
        count = len(postings.terms)
        self._all: FloatArray | None = None
        self._rows: list[FloatArray | None] = [None] * count
        if count * size <= _FEW_CELLS:
            self._all = np.zeros((count, size))
            self._all[postings.slots, postings.chunks] = weights
            return
        # A whole row adds faster than many scattered places: worth it for frequent terms, and for
        # the most frequent of them where their rows would take much memory.
        frequencies = postings.document_frequencies
        frequent = frequencies * 8 > size
        most = max(1, _ROW_CELLS // max(1, size))
        if np.count_nonzero(frequent) > most:
            frequent &= frequencies >= np.partition(frequencies, -most)[-most]
        for slot in np.flatnonzero(frequent).tolist():
            each = slice(self._bounds[slot], self._bounds[slot + 1])
            row = np.zeros(size)
            row[self._chunks[each]] = weights[each]
            self._rows[slot] = row

    def summed(self, slots: IntArray, lengths: IntArray) -> FloatArray:
        """The sum of each question's weights in the order of its terms, (questions, chunks).

        Args:
            slots: the terms of all questions, one after another.
            lengths: how many terms each question has.
        """
        if self._all is not None:
            return self._summed_together(self._all, slots, lengths)
        scores = np.zeros((len(lengths), self._size))
        for row, part in zip(scores, self._parts(slots, lengths), strict=True):
            for slot in part:
                dense = self._rows[slot]
                if dense is None:
                    each = slice(self._bounds[slot], self._bounds[slot + 1])
                    row[self._chunks[each]] += self._weights[each]
                else:
                    np.add(row, dense, out=row)
        return scores

    def _summed_together(
        self, weights: FloatArray, slots: IntArray, lengths: IntArray
    ) -> FloatArray:
        """The first terms of all questions; then the second ones of those that have one; so on."""
        order = np.argsort(-lengths, kind="stable")
        first = (np.cumsum(lengths) - lengths)[order]
        longest = int(lengths.max(initial=0))
        going = np.searchsorted(-lengths[order], -np.arange(longest)).tolist()
        scores = np.zeros((len(lengths), self._size))
        for number, count in enumerate(going):
            scores[:count] += weights[slots[first[:count] + number]]
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return scores[back]

    def held(self, slots: IntArray, lengths: IntArray) -> BoolArray:
        """Which chunks hold one of each question's terms, (questions, chunks)."""
        shared = np.zeros((len(lengths), self._size), np.bool_)
        for row, part in zip(shared, self._parts(slots, lengths), strict=True):
            for slot in part:
                row[self._chunks[self._bounds[slot] : self._bounds[slot + 1]]] = True
        return shared

    def _parts(self, slots: IntArray, lengths: IntArray) -> list[list[int]]:
        bounds = [0, *np.cumsum(lengths).tolist()]
        flat = slots.tolist()
        return [flat[low:high] for low, high in pairwise(bounds)]
