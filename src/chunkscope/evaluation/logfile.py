"""Logs of a real system: JSON Lines, a question a line, read strictly."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from chunkscope.errors import InputError
from chunkscope.evaluation.fields import Fields, as_fields, kind_of, shown
from chunkscope.golden.model import Evidence


@dataclass(frozen=True, slots=True)
class LogChunk:
    """One thing that the real system retrieved: a text, or a range of a document.

    Attributes:
        text: the text; None where a range is given.
        doc: the document it is said to be of, or None.
        start: first code point, where a range is given.
        end: one past the last.
        score: the real retriever's, if given.
    """

    text: str | None
    doc: str | None = None
    start: int | None = None
    end: int | None = None
    score: float | None = None


@dataclass(frozen=True)
class LogEntry:
    """One question as the real system answered it.

    Attributes:
        line: line in the file, from 1.
        id: its own, or `line-N`.
        question: what was asked.
        retrieved: what came back, best first.
        answer: what the system answered, if given.
        expected: what should have come back; None: not said; empty: nothing can answer it.
        ok: whether the answer was right; None: not said.
    """

    line: int
    id: str
    question: str
    retrieved: tuple[LogChunk, ...]
    answer: str | None = None
    expected: tuple[Evidence, ...] | None = None
    ok: bool | None = None


def read_log(path: Path) -> tuple[LogEntry, ...]:
    """Every entry of a log; blank lines are passed over.

    Raises:
        InputError: when the file cannot be read, or a line is bad; it names file, line and field.
    """
    entries: list[LogEntry] = []
    seen: dict[str, int] = {}
    try:
        with path.open("rb") as stream:
            for number, data in enumerate(stream, start=1):
                body = data.removeprefix(b"\xef\xbb\xbf") if number == 1 else data
                if not body.strip():
                    continue
                entry = _entry(body, f"{path}, line {number}", number)
                if entry.id in seen:
                    raise InputError(
                        f"{path}, line {number}: field id: {shown(entry.id)} stands in line "
                        f"{seen[entry.id]} already; give every question its own id"
                    )
                seen[entry.id] = number
                entries.append(entry)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    if not entries:
        raise InputError(f"{path}: no question in it; one JSON object a line")
    return tuple(entries)


def _entry(data: bytes, where: str, number: int) -> LogEntry:
    try:
        value = json.loads(data, parse_constant=_refuse_constant)
    except RecursionError:
        raise InputError(f"{where}: nested too deeply; one flat JSON object a line") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"{where}: not UTF-8 at byte {error.start + 1}; save it as UTF-8"
        ) from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"{where}: not JSON: {error.msg} at column {error.colno}; one JSON object a line"
        ) from None
    except ValueError as error:
        raise InputError(f"{where}: not usable: {error}") from None
    fields = as_fields(value, where)
    return LogEntry(
        line=number,
        id=fields.optional("id", fields.text) or f"line-{number}",
        question=fields.text("question"),
        retrieved=fields.listed("retrieved", lambda entry, path: _chunk(entry, fields, path)),
        answer=fields.optional("answer", lambda key: fields.text(key, blank=True)),
        expected=_expected(fields),
        ok=fields.optional("ok", fields.truth),
    )


def _chunk(value: Any, fields: Fields, path: str) -> LogChunk:
    if isinstance(value, str):
        _check_text(value, fields, path)
        return LogChunk(value)
    if not isinstance(value, dict):
        raise InputError(
            f"{fields.where}: field {path}: {kind_of(value)}; give the text, "
            '{"doc", "start", "end"} or {"text", "score"}'
        )
    inner = Fields(value, fields.where, path)
    score = inner.optional("score", inner.number)
    doc = inner.optional("doc", inner.text)
    if inner.has("text"):
        return LogChunk(inner.text("text"), doc, score=score)
    if not (inner.has("start") or inner.has("end")):
        raise inner.refuse("text", "missing; give text, or doc, start and end")
    start, end = inner.whole("start"), inner.whole("end")
    if start >= end:
        raise inner.refuse("start", f"{start} is not before end {end}")
    return LogChunk(None, inner.text("doc"), start, end, score)


def _expected(fields: Fields) -> tuple[Evidence, ...] | None:
    if not fields.has("expected"):
        return None
    value = fields.values["expected"]
    if not isinstance(value, list):
        return (_evidence(value, fields, "expected"),)
    return fields.listed("expected", lambda entry, path: _evidence(entry, fields, path))


def _evidence(value: Any, fields: Fields, path: str) -> Evidence:
    if isinstance(value, str):
        _check_text(value, fields, path)
        return Evidence(value)
    inner = as_fields(value, fields.where, path)
    text, doc = inner.text("text"), inner.optional("doc", inner.text)
    if not (inner.has("start") or inner.has("end")):
        return Evidence(text, doc=doc)
    start, end = inner.whole("start"), inner.whole("end")
    if start >= end:
        raise inner.refuse("start", f"{start} is not before end {end}")
    if doc is None:
        raise inner.refuse("doc", "missing beside start and end; name the document")
    return Evidence(text, start, end, doc)


def _check_text(value: str, fields: Fields, path: str) -> None:
    if not value.strip():
        raise InputError(f"{fields.where}: field {path}: blank; fill it in or leave it out")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number; write null or a number")
