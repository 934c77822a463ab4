"""What an endpoint would be sent to measure some configurations, before anything is sent."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chunkscope.cancel import CancelToken
from chunkscope.endpoint.cost import Usage, cost
from chunkscope.endpoint.settings import EndpointSettings
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.dense import indexed_texts
from chunkscope.retrieval.registry import parts_of
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.tokens import get_token_counter

ENCODING = "cl100k_base"
"""Vocabulary of OpenAI's embedding models; what others count differs somewhat."""


@dataclass(frozen=True, slots=True)
class EndpointNeed:
    """What one endpoint would be sent.

    Attributes:
        kind: `openai:MODEL`.
        base_url: the endpoint's address.
        known: texts whose vectors are kept on disk.
        texts: texts to be sent, each once; for reranking, one for a question at the most.
        tokens: tokens in these, about.
        reranks: whether they are sent to be ranked, not embedded; scores kept on disk, which no
            one can know before, are not taken off.
        price: what that costs, in the unit of the price given; None: no price is known.
    """

    kind: str
    base_url: str
    known: int
    texts: int
    tokens: int
    price: float | None
    reranks: bool = False


def endpoint_needs(
    index: CorpusIndex,
    configurations: Sequence[Configuration],
    questions: Sequence[LocatedQuestion],
    cancel: CancelToken | None = None,
) -> list[EndpointNeed]:
    """One entry an endpoint's model and use, in the order they come; phases are not in it.

    Raises:
        InputError: for settings that cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    texts: dict[tuple[str, str], dict[str, None]] = {}
    reranked: list[EndpointNeed] = []
    asked = [located.question.question for located in questions]
    for configuration in configurations:
        settings = configuration.retriever
        for kind in parts_of(settings):
            if not kind.startswith("openai:"):
                continue
            chunks = index.retrieved_set(configuration.splitter, configuration.enrich, cancel)
            wanted = texts.setdefault((kind, settings.base_url), dict.fromkeys(asked))
            wanted.update(dict.fromkeys(indexed_texts(chunks.indexed)))
        if settings.rerank.startswith("openai:"):
            chunks = index.retrieved_set(configuration.splitter, configuration.enrich, cancel)
            reranked.append(_rerank_need(index, settings, chunks.indexed, asked))
    needs = [_need(index, kind, url, list(wanted)) for (kind, url), wanted in texts.items()]
    return [*needs, *_together(reranked)]


def _rerank_need(
    index: CorpusIndex, settings: RetrieverSettings, chunks: ChunkSet, asked: Sequence[str]
) -> EndpointNeed:
    depth = min(settings.rerank_depth, len(chunks))
    own = sum(get_token_counter(ENCODING).count(list(asked)))
    mean = float(chunks.tokens.mean()) if len(chunks) else 0.0
    # A question is read anew with each of its texts.
    tokens = round(depth * (own + len(asked) * mean))
    pairs = depth * len(asked)
    price = _price(index, settings.rerank, settings.base_url, pairs, tokens)
    return EndpointNeed(settings.rerank, settings.base_url, 0, pairs, tokens, price, reranks=True)


def _together(needs: Sequence[EndpointNeed]) -> list[EndpointNeed]:
    """What several configurations need of one endpoint, added up."""
    found: dict[tuple[str, str], EndpointNeed] = {}
    for need in needs:
        key = (need.kind, need.base_url)
        before = found.get(key)
        if before is not None:
            price = None if need.price is None else need.price + (before.price or 0.0)
            texts, tokens = before.texts + need.texts, before.tokens + need.tokens
            found[key] = replace(need, texts=texts, tokens=tokens, price=price)
        else:
            found[key] = need
    return list(found.values())


def _need(index: CorpusIndex, kind: str, url: str, texts: list[str]) -> EndpointNeed:
    missing = index.models.embedder(kind, url).missing(texts)
    tokens = sum(get_token_counter(ENCODING).count(missing))
    price = _price(index, kind, url, len(missing), tokens)
    known = len(texts) - len(missing)
    return EndpointNeed(kind, url, known, len(missing), tokens, price)


def _price(index: CorpusIndex, kind: str, url: str, texts: int, tokens: int) -> float | None:
    settings = EndpointSettings(url, kind.partition(":")[2], price_in=index.models.access.price)
    return cost(Usage(texts, tokens), settings)
