"""`sweep --validate`: the second round by command."""

import json

import pytest

from chunkscope.cli.main import main

TEXT = "".join(f"Rule {n}. Boat number {n} leaves pier {n * 7} at hour {n}.\n\n" for n in range(50))


@pytest.fixture
def docs(tmp_path, monkeypatch):
    """Documents with two golden sets among them."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "rules.txt").write_text(TEXT)
    for name, numbers in (("one", range(0, 50, 2)), ("two", range(1, 50, 2))):
        lines = [
            {"id": f"q{n}", "question": f"When does boat number {n} leave pier {n * 7}?",
             "doc": "rules.txt",
             "evidence": [{"text": f"Boat number {n} leaves pier {n * 7} at hour {n}."}]}
            for n in numbers
        ]  # fmt: skip
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    return folder


def sweep(*flags):
    return main(
        ["sweep", "docs", "--golden", "docs/one.jsonl", "--sizes", "30,60", "--overlaps", "0",
         "--unit", "characters", "--k", "1", *flags]
    )  # fmt: skip


def test_another_golden_set_confirms_the_pick_and_is_no_document(docs, capsys):
    assert sweep("--validate", "docs/two.jsonl", "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert {row["corpus"]["documents"] for row in report["rows"]} == {1}
    found = report["validation"]
    assert (found["kind"], found["confirmed"], found["questions"]) == ("file", True, 25)
    assert found["golden"] != report["rows"][0]["golden"]["fingerprint"]
    assert report["advice"]["pick"]["splitter"]["size"] == 60


def test_halves_are_said_in_the_table(docs, capsys):
    assert sweep("--validate", "halves") == 0
    assert "25 questions cannot be halved; write 15 more" in capsys.readouterr().out


def test_without_the_flag_nothing_is_validated(docs, capsys):
    assert sweep("--format", "json") == 0
    assert "validation" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("value", ["nowhere.jsonl", ""])
def test_a_second_set_that_cannot_be_read_is_exit_2(docs, capsys, value):
    assert sweep("--validate", value) == 2
    assert capsys.readouterr().err.count("\n") >= 1
