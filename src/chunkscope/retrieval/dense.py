"""`dense:MODEL` and `openai:MODEL`: every chunk embedded as indexed, prefix included."""

from collections.abc import Sequence

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.cached import CachedEmbedder
from chunkscope.embedding.protocol import Vectors
from chunkscope.retrieval.dense_search import DenseRetriever, FloatArray
from chunkscope.retrieval.models import Models
from chunkscope.retrieval.protocol import Truncation
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet

SIMILARITY = "similarity to the question"
"""The one part of the score of a chunk whose vector tells nothing of words."""


QUESTIONS_AT_ONCE = 64
"""Questions that a model embeds between two looks at whether it is still wanted."""


def build(
    settings: RetrieverSettings,
    chunks: ChunkSet,
    models: Models,
    cancel: CancelToken | None = None,
) -> DenseRetriever:
    """The retriever over these chunks; what the cache does not hold is embedded.

    Raises:
        InputError: when the model cannot be had or called.
        MissingPackageError: when a package is not installed; the command is named.
        CancelledError: when `cancel` was raised meanwhile.
    """
    embedder, texts, vectors = _embedded(settings, chunks, models, cancel)

    def asked(questions: Sequence[str]) -> FloatArray:
        return embedder.embed_questions(questions).astype(np.float64)

    return DenseRetriever(
        vectors.astype(np.float64),
        asked,
        lambda question: [(SIMILARITY, asked([question])[0])],
        truncations=_truncations(embedder, texts),
        asked_at_once=QUESTIONS_AT_ONCE,
    )


def warm(
    settings: RetrieverSettings,
    chunks: ChunkSet,
    models: Models,
    cancel: CancelToken | None = None,
) -> None:
    """Embed what the cache does not hold, so that `build` need not wait for the model.

    Raises:
        InputError: when the model cannot be had or called.
        MissingPackageError: when a package is not installed; the command is named.
        CancelledError: when `cancel` was raised meanwhile.
    """
    _embedded(settings, chunks, models, cancel)


def _embedded(
    settings: RetrieverSettings, chunks: ChunkSet, models: Models, cancel: CancelToken | None
) -> tuple[CachedEmbedder, list[str], Vectors]:
    embedder = models.embedder(settings.kind, settings.base_url)
    texts = indexed_texts(chunks)
    models.admit(settings.kind, settings.base_url, lambda: len(embedder.missing(texts)))
    return embedder, texts, embedder.embed(texts, cancel)


def indexed_texts(chunks: ChunkSet) -> list[str]:
    """Every chunk's text as indexed: prefix, line end, text."""
    texts = chunks.texts()
    for chunk, prefix in chunks.prefixes.items():
        if prefix:
            texts[chunk] = f"{prefix}\n{texts[chunk]}"
    return texts


def _truncations(embedder: CachedEmbedder, texts: Sequence[str]) -> tuple[Truncation, ...]:
    limit = embedder.context_limit
    if limit is None:
        return ()
    longer = int(np.count_nonzero(embedder.token_counts(texts) > limit))
    return (Truncation(embedder.name, limit, longer),) if longer else ()
