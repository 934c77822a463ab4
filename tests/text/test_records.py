"""Several documents in one file, and encodings given for many files at once."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.cli.main import main
from chunkscope.errors import InputError
from chunkscope.text.document import Corpus
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.loading.reading import Reading
from chunkscope.text.loading.records import records_of


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def skipped(corpus):
    return {one.path: one.reason for one in corpus.skipped}


def texts(corpus):
    return {one.id: one.text for one in corpus.documents}


def dumped(text, **metadata):
    """A document as LangChain dumps it."""
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "document", "Document"],
        "kwargs": {"page_content": text, "metadata": metadata, "type": "Document"},
    }


def plain(text, **metadata):
    return {"page_content": text, "metadata": metadata}


# --- LangChain documents -------------------------------------------------------------------------


@pytest.mark.parametrize("form", [plain, dumped])
def test_langchain_documents_are_one_document_each(tmp_path, form):
    made = [
        form("Low at six.", source="tides.pdf", page=0),
        form("High at noon.", source="tides.pdf", page=1, page_label="ii"),
        form("Berths.", source="berths.csv", row=7),
        form("No source."),
    ]
    write(tmp_path, {"saved.json": json.dumps(made), "lines.jsonl": json.dumps(made[0])})
    corpus = load_corpus([tmp_path])
    assert texts(corpus) == {
        "berths.csv": "Berths.",
        "saved.json:4": "No source.",
        "tides.pdf": "Low at six.",
        "tides.pdf#2": "Low at six.",
        "tides.pdf#3": "High at noon.",
    }
    assert [one.place(0, 3) for one in corpus.documents] == ["row 7", "", "page 1", "page 1",
                                                             "page ii"]  # fmt: skip
    assert {one.notes for one in corpus.documents} == {
        ("page_content of a LangChain document: offsets refer to this text",)
    }
    assert corpus.skipped == ()


def test_one_langchain_document_alone_and_a_counter_that_is_taken(tmp_path):
    files = {
        "a#2": "a file of this name",
        "b.json": json.dumps(dumped("one", source="a")),
        "c.json": "\ufeff" + json.dumps([plain("two", source="a"), plain("", source="a")]),
    }
    write(tmp_path, files)
    assert texts(load_corpus([tmp_path])) == {
        "a": "one", "a#2": "a file of this name", "a#3": "two", "a#4": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        [plain("x"), {"page_content": "y"}],
        [plain("x"), 7],
        {"page_content": "x"},
        {"page_content": 7, "metadata": {}},
        {"page_content": "x", "metadata": []},
        {"lc": 1, "kwargs": {"page_content": "x", "metadata": 3}},
        {"documents": [plain("x")]},
        [],
        '"page_content"',
    ],
)
def test_anything_else_in_json_is_read_as_its_source(tmp_path, value):
    source = json.dumps(value)
    write(tmp_path, {"a.json": source})
    document = load_corpus([tmp_path]).documents[0]
    assert (document.id, document.text, document.origin) == ("a.json", source, None)


def test_a_named_file_is_read_as_its_source(tmp_path):
    source = json.dumps([plain("x", source="s")])
    write(tmp_path, {"a.json": source})
    named = load_corpus([tmp_path], encoding_of={"a.json": "utf-8"})
    assert texts(named) == {"a.json": source}
    assert texts(load_corpus([tmp_path], encoding_of={"*.json": "utf-8"})) == {"s": "x"}


# --- fields --------------------------------------------------------------------------------------


def test_an_array_of_objects_is_a_document_each(tmp_path):
    values = [
        {"_id": "d1", "title": "Tides", "text": "Low."},
        {"_id": "d2", "text": "High.", "more": {"note": "neap", "n": 3}},
        3,
        {"_id": "d3"},
        {"_id": "d4", "text": ["x"]},
    ]
    write(tmp_path, {"a.json": json.dumps(values), "b.json": "[1, 2]", "c.json": "{oops"})
    corpus = load_corpus([tmp_path], reading=Reading(records=("title", "text", "more.note")))
    assert texts(corpus) == {
        "b.json": "[1, 2]", "c.json": "{oops", "d1": "Tides\n\nLow.", "d2": "High.\n\nneap",
    }  # fmt: skip
    assert skipped(corpus) == {
        "a.json:3": "not a JSON object",
        "a.json:4": "has no field 'title' or 'text' or 'more.note'",
        "a.json:5": "its field 'text' is not a text",
    }
    second = corpus.documents[3]
    assert (second.origin.format, second.place(7, 11)) == ("JSON", "more.note")
    assert second.notes == (
        "title and text and more.note of a JSON record: offsets refer to this text",
    )


def test_fields_reach_into_dumped_documents_and_metadata(tmp_path):
    made = [dumped("one", source="s", key="k1"), plain("two", key="k2")]
    write(tmp_path, {"a.jsonl": "\n".join(map(json.dumps, made))})
    reading = Reading(records=("page_content",), record_id="metadata.key")
    assert texts(load_corpus([tmp_path], reading=reading)) == {"k1": "one", "k2": "two"}


def test_records_that_are_read_as_their_source_are_said_to_be(tmp_path):
    write(
        tmp_path,
        {
            "corpus.jsonl": '{"_id": "1", "title": "T", "text": "x"}\n{"_id": "2", "text": "y"}\n',
            "log.jsonl": '{"level": 3}\n{}\n',
            "torn.jsonl": "{\n}\n",
        },
    )
    corpus = load_corpus([tmp_path])
    assert [(one.id, one.notes) for one in corpus.documents] == [
        (
            "corpus.jsonl",
            ("read as its source; --records title,text makes each line a document",),
        ),
        ("log.jsonl", ()),
        ("torn.jsonl", ()),
    ]


def test_a_beir_folder_is_its_corpus(tmp_path):
    corpus = '{"_id": "d1", "title": "T", "text": "x"}\n{"_id": "d2", "title": "", "text": "y"}\n'
    queries = '{"_id": "q1", "text": "which?"}\n'
    write(
        tmp_path,
        {
            "set/corpus.jsonl": corpus, "set/queries.jsonl": queries, "set/qrels/a.tsv": "q1\td1",
            "other/queries.jsonl": '{"_id": "d3", "text": "z"}', "other/qrels/a.txt": "a",
        },
    )  # fmt: skip
    read = load_corpus([tmp_path], reading=Reading(records=("title", "text")))
    assert texts(read) == {"d1": "T\n\nx", "d2": "y", "d3": "z", "other/qrels/a.txt": "a"}
    assert skipped(read) == {
        "set/qrels": "what answers the questions of a BEIR corpus, not documents",
        "set/queries.jsonl": "the questions of a BEIR corpus, not a document",
    }
    given = load_corpus([tmp_path / "set" / "queries.jsonl"], reading=Reading(records=("text",)))
    assert texts(given) == {"q1": "which?"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["page_content", "metadata", "kwargs", "lc", "_id", "text", "source"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from([".json", ".jsonl"]), st.booleans())
def test_any_json_gives_texts_or_reasons(value, suffix, asked):
    reading = Reading(records=("text", "kwargs.text") if asked else (), record_id="metadata._id")
    for record in records_of(json.dumps(value), suffix, reading) or ():
        assert (record.extracted is None) == bool(record.reason)


# --- encodings of many files ---------------------------------------------------------------------


def test_patterns_say_how_text_is_decoded(tmp_path):
    old = "Größe".encode("cp1252")
    write(
        tmp_path,
        {
            "a.txt": old,
            "b.csv": old,
            "sub/c.csv": old,
            "d.png": b"\x89PNG\r\n\x1a\n",
            "[x].txt": old,
            "n.ipynb": json.dumps({"nbformat": 4, "cells": [{"source": "x"}]}),
        },
    )
    given_encodings = {"*.csv": "cp1250", "sub/*": "cp1253", "[x].txt": "cp437", "*": "cp1252"}
    corpus = load_corpus([tmp_path], encoding_of=given_encodings)
    assert {one.id: one.encoding for one in corpus.documents} == {
        "[x].txt": "cp437", "a.txt": "cp1252", "b.csv": "cp1250", "n.ipynb": "cp1252",
        "sub/c.csv": "cp1250",
    }  # fmt: skip
    assert corpus.documents[3].text == "x"
    assert skipped(corpus) == {"d.png": "binary: a PNG image"}
    with pytest.raises(InputError, match=r"^an encoding is given for '\*\.md', which no file is"):
        load_corpus([tmp_path], encoding_of={"*.md": "ascii"})


# --- what reports say ----------------------------------------------------------------------------


def test_reports_state_how_files_were_read_and_where_spans_stand(tmp_path, capsys):
    write(
        tmp_path,
        {
            "docs/fees.csv": "Berth,Fee\r\nNorth,4 euros\r\n",
            "docs/old.txt": "Größe der Boote".encode("cp1252"),
            "docs/saved.json": json.dumps([plain("Low at six.", source="tides", page=4)]),
        },
    )
    question = {"id": "q", "question": "fee of North", "doc": "fees.csv",
                "evidence": [{"text": "4 euros"}]}  # fmt: skip
    write(tmp_path, {"golden.jsonl": json.dumps(question)})
    paths = [os.fspath(tmp_path / "docs")]
    flags = ["--newline", "lf", "--encoding-of", "*.txt=cp1252", "--format", "json"]
    assert main(["eval", *paths, "--golden", os.fspath(tmp_path / "golden.jsonl"), *flags]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["reading"] == {
        "encoding_of": {"*.txt": "cp1252"}, "newline": "lf", "html": False, "records": [],
        "record_id": "_id", "join_hyphens": False, "drop_running": False,
        "extracted": {"LangChain": 1},
    }  # fmt: skip
    words = load_corpus(
        [tmp_path / "docs"], reading=Reading(encoding_of={"*.txt": "cp1252"}, newline="lf")
    ).read_words
    assert words == (
        "line ends made lf; *.txt as cp1252; "
        "1 extracted from LangChain: offsets refer to the extracted text"
    )
    assert Corpus(()).read_words == ""
    (retrieved,) = report["questions"][0]["retrieved"]
    assert (retrieved["doc"], retrieved["place"]) == ("fees.csv", "row 1 to row 2")
    assert main(["chunks", *paths, *flags]) == 0
    captured = capsys.readouterr()
    assert [(one["doc"], one.get("place")) for one in json.loads(captured.out)] == [
        ("fees.csv", "row 1 to row 2"), ("old.txt", None), ("tides", "page 5"),
    ]  # fmt: skip
    assert (
        "fees.csv: line ends crlf made lf: offsets refer to the converted text"
        in captured.err.splitlines()
    )
    assert "old.txt: read as cp1252; its encoding was given" in captured.err.splitlines()
