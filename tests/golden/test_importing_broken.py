"""Files of other tools that are broken: every one is one clear line, and exit code 2."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import other_formats as to
import pytest

from chunkscope.cli.main import main
from chunkscope.errors import InputError
from chunkscope.golden.importing.placing import place
from chunkscope.golden.importing.reading import FORMATS, read_source
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.text.document import Corpus, Document

TEXT = "The quay opens at six. A berth is 25 euros a night."
CORPUS = Corpus((Document("a.md", TEXT),))
GOLDEN = GoldenSet(
    (
        Question("1", "When?", "a.md", (Evidence("opens at six", 9, 21),)),
        Question("2", "Price?", "a.md", (Evidence("25 euros", 34, 42),)),
    )
)
CONVERTERS: dict[str, to.Convert] = {
    "squad": to.as_squad,
    "chroma": to.as_chroma,
    "legalbench": to.as_legalbench,
    "ragas": to.as_ragas,
    "beir": to.as_beir,
    "csv": to.as_csv,
    "chunk-dump": to.as_chunk_dump,
    "chunklab": to.as_chunklab,
    "chunktuner": to.as_chunktuner,
    "autorag": to.as_autorag,
}


def test_every_format_has_a_converter():
    assert sorted(CONVERTERS) == sorted(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_told_by_its_content(tmp_path, name):
    path, options = CONVERTERS[name](GOLDEN, CORPUS, tmp_path)
    assert read_source(path, **options).format == name
    made = place(read_source(path, name, **options), CORPUS)
    if name != "beir":
        assert [one.evidence for one in made.golden.questions] == [
            one.evidence for one in GOLDEN.questions
        ]


WRONG = (None, "", " ", 3, -1, 2.5, True, [], {}, [None], "[", "x\ud800", "9" * 5000, [[1]], [3, 1])


def changed(value: Any) -> Iterator[tuple[str, Any]]:
    """`value` with each of its parts in turn left out or replaced by what it should not be."""

    def walk(part: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        entries = part.items() if isinstance(part, dict) else enumerate(part)
        for key, inner in entries if isinstance(part, (dict, list)) else ():
            yield (*path, key)
            if isinstance(inner, (dict, list)):
                yield from walk(inner, (*path, key))

    for path in walk(value, ()):
        for wrong in (..., *WRONG):
            made = copy.deepcopy(value)
            inner = made
            for key in path[:-1]:
                inner = inner[key]
            if wrong is ...:
                del inner[path[-1]]
            else:
                inner[path[-1]] = wrong
            yield f"{path} = {wrong!r}", made


def check(path: Path, name: str, options: dict[str, Any], folder: Path, what: str) -> int:
    """1 when it is refused, and then in one line that names a file."""
    try:
        source = read_source(path, name, **options)
        place(source, CORPUS)
    except InputError as error:
        line = str(error)
        assert "\n" not in line, what
        assert str(folder) in line, what
        return 1
    return 0


@pytest.mark.parametrize("name", ["squad", "legalbench", "chunklab", "chunktuner"])
def test_no_change_of_one_value_crashes_a_file_of_one_value(tmp_path, name):
    path, options = CONVERTERS[name](GOLDEN, CORPUS, tmp_path)
    if path.suffix == ".yaml":
        import yaml

        value = yaml.safe_load(path.read_text())
    else:
        value = json.loads(path.read_text())
    path = tmp_path / "broken.json"
    refused = [
        check(to.write_json(path, made), name, dict(options), tmp_path, what)
        for what, made in changed(value)
    ]
    assert len(refused) > 150
    assert sum(refused) > len(refused) // 3


@pytest.mark.parametrize("name", ["ragas", "chunk-dump", "beir"])
def test_no_change_of_one_value_crashes_json_lines(tmp_path, name):
    path, options = CONVERTERS[name](GOLDEN, CORPUS, tmp_path)
    files = sorted(tmp_path.rglob("*.jsonl"))
    assert files
    refused = []
    for file in files:
        before = file.read_text()
        lines = [json.loads(line) for line in before.splitlines()]
        refused += [
            check(path, name, dict(options), tmp_path, what)
            for what, made in changed(lines)
            if to.write_lines(file, made)
        ]
        file.write_text(before)
    assert sum(refused) > len(refused) // 3


@pytest.mark.parametrize("name", ["chroma", "csv", "beir"])
def test_no_change_of_one_character_crashes_a_table(tmp_path, name):
    path, options = CONVERTERS[name](GOLDEN, CORPUS, tmp_path)
    (file,) = [*tmp_path.rglob("*.csv"), *tmp_path.rglob("*.tsv")]
    before = file.read_text()
    refused = []
    for at in range(len(before)):
        for wrong in ("", '"', "\n", ",", ";", "\t", "\0", "{", "9"):
            file.write_text(before[:at] + wrong + before[at + 1 :])
            refused.append(check(path, name, dict(options), tmp_path, f"{at} {wrong!r}"))
    assert sum(refused) > len(refused) // 20


@pytest.mark.parametrize("file", ["qa.parquet", "corpus.parquet"])
def test_no_change_of_one_byte_crashes_a_parquet_file(tmp_path, file):
    path, options = to.as_autorag(GOLDEN, CORPUS, tmp_path)
    before = (tmp_path / file).read_bytes()
    for at in range(0, len(before), 17):
        (tmp_path / file).write_bytes(before[:at] + bytes([before[at] ^ 0xFF]) + before[at + 1 :])
        check(path, "autorag", dict(options), tmp_path, f"byte {at}")
        (tmp_path / file).write_bytes(before[:at])
        assert check(path, "autorag", dict(options), tmp_path, f"cut at {at}") == 1


def lines(value: list[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(entry) for entry in value)


ASKED = {"question": "When?", "source_chunk_id": "c1"}
Made = Callable[[Path, Path], list[str]]


def file(name: str, content: object, *flags: str) -> Made:
    def make(folder: Path, docs: Path) -> list[str]:
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text, encoding="utf-8")
        return [str(folder / name), str(docs), *(flag.replace("@", f"{folder}/") for flag in flags)]

    return make


def with_chunks(questions: list[dict[str, Any]], chunks: list[dict[str, Any]]) -> Made:
    def make(folder: Path, docs: Path) -> list[str]:
        (folder / "chunks.jsonl").write_text(lines(chunks))
        (folder / "q.jsonl").write_text(lines(questions))
        return [str(folder / "q.jsonl"), str(docs), "--chunks", str(folder / "chunks.jsonl")]

    return make


def autorag(rows: list[dict[str, Any]]) -> Made:
    def make(folder: Path, docs: Path) -> list[str]:
        chunks = [{"doc_id": "c1", "contents": "opens at six"}]
        return [
            str(to.write_parquet(folder / "qa.parquet", rows)),
            str(docs),
            "--chunks",
            str(to.write_parquet(folder / "corpus.parquet", chunks)),
        ]

    return make


def beir(qrels: str) -> Made:
    def make(folder: Path, docs: Path) -> list[str]:
        (folder / "set" / "qrels").mkdir(parents=True)
        (folder / "set" / "corpus.jsonl").write_text(lines([{"_id": "d", "text": TEXT}]))
        (folder / "set" / "queries.jsonl").write_text(lines([{"_id": "q", "text": "When?"}]))
        (folder / "set" / "qrels" / "test.tsv").write_text(qrels)
        return [str(folder / "set"), str(docs)]

    return make


def question(**fields: object) -> dict[str, object]:
    return {"question": "When?", "document_id": "a.md", **fields}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(
            file("q.json", {"data": [{"paragraphs": [{"context": "x", "qas": [{}]}]}]}),
            "q.json, data[0], paragraphs[0], qas[0]: field answers: missing; add it", id="squad"),
        pytest.param(
            file("q.csv", "question,references,corpus_id\nA?,[],a.md\nB?,no,a\n"),
            "q.csv, row 3: field references: not JSON", id="chroma"),
        pytest.param(
            file("q.json", {"tests": [{"query": "?", "snippets": [{"file_path": "a.md"}]}]}),
            "q.json, tests[0], snippets[0]: field span: not a [start, end] pair", id="legalbench"),
        pytest.param(
            file("q.jsonl", lines([{"user_input": "?", "reference_contexts": ["x"]},
                                   {"user_input": "?", "reference_contexts": "x"}])),
            "q.jsonl, line 2: field reference_contexts: not a list", id="ragas"),
        pytest.param(
            beir("query-id\tcorpus-id\tscore\nq\tgone\t1\n"),
            "test.tsv, row 2: field corpus-id: 'gone' has no text in corpus.jsonl", id="beir"),
        pytest.param(
            file("q.csv", "Frage,Beleg\na,b\n", "--column", "question=Frage"),
            "q.csv, row 1: no column 'evidence' for evidence (there are: Frage, Beleg); give "
            "--column evidence=NAME", id="csv"),
        pytest.param(
            with_chunks([ASKED], [{"id": "c2", "text": "six"}]),
            "q.jsonl, line 1: field source_chunk_id: 'c1' is not in ", id="chunk-dump"),
        pytest.param(
            with_chunks([ASKED], [{"id": "c1", "text": "a"}, {"id": "c1", "text": "b"}]),
            "chunks.jsonl, line 2: field id: 'c1' stands twice", id="chunk-dump-twice"),
        pytest.param(
            file("q.yaml", "questions:\n- query: When?\n  gold_snippets: six\n"),
            "q.yaml, questions[0]: field gold_snippets: not a list", id="chunklab"),
        pytest.param(
            file("q.yaml", "questions: [\n"), "q.yaml: not YAML: ", id="chunklab-yaml"),
        pytest.param(
            file("q.json", {"queries": [question(), question(answer_spans=[[5, 2]])]}),
            "q.json, queries[1]: field answer_spans[0]: not a [start, end] pair", id="chunktuner"),
        pytest.param(
            file("q.json", {"queries": [question(answer_spans=[[0, 900]])]}),
            "q.json, queries[0]: offsets 0–900 lie beyond the end of 'a.md'", id="chunktuner-far"),
        pytest.param(
            autorag([{"qid": "x", "query": "When?", "retrieval_gt": [["c1"], ["c9"]]}]),
            "qa.parquet, row 1: field retrieval_gt: 'c9' is not in ", id="autorag"),
        pytest.param(
            file("qa.parquet", "no table", "--chunks", "@qa.parquet"),
            "qa.parquet: cannot be read as Parquet (", id="autorag-no-parquet"),
    ],
)  # fmt: skip
def test_a_broken_file_is_one_line_and_exit_code_2(tmp_path, capsys, make, message):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text(TEXT)
    out = tmp_path / "out.jsonl"
    code = main(["golden", "import", "--out", str(out), *make(tmp_path, docs)])
    printed, said = capsys.readouterr()
    assert (code, printed, out.exists()) == (2, "", False)
    [line] = said.splitlines()
    assert line.startswith(f"chunkscope: {tmp_path}/")
    assert message in line
