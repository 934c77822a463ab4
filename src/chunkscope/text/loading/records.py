"""JSON Lines of which each line is a document."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from chunkscope.text.loading.reading import Extracted
from chunkscope.text.origin import Origin, joined


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a file: a document's id and text, or why there is none.

    Attributes:
        line: counted from 1.
        id: as the record names it; None where it does not.
        extracted: its text.
        reason: why the line is no document; empty where it is.
    """

    line: int
    id: str | None = None
    extracted: Extracted | None = None
    reason: str = ""


def records(source: str, fields: Sequence[str], id_field: str) -> Iterator[Record]:
    """The records of a text, blank lines left out.

    A document's text is made of the named fields that the record has and that are not empty, a
    blank line between two.
    """
    note = f"{' and '.join(fields)} of a JSON Lines record: offsets refer to this text"
    for number, line in enumerate(source.split("\n"), 1):
        content = line.removeprefix("\ufeff") if number == 1 else line
        if content.strip():
            yield _record(number, content, fields, id_field, note)


def _record(number: int, line: str, fields: Sequence[str], id_field: str, note: str) -> Record:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Record(number, reason="not JSON")
    if not isinstance(value, dict):
        return Record(number, reason="not a JSON object")
    texts = [(name, value[name]) for name in fields if value.get(name) is not None]
    if not texts:
        return Record(number, reason=f"has no field {' or '.join(map(repr, fields))}")
    for name, text in texts:
        if not isinstance(text, str):
            return Record(number, reason=f"its field {name!r} is not a text")
    filled = [(name, text) for name, text in texts if text]
    text, parts = joined(filled, "\n\n")
    return Record(
        number, _id(value.get(id_field)), Extracted(text, Origin("JSON Lines", parts), (note,))
    )


def _id(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value) or None
