"""Golden sets written in the formats of other tools, to be imported back."""

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.text.document import Corpus

Converted = tuple[Path, Mapping[str, Any]]
"""A file or folder, and what else `read_source` is to be given."""

Convert = Callable[[GoldenSet, Corpus, Path], Converted]


def home(item: Evidence, question: Question) -> str:
    return item.doc or question.doc


def key(item: Evidence, question: Question) -> tuple[str, int | None, str]:
    return home(item, question), item.start, item.text


def write_json(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_lines(path: Path, values: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def write_csv(path: Path, header: list[str], rows: list[list[str]], mark: str = ",") -> Path:
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, delimiter=mark).writerows([header, *rows])
    return path


def as_squad(golden: GoldenSet, corpus: Corpus, folder: Path) -> Converted:
    """One paragraph a document; only sets of at most one piece of evidence a question."""
    articles: dict[str, list[dict[str, Any]]] = {one.id: [] for one in corpus.documents}
    for one in golden.questions:
        answers = [{"text": item.text, "answer_start": item.start} for item in one.evidence]
        articles[one.doc].append({"id": one.id, "question": one.question, "answers": answers})
    data = [
        {"title": one.id, "paragraphs": [{"context": one.text, "qas": articles[one.id]}]}
        for one in corpus.documents
    ]
    return write_json(folder / "squad.json", {"data": data}), {}


def as_squad_rows(golden: GoldenSet, corpus: Corpus, folder: Path) -> Converted:
    texts = {one.id: one.text for one in corpus.documents}
    rows = [
        {"id": one.id, "title": one.doc, "context": texts[one.doc], "question": one.question,
         "answers": {"text": [item.text for item in one.evidence],
                     "answer_start": [item.start for item in one.evidence]}}
        for one in golden.questions
    ]  # fmt: skip
    return write_lines(folder / "squad.jsonl", rows), {}


def as_chroma(golden: GoldenSet, _corpus: Corpus, folder: Path) -> Converted:
    rows = [
        [one.question,
         json.dumps([{"content": item.text, "start_index": item.start, "end_index": item.end}
                     for item in one.evidence]),
         one.doc]
        for one in golden.questions
    ]  # fmt: skip
    path = folder / "questions_df.csv"
    return write_csv(path, ["question", "references", "corpus_id"], rows), {}


def as_legalbench(golden: GoldenSet, _corpus: Corpus, folder: Path) -> Converted:
    tests = [
        {"query": one.question,
         "snippets": [{"file_path": home(item, one), "span": [item.start, item.end]}
                      for item in one.evidence]}
        for one in golden.questions
    ]  # fmt: skip
    return write_json(folder / "legalbench.json", {"tests": tests}), {}


def as_chunktuner(golden: GoldenSet, _corpus: Corpus, folder: Path) -> Converted:
    queries = [
        {"id": one.id, "question": one.question, "document_id": one.doc,
         "answer_spans": [[item.start, item.end] for item in one.evidence]}
        for one in golden.questions
    ]  # fmt: skip
    value = {"name": "x", "queries": queries}
    if len(queries) > 100:
        return write_json(folder / "chunktuner.json", value), {}
    return _yaml(folder / "chunktuner.yaml", value), {}


def as_chunklab(golden: GoldenSet, _corpus: Corpus, folder: Path) -> Converted:
    questions = [
        {"id": one.id, "query": one.question,
         "gold_snippets": [item.text for item in one.evidence]}
        for one in golden.questions
    ]  # fmt: skip
    return _yaml(folder / "chunklab.yaml", {"questions": questions}), {}


def as_ragas(golden: GoldenSet, _corpus: Corpus, folder: Path) -> Converted:
    rows = [
        {"user_input": one.question, "reference_contexts": [item.text for item in one.evidence]}
        for one in golden.questions
    ]
    return write_lines(folder / "ragas.jsonl", rows), {}


def as_ragas_csv(golden: GoldenSet, _corpus: Corpus, folder: Path) -> Converted:
    rows = [[one.question, repr([item.text for item in one.evidence])] for one in golden.questions]
    return write_csv(folder / "ragas.csv", ["user_input", "reference_contexts"], rows), {}


def as_csv(golden: GoldenSet, _corpus: Corpus, folder: Path) -> Converted:
    rows = [
        [one.id, one.question, json.dumps([item.text for item in one.evidence]), one.doc]
        for one in golden.questions
    ]
    path = write_csv(folder / "t.csv", ["Nr", "Frage", "Beleg", "Datei"], rows, ";")
    columns = {"id": "Nr", "question": "Frage", "evidence": "Beleg", "doc": "Datei"}
    return path, {"columns": columns}


def as_chunk_dump(golden: GoldenSet, _corpus: Corpus, folder: Path) -> Converted:
    chunks, names = _chunks(golden)
    rows = [
        {"id": one.id, "question": one.question,
         "source_chunk_ids": [names[key(item, one)] for item in one.evidence]}
        for one in golden.questions
    ]  # fmt: skip
    path = write_lines(folder / "questions.jsonl", rows)
    return path, {"chunks": write_lines(folder / "chunks.jsonl", chunks)}


def as_autorag(golden: GoldenSet, _corpus: Corpus, folder: Path) -> Converted:
    chunks, names = _chunks(golden)
    rows = [
        {"qid": one.id, "query": one.question, "generation_gt": ["x"],
         "retrieval_gt": [[names[key(item, one)]] for item in one.evidence]}
        for one in golden.questions
    ]  # fmt: skip
    corpus = [
        {"doc_id": chunk["id"], "contents": chunk["text"], "path": f"/raw/{chunk['doc']}"}
        for chunk in chunks
    ]
    path = write_parquet(folder / "qa.parquet", rows)
    return path, {"chunks": write_parquet(folder / "corpus.parquet", corpus)}


def as_beir(golden: GoldenSet, corpus: Corpus, folder: Path) -> Converted:
    """Labels of whole documents, which is all that the format can hold."""
    (folder / "qrels").mkdir()
    write_lines(folder / "corpus.jsonl", [{"_id": one.id, "title": "", "text": one.text}
                                          for one in corpus.documents])  # fmt: skip
    write_lines(folder / "queries.jsonl", [{"_id": one.id, "text": one.question}
                                           for one in golden.questions])  # fmt: skip
    rows = [
        [one.id, doc, "1"]
        for one in golden.questions
        for doc in dict.fromkeys(home(item, one) for item in one.evidence)
    ]
    write_csv(folder / "qrels" / "test.tsv", ["query-id", "corpus-id", "score"], rows, "\t")
    return folder, {}


def _chunks(
    golden: GoldenSet,
) -> tuple[list[dict[str, Any]], Mapping[tuple[str, int | None, str], str]]:
    """Every piece of evidence as a chunk with offsets, and its id."""
    chunks: list[dict[str, Any]] = []
    names: dict[tuple[str, int | None, str], str] = {}
    for one in golden.questions:
        for item in one.evidence:
            chunk = {"id": f"c{len(chunks)}", "doc": home(item, one), "text": item.text}
            names[key(item, one)] = chunk["id"]
            chunks.append({**chunk, "start": item.start, "end": item.end})
    return chunks, names


def _yaml(path: Path, value: object) -> Path:
    import yaml

    path.write_text(yaml.safe_dump(value, allow_unicode=True), encoding="utf-8")
    return path


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path
