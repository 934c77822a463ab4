"""Which endpoint is called, and within which limits."""

import ipaddress
import math
import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from chunkscope.errors import InputError

KEY_VARIABLE = "OPENAI_API_KEY"

_PRICES = ("price_in", "price_out", "max_cost")


@dataclass(frozen=True)
class EndpointSettings:
    """One endpoint and the limits a client keeps to.

    Attributes:
        url: base address, such as `http://localhost:11434/v1`.
        model: the model's name there.
        key_variable: environment variable that holds the key; unset: no key is sent.
        timeout: seconds until an answer has to be there whole.
        retries: further tries after one that may succeed later.
        requests_per_minute: most requests begun within a minute; 0: no limit.
        concurrency: most requests under way at once.
        batch: most texts embedded with one request.
        price_in: price of a million tokens sent, or None: not known.
        price_out: price of a million tokens received, or None.
        tokens_per_request: most tokens of all texts of one request, by our count.
        tokens_per_minute: most tokens sent within a minute, by our count; 0: no limit.
        max_cost: most that embedding and reranking may cost in all, of one client, in the unit
            of the prices; None: no limit.
        context_limit: tokens of one text that the model takes, where its name does not tell.
    """

    url: str
    model: str
    key_variable: str = KEY_VARIABLE
    timeout: float = 60.0
    retries: int = 5
    requests_per_minute: int = 0
    concurrency: int = 4
    batch: int = 64
    price_in: float | None = None
    price_out: float | None = None
    tokens_per_request: int = 300_000
    tokens_per_minute: int = 0
    max_cost: float | None = None
    context_limit: int | None = None

    def __post_init__(self) -> None:
        check_url(self.url)
        if not self.model.strip():
            raise InputError("model: blank; name the model to ask")
        for name in ("timeout", "concurrency", "batch", "tokens_per_request"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name}: {getattr(self, name)}; give more than 0")
        for name in ("retries", "requests_per_minute", "tokens_per_minute", *_PRICES):
            if (getattr(self, name) or 0) < 0:
                raise InputError(f"{name}: {getattr(self, name)}; give 0 or more")
        for name in _PRICES:
            if not math.isfinite(getattr(self, name) or 0):
                raise InputError(f"{name}: {getattr(self, name)}; give a number")
        if self.context_limit is not None and self.context_limit < 1:
            raise InputError(f"context_limit: {self.context_limit}; give 1 or more")
        if self.max_cost is not None and self.price_in is None:
            raise InputError("max_cost: needs the price of tokens sent; give price_in too")


def check_url(url: str) -> None:
    """Refuse addresses that cannot be called, or that carry a secret.

    Raises:
        InputError: the message holds no part of a secret.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InputError("endpoint: not a usable address; give http(s)://HOST[:PORT]/v1") from None
    if parts.username or parts.password:
        raise InputError("endpoint: holds a user or password; leave it out, keys come from the "
                         "environment")  # fmt: skip
    if parts.query or parts.fragment:
        raise InputError("endpoint: has a ? or # part; give the base address alone")
    usable = parts.scheme in ("http", "https") and parts.hostname and port != 0
    if not usable or any(character <= " " for character in url):
        raise InputError("endpoint: not a usable address; give http(s)://HOST[:PORT]/v1")


def is_local(url: str) -> bool:
    """Whether the address is this machine's own."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Secret(str):
    """A text that a traceback with its variables, or a log of values, does not show."""

    __slots__ = ()

    def __repr__(self) -> str:
        """No part of it."""
        return "'[key]'"


def key_of(settings: EndpointSettings) -> str:
    """The key in the environment, or nothing.

    Raises:
        InputError: when it cannot be a header, or would travel unencrypted; it is never shown.
    """
    key = os.environ.get(settings.key_variable, "").strip()
    if not key:
        return ""
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InputError(f"{settings.key_variable}: holds characters no key has; set it anew")
    if settings.url.lower().startswith("http:") and not is_local(settings.url):
        raise InputError(
            f"endpoint: http would send the key of {settings.key_variable} unencrypted; give "
            "https, or unset the variable"
        )
    return Secret(key)
