"""A model's answers, read strictly: whatever is not as asked is no answer."""

import json
from dataclasses import dataclass
from typing import Any

_LONGEST_QUESTION = 400
_LONGEST_ANSWER = 2000
_MOST_EVIDENCE = 5
SCORES = ("groundedness", "relevance", "quality")


@dataclass(frozen=True)
class Pair:
    """A question as a model wrote it, with nothing checked yet but its form."""

    question: str
    answer: str
    evidence: tuple[str, ...]
    type: str | None


class UnusableError(Exception):
    """An answer that is not as asked; the reason is one of those counted."""


def read_pair(text: str) -> Pair:
    """The question in a model's answer.

    Raises:
        UnusableError: `nothing to ask`, or `no usable answer`.
    """
    value = _object(text)
    if "question" in value and value["question"] is None:
        raise UnusableError("nothing to ask")
    evidence = value.get("evidence")
    items = [evidence] if isinstance(evidence, str) else evidence
    if not isinstance(items, list) or not 0 < len(items) <= _MOST_EVIDENCE:
        raise UnusableError("no usable answer")
    kind = value.get("type")
    return Pair(
        _text(value.get("question"), _LONGEST_QUESTION),
        _text(value.get("answer"), _LONGEST_ANSWER),
        tuple(_text(item, None) for item in items),
        kind.strip() if isinstance(kind, str) and 0 < len(kind.strip()) <= 40 else None,
    )


def read_scores(text: str) -> dict[str, int]:
    """The three scores in a model's answer.

    Raises:
        UnusableError: `no usable scores`.
    """
    try:
        value = _object(text)
    except UnusableError:
        raise UnusableError("no usable scores") from None
    scores = {name: value.get(name) for name in SCORES}
    whole = {
        name: score for name, score in scores.items() if type(score) is int and 1 <= score <= 5
    }
    if len(whole) != len(SCORES):
        raise UnusableError("no usable scores")
    return whole


def _object(text: str) -> dict[str, Any]:
    """The first JSON object in the text: models wrap it in fences and words."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    tries = 0
    while start >= 0 and tries < 20:
        try:
            value, _end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            tries += 1
            start = text.find("{", start + 1)
            continue
        if isinstance(value, dict):
            return value
        break
    raise UnusableError("no usable answer")


def _text(value: object, longest: int | None) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UnusableError("no usable answer")
    text = value.strip()
    if longest is not None and len(text) > longest:
        raise UnusableError("no usable answer")
    return text
