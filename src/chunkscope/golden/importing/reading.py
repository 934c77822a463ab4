"""Which format a file has, and its questions."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from chunkscope.errors import InputError
from chunkscope.golden.importing import bychunk, formats
from chunkscope.golden.importing.drafts import Source
from chunkscope.golden.importing.records import csv_records, read_records, read_value

_Read = Callable[[Path, Path | None, Mapping[str, str]], Source]

_READERS: Mapping[str, _Read] = {
    "squad": lambda path, _chunks, _columns: formats.squad(path),
    "chroma": lambda path, _chunks, _columns: formats.chroma(path),
    "legalbench": lambda path, _chunks, _columns: formats.legalbench(path),
    "ragas": lambda path, _chunks, _columns: formats.ragas(path),
    "beir": lambda path, _chunks, _columns: formats.beir(path),
    "csv": lambda path, _chunks, columns: formats.table(path, columns),
    "chunk-dump": lambda path, chunks, _columns: bychunk.chunk_dump(path, chunks),
    "chunklab": lambda path, _chunks, _columns: formats.chunklab(path),
    "chunktuner": lambda path, _chunks, _columns: formats.chunktuner(path),
    "autorag": lambda path, chunks, _columns: bychunk.autorag(path, chunks),
}

FORMATS = tuple(_READERS)
"""Names of the formats that can be imported."""


def read_source(
    path: Path,
    format_name: str | None = None,
    *,
    chunks: Path | None = None,
    columns: Mapping[str, str] | None = None,
) -> Source:
    """The questions of another tool's file or folder.

    Args:
        path: the file, or the folder of a BEIR set.
        format_name: one of `FORMATS`; None: told by the file's content.
        chunks: the dump of chunks that `chunk-dump` and `autorag` name by id.
        columns: for `csv`: names of its columns by ours, of `formats.COLUMNS`.

    Raises:
        InputError: naming file, row and field.
        MissingPackageError: for YAML or Parquet without its package.
    """
    if not path.exists():
        raise InputError(f"{path}: no such file; give another tool's questions")
    name = format_name or _format_of(path, mapped=bool(columns))
    if name not in _READERS:
        raise InputError(f"format {name!r} is not known; give one of {', '.join(FORMATS)}")
    return _READERS[name](path, chunks, columns or {})


def _format_of(path: Path, *, mapped: bool) -> str:
    suffix = path.suffix.lower()
    if path.is_dir():
        return "beir"
    if suffix == ".parquet":
        records = read_records(path)
        return (_of_fields(set(records[0].values)) if records else None) or "autorag"
    if suffix in (".csv", ".tsv"):
        first = next(csv_records(path), None)
        names = set(first.values) if first else set()
        found = None if mapped else _of_fields(names)
        return found or "csv"
    if suffix in (".jsonl", ".ndjson"):
        records = read_records(path)
        found = _of_fields(set(records[0].values)) if records else None
    else:
        found = _of_value(read_value(path))
    if found is None:
        raise InputError(f"{path}: format not recognised; name it: --from {'|'.join(FORMATS)}")
    return found


def _of_value(value: Any) -> str | None:
    if isinstance(value, list):
        return _of_fields(set(value[0])) if value and isinstance(value[0], dict) else None
    if isinstance(value, dict):
        keys = {"data": "squad", "tests": "legalbench", "questions": "chunklab"}
        keys["queries"] = "chunktuner"
        return next((name for key, name in keys.items() if key in value), None)
    return None


def _of_fields(names: set[str]) -> str | None:
    if {"question", "references", "corpus_id"} <= names:
        return "chroma"
    if "source_chunk_id" in names or "source_chunk_ids" in names:
        return "chunk-dump"
    if {"context", "question", "answers"} <= names:
        return "squad"
    if "reference_contexts" in names or {"question", "contexts"} <= names:
        return "ragas"
    return None
