"""What other people's scripts depend on: names, exit codes, streams, one line an error."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from chunkscope.cli.main import main

TEXT = (
    "# Harbour\n\nThe quay opens at six. Boats leave at dawn.\n\n\n\n"
    "## Lamps\n\nA lamp burns – all night – in the “old” tower.\n\n港口很安静。\n"
)
OTHER = "The pier is closed in winter. Tide tables hang at the gate.\n"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code in {0, 1}, self.err
        assert self.out.isascii()
        return json.loads(self.out, parse_constant=no_constant)


def no_constant(name: str) -> NoReturn:
    raise AssertionError(f"{name} is no JSON")


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command line, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: object) -> Outcome:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as exit_:
            code = exit_.code if isinstance(exit_.code, int) else 0
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return command


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / "harbour.md").write_text(TEXT, encoding="utf-8")
    (folder / "sub" / "pier.txt").write_text(OTHER, encoding="utf-8")
    return folder


def line(number: int, question: str, doc: str, *evidence: str, **more: Any) -> dict[str, Any]:
    items = [{"text": text} for text in evidence]
    return {"id": f"q{number}", "question": question, "doc": doc, "evidence": items} | more


LINES = [
    line(1, "When does the quay open?", "harbour.md", "The quay opens at six.", type="fact"),
    line(2, "What burns in the tower?", "harbour.md", "A lamp burns", "“old” tower", type="fact"),
    line(3, "Where are tide tables?", "sub/pier.txt", "Tide tables hang at the gate", type="table"),
    line(4, "Who keeps the zebra?", "harbour.md", "a zebra nobody wrote of"),
    line(5, "What is the toll?", "harbour.md"),
]


def write_lines(path: Path, lines: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return path


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "questions.jsonl", LINES)


SMALL = ("--unit", "characters", "--size", "40", "--overlap", "5")

# ---------------------------------------------------------------- names

CHUNK_NAMES = [
    *("doc", "index", "start", "end", "spans", "text", "prefix", "tokens", "altered", "oversize"),
    "overlap",
]
EVAL_NAMES = {
    *("config", "versions", "corpus", "golden", "chunks", "metrics", "sd", "intervals"),
    *("recall_range", "by_type", "questions", "warnings"),
}
METRICS = {
    *("recall", "full_recall", "coverage", "joint_recall", "term_coverage", "hit_rate", "mrr"),
    *("ndcg", "precision", "iou", "precision_omega", "context_tokens", "context_words"),
    *("context_unique_tokens", "split_rate", "edge_cuts", "redundancy", "distractors"),
    *("recall_at_budget", "recall_luck", "index_overhead"),
}
SETTINGS = {
    "splitter": {
        *("kind", "size", "overlap", "unit", "encoding", "separators", "keep_separator"),
        *("regex", "strip", "dedupe"),
    },
    "enrich": {"prefix", "heading_pattern", "parent"},
    "retriever": {"kind", "k", "budget", "words", "query_terms", "ties"},
}


def check_chunk(chunk: dict[str, Any], texts: dict[str, str]) -> None:
    source = texts[chunk["doc"]]
    assert set(chunk) >= set(CHUNK_NAMES)
    start, end = chunk["start"], chunk["end"]
    assert [chunk["spans"][0][0], chunk["spans"][-1][1]] == [start, end]
    assert chunk["altered"] == (chunk["text"] != source[start:end])
    for name in ("altered", "oversize"):
        assert isinstance(chunk[name], bool)


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_chunks(run: Run, docs: Path, form: str) -> None:
    flags = ("--splitter", "character", "--keep-separator", "none", "--unit", "characters")
    outcome = run("chunks", docs, *flags, "--size", "70", "--overlap", "9", "--format", form)
    assert outcome.out.isascii()
    if form == "jsonl":
        chunks = [json.loads(one) for one in outcome.out.removesuffix("\n").split("\n")]
    else:
        chunks = outcome.json
    texts = {"harbour.md": TEXT, "sub/pier.txt": OTHER}
    assert list(dict.fromkeys(chunk["doc"] for chunk in chunks)) == sorted(texts)
    before: dict[str, Any] = {"doc": None}
    for chunk in chunks:
        check_chunk(chunk, texts)
        same = before["doc"] == chunk["doc"]
        assert chunk["index"] == (before["index"] + 1 if same else 0)
        shared = max(0, min(before["end"], chunk["end"]) - chunk["start"]) if same else 0
        assert chunk["overlap"] == shared
        before = chunk
    assert any(chunk["altered"] for chunk in chunks)


def test_eval(run: Run, docs: Path, golden: Path) -> None:
    found = run("eval", docs, "--golden", golden, *SMALL, "--k", "2,4", "--format", "json").json
    assert set(found) >= EVAL_NAMES
    assert set(found["corpus"]) >= {"documents", "characters", "tokens", "fingerprint"}
    assert found["corpus"]["documents"] == 2
    assert found["corpus"]["characters"] == len(TEXT) + len(OTHER)
    counts = {name: found["golden"][name] for name in ("questions", "measured", "unmeasured")}
    assert counts == {"questions": 5, "measured": 3, "unmeasured": 1}
    assert found["golden"]["unanswerable"] == 1
    assert found["golden"]["fingerprint"]
    assert set(found["chunks"]) >= {
        *("count", "mean_tokens", "max_tokens", "total_tokens", "oversize", "altered"),
        "uncovered_characters",
    }
    assert set(found["metrics"]) >= METRICS
    assert set(found["metrics"]) >= {
        f"{name}@{k}" for name in ("hit_rate", "mrr", "ndcg", "recall") for k in (2, 4)
    }
    assert set(found["sd"]) >= {"recall", "precision_omega"}
    for low, high in found["intervals"].values():
        assert low <= high
    low, high = found["recall_range"]
    assert low <= found["metrics"]["recall"] <= high
    assert set(found["by_type"]) >= {"fact", "table"}
    assert found["by_type"]["table"]["recall"] in {0, 1}
    for section, names in SETTINGS.items():
        assert set(found["config"][section]) >= names
    assert found["config"]["retriever"]["k"] == [2, 4]
    assert found["config"]["splitter"]["overlap"] == 5
    verdicts = {one["id"]: one["verdict"] for one in found["questions"]}
    assert list(verdicts) == ["q1", "q2", "q3", "q4", "q5"]
    assert (verdicts["q4"], verdicts["q5"]) == ("unmeasured", "unanswerable")
    for one in found["questions"]:
        assert set(one) >= {"id", "verdict", "reason", "rank", "recall", "coverage", "retrieved"}
        assert len(one["retrieved"]) <= 4
        for retrieved in one["retrieved"]:
            assert set(retrieved) >= {"doc", "start", "end", "score"}
        if one["verdict"] in {"unmeasured", "unanswerable"}:
            assert (one["rank"], one["recall"], one["coverage"]) == (None, None, None)


def test_k_is_always_a_list(run: Run, docs: Path, golden: Path) -> None:
    found = run("eval", docs, "--golden", golden, "--k", "3", "--format", "json").json
    assert found["config"]["retriever"]["k"] == [3]


def test_eval_without_a_golden_set(run: Run, docs: Path, tmp_path: Path) -> None:
    asked = ("eval", docs, *SMALL, "--format", "json", "-q", "When does the quay open?")
    (plain,) = run(*asked, "--evidence", "The quay opens at six.").json["questions"]
    (tmp_path / "evidence.txt").write_text("The quay opens at six.", encoding="utf-8")
    (from_file,) = run(*asked, "--evidence", f"@{tmp_path / 'evidence.txt'}").json["questions"]
    assert plain["verdict"] == "hit"
    for name in ("verdict", "rank", "recall", "retrieved"):
        assert plain[name] == from_file[name]


def test_nothing_measured_is_null_and_no_error(run: Run, docs: Path, tmp_path: Path) -> None:
    golden = write_lines(tmp_path / "lost.jsonl", LINES[3:])
    found = run("eval", docs, "--golden", golden, "--format", "json")
    assert found.code == 0
    assert set(found.json["metrics"].values()) == {None}
    assert found.json["recall_range"] in ([None, None], None)


def test_saved_is_what_is_printed(run: Run, docs: Path, golden: Path, tmp_path: Path) -> None:
    saved = tmp_path / "run.json"
    found = run("eval", docs, "--golden", golden, "--format", "json", "--save", saved)
    assert json.loads(saved.read_text(encoding="utf-8")) == found.json


PARAGRAPHS = (
    "Boats leave before the dawn.\n\nLamps burn for all the night.\n\nTides turn twice in a day.\n"
)


def test_sweep(run: Run, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text(PARAGRAPHS, encoding="utf-8")
    golden = write_lines(
        tmp_path / "g.jsonl", [line(1, "When do boats leave?", "a.txt", "before the dawn")]
    )
    outcome = run(
        *("sweep", docs, "--golden", golden, "--unit", "characters", "--format", "json"),
        *("--sizes", "10,30", "--overlaps", "0,5,15,29"),
    )
    found = outcome.json
    assert outcome.code == 0
    assert set(found) >= {"rows", "skipped", "advice"}

    def pair(config: dict[str, Any]) -> tuple[int, int]:
        return config["splitter"]["size"], config["splitter"]["overlap"]

    pairs = [pair(row["config"]) for row in found["rows"]]
    assert pairs == [(10, 0), (10, 5), (30, 0), (30, 5), (30, 15), (30, 29)]
    skipped = {pair(one["config"]): one["reason"] for one in found["skipped"]}
    assert set(skipped) == {(10, 15), (10, 29)}
    assert all(reason and "overlap" in reason for reason in skipped.values())
    for row in found["rows"]:
        assert set(row) >= (EVAL_NAMES - {"questions"}) | {"same_as"}
        assert "questions" not in row
        assert row["metrics"]["recall_at_budget"] is not None
    # Between strong separators an overlap changes nothing: one chunk set, folded.
    assert [row["same_as"] for row in found["rows"][2:]] == [None, 2, 2, 2]
    assert found["rows"][0]["same_as"] is None
    for row in found["rows"][3:]:
        assert row["metrics"]["recall"] == found["rows"][2]["metrics"]["recall"]
        assert row["chunks"] == found["rows"][2]["chunks"]
    assert set(found["advice"]) >= {"pick", "reasons", "rules"}
    assert found["advice"]["pick"] is None or set(found["advice"]["pick"]) >= set(SETTINGS)


def test_sweep_without_sizes_or_overlaps(run: Run, docs: Path, golden: Path) -> None:
    found = run("sweep", docs, "--golden", golden, *SMALL, "--format", "json").json
    pairs = {
        (row["config"]["splitter"]["size"], row["config"]["splitter"]["overlap"])
        for row in found["rows"]
    }
    assert pairs == {(size, overlap) for size in (20, 40, 80) for overlap in (0, 5)}


def test_sweep_ranges_and_percentages(run: Run, docs: Path, golden: Path) -> None:
    found = run(
        *("sweep", docs, "--golden", golden, "--unit", "characters", "--format", "json"),
        *("--sizes", "20..60:20", "--overlaps", "0..20%:10%"),
    ).json
    pairs = [
        (row["config"]["splitter"]["size"], row["config"]["splitter"]["overlap"])
        for row in found["rows"]
    ]
    assert pairs == [(s, o) for s in (20, 40, 60) for o in (0, s // 10, s // 5)]


def test_sweep_varies_other_settings(run: Run, docs: Path, golden: Path) -> None:
    found = run(
        *("sweep", docs, "--golden", golden, "--sizes", "8", "--overlaps", "0"),
        *("--vary", "splitter=recursive,words", "--vary", "retriever=bm25,rank-bm25"),
        *("--format", "json"),
    ).json
    kinds = {
        (row["config"]["splitter"]["kind"], row["config"]["retriever"]["kind"])
        for row in found["rows"]
    }
    assert kinds == {(s, r) for s in ("recursive", "words") for r in ("bm25", "rank-bm25")}


@pytest.mark.parametrize("target", ["toml", "json"])
def test_an_exported_configuration_gives_the_same_chunks(
    run: Run, docs: Path, tmp_path: Path, target: str
) -> None:
    awkward = json.dumps(["\n\n", "\t", "“", '"', "\\", "\xa0", " ", ""])
    flags = (*SMALL, "--separators", awkward, "--keep-separator", "none", "--dedupe")
    exported = run("export", "--to", target, *flags)
    assert exported.code == 0
    assert exported.err == "" or "separators" in exported.err
    if target == "json":
        config = exported.json
        for section, names in SETTINGS.items():
            assert set((config.get("config") or config)[section]) >= names
        return
    (tmp_path / "same.toml").write_text(exported.out, encoding="utf-8")
    again = run("chunks", docs, "--config", tmp_path / "same.toml", "--format", "json")
    assert again.json == run("chunks", docs, *flags, "--format", "json").json


def test_exported_code_is_run_and_proven(run: Run, docs: Path) -> None:
    exported = run("export", "--to", "langchain", *SMALL)
    compile(exported.out, "exported.py", "exec")
    assert "def split(text: str) -> list[str]:" in exported.out
    assert run("export", "--to", "langchain", *SMALL, "--verify", docs).code == 0


# ---------------------------------------------------------------- streams


@pytest.mark.parametrize(
    "command",
    [
        ("chunks",),
        ("eval", "--golden", "questions.jsonl"),
        ("sweep", "--golden", "questions.jsonl", "--sizes", "40,80", "--unit", "characters"),
        ("check", "--golden", "questions.jsonl"),
        ("golden", "validate", "--golden", "questions.jsonl"),
    ],
)
@pytest.mark.parametrize("form", ["json", "table"])
def test_outside_text_never_reaches_the_terminal_as_codes(
    run: Run, tmp_path: Path, command: tuple[str, ...], form: str
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    nasty = "see [/etc/motd] \x1b[31mred\x1b]0;title\x07 [bold]x[/] \x9b31m \u202edock\n"
    name = "a[red]\x1b[2J.txt"
    (docs / name).write_text(nasty, encoding="utf-8")
    (docs / "bin\x1b[2J.dat").write_bytes(bytes(range(256)) * 4)
    write_lines(
        tmp_path / "questions.jsonl",
        [
            line(1, "[/] see \x1b[31m dock", name, "[/etc/motd]", type="\x1b[31m[/]"),
            line(2, "[bold]\x07", name, "nowhere \x1b[31m [/x]"),
            line(3, "dock \u202e", "missing\x1b[2J.txt", "dock"),
        ],
    )
    first, *rest = command
    place = (first, rest.pop(0)) if first == "golden" else (first,)
    outcome = run(*place, docs, *rest, "--format", form)
    assert outcome.code in {0, 1}
    for stream in (outcome.out, outcome.err):
        assert not set(stream) & {"\x1b", "\x07", "\x9b", "\u202e"}
    if form == "json":
        assert outcome.json is not None


def test_warnings_go_to_stderr(run: Run, docs: Path) -> None:
    flags = ("--splitter", "words", "--size", "5", "--overlap", "0", "--separators", "x")
    outcome = run("chunks", docs, *flags, "--format", "json")
    assert outcome.code == 0
    assert "separators" in outcome.err
    assert len(outcome.json) > 2


def test_json_of_texts_that_hold_nothing(run: Run, tmp_path: Path) -> None:
    docs = tmp_path / "blank"
    docs.mkdir()
    (docs / "a.txt").write_text(" \n\n ", encoding="utf-8")
    golden = write_lines(tmp_path / "g.jsonl", [line(1, "dock?", "a.txt", "dock")])
    assert run("chunks", docs, "--format", "json").json == []
    found = run("eval", docs, "--golden", golden, "--format", "json").json
    assert found["chunks"]["count"] == 0
    assert found["metrics"]["recall"] is None
    assert run("sweep", docs, "--golden", golden, "--format", "json").code == 0


def test_lone_surrogates_are_printed_escaped(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"dock \xed\xa0\xbd tide")
    (chunk,) = run("chunks", tmp_path / "a.txt", "--format", "json").json
    assert chunk["text"] == "dock \ud83d tide"


def test_the_start_imports_nothing_heavy() -> None:
    code = (
        "import sys, chunkscope\n"
        "from chunkscope.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'textual', 'numpy', 'langchain_text_splitters', 'tiktoken'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "sweep" in done.stdout
    assert done.stderr == ""


# ---------------------------------------------------------------- bad input: exit 2, one line

GOLDEN = ("--golden", "questions.jsonl")
BAD = {
    "missing path": (("chunks", "absent"), "absent"),
    "missing path of two": (("chunks", "docs", "absent.md"), "absent.md"),
    "empty folder": (("chunks", "empty"), "empty"),
    "nothing but binaries": (("chunks", "binary"), "binary"),
    "no path": (("chunks",), "PATH"),
    "unknown flag": (("chunks", "docs", "--sise", "3"), "--sise"),
    "broken golden line": (("eval", "docs", "--golden", "broken.jsonl"), "broken.jsonl"),
    "golden line without a doc": (("eval", "docs", "--golden", "no_doc.jsonl"), "doc"),
    "blank evidence": (("eval", "docs", "--golden", "blank.jsonl"), "text"),
    "missing golden set": (("eval", "docs", "--golden", "absent.jsonl"), "absent.jsonl"),
    "golden set is a folder": (("eval", "docs", "--golden", "docs"), "docs"),
    "no golden set": (("eval", "docs"), "--golden"),
    "sweep without a golden set": (("sweep", "docs"), "--golden"),
    "blank asked evidence": (("eval", "docs", "-q", "dock?", "--evidence", " "), "evidence"),
    "evidence file missing": (("eval", "docs", "-q", "d", "--evidence", "@absent"), "absent"),
    "overlap of the size": (("chunks", "docs", "--size", "9", "--overlap", "9"), "overlap"),
    "overlap of 100 %": (("chunks", "docs", "--overlap", "100%"), "overlap"),
    "overlap below 0": (("chunks", "docs", "--overlap=-1"), "overlap"),
    "overlap in letters": (("chunks", "docs", "--overlap", "some"), "overlap"),
    "size 0": (("chunks", "docs", "--size", "0"), "size"),
    "size below 0": (("chunks", "docs", "--size=-4"), "size"),
    "size with a fraction": (("chunks", "docs", "--size", "10.5"), "size"),
    "bad regex": (("chunks", "docs", "--regex", "--separators", '["***"]'), "***"),
    "second regex bad": (("chunks", "docs", "--regex", "--separators", '["a", "("]'), "2"),
    "capturing group": (("chunks", "docs", "--regex", "--separators", '["(a)"]'), "(?:"),
    "named group": (("chunks", "docs", "--regex", "--separators", '["(?P<n>a)"]'), "(?:"),
    "broken separator list": (("chunks", "docs", "--separators", '["a"'), "separators"),
    "unknown splitter": (("chunks", "docs", "--splitter", "guillotine"), "guillotine"),
    "unknown unit": (("chunks", "docs", "--unit", "bytes"), "bytes"),
    "sentences of recursive": (("chunks", "docs", "--unit", "sentences"), "unit"),
    "unknown encoding": (("chunks", "docs", "--encoding", "cl999k"), "cl999k"),
    "unknown keep": (("chunks", "docs", "--keep-separator", "both"), "both"),
    "unknown retriever": (("eval", "docs", *GOLDEN, "--retriever", "oracle"), "oracle"),
    "k 0": (("eval", "docs", *GOLDEN, "--k", "0"), "k"),
    "k in letters": (("eval", "docs", *GOLDEN, "--k", "few"), "few"),
    "budget below 0": (("eval", "docs", *GOLDEN, "--budget=-1"), "budget"),
    "bad word pattern": (("eval", "docs", *GOLDEN, "--words", "["), "words"),
    "capturing word pattern": (("eval", "docs", *GOLDEN, "--words", "(a)b"), "words"),
    "unknown preset": (("chunks", "docs", "--preset", "grandma"), "grandma"),
    "missing configuration": (("chunks", "docs", "--config", "absent.toml"), "absent.toml"),
    "broken configuration": (("chunks", "docs", "--config", "broken.toml"), "broken.toml"),
    "unknown section": (("chunks", "docs", "--config", "section.toml"), "spliter"),
    "unknown setting": (("chunks", "docs", "--config", "setting.toml"), "sise"),
    "wrong type": (("chunks", "docs", "--config", "type.toml"), "size"),
    "true is no size": (("chunks", "docs", "--config", "true.toml"), "size"),
    "code in a file": (("chunks", "docs", "--config", "code.toml"), "code.toml"),
    "retriever code in a file": (("eval", "docs", *GOLDEN, "--config", "code2.toml"), "code2.toml"),
    "sizes in letters": (("sweep", "docs", *GOLDEN, "--sizes", "big"), "big"),
    "no sizes": (("sweep", "docs", *GOLDEN, "--sizes", ""), "sizes"),
    "range without step": (("sweep", "docs", *GOLDEN, "--sizes", "8..64"), "8..64"),
    "range of step 0": (("sweep", "docs", *GOLDEN, "--sizes", "8..64:0"), "8..64:0"),
    "vary nothing": (("sweep", "docs", *GOLDEN, "--vary", "colour=red"), "colour"),
    "vary without values": (("sweep", "docs", *GOLDEN, "--vary", "splitter"), "vary"),
    "compare without B": (("compare", "docs", *GOLDEN, "--a", "good.toml"), "--b"),
    "compare with a missing B": (
        ("compare", "docs", *GOLDEN, "--a", "good.toml", "--b", "absent.toml"),
        "absent.toml",
    ),
    "missing baseline": (("check", "docs", *GOLDEN, "--baseline", "absent.json"), "absent.json"),
    "broken baseline": (("check", "docs", *GOLDEN, "--baseline", "broken.toml"), "broken.toml"),
    "baseline of something else": (("check", "docs", *GOLDEN, "--baseline", "list.json"), "list"),
    "recall above 1": (("check", "docs", *GOLDEN, "--min-recall", "90"), "90"),
    "recall NaN": (("check", "docs", *GOLDEN, "--min-recall", "nan"), "nan"),
    "recall in letters": (("check", "docs", *GOLDEN, "--min-recall", "high"), "high"),
    "unknown target": (("export", "--to", "fortran"), "fortran"),
    "no target": (("export",), "--to"),
    "verify nowhere": (("export", "--to", "json", "--verify", "absent"), "absent"),
    "no terminal": (("docs",), "chunks"),
    "no terminal, no path": ((), "chunks"),
}


@pytest.fixture
def bad_files(tmp_path: Path, docs: Path, golden: Path) -> Path:
    (tmp_path / "empty").mkdir()
    (tmp_path / "binary").mkdir()
    (tmp_path / "binary" / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8)
    good = json.dumps(LINES[0])
    blank = json.dumps(LINES[0] | {"evidence": [{"text": " "}]})
    no_doc = json.dumps({name: part for name, part in LINES[0].items() if name != "doc"})
    for name, text in {
        "broken.jsonl": f'{good}\n{{"id": \n',
        "no_doc.jsonl": f"{no_doc}\n",
        "blank.jsonl": f"{blank}\n",
        "broken.toml": "[splitter\nsize = 3\n",
        "section.toml": "[spliter]\nsize = 3\n",
        "setting.toml": "[splitter]\nsise = 3\n",
        "type.toml": '[splitter]\nsize = "large"\n',
        "true.toml": "[splitter]\nsize = true\n",
        "code.toml": '[splitter]\nkind = "os:getcwd"\n',
        "code2.toml": '[retriever]\nkind = "os:getcwd"\n',
        "good.toml": "[splitter]\nsize = 30\n",
        "list.json": "[1, 2]\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("bad_files")
@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_exit_2(run: Run, name: str) -> None:
    arguments, named = BAD[name]
    outcome = run(*arguments)
    assert outcome.code == 2, (outcome.out, outcome.err)
    assert outcome.out == ""
    lines = outcome.err.removesuffix("\n").split("\n")
    assert len(lines) == 1, outcome.err
    assert "Traceback" not in outcome.err
    assert named in outcome.err


def test_a_run_that_cannot_be_saved(run: Run, docs: Path, golden: Path) -> None:
    outcome = run("eval", docs, "--golden", golden, "--save", "no/such/x.json")
    assert outcome.code == 2
    (error,) = [
        one for one in outcome.err.removesuffix("\n").split("\n") if not one.startswith("warning: ")
    ]
    assert "no/such/x.json" in error


@pytest.mark.usefixtures("bad_files")
def test_a_broken_golden_line_names_file_line_and_what(run: Run) -> None:
    assert "2" in run("eval", "docs", "--golden", "broken.jsonl").err.replace("broken.jsonl", "")
    err = run("eval", "docs", "--golden", "no_doc.jsonl").err
    assert "no_doc.jsonl" in err
    assert "1" in err.replace("no_doc.jsonl", "")
    assert run("golden", "validate", "docs", "--golden", "broken.jsonl").code == 2


@pytest.mark.parametrize("arguments", [("chunks",), ("export", "--to", "json")])
def test_code_in_the_folder_s_own_file_is_refused(
    run: Run, docs: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('ran')\n", encoding="utf-8")
    (tmp_path / "chunkscope.toml").write_text('[splitter]\nkind = "evil:x"\n', encoding="utf-8")
    outcome = run(*arguments, *([docs] if arguments == ("chunks",) else []))
    assert outcome.code == 2
    assert "evil:x" in outcome.err
    assert "evil" not in sys.modules


def test_the_folder_s_own_file_counts_and_flags_win(run: Run, docs: Path, tmp_path: Path) -> None:
    (tmp_path / "chunkscope.toml").write_text(
        '[splitter]\nunit = "characters"\nsize = 30\noverlap = "10%"\n', encoding="utf-8"
    )
    own = run("chunks", docs, "--format", "json").json
    assert (
        own == run("chunks", docs, "--unit", "characters", "--size", "30", "--format", "json").json
    )
    assert max(len(chunk["text"]) for chunk in own) <= 30
    flagged = run("chunks", docs, "--size", "60", "--format", "json").json
    assert 30 < max(len(chunk["text"]) for chunk in flagged) <= 60


# ---------------------------------------------------------------- the gate: exits 0, 1 and 3


def test_check_passes_and_fails(run: Run, docs: Path, tmp_path: Path) -> None:
    golden = write_lines(tmp_path / "g.jsonl", LINES[:3])
    gate = ("check", docs, "--golden", golden, "--k", "5")
    assert run(*gate, "--min-recall", "0.9").code == 0
    assert run(*gate, "--size", "5", "--overlap", "0", "--min-recall", "0.9").code == 1


def test_evidence_that_is_nowhere_fails_the_gate(run: Run, docs: Path, tmp_path: Path) -> None:
    golden = write_lines(tmp_path / "g.jsonl", [LINES[3]])
    outcome = run("check", docs, "--golden", golden, "--min-recall", "0.9")
    assert outcome.code == 1
    assert "unmeasured" in outcome.out + outcome.err


def test_one_unmeasured_question_is_shown(run: Run, docs: Path, golden: Path) -> None:
    outcome = run("check", docs, "--golden", golden, "--min-recall", "0.9", "--k", "5")
    assert "unmeasured" in outcome.out + outcome.err


def test_baselines(run: Run, docs: Path, tmp_path: Path) -> None:
    golden = write_lines(tmp_path / "g.jsonl", LINES[:3])
    base = tmp_path / "base.json"
    common = (docs, "--golden", golden)
    assert run("eval", *common, "--save", base).code == 0
    gate = ("check", *common, "--baseline", base)
    assert run(*gate).code == 0
    other_k = run(*gate, "--k", "1")
    assert other_k.code == 3
    lines = other_k.err.removesuffix("\n").split("\n")
    assert [one for one in lines if not one.startswith("warning: ")] == lines[-1:]
    write_lines(golden, LINES[:2])
    assert run(*gate).code == 3
    write_lines(golden, LINES[:3])
    assert run(*gate).code == 0
    (docs / "sub" / "pier.txt").write_text(OTHER + "More.\n", encoding="utf-8")
    assert run(*gate).code == 3


def test_junit_is_written(run: Run, docs: Path, golden: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    run("check", docs, "--golden", golden, "--min-recall", "0.9", "--junit", report)
    assert "<testsuite" in report.read_text(encoding="utf-8")


def test_compare(run: Run, docs: Path, golden: Path, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("[splitter]\nsize = 64\noverlap = 0\n", encoding="utf-8")
    (tmp_path / "b.toml").write_text("[splitter]\nsize = 4\noverlap = 0\n", encoding="utf-8")
    sides = ("--a", tmp_path / "a.toml", "--b", tmp_path / "b.toml")
    outcome = run("compare", docs, "--golden", golden, *sides, "--format", "json")
    assert outcome.code == 0
    assert isinstance(outcome.json, dict)
    assert run("compare", docs, "--golden", golden, *sides).code == 0
