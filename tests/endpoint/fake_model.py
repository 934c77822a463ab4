"""A model that writes and grades questions by plain rules, behind a real endpoint."""

import json
import re
from collections.abc import Callable

from fake_endpoint import Answer, Request, said

_FENCED = re.compile(r"\n(=== [0-9a-f]{16} ===)\n(.*)\n\1", re.DOTALL)


def passage_of(request: Request) -> str:
    found = _FENCED.search(request.body["messages"][1]["content"])
    assert found is not None
    return found[2]


def is_grading(request: Request) -> bool:
    return "\nEvidence: " in _FENCED.sub("", request.body["messages"][1]["content"])


def is_checking(request: Request) -> bool:
    """Whether it asks about another passage than the one a question was written from."""
    asked = _FENCED.sub("", request.body["messages"][1]["content"])
    return "\nQuestion: " in asked and not is_grading(request)


def plain_model(
    write: Callable[[str], object] | None = None,
    grade: Callable[[str], object] | None = None,
    check: Callable[[str], object] | None = None,
) -> Callable[[Request], Answer]:
    """Answers each passage by `write`, each question by `grade`, others by `check`.

    Text goes as it is, all else as JSON.
    """

    def reply(request: Request) -> Answer:
        if is_grading(request):
            chosen = grade or good_scores
        elif is_checking(request):
            chosen = check or no_answer
        else:
            chosen = write or good_pair
        value = chosen(passage_of(request))
        if isinstance(value, Answer):
            return value
        return said(value if isinstance(value, str) else json.dumps(value), 300, 40)

    return reply


def good_pair(passage: str) -> dict[str, object]:
    """A question about the number in the passage's first sentence."""
    found = re.search(r"Berth (\d+) costs (\d+) euros a night\.", passage)
    assert found is not None
    return {
        "question": f"Price of mooring number {found[1]}?",
        "answer": f"{found[2]} euros",
        "evidence": [found[0]],
        "type": "fact",
    }


def good_scores(_passage: str) -> dict[str, int]:
    return {"groundedness": 5, "relevance": 4, "quality": 4}


def no_answer(_passage: str) -> dict[str, object]:
    return {"answers": False}
