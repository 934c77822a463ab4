"""Reading JSON, JSON Lines, YAML, CSV and Parquet; every error names file, row and field."""

import csv
import importlib
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkscope.errors import InputError, MissingPackageError
from chunkscope.golden.reading import FieldError, parse_json

FIELD_LIMIT = 64 * 1024 * 1024
"""Longest field of a CSV file, in characters."""

_DIGITS = 20


@dataclass(frozen=True)
class Record:
    """One object of a file.

    Attributes:
        where: file and row.
        values: its fields.
    """

    where: str
    values: Mapping[str, Any]

    def has(self, key: str) -> bool:
        """Whether the field is there and not null."""
        return self.values.get(key) is not None

    def text(self, *keys: str) -> str:
        """The first of these fields that is there, as text that is not blank."""
        value = self._first(keys)
        if isinstance(value, str) and value.strip():
            return value
        if value is None:
            raise self.error(keys[0], "missing; add it")
        raise self.error(self._name(keys), "blank" if isinstance(value, str) else "not text")

    def maybe_text(self, *keys: str) -> str | None:
        """The first of these fields that is there, as text; None for none and for a blank one."""
        value = self._first(keys)
        if value is None or value == "":
            return None
        if isinstance(value, (bool, int, float)):
            return str(value)
        return self.text(*keys) if not isinstance(value, str) or value.strip() else None

    def entries(self, *keys: str) -> list[Any]:
        """The first of these fields that is there, as a list."""
        value = self._first(keys)
        if value is None:
            raise self.error(keys[0], "missing; add it, [] if there is none")
        if not isinstance(value, list):
            raise self.error(self._name(keys), "not a list")
        return value

    def texts(self, *keys: str) -> list[str]:
        """The same, as a list of texts that are not blank."""
        values = self.entries(*keys)
        for number, value in enumerate(values):
            if not isinstance(value, str) or not value.strip():
                what = "blank" if isinstance(value, str) else "not text"
                raise self.error(f"{self._name(keys)}[{number}]", what)
        return values

    def records(self, *keys: str) -> list["Record"]:
        """The same, as a list of objects."""
        name = self._name(keys)
        return [
            record(value, f"{self.where}, {name}[{number}]")
            for number, value in enumerate(self.entries(*keys))
        ]

    def inner(self, key: str) -> "Record":
        """The field as an object."""
        if not self.has(key):
            raise self.error(key, "missing; add it")
        return record(self.values[key], f"{self.where}: field {key}")

    def whole(self, key: str) -> int | None:
        """The field as a whole number from 0 on; None where it is not there."""
        value = self.values.get(key)
        if value is None or value == "":
            return None
        if isinstance(value, str) and len(value) < _DIGITS and value.strip().isdecimal():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.error(key, "not a whole number from 0 on")
        return value

    def span(self, value: Any, key: str) -> tuple[int, int]:
        """Start and end of a `[start, end]` pair."""
        pair = value if isinstance(value, list) and len(value) == 2 else []
        if not all(isinstance(part, int) and not isinstance(part, bool) for part in pair) or (
            not pair or not 0 <= pair[0] < pair[1]
        ):
            raise self.error(key, "not a [start, end] pair of whole numbers with start < end")
        return pair[0], pair[1]

    def error(self, key: str, what: str) -> InputError:
        """An error about one field."""
        return InputError(f"{self.where}: field {key}: {what}")

    def _name(self, keys: tuple[str, ...]) -> str:
        return next((key for key in keys if self.values.get(key) is not None), keys[0])

    def _first(self, keys: tuple[str, ...]) -> Any:
        return self.values.get(self._name(keys))


def record(value: Any, where: str) -> Record:
    """An object as a record.

    Raises:
        InputError: when it is no object.
    """
    if not isinstance(value, dict):
        raise InputError(f"{where}: not an object; give fields by name")
    return Record(where, value)


def read_text(path: Path) -> str:
    """The file as UTF-8, a byte order mark left out.

    Raises:
        InputError: when it cannot be read or is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    except ValueError as error:
        raise InputError(f"{path}: not a usable path ({error}); give a file") from None


def read_value(path: Path) -> Any:
    """The one value of a JSON or YAML file."""
    text = read_text(path)
    if path.suffix.lower() in (".yaml", ".yml"):
        return _yaml(text, path)
    return _json(text, str(path))


def read_records(path: Path) -> list[Record]:
    """The records of a file: CSV or TSV rows, JSON Lines, a JSON list, or Parquet rows."""
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return parquet_records(path)
    if suffix in (".csv", ".tsv"):
        return list(csv_records(path))
    if suffix in (".jsonl", ".ndjson"):
        return list(_json_lines(read_text(path), path))
    value = read_value(path)
    if not isinstance(value, list):
        raise InputError(f"{path}: not a list; give a list of objects, or JSON Lines as .jsonl")
    return [record(entry, f"{path}, entry {number}") for number, entry in enumerate(value, 1)]


def csv_records(path: Path) -> Iterator[Record]:
    """The rows of a CSV file with a header; commas, semicolons or tabs part its fields."""
    text = read_text(path)
    head = text.partition("\n")[0]
    # The header names columns; their commonest separator is the file's.
    delimiter = max(",;\t", key=head.count)
    limit = csv.field_size_limit(FIELD_LIMIT)
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        header = [name.strip() for name in next(rows, [])]
        if not any(header):
            raise InputError(f"{path}: empty; give a header row with column names")
        twice = next((name for name in header if header.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"{path}, row 1: column {twice!r} stands twice; rename one")
        for number, row in enumerate(rows, 2):
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(
                    f"{path}, row {number}: {len(row)} fields, not {len(header)} as in the header; "
                    "quote fields that hold the separator"
                )
            yield Record(f"{path}, row {number}", dict(zip(header, row, strict=True)))
    except csv.Error as error:
        raise InputError(
            f"{path}, line {rows.line_num}: not CSV ({error}); check its quotes"
        ) from None
    finally:
        csv.field_size_limit(limit)


def parquet_records(path: Path) -> list[Record]:
    """The rows of a Parquet file.

    Raises:
        MissingPackageError: when pyarrow is not installed.
    """
    try:
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise MissingPackageError(
            f"{path}: Parquet needs the package pyarrow; pip install 'chunkscope[parquet]'"
        ) from None
    try:
        rows = parquet.read_table(path).to_pylist()
    except (OSError, ValueError, NotImplementedError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: cannot be read as Parquet ({reason}); check the file") from None
    return [record(row, f"{path}, row {number}") for number, row in enumerate(rows, 1)]


def json_field(entry: Record, key: str) -> Any:
    """A field that holds JSON as text."""
    return _json(entry.text(key), f"{entry.where}: field {key}")


def _json_lines(text: str, path: Path) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = f"{path}, line {number}"
            yield record(_json(line, where), where)


def _json(text: str, where: str) -> Any:
    try:
        return parse_json(text)
    except FieldError as error:
        message = str(error).replace("; one JSON object a line", "; check it")
        raise InputError(f"{where}: {message}") from None


def _yaml(text: str, path: Path) -> Any:
    try:
        yaml = importlib.import_module("yaml")
    except ImportError:
        raise MissingPackageError(
            f"{path}: YAML needs the package PyYAML; pip install 'chunkscope[yaml]'"
        ) from None
    try:
        # What JSON has not, such as a date, becomes text.
        return json.loads(json.dumps(yaml.safe_load(text), default=str))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: not YAML: {reason}; check it") from None
