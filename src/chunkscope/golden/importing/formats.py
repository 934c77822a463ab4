"""Other tools' files, each as a source of questions."""

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chunkscope.errors import InputError
from chunkscope.golden.importing.drafts import (
    CHUNKS_FAVOUR,
    Draft,
    DraftEvidence,
    Source,
    with_alternatives,
)
from chunkscope.golden.importing.records import (
    Record,
    csv_records,
    json_field,
    read_records,
    read_value,
    record,
)

_LIST = re.compile(r'\s*\[\s*(?:".*"\s*)?\]\s*', re.DOTALL)
_HOP = re.compile(r"\s*<\d+-hop>\s*")


def squad(path: Path) -> Source:
    """SQuAD: `data[].paragraphs[]` with a `context` and `qas[]`; further answers are alternatives.

    A list of rows with `context`, `question` and `answers` of lists is read too. The contexts of
    an article are one document, named after its title, blank lines between.
    """
    if path.suffix.lower() in (".jsonl", ".ndjson", ".parquet"):
        return _squad_rows(read_records(path))
    value = read_value(path)
    if isinstance(value, list):
        return _squad_rows(read_records(path))
    drafts: list[Draft] = []
    articles: list[tuple[str | None, list[str]]] = []
    for article in record(value, str(path)).records("data"):
        title = article.maybe_text("title")
        contexts: list[str] = []
        for paragraph in article.records("paragraphs"):
            context = paragraph.text("context")
            contexts.append(context)
            drafts.extend(
                _squad_question(entry, context, title, _squad_answers(entry))
                for entry in paragraph.records("qas")
            )
        articles.append((title, contexts))
    return Source("squad", tuple(drafts), _squad_documents(articles))


def _squad_rows(rows: list[Record]) -> Source:
    drafts: list[Draft] = []
    articles: dict[str | None, dict[str, None]] = {}
    for row in rows:
        title, context = row.maybe_text("title"), row.text("context")
        articles.setdefault(title, {})[context] = None
        answers = row.inner("answers")
        texts, starts = answers.texts("text"), answers.entries("answer_start")
        if len(texts) != len(starts):
            raise row.error("answers", f"{len(texts)} texts and {len(starts)} starts")
        pairs = [
            Record(row.where, {"text": text, "answer_start": start})
            for text, start in zip(texts, starts, strict=True)
        ]
        drafts.append(_squad_question(row, context, title, pairs))
    listed = [(title, list(contexts)) for title, contexts in articles.items()]
    return Source("squad", tuple(drafts), _squad_documents(listed))


def _squad_documents(articles: list[tuple[str | None, list[str]]]) -> Mapping[str, str]:
    documents: dict[str, str] = {}
    for title, contexts in articles:
        name = _file_name(title or f"article-{len(documents) + 1}")
        while name in documents:
            name = f"_{name}"
        documents[name] = "\n\n".join(contexts)
    return documents


def _squad_answers(entry: Record) -> list[Record]:
    return [] if entry.values.get("is_impossible") is True else entry.records("answers")


def _squad_question(entry: Record, context: str, title: str | None, answers: list[Record]) -> Draft:
    pieces: dict[tuple[str, int], DraftEvidence] = {}
    for answer in answers:
        text, start = answer.text("text"), answer.whole("answer_start")
        if start is None:
            raise answer.error("answer_start", "missing; add it")
        if not context.startswith(text, start):
            raise answer.error("answer_start", "the context holds other text there; correct it")
        pieces[text, start] = DraftEvidence(text, start, start + len(text), within=context)
    found = list(pieces.values())
    evidence = with_alternatives(found)
    return Draft(
        entry.where,
        entry.text("question"),
        evidence,
        doc=title,
        surely=False,
        id=entry.maybe_text("id"),
        answer=found[0].text if found else None,
    )


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
        contexts = _unlisted(entry, "reference_contexts", "contexts")
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


def _unlisted(entry: Record, *keys: str) -> list[str]:
    """A list of texts; a table of text alone holds it as Python or JSON writes one."""
    key = next((key for key in keys if entry.has(key)), keys[0])
    value = entry.values.get(key)
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = ast.literal_eval(value.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            value = json_field(entry, key)
        entry = Record(entry.where, {**entry.values, key: value})
    return entry.texts(key)


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
            pieces.append(DraftEvidence(texts[doc], doc=_file_name(doc)))
        evidence = with_alternatives(pieces)
        home = pieces[0].doc if pieces else None
        drafts.append(
            Draft(
                entry.where,
                entry.text("text"),
                evidence,
                home,
                surely=False,
                id=entry.text("_id"),
            )
        )
    documents = {_file_name(doc): text for doc, text in texts.items()}
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
    """A file's name for a document's id: its own where it ends as one of text does."""
    name = re.sub(r"[^\w.-]+", "_", identity).strip(".") or "_"
    return name if name.endswith((".txt", ".md")) else f"{name}.txt"


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
