"""BM25Okapi as the package rank-bm25 0.2.2 scores it, as LangChain's BM25Retriever uses it."""

import math
from collections.abc import Sequence

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.lexical import FloatArray, LexicalRetriever
from chunkscope.retrieval.postings import Postings
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet, IntArray

K1 = 1.5
B = 0.75
EPSILON = 0.25


class OkapiWeighting:
    """Weight = idf · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / mean length)).

    With idf = ln(N − df + 0.5) − ln(df + 0.5); where that is negative, epsilon times its mean over
    every term of the chunks. Operations and their order are the package's, so that scores are
    equal to the last bit.
    """

    def __init__(self, words: ChunkWords) -> None:
        """The formula over these chunks."""
        self._size = len(words.lengths)
        mean = int(words.lengths.sum()) / self._size if self._size else 0.0
        # Without a word in any chunk no term has a posting: the norms are never used.
        self._norms = K1 * (1 - B + B * words.lengths / mean) if mean else words.lengths * 1.0
        self._floor = EPSILON * self._mean_idf(words)

    def _idf(self, frequencies: IntArray) -> FloatArray:
        # `math.log` and `numpy.log` differ in the last bit; there are few distinct values.
        distinct = np.flatnonzero(np.bincount(frequencies))
        table = np.zeros(int(distinct.max(initial=0)) + 1)
        table[distinct] = [
            math.log(self._size - frequency + 0.5) - math.log(frequency + 0.5)
            for frequency in distinct.tolist()
        ]
        return table[frequencies]

    def _mean_idf(self, words: ChunkWords) -> float:
        frequencies = words.document_frequencies()
        held = np.flatnonzero(frequencies)
        if not len(held):
            return 0.0
        # The package adds in order of first appearance.
        idf = self._idf(frequencies[held])[np.argsort(words.first_appearances()[held])]
        return float(np.cumsum(idf)[-1]) / len(held)

    def weigh(self, postings: Postings) -> FloatArray:
        """The weight of each posting, shape (p,)."""
        frequencies = postings.document_frequencies
        idf = self._idf(frequencies)
        idf[idf < 0] = self._floor
        counts = postings.counts
        weights = counts * (K1 + 1) / (counts + self._norms[postings.chunks])
        return np.repeat(idf, frequencies) * weights

    def scale(self, terms: Sequence[int]) -> float:
        """Scores are the plain sum."""
        return 1.0


def build(
    settings: RetrieverSettings,
    chunks: ChunkSet,
    index: WordIndex,
    cancel: CancelToken | None = None,
) -> LexicalRetriever:
    """The retriever `rank-bm25`."""
    words = index.chunk_words(chunks, cancel)
    return LexicalRetriever(index, words, OkapiWeighting(words), settings.query_terms)
