"""A grade as a model gives it, read strictly: whatever is not as asked is no grade."""

import json
import re
from dataclasses import dataclass
from typing import Any

_LONGEST_REASON = 300
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
_FENCED = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n[ \t]*```\Z", re.DOTALL)
_LINE = re.compile(r"(PASS|FAIL|pass|fail):[ \t]*(\S.*)")
_GRADED_LINE = re.compile(r"\W*(?:pass|fail)\b\W*?(?::|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade and the grader's reason, one line."""

    passed: bool
    reason: str


def read_grade(text: str) -> Grade | None:
    """The grade in a model's reply; None where the reply is not as asked.

    Either the whole reply is one JSON object of `reason` (text) and `grade` (`pass` or `fail`),
    which may stand in a code fence; or its first line is `pass: REASON` or `fail: REASON` and no
    other line gives a grade. A leading `<think>` block is left out.
    """
    body = without_thought(text).strip()
    fenced = _FENCED.match(body)
    if fenced is not None:
        body = fenced[1].strip()
    return _from_json(body) if body.startswith("{") else _from_line(body)


def without_thought(text: str) -> str:
    """`text` without the block in which some models think aloud before they reply."""
    return _THOUGHT.sub("", text)


def _from_json(body: str) -> Grade | None:
    try:
        value = json.loads(body, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or set(value) != {"reason", "grade"}:
        return None
    grade, reason = value["grade"], value["reason"]
    if grade not in ("pass", "fail") or not isinstance(reason, str) or not reason.strip():
        return None
    return Grade(grade == "pass", _one_line(reason))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        # Of two grades none is the model's.
        raise ValueError("a name stands twice")
    return made


def _from_line(body: str) -> Grade | None:
    first, _, rest = body.partition("\n")
    found = _LINE.fullmatch(first.strip())
    if found is None or any(map(_GRADED_LINE.match, rest.split("\n"))):
        return None
    return Grade(found[1].lower() == "pass", _one_line(found[2]))


def _one_line(reason: str) -> str:
    line = " ".join(reason.split())
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"
