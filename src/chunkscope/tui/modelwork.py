"""The models behind the inspector's retrievers: how far they are, and what they may be sent."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import get_ident
from typing import TYPE_CHECKING

from textual.message import Message

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import ChunkscopeError, InputError
from chunkscope.tui.modelmessages import ModelProgress

if TYPE_CHECKING:
    from chunkscope.evaluation.configuration import Configuration
    from chunkscope.evaluation.index import CorpusIndex
    from chunkscope.golden.model import LocatedQuestion
    from chunkscope.retrieval.models import Access, Models
    from chunkscope.splitting.chunks import ChunkSet
    from chunkscope.tui.session import Variant

ModelJobs = list[Callable[[CancelToken], None]]


class ConsentNeededError(InputError):
    """An endpoint would be sent texts, and nobody has said that it may."""

    def __init__(self, kind: str, base_url: str, texts: int) -> None:
        super().__init__(
            f"retriever: {texts} texts would be sent to {base_url} for {kind}; they are not"
        )
        self.kind = kind
        self.base_url = base_url


class ModelWork:
    """The models of one lane of the engine.

    Endpoints are sent nothing before `allow`, and nothing for what a panel tries by itself.
    """

    def __init__(self, access: "Access | None") -> None:
        """Models called as `access` says; nothing is loaded yet."""
        self._access = access
        self._models: Models | None = None
        self._allowed: set[tuple[str, str]] = set()
        self._asking: set[int] = set()
        self._post: Callable[[Message], object] = lambda _message: None

    def attach(self, post: Callable[[Message], object]) -> None:
        """How far a model is goes here."""
        self._post = post

    def models(self) -> "Models":
        """The models, made when first asked for."""
        from chunkscope.retrieval.models import Models

        if self._models is None:
            self._models = Models(self._access, self._heard, self._admit)
        return self._models

    def allow(self, endpoints: Sequence[tuple[str, str]]) -> None:
        """These (kind, address) may be sent what a change of settings needs."""
        self._allowed.update(endpoints)

    @contextmanager
    def asked_for(self) -> Iterator[None]:
        """What this thread does within it was asked for by a person, and not tried by a panel."""
        self._asking.add(get_ident())
        try:
            yield
        finally:
            self._asking.discard(get_ident())

    def jobs(
        self,
        index: "CorpusIndex",
        configurations: "Mapping[Variant, Configuration]",
        sets: "Mapping[Variant, ChunkSet]",
    ) -> "ModelJobs | None":
        """What models have to do before these can be measured; None: they need no models."""
        from chunkscope.retrieval.registry import calls_models, model_work

        if not any(calls_models(one.retriever) for one in configurations.values()):
            return None
        jobs: ModelJobs = []
        for variant, configuration in configurations.items():
            settings = configuration.retriever
            if calls_models(settings):
                words = index.words_for(settings)
                jobs += model_work(settings, sets[variant].indexed, words, self.models())
        return jobs

    def run(self, jobs: "ModelJobs", token: CancelToken) -> ChunkscopeError | None:
        """Do them; what went wrong, unless it was called off."""
        try:
            with self.asked_for():
                for job in jobs:
                    job(token)
        except CancelledError:
            return None
        except ChunkscopeError as error:
            return error
        return None

    def consent(
        self,
        index: "CorpusIndex",
        configurations: "Sequence[Configuration]",
        questions: "Sequence[LocatedQuestion]",
        token: CancelToken,
    ) -> "tuple[str, tuple[tuple[str, str], ...]]":
        """What endpoints would be sent for this, in words, and which; empty: nothing."""
        from chunkscope.evaluation.embeddingplan import endpoint_needs
        from chunkscope.retrieval.registry import is_billed

        if not any(is_billed(one.retriever) for one in configurations):
            return "", ()
        needs = [
            need for need in endpoint_needs(index, configurations, questions, token) if need.texts
        ]
        lines = []
        for need in needs:
            money = "" if need.price is None else f", about {need.price:.4f} to pay"
            noun = "text" if need.texts == 1 else "texts"
            most = "at most " if need.reranks else ""
            lines.append(
                f"{need.kind} at {need.base_url}: {most}{need.texts} {noun}, about {need.tokens} "
                f"tokens{money}"
            )
        return "\n".join(lines), tuple((need.kind, need.base_url) for need in needs)

    def _heard(self, model: str, done: int, total: int) -> None:
        self._post(ModelProgress(model, done, total))

    def _admit(self, kind: str, base_url: str, texts: int) -> None:
        if get_ident() not in self._asking or (kind, base_url) not in self._allowed:
            raise ConsentNeededError(kind, base_url, texts)
