"""Embeddings and scores of an OpenAI-compatible endpoint.

An embedder whose vectors are kept, within a cap on what it may cost:

    client = Client(EndpointSettings(url=..., model=..., price_in=..., max_cost=...))
    embedder = CachedEmbedder(EndpointEmbedder(client), VectorCache(default_cache_path()))
    expected = estimate_embedding(embedder.missing(texts), counter, client.settings)
    cost(expected, client.settings)  # before anything is sent; None without a price
    embedder.embed(texts)
    client.meter.usage               # what was sent, `estimated` by our own count in part
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.embedding.protocol import IntArray, Vectors, unit_rows
from chunkscope.endpoint.client import Client
from chunkscope.endpoint.cost import Usage
from chunkscope.endpoint.lots import cut_lots
from chunkscope.endpoint.settings import EndpointSettings
from chunkscope.text.tokens import TokenCounter, get_token_counter

Scores = npt.NDArray[np.float64]

ENCODING = "cl100k_base"
"""Vocabulary of OpenAI's embedding models; for others its count is an estimate."""

_CONTEXT_LIMITS = {
    "text-embedding-3-small": 8192,
    "text-embedding-3-large": 8192,
    "text-embedding-ada-002": 8191,
}


class EndpointEmbedder:
    """Embeds texts by a model behind an endpoint; nothing is called before `embed`.

    A blank text is not sent and has a row of zeros; a text given twice is sent once.

    Attributes:
        client: calls the endpoint.
        counter: counts tokens ahead of a request.
        name: `openai:MODEL`.
        revision: the endpoint's base address.
    """

    def __init__(self, client: Client, counter: TokenCounter | None = None) -> None:
        self.client = client
        self.counter = counter or get_token_counter(ENCODING)
        self.name = _name(client.settings)
        self.revision = client.settings.url.rstrip("/")
        self._dimensions = 0

    @property
    def dimensions(self) -> int:
        """Length of a vector; 0 until the first answer tells it: no request is made to learn it."""
        return self._dimensions

    @property
    def context_limit(self) -> int | None:
        """Tokens of a text that the model takes: it refuses longer ones."""
        return context_limit(self.client.settings)

    def token_counts(self, texts: Sequence[str]) -> IntArray:
        """Tokens of each text by `counter`, shape (n,)."""
        return np.array(self.counter.count(texts), np.int64)

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        """The vectors of `texts`, float32 at unit length, shape (n, dimensions).

        What came before a failure is lost here; a `CachedEmbedder` keeps it.

        Raises:
            EndpointError: when they cannot be had, or a request could cost too much.
            CancelledError: when `cancel` was raised meanwhile.
        """
        lots = list(self.embed_lots(texts, cancel))
        vectors = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for places, rows in lots:
            vectors[places] = rows
        return vectors

    def embed_lots(
        self, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> Iterator[tuple[list[int], Vectors]]:
        """The vectors lot by lot as they come: places in `texts`, and a row each.

        Raises:
            EndpointError: as `embed`, after all that came was given.
            CancelledError: when `cancel` was raised meanwhile; requests under way are waited for.
        """
        places: dict[str, list[int]] = {}
        blank: list[int] = []
        for place, text in enumerate(texts):
            if text.isspace() or not text:
                blank.append(place)
            else:
                places.setdefault(text, []).append(place)
        sent = list(places)
        lots = self.client.embed_lots(
            sent, self.counter.count(sent), length=self._dimensions or None, cancel=cancel
        )
        for lot, vectors in lots:
            rows = _units(np.array(vectors, np.float64))
            self._dimensions = rows.shape[1]
            repeats = [places[sent[number]] for number in lot]
            numbers = np.repeat(np.arange(len(lot)), [len(one) for one in repeats])
            yield [place for one in repeats for place in one], rows[numbers]
        if blank:
            yield blank, np.zeros((len(blank), self._dimensions), np.float32)


class EndpointReranker:
    """Scores texts for a question by a model behind an endpoint (`POST …/rerank`).

    Attributes:
        client: calls the endpoint.
        counter: counts tokens ahead of a request.
        name: `openai:MODEL`.
        revision: the endpoint's base address.
    """

    def __init__(self, client: Client, counter: TokenCounter | None = None) -> None:
        self.client = client
        self.counter = counter or get_token_counter(ENCODING)
        self.name = _name(client.settings)
        self.revision = client.settings.url.rstrip("/")

    @property
    def context_limit(self) -> int | None:
        """Tokens of a question and a text together that the model takes."""
        return context_limit(self.client.settings)

    def score(
        self, question: str, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> Scores:
        """How well each text answers, higher is better, float64, shape (n,).

        Raises:
            EndpointError: when the scores cannot be had, or a request could cost too much.
            CancelledError: when `cancel` was raised meanwhile.
        """
        scores = np.zeros(len(texts))
        for places, found in self.pair_lots([question] * len(texts), texts, cancel):
            scores[places] = found
        return scores

    @property
    def questions_at_once(self) -> int:
        """Questions that are worth asking together: several requests are made at once."""
        return self.client.settings.concurrency

    def pair_lots(
        self, questions: Sequence[str], texts: Sequence[str], cancel: CancelToken | None = None
    ) -> Iterator[tuple[list[int], Scores]]:
        """The scores lot by lot as they come: places in `texts`, and a score each.

        Args:
            questions: one a text; those of one question should stand side by side.
            texts: what is scored.
            cancel: raised, no further request is begun.

        Raises:
            EndpointError: as `score`, after all that came was given.
            CancelledError: when `cancel` was raised meanwhile; requests under way are waited for.
        """
        tokens = _pair_tokens(questions, texts, self.counter)
        for lot, scores in self.client.rerank_lots(questions, texts, tokens, cancel=cancel):
            yield list(lot), np.array(scores, np.float64)


def context_limit(settings: EndpointSettings) -> int | None:
    """Tokens of one text that the model takes: as set, or as OpenAI says of its own; None: any."""
    if settings.context_limit is not None:
        return settings.context_limit
    return _CONTEXT_LIMITS.get(settings.model)


def estimate_embedding(
    texts: Sequence[str], counter: TokenCounter, settings: EndpointSettings
) -> Usage:
    """What embedding `texts`, each once, would send; `cost` gives its price. Nothing is called."""
    sent = [text for text in dict.fromkeys(texts) if text and not text.isspace()]
    return _estimate(counter.count(sent), settings)


def estimate_reranking(
    questions: Sequence[str],
    texts: Sequence[str],
    counter: TokenCounter,
    settings: EndpointSettings,
) -> Usage:
    """What scoring texts, each for its question, would send. Nothing is called.

    A model reads a question anew with each text, and that is what is counted.
    """
    return _estimate(_pair_tokens(questions, texts, counter), settings, questions)


def _estimate(
    tokens: Sequence[int], settings: EndpointSettings, kinds: Sequence[str] | None = None
) -> Usage:
    lots = cut_lots(tokens, settings.batch, settings.tokens_per_request, kinds)
    return Usage(sum(1 for _ in lots), sum(tokens), 0, sum(tokens))


def _pair_tokens(
    questions: Sequence[str], texts: Sequence[str], counter: TokenCounter
) -> list[int]:
    asked = list(dict.fromkeys(questions))
    own = dict(zip(asked, counter.count(asked), strict=True))
    pairs = zip(questions, counter.count(texts), strict=True)
    return [own[question] + count for question, count in pairs]


def _units(rows: npt.NDArray[np.float64]) -> Vectors:
    # Scaled first, so that no square of a number is too large.
    largest = np.abs(rows).max(axis=1, keepdims=True)
    return unit_rows(rows / np.where(largest > 0, largest, 1.0)).astype(np.float32)


def _name(settings: EndpointSettings) -> str:
    return f"openai:{settings.model}"
