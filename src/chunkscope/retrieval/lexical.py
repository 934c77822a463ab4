"""What the retrievers that count words have in common: postings, weights, sums."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from chunkscope.retrieval.chunkwords import ChunkWords, Postings
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.protocol import Matches
from chunkscope.splitting.chunks import IntArray

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
        postings = self.words.postings(wanted)
        weights = self._weighting.weigh(postings)
        slots = {term: slot for slot, term in enumerate(postings.terms.tolist())}
        bounds = postings.first.tolist()
        # Where every weight is positive, a score above 0 says by itself that a term is shared.
        positive = bool((weights > 0).all())
        for query in queries:
            ranges = [slice(bounds[slots[term]], bounds[slots[term] + 1]) for term in query]
            yield self._summed(query, ranges, postings.chunks, weights, positive)

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

    def _summed(
        self,
        query: Sequence[int],
        ranges: Sequence[slice],
        chunks: IntArray,
        weights: FloatArray,
        positive: bool,
    ) -> Matches:
        if not ranges:
            return Matches(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float64))
        held = np.concatenate([chunks[each] for each in ranges])
        parts = np.concatenate([weights[each] for each in ranges])
        scores: FloatArray = np.bincount(
            held, weights=parts, minlength=len(self.words.chunks)
        ).astype(np.float64, copy=False)
        if positive:
            matched = np.flatnonzero(scores)
        else:
            shared = np.zeros(len(scores), dtype=np.bool_)
            shared[held] = True
            matched = np.flatnonzero(shared)
        scale = self._weighting.scale(query)
        found = scores[matched]
        return Matches(matched, found if scale == 1.0 else found * scale)
