"""What an endpoint's answers hold, looked at strictly: nothing is guessed."""

import base64
import binascii
import math
import struct
from dataclasses import dataclass
from typing import Any

from chunkscope.endpoint.cost import Usage
from chunkscope.endpoint.errors import PassingError

Vector = list[float]


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


def read_reply(answer: Any) -> Reply:
    """The text of a chat's answer.

    Raises:
        PassingError: when it holds none.
    """
    try:
        choice = answer["choices"][0]
        text = choice["message"]["content"]
    except (TypeError, KeyError, IndexError):
        raise _unusable("its answer has no choices[0].message.content") from None
    if text is not None and not isinstance(text, str):
        raise _unusable("its answer's content is not text")
    model = answer.get("model")
    return Reply(
        text or "",
        read_usage(answer),
        model if isinstance(model, str) else "",
        choice.get("finish_reason") == "length",
    )


def read_vectors(answer: Any, count: int, length: int | None = None) -> list[Vector]:
    """The vectors of `count` texts in their order, of `length` numbers each where that is given.

    A vector is a list of numbers, or the base64 of 32-bit floats.

    Raises:
        PassingError: when it holds anything else.
    """
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or len(data) != count:
        raise _unusable(f"its answer does not hold {count} vectors")
    vectors = [_vector(entry.get("embedding")) if isinstance(entry, dict) else None
               for entry in data]  # fmt: skip
    found: dict[int, Vector] = {}
    for place, (entry, vector) in enumerate(zip(data, vectors, strict=True)):
        if not vector:
            raise _unusable("its answer holds a vector that is not a list of numbers")
        found[_index(entry.get("index", place))] = vector
    if sorted(found) != list(range(count)):
        raise _unusable("its answer does not hold one vector a text")
    lengths = {len(vector) for vector in found.values()} | ({length} if length else set())
    if len(lengths) > 1:
        shown = " and ".join(map(str, sorted(lengths)))
        raise _unusable(f"its vectors differ in length ({shown} numbers)")
    return [found[index] for index in range(count)]


def read_scores(answer: Any, count: int) -> list[float]:
    """The scores of `count` texts in their order.

    They stand under `results` or `data`, or alone, as `relevance_score` or `score`, with `index`.

    Raises:
        PassingError: when it holds anything else.
    """
    listed = answer
    if isinstance(answer, dict):
        listed = answer.get("results", answer.get("data"))
    if not isinstance(listed, list) or len(listed) != count:
        raise _unusable(f"its answer does not hold {count} scores")
    found: dict[int, float] = {}
    for entry in listed:
        if not isinstance(entry, dict):
            raise _unusable("its answer holds a score without an index")
        score = _number(entry.get("relevance_score", entry.get("score")))
        if score is None:
            raise _unusable("its answer holds a score that is not a number")
        found[_index(entry.get("index"))] = score
    if sorted(found) != list(range(count)):
        raise _unusable("its answer does not hold one score a text")
    return [found[index] for index in range(count)]


def read_usage(answer: Any) -> Usage:
    """Tokens as the endpoint counts them; of an endpoint that does not, 0."""
    usage = answer.get("usage") if isinstance(answer, dict) else None
    counted = usage if isinstance(usage, dict) else {}

    def tokens(name: str) -> int:
        value = counted.get(name)
        return value if type(value) is int and value > 0 else 0

    received = tokens("completion_tokens")
    sent = tokens("prompt_tokens") or max(0, tokens("total_tokens") - received)
    return Usage(1, sent, received)


def _vector(value: object) -> Vector | None:
    if isinstance(value, str):
        return _packed(value)
    if not isinstance(value, list):
        return None
    if set(map(type, value)) == {float}:
        # Nearly always so, and many numbers a vector.
        return value if all(map(math.isfinite, value)) else None
    numbers = [_number(one) for one in value]
    found = [number for number in numbers if number is not None]
    return found if len(found) == len(numbers) else None


def _packed(value: str) -> Vector | None:
    # Some servers answer so whatever they are asked for; what came is paid for, and exact.
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(data) % 4:
        return None
    numbers = list(struct.unpack(f"<{len(data) // 4}f", data))
    return numbers if all(map(math.isfinite, numbers)) else None


def _number(value: object) -> float | None:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _index(value: object) -> int:
    if type(value) is not int:
        raise _unusable("its answer holds an index that is not a whole number, so that no text "
                        "has a vector or score for sure")  # fmt: skip
    return value


def _unusable(message: str) -> PassingError:
    return PassingError(message, billed=True)
