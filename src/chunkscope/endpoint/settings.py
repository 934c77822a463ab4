"""Which endpoint is called, and within which limits."""

import ipaddress
import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from chunkscope.errors import InputError

KEY_VARIABLE = "OPENAI_API_KEY"


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

    def __post_init__(self) -> None:
        check_url(self.url)
        if not self.model.strip():
            raise InputError("model: blank; name the model to ask")
        for name in ("timeout", "concurrency", "batch"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name}: {getattr(self, name)}; give more than 0")
        for name in ("retries", "requests_per_minute", "price_in", "price_out"):
            if (getattr(self, name) or 0) < 0:
                raise InputError(f"{name}: {getattr(self, name)}; give 0 or more")


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
    return key
