"""The models that retrievers call: loaded when first asked for, and shared by configurations."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from chunkscope.embedding.protocol import CrossEncoder, Embedder
from chunkscope.endpoint.cost import Meter, Usage
from chunkscope.endpoint.settings import KEY_VARIABLE

if TYPE_CHECKING:
    from chunkscope.embedding.cache import VectorCache
    from chunkscope.embedding.cached import CachedCrossEncoder, CachedEmbedder
    from chunkscope.embedding.transformer import TransformerEmbedder
    from chunkscope.endpoint.client import Client

OPENAI = "openai"
DEFAULT_LATE = "all-MiniLM-L6-v2"

Progress = Callable[[str, int, int], None]
"""Hears of (the model at work, texts done, texts to do)."""

Gate = Callable[[str, str, int], None]
"""Given (kind, address, texts) before an endpoint is sent texts; raises to refuse it."""


@dataclass(frozen=True, slots=True)
class Access:
    """How models are called; no ranking depends on it.

    Attributes:
        cache: file that keeps vectors and scores; None: the one of the user's cache folder.
        key_variable: environment variable that holds an endpoint's key.
        price: of a million tokens sent to an endpoint, or None: not known.
        max_cost: what calls may cost together, in the unit of `price`; None: anything.
        requests_per_minute: most requests to an endpoint within a minute; 0: no limit.
        concurrency: most requests under way at once.
        timeout: seconds until an endpoint's answer has to be there.
    """

    cache: Path | None = None
    key_variable: str = KEY_VARIABLE
    price: float | None = None
    max_cost: float | None = None
    requests_per_minute: int = 0
    concurrency: int = 4
    timeout: float = 60.0


class Models:
    """Embedders and cross-encoders by name. Threads may share an object.

    Attributes:
        access: how they are called.
        progress: hears how far a model is; may be set anew at any time.
    """

    def __init__(
        self,
        access: Access | None = None,
        progress: Progress | None = None,
        gate: Gate | None = None,
    ) -> None:
        self.access = access or Access()
        self.progress = progress
        self._gate = gate
        self._lock = Lock()
        self._cache: VectorCache | None = None
        self._embedders: dict[tuple[str, str], CachedEmbedder] = {}
        self._cross_encoders: dict[tuple[str, str], CachedCrossEncoder] = {}
        self._clients: dict[tuple[str, str], Client] = {}
        # Of all clients, as the most that calls may cost is of all together.
        self._meter = Meter()

    def embedder(self, kind: str, base_url: str) -> "CachedEmbedder":
        """The embedder of `dense:MODEL` or `openai:MODEL`; what it made is kept on disk.

        Raises:
            InputError: when there is no such model here, or the address cannot be called.
            MissingPackageError: when a package is not installed; the command is named.
        """
        with self._lock:
            known = self._embedders.get((kind, base_url))
            if known is None:
                known = self._embedders[kind, base_url] = self._make_embedder(kind, base_url)
        return known

    def cross_encoder(self, name: str, base_url: str) -> CrossEncoder:
        """The cross-encoder `MODEL` (local) or `openai:MODEL`; its scores are kept on disk.

        Raises:
            InputError: when there is no such model here, or the address cannot be called.
            MissingPackageError: when a package is not installed; the command is named.
        """
        from chunkscope.embedding.cached import CachedCrossEncoder

        with self._lock:
            known = self._cross_encoders.get((name, base_url))
            if known is None:
                made = self._make_cross_encoder(name, base_url)
                known = CachedCrossEncoder(made, self._open_cache())
                self._cross_encoders[name, base_url] = known
        return known

    def token_embedder(self, name: str) -> "TransformerEmbedder":
        """The local model that gives a vector for every token of a document.

        Raises:
            InputError: when there is no such model here.
            MissingPackageError: when a package is not installed; the command is named.
        """
        from chunkscope.embedding.transformer import local_embedder

        return local_embedder(name)

    @property
    def usage(self) -> Usage:
        """What endpoints have answered so far."""
        return self._meter.usage

    def admit(self, kind: str, base_url: str, texts: Callable[[], int]) -> None:
        """Ask the gate before an endpoint is sent texts; `texts` counts those it lacks.

        Raises:
            InputError: when it may not be sent them.
        """
        if self._gate is not None and kind.startswith(f"{OPENAI}:"):
            count = texts()
            if count:
                self._gate(kind, base_url, count)

    def report(self, model: str, done: int, total: int) -> None:
        """Tell `progress`, where somebody listens."""
        if self.progress is not None:
            self.progress(model, done, total)

    def _make_embedder(self, kind: str, base_url: str) -> "CachedEmbedder":
        from chunkscope.embedding.cached import CachedEmbedder

        family, _, model = kind.partition(":")
        made: Embedder
        if family == OPENAI:
            from chunkscope.embedding.endpoint import EndpointEmbedder

            made = EndpointEmbedder(self._client(model, base_url))
        else:
            from chunkscope.embedding.transformer import local_embedder

            made = local_embedder(model)

        def heard(done: int, total: int) -> None:
            self.report(kind, done, total)

        return CachedEmbedder(made, self._open_cache(), on_progress=heard)

    def _make_cross_encoder(self, name: str, base_url: str) -> CrossEncoder:
        family, colon, model = name.partition(":")
        if colon and family == OPENAI:
            from chunkscope.embedding.endpoint import EndpointReranker

            return EndpointReranker(self._client(model, base_url))
        from chunkscope.embedding.cross_encoder import local_cross_encoder

        return local_cross_encoder(name)

    def _client(self, model: str, base_url: str) -> "Client":
        from chunkscope.endpoint.client import Client
        from chunkscope.endpoint.settings import EndpointSettings

        if (model, base_url) not in self._clients:
            access = self.access
            self._clients[model, base_url] = Client(
                EndpointSettings(
                    base_url,
                    model,
                    key_variable=access.key_variable,
                    timeout=access.timeout,
                    requests_per_minute=access.requests_per_minute,
                    concurrency=access.concurrency,
                    price_in=access.price,
                    max_cost=access.max_cost,
                ),
                self._meter,
            )
        return self._clients[model, base_url]

    def _open_cache(self) -> "VectorCache":
        from chunkscope.embedding.cache import VectorCache, default_cache_path

        if self._cache is None:
            self._cache = VectorCache(self.access.cache or default_cache_path())
        return self._cache
