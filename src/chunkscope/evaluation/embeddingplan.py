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
        texts: texts to be sent, each once.
        tokens: tokens in these, about.
        price: what that costs, in the unit of the price given; None: no price is known.
    """

    kind: str
    base_url: str
    known: int
    texts: int
    tokens: int
    price: float | None


def endpoint_needs(
    index: CorpusIndex,
    configurations: Sequence[Configuration],
    questions: Sequence[LocatedQuestion],
    cancel: CancelToken | None = None,
) -> list[EndpointNeed]:
    """One entry an endpoint's model, in the order they come; boundary phases are not in it.

    Raises:
        InputError: for settings that cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    texts: dict[tuple[str, str], dict[str, None]] = {}
    asked = [located.question.question for located in questions]
    for configuration in configurations:
        settings = configuration.retriever
        for kind in parts_of(settings):
            if not kind.startswith("openai:"):
                continue
            chunks = index.retrieved_set(configuration.splitter, configuration.enrich, cancel)
            wanted = texts.setdefault((kind, settings.base_url), dict.fromkeys(asked))
            wanted.update(dict.fromkeys(indexed_texts(chunks.indexed)))
    return [_need(index, kind, url, list(wanted)) for (kind, url), wanted in texts.items()]


def _need(index: CorpusIndex, kind: str, url: str, texts: list[str]) -> EndpointNeed:
    missing = index.models.embedder(kind, url).missing(texts)
    tokens = sum(get_token_counter(ENCODING).count(missing))
    settings = EndpointSettings(url, kind.partition(":")[2], price_in=index.models.access.price)
    price = cost(Usage(len(missing), tokens, 0), replace(settings, price_out=0.0))
    known = len(texts) - len(missing)
    return EndpointNeed(kind, url, known, len(missing), tokens, price)
