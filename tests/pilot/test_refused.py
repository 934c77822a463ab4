"""Undo and redo of golden lines where the golden set's file refuses them: nothing is lost."""

import json
from pathlib import Path

import pytest
from inspector_driver import GOLDEN, Start, read_text

from chunkscope.errors import InputError

THEIRS = {"id": "new", "question": "Whose?", "doc": "harbour.md", "evidence": []}


def put(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


def ids(path: Path) -> list[str]:
    lines = read_text(path).split("\n")
    return [json.loads(line)["id"] for line in lines if line]


@pytest.fixture
def golden(corpus_folder: Path) -> Path:
    return corpus_folder.parent / "golden.jsonl"


def locked(patch: pytest.MonkeyPatch, golden: Path) -> None:
    """From now on the golden set's file cannot be written."""

    def refuse(*_arguments: object, **_options: object) -> None:
        raise InputError(f"{golden}: cannot be written (locked)")

    patch.setattr("chunkscope.golden.writing.write_golden", refuse)


async def test_a_step_that_cannot_be_written_can_be_taken_again(
    start: Start, golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start() as driver:
        driver.main.choose_question(0)
        driver.main.action_delete_question()
        await driver.settle()
        assert ids(golden) == ["steps", "moon"]
        with monkeypatch.context() as patch:
            locked(patch, golden)
            await driver.press("u")
            await driver.settle()
        said = driver.toasts()
        assert any("cannot be written (locked)" in one for one in said)
        assert said[-1].endswith("not taken back: the golden set could not be written")
        # The screen shows what the file holds.
        assert ids(golden) == ["steps", "moon"]
        assert [one.question.id for one in driver.session.questions] == ["steps", "moon"]
        assert len(driver.session.numbers.evaluations["A"].questions) == 2
        assert driver.session.asked == ()
        await driver.press("u")
        await driver.settle()
        assert read_text(golden) == GOLDEN
        assert [one.question.id for one in driver.session.questions] == ["draught", "steps", "moon"]
        with monkeypatch.context() as patch:
            locked(patch, golden)
            driver.main.action_redo()
            await driver.settle()
        assert "not done again" in driver.toasts()[-1]
        assert read_text(golden) == GOLDEN
        driver.main.action_redo()
        await driver.settle()
        assert ids(golden) == ["steps", "moon"]


async def test_what_undo_would_give_back_is_kept_aside_where_another_wrote(
    start: Start, golden: Path
) -> None:
    async with start() as driver:
        driver.main.choose_question(0)
        driver.main.action_delete_question()
        await driver.settle()
        theirs = read_text(golden) + json.dumps(THEIRS) + "\n"
        put(golden, theirs)
        await driver.press("u")
        await driver.until(lambda: len(driver.session.located) == 3)
        await driver.settle()
        said = " ".join(driver.toasts())
        assert "changed on the disk meanwhile; nothing was written" in said
        assert "your form is kept as draught-2, not written yet: w writes it" in said
        assert read_text(golden) == theirs
        assert [one.question.id for one in driver.session.questions] == [
            "steps", "moon", "new", "draught-2",
        ]  # fmt: skip
        (kept,) = driver.session.asked
        assert kept.question.question == "What is the largest draught?"
        await driver.press("w")
        await driver.settle()
        assert ids(golden) == ["steps", "moon", "new", "draught-2"]
        assert read_text(golden).startswith(theirs)
