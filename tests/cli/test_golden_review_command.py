"""`golden review` in scripts: what is to be reviewed, verdicts by id, and no half-done command."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chunkscope.cli import golden_review
from chunkscope.cli.main import main
from chunkscope.golden.reading import read_golden
from chunkscope.golden.reviewing import status

TEXT = "Pilots board at the outer buoy. The largest draught is nine metres.\n"


def line(id: str, question: str, text: str, **more: Any) -> dict[str, Any]:
    start = TEXT.find(text)
    place = {"start": start, "end": start + len(text)} if start >= 0 else {}
    return {"id": id, "question": question, "doc": "a.txt", "evidence": [{"text": text, **place}],
            **more}  # fmt: skip


def made(scores: tuple[int, int, int] = (5, 4, 3), **more: Any) -> dict[str, Any]:
    names = ("groundedness", "relevance", "quality")
    return {"model": "m", "scores": dict(zip(names, scores, strict=True)), "reviewed": False,
            **more}  # fmt: skip


LINES = [
    line("g1", "Where do pilots board?", "Pilots board at the outer buoy.", generated=made(),
         answer="At the buoy.", type="fact"),
    line("g,2", "Pilots board at the outer buoy?", "Pilots board at the outer buoy.",
         generated=made((4, 4, 4), reason="copied")),
    line("own", "How deep?", "The largest draught is nine metres."),
    line("g3", "Who pays?", "Nobody pays.", generated=made()),
]  # fmt: skip


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Run = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text(TEXT)
    (tmp_path / "golden.jsonl").write_text("".join(json.dumps(each) + "\n" for each in LINES))

    def command(*arguments: str, paths: tuple[str, ...] = ("docs",)) -> Outcome:
        code = main(["golden", "review", *paths, "--golden", "golden.jsonl", *arguments])
        return Outcome(code, *capsys.readouterr())

    return command


def ids(name: str = "golden.jsonl") -> list[str]:
    return [question.id for question in read_golden(Path(name)).questions]


def test_the_queue_is_listed_with_scores_and_flags(run: Run) -> None:
    done = run("--list", "--format", "json")
    assert done.code == 0
    told = json.loads(done.out)
    assert (told["to_review"], told["questions"], told["rejected_total"]) == (3, 4, 0)
    first, second, third = told["queue"]
    assert first == {
        "id": "g1",
        "question": "Where do pilots board?",
        "answer": "At the buoy.",
        "type": "fact",
        "doc": "a.txt",
        "status": "new",
        "scores": {"groundedness": 5, "relevance": 4, "quality": 3},
        "reason": "",
        "model": "m",
        "flags": [],
    }
    assert second["reason"] == "copied"
    assert [flag["severity"] for flag in second["flags"]] == ["warning"]
    assert second["flags"][0]["message"].startswith("quotes its evidence: ")
    assert third["flags"][0]["message"].startswith('evidence[0]: not found in "a.txt"')
    assert done.out.isascii()


def test_the_queue_is_listed_as_a_table(run: Run) -> None:
    done = run("--list")
    assert done.code == 0
    rows = [row.split() for row in done.out.splitlines() if row.strip()]
    assert ["g1", "5", "4", "3", "Where", "do", "pilots", "board?"] in rows
    assert "own" not in done.out
    assert "3 to review" in done.err


def test_all_lists_what_is_reviewed_too(run: Run) -> None:
    run("--reject", "g3", "--accept", "g1")
    done = run("--list", "--all", "--format", "json")
    queue = json.loads(done.out)["queue"]
    assert [(each["id"], each["status"]) for each in queue] == [
        ("g1", "accepted"), ("g,2", "new"), ("own", "by hand"), ("g3", "rejected"),
    ]  # fmt: skip
    assert queue[3]["flags"][0]["severity"] == "error"
    assert queue[2]["scores"] == {}


def test_verdicts_need_no_documents(run: Run) -> None:
    done = run("--accept", "g1", "--reject", "g,2", "--reject", "g3,own", "--by", "ci",
               "--format", "json", paths=())  # fmt: skip
    assert done.code == 0
    assert json.loads(done.out) == {
        "accepted": ["g1"], "rejected": ["g,2", "g3", "own"],
        "to_review": 0, "questions": 1, "rejected_total": 3,
    }  # fmt: skip
    assert "1 accepted, 3 rejected (into golden.rejected.jsonl); 0 to review" in done.err
    assert ids() == ["g1"]
    assert ids("golden.rejected.jsonl") == ["g,2", "g3", "own"]
    kept = read_golden(Path("golden.jsonl")).questions[0]
    assert (kept.extra["review"]["by"], status(kept)) == ("ci", "accepted")


def test_a_verdict_given_twice_is_written_once(run: Run) -> None:
    run("--accept", "g1", "--by", "ada", paths=())
    before = Path("golden.jsonl").read_bytes()
    done = run("--accept", "g1", "--by", "bo", paths=())
    assert (done.code, Path("golden.jsonl").read_bytes()) == (0, before)
    assert "0 accepted, 0 rejected; 2 to review" in done.err


def test_what_was_rejected_is_accepted_again(run: Run) -> None:
    run("--reject", "g1", paths=())
    assert ids() == ["g,2", "own", "g3"]
    done = run("--accept", "g1", "--list", "--format", "json")
    assert json.loads(done.out)["accepted"] == ["g1"]
    assert ids() == ["g,2", "own", "g3", "g1"]
    assert not Path("golden.rejected.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--accept", "g1,x"], "--accept 'x': no question of that id; --list names them"),
        (["--reject", "g1", "--accept", "g1"], "'g1': both --accept and --reject"),
        (["--reject", "g1", "--by", " "], "--by: blank"),
    ],
)
def test_nothing_is_done_unless_all_can_be(run: Run, arguments: list[str], said: str) -> None:
    before = Path("golden.jsonl").read_bytes()
    done = run(*arguments, paths=())
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1
    assert Path("golden.jsonl").read_bytes() == before
    assert not Path("golden.rejected.jsonl").exists()


def test_without_a_terminal_validate_is_named(run: Run) -> None:
    done = run()
    assert (done.code, done.out) == (2, "")
    assert "the review needs a terminal" in done.err
    assert "chunkscope golden validate PATH --golden FILE" in done.err


@pytest.mark.parametrize("arguments", [[], ["--list"]])
def test_documents_are_asked_for(run: Run, arguments: list[str]) -> None:
    done = run(*arguments, paths=())
    assert (done.code, "no documents: give PATH" in done.err) == (2, True)


def test_nothing_to_review_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden_review, "_check_terminal", lambda: None)
    run("--accept", "g1", "--accept", "g,2", "--accept", "g3", paths=())
    done = run()
    assert done.code == 0
    assert "golden.jsonl: nothing to review; --all shows every question" in done.err


def test_the_screen_is_given_what_the_command_says(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chunkscope.tui import reviewing

    given: dict[str, Any] = {}

    def opened(file: Any, corpus: Any, **named: Any) -> int:
        given.update(named, by=file.reviewer.by, documents=[each.id for each in corpus.documents])
        return 0

    monkeypatch.setattr(golden_review, "_check_terminal", lambda: None)
    monkeypatch.setattr(reviewing, "run_review", opened)
    assert run("--by", "ada", "--all", "--ascii", "--theme", "light").code == 0
    assert given == {
        "by": "ada", "documents": ["a.txt"], "everything": True, "encoding": "cl100k_base",
        "ascii_marks": True, "theme": "light",
    }  # fmt: skip


def test_what_was_rejected_is_no_document(run: Run, tmp_path: Path) -> None:
    (tmp_path / "docs" / "golden.jsonl").write_bytes(Path("golden.jsonl").read_bytes())
    command = ["golden", "review", "docs", "--golden", "docs/golden.jsonl", "--reject", "g3"]
    assert main(command) == 0
    assert (tmp_path / "docs" / "golden.rejected.jsonl").exists()
    done = run("--list", "--format", "json")
    assert json.loads(done.out)["corpus"]["documents"] == 1
    (tmp_path / "docs" / "sub").mkdir()
    (tmp_path / "docs" / "golden.rejected.jsonl").rename(
        tmp_path / "docs" / "sub" / "mine.rejected.jsonl"
    )
    done = run("--list", "--list-skipped")
    assert "mine.rejected.jsonl: questions rejected in a review, not a document" in done.err


def test_what_counts_though_it_says_rejected_is_rejected(run: Run) -> None:
    run("--reject", "g3", paths=())
    with Path("golden.jsonl").open("a") as stream:
        stream.write(Path("golden.rejected.jsonl").read_text())
    done = run("--reject", "g3", "--format", "json", paths=())
    assert json.loads(done.out)["rejected"] == ["g3"]
    assert ids() == ["g1", "g,2", "own"]
    assert ids("golden.rejected.jsonl") == ["g3"]
