"""One number for a golden set: the same for the same questions and evidence."""

import hashlib
import json
from typing import Any

from chunkscope.golden.model import Evidence, GoldenSet, Question


def fingerprint(golden: GoldenSet) -> str:
    """SHA-256, in hex, over canonical JSON of id, question, doc and evidence, in file order.

    Evidence counts with its offsets, own document and alternatives; answers, types and
    unknown keys do not count.
    """
    entries = [_question(question) for question in golden.questions]
    text = json.dumps(entries, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _question(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "question": question.question,
        "doc": question.doc,
        "evidence": [_evidence(item) for item in question.evidence],
    }


def _evidence(item: Evidence) -> dict[str, Any]:
    return {
        "text": item.text,
        "start": item.start,
        "end": item.end,
        "doc": item.doc,
        "alternatives": [_evidence(alternative) for alternative in item.alternatives],
    }
