"""Other tools' files, each as a source of questions."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chunkscope.errors import InputError
from chunkscope.golden.importing.drafts import Draft, DraftEvidence, Source
from chunkscope.golden.importing.records import (
    Record,
    csv_records,
    json_field,
    parquet_records,
    read_records,
    read_value,
    record,
)

CHUNKS_FAVOUR = (
    "its evidence is whole chunks of one configuration: the set favours sizes near the one they "
    "were cut with; shorten the evidence to what answers the question before comparing sizes"
)
_LIST = re.compile(r'\s*\[\s*(?:".*"\s*)?\]\s*', re.DOTALL)
_HOP = re.compile(r"\s*<\d+-hop>\s*")


def squad(path: Path) -> Source:
    """SQuAD: `data[].paragraphs[]` with a `context` and `qas[]`; further answers are alternatives.

    The contexts of an article are one document, named after its title, blank lines between.
    """
    drafts: list[Draft] = []
    documents: dict[str, str] = {}
    for article in record(read_value(path), str(path)).records("data"):
        title = article.maybe_text("title")
        contexts: list[str] = []
        for paragraph in article.records("paragraphs"):
            context = paragraph.text("context")
            contexts.append(context)
            drafts.extend(
                _squad_question(entry, context, title) for entry in paragraph.records("qas")
            )
        name = re.sub(r"[^\w.-]+", "_", title or f"article-{len(documents) + 1}").strip(".") or "_"
        while f"{name}.txt" in documents:
            name += "_"
        documents[f"{name}.txt"] = "\n\n".join(contexts)
    return Source("squad", tuple(drafts), documents)


def _squad_question(entry: Record, context: str, title: str | None) -> Draft:
    pieces: dict[tuple[str, int], DraftEvidence] = {}
    impossible = entry.values.get("is_impossible") is True
    for answer in [] if impossible else entry.records("answers"):
        text, start = answer.text("text"), answer.whole("answer_start")
        if start is None:
            raise answer.error("answer_start", "missing; add it")
        if not context.startswith(text, start):
            raise answer.error("answer_start", "the context holds other text there; correct it")
        pieces[text, start] = DraftEvidence(text, start, start + len(text), within=context)
    found = list(pieces.values())
    evidence = tuple(_with_alternatives(found)) if found else ()
    return Draft(
        entry.where,
        entry.text("question"),
        evidence,
        doc=title,
        surely=False,
        id=entry.maybe_text("id"),
        answer=found[0].text if found else None,
    )


def _with_alternatives(pieces: list[DraftEvidence]) -> list[DraftEvidence]:
    first = pieces[0]
    return [
        DraftEvidence(
            first.text, first.start, first.end, first.doc, first.within, tuple(pieces[1:])
        )
    ]


def chroma(path: Path) -> Source:
    """Chroma's CSV: `question`, `references` (JSON, with `content` and indices), `corpus_id`."""
    drafts = []
    for row in csv_records(path):
        references = record({"references": json_field(row, "references")}, row.where)
        evidence = tuple(
            DraftEvidence(
                entry.text("content"), entry.whole("start_index"), entry.whole("end_index")
            )
            for entry in references.records("references")
        )
        doc = row.text("corpus_id")
        drafts.append(Draft(row.where, row.text("question"), evidence, doc=doc, type=doc))
    return Source("chroma", tuple(drafts))


def legalbench(path: Path) -> Source:
    """LegalBench-RAG: `tests[]` with `query` and `snippets[]` of `file_path` and `span`."""
    drafts = []
    for test in record(read_value(path), str(path)).records("tests"):
        evidence = []
        for snippet in test.records("snippets"):
            start, end = snippet.span(snippet.values.get("span"), "span")
            text = snippet.maybe_text("answer")
            evidence.append(DraftEvidence(text, start, end, doc=snippet.text("file_path")))
        tags = test.texts("tags") if test.has("tags") else []
        first = evidence[0].doc if evidence else None
        drafts.append(
            Draft(
                test.where,
                test.text("query"),
                tuple(evidence),
                doc=first,
                type=tags[0] if tags else None,
            )
        )
    return Source("legalbench", tuple(drafts))


def ragas(path: Path) -> Source:
    """Ragas: `user_input` and `reference_contexts`, or the older `question` and `contexts`."""
    drafts = []
    for entry in read_records(path):
        contexts = entry.texts("reference_contexts", "contexts")
        drafts.append(
            Draft(
                entry.where,
                entry.text("user_input", "question"),
                tuple(DraftEvidence(_HOP.sub("", text, count=1)) for text in contexts),
                answer=entry.maybe_text("reference", "ground_truth"),
                type=entry.maybe_text("synthesizer_name", "evolution_type"),
            )
        )
    return Source("ragas", tuple(drafts), warnings=(CHUNKS_FAVOUR,))


def beir(folder: Path) -> Source:
    """A BEIR folder: `corpus.jsonl`, `queries.jsonl` and `qrels/*.tsv`, test before dev and train.

    Every relevant document serves: the others are alternatives of the first.
    """
    texts: dict[str, str] = {}
    for entry in read_records(folder / "corpus.jsonl"):
        title = entry.maybe_text("title")
        text = entry.maybe_text("text") or ""
        texts[entry.text("_id")] = f"{title}\n\n{text}" if title else text
    labels = _beir_labels(folder)
    drafts = []
    for entry in read_records(folder / "queries.jsonl"):
        relevant = labels.get(entry.text("_id"))
        if relevant is None:
            continue
        pieces = []
        for doc, where in relevant:
            if not texts.get(doc, "").strip():
                raise InputError(f"{where}: field corpus-id: {doc!r} has no text in corpus.jsonl")
            pieces.append(DraftEvidence(texts[doc], doc=f"{_file_name(doc)}.txt"))
        evidence = tuple(_with_alternatives(pieces)) if pieces else ()
        home = pieces[0].doc if pieces else None
        drafts.append(Draft(entry.where, entry.text("text"), evidence, home, id=entry.text("_id")))
    documents = {f"{_file_name(doc)}.txt": text for doc, text in texts.items()}
    warning = (
        "its labels name whole documents: no chunk smaller than its document holds one, so recall "
        "cannot tell sizes apart; name the passages that answer before comparing sizes"
    )
    return Source("beir", tuple(drafts), documents, (warning,))


def _beir_labels(folder: Path) -> Mapping[str, list[tuple[str, str]]]:
    for name in ("test", "dev", "train"):
        path = folder / "qrels" / f"{name}.tsv"
        if path.is_file():
            break
    else:
        raise InputError(f"{folder}: no qrels/test.tsv; give a BEIR folder")
    labels: dict[str, list[tuple[str, str]]] = {}
    for row in csv_records(path):
        relevant = labels.setdefault(row.text("query-id"), [])
        if (row.whole("score") or 0) > 0:
            relevant.append((row.text("corpus-id"), row.where))
    return labels


def _file_name(identity: str) -> str:
    return re.sub(r"[^\w.-]+", "_", identity).lstrip(".") or "_"


def chunk_dump(path: Path, chunks: Path | None) -> Source:
    """Questions with a `source_chunk_id`, and a dump of the chunks these ids name."""
    if chunks is None:
        raise InputError(f"{path}: names chunks by id; give the chunks with --chunks FILE")
    known = _chunks(chunks)
    drafts = []
    for entry in read_records(path):
        names = entry.values.get("source_chunk_id", entry.values.get("source_chunk_ids"))
        evidence = []
        for name in names if isinstance(names, list) else [names]:
            if str(name) not in known:
                raise entry.error("source_chunk_id", f"{name!r} is not in {chunks}")
            text, doc = known[str(name)]
            evidence.append(DraftEvidence(text, doc=doc))
        drafts.append(
            Draft(
                entry.where,
                entry.text("question", "query"),
                tuple(evidence),
                surely=False,
                id=entry.maybe_text("id"),
                answer=entry.maybe_text("answer"),
            )
        )
    return Source("chunk-dump", tuple(drafts), warnings=(CHUNKS_FAVOUR,))


def _chunks(path: Path) -> Mapping[str, tuple[str, str | None]]:
    known: dict[str, tuple[str, str | None]] = {}
    for entry in read_records(path):
        doc = entry.maybe_text("doc", "source", "document_id", "file_path")
        name = entry.maybe_text("id", "chunk_id", "doc_id")
        if name is None and doc is not None and entry.has("index"):
            name = f"{doc}#{entry.values['index']}"
        if name is None:
            raise entry.error("id", "missing; give every chunk its id")
        if name in known:
            raise entry.error("id", f"{name!r} stands twice; give every chunk its own id")
        known[name] = entry.text("text", "content", "page_content", "contents"), doc
    return known


def chunklab(path: Path) -> Source:
    """Chunklab: `questions[]` with `query`, `gold_snippets` and `tags`."""
    drafts = []
    for entry in record(read_value(path), str(path)).records("questions"):
        snippets = entry.texts("gold_snippets") if entry.has("gold_snippets") else []
        tags = entry.texts("tags") if entry.has("tags") else []
        evidence = tuple(DraftEvidence(text) for text in snippets)
        drafts.append(
            Draft(
                entry.where,
                entry.text("query"),
                evidence,
                id=entry.maybe_text("id"),
                type=tags[0] if tags else None,
            )
        )
    return Source("chunklab", tuple(drafts))


def chunktuner(path: Path) -> Source:
    """Chunktuner: `queries[]` with `question`, `document_id` and `answer_spans`."""
    drafts = []
    for entry in record(read_value(path), str(path)).records("queries"):
        spans = entry.entries("answer_spans") if entry.has("answer_spans") else []
        pairs = [entry.span(pair, f"answer_spans[{number}]") for number, pair in enumerate(spans)]
        drafts.append(
            Draft(
                entry.where,
                entry.text("question"),
                tuple(DraftEvidence(None, start, end) for start, end in pairs),
                doc=entry.text("document_id"),
                id=entry.maybe_text("id"),
                answer=entry.maybe_text("reference_answer"),
            )
        )
    return Source("chunktuner", tuple(drafts))


def autorag(path: Path, chunks: Path | None) -> Source:
    """AutoRAG: a Parquet file with `query` and `retrieval_gt`, and its corpus of chunks.

    Within one group of `retrieval_gt` any chunk serves; every group is needed.
    """
    if chunks is None:
        raise InputError(f"{path}: names chunks by id; give the corpus with --chunks FILE.parquet")
    known = _chunks(chunks)
    drafts = []
    for entry in parquet_records(path):
        evidence = []
        for group in entry.entries("retrieval_gt"):
            pieces = []
            for name in group if isinstance(group, list) else [group]:
                if str(name) not in known:
                    raise entry.error("retrieval_gt", f"{name!r} is not in {chunks}")
                pieces.append(DraftEvidence(known[str(name)][0]))
            evidence.extend(_with_alternatives(pieces) if pieces else [])
        answers = entry.values.get("generation_gt")
        drafts.append(
            Draft(
                entry.where,
                entry.text("query"),
                tuple(evidence),
                id=entry.maybe_text("qid"),
                answer=answers[0] if isinstance(answers, list) and answers else None,
            )
        )
    return Source("autorag", tuple(drafts), warnings=(CHUNKS_FAVOUR,))


COLUMNS = ("id", "question", "evidence", "doc", "answer", "type", "start", "end")
"""What columns of a CSV file may be mapped to."""


def table(path: Path, columns: Mapping[str, str]) -> Source:
    """A CSV file whose columns are named by `columns` (ours to the file's); else by ours.

    Evidence is text, or a JSON list of texts; a blank field or []: unanswerable.
    """
    rows = list(csv_records(path))
    names = {ours: columns.get(ours, ours) for ours in COLUMNS}
    present = rows[0].values if rows else {}
    for ours in COLUMNS:
        needed = ours in columns or ours in ("question", "evidence")
        if rows and needed and names[ours] not in present:
            listed = ", ".join(present)
            raise InputError(
                f"{path}, row 1: no column {names[ours]!r} for {ours} (there are: {listed}); "
                f"give --column {ours}=NAME"
            )
    return Source("csv", tuple(_table_draft(row, names) for row in rows))


def _table_draft(row: Record, names: Mapping[str, str]) -> Draft:
    text = row.maybe_text(names["evidence"])
    texts: list[Any] = [] if text is None else [text]
    if text is not None and _LIST.fullmatch(text):
        texts = json_field(row, names["evidence"])
        record({"evidence": texts}, row.where).texts("evidence")
    start, end = row.whole(names["start"]), row.whole(names["end"])
    if (start is None) != (end is None) or (start is not None and len(texts) != 1):
        raise row.error(names["start"], "give start and end for one piece of evidence, or neither")
    return Draft(
        row.where,
        row.text(names["question"]),
        tuple(DraftEvidence(part, start, end) for part in texts),
        doc=row.maybe_text(names["doc"]),
        id=row.maybe_text(names["id"]),
        answer=row.maybe_text(names["answer"]),
        type=row.maybe_text(names["type"]),
    )
