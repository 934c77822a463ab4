"""Chat, embeddings and reranking of an OpenAI-compatible endpoint."""

import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from chunkscope.cancel import CancelToken
from chunkscope.endpoint.adapting import adapted
from chunkscope.endpoint.answers import (
    Reply,
    Vector,
    read_reply,
    read_scores,
    read_usage,
    read_vectors,
)
from chunkscope.endpoint.cost import Meter, Usage
from chunkscope.endpoint.errors import CostLimitError, EndpointError, NobodyError, PassingError
from chunkscope.endpoint.limits import Clock, Pace, Sleep, backoff, pause
from chunkscope.endpoint.lots import Lots, cut_lots, most_tokens, sendable
from chunkscope.endpoint.settings import EndpointSettings, is_local, key_of
from chunkscope.endpoint.transport import post_json
from chunkscope.endpoint.workers import run_all

__all__ = ["Client", "Reply"]

Answer = TypeVar("Answer")

_ABOUT_INPUT = frozenset({400, 413, 422})
_TOO_LONG = re.compile(
    r"too (?:long|large|many tokens)|context length|length limit|"
    r"(?:max|less than|exceed|longer than)\b.*\b(?:tokens|length)|(?:tokens|length)\b.*\bexceed",
    re.IGNORECASE,
)
_TOO_MANY = re.compile(
    r"\bbatch|too many (?:inputs|texts|items|documents|elements)|array too long|"
    r"\b(?:inputs|items|documents|texts)\b.*\b(?:at most|no more than|maximum of|exceed)",
    re.IGNORECASE,
)
_SHOWN = 60


@dataclass
class Client:
    """Calls one endpoint; may be shared by threads. Nothing is called before it is asked to.

    Attributes:
        settings: the endpoint and its limits, which hold for all threads of one process together.
        meter: adds up the tokens of all answers.
        sleep: waits so many seconds.
        seed: of the random part of waits, and sent along with chats that name no seed.
        clock: seconds, for what may begin within a minute.
    """

    settings: EndpointSettings
    meter: Meter = field(default_factory=Meter)
    sleep: Sleep = time.sleep
    seed: int = 0
    clock: Clock = time.monotonic

    def __post_init__(self) -> None:
        self._pace = Pace(
            self.settings.requests_per_minute,
            self.settings.tokens_per_minute,
            clock=self.clock,
            sleep=self.sleep,
        )
        self._chance = random.Random(self.seed)
        self._batch = self.settings.batch
        self._refused: tuple[EndpointError, ...] = ()
        self._answered = False

    def chat(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Reply:
        """The model's answer to `messages` (`role`, `content`); `max_cost` is not looked at.

        Raises:
            EndpointError: when it cannot be had; the message names the endpoint, not the key.
            CancelledError: when `cancel` was raised while waiting.
        """
        body: dict[str, Any] = {
            "model": self.settings.model,
            "messages": [dict(message) for message in messages],
            "max_tokens": max_tokens,
            "temperature": temperature,
            "seed": self.seed if seed is None else seed,
        }
        for refused in self._refused:
            body = adapted(body, refused) or body
        while True:
            try:
                return self._call("chat/completions", body, read_reply, cancel)
            except EndpointError as error:
                changed = adapted(body, error)
                if changed is None:
                    raise
                # Remembered, so that the next chat is not refused first.
                self._refused = (*self._refused, error)
                body = changed

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> list[Vector]:
        """A vector a text, in their order; `embed_lots` keeps what came before a failure.

        Raises:
            EndpointError: when they cannot be had, or differ in length.
            CancelledError: when `cancel` was raised meanwhile.
        """
        vectors: list[Vector] = [[] for _ in texts]
        for places, found in self.embed_lots(texts, cancel=cancel):
            vectors[places.start : places.stop] = found
        return vectors

    def embed_lots(
        self,
        texts: Sequence[str],
        tokens: Sequence[int] | None = None,
        *,
        length: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Iterator[tuple[range, list[Vector]]]:
        """The vectors of `texts` lot by lot, as they come: places in `texts`, a vector each.

        Several requests are made at once. When one fails for good, none is begun any more, and
        what came is given before the failure is raised. A lot that the endpoint refuses as too
        large is asked for in halves; a text that it refuses alone as too long is named.

        Args:
            texts: none empty.
            tokens: of each text; None: no more than it can have.
            length: of a vector, where it is known.
            cancel: raised, no further request is begun; those under way are waited for.

        Raises:
            EndpointError: when they cannot be had, or differ in length.
            CostLimitError: before a request that could cost more than `settings.max_cost` in all.
            CancelledError: when `cancel` was raised meanwhile.
        """
        counted = most_tokens(texts) if tokens is None else tokens
        agreed = _Length(length)

        def ask(places: range, stop: CancelToken) -> list[Vector]:
            part = [sendable(texts[place]) for place in places]
            body = {"model": self.settings.model, "input": part, "encoding_format": "float"}

            def read(answer: Any) -> list[Vector]:
                return agreed.checked(read_vectors(answer, len(part)))

            return self._call("embeddings", body, read, stop, _sum(counted, places))

        yield from self._run(texts, counted, ask, cancel)

    def rerank_lots(
        self,
        questions: Sequence[str],
        texts: Sequence[str],
        tokens: Sequence[int] | None = None,
        *,
        cancel: CancelToken | None = None,
    ) -> Iterator[tuple[range, list[float]]]:
        """The scores of texts, each for its question, higher is better, lot by lot as `embed_lots`.

        Args:
            questions: one a text; those of one question should stand side by side.
            texts: none empty.
            tokens: of each text together with its question; None: no more than it can have.
            cancel: raised, no further request is begun; those under way are waited for.

        Raises:
            EndpointError: when they cannot be had.
            CostLimitError: before a request that could cost more than `settings.max_cost` in all.
            CancelledError: when `cancel` was raised meanwhile.
        """
        both = zip(most_tokens(questions), most_tokens(texts), strict=True)
        counted = [sum(one) for one in both] if tokens is None else tokens

        def ask(places: range, stop: CancelToken) -> list[float]:
            part = [sendable(texts[place]) for place in places]
            body = {
                "model": self.settings.model,
                "query": sendable(questions[places.start]),
                "documents": part,
                "top_n": len(part),
            }

            def read(answer: Any) -> list[float]:
                return read_scores(answer, len(part))

            return self._call("rerank", body, read, stop, _sum(counted, places))

        yield from self._run(texts, counted, ask, cancel, questions)

    def _run(
        self,
        texts: Sequence[str],
        counted: Sequence[int],
        ask: Callable[[range, CancelToken], Answer],
        cancel: CancelToken | None,
        kinds: Sequence[object] | None = None,
    ) -> Iterator[tuple[range, Answer]]:
        if cancel is not None:
            cancel.check()
        settings = self.settings
        cut = list(cut_lots(counted, self._batch, settings.tokens_per_request, kinds))
        lots = Lots(cut, self._batch)

        def work(places: range, stop: CancelToken) -> Answer | None:
            try:
                return ask(places, stop)
            except EndpointError as error:
                too_many, too_long = _too_many(error), _too_long(error)
                if len(places) > 1 and (too_many or too_long):
                    lots.halve(places, all_others=too_many)
                    # What it takes at once is not asked again.
                    self._batch = min(self._batch, lots.most)
                    return None
                if not too_long:
                    raise
                # Halved until it stood alone, so that it is known which text it is.
                raise _naming(error, texts[places[0]], counted[places[0]]) from None

        for places, found in run_all(lots.take, work, min(settings.concurrency, len(cut)), cancel):
            if found is not None:
                yield places, found

    def _call(
        self,
        path: str,
        body: object,
        read: Callable[[Any], Answer],
        cancel: CancelToken | None,
        tokens: int = 0,
    ) -> Answer:
        tries = 0
        while True:
            try:
                return self._try(path, body, read, cancel, tokens)
            except CostLimitError:
                raise
            except NobodyError as error:
                # A server that was there may come back; one that never was is not waited for.
                tries += 1
                if not self._answered or tries > self.settings.retries:
                    raise self._named(error, tries) from None
                wait = backoff(tries, error.wait, self._chance)
            except PassingError as error:
                self._answered = True
                tries += 1
                if tries > self.settings.retries:
                    raise self._named(error, tries) from None
                wait = backoff(tries, error.wait, self._chance)
            except EndpointError as error:
                raise self._named(error) from None
            pause(wait, self.sleep, cancel)

    def _try(
        self,
        path: str,
        body: object,
        read: Callable[[Any], Answer],
        cancel: CancelToken | None,
        tokens: int,
    ) -> Answer:
        """One request, within `max_cost`; its tokens are counted."""
        settings = self.settings
        url = f"{settings.url.rstrip('/')}/{path}"
        key = key_of(settings)
        expected = Usage(1, tokens)
        held = self.meter.hold(expected, settings)
        try:
            self._pace.wait(cancel, tokens)
            answer = post_json(url, body, key=key, timeout=settings.timeout, direct=is_local(url))
            self._answered = True
            found = read(answer)
        except BaseException as error:
            self.meter.release(held, billed=isinstance(error, EndpointError) and error.billed)
            raise
        self.meter.settle(held, expected, read_usage(answer))
        return found

    def _named(self, error: EndpointError, tries: int = 0) -> EndpointError:
        often = f" (tried {tries} times)" if tries > 1 else ""
        return EndpointError(
            f"endpoint {self.settings.url}, model {self.settings.model}: {error}{often}",
            status=error.status,
        )


class _Length:
    """The one length of all vectors, whichever thread comes first."""

    def __init__(self, length: int | None) -> None:
        self._lock = threading.Lock()
        self._length = length

    def checked(self, vectors: list[Vector]) -> list[Vector]:
        with self._lock:
            self._length = self._length or len(vectors[0])
            if len(vectors[0]) != self._length:
                raise PassingError(
                    f"its vectors differ in length ({len(vectors[0])} numbers, {self._length} "
                    "before)",
                    billed=True,
                )
        return vectors


def _sum(counted: Sequence[int], places: range) -> int:
    return sum(counted[places.start : places.stop])


def _too_many(error: EndpointError) -> bool:
    return error.status in _ABOUT_INPUT and _TOO_MANY.search(str(error)) is not None


def _too_long(error: EndpointError) -> bool:
    return error.status in _ABOUT_INPUT and _TOO_LONG.search(str(error)) is not None


def _naming(error: EndpointError, text: str, tokens: int) -> EndpointError:
    return EndpointError(
        f"{error}; the text has {tokens:,} tokens by our count and begins {text[:_SHOWN]!r}: make "
        "chunks smaller",
        status=error.status,
    )
