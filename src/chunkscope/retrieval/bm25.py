"""BM25 as Lucene scores it: k1 1.2, b 0.75, no (k1 + 1) factor, exact lengths."""

from collections.abc import Sequence

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.lexical import FloatArray, LexicalRetriever
from chunkscope.retrieval.postings import Postings
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet

K1 = 1.2
B = 0.75


class Bm25Weighting:
    """Weight = idf · tf / (tf + k1 · (1 − b + b · length / mean length)).

    With idf = ln(1 + (N − df + 0.5) / (df + 0.5)) for N chunks of which df hold the term.
    """

    def __init__(self, words: ChunkWords) -> None:
        """The formula over these chunks."""
        self._size = len(words.lengths)
        lengths = words.lengths.astype(np.float64)
        mean = float(lengths.mean()) if self._size else 0.0
        # Without a word in any chunk no term has a posting: the norms are never used.
        self._norms = K1 * (1 - B + B * lengths / mean) if mean else lengths

    def weigh(self, postings: Postings) -> FloatArray:
        """The weight of each posting, shape (p,)."""
        frequencies = postings.document_frequencies
        idf = np.log(1 + (self._size - frequencies + 0.5) / (frequencies + 0.5))
        # In place: postings are many.
        weights = self._norms[postings.chunks]
        weights += postings.counts
        np.divide(postings.counts, weights, out=weights)
        weights *= np.repeat(idf, frequencies)
        return weights

    def scale(self, terms: Sequence[int]) -> float:
        """Scores are the plain sum."""
        return 1.0


def build(
    settings: RetrieverSettings,
    chunks: ChunkSet,
    index: WordIndex,
    cancel: CancelToken | None = None,
) -> LexicalRetriever:
    """The retriever `bm25`."""
    words = index.chunk_words(chunks, cancel)
    return LexicalRetriever(index, words, Bm25Weighting(words), settings.query_terms)
