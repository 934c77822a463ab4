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
    return "Question: " in request.body["messages"][1]["content"]


def plain_model(
    write: Callable[[str], object] | None = None, grade: Callable[[str], object] | None = None
) -> Callable[[Request], Answer]:
    """Answers each passage by `write` and each question by `grade`: text as is, all else JSON."""

    def reply(request: Request) -> Answer:
        chosen = grade if is_grading(request) else write
        value = (chosen or (good_scores if is_grading(request) else good_pair))(passage_of(request))
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
