"""Reading golden questions: JSON Lines, one question a line, every bad line named."""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from chunkscope.errors import InputError
from chunkscope.golden.model import Evidence, GoldenSet, Question

LINE_LIMIT = 64 * 1024 * 1024
"""Longest line read, in bytes; a longer one is no golden question."""

QUESTION_KEYS = ("id", "question", "doc", "evidence", "answer", "type")
EVIDENCE_KEYS = ("text", "start", "end", "doc", "alternatives")

_BOM = "\ufeff"
_SHOWN = 60


class FieldError(ValueError):
    """What is wrong with a line, without file and line number."""


def read_golden(path: Path) -> GoldenSet:
    """The golden set in a JSON Lines file; blank lines and a byte order mark are allowed.

    Raises:
        InputError: when the file cannot be read or a line is bad; it names file, line, field.
    """
    try:
        if not path.is_file():
            what = "is not a file" if path.exists() else "no such file"
            raise InputError(f"{path}: {what}; give a golden set (JSON Lines)")
        with path.open("rb") as stream:
            return _read_stream(stream, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the file") from None
    except ValueError as error:
        raise InputError(f"{path}: not a usable path ({error}); give a file") from None


def golden_from_bytes(data: bytes, path: Path) -> GoldenSet:
    """The golden set in what a file holds; `path` is for messages.

    Raises:
        InputError: when a line is bad; it names file, line, field.
    """
    return _read_stream(BytesIO(data), path)


def bad_lines(path: Path) -> tuple[str, ...]:
    """What is wrong with each line that `read_golden` would refuse, in order.

    Raises:
        InputError: when the file cannot be read.
    """
    said: list[str] = []
    try:
        with path.open("rb") as stream:
            _read_stream(stream, path, said)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the file") from None
    return tuple(said)


def _read_stream(stream: BinaryIO, path: Path, bad: list[str] | None = None) -> GoldenSet:
    """The questions; what is wrong with a line is put into `bad`, or raised where it is None."""
    questions: list[Question] = []
    lines: dict[str, int] = {}
    blank: list[str] = []
    number = 0
    whole = hashlib.sha256()
    while data := stream.readline(LINE_LIMIT + 1):
        number += 1
        whole.update(data)
        where = f"{path}, line {number}"
        if len(data) > LINE_LIMIT:
            raise InputError(f"{where}: longer than {LINE_LIMIT} bytes; one question a line")
        try:
            line = _decode(data, where)
            body = line.removeprefix(_BOM) if number == 1 else line
            if not body.strip():
                blank.append(line)
                continue
            question = _unlike(parse_line(body, path=path, line=number), lines, where)
        except InputError as error:
            if bad is None:
                raise
            bad.append(str(error))
            continue
        lines[question.id] = number
        questions.append(replace(question, raw="".join([*blank, line])))
        blank.clear()
    return GoldenSet(tuple(questions), path, "".join(blank), whole.hexdigest())


def _unlike(question: Question, lines: Mapping[str, int], where: str) -> Question:
    """The question, whose id no line before has."""
    if question.id in lines:
        raise InputError(
            f"{where}: field id: {_show(question.id)} stands in line {lines[question.id]} "
            "already; give every question its own id"
        )
    return question


def parse_line(text: str, *, path: Path | None = None, line: int = 0) -> Question:
    """The question in one line of JSON.

    Raises:
        InputError: when the line is bad; it names file, line and field.
    """
    try:
        return question_from_mapping(parse_json(text), line=line)
    except FieldError as error:
        where = f"{path if path is not None else 'golden set'}, line {line}"
        raise InputError(f"{where}: {error}") from None


def parse_json(text: str) -> Any:
    """The JSON value in `text`; keys that stand twice and NaN are refused.

    Raises:
        FieldError: when it is not JSON.
    """
    try:
        return json.loads(
            text.strip(),
            object_pairs_hook=_unique_keys,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except json.JSONDecodeError as error:
        raise FieldError(
            f"not JSON: {error.msg} at column {error.colno}; one JSON object a line"
        ) from None
    except RecursionError:
        raise FieldError("not usable: nested too deeply; one flat JSON object a line") from None
    except FieldError:
        raise
    except ValueError:
        raise FieldError("not usable: a number with too many digits; shorten it") from None


def question_from_mapping(value: object, *, line: int = 0) -> Question:
    """The question in a JSON object, as `json.loads` gives it.

    Raises:
        FieldError: naming the field that is wrong and what to do.
    """
    if not isinstance(value, dict):
        raise FieldError(f"{_kind(value)}, not an object; one JSON object a line")
    items = _required(value, "evidence", "evidence")
    if not isinstance(items, list):
        raise FieldError(
            f"field evidence: {_kind(items)}, not a list; [] says that there is no answer"
        )
    return Question(
        id=_text(value, "id", "id"),
        question=_text(value, "question", "question"),
        doc=_text(value, "doc", "doc"),
        evidence=tuple(_evidence(item, f"evidence[{index}]") for index, item in enumerate(items)),
        answer=_optional_text(value, "answer", "answer"),
        type=_optional_text(value, "type", "type"),
        extra={key: kept for key, kept in value.items() if key not in QUESTION_KEYS},
        line=line,
    )


def _evidence(value: object, where: str, *, alternative: bool = False) -> Evidence:
    if not isinstance(value, dict):
        raise FieldError(f'field {where}: {_kind(value)}, not an object; give {{"text": …}}')
    start, end = _offset(value, "start", where), _offset(value, "end", where)
    if (start is None) != (end is None):
        lone, other = ("end", "start") if start is None else ("start", "end")
        raise FieldError(f"field {where}.{other}: missing beside {lone}; give both or neither")
    if start is not None and end is not None and start >= end:
        raise FieldError(f"field {where}.start: {start} is not before end {end}; start < end")
    return Evidence(
        text=_text(value, "text", f"{where}.text"),
        start=start,
        end=end,
        doc=_own_doc(value, where),
        alternatives=_alternatives(value, where, alternative),
        extra={key: kept for key, kept in value.items() if key not in EVIDENCE_KEYS},
    )


def _alternatives(
    value: Mapping[str, object], where: str, alternative: bool
) -> tuple[Evidence, ...]:
    items = value.get("alternatives")
    if items is None:
        return ()
    where = f"{where}.alternatives"
    if alternative:
        raise FieldError(f"field {where}: an alternative has none of its own; list them flat")
    if not isinstance(items, list):
        raise FieldError(f"field {where}: {_kind(items)}, not a list; list the other places")
    return tuple(
        _evidence(item, f"{where}[{index}]", alternative=True) for index, item in enumerate(items)
    )


def _own_doc(value: Mapping[str, object], where: str) -> str | None:
    return None if value.get("doc") is None else _text(value, "doc", f"{where}.doc")


def _offset(value: Mapping[str, object], key: str, where: str) -> int | None:
    offset = value.get(key)
    if offset is None:
        return None
    if isinstance(offset, bool) or not isinstance(offset, int):
        raise FieldError(
            f"field {where}.{key}: {_show(offset)} is not a whole number; "
            "count code points, or leave start and end out"
        )
    if offset < 0:
        raise FieldError(f"field {where}.{key}: {offset} is negative; count from 0")
    return offset


def _required(value: Mapping[str, object], key: str, where: str) -> object:
    if key not in value:
        raise FieldError(f"field {where}: missing; add it")
    return value[key]


def _text(value: Mapping[str, object], key: str, where: str) -> str:
    text = _required(value, key, where)
    if not isinstance(text, str):
        raise FieldError(f"field {where}: {_kind(text)}, not text; put it in quotes")
    if not text.strip():
        raise FieldError(f"field {where}: blank; fill it in")
    return text


def _optional_text(value: Mapping[str, object], key: str, where: str) -> str | None:
    text = value.get(key)
    if text is None or isinstance(text, str):
        return text
    raise FieldError(f"field {where}: {_kind(text)}, not text; put it in quotes or leave it out")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise FieldError(f"field {_show(key)}: stands twice in one object; keep one")
            seen.add(key)
    return mapping


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise FieldError(f"not usable: the number {_show(digits)} is too large; shorten it")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise FieldError(f"not JSON: {name} is no JSON number; write null or a number")


def _decode(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{where}: not UTF-8: byte {data[error.start]:#04x} at byte {error.start + 1} of the "
            "line; save the file as UTF-8"
        ) from None


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "an object"


def _show(value: object) -> str:
    if isinstance(value, (list, dict)):
        return _kind(value)
    shown = json.dumps(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
