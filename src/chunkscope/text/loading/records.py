"""Files that hold several documents: JSON Lines, JSON arrays, LangChain documents saved as JSON."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chunkscope.text.display import visible
from chunkscope.text.loading.reading import Extracted, Reading
from chunkscope.text.origin import Origin, Part, joined

_LINES = (".jsonl", ".ndjson")
_JSON = ".json"
_CONTENT = "page_content"
_LANGCHAIN_NOTE = "page_content of a LangChain document: offsets refer to this text"
_HINT_FIELDS = ("title", "text", "content", "contents", "body", "passage")
_HINT_LENGTH = 100_000
"""Characters of a first line beyond which it is not looked at for a hint."""

LONGEST_LINE = 100_000_000
"""Characters of a line beyond which it is no record."""

Blocks = Callable[[], Iterable[str]]
"""A text in blocks that follow each other, from its beginning each time it is called."""


@dataclass(frozen=True, slots=True)
class Record:
    """One document of a file: its id and text, or why there is none.

    Attributes:
        number: its line in JSON Lines, its place in an array, counted from 1.
        id: as the record names it; None where it does not.
        extracted: its text.
        reason: why it is no document; empty where it is.
        counted: whether records with the same id are told apart by a counter.
    """

    number: int
    id: str | None = None
    extracted: Extracted | None = None
    reason: str = ""
    counted: bool = False


def may_hold_records(suffix: str) -> bool:
    """Whether a file with this ending can hold several documents."""
    return suffix.lower() in (*_LINES, _JSON)


def holds_lines(suffix: str) -> bool:
    """Whether each line of a file with this ending is a value of its own."""
    return suffix.lower() in _LINES


def records_of(source: str, suffix: str, reading: Reading) -> Iterator[Record] | None:
    """The records of a text from a file with this ending; None where it is one document itself.

    With `reading.records`, each line of JSON Lines and each object of a JSON array is a document,
    made of the named fields that it has and that are not empty, a blank line between two. Without,
    only LangChain documents are, where a file holds nothing else.
    """
    if not may_hold_records(suffix):
        return None
    if holds_lines(suffix):
        return line_records(lambda: (source,), reading)
    if not reading.records:
        return _langchain(source)
    values = _array(source)
    return None if values is None else _from_array(values, reading.records, reading.record_id)


def line_records(blocks: Blocks, reading: Reading) -> Iterator[Record] | None:
    """As `records_of` for JSON Lines that are read block by block; a line at a time is held."""
    if reading.records:
        return _from_lines(blocks, reading.records, reading.record_id)
    return _langchain_lines(blocks) if _are_langchain(blocks) else None


def record_hint(source: str, suffix: str) -> str:
    """For JSON Lines of records that are read as their source: how to have each as a document."""
    end = source.find("\n")
    if suffix.lower() not in _LINES or not 0 < end <= _HINT_LENGTH:
        return ""
    value = _parsed(source[:end].removeprefix("\ufeff"))
    if not isinstance(value, dict):
        return ""
    fields = [name for name in _HINT_FIELDS if isinstance(value.get(name), str)]
    if not fields:
        return ""
    return f"read as its source; --records {','.join(fields)} makes each line a document"


def _parsed(text: str) -> Any:
    """The JSON value of a text, or the error itself as no JSON value is."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return ...


def _from_lines(blocks: Blocks, fields: Sequence[str], id_field: str) -> Iterator[Record]:
    note = f"{' and '.join(fields)} of a JSON Lines record: offsets refer to this text"
    for number, line in _lines(blocks()):
        if line is None:
            yield Record(number, reason=f"its line is over {LONGEST_LINE:,} characters")
            continue
        value = _parsed(line)
        if value is ...:
            yield Record(number, reason="not JSON")
        else:
            yield _record(number, value, fields, id_field, note)


def _from_array(values: list[Any], fields: Sequence[str], id_field: str) -> Iterator[Record]:
    note = f"{' and '.join(fields)} of a JSON record: offsets refer to this text"
    for number, value in enumerate(values, 1):
        yield _record(number, value, fields, id_field, note)


def _lines(blocks: Iterable[str]) -> Iterator[tuple[int, str | None]]:
    """Number and text of each line that is not blank; None for the text of one that is too long."""
    for number, line in enumerate(_all_lines(blocks), 1):
        content = line.removeprefix("\ufeff") if line is not None and number == 1 else line
        if content is None or content.strip():
            yield number, content


def _all_lines(blocks: Iterable[str]) -> Iterator[str | None]:
    begun: list[str] = []
    length = 0
    for block in blocks:
        first, *others = block.split("\n")
        length += len(first)
        if length > LONGEST_LINE:
            begun.clear()
        else:
            begun.append(first)
        if others:
            yield "".join(begun) if length <= LONGEST_LINE else None
            for index in range(len(others) - 1):
                yield others[index] if len(others[index]) <= LONGEST_LINE else None
            length = len(others[-1])
            begun = [others[-1]] if length <= LONGEST_LINE else []
    yield "".join(begun) if length <= LONGEST_LINE else None


def _array(source: str) -> list[Any] | None:
    """A file's objects: an array of them, or one; None where it holds something else."""
    value = _parsed(source.removeprefix("\ufeff"))
    values = [value] if isinstance(value, dict) else value
    if not isinstance(values, list) or not any(isinstance(one, dict) for one in values):
        return None
    return values


def _record(number: int, value: Any, fields: Sequence[str], id_field: str, note: str) -> Record:
    if not isinstance(value, dict):
        return Record(number, reason="not a JSON object")
    inner = _dumped(value)
    value = value if inner is None else inner
    texts = [(name, _field(value, name)) for name in fields]
    texts = [(name, text) for name, text in texts if text is not None]
    if not texts:
        return Record(number, reason=f"has no field {' or '.join(map(repr, fields))}")
    for name, text in texts:
        if not isinstance(text, str):
            return Record(number, reason=f"its field {visible(name)!r} is not a text")
    text, parts = joined([(name, text) for name, text in texts if text], "\n\n")
    kind = "JSON Lines" if "JSON Lines" in note else "JSON"
    extracted = Extracted(text, Origin(kind, parts), (note,))
    return Record(number, _id(_field(value, id_field)), extracted)


def _field(value: Mapping[str, Any], name: str) -> Any:
    """A field, or by a name with dots one inside others; the plain name goes before."""
    if name in value or "." not in name:
        return value.get(name)
    found: Any = value
    for part in name.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def _id(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value) or None


def _langchain(source: str) -> Iterator[Record] | None:
    """The documents of a JSON file that holds LangChain documents and nothing else."""
    if f'"{_CONTENT}"' not in source:
        return None
    value = _parsed(source.removeprefix("\ufeff"))
    values = value if isinstance(value, list) else [value]
    documents = [(number, _document(value)) for number, value in enumerate(values, 1)]
    if not documents or any(one is None for _, one in documents):
        return None
    return (_langchain_record(number, one) for number, one in documents if one is not None)


def _are_langchain(blocks: Blocks) -> bool:
    """Whether JSON Lines hold LangChain documents and nothing else."""
    named = False
    for _, line in _lines(blocks()):
        if line is None or _document(_parsed(line)) is None:
            return False
        named = named or f'"{_CONTENT}"' in line
    return named


def _langchain_lines(blocks: Blocks) -> Iterator[Record]:
    for number, line in _lines(blocks()):
        document = None if line is None else _document(_parsed(line))
        if document is not None:
            yield _langchain_record(number, document)


def _dumped(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a document was made with, in the form that LangChain dumps objects in."""
    inner = value.get("kwargs")
    return inner if "lc" in value and isinstance(inner, dict) else None


def _document(value: Any) -> dict[str, Any] | None:
    """The fields of a LangChain document, plain or dumped; None for anything else."""
    if not isinstance(value, dict):
        return None
    inner = _dumped(value)
    fields = value if inner is None else inner
    plain = isinstance(fields.get(_CONTENT), str) and isinstance(fields.get("metadata", {}), dict)
    return fields if plain and (inner is not None or "metadata" in fields) else None


def _langchain_record(number: int, fields: Mapping[str, Any]) -> Record:
    text, metadata = fields[_CONTENT], fields.get("metadata", {})
    place = _place(metadata)
    parts = (Part(place, 0, len(text)),) if place else ()
    return Record(
        number,
        _id(metadata.get("source")),
        Extracted(text, Origin("LangChain", parts), (_LANGCHAIN_NOTE,)),
        counted=True,
    )


def _place(metadata: Mapping[str, Any]) -> str:
    """The page, sheet or row that a document says it is from."""
    for name, what in (
        ("page_label", "page"), ("page_number", "page"), ("sheet", "sheet"),
        ("page_name", "sheet"), ("row", "row"),
    ):  # fmt: skip
        value = _id(metadata.get(name))
        if value is not None:
            return f"{what} {value}"
    page = metadata.get("page")
    # Loaders count pages from 0 under this name.
    return f"page {page + 1}" if isinstance(page, int) and not isinstance(page, bool) else ""
