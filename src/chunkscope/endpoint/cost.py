"""What requests cost: before they are made, and as they are."""

import math
import threading
from dataclasses import dataclass

from chunkscope.endpoint.errors import CostLimitError
from chunkscope.endpoint.settings import EndpointSettings

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or several requests.

    Attributes:
        requests: answers that came.
        tokens_in: tokens sent.
        tokens_out: tokens received.
        estimated: of `tokens_in`, those by our own count, where no endpoint reported any.
    """

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.requests + other.requests,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.estimated + other.estimated,
        )


def cost(usage: Usage, settings: EndpointSettings) -> float | None:
    """The price of `usage`, in the unit the prices are given in; None without a price it needs.

    It always needs the price of tokens sent, and that of tokens received where there are any.
    """
    if settings.price_in is None or (usage.tokens_out and settings.price_out is None):
        return None
    spent = usage.tokens_in * settings.price_in + usage.tokens_out * (settings.price_out or 0.0)
    return spent / _MILLION


def described(usage: Usage, settings: EndpointSettings) -> str:
    """Requests, tokens sent and their price in words; what is estimated is said to be."""
    price = cost(usage, settings)
    money = "cost unknown without a price" if price is None else f"cost {price:.6g}"
    share = "" if not usage.estimated else (
        " by our count" if usage.estimated == usage.tokens_in
        else f", {usage.estimated:,} of them by our count"
    )  # fmt: skip
    requests = f"{usage.requests:,} request{'' if usage.requests == 1 else 's'}"
    return f"{requests}, {usage.tokens_in:,} tokens sent{share}, {money}"


class Meter:
    """Adds up usage, and keeps it below the most it may cost; shared by threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._usage = Usage()
        self._lost = Usage()
        self._held = Usage()
        # Of the answers that reported their tokens: how many we expected, and how many it were.
        self._expected = 0
        self._reported = 0

    def add(self, usage: Usage) -> None:
        """Count one more answer."""
        with self._lock:
            self._usage = self._usage + usage

    def hold(self, expected: Usage, settings: EndpointSettings) -> Usage:
        """Set aside what a request may cost; to be given to `settle` or `release`.

        Raises:
            CostLimitError: when it could cost more than `settings.max_cost` in all.
        """
        with self._lock:
            most = Usage(
                expected.requests,
                self._scaled(expected.tokens_in),
                expected.tokens_out,
            )
            before = self._usage + self._lost + self._held
            total = cost(before + most, settings)
            if settings.max_cost is not None and total is not None and total > settings.max_cost:
                spent, following = cost(before, settings), cost(most, settings)
                raise CostLimitError(spent or 0.0, following or 0.0, settings.max_cost)
            self._held = self._held + most
        return most

    def settle(self, held: Usage, expected: Usage, reported: Usage) -> None:
        """An answer came: count what it reports, or what was expected where it reports none."""
        with self._lock:
            self._drop(held)
            if not reported.tokens_in:
                reported = Usage(1, expected.tokens_in, reported.tokens_out, expected.tokens_in)
            elif expected.tokens_in:
                self._expected += expected.tokens_in
                self._reported += reported.tokens_in
            self._usage = self._usage + reported

    def release(self, held: Usage, *, billed: bool) -> None:
        """No answer came; where it may be billed all the same, it counts as lost."""
        with self._lock:
            self._drop(held)
            if billed:
                self._lost = self._lost + held

    @property
    def usage(self) -> Usage:
        """All answers so far."""
        with self._lock:
            return self._usage

    @property
    def lost(self) -> Usage:
        """Requests whose answer never came whole, but may be billed; the cap counts them."""
        with self._lock:
            return self._lost

    def _scaled(self, tokens: int) -> int:
        # An endpoint that counts more than we do will do so again; none is taken to count less.
        if self._reported <= self._expected:
            return tokens
        return math.ceil(tokens * self._reported / self._expected)

    def _drop(self, held: Usage) -> None:
        self._held = Usage(
            self._held.requests - held.requests,
            self._held.tokens_in - held.tokens_in,
            self._held.tokens_out - held.tokens_out,
        )
