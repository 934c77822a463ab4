"""What requests cost: before they are made, and as they are."""

import threading
from dataclasses import dataclass

from chunkscope.endpoint.settings import EndpointSettings

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or several requests.

    Attributes:
        requests: answers that came.
        tokens_in: tokens sent.
        tokens_out: tokens received.
    """

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.requests + other.requests,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
        )


def cost(usage: Usage, settings: EndpointSettings) -> float | None:
    """The price of `usage`, in the unit the prices are given in; None without both prices."""
    if settings.price_in is None or settings.price_out is None:
        return None
    spent = usage.tokens_in * settings.price_in + usage.tokens_out * settings.price_out
    return spent / _MILLION


class Meter:
    """Adds up usage; shared by threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._usage = Usage()

    def add(self, usage: Usage) -> None:
        """Count one more answer."""
        with self._lock:
            self._usage = self._usage + usage

    @property
    def usage(self) -> Usage:
        """All so far."""
        with self._lock:
            return self._usage
