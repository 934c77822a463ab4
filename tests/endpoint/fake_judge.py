"""Models that answer from context and grade answers by plain rules, behind a real endpoint."""

import json
import re
from collections.abc import Callable

from fake_endpoint import Answer, Request, said

_FENCE = r"(=== [0-9a-f]{16} ===)"
_ANSWERING = re.compile(
    rf"\A{_FENCE}\nPassages, the best match first:\n\n(.*)\n\1\nQuestion: (.*)\n\1\Z", re.DOTALL
)
_GRADING = re.compile(
    rf"\A{_FENCE}\nQuestion: (.*)\n\1\nReference: (.*)\n\1\nAnswer: (.*)\n\1(.*)\Z", re.DOTALL
)

UNKNOWN = "The passages do not say."


def is_grading(request: Request) -> bool:
    return "grade" in request.body["messages"][0]["content"].partition("\n")[0]


def asked(request: Request) -> tuple[str, str]:
    """Context and question of a request for an answer."""
    found = _ANSWERING.match(request.body["messages"][1]["content"])
    assert found is not None
    return found[2], found[3]


def to_grade(request: Request) -> tuple[str, str, str]:
    """Question, reference and answer of a request for a grade."""
    found = _GRADING.match(request.body["messages"][1]["content"])
    assert found is not None
    return found[2], found[3], found[4]


def graded(passed: bool, reason: str = "compared word by word") -> str:
    return json.dumps({"reason": reason, "grade": "pass" if passed else "fail"})


def berth_answer(context: str, question: str) -> str:
    """The price of a berth, where the context holds its sentence."""
    number = re.search(r"\d+", question)
    assert number is not None
    found = re.search(rf"Berth {number[0]} costs (\d+) euros a night\.", context)
    return f"{found[1]} euros" if found else UNKNOWN


def same_words(_question: str, reference: str, answer: str) -> str:
    return graded(reference == answer)


def judge_model(
    answer: Callable[[str, str], object] = berth_answer,
    grade: Callable[[str, str, str], object] = same_words,
) -> Callable[[Request], Answer]:
    """Answers and grades by these functions: text as it is, an `Answer` as a whole."""

    def reply(request: Request) -> Answer:
        value = grade(*to_grade(request)) if is_grading(request) else answer(*asked(request))
        return value if isinstance(value, Answer) else said(str(value), 300, 40)

    return reply
