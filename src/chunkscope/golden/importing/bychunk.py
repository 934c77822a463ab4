"""Questions that name their evidence by chunk id, with the dump of these chunks."""

from collections.abc import Mapping
from pathlib import Path

from chunkscope.errors import InputError
from chunkscope.golden.importing.drafts import (
    CHUNKS_FAVOUR,
    Draft,
    DraftEvidence,
    Source,
    with_alternatives,
)
from chunkscope.golden.importing.records import Record, parquet_records, read_records, record


def chunk_dump(path: Path, chunks: Path | None) -> Source:
    """Questions with a `source_chunk_id`, and a dump of the chunks these ids name."""
    if chunks is None:
        raise InputError(f"{path}: names chunks by id; give the chunks with --chunks FILE")
    known = _chunks(chunks)
    drafts = []
    for entry in read_records(path):
        key = "source_chunk_ids" if "source_chunk_ids" in entry.values else "source_chunk_id"
        if key not in entry.values:
            raise entry.error(key, "missing; add it, null for an unanswerable question")
        names = entry.values[key]
        listed = names if isinstance(names, list) else [] if names in (None, "") else [names]
        drafts.append(
            Draft(
                entry.where,
                entry.text("question", "query"),
                tuple(_named(entry, key, name, known, chunks) for name in listed),
                surely=False,
                id=entry.maybe_text("id"),
                answer=entry.maybe_text("answer"),
            )
        )
    return Source("chunk-dump", tuple(drafts), warnings=(CHUNKS_FAVOUR,))


def autorag(path: Path, chunks: Path | None) -> Source:
    """AutoRAG: a Parquet file with `query` and `retrieval_gt`, and its corpus of chunks.

    Within one group of `retrieval_gt` any chunk serves; every group is needed.
    """
    if chunks is None:
        raise InputError(f"{path}: names chunks by id; give the corpus with --chunks FILE.parquet")
    known = _chunks(chunks)
    drafts = []
    for entry in parquet_records(path):
        evidence: list[DraftEvidence] = []
        for group in _groups(entry):
            pieces = [_named(entry, "retrieval_gt", name, known, chunks) for name in group]
            evidence.extend(with_alternatives(pieces))
        answers = entry.values.get("generation_gt")
        first = answers[0] if isinstance(answers, list) and answers else answers
        drafts.append(
            Draft(
                entry.where,
                entry.text("query"),
                tuple(evidence),
                surely=False,
                id=entry.maybe_text("qid"),
                answer=first if isinstance(first, str) and first.strip() else None,
            )
        )
    return Source("autorag", tuple(drafts), warnings=(CHUNKS_FAVOUR,))


def _groups(entry: Record) -> list[list[object]]:
    """Groups of chunk ids: a list of lists, one list that is a group, or one id."""
    value = entry.values.get("retrieval_gt")
    if isinstance(value, str):
        return [[value]]
    listed = entry.entries("retrieval_gt")
    if all(isinstance(part, list) for part in listed):
        return listed
    if any(isinstance(part, list) for part in listed):
        raise entry.error("retrieval_gt", "mixes ids and lists of ids; give one or the other")
    return [listed]


def _named(
    entry: Record, key: str, name: object, known: Mapping[str, DraftEvidence], chunks: Path
) -> DraftEvidence:
    if str(name) not in known:
        raise entry.error(key, f"{name!r} is not in {chunks}")
    return known[str(name)]


def _chunks(path: Path) -> Mapping[str, DraftEvidence]:
    """Each chunk of a dump by its id; where it has none, by document and index: `a.md#0`."""
    known: dict[str, DraftEvidence] = {}
    for entry in read_records(path):
        doc = _document(entry)
        name = entry.maybe_text("id", "chunk_id", "doc_id")
        if name is None and doc is not None and entry.has("index"):
            name = f"{doc}#{entry.values['index']}"
        if name is None:
            raise entry.error("id", "missing; give every chunk its id")
        if name in known:
            raise entry.error("id", f"{name!r} stands twice; give every chunk its own id")
        text = entry.text("text", "content", "page_content", "contents")
        start, end = entry.whole("start"), entry.whole("end")
        if doc is None or start is None or end is None:
            start = end = None
        known[name] = DraftEvidence(text, start, end, doc)
    return known


def _document(entry: Record) -> str | None:
    keys = ("doc", "source", "document_id", "file_path", "path")
    own = entry.maybe_text(*keys)
    metadata = entry.values.get("metadata")
    if own is None and isinstance(metadata, dict):
        own = record(metadata, f"{entry.where}, metadata").maybe_text(*keys)
    return own
