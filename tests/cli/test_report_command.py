"""`chunkscope report`: what it refuses, which questions it shows."""

import json

import pytest

from chunkscope.cli.main import main

TEXT = "".join(f"Rule {n}. Boat number {n} leaves pier {n * 7} at hour {n}.\n\n" for n in range(9))


@pytest.fixture
def docs(tmp_path, monkeypatch):
    """Documents and a golden set beside them."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rules.txt").write_text(TEXT)
    lines = [
        {"id": f"q{n}", "question": f"When does boat number {n} leave?", "doc": "rules.txt",
         "evidence": [{"text": f"Boat number {n} leaves pier {n * 7} at hour {n}."}]}
        for n in range(9)
    ]  # fmt: skip
    (tmp_path / "golden.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(*flags):
    return main(
        ["report", "docs", "--golden", "golden.jsonl", "--unit", "characters", "--size", "30",
         "--overlap", "0", "--k", "1", "--sizes", "30,60", "--overlaps", "0", *flags]
    )  # fmt: skip


def test_a_is_what_is_given_and_b_the_pick(docs, capsys):
    assert report("--out", "r.html") == 0
    assert capsys.readouterr().err.endswith("written: r.html\n")
    page = (docs / "r.html").read_text()
    assert "<strong>A</strong> recursive 30/0 characters" in page
    assert "<strong>B</strong> recursive 60/0 characters" in page


def test_b_may_be_given_and_so_may_the_questions(docs):
    (docs / "b.toml").write_text('[splitter]\nsize = 45\noverlap = 0\nunit = "characters"\n'
                                 "[retriever]\nk = [1]\n")  # fmt: skip
    assert (
        report("--out", "r.html", "--b", "b.toml", "--show", "q4,q2", "--validate", "halves") == 0
    )
    page = (docs / "r.html").read_text()
    assert "<strong>B</strong> recursive 45/0 characters" in page
    shown = page[page.index('id="chosen"') :]
    assert shown.index("<strong>q4</strong>") < shown.index("<strong>q2</strong>")
    assert "<strong>q3</strong>" not in shown
    assert "second round: neither confirmed nor refuted: 9 questions cannot be halved" in page


def test_how_many_questions_are_shown(docs):
    assert report("--out", "r.html", "--show", "3") == 0
    page = (docs / "r.html").read_text()
    assert page.count("<details data-") == 3
    assert report("--out", "r.html", "--show", "0") == 0
    assert "no question was chosen" in (docs / "r.html").read_text()


def test_the_same_report_is_the_same_file(docs):
    assert report("--out", "r.html") == 0
    first = (docs / "r.html").read_bytes()
    assert report("--out", "docs/r.html") == 0
    assert (docs / "docs" / "r.html").read_bytes() == first
    assert report("--out", "docs/r.html") == 0
    assert (docs / "docs" / "r.html").read_bytes() == first


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ((), "--out"),
        (("--out", "r.html", "--show", "nope"), "--show: question 'nope' is not in the golden set"),
        (("--out", "nowhere/r.html"), "nowhere/r.html: cannot be written"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(docs, capsys, flags, message):
    assert report(*flags) == 2
    assert message in capsys.readouterr().err
    assert not (docs / "r.html").exists()
