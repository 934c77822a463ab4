"""Verdicts on generated questions, as golden lines keep them, and what is still to be reviewed.

A verdict stands in the question's key `review`: who, when (ISO, UTC) and which. A generated
question has a key `generated`; one without it was written by hand and counts as accepted.
"""

import getpass
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from chunkscope.errors import InputError
from chunkscope.golden.model import Question

Verdict = Literal["accepted", "rejected", "edited"]
Status = Literal["new", "edited", "accepted", "rejected", "by hand"]

TO_REVIEW: frozenset[Status] = frozenset({"new", "edited"})

_REVIEW, _GENERATED = "review", "generated"
_KNOWN: tuple[Status, ...] = ("accepted", "rejected", "edited")


def utc_now() -> datetime:
    """The time now."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Reviewer:
    """Who reviews.

    Attributes:
        by: the name that is kept with a verdict.
        now: tells the time.
    """

    by: str
    now: Callable[[], datetime] = utc_now

    def __post_init__(self) -> None:
        if not self.by.strip():
            raise InputError("--by: blank; give the name to keep with each verdict")

    def judge(self, question: Question, verdict: Verdict) -> Question:
        """The question with this verdict; what else its keys hold stays."""
        extra = dict(question.extra)
        before = extra.get(_REVIEW)
        kept: dict[str, Any] = dict(before) if isinstance(before, Mapping) else {}
        if before is not None and not isinstance(before, Mapping):
            kept["before"] = before
        edited = kept.pop("edited", False) or kept.get("verdict") == "edited"
        at = self.now().astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat()
        kept.update(by=self.by, at=f"{at}Z", verdict=verdict)
        if edited and verdict != "edited":
            kept["edited"] = True
        extra[_REVIEW] = kept
        generated = extra.get(_GENERATED)
        if verdict != "edited" and isinstance(generated, Mapping) and "reviewed" in generated:
            extra[_GENERATED] = {**generated, "reviewed": True}
        return replace(question, extra=extra)


def login_name() -> str:
    """The name of who is logged in.

    Raises:
        InputError: when the system knows none.
    """
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        raise InputError("--by: the system tells no login name; give --by NAME") from None


def status(question: Question) -> Status:
    """What is known of a question's review."""
    review = question.extra.get(_REVIEW)
    verdict = review.get("verdict") if isinstance(review, Mapping) else None
    for known in _KNOWN:
        if verdict == known:
            return known
    generated = question.extra.get(_GENERATED)
    if not generated:
        return "by hand"
    reviewed = isinstance(generated, Mapping) and generated.get("reviewed") is True
    return "accepted" if reviewed else "new"


def said_of(question: Question) -> str:
    """Status, reviewer and time, as far as they are known, for a person."""
    review = question.extra.get(_REVIEW)
    said: str = status(question)
    if said == "by hand" or not isinstance(review, Mapping):
        return {"new": "new", "by hand": "written by hand"}.get(said, said)
    by, at = review.get("by"), review.get("at")
    said += " after an edit" if review.get("edited") is True else ""
    said += f" by {by}" if isinstance(by, str) else ""
    return said + (f" at {at}" if isinstance(at, str) else "")


@dataclass(frozen=True)
class Origin:
    """What a generated question's key `generated` tells.

    Attributes:
        scores: the grader's, by name.
        reason: the grader's words, if they were kept.
        model: what wrote it; empty when that is not known.
    """

    scores: Mapping[str, float]
    reason: str
    model: str


def origin(question: Question) -> Origin:
    """Scores, reason and model of a question, as far as they were kept."""
    generated = question.extra.get(_GENERATED)
    known: Mapping[str, Any] = generated if isinstance(generated, Mapping) else {}
    scores = known.get("scores")
    numbers = {
        str(name): score
        for name, score in (scores.items() if isinstance(scores, Mapping) else ())
        if isinstance(score, int | float) and not isinstance(score, bool)
    }
    reasons = known.get("reasons", known.get("reason"))
    if isinstance(reasons, Mapping):
        said = "; ".join(f"{name}: {text}" for name, text in reasons.items())
    else:
        said = reasons if isinstance(reasons, str) else ""
    model = known.get("model")
    return Origin(numbers, said, model if isinstance(model, str) else "")
