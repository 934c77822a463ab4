"""An embedder that asks its cache first."""

from collections.abc import Sequence

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.cache import VectorCache
from chunkscope.embedding.protocol import Embedder, Vectors

_TEXTS_AT_ONCE = 256


class CachedEmbedder:
    """Gives what an embedder gives, and embeds only what its cache does not hold.

    Attributes:
        embedded: texts that were embedded so far, the others came out of the cache.
    """

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self._embedder = embedder
        self._cache = cache
        self.embedded = 0

    @property
    def name(self) -> str:
        """The embedder's name."""
        return self._embedder.name

    @property
    def revision(self) -> str:
        """The embedder's revision."""
        return self._embedder.revision

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._embedder.dimensions

    @property
    def context_limit(self) -> int | None:
        """The embedder's context limit."""
        return self._embedder.context_limit

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        """The vectors of `texts`; each lot is kept as soon as it is there. See `Embedder`.

        Raises:
            InputError: when the cache cannot be used.
        """
        vectors = self._cache.get(self.name, self.revision, self.dimensions, texts)
        missing = np.flatnonzero(np.isnan(vectors).any(axis=1)).tolist()
        rows: dict[str, list[int]] = {}
        for row in missing:
            rows.setdefault(texts[row], []).append(row)
        new = list(rows)
        for begin in range(0, len(new), _TEXTS_AT_ONCE):
            if cancel is not None:
                cancel.check()
            lot = new[begin : begin + _TEXTS_AT_ONCE]
            made = self._embedder.embed(lot, cancel)
            self._cache.put(self.name, self.revision, lot, made)
            self.embedded += len(lot)
            for text, vector in zip(lot, made, strict=True):
                vectors[rows[text]] = vector
        return vectors
