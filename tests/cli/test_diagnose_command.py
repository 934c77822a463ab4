"""`chunkscope diagnose`: table, JSON, one question, errors."""

import json

import pytest

from chunkscope.cli.main import main

TEXT = (
    "zinc copper alloy\nbread is warm\nzinc is sold here\nmilk is cold\neggs are white\n"
    "the valve opens\nat nine sharp\n"
)
QUESTIONS = [
    ("sold", "zinc copper", [{"text": "zinc is sold here"}]),
    ("valve", "valve opens", [{"text": "valve opens\nat nine"}]),
    ("milk", "milk", [{"text": "milk is cold"}]),
    ("lost", "lead", [{"text": "lead is heavy"}]),
    ("none", "gold", []),
]
LINES = ("--splitter", "character", "--separators", '["\\n"]', "--size", "2", "--unit", "words",
         "--overlap", "0", "--k", "1")  # fmt: skip


@pytest.fixture
def metals(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "metals.txt").write_bytes(TEXT.encode())
    golden = tmp_path / "golden.jsonl"
    lines = [
        json.dumps({"id": name, "question": asked, "doc": "metals.txt", "evidence": evidence})
        for name, asked, evidence in QUESTIONS
    ]
    golden.write_text("\n".join(lines) + "\n")
    return tmp_path


def diagnose(metals, *flags):
    golden = str(metals / "golden.jsonl")
    return main(["diagnose", str(metals / "docs"), "--golden", golden, *LINES, *flags])


def test_json_gives_signatures_proofs_shares_and_mends(metals, capsys):
    assert diagnose(metals, "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    totals = {each["name"]: each["questions"] for each in report["signatures"]}
    assert list(totals) == [
        "unmeasured", "split", "crowded", "orphaned", "vocabulary", "diluted", "outranked",
    ]  # fmt: skip
    assert {name: total for name, total in totals.items() if total} == {
        "unmeasured": 1, "split": 1, "outranked": 1,
    }  # fmt: skip
    assert report["bad"] == 3
    assert report["mendable"] == {"questions": 1, "share": 0.5}
    questions = {each["id"]: each for each in report["questions"]}
    assert list(questions) == ["sold", "valve", "lost"]
    assert questions["sold"]["signature"] == "outranked"
    assert questions["valve"]["items"][0]["proof"]["before"] == 11
    assert questions["lost"]["mends"] == []
    for name in ("sold", "valve"):
        costs = [mend["context_tokens"][1] for mend in questions[name]["mends"]]
        assert costs
        assert costs == sorted(costs)
    assert report["mending"]["mended"] == 2
    assert report["mending"]["untried"] == []
    assert report["golden"]["unanswerable"] == 1


def test_table_says_why_how_many_and_what_mends(metals, capsys):
    assert diagnose(metals) == 0
    out = capsys.readouterr().out
    assert "rank 2 with" in out
    assert "cut into 11 and 8 characters by the line end before “at”" in out
    assert "3 of 5 questions are bad (3 measured, 1 unmeasured, 1 unanswerable)" in out
    assert "chunking can mend 1 of the 2 measured failures (50%)" in out
    assert "k 1 → 2" in out
    assert "2 of 2 are hit by one of" in out


def test_without_mends_nothing_is_tried(metals, capsys):
    assert diagnose(metals, "--no-mends", "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["mending"] is None
    assert all(each["mends"] == [] for each in report["questions"])


def test_one_question_without_a_golden_set(metals, capsys):
    flags = ["-q", "valve opens", "--evidence", "valve opens\nat nine", "--format", "json"]
    assert main(["diagnose", str(metals / "docs"), *flags, *LINES]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [each["signature"] for each in report["questions"]] == ["split"]


def test_a_hit_alone_is_no_failure_and_no_share(metals, capsys):
    flags = ["-q", "milk", "--evidence", "milk is cold", "--format", "json"]
    assert main(["diagnose", str(metals / "docs"), *flags, *LINES]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["bad"], report["mendable"]) == (0, {"questions": 0, "share": None})


def test_it_is_written_whole_to_a_file_too(metals, capsys):
    target = metals / "why.json"
    assert diagnose(metals, "--no-mends", "--format", "json", "--save", str(target)) == 0
    assert json.loads(target.read_text()) == json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--log", "x.jsonl"], "x.jsonl: cannot be read"),
        ([], "no golden set: give --golden FILE or -q TEXT --evidence TEXT"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(metals, capsys, flags, message):
    assert main(["diagnose", str(metals / "docs"), *flags]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"chunkscope: {message}")
    assert error.count("\n") == 1


def test_help_states_the_precedence(capsys):
    with pytest.raises(SystemExit):
        main(["diagnose", "--help"])
    out = capsys.readouterr().out
    names = ["unmeasured", "split", "crowded", "orphaned", "vocabulary", "diluted", "outranked"]
    places = [out.index(f"\n  {name}") for name in names]
    assert places == sorted(places)
