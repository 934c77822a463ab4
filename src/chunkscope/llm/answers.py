"""A model's answers, read strictly: whatever is not as asked is no answer."""

import json
import re
from dataclasses import dataclass
from typing import Any

_LONGEST_QUESTION = 400
_LONGEST_ANSWER = 2000
_MOST_EVIDENCE = 5
_LONGEST_REASON = 300
SCORES = ("groundedness", "relevance", "quality")
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


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
    if not isinstance(kind, str) or not 0 < len(kind.strip()) <= 40 or _CONTROL.search(kind):
        kind = None
    return Pair(
        _shown(value.get("question"), _LONGEST_QUESTION),
        _shown(value.get("answer"), _LONGEST_ANSWER),
        tuple(_text(item) for item in items),
        None if kind is None else kind.strip(),
    )


@dataclass(frozen=True)
class Grades:
    """What a model thinks of a question: scores by name, and its reason or nothing."""

    scores: dict[str, int]
    reason: str = ""


def read_grades(text: str) -> Grades:
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
    reason = value.get("reason")
    shown = reason.strip()[:_LONGEST_REASON] if isinstance(reason, str) else ""
    return Grades(whole, "" if _CONTROL.search(shown) else shown)


def read_evidence(text: str) -> str | None:
    """The evidence in an answer that says the passage answers too; None where it says it does not.

    Raises:
        UnusableError: `no usable answer`.
    """
    value = _object(text)
    if value.get("answers") is False:
        return None
    evidence = value.get("evidence")
    if isinstance(evidence, list) and len(evidence) == 1:
        evidence = evidence[0]
    if value.get("answers") is not True:
        raise UnusableError("no usable answer")
    return _text(evidence)


def _object(text: str) -> dict[str, Any]:
    """The first JSON object in the text: models wrap it in fences and words."""
    decoder = json.JSONDecoder()
    text = _THOUGHT.sub("", text)
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


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UnusableError("no usable answer")
    return value.strip()


def _shown(value: object, longest: int) -> str:
    """Text for people: neither endless nor with characters that steer a terminal."""
    text = _text(value)
    if len(text) > longest or _CONTROL.search(text):
        raise UnusableError("no usable answer")
    return text
