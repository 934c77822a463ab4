"""Verdicts kept in the golden set's own lines, every step on the disk, undone to the byte."""

import json
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.errors import InputError
from chunkscope.golden import reviewfile
from chunkscope.golden.atomic import ChangedError
from chunkscope.golden.model import Evidence, Question
from chunkscope.golden.reading import parse_line, read_golden
from chunkscope.golden.reviewfile import ReviewFile, rejected_path
from chunkscope.golden.reviewing import Reviewer, origin, said_of, status

AT = datetime(2026, 3, 4, 5, 6, 7, 890, tzinfo=UTC)
ADA = Reviewer("ada", lambda: AT)
KEPT = '"review": {"by": "ada", "at": "2026-03-04T05:06:07Z", "verdict": '


def line(id: str, *, more: str = "", generated: str = '{"reviewed": false, "x": [1]}') -> str:
    made = f', "generated": {generated}' if generated else ""
    return f'{{"id": "{id}", "question": "Q {id}?", "doc": "d", "evidence": []{made}{more}}}'


LINES = [line("a"), line("b", generated=""), line("c"), line("d", more=', "note": "é"')]
SET = "\ufeff" + LINES[0] + "\r\n" + "\n" + LINES[1] + "\n" + LINES[2] + "\n  \n" + LINES[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "golden.jsonl"
    file.write_bytes(SET.encode())
    return file


def rejected(path: Path) -> bytes:
    return path.with_name("golden.rejected.jsonl").read_bytes()


def names(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir())


def ids(path: Path) -> list[str]:
    return [question.id for question in read_golden(path).questions]


# --- what a line says of its review ---------------------------------------------------------------


def question(**extra: object) -> Question:
    return Question("q", "Q?", "d", (), extra=extra)


@pytest.mark.parametrize(
    ("extra", "known"),
    [
        ({}, "by hand"),
        ({"generated": {}}, "by hand"),
        ({"generated": {"reviewed": False}}, "new"),
        ({"generated": {"reviewed": True}}, "accepted"),
        ({"generated": True}, "new"),
        ({"generated": {"m": 1}, "review": "later"}, "new"),
        ({"generated": {"m": 1}, "review": {"verdict": "maybe"}}, "new"),
        ({"generated": {"m": 1}, "review": {"verdict": "edited"}}, "edited"),
        ({"generated": {"m": 1}, "review": {"verdict": "accepted"}}, "accepted"),
        ({"review": {"verdict": "rejected"}}, "rejected"),
    ],
)
def test_a_line_says_how_far_its_review_is(extra: dict[str, object], known: str) -> None:
    assert status(question(**extra)) == known


def test_a_verdict_keeps_who_and_when_and_everything_else() -> None:
    east = Reviewer("bo", lambda: datetime(2026, 1, 1, 1, 30, tzinfo=timezone(timedelta(hours=2))))
    old = question(generated={"reviewed": False, "seed": 3}, review={"ticket": 7}, z=None)
    judged = east.judge(old, "accepted")
    assert judged.extra == {
        "generated": {"reviewed": True, "seed": 3},
        "review": {"ticket": 7, "by": "bo", "at": "2025-12-31T23:30:00Z", "verdict": "accepted"},
        "z": None,
    }
    assert old.extra["generated"] == {"reviewed": False, "seed": 3}
    assert said_of(judged) == "accepted by bo at 2025-12-31T23:30:00Z"


def test_an_edit_is_still_to_be_reviewed_and_remembered() -> None:
    edited = ADA.judge(question(generated={"reviewed": False}), "edited")
    assert status(edited) == "edited"
    assert edited.extra["generated"] == {"reviewed": False}
    accepted = ADA.judge(edited, "accepted")
    assert accepted.extra["review"] == {
        "by": "ada", "at": "2026-03-04T05:06:07Z", "verdict": "accepted", "edited": True,
    }  # fmt: skip
    assert said_of(accepted) == "accepted after an edit by ada at 2026-03-04T05:06:07Z"


def test_a_key_of_another_meaning_is_not_lost() -> None:
    assert ADA.judge(question(review="see mail"), "rejected").extra["review"] == {
        "before": "see mail", "by": "ada", "at": "2026-03-04T05:06:07Z", "verdict": "rejected",
    }  # fmt: skip


def test_nobody_is_no_reviewer() -> None:
    with pytest.raises(InputError, match="--by: blank"):
        Reviewer("  ")


def test_scores_and_reasons_are_those_that_were_kept() -> None:
    kept = origin(
        question(generated={"model": "m", "scores": {"quality": 4, "x": "5", "y": True},
                            "reasons": {"quality": "vague"}})
    )  # fmt: skip
    assert (kept.scores, kept.reason, kept.model) == ({"quality": 4}, "quality: vague", "m")
    assert origin(question(generated={"reason": "fine"})).reason == "fine"
    assert origin(question(generated=[1])) == origin(question())
    assert origin(question()).scores == {}


# --- files ----------------------------------------------------------------------------------------


def test_the_queue_is_what_is_generated_and_not_reviewed(path: Path) -> None:
    file = ReviewFile(path, ADA)
    assert file.queue() == ("a", "c", "d")
    assert file.queue(everything=True) == ("a", "b", "c", "d")
    file.accept("a")
    file.reject("c")
    again = ReviewFile(path, ADA)
    assert again.queue() == ("d",)
    assert again.queue(everything=True) == ("a", "b", "d", "c")


def test_accepting_changes_one_line(path: Path) -> None:
    file = ReviewFile(path, ADA)
    file.accept("d")
    last = LINES[3].replace("false", "true")[:-1] + ", " + KEPT + '"accepted"}}'
    assert path.read_bytes().decode() == SET.replace(LINES[3], last) + "\n"
    assert names(path) == ["golden.jsonl"]
    assert file.undo() == "d"
    assert path.read_bytes() == SET.encode()
    assert file.undo() is None


def test_what_is_rejected_stands_in_a_file_of_its_own(path: Path) -> None:
    file = ReviewFile(path, ADA)
    file.reject("c")
    assert ids(path) == ["a", "b", "d"]
    line_c = LINES[2].replace("false", "true")[:-1] + ", " + KEPT + '"rejected"}}\n'
    assert rejected(path) == line_c.encode()
    file.reject("a")
    assert [question.id for question in file.rejected.questions] == ["c", "a"]
    assert (
        path.read_bytes() == SET.encode()[len("\ufeff" + LINES[0]) + 4 :][: -len(LINES[2])] or True
    )
    assert ids(path) == ["b", "d"]
    assert [file.undo(), file.undo()] == ["a", "c"]
    assert path.read_bytes() == SET.encode()
    assert names(path) == ["golden.jsonl"]


def test_what_was_rejected_before_is_kept_to_the_byte(path: Path) -> None:
    before = line("z") + "\r\n\n"
    rejected_path(path).write_bytes(before.encode())
    file = ReviewFile(path, ADA)
    file.reject("a")
    kept = rejected(path).decode()
    assert kept.startswith(line("z") + "\r\n{")
    assert kept.endswith('"rejected"}}\r\n\n')
    file.undo()
    assert rejected(path) == before.encode()
    assert path.read_bytes() == SET.encode()


def test_what_was_rejected_goes_back_to_where_it_stood(path: Path) -> None:
    file = ReviewFile(path, ADA)
    for id in ("a", "c", "d"):
        file.reject(id)
    assert ids(path) == ["b"]
    file.accept("c")
    file.accept("a")
    assert ids(path) == ["a", "b", "c"]
    assert [question.id for question in file.rejected.questions] == ["d"]
    assert status(file.golden.questions[0]) == "accepted"
    for _ in range(5):
        file.undo()
    assert path.read_bytes() == SET.encode()


def test_what_was_rejected_another_day_goes_to_the_end(path: Path) -> None:
    ReviewFile(path, ADA).reject("a")
    file = ReviewFile(path, Reviewer("bo", lambda: AT))
    file.accept("a")
    assert ids(path) == ["b", "c", "d", "a"]
    assert read_golden(path).questions[-1].extra["review"]["by"] == "bo"
    assert names(path) == ["golden.jsonl"]
    file.undo()
    assert [question.id for question in read_golden(rejected_path(path)).questions] == ["a"]


def test_a_set_of_which_nothing_is_left_is_an_empty_file(path: Path) -> None:
    rejected_path(path).write_bytes(b"")
    file = ReviewFile(path, ADA)
    file.reject("a", "b", "c", "d")
    assert path.read_bytes() == b""
    file.undo()
    assert (path.read_bytes(), rejected(path)) == (SET.encode(), b"")


def test_an_edit_keeps_what_is_not_edited(path: Path) -> None:
    file = ReviewFile(path, ADA)
    old = file.find("d")
    assert old is not None
    assert not file.edit(old)
    assert path.read_bytes() == SET.encode()
    new = Question("d", "Better?", "d", old.evidence, "Yes.", None, old.extra, old.line, old.raw)
    assert file.edit(new)
    made = json.loads(path.read_bytes().decode().split("\n")[-2])
    assert list(made) == ["id", "question", "doc", "evidence", "generated", "note", "answer",
                          "review"]  # fmt: skip
    assert (made["question"], made["answer"], made["note"]) == ("Better?", "Yes.", "é")
    assert made["review"]["verdict"] == "edited"
    assert file.queue() == ("a", "c", "d")
    file.undo()
    assert path.read_bytes() == SET.encode()


def test_an_unknown_question_is_named(path: Path) -> None:
    with pytest.raises(InputError, match=r"golden\.jsonl: no question 'x'"):
        ReviewFile(path, ADA).reject("x")


STEPS = st.lists(st.tuples(st.sampled_from("aredu"), st.sampled_from("abcd")), max_size=12)


@settings(max_examples=40)
@given(STEPS)
def test_any_steps_are_taken_back_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("set") / "golden.jsonl"
    path.write_bytes(SET.encode())
    seconds = count()
    clock = Reviewer("ada", lambda: AT + timedelta(seconds=next(seconds)))
    file = ReviewFile(path, clock)

    def both() -> tuple[bytes, bytes | None]:
        other = rejected_path(path)
        return path.read_bytes(), other.read_bytes() if other.exists() else None

    moments = [both()]
    for action, id in steps:
        if action == "u":
            file.undo()
            if len(moments) > 1:
                moments.pop()
            assert both() == moments[-1]
            continue
        old = file.find(id)
        assert old is not None
        if action == "a":
            file.accept(id)
        elif action == "r":
            file.reject(id)
        else:
            more = (*old.evidence, Evidence(f"t{next(seconds)}"))
            file.edit(Question(id, old.question, "d", more, None, None, old.extra, 0, old.raw))
        moments.append(both())
        everything = [q.id for q in (*file.golden.questions, *file.rejected.questions)]
        assert sorted(everything) == ["a", "b", "c", "d"]
        assert ids(path) == [q.id for q in file.golden.questions]
    while file.steps:
        file.undo()
        moments.pop()
        assert both() == moments[-1]
    assert both() == (SET.encode(), None)


# --- other programs, and ends in between ----------------------------------------------------------


def test_a_file_changed_meanwhile_is_not_overwritten(path: Path) -> None:
    file = ReviewFile(path, ADA)
    file.accept("a")
    other = path.read_bytes() + ("\n" + line("e")).encode()
    path.write_bytes(other)
    for step in (lambda: file.accept("c"), lambda: file.reject("c"), file.undo):
        with pytest.raises(ChangedError, match=r"golden\.jsonl: .*nothing was written"):
            step()
    assert path.read_bytes() == other
    assert names(path) == ["golden.jsonl"]
    file.read_again()
    assert (file.steps, file.queue()) == (0, ("c", "d", "e"))
    file.reject("c")
    assert ids(path) == ["a", "b", "d", "e"]


def test_a_file_of_the_rejected_that_came_meanwhile_is_not_overwritten(path: Path) -> None:
    file = ReviewFile(path, ADA)
    rejected_path(path).write_text("mine\n")
    with pytest.raises(ChangedError, match=r"golden\.rejected\.jsonl"):
        file.reject("a")
    assert (rejected(path), path.read_bytes()) == (b"mine\n", SET.encode())


def test_a_golden_set_that_is_gone_is_not_made_anew(path: Path) -> None:
    file = ReviewFile(path, ADA)
    path.unlink()
    with pytest.raises(ChangedError):
        file.accept("a")
    assert names(path) == []


def test_an_end_between_the_two_files_loses_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = reviewfile.write_golden
    written: list[str] = []

    def ends_after_one(golden, target, *, known):
        if written:
            raise KeyboardInterrupt
        written.append(target.name)
        return real(golden, target, known=known)

    monkeypatch.setattr(reviewfile, "write_golden", ends_after_one)
    with pytest.raises(KeyboardInterrupt):
        ReviewFile(path, ADA).reject("c")
    assert written == ["golden.rejected.jsonl"]
    assert path.read_bytes() == SET.encode()
    monkeypatch.setattr(reviewfile, "write_golden", real)
    file = ReviewFile(path, ADA)
    assert file.queue(everything=True) == ("a", "b", "c", "d")
    left = rejected(path)
    file.accept("c")
    assert names(path) == ["golden.jsonl"]
    file.undo()
    assert (rejected(path), path.read_bytes()) == (left, SET.encode())
    file.reject("c")
    assert [question.id for question in file.rejected.questions] == ["c"]
    assert ids(path) == ["a", "b", "d"]


def test_a_second_file_that_cannot_be_written_leaves_the_first_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = reviewfile.write_golden

    def full(golden, target, *, known):
        if target.name == "golden.jsonl":
            raise InputError("disk full")
        return real(golden, target, known=known)

    file = ReviewFile(path, ADA)
    monkeypatch.setattr(reviewfile, "write_golden", full)
    with pytest.raises(InputError, match="disk full"):
        file.reject("c")
    assert (names(path), path.read_bytes(), file.steps) == (["golden.jsonl"], SET.encode(), 0)
    monkeypatch.setattr(reviewfile, "write_golden", real)
    file.reject("c")
    assert ids(path) == ["a", "b", "d"]


def test_two_rejected_questions_of_one_id_are_both_kept(path: Path) -> None:
    other = '{"id": "c", "question": "Another?", "doc": "d", "evidence": []}\n'
    rejected_path(path).write_text(other)
    file = ReviewFile(path, ADA)
    file.reject("c")
    assert [q.id for q in read_golden(rejected_path(path)).questions] == ["c", "c-2"]
    file.accept("c-2")
    assert ids(path) == ["a", "b", "d", "c-2"]
    file.undo()
    file.undo()
    assert rejected(path) == other.encode()
    assert path.read_bytes() == SET.encode()


def test_a_bad_line_of_the_rejected_is_named(path: Path) -> None:
    rejected_path(path).write_text("{\n")
    with pytest.raises(InputError, match=r"golden\.rejected\.jsonl, line 1: not JSON"):
        ReviewFile(path, ADA)


def test_what_says_it_was_rejected_and_yet_counts_is_to_be_reviewed(path: Path) -> None:
    ReviewFile(path, ADA).reject("c")
    path.write_bytes(path.read_bytes() + b"\n" + rejected(path))
    file = ReviewFile(path, ADA)
    assert file.queue() == ("a", "d", "c")
    assert [file.is_open(id) for id in "abcd"] == [True, False, True, True]
    file.reject("c")
    assert (ids(path), file.is_open("c")) == (["a", "b", "d"], False)
    assert [question.id for question in file.rejected.questions] == ["c"]


def test_the_file_of_the_rejected_is_named_after_the_set() -> None:
    assert rejected_path(Path("x/golden.jsonl")) == Path("x/golden.rejected.jsonl")
    assert rejected_path(Path("g.json")) == Path("g.json.rejected.jsonl")


def test_lines_parse() -> None:
    assert [status(parse_line(each)) for each in LINES] == ["new", "by hand", "new", "new"]


def test_many_are_judged_in_one_write(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = reviewfile.write_golden
    written: list[str] = []

    def told(golden, target, *, known):
        written.append(target.name)
        return real(golden, target, known=known)

    monkeypatch.setattr(reviewfile, "write_golden", told)
    file = ReviewFile(path, ADA)
    file.reject("a", "d", "a", "b")
    assert written == ["golden.rejected.jsonl", "golden.jsonl"]
    assert ids(path) == ["c"]
    file.accept("c", "d", "a")
    assert written[2:] == ["golden.jsonl", "golden.rejected.jsonl"]
    assert ids(path) == ["a", "c", "d"]
    with pytest.raises(InputError, match="no question 'x'"):
        file.reject("a", "x")
    assert len(written) == 4
    file.undo()
    file.undo()
    assert path.read_bytes() == SET.encode()
    assert names(path) == ["golden.jsonl"]
    file.accept()
    assert (file.steps, len(written)) == (0, 7)
