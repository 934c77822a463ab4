"""TF-IDF with cosine similarity, as scikit-learn's TfidfVectorizer computes it by default."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.lexical import FloatArray, LexicalRetriever
from chunkscope.retrieval.postings import Postings
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet, IntArray


class TfidfWeighting:
    """Cosine of the vectors tf · idf, with idf = ln((1 + N) / (1 + df)) + 1.

    Query words that no chunk holds are no part of the query's vector.
    """

    def __init__(self, words: ChunkWords) -> None:
        """The formula over these chunks."""
        postings = words.all_postings()
        self._size = len(words.lengths)
        self._idf = self._smooth(postings.document_frequencies)
        self._held = postings.document_frequencies > 0
        values = postings.counts * np.repeat(self._idf, postings.document_frequencies)
        squares = np.bincount(postings.chunks, weights=values**2, minlength=self._size)
        self._norms = np.sqrt(squares)

    def _smooth(self, frequencies: IntArray) -> FloatArray:
        idf: FloatArray = np.log((1 + self._size) / (1 + frequencies)) + 1
        return idf

    def weigh(self, postings: Postings) -> FloatArray:
        """The weight of each posting, shape (p,): the query's idf times the chunk's share."""
        idf = np.repeat(self._idf[postings.terms] ** 2, postings.document_frequencies)
        weights: FloatArray = idf * postings.counts / self._norms[postings.chunks]
        return weights

    def scale(self, terms: Sequence[int]) -> float:
        """One over the length of the query's vector."""
        repeats = Counter(term for term in terms if self._held[term])
        square = sum((count * float(self._idf[term])) ** 2 for term, count in repeats.items())
        return float(1 / np.sqrt(square)) if square else 1.0


def build(
    settings: RetrieverSettings,
    chunks: ChunkSet,
    index: WordIndex,
    cancel: CancelToken | None = None,
) -> LexicalRetriever:
    """The retriever `tfidf`."""
    words = index.chunk_words(chunks, cancel)
    return LexicalRetriever(index, words, TfidfWeighting(words), settings.query_terms)
