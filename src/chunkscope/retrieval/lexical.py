"""What the retrievers that count words have in common: postings, weights, sums."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.postings import Postings
from chunkscope.retrieval.protocol import Matches, ScoreBlock
from chunkscope.splitting.chunks import BoolArray

FloatArray = npt.NDArray[np.float64]

_BLOCK_CELLS = 1 << 18
"""Scores (questions x chunks) that are worked on at a time: what a processor's cache holds."""

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
    """Ranks chunks by the sum of weights of the question's words.

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
        """The question's words that count, in order; with `set` each once."""
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
        terms, question = self.words.query_terms(queries)
        wanted = np.zeros(self.words.term_count, np.bool_)
        wanted[terms] = True
        number = np.cumsum(wanted) - 1
        size = len(self.words.chunks)
        postings = self.words.postings(np.flatnonzero(wanted))
        columns = _Columns(postings, self._weighting, size)
        slots, flat = number[terms].tolist(), terms.tolist()
        bounds = np.searchsorted(question, np.arange(queries.count + 1)).tolist()
        step = max(1, _BLOCK_CELLS // max(1, size))
        scores = np.empty((min(step, queries.count), size))
        shared = None if columns.positive else np.empty(scores.shape, np.bool_)
        for first in range(0, queries.count, step):
            rows = min(step, queries.count - first)
            for row in range(rows):
                each = slice(bounds[first + row], bounds[first + row + 1])
                columns.add(slots[each], scores[row], self._weighting.scale(flat[each]))
                if shared is not None:
                    columns.mark(slots[each], shared[row])
            yield ScoreBlock(scores[:rows], None if shared is None else shared[:rows])

    def explain(self, question: str, chunk: int) -> list[tuple[str, float]]:
        """The parts of a chunk's score (query term, contribution), largest first."""
        words = Counter(self.query_words(question))
        terms = self._terms(question)
        numbers = np.unique(np.array(terms, np.int64))
        postings = self.words.postings(numbers)
        held = postings.chunks == chunk
        weights = self._weighting.weigh(postings) * self._weighting.scale(terms)
        found = dict(
            zip(postings.terms[postings.slots[held]].tolist(), weights[held].tolist(), strict=True)
        )
        parts = [
            (word, repeats * found[number])
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
        # A whole row adds faster than many scattered places: worth it for frequent terms, whose
        # rows take no more than a small multiple of the postings' own memory, and for all terms
        # where there are few chunks.
        dense = postings.document_frequencies * 8 > size
        if len(dense) * size <= _FEW_CELLS:
            dense[:] = True
        place = np.cumsum(dense) - 1
        rows = np.zeros((int(dense.sum()), size))
        held = dense[postings.slots]
        rows[place[postings.slots[held]], postings.chunks[held]] = weights[held]
        self._rows: list[FloatArray | None] = [None] * len(dense)
        for row, slot in zip(rows, np.flatnonzero(dense).tolist(), strict=True):
            self._rows[slot] = row
        self._chunks, self._weights = postings.chunks, weights
        self._bounds = postings.first.tolist()

    def add(self, slots: Sequence[int], scores: FloatArray, scale: float) -> None:
        """Write the sum of the terms' weights, in the terms' order, to `scores`."""
        scores.fill(0.0)
        for slot in slots:
            row = self._rows[slot]
            if row is None:
                each = slice(self._bounds[slot], self._bounds[slot + 1])
                scores[self._chunks[each]] += self._weights[each]
            else:
                scores += row
        if scale != 1.0:
            scores *= scale

    def mark(self, slots: Sequence[int], shared: BoolArray) -> None:
        """Write whether a chunk holds one of the terms to `shared`."""
        shared.fill(False)
        for slot in slots:
            shared[self._chunks[self._bounds[slot] : self._bounds[slot + 1]]] = True
