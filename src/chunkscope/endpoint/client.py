"""Chat and embeddings of an OpenAI-compatible endpoint."""

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from chunkscope.cancel import CancelToken
from chunkscope.endpoint.cost import Meter, Usage
from chunkscope.endpoint.errors import EndpointError, PassingError
from chunkscope.endpoint.limits import Pace, Sleep, backoff, pause
from chunkscope.endpoint.settings import EndpointSettings, is_local, key_of
from chunkscope.endpoint.transport import post_json

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Reply:
    """One answer of a chat model.

    Attributes:
        text: what it said.
        usage: tokens as the endpoint counts them; of an endpoint that does not, 0.
        model: the model's name as the endpoint gives it; empty where it does not.
        cut: whether it stopped at the limit of its length.
    """

    text: str
    usage: Usage
    model: str = ""
    cut: bool = False


@dataclass
class Client:
    """Calls one endpoint; may be shared by threads. Nothing is called before it is asked to.

    Attributes:
        settings: the endpoint and its limits.
        meter: adds up the tokens of all answers.
        sleep: waits so many seconds.
        seed: of the random part of waits, and sent along with chats that name no seed.
    """

    settings: EndpointSettings
    meter: Meter = field(default_factory=Meter)
    sleep: Sleep = time.sleep
    seed: int = 0

    def __post_init__(self) -> None:
        self._pace = Pace(self.settings.requests_per_minute, sleep=self.sleep)
        self._chance = random.Random(self.seed)

    def chat(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Reply:
        """The model's answer to `messages` (`role`, `content`).

        Raises:
            EndpointError: when it cannot be had; the message names the endpoint, not the key.
            CancelledError: when `cancel` was raised while waiting.
        """
        body = {
            "model": self.settings.model,
            "messages": [dict(message) for message in messages],
            "max_tokens": max_tokens,
            "temperature": temperature,
            "seed": self.seed if seed is None else seed,
        }
        reply = self._call("chat/completions", body, _reply, cancel)
        self.meter.add(reply.usage)
        return reply

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> list[list[float]]:
        """A vector a text, in their order, `settings.batch` texts a request.

        Raises:
            EndpointError: when they cannot be had, or differ in length.
            CancelledError: when `cancel` was raised while waiting.
        """
        vectors: list[list[float]] = []
        for first in range(0, len(texts), self.settings.batch):
            part = list(texts[first : first + self.settings.batch])
            body = {"model": self.settings.model, "input": part, "encoding_format": "float"}

            def read(answer: Any, count: int = len(part)) -> tuple[list[list[float]], Usage]:
                return _vectors(answer, count)

            found, usage = self._call("embeddings", body, read, cancel)
            self.meter.add(usage)
            vectors.extend(found)
        if len({len(vector) for vector in vectors}) > 1:
            raise self._named(EndpointError("its vectors differ in length"))
        return vectors

    def _call(
        self,
        path: str,
        body: object,
        read: Callable[[Any], Answer],
        cancel: CancelToken | None,
    ) -> Answer:
        url = f"{self.settings.url.rstrip('/')}/{path}"
        key = key_of(self.settings)
        tries = 0
        while True:
            self._pace.wait(cancel)
            try:
                answer = post_json(
                    url, body, key=key, timeout=self.settings.timeout, direct=is_local(url)
                )
                return read(answer)
            except PassingError as error:
                tries += 1
                if tries > self.settings.retries:
                    raise self._named(error, tries) from None
                wait = backoff(tries, error.wait, self._chance)
            except EndpointError as error:
                raise self._named(error) from None
            pause(wait, self.sleep, cancel)

    def _named(self, error: EndpointError, tries: int = 0) -> EndpointError:
        often = f" (tried {tries} times)" if tries > 1 else ""
        return EndpointError(
            f"endpoint {self.settings.url}, model {self.settings.model}: {error}{often}"
        )


def _reply(answer: Any) -> Reply:
    try:
        choice = answer["choices"][0]
        text = choice["message"]["content"]
    except (TypeError, KeyError, IndexError):
        raise PassingError("its answer has no choices[0].message.content") from None
    if text is not None and not isinstance(text, str):
        raise PassingError("its answer's content is not text")
    model = answer.get("model")
    return Reply(
        text or "",
        _usage(answer),
        model if isinstance(model, str) else "",
        choice.get("finish_reason") == "length",
    )


def _vectors(answer: Any, count: int) -> tuple[list[list[float]], Usage]:
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or len(data) != count:
        raise PassingError(f"its answer does not hold {count} vectors")
    found: dict[int, list[float]] = {}
    for place, entry in enumerate(data):
        vector = entry.get("embedding") if isinstance(entry, dict) else None
        index = entry.get("index", place) if isinstance(entry, dict) else None
        if not isinstance(vector, list) or not vector or not all(map(_is_number, vector)):
            raise PassingError("its answer holds a vector that is not a list of numbers")
        if isinstance(index, int):
            found[index] = [float(value) for value in vector]
    if sorted(found) != list(range(count)):
        raise PassingError("its answer does not hold one vector a text")
    return [found[index] for index in range(count)], _usage(answer)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _usage(answer: Any) -> Usage:
    usage = answer.get("usage")
    counted = usage if isinstance(usage, dict) else {}

    def tokens(name: str) -> int:
        value = counted.get(name)
        return value if isinstance(value, int) and value > 0 else 0

    return Usage(1, tokens("prompt_tokens"), tokens("completion_tokens"))
