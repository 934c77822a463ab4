import json
from xml.etree import ElementTree

import pytest
from harbour_files import BY_CHARACTERS, write_configurations, write_harbour

from chunkscope.cli.main import main


@pytest.fixture
def harbour(tmp_path):
    """A folder with one document, and the golden set of two questions beside it."""
    write_harbour(tmp_path, "golden.jsonl")
    return tmp_path


def run(harbour, command, *flags):
    return main(
        [command, str(harbour / "docs"), "--golden", str(harbour / "golden.jsonl"),
         *BY_CHARACTERS, *flags]
    )  # fmt: skip


def test_recall_that_is_reached_passes(harbour, capsys):
    assert run(harbour, "check", "--size", "30", "--min-recall", "1", "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["passed"] is True
    assert [check["name"] for check in report["checks"]] == ["measured", "recall at least 1"]
    assert report["metrics"]["recall"] == 1.0


def test_recall_that_is_not_reached_is_exit_1_and_a_junit_failure(harbour, capsys):
    junit = harbour / "junit.xml"
    flags = ("--size", "10", "--min-recall", "0.5", "--junit", str(junit), "--format", "json")
    assert run(harbour, "check", *flags) == 1
    assert json.loads(capsys.readouterr().out)["passed"] is False
    suite = ElementTree.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    [failure] = suite.iter("failure")
    assert failure.get("message") == "recall 0.0000, wanted 0.5"


def test_a_gate_over_nothing_fails(harbour, capsys):
    golden = harbour / "golden.jsonl"
    line = {"id": "x", "question": "Where?", "doc": "times.txt", "evidence": [{"text": "nowhere"}]}
    golden.write_text(json.dumps(line) + "\n")
    assert run(harbour, "check", "--min-recall", "0.9") == 1
    assert "1 unmeasured" in capsys.readouterr().out


def test_a_run_as_good_as_its_baseline_passes_and_a_worse_one_does_not(harbour, capsys):
    saved = harbour / "base.json"
    assert run(harbour, "eval", "--size", "30", "--save", str(saved)) == 0
    assert run(harbour, "check", "--size", "30", "--baseline", str(saved)) == 0
    capsys.readouterr()
    flags = ("--size", "10", "--baseline", str(saved), "--format", "json")
    assert run(harbour, "check", *flags) == 1
    message = json.loads(capsys.readouterr().out)["checks"][1]["message"]
    assert message.startswith("recall -1.0000")
    assert message.endswith("lower on 2: pilot, tug")


@pytest.mark.parametrize("change", ["corpus", "golden", "k"])
def test_a_baseline_of_something_else_is_exit_3(harbour, capsys, change):
    saved = harbour / "base.json"
    run(harbour, "eval", "--size", "30", "--save", str(saved))
    capsys.readouterr()
    flags = ["--size", "30", "--baseline", str(saved)]
    if change == "corpus":
        (harbour / "docs" / "more.txt").write_text("One more.\n")
    elif change == "golden":
        line = {"id": "y", "question": "When?", "doc": "times.txt", "evidence": [{"text": "dusk"}]}
        (harbour / "golden.jsonl").write_text(json.dumps(line) + "\n")
    else:
        flags += ["--k", "2"]
    assert run(harbour, "check", *flags) == 3
    error = capsys.readouterr().err.strip()
    assert error.splitlines()[-1].startswith(f"chunkscope: {saved}: the baseline has another")


@pytest.mark.parametrize("content", ["[]", "{}", "nonsense", '{"questions": 3}'])
def test_a_baseline_that_is_no_saved_run_is_exit_2(harbour, capsys, content):
    saved = harbour / "base.json"
    saved.write_text(content)
    assert run(harbour, "check", "--size", "30", "--baseline", str(saved)) == 2
    assert "eval --save" in capsys.readouterr().err


def test_compare_counts_wins_and_names_what_differs(harbour, capsys):
    write_configurations(harbour, "[retriever]\nk = [1]\n")
    arguments = [
        "compare", str(harbour / "docs"), "--golden", str(harbour / "golden.jsonl"),
        "--a", str(harbour / "a.toml"), "--b", str(harbour / "b.toml"), "--format", "json",
    ]  # fmt: skip
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["won"], report["lost"], report["same"]) == (2, 0, 0)
    assert report["settings"] == [{"setting": "splitter.size", "a": 10, "b": 30}]
    assert report["attributable"] is True
    assert report["mcnemar"]["gained"] == 2
    assert report["differences"]["recall"]["mean"] == 1.0


@pytest.mark.parametrize("recall", ["true", "2", "-0.5", "1" + "0" * 400, '"high"'])
def test_a_baseline_whose_recall_is_no_share_is_exit_2(harbour, capsys, recall):
    saved = harbour / "base.json"
    run(harbour, "eval", "--size", "30", "--save", str(saved))
    report = json.loads(saved.read_text())
    report["questions"][0]["recall"] = 0.5
    saved.write_text(json.dumps(report).replace('"recall": 0.5', f'"recall": {recall}'))
    capsys.readouterr()
    assert run(harbour, "check", "--size", "30", "--baseline", str(saved)) == 2
    assert "is no share" in capsys.readouterr().err


def test_a_retriever_that_changed_since_the_baseline_is_said(harbour, capsys):
    saved = harbour / "base.json"
    run(harbour, "eval", "--size", "30", "--save", str(saved))
    capsys.readouterr()
    flags = ("--size", "30", "--baseline", str(saved), "--format", "json")
    assert run(harbour, "check", *flags, "--retriever", "tfidf") == 0
    message = json.loads(capsys.readouterr().out)["checks"][1]["message"]
    assert "changed since the baseline: retriever bm25 → tfidf: run the sweep again" in message
    assert run(harbour, "check", *flags) == 0
    assert "changed since" not in capsys.readouterr().out
