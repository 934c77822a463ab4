"""`diagnose --log`: what a real system did, by command."""

import json

import pytest

from chunkscope.cli.main import main

TEXT = "The tug leaves at dawn.\n\nThe ferry leaves at noon.\n\nThe pilot boards at dusk.\n"


@pytest.fixture
def harbour(tmp_path, monkeypatch):
    """Documents with the log among them."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "times.txt").write_bytes(TEXT.encode())
    lines = [
        {"question": "When does the tug leave?", "retrieved": ["The tug leaves at dawn."],
         "expected": "The tug leaves at dawn.", "ok": False},
        {"id": "ferry", "question": "When does the ferry leave?",
         "retrieved": [{"text": "The tug leaves at dawn.", "score": 1.5}], "ok": False},
        {"question": "When does [/b] the pilot board?", "ok": True,
         "retrieved": [{"doc": "times.txt", "start": 51, "end": 76}]},
    ]  # fmt: skip
    (docs / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    golden = {"id": "f", "question": "when does the FERRY leave?", "doc": "times.txt",
              "evidence": [{"text": "The ferry leaves at noon."}]}  # fmt: skip
    (docs / "known.jsonl").write_text(json.dumps(golden) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_json_tells_failures_apart_and_places_what_came_back(harbour, capsys):
    arguments = ["diagnose", "docs", "--log", "docs/log.jsonl", "--format", "json"]
    assert main([*arguments, "--golden", "docs/known.jsonl"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["corpus"]["documents"] == 1
    assert report["log"] == {
        "questions": 3, "retrieved": 3, "placed": 3, "ambiguous": 0, "not_found": 0,
    }  # fmt: skip
    outcome = {entry["id"]: (entry["verdict"], entry["failure"]) for entry in report["questions"]}
    assert outcome == {
        "line-1": ("hit", "generation"), "ferry": ("missed", "retrieval"),
        "line-3": ("not said", "none"),
    }  # fmt: skip
    counted = {entry["name"]: entry["questions"] for entry in report["failures"]}
    assert counted == {"retrieval": 1, "generation": 1, "none": 1, "unknown": 0}
    assert report["questions"][2]["lane"] == [
        {"doc": "times.txt", "start": 51, "end": 76, "rank": 1, "certain": True}
    ]
    assert report["chunking"]["certainty"] == "unknown"
    assert report["chunking"]["used"] is False
    assert [entry["finding"] for entry in report["carries_over"]] == [
        "cuts of returned chunks", "cuts", "ranks",
    ]  # fmt: skip


def test_without_the_golden_set_nothing_is_expected(harbour, capsys):
    arguments = ["diagnose", "docs", "--log", "docs/log.jsonl", "--format", "json"]
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["questions"][1]["failure"] == "unknown"


def test_the_table_says_all_of_it_and_takes_names_literally(harbour, capsys):
    flags = ("--golden", "docs/known.jsonl", "--save", "out.json")
    assert main(["diagnose", "docs", "--log", "docs/log.jsonl", *flags]) == 0
    printed = capsys.readouterr().out
    assert "yet the answer was wrong" in printed
    assert "the chunking in use is not known" in printed
    assert "ranks do not carry over" in printed
    assert "1 of 1 failures of retrieval are hits under the stand-in" in printed
    assert json.loads((harbour / "out.json").read_text())["log"]["questions"] == 3


@pytest.mark.parametrize(
    ("line", "message"),
    [('{"question": 3}', "log.jsonl, line 1: field question: a number, not text"),
     ("{", "log.jsonl, line 1: not JSON")],
)  # fmt: skip
def test_a_bad_line_is_one_line_and_exit_2(harbour, capsys, line, message):
    (harbour / "docs" / "log.jsonl").write_text(line)
    assert main(["diagnose", "docs", "--log", "docs/log.jsonl"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_question_does_not_go_with_a_log(harbour, capsys):
    arguments = ["diagnose", "docs", "--log", "docs/log.jsonl", "-q", "x", "--evidence", "y"]
    assert main(arguments) == 2
    assert "-q: not with --log" in capsys.readouterr().err
