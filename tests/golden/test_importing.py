import csv
import json
import sys
from pathlib import Path

import pytest

from chunkscope.errors import InputError, MissingPackageError
from chunkscope.golden.importing.placing import Imported, place
from chunkscope.golden.importing.reading import read_source
from chunkscope.golden.model import Evidence, Question
from chunkscope.text.document import Corpus, Document

QUAY = "The quay opens at six.\n\nA berth is **25 euros** a night. The quay closes at nine."
CORPUS = Corpus((Document("guide/quay.md", QUAY), Document("tides.txt", "Tides turn twice a day.")))


def write(path: Path, value: object) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def parquet(path: Path, rows: list[dict[str, object]]) -> Path:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


def imported(path: Path, corpus: Corpus = CORPUS, **options: object) -> Imported:
    return place(read_source(path, **options), corpus)  # type: ignore[arg-type]


def only(path: Path, **options: object) -> Question:
    (question,) = imported(path, **options).golden.questions
    return question


# One small file a format.


def test_squad_answers_beyond_the_first_are_alternatives(tmp_path):
    context = "A berth is **25 euros** a night. The quay closes at nine."
    answers = [{"text": "25 euros", "answer_start": 13}, {"text": "25", "answer_start": 13},
               {"text": "25 euros", "answer_start": 13}]  # fmt: skip
    qas = [
        {"id": "a", "question": "Fee?", "answers": answers},
        {"id": "b", "question": "Who?", "answers": [], "is_impossible": True},
    ]
    data = {"data": [{"title": "Port", "paragraphs": [{"context": context, "qas": qas}]}]}
    source = read_source(write(tmp_path / "s.json", data))
    assert dict(source.documents) == {"Port.txt": context}
    first, second = place(source, CORPUS).golden.questions
    assert first == Question(
        "a", "Fee?", "guide/quay.md",
        (Evidence("25 euros", 37, 45, alternatives=(Evidence("25", 37, 39),)),), "25 euros",
    )  # fmt: skip
    assert (second.id, second.evidence) == ("b", ())


def test_ragas_contexts_are_found_in_any_document(tmp_path):
    rows = [
        {"user_input": "When?", "reference_contexts": ["<1-hop>\n\nThe quay opens at six.",
                                                       "<2-hop>\n\nTides turn twice a day."],
         "reference": "At six.", "synthesizer_name": "multi_hop"},
        {"user_input": "Lost?", "reference_contexts": ["No such text at all"]},
    ]  # fmt: skip
    path = write(tmp_path / "r.jsonl", "\n".join(json.dumps(row) for row in rows))
    made = imported(path)
    assert made.golden.questions[0] == Question(
        "ragas-0", "When?", "guide/quay.md",
        (Evidence("The quay opens at six.", 0, 22),
         Evidence("Tides turn twice a day.", 0, 23, "tides.txt")),
        "At six.", "multi_hop",
    )  # fmt: skip
    assert [(one.where, one.question_id) for one in made.lost] == [(f"{path}, line 2", "ragas-1")]
    assert made.golden.questions[1].evidence == (Evidence("No such text at all"),)
    assert "whole chunks of one configuration" in made.warnings[0]


def test_beir_labels_are_alternatives_and_warned_of(tmp_path):
    (tmp_path / "qrels").mkdir()
    write(
        tmp_path / "corpus.jsonl",
        '{"_id":"d/1","title":"Tides","text":"They turn."}\n{"_id":"d2","text":"Turning tides."}',
    )
    write(tmp_path / "queries.jsonl", '{"_id":"q1","text":"Tides?"}\n{"_id":"q2","text":"Unused?"}')
    write(tmp_path / "qrels" / "test.tsv",
          "query-id\tcorpus-id\tscore\nq1\td/1\t1\nq1\td2\t2\nq1\td3\t0\n")  # fmt: skip
    source = read_source(tmp_path)
    assert dict(source.documents) == {"d_1.txt": "Tides\n\nThey turn.", "d2.txt": "Turning tides."}
    corpus = Corpus(tuple(Document(*entry) for entry in sorted(source.documents.items())))
    made = place(source, corpus)
    assert made.golden.questions == (
        Question("q1", "Tides?", "d_1.txt", (
            Evidence("Tides\n\nThey turn.", 0, 17,
                     alternatives=(Evidence("Turning tides.", 0, 14, "d2.txt"),)),)),
    )  # fmt: skip
    assert "cannot tell sizes apart" in made.warnings[0]


def test_csv_with_mapped_columns(tmp_path):
    path = write(
        tmp_path / "fragen.csv",
        "Frage;Beleg;Datei\n"
        'Wann?;"[""The quay opens at six."", ""The quay closes at nine.""]";quay\n'
        "Preis?;A berth is 25 euros a night.;guide/quay.md\n"
        "Wer?;;quay.md\n",
    )
    made = imported(path, columns={"question": "Frage", "evidence": "Beleg", "doc": "Datei"})
    assert made.loose == 1
    assert [one.evidence for one in made.golden.questions] == [
        (Evidence("The quay opens at six.", 0, 22), Evidence("The quay closes at nine.", 57, 81)),
        (Evidence("A berth is **25 euros** a night.", 24, 56),),
        (),
    ]
    assert {one.doc for one in made.golden.questions} == {"guide/quay.md"}


def test_offsets_of_a_csv_that_hold_other_text_are_found_anew(tmp_path):
    path = write(tmp_path / "t.csv", "question,evidence,doc,start,end\nFee?,25 euros,quay,0,8\n")
    made = imported(path)
    assert (made.drifted, made.golden.questions[0].evidence) == (1, (Evidence("25 euros", 37, 45),))


def test_text_that_stands_twice_keeps_no_offset(tmp_path):
    made = imported(write(tmp_path / "t.csv", "question,evidence,doc\nWhat?,The quay,quay\n"))
    assert (made.ambiguous, made.golden.questions[0].evidence) == (1, (Evidence("The quay"),))


def test_text_with_an_ellipsis_becomes_several_items(tmp_path):
    path = write(
        tmp_path / "t.csv", "question,evidence,doc\nWhen?,opens at six … closes at nine,quay\n"
    )
    assert only(path).evidence == (
        Evidence("opens at six", 9, 21),
        Evidence("closes at nine", 66, 80),
    )


def test_chunk_dump(tmp_path):
    chunks = write(tmp_path / "chunks.json", [
        {"id": 1, "text": "The quay opens at six.", "doc": "quay.md"},
        {"doc": "tides.txt", "index": 0, "text": "Tides turn twice a day."}])  # fmt: skip
    path = write(tmp_path / "q.json", [
        {"question": "When?", "answer": "Six.", "source_chunk_id": 1},
        {"question": "Tides?", "source_chunk_id": "tides.txt#0"}])  # fmt: skip
    made = imported(path, chunks=chunks)
    assert made.golden.questions == (
        Question("chunk-dump-0", "When?", "guide/quay.md",
                 (Evidence("The quay opens at six.", 0, 22),), "Six."),
        Question("chunk-dump-1", "Tides?", "tides.txt",
                 (Evidence("Tides turn twice a day.", 0, 23),)),
    )  # fmt: skip
    assert "favours sizes near the one" in made.warnings[0]
    with pytest.raises(InputError, match="give the chunks with --chunks FILE"):
        read_source(path)
    with pytest.raises(InputError, match=r"entry 1: field source_chunk_id: 9 is not in "):
        read_source(write(path, [{"question": "?", "source_chunk_id": 9}]), chunks=chunks)


def test_chunklab_and_chunktuner(tmp_path):
    pytest.importorskip("yaml")
    lab = write(
        tmp_path / "l.yaml",
        "questions:\n- id: q1\n  query: Fee?\n  gold_snippets: ['25 euros']\n  tags: [money, b]\n",
    )
    assert only(lab) == Question(
        "q1", "Fee?", "guide/quay.md", (Evidence("25 euros", 37, 45),), type="money"
    )
    tuner = write(tmp_path / "t.json", {"name": "x", "queries": [
        {"question": "Fee?", "document_id": "quay", "answer_spans": [[37, 45]],
         "reference_answer": "25"}]})  # fmt: skip
    assert only(tuner) == Question(
        "chunktuner-0", "Fee?", "guide/quay.md", (Evidence("25 euros", 37, 45),), "25"
    )
    with pytest.raises(InputError, match="not YAML"):
        read_source(write(lab, "a: [b"))


def test_autorag_groups(tmp_path):
    qa = [
        {"qid": "x", "query": "When?", "retrieval_gt": [["a", "b"], ["c"]],
         "generation_gt": ["Six."]},
        {"qid": "y", "query": "Unanswered?", "retrieval_gt": [], "generation_gt": []},
    ]  # fmt: skip
    chunks = [
        {"doc_id": "a", "contents": "The quay opens at six.", "path": "/x/guide/quay.md"},
        {"doc_id": "b", "contents": "The quay closes at nine.", "path": "C:\\x\\quay.md"},
        {"doc_id": "c", "contents": "Tides turn twice a day.", "path": "/x/other.md"},
    ]
    first, second = imported(
        parquet(tmp_path / "qa.parquet", qa), chunks=parquet(tmp_path / "corpus.parquet", chunks)
    ).golden.questions
    assert first.evidence == (
        Evidence("The quay opens at six.", 0, 22,
                 alternatives=(Evidence("The quay closes at nine.", 57, 81),)),
        Evidence("Tides turn twice a day.", 0, 23, "tides.txt"),
    )  # fmt: skip
    assert (first.id, first.doc, first.answer) == ("x", "guide/quay.md", "Six.")
    assert (second.id, second.evidence, second.answer) == ("y", (), None)


def test_one_list_of_autorag_is_one_group(tmp_path):
    chunks = parquet(tmp_path / "corpus.parquet", [
        {"doc_id": "a", "contents": "The quay opens at six."},
        {"doc_id": "c", "contents": "Tides turn twice a day."}])  # fmt: skip
    one = [{"qid": "x", "query": "When?", "retrieval_gt": ["a", "c"], "generation_gt": "Six."}]
    made = only(parquet(tmp_path / "qa.parquet", one), chunks=chunks)
    assert made.evidence == (
        Evidence("The quay opens at six.", 0, 22,
                 alternatives=(Evidence("Tides turn twice a day.", 0, 23, "tides.txt"),)),
    )  # fmt: skip
    assert made.answer == "Six."
    text = [{"qid": "x", "query": "When?", "retrieval_gt": "c", "generation_gt": ["Six."]}]
    made = only(parquet(tmp_path / "qa.parquet", text), chunks=chunks)
    assert (made.doc, made.evidence) == (
        "tides.txt", (Evidence("Tides turn twice a day.", 0, 23),)
    )  # fmt: skip


def test_text_in_several_documents_serves_in_each(tmp_path):
    corpus = Corpus(
        (Document("a.md", "Same words. Own."), Document("b.md", "Same words."),
         Document("c.md", "x Same words. y Same words."))
    )  # fmt: skip
    rows = [
        {"user_input": "One?", "reference_contexts": ["Same words."]},
        {"user_input": "Two?", "reference_contexts": ["Same words.", "y"]},
    ]
    made = imported(write(tmp_path / "r.json", rows), corpus)
    first, second = made.golden.questions
    assert made.ambiguous == 2
    assert (first.doc, first.evidence) == ("a.md", (
        Evidence("Same words.", 0, 11, alternatives=(
            Evidence("Same words.", 0, 11, "b.md"), Evidence("Same words.", doc="c.md"))),
    ))  # fmt: skip
    # What stands in one document alone decides for the others.
    assert (second.doc, second.evidence) == ("c.md", (
        Evidence("Same words.", alternatives=(
            Evidence("Same words.", 0, 11, "a.md"), Evidence("Same words.", 0, 11, "b.md"))),
        Evidence("y", 14, 15),
    ))  # fmt: skip


def test_rows_of_squad_with_lists_of_answers(tmp_path):
    context = "A berth is **25 euros** a night. The quay closes at nine."
    rows = [
        {"id": "a", "title": "Port", "context": context, "question": "Fee?",
         "answers": {"text": ["25 euros", "25"], "answer_start": [13, 13]}},
        {"id": "b", "title": "Port", "context": context, "question": "Who?",
         "answers": {"text": [], "answer_start": []}},
    ]  # fmt: skip
    for path in (write(tmp_path / "s.json", rows), parquet(tmp_path / "s.parquet", rows)):
        source = read_source(path)
        assert (source.format, dict(source.documents)) == ("squad", {"Port.txt": context})
        first, second = place(source, CORPUS).golden.questions
        assert first == Question(
            "a", "Fee?", "guide/quay.md",
            (Evidence("25 euros", 37, 45, alternatives=(Evidence("25", 37, 39),)),), "25 euros",
        )  # fmt: skip
        assert (second.id, second.evidence) == ("b", ())


def test_ragas_of_a_table_holds_its_lists_as_text(tmp_path):
    path = tmp_path / "r.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([
            ["user_input", "reference_contexts", "reference"],
            ["When?", repr(["The quay opens at six.", "Tides turn twice a day."]), "Six."],
            ["Fee?", json.dumps(["A berth is **25 euros** a night."]), ""],
        ])  # fmt: skip
    first, second = imported(path).golden.questions
    assert [item.start for item in first.evidence] == [0, 0]
    assert (first.answer, second.answer) == ("Six.", None)
    assert second.evidence == (Evidence("A berth is **25 euros** a night.", 24, 56),)


def test_a_dump_of_chunks_places_them_by_its_offsets(tmp_path):
    corpus = Corpus((Document("a.md", "lamp lamp lamp"), Document("b.md", "lamp")))
    chunks = write(tmp_path / "chunks.jsonl", "\n".join(json.dumps(chunk) for chunk in [
        {"doc": "a.md", "index": 1, "start": 5, "end": 9, "text": "lamp"},
        {"id": "m", "page_content": "lamp", "metadata": {"source": "/data/b.md"}}]))  # fmt: skip
    questions = write(tmp_path / "q.json", [
        {"question": "One?", "source_chunk_id": "a.md#1"},
        {"question": "Two?", "source_chunk_id": "m"},
        {"question": "Three?", "source_chunk_id": None}])  # fmt: skip
    made = place(read_source(questions, chunks=chunks), corpus)
    assert [(one.doc, one.evidence) for one in made.golden.questions] == [
        ("a.md", (Evidence("lamp", 5, 9),)),
        ("b.md", (Evidence("lamp", 0, 4),)),
        ("a.md", ()),
    ]
    assert (made.ambiguous, made.drifted) == (0, 0)


def test_packages_that_are_missing_are_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "yaml", None)
    path = write(tmp_path / "qa.parquet", "")
    with pytest.raises(MissingPackageError, match=r"pip install 'chunkscope\[parquet\]'"):
        read_source(path, chunks=path)
    with pytest.raises(MissingPackageError, match=r"pip install 'chunkscope\[yaml\]'"):
        read_source(write(tmp_path / "q.yaml", "questions: []"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("q.csv", "question,references,corpus_id\nWhat?,[{,a\n",
         "q.csv, row 2: field references: not JSON"),
        ("q.csv", 'question,references,corpus_id\nA?,"[{""content"":1}]",a\n',
         "q.csv, row 2, references[0]: field content: not text"),
        ("q.csv", "question,references,corpus_id\n,[],a\n", "q.csv, row 2: field question: blank"),
        ("q.csv", "question,evidence\na\n", "q.csv, row 2: 1 fields, not 2 as in the header"),
        ("q.csv", "question,question\n", "q.csv, row 1: column 'question' stands twice"),
        ("q.csv", "Frage,evidence\na,b\n",
         "q.csv, row 1: no column 'question' for question (there are: Frage, evidence)"),
        ("q.csv", 'question,evidence\n"a', "not CSV"),
        ("q.csv", "", "q.csv: empty"),
        ("q.csv", "question,evidence,doc,start,end\na,b,c,x,2\n",
         "q.csv, row 2: field start: not a whole number"),
        ("q.json", {"data": [{"paragraphs": [{"context": "abc", "qas": [
            {"question": "?", "answers": [{"text": "c", "answer_start": 0}]}]}]}]},
         "q.json, data[0], paragraphs[0], qas[0], answers[0]: field answer_start: the context"),
        ("q.json", {"tests": [{"query": "?", "snippets": [{"file_path": "a", "span": [3, 3]}]}]},
         "q.json, tests[0], snippets[0]: field span: not a [start, end] pair"),
        ("q.json", {"questions": [{"query": 3}]}, "questions[0]: field query: not text"),
        ("q.jsonl", '{"user_input":"?","reference_contexts":[""]}',
         "q.jsonl, line 1: field reference_contexts[0]: blank"),
        ("q.jsonl", '{"user_input":"?","reference_contexts":[]}\n[1]',
         "q.jsonl, line 2: not an object"),
        ("q.json", "[1", "q.json: not JSON"),
        ("q.json", {"other": 1}, "q.json: format not recognised; name it: --from squad|"),
    ],
)  # fmt: skip
def test_errors_name_file_row_and_field(tmp_path, name, content, message):
    with pytest.raises(InputError) as raised:
        read_source(write(tmp_path / name, content))
    assert message in str(raised.value)


def test_errors_of_placing(tmp_path):
    tests = {"tests": [{"query": "?", "snippets": [{"file_path": "quay", "span": [0, 900]}]}]}
    with pytest.raises(InputError, match=r"tests\[0\]: offsets 0–900 lie beyond the end of"):
        imported(write(tmp_path / "a.json", tests))
    tests["tests"][0]["snippets"][0]["file_path"] = "gone.md"  # type: ignore[index]
    with pytest.raises(InputError, match=r"document 'gone\.md' is not in the corpus"):
        imported(write(tmp_path / "a.json", tests))
    made = imported(write(tmp_path / "a.csv", "question,evidence,doc\nA?,Tides,tide.txt\n"))
    assert 'did you mean "tides.txt"?' in made.lost[0].message


def test_ids_stay_unique(tmp_path):
    path = write(tmp_path / "t.csv", "id,question,evidence\na,A?,Tides\na,B?,Tides\n,C?,Tides\n")
    ids = [one.id for one in imported(path).golden.questions]
    assert ids == ["a", "a-2", "csv-2"]


def test_a_name_that_two_documents_have_is_none(tmp_path):
    corpus = Corpus((Document("a/x.md", "lamp"), Document("b/x.md", "boat")))
    path = write(tmp_path / "t.csv", "question,evidence,doc\nA?,boat,b/x\nB?,boat,x.md\n")
    made = imported(path, corpus)
    assert made.golden.questions[0].doc == "b/x.md"
    assert [one.question_id for one in made.lost] == ["csv-1"]


def test_long_fields_are_read_and_the_limit_put_back(tmp_path):
    before = csv.field_size_limit()
    path = write(tmp_path / "t.csv", f"question,evidence\nA?,{'x' * 200_000}\n")
    assert len(imported(path).golden.questions[0].evidence[0].text) == 200_000
    assert csv.field_size_limit() == before


def test_ids_that_differ_in_case_alone_are_told_apart(tmp_path):
    corpus = Corpus((Document("A.md", "lamp. boat"), Document("a.md", "boat. lamp")))
    rows = "question,evidence,doc\nOne?,lamp,A.md\nTwo?,lamp,a.md\n"
    made = imported(write(tmp_path / "t.csv", rows), corpus)
    assert [(one.doc, one.evidence) for one in made.golden.questions] == [
        ("A.md", (Evidence("lamp", 0, 4),)),
        ("a.md", (Evidence("lamp", 6, 10),)),
    ]
    anywhere = imported(write(tmp_path / "t.csv", "question,evidence\nOne?,lamp\n"), corpus)
    assert anywhere.golden.questions[0].evidence == (
        Evidence("lamp", 0, 4, alternatives=(Evidence("lamp", 6, 10, "a.md"),)),
    )
