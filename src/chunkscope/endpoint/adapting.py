"""Settings of a chat that some models refuse, left out or renamed when they say so."""

import re
from collections.abc import Mapping
from typing import Any

from chunkscope.endpoint.errors import EndpointError

_REFUSALS = frozenset({400, 422})
_LONGEST, _LONGEST_TOO = "max_tokens", "max_completion_tokens"
_OPTIONAL = ("temperature", "seed")


def adapted(body: Mapping[str, Any], error: EndpointError) -> dict[str, Any] | None:
    """The request as the endpoint says it wants it; None where it names none of these settings.

    `max_tokens` becomes `max_completion_tokens`; `temperature` and `seed` are left out.
    """
    if error.status not in _REFUSALS:
        return None
    message = str(error)
    if _LONGEST_TOO in message and _LONGEST in body:
        changed = {key: value for key, value in body.items() if key != _LONGEST}
        return {**changed, _LONGEST_TOO: body[_LONGEST]}
    for name in _OPTIONAL:
        if name in body and re.search(rf"\b{name}\b", message):
            return {key: value for key, value in body.items() if key != name}
    return None
