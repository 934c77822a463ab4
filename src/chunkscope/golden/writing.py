"""Writing golden questions: whole or not at all, and what was not touched stays as it was."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chunkscope.errors import InputError
from chunkscope.golden.atomic import ChangedError, Replaced, digest, update_file
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.golden.reading import (
    FieldError,
    golden_from_bytes,
    parse_json,
    question_from_mapping,
)

_LEAD = re.compile(r"[\ufeff\s]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


def write_golden(golden: GoldenSet, path: Path, *, known: str | None = None) -> Replaced:
    """Write the golden set to `path`: the new file whole, or the previous one untouched.

    A question read from a file and not changed is written with the same bytes; a changed one
    keeps its unknown keys and the order of its keys.

    Args:
        golden: the questions.
        path: the file.
        known: the digest of what the file is known to hold (`GoldenSet.digest` of what was read,
            `after` of what was written, empty: no file); None: whatever it holds is replaced.

    Raises:
        ChangedError: when there is a file and it holds something else than `known`.
        InputError: when two ids are the same, a question is no valid line, or the file cannot
            be written.
    """
    data = _to_bytes(golden, path)

    def change(before: bytes | None) -> bytes:
        if known is not None and before is not None and digest(before) != known:
            raise ChangedError(
                f"{path}: changed on the disk meanwhile; nothing was written: read it "
                "again, or save to another file"
            )
        return data

    return update_file(path, change)


def append_question(path: Path, question: Question) -> Replaced:
    """Add one question as the last line of the file, or make the file with it.

    What other processes write to the file stays.

    Raises:
        InputError: when its id stands in the file already, it is no valid line, or the file
            cannot be read or written.
    """
    added = replace(question, raw="", line=0)

    def change(before: bytes | None) -> bytes:
        golden = golden_from_bytes(before or b"", path)
        return _to_bytes(replace(golden, questions=(*golden.questions, added)), path)

    return update_file(path, change)


def _to_bytes(golden: GoldenSet, path: Path) -> bytes:
    _check_ids(golden.questions, path)
    lines = [_line(question, path) for question in golden.questions]
    return _join([*lines, golden.tail])


def format_line(question: Question) -> str:
    """The question as one line of JSON, without a line end."""
    return _dump(question_to_mapping(question), ascii_only=False)


def question_to_mapping(
    question: Question, before: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The question as a JSON object.

    Args:
        question: the question.
        before: the object it was read from; the order of its keys is kept.
    """
    before = before or {}
    known: dict[str, Any] = {
        "id": question.id,
        "question": question.question,
        "doc": question.doc,
        "evidence": _items(question.evidence, before.get("evidence")),
        "answer": question.answer,
        "type": question.type,
    }
    kept = {key: value for key, value in known.items() if value is not None or key in before}
    return _in_order(kept, question.extra, before)


def _items(items: Sequence[Evidence], before: object) -> list[dict[str, Any]]:
    old = before if isinstance(before, list) else []
    known = {entry["text"]: entry for entry in reversed(old)}
    return [_item(item, known.get(item.text, {})) for item in items]


def _item(item: Evidence, before: Mapping[str, Any]) -> dict[str, Any]:
    known: dict[str, Any] = {
        "text": item.text,
        "start": item.start,
        "end": item.end,
        "doc": item.doc,
        "alternatives": None,
    }
    if item.alternatives or before.get("alternatives") is not None:
        known["alternatives"] = _items(item.alternatives, before.get("alternatives"))
    kept = {key: value for key, value in known.items() if value is not None or key in before}
    return _in_order(kept, item.extra, before)


def _in_order(
    known: Mapping[str, Any], extra: Mapping[str, Any], before: Mapping[str, Any]
) -> dict[str, Any]:
    mapping = {**known, **{key: value for key, value in extra.items() if key not in known}}
    return {**{key: mapping[key] for key in before if key in mapping}, **mapping}


def _line(question: Question, path: Path) -> str:
    before: Mapping[str, Any] | None = None
    if question.raw:
        before = parse_json(question.raw.removeprefix("\ufeff"))
        if question_from_mapping(before, line=question.line) == question:
            return question.raw
    mapping = question_to_mapping(question, before)
    try:
        question_from_mapping(mapping)
        ascii_only = question.raw.isascii() and "\\u" in question.raw
        line = _dump(mapping, ascii_only=ascii_only)
    except (FieldError, TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: question {json.dumps(question.id)}: {error}") from None
    lead = _LEAD.match(question.raw)
    return f"{lead.group() if lead else ''}{line}{_line_end(question.raw)}"


def _dump(mapping: Mapping[str, Any], *, ascii_only: bool) -> str:
    text = json.dumps(mapping, ensure_ascii=ascii_only, allow_nan=False)
    # A file of UTF-8 cannot hold half a surrogate pair; its escape can.
    return _SURROGATE.sub(lambda half: f"\\u{ord(half.group()):04x}", text)


def _line_end(raw: str) -> str:
    return "\r\n" if raw.endswith("\r\n") else "\n"


def _join(lines: Iterable[str]) -> bytes:
    parts: list[str] = []
    for line in lines:
        if not line:
            continue
        if parts and not parts[-1].endswith("\n"):
            parts.append("\n")
        # Moved away from the file's head, a byte order mark would be part of a line.
        parts.append(line.removeprefix("\ufeff") if parts else line)
    return "".join(parts).encode("utf-8")


def _check_ids(questions: Iterable[Question], path: Path) -> None:
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise InputError(
                f"{path}: id {json.dumps(question.id)} stands twice; give every question its own id"
            )
        seen.add(question.id)
