"""Cases by command: saved by diagnose, reopened, rerun by the gate."""

import json
import sys
from xml.etree import ElementTree

import pytest
from harbour_files import BY_CHARACTERS, TEXT, write_configurations, write_harbour

from chunkscope.cli.main import main

SMALL = (*BY_CHARACTERS, "--size")


@pytest.fixture
def harbour(tmp_path, monkeypatch):
    """Documents, a golden set beside them, and the working directory."""
    write_harbour(tmp_path, "docs/questions.jsonl", pilot="a/b")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save(*flags):
    arguments = ["diagnose", "docs", "--golden", "docs/questions.jsonl", *SMALL, "10"]
    return main([*arguments, "--save-cases", "cases", *flags])


def test_bad_questions_are_saved_with_the_cheapest_mend(harbour, capsys):
    assert save() == 0
    assert "written: 2 cases in cases" in capsys.readouterr().err
    files = sorted(file.name for file in (harbour / "cases").iterdir())
    assert files[1] == "tug.case.json"
    assert files[0].startswith("a-b-")
    case = json.loads((harbour / "cases" / "tug.case.json").read_text())
    assert case["paths"] == ["../docs"]
    assert case["golden"] == "../docs/questions.jsonl"
    assert (case["a"]["verdict"], case["b"]["verdict"]) == ("split", "hit")


def test_a_case_is_reopened_exactly_as_seen(harbour, capsys):
    save("--no-mends")
    capsys.readouterr()
    assert main(["case", "cases/tug.case.json", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["as_seen"] is True
    assert report["changes"] == []
    assert report["now"]["a"] == report["case"]["a"]
    assert report["now"]["b"] is None
    assert main(["case", "cases/tug.case.json"]) == 0
    printed = capsys.readouterr().out
    assert "tried again: exactly as it was seen" in printed
    assert "⟦The tug leaves at dawn.⟧" in printed


def test_a_case_is_read_as_its_files_were_read(harbour, capsys):
    (harbour / "docs" / "times.txt").write_bytes(TEXT.replace("\n", "\r\n").encode())
    save("--no-mends", "--newline", "lf")
    capsys.readouterr()
    assert main(["case", "cases/tug.case.json", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["as_seen"] is True


def test_what_has_changed_is_said(harbour, capsys):
    save("--no-mends")
    (harbour / "docs" / "times.txt").write_text("New.\n\n" + TEXT)
    capsys.readouterr()
    assert main(["case", "cases/tug.case.json"]) == 0
    printed = capsys.readouterr().out
    assert "tried again: not as it was seen" in printed
    assert "times.txt has changed: 78 characters then, 84 now" in printed
    assert "evidence 1 has moved from times.txt 0–23 to times.txt 6–29" in printed


def test_without_its_documents_a_case_is_still_shown(harbour, capsys):
    save("--no-mends")
    (harbour / "docs").rename(harbour / "elsewhere")
    capsys.readouterr()
    assert main(["case", "cases/tug.case.json"]) == 0
    said = capsys.readouterr()
    assert "give PATH after the case's file" in said.err
    assert "not tried again: the documents were not read" in said.out
    assert main(["case", "cases/tug.case.json", "elsewhere", "--format", "json"]) == 0
    assert main(["case", "cases/tug.case.json", "nowhere"]) == 2


def test_without_text_no_word_of_the_documents_is_written(harbour, capsys):
    save("--no-mends", "--without-text")
    case = (harbour / "cases" / "tug.case.json").read_text()
    assert "dawn" not in case
    assert "When does the tug leave?" in case
    capsys.readouterr()
    assert main(["case", "cases/tug.case.json", "--format", "json"]) == 0
    out = capsys.readouterr().out
    report = json.loads(out)
    assert report["as_seen"] is True
    assert "dawn" not in json.dumps([report["case"], report["now"]["a"]["retrieved"]])


def check(*flags):
    return main(["check", "docs", "--cases", "cases", "--format", "json", *flags])


def test_the_gate_reruns_every_case_and_names_the_one_that_fails(harbour, capsys):
    save("--no-mends")
    capsys.readouterr()
    junit = harbour / "junit.xml"
    assert check("--junit", str(junit), "--golden", "docs/questions.jsonl", *SMALL, "24") == 1
    report = json.loads(capsys.readouterr().out)
    outcome = {entry["name"]: entry["passed"] for entry in report["checks"]}
    assert outcome.pop("measured") is True
    assert outcome.pop("case tug") is True
    assert list(outcome.values()) == [False]
    failures = list(ElementTree.parse(junit).getroot().iter("failure"))
    assert len(failures) == 1
    assert "saved as split" in failures[0].get("message")
    assert check(*SMALL, "30", "--golden", "docs/questions.jsonl") == 0


def test_with_no_configuration_given_cases_are_tried_under_their_own(harbour, capsys):
    save("--no-mends")
    capsys.readouterr()
    assert check() == 1
    messages = [entry["message"] for entry in json.loads(capsys.readouterr().out)["checks"]]
    assert all(message.startswith("split: ") for message in messages)
    assert len(messages) == 2


def test_a_gate_over_no_case_or_nothing_at_all_is_refused(harbour, capsys):
    (harbour / "cases").mkdir()
    assert check() == 2
    assert "no case in it" in capsys.readouterr().err
    assert main(["check", "docs"]) == 2
    assert "give --golden FILE, --cases DIR or both" in capsys.readouterr().err
    assert main(["check", "docs", "--cases", "nowhere"]) == 2
    assert main(["check", "docs", "--cases", "cases", "--min-recall", "1"]) == 2
    assert "--min-recall: needs a golden set" in capsys.readouterr().err


def test_a_damaged_case_is_named_with_its_field(harbour, capsys):
    save("--no-mends")
    file = harbour / "cases" / "tug.case.json"
    case = json.loads(file.read_text())
    case["a"]["retrieved"][0]["end"] = "x"
    file.write_text(json.dumps(case))
    capsys.readouterr()
    assert check() == 2
    error = capsys.readouterr().err
    assert "tug.case.json: field a.retrieved[0].end: “x” is not a whole number" in error


def test_the_context_has_an_upper_limit(harbour, capsys):
    flags = ("check", "docs", "--golden", "docs/questions.jsonl", *SMALL, "30", "--format", "json")
    assert main([*flags, "--max-context", "6"]) == 0
    capsys.readouterr()
    assert main([*flags, "--max-context", "5"]) == 1
    entry = json.loads(capsys.readouterr().out)["checks"][1]
    assert entry["name"] == "context at most 5 tokens"
    assert entry["message"] == "6.0 tokens sent a question, allowed 5"
    assert main([*flags, "--max-context", "0"]) == 2


def test_the_step_summary_is_added_to_githubs_file(harbour, capsys, monkeypatch):
    step = harbour / "step.md"
    step.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))
    flags = ("check", "docs", "--golden", "docs/questions.jsonl", *SMALL, "30")
    assert main([*flags, "--min-recall", "1"]) == 0
    assert step.read_text() == "before\n"
    assert main([*flags, "--min-recall", "1", "--step-summary", "--summary", "own.md"]) == 0
    assert step.read_text() == "before\n" + (harbour / "own.md").read_text()
    assert "## chunkscope check: passed" in step.read_text()
    assert "| recall | 1.000 |" in step.read_text()
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    assert main([*flags, "--step-summary"]) == 2
    assert "GITHUB_STEP_SUMMARY is not set" in capsys.readouterr().err


def test_a_comparison_has_a_summary_that_reads_nothing_into_names(harbour):
    lines = (harbour / "docs" / "questions.jsonl").read_text()
    golden = harbour / "q.jsonl"
    golden.write_text(lines.replace("a/b", "<b>|[x](http://e)"))
    write_configurations(harbour)
    arguments = ["compare", "docs", "--golden", "q.jsonl", "--a", "a.toml", "--b", "b.toml"]
    assert main([*arguments, "--summary", "s.md"]) == 0
    text = (harbour / "s.md").read_text()
    assert "## chunkscope compare: 2 won, 0 lost" in text
    assert "| recall | 0.000 | 1.000 | +1.000 |" in text
    assert "http://" not in text
    assert "<b>" not in text
    assert "&#60;b&#62;&#124;&#91;x&#93;" in text


class Terminal:
    """A stream that says it is a terminal."""

    def __init__(self, stream):
        self._stream = stream

    def __getattr__(self, name):
        return getattr(self._stream, name)

    def isatty(self):
        return True


def test_on_a_terminal_the_inspector_opens_at_the_question(harbour, monkeypatch):
    save()
    opened = {}

    def run_inspector(paths, **options):
        opened.update(options, paths=paths)
        return 0

    monkeypatch.setattr("chunkscope.tui.app.run_inspector", run_inspector)
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, Terminal(getattr(sys, name)))
    assert main(["case", "cases/tug.case.json"]) == 0
    assert opened["configuration_a"].splitter.size == 10
    assert opened["configuration_b"] is not None
    assert opened["asked"].question.id == "tug"
    assert [tuple(place.span) for place in opened["asked"].items[0].places] == [(0, 23)]
    assert [document.id for document in opened["corpus"].documents] == ["times.txt"]
    assert [path.resolve() for path in opened["paths"]] == [harbour / "docs"]
    opened.clear()
    assert main(["case", "cases/tug.case.json", "--format", "table"]) == 0
    assert opened == {}
