"""One HTTP request: JSON out, JSON back, within a deadline; no redirects are followed."""

import json
import re
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Protocol

from chunkscope.endpoint.errors import EndpointError, NobodyError, PassingError
from chunkscope.endpoint.settings import Secret

if TYPE_CHECKING:
    from email.message import Message

ANSWER_LIMIT = 64 * 1024 * 1024
"""Longest answer read, in bytes."""

_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_READ = 64 * 1024
_SHOWN = 200
_LIKE_A_KEY = re.compile(r"\b(?:(?:sk|pk|key|hf|gsk|xai)[-_]|Bearer )[\w.*-]{6,}", re.IGNORECASE)
_DURATION = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(h|ms|m|s|$)")
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "": 1.0, "ms": 0.001}


class _Body(Protocol):
    def read1(self, amount: int, /) -> bytes: ...


def post_json(
    url: str,
    body: object,
    *,
    key: str,
    timeout: float,
    direct: bool,
    clock: Callable[[], float] = time.monotonic,
) -> Any:
    """POST `body` as JSON; the answer's JSON.

    Args:
        url: where to.
        body: what to send.
        key: sent as a bearer token; empty: none is sent.
        timeout: seconds until the answer has to be there whole.
        direct: no proxy of the environment is used.
        clock: seconds, for the deadline.

    Raises:
        PassingError: a time-out, a broken connection, a busy or failing server, broken JSON.
        EndpointError: anything that stays as it is. No message holds the key.
    """
    # Only whoever calls an endpoint pays for loading this.
    import http.client
    import urllib.error
    import urllib.request

    class NoRedirect(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_arguments: Any) -> None:
            # Whoever is named there would get the key.
            return None

    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key:
        headers["Authorization"] = Secret(f"Bearer {key}")
    data = json.dumps(body, ensure_ascii=True).encode("ascii")
    request = urllib.request.Request(url, data, headers, method="POST")
    handlers = [NoRedirect(), *([urllib.request.ProxyHandler({})] if direct else [])]
    deadline = clock() + timeout
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=timeout) as answer:
            payload = _read(answer, deadline, clock)
    except urllib.error.HTTPError as error:
        with error:
            raise _refused(error.code, error.headers, _body_of(error), key) from None
    except TimeoutError:
        raise PassingError(f"no whole answer within {timeout:g} seconds", billed=True) from None
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise PassingError(f"no answer within {timeout:g} seconds") from None
        reason = _reason(error.reason, key)
        if isinstance(error.reason, ConnectionRefusedError):
            raise NobodyError(
                f"cannot be reached ({reason}): nobody listens there; start it, or check the "
                "address"
            ) from None
        raise PassingError(f"cannot be reached ({reason})") from None
    except (OSError, http.client.HTTPException) as error:
        raise PassingError(f"connection broke off ({_reason(error, key)})", billed=True) from None
    try:
        return json.loads(payload)
    except (ValueError, RecursionError):
        raise PassingError("its answer is not JSON", billed=True) from None


def _read(answer: _Body, deadline: float, clock: Callable[[], float]) -> bytes:
    # A time-out of the socket alone would never end an answer that trickles.
    parts: list[bytes] = []
    size = 0
    while part := answer.read1(_READ):
        parts.append(part)
        size += len(part)
        if size > ANSWER_LIMIT:
            raise EndpointError(
                f"its answer is longer than {ANSWER_LIMIT} bytes; ask for less at once", billed=True
            )
        if clock() > deadline:
            raise TimeoutError
    return b"".join(parts)


def _body_of(error: Any) -> bytes:
    try:
        body: bytes = error.read(_READ)
    except (OSError, ValueError):
        return b""
    return body


def _refused(code: int, headers: "Message", body: bytes, key: str) -> EndpointError:
    said = _message(body, key)
    message = f"answers HTTP {code}" + (f": {said}" if said else "")
    if code in _PASSING:
        return PassingError(message, wait_of(headers), status=code)
    if 300 <= code < 400:
        message += "; redirects are not followed: give the address it leads to"
    elif code in (401, 403):
        message += "; check the key in the environment"
    return EndpointError(message, status=code)


def _message(body: bytes, key: str) -> str:
    text = body.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        error = value.get("error", value.get("detail", value.get("message")))
        text = str(error.get("message", "")) if isinstance(error, dict) else str(error or "")
    elif text.lstrip().startswith("<"):
        text = ""
    text = " ".join(without_secrets(text, key).split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def without_secrets(text: str, key: str) -> str:
    """`text` without the key and without what looks like one."""
    if key:
        text = text.replace(key, "[key]")
    return _LIKE_A_KEY.sub("[key]", text)


def _reason(error: object, key: str) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(without_secrets(str(text), key).split())[:_SHOWN]


def wait_of(headers: "Message") -> float | None:
    """Seconds that an answer asks to wait before another try; None: it does not say."""
    value = headers.get("Retry-After")
    if value is None:
        return _reset(headers)
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _reset(headers: "Message") -> float | None:
    """Seconds until the limits that are used up stand open again, such as `6m0s` or `12ms`."""
    waits = []
    for kind in ("requests", "tokens"):
        if headers.get(f"x-ratelimit-remaining-{kind}", "").strip() == "0":
            value = headers.get(f"x-ratelimit-reset-{kind}", "").strip()
            parts = _DURATION.findall(value)
            if parts and "".join(map("".join, parts)) == value:
                waits.append(sum(float(number) * _UNITS[unit] for number, unit in parts))
    return max(waits, default=None)
