import json

import pytest

from chunkscope.cli.main import main


@pytest.fixture
def harbour(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_bytes(b"lamp\n\nlamp\n\nlamp")
    (tmp_path / "golden.jsonl").write_text(
        json.dumps({"id": "q", "question": "lamp?", "doc": "a.txt", "evidence": [{"text": "lamp"}]})
    )
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chunks", ""], "argument PATH: empty; name a file or a folder"),
        (["eval", "a.txt", "--golden", ""], "argument --golden: empty; name a file"),
        (["sweep", "a.txt", "--golden", "golden.jsonl", "--seed", "-1"], "-1 is negative"),
        (["eval", "a.txt", "--golden", "golden.jsonl", "--seed", "x"], "'x' is not a whole"),
        (["check", "a.txt", "--golden", "golden.jsonl", "--min-recall", "nan"],
         "argument --min-recall: 'nan' is not between 0 and 1; give a share such as 0.8"),
        (["check", "a.txt", "--golden", "golden.jsonl", "--min-recall", "1.5"],
         "argument --min-recall: '1.5' is not between 0 and 1"),
        (["eval", "a.txt", "--price-in", "inf"],
         "argument --price-in: 'inf' is not a number from 0 up (see "),
        (["eval", "a.txt", "--concurrency=-1"],
         "argument --concurrency: '-1' is not a whole number from 0 up (see "),
        (["eval", "a.txt", "--breakpoint-amount", "much"],
         "argument --breakpoint-amount: 'much' is not a number from 0 up, nor default (see "),
        (["judge", "a.txt", "--timeout", "nan"],
         "argument --timeout: 'nan' is not a number from 0 up (see "),
        (["judge", "a.txt", "--concurrency", "+2"],
         "argument --concurrency: '+2' is not a whole number from 1 up (see "),
        (["golden", "generate", "a.txt", "--price-out", "x"],
         "argument --price-out: invalid float value: 'x' (see "),
        (["eval", "a.txt", "-q", "lamp?", "--evidence", "@gone.txt"],
         "--evidence @gone.txt: cannot be read (No such file or directory); "),
    ],
)  # fmt: skip
def test_one_line_and_exit_code_2(harbour, capsys, arguments, said):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1


def test_a_baseline_nested_without_end_is_one_line(harbour, capsys):
    (harbour / "deep.json").write_text("[" * 100_000 + "]" * 100_000)
    code = main(["check", "a.txt", "--golden", "golden.jsonl", "--baseline", "deep.json"])
    assert code == 2
    assert capsys.readouterr().err == (
        "chunkscope: deep.json: not a saved run: nested too deeply; make one with eval --save\n"
    )


def test_evidence_from_a_file_without_its_byte_order_mark(harbour, capsys):
    (harbour / "evidence.txt").write_bytes(b"\xef\xbb\xbflamp\r\n")
    arguments = ["eval", "a.txt", "-q", "lamp?", "--evidence", "@evidence.txt", "--format", "json"]
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert [line["verdict"] for line in report["questions"]] == ["hit"]


def test_means_under_a_budget_are_not_called_those_of_a_cut_off(harbour, capsys):
    arguments = ["eval", "a.txt", "--golden", "golden.jsonl", "--budget", "3", "--k", "1,2"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "means over measured questions, within 3 tokens" in out
    assert "first cut-off" not in out
    assert " @1 " in out
    assert " @2 " in out


@pytest.mark.parametrize(
    ("kind", "unit", "counted"), [("token", "words", "tokens"), ("words", "tokens", "words")]
)
def test_a_unit_that_the_splitter_fixes_is_warned_about_and_not_claimed(
    harbour, capsys, kind, unit, counted
):
    warning = f"warning: unit: not used by splitter '{kind}'; it always counts {counted}"
    (harbour / "c.toml").write_text(f'[splitter]\nkind = "{kind}"\nunit = "{unit}"\n')
    for given in (["--splitter", kind, "--unit", unit], ["--config", "c.toml"]):
        assert main(["export", "--to", "json", "--format", "json", *given]) == 0
        captured = capsys.readouterr()
        assert json.loads(captured.out)["config"]["splitter"]["unit"] == counted
        assert warning in captured.err.splitlines()


def test_warnings_of_a_sweep_are_said_once_with_their_rows(harbour, capsys):
    (harbour / "golden.jsonl").write_text(
        '{"id": "q", "question": "lamp?", "doc": "a.txt", "evidence": [{"text": "lamp"}]}\n'
        '{"id": "r", "question": "tug?", "doc": "a.txt", "evidence": [{"text": "tug"}]}\n'
    )
    assert main(["sweep", "a.txt", "--golden", "golden.jsonl", "--sizes", "5,20", "--overlaps", "0",
                 "--unit", "characters", "--k", "2"]) == 0  # fmt: skip
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if "clamped" in line] == [
        "warning: recursive 20/0 characters: k: 2 clamped to 1, the number of chunks there are"
    ]
    assert [line for line in lines if "unmeasured" in line] == [
        "warning: 1 of 2 questions unmeasured: their evidence was not found in the corpus; "
        "they are in no mean"
    ]


def test_junit_declares_the_encoding_it_is_written_in(harbour, monkeypatch):
    monkeypatch.setattr("locale.getpreferredencoding", lambda *_: "cp1252")
    monkeypatch.setattr("locale.getencoding", lambda: "cp1252")
    assert main(["check", "a.txt", "--golden", "golden.jsonl", "--junit", "j.xml"]) == 0
    assert (harbour / "j.xml").read_bytes().startswith(b"<?xml version='1.0' encoding='utf-8'?>\n")


def test_a_baseline_with_a_number_that_is_none_is_refused(harbour, capsys):
    assert main(["eval", "a.txt", "--golden", "golden.jsonl", "--save", "run.json"]) == 0
    saved = (harbour / "run.json").read_text().replace('"recall": 1.0', '"recall": NaN')
    (harbour / "run.json").write_text(saved)
    capsys.readouterr()
    assert main(["check", "a.txt", "--golden", "golden.jsonl", "--baseline", "run.json"]) == 2
    assert capsys.readouterr().err == (
        "chunkscope: run.json: not JSON (NaN is no JSON number); save a run with eval --save\n"
    )


def test_no_interval_is_shown_for_one_question(harbour, capsys):
    for name, size in (("a.toml", 4), ("b.toml", 20)):
        (harbour / name).write_text(f'[splitter]\nsize = {size}\noverlap = 0\nunit = "words"\n')
    arguments = ["compare", "a.txt", "--golden", "golden.jsonl", "--a", "a.toml", "--b", "b.toml"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "inf" not in out
    assert "too few questions for one" in out
