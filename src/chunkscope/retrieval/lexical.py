"""What the retrievers that count words have in common: postings, weights, sums."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from chunkscope.retrieval.chunkwords import ChunkWords, Postings
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.protocol import Matches

FloatArray = npt.NDArray[np.float64]


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
        queries = [self._terms(question) for question in questions]
        wanted = np.unique(np.array([term for query in queries for term in query], np.int64))
        columns = _Columns(self.words.postings(wanted), self._weighting, len(self.words.chunks))
        slots = {term: slot for slot, term in enumerate(wanted.tolist())}
        for query in queries:
            yield columns.summed([slots[term] for term in query], self._weighting.scale(query))

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
    """The weights of the terms asked for, each over the chunks that hold it."""

    def __init__(self, postings: Postings, weighting: Weighting, size: int) -> None:
        weights = weighting.weigh(postings)
        bounds = postings.first.tolist()
        ranges = [slice(low, high) for low, high in pairwise(bounds)]
        self._size = size
        self._chunks = [postings.chunks[each] for each in ranges]
        self._weights = [weights[each] for each in ranges]
        # Where every weight is positive, a score above 0 says by itself that a term is shared.
        self._positive = bool((weights > 0).all())
        # A whole row adds faster than many scattered places: worth it for frequent terms, whose
        # rows take no more than a small multiple of the postings' own memory.
        frequent = np.flatnonzero(postings.document_frequencies * 8 > size).tolist()
        rows = np.zeros((len(frequent), size))
        self._rows: list[FloatArray | None] = [None] * len(ranges)
        for row, slot in zip(rows, frequent, strict=True):
            row[self._chunks[slot]] = self._weights[slot]
            self._rows[slot] = row

    def summed(self, slots: Sequence[int], scale: float) -> Matches:
        """The chunks that hold one of the terms; weights added in the terms' order."""
        scores = np.zeros(self._size)
        for slot in slots:
            row = self._rows[slot]
            if row is None:
                scores[self._chunks[slot]] += self._weights[slot]
            else:
                scores += row
        if self._positive:
            shared = scores > 0
        else:
            shared = np.zeros(self._size, dtype=np.bool_)
            for slot in slots:
                shared[self._chunks[slot]] = True
        matched = shared.nonzero()[0]
        found = scores[matched]
        return Matches(matched, found if scale == 1.0 else found * scale)
