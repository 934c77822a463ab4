"""`late` and `late:MODEL`: late chunking.

A transformer reads whole documents; a chunk's vector is the mean of its tokens' vectors, each
seen with what stands around it. Prefixes and altered texts play no part: what is pooled are the
chunk's source spans. (Günther et al. 2024, arXiv:2409.04701.)
"""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.late import LateTexts
from chunkscope.embedding.transformer import TransformerEmbedder
from chunkscope.retrieval.dense import QUESTIONS_AT_ONCE, SIMILARITY
from chunkscope.retrieval.dense_search import DenseRetriever, FloatArray
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.models import DEFAULT_LATE, Models
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet

# The token vectors of a corpus by model, for as long as its words are kept.
_CORPORA: WeakKeyDictionary[WordIndex, dict[str, LateTexts]] = WeakKeyDictionary()


def model_of(kind: str) -> str:
    """The name of the model behind `late` or `late:MODEL`."""
    return kind.partition(":")[2] or DEFAULT_LATE


def build(
    settings: RetrieverSettings,
    chunks: ChunkSet,
    index: WordIndex,
    models: Models,
    cancel: CancelToken | None = None,
) -> DenseRetriever:
    """The retriever over these chunks; documents that were not read before are read.

    Raises:
        InputError: when the model cannot be had.
        MissingPackageError: when a package is not installed; the command is named.
        CancelledError: when `cancel` was raised meanwhile.
    """
    name = model_of(settings.kind)
    embedder = models.token_embedder(name)
    texts = _texts_of(index, name, embedder, models, cancel)

    def asked(questions: Sequence[str]) -> FloatArray:
        return embedder.embed_questions(questions).astype(np.float64)

    return DenseRetriever(
        _pooled(texts, chunks, cancel),
        asked,
        lambda question: [(SIMILARITY, asked([question])[0])],
        asked_at_once=QUESTIONS_AT_ONCE,
    )


def warm(
    settings: RetrieverSettings,
    index: WordIndex,
    models: Models,
    cancel: CancelToken | None = None,
) -> None:
    """Read the documents, which every chunk set shares.

    Raises:
        InputError: when the model cannot be had.
        MissingPackageError: when a package is not installed; the command is named.
        CancelledError: when `cancel` was raised meanwhile.
    """
    name = model_of(settings.kind)
    _texts_of(index, name, models.token_embedder(name), models, cancel)


def _pooled(texts: LateTexts, chunks: ChunkSet, cancel: CancelToken | None) -> FloatArray:
    """The sum of the token vectors of each chunk's spans, (n, d)."""
    documents, starts, ends = chunks.documents, chunks.starts, chunks.ends
    sums = texts.sums(documents, starts, ends, cancel)
    joined = [
        (int(chunks.first[position]) + index, position, span)
        for position, cuts in enumerate(chunks.cuts)
        for index, spans in cuts.spans.items()
        for span in spans
    ]
    if joined:
        owner, document, low, high = (
            np.array(column, dtype=np.int64)
            for column in zip(
                *((chunk, position, span.start, span.end) for chunk, position, span in joined),
                strict=True,
            )
        )
        sums[owner] = 0.0
        np.add.at(sums, owner, texts.sums(document, low, high, cancel))
    return sums


def _texts_of(
    index: WordIndex,
    name: str,
    embedder: TransformerEmbedder,
    models: Models,
    cancel: CancelToken | None,
) -> LateTexts:
    held = _CORPORA.setdefault(index.plain, {})
    if name not in held:
        texts = [document.text for document in index.corpus.documents]
        held[name] = LateTexts(
            embedder, texts, cancel, lambda done, total: models.report(f"late:{name}", done, total)
        )
    return held[name]
