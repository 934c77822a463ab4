import json
from pathlib import Path

import pytest

from chunkscope.cli.main import main

FEE = "A berth is **25 euros** a night."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text(f"# Fees\n\n{FEE}\n\nThe quay opens at six.\n")
    lines = [
        {"id": f"q{n}", "question": f"Price {n}?", "doc": "a.md", "type": "fact" if n else None,
         "evidence": [{"text": "A berth is 25 euros a night."}]}
        for n in range(20)
    ]  # fmt: skip
    lines.append({"id": "none", "question": "Who?", "doc": "a.md", "evidence": []})
    golden = tmp_path / "golden.jsonl"
    golden.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    return code, *capsys.readouterr()


def test_stats_as_json(capsys, folder):
    code, out, _ = run(
        capsys, "golden", "stats", folder / "docs", "--golden", folder / "golden.jsonl",
        "--format", "json",
    )  # fmt: skip
    made = json.loads(out)
    assert code == 0
    assert (made["measured"], made["unmeasured"], made["unanswerable"]) == (20, 0, 1)
    assert made["types"] == {"": 2, "fact": 19}
    assert made["evidence"]["tiers"] == {"markup": 20}
    assert made["evidence"]["lengths"] == dict.fromkeys(["0.5", "0.75", "0.9", "0.95", "1.0"], 10)
    assert (made["evidence"]["unit"], made["evidence"]["encoding"]) == ("tokens", "cl100k_base")
    assert made["evidence"]["size_floor"] == 10
    # Four of twenty differ: fewer than an exact test needs, so the least is six.
    assert made["detectable"]["difference"] == pytest.approx(0.3)
    assert made["detectable"]["questions_for"]["0.1"] > 20


def test_stats_as_a_table(capsys, folder):
    code, out, _ = run(
        capsys, "golden", "stats", folder / "docs", "--golden", folder / "golden.jsonl"
    )
    assert code == 0
    assert "10 tokens: a smaller chunk cannot hold 95% of the evidence whole" in out
    assert "markup 20 (100%)" in out


def test_stats_of_few_questions_detect_nothing(capsys, folder):
    golden = folder / "few.jsonl"
    golden.write_text('{"id":"1","question":"Who?","doc":"a.md","evidence":[{"text":"quay"}]}\n')
    code, out, _ = run(capsys, "golden", "stats", folder / "docs", "--golden", golden)
    assert code == 0
    assert "1 measured question is too few" in out
    assert "questions needed: 162 for 0.1" in " ".join(out.split())


def test_validate_names_the_tier_and_fails_on_errors(capsys, folder):
    code, out, err = run(
        capsys, "golden", "validate", folder / "docs", "--golden", folder / "golden.jsonl"
    )
    assert code == 0
    assert "found when markup and what it shows are not told apart" in out
    assert "21 questions: 0 errors, " in err


def test_import_writes_located_lines_and_lists_what_is_lost(capsys, folder):
    questions = folder / "q.csv"
    questions.write_text(
        "question,evidence\nFee?,A berth is 25 euros a night.\nWho?,No such thing\n"
    )
    out = folder / "made.jsonl"
    code, printed, err = run(
        capsys, "golden", "import", questions, folder / "docs", "--out", out
    )  # fmt: skip
    assert code == 0
    assert "row 3" in printed
    assert "1 not found, 0 ambiguous, 0 drifted, 1 found loosely" in err
    first, second = [json.loads(line) for line in out.read_text().splitlines()]
    assert first["evidence"] == [{"text": FEE, "start": 8, "end": 8 + len(FEE)}]
    assert second["evidence"] == [{"text": "No such thing"}]
    code, _, err = run(capsys, "golden", "import", questions, folder / "docs", "--out", out)
    assert (code, "--force" in err) == (2, True)


def test_import_with_the_texts_that_the_file_brings_along(capsys, folder):
    qas = [{"id": "q", "question": "When?", "answers": [{"text": "six", "answer_start": 6}]}]
    paragraphs = [{"context": "First.", "qas": []}, {"context": "Opens six.", "qas": qas}]
    questions = folder / "s.json"
    questions.write_text(json.dumps({"data": [{"title": "The quay", "paragraphs": paragraphs}]}))
    out, docs = folder / "made.jsonl", folder / "texts"
    code, printed, _ = run(
        capsys, "golden", "import", questions, "--write-documents", docs, "--out", out,
        "--format", "json",
    )  # fmt: skip
    assert (code, json.loads(printed)["lost"]) == (0, [])
    assert (docs / "The_quay.txt").read_text() == "First.\n\nOpens six."
    made = json.loads(out.read_text())
    assert (made["doc"], made["evidence"]) == (
        "The_quay.txt",
        [{"text": "six", "start": 14, "end": 17}],
    )


def test_import_refuses_what_it_cannot_use(capsys, folder):
    questions = folder / "q.csv"
    questions.write_text("question,evidence\nFee?,x y z\n")
    out = folder / "made.jsonl"
    code, _, err = run(capsys, "golden", "import", questions, "--out", out)
    assert (code, "no documents" in err) == (2, True)
    code, _, err = run(
        capsys, "golden", "import", questions, folder / "docs", "--out", out, "--column", "x=y"
    )
    assert (code, "--column 'x=y'" in err) == (2, True)
    code, _, _ = run(capsys, "golden", "import", questions, folder / "docs", "--out", out)
    assert code == 1


def test_every_bad_line_is_said_at_once(capsys, folder):
    golden = folder / "golden.jsonl"
    good = golden.read_text()
    golden.write_text('{"id": "x"}\n' + good + "no JSON\n" + good.split("\n")[0] + "\n")
    code, out, said = run(capsys, "golden", "validate", folder / "docs", "--golden", golden)
    assert (code, out) == (2, "")
    lines = said.splitlines()
    assert lines[0].startswith(f"{golden}, line 1: field evidence: missing")
    assert lines[1].startswith(f"{golden}, line 23: not JSON")
    assert lines[2].startswith(f'{golden}, line 24: field id: "q0" stands in line 2 already')
    assert lines[3:] == [f"chunkscope: {golden}: 3 lines are bad; mend them first"]


def test_one_bad_line_is_one_line(capsys, folder):
    golden = folder / "golden.jsonl"
    golden.write_text(golden.read_text() + "no JSON\n")
    code, _out, said = run(capsys, "golden", "validate", folder / "docs", "--golden", golden)
    assert code == 2
    [line] = said.splitlines()
    assert line.startswith(f"chunkscope: {golden}, line 22: not JSON")


def test_files_of_questions_are_no_documents(capsys, folder):
    questions = folder / "docs" / "q.csv"
    questions.write_text(
        "question,evidence\nFee?,A berth is 25 euros a night.\nWho?,No such thing\n"
    )
    out = folder / "docs" / "made.jsonl"
    for _ in range(2):
        code, printed, err = run(
            capsys, "golden", "import", questions, folder / "docs", "--out", out, "--force"
        )
        assert code == 0
        assert "found in no document; the golden set keeps it without offsets" in printed
        assert "2 questions from csv, 2 pieces of evidence: 1 not found, 0 ambiguous" in err


def test_one_question_is_said_so(capsys, folder):
    questions = folder / "q.csv"
    questions.write_text("question,evidence\nFee?,A berth is 25 euros a night.\n")
    _, _, err = run(
        capsys, "golden", "import", questions, folder / "docs", "--out", folder / "one.jsonl"
    )
    assert err.startswith("1 question from csv, 1 piece of evidence: 0 not found")


def stats(capsys, folder, *flags):
    code, out, err = run(capsys, "golden", "stats", folder / "docs", "--golden",
                         folder / "golden.jsonl", "--format", "json", *flags)  # fmt: skip
    assert code == 0, err
    return json.loads(out)


def test_evidence_is_counted_in_the_unit_of_the_splitter(capsys, folder, monkeypatch):
    monkeypatch.chdir(folder)
    evidence = stats(capsys, folder, "--unit", "characters")["evidence"]
    assert (evidence["unit"], evidence["encoding"]) == ("characters", None)
    assert (evidence["lengths"]["0.5"], evidence["size_floor"]) == (len(FEE), len(FEE))
    (folder / "chunkscope.toml").write_text('[splitter]\nkind = "words"\nsize = 50\n')
    assert stats(capsys, folder)["evidence"]["size_floor"] == len(FEE.split())
    assert stats(capsys, folder, "--unit", "tokens")["evidence"]["size_floor"] == 10
    own = folder / "own.toml"
    own.write_text('[splitter]\nunit = "tokens"\nencoding = "o200k_base"\n')
    evidence = stats(capsys, folder, "--config", own)["evidence"]
    assert (evidence["unit"], evidence["encoding"]) == ("tokens", "o200k_base")
    own.write_text('[splitter]\nkind = "sentence"\nunit = "sentences"\nsize = 4\n')
    code, _, err = run(capsys, "golden", "stats", folder / "docs", "--golden",
                       folder / "golden.jsonl", "--config", own)  # fmt: skip
    assert (code, "give --unit tokens|characters|words" in err) == (2, True)


def test_a_set_is_held_against_what_users_ask(capsys, folder):
    asked = folder / "docs" / "asked.txt"
    asked.write_text("How do I moor?\n\n" * 30 + "opening hours\n" * 10)
    users = stats(capsys, folder, "--asked", asked)["users"]
    assert (users["questions"], users["by"]) == (40, "form")
    assert users["kinds"]["how"] == {"golden": 0.0, "users": 0.75, "apart": True}
    # What users asked is no document.
    code, out, err = run(capsys, "golden", "validate", folder / "docs", "--golden",
                         folder / "golden.jsonl", "--asked", asked, "--format", "json")  # fmt: skip
    made = json.loads(out)
    assert (code, made["corpus"]["documents"], made["users"]) == (0, 1, users)
    messages = [one["message"] for one in made["findings"]]
    assert "how: 0% of the golden questions, 75% of what users ask; write more of these" in messages
    code, out, err = run(capsys, "golden", "stats", folder / "docs", "--golden",
                         folder / "golden.jsonl", "--asked", asked)  # fmt: skip
    assert out.split("\n form ")[1].split()[:3] == ["golden", "users", "(40)"]
    assert "how: 0% of the golden questions, 75% of what users ask" in err


def test_validate_says_whether_the_questions_are_enough(capsys, folder):
    def last(*flags):
        _, out, _ = run(capsys, "golden", "validate", folder / "docs", "--golden",
                        folder / "golden.jsonl", "--format", "json", *flags)  # fmt: skip
        made = json.loads(out)
        return made["findings"][-1], made["detectable"]

    finding, power = last()
    assert finding["severity"] == "warning"
    assert finding["message"].startswith("smallest detectable difference: 0.300 in recall, if two")
    assert power["difference"] == pytest.approx(0.3)
    assert power["questions_for"] == {"0.1": 162, "0.05": 645, "0.02": 4026}
    finding, power = last("--difference", "0.5")
    assert (finding["severity"], power["questions_for"]["0.1"]) == ("info", 162)
    _, power = last("--difference", "0.03")
    assert power["questions_for"]["0.03"] == 1790
    code, _, err = run(capsys, "golden", "validate", folder / "docs", "--golden",
                       folder / "golden.jsonl", "--difference", "0")  # fmt: skip
    assert (code, "is not a difference from 0.001 to 1" in err) == (2, True)


def test_documents_may_stand_after_flags(capsys, folder):
    questions = folder / "q.csv"
    questions.write_text("question,evidence\nFee?,A berth is 25 euros a night.\n")
    code, _, err = run(
        capsys, "golden", "import", questions, "--from", "csv", folder / "docs", "--out",
        folder / "a.jsonl",
    )  # fmt: skip
    assert (code, "1 question from csv" in err) == (0, True)
    code, _, err = run(
        capsys, "golden", "import", questions, "--from", "csv", folder / "docs", "--out",
        folder / "b.jsonl", "--no-such-flag",
    )  # fmt: skip
    assert (code, "unrecognized arguments: --no-such-flag" in err) == (2, True)
    code, _, err = run(capsys, "golden", "stats", folder / "docs", "--unit", "words", "more")
    assert (code, "unrecognized arguments: more" in err) == (2, True)


def test_what_is_still_to_be_reviewed_is_counted(capsys, folder):
    golden = folder / "golden.jsonl"
    lines = [json.loads(line) for line in golden.read_text().splitlines()]
    lines[0]["generated"] = {"model": "m", "reviewed": False}
    lines[1]["generated"] = {"model": "m", "reviewed": True}
    golden.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert stats(capsys, folder)["review"] == {"by hand": 19, "new": 1, "accepted": 1}
    _, out, _ = run(capsys, "golden", "validate", folder / "docs", "--golden", golden,
                    "--format", "json")  # fmt: skip
    assert {"severity": "info", "id": "", "line": 0, "message":
            "1 of 21 questions is still to be reviewed: chunkscope golden review"
            } in json.loads(out)["findings"]  # fmt: skip
