"""Questions that are not written outlast a program that is ended from outside."""

import json
from pathlib import Path

from inspector_driver import Driver, Start, read_text
from textual.widgets import TextArea

from chunkscope.tui.remembered import leaving, recall, remember
from chunkscope.tui.screens.main.base import Options

EVIDENCE = "Pilots board at the outer buoy."


async def ask(driver: Driver, question: str) -> None:
    await driver.press("a")
    driver.app.screen.query_one(".question", TextArea).insert(question)
    driver.app.screen.query_one(".evidence", TextArea).insert(EVIDENCE)
    count = len(driver.session.asked)
    await driver.press("escape", "a")
    await driver.until(lambda: len(driver.session.asked) > count)
    await driver.press("escape")


def keeper(file: Path, drivers: list[Driver]) -> Options:
    def keep() -> None:
        (driver,) = drivers
        remember(file, "k", leaving(driver.session, driver.app.theme))

    return Options(keep=keep)


async def test_they_are_back_after_the_program_was_killed(start: Start, tmp_path: Path) -> None:
    file, drivers = tmp_path / "sessions.json", []
    async with start(options=keeper(file, drivers)) as driver:
        drivers.append(driver)
        await ask(driver, "Where do pilots board?")
        # Nothing more is said to the program: what is on the disk must be enough.
        left = recall(file, "k")
    assert [question.question for question in left.questions()] == ["Where do pilots board?"]
    async with start(options=Options(left=left)) as driver:
        assert "1 question not written the last time" in " ".join(driver.toasts())
        (line,) = driver.session.asked
        assert line.measured
        assert "(1 not written)" in driver.text("#title")
        await driver.press("w")
        written = json.loads(read_text(driver.session.golden_path).split("\n")[3])
        assert written["question"] == "Where do pilots board?"


async def test_what_is_written_edited_or_taken_back_is_not_kept_twice(
    start: Start, tmp_path: Path
) -> None:
    file, drivers = tmp_path / "sessions.json", []
    async with start(options=keeper(file, drivers)) as driver:
        drivers.append(driver)
        await ask(driver, "One?")
        await ask(driver, "Two?")
        assert len(recall(file, "k").asked) == 2
        await driver.press("u")
        assert [each.question for each in recall(file, "k").questions()] == ["One?"]
        await driver.press("t", "x")
        assert recall(file, "k").asked == []
        await ask(driver, "Three?")
        await driver.press("w")
        assert recall(file, "k").asked == []


async def test_leaving_without_writing_keeps_none(start: Start, tmp_path: Path) -> None:
    file, drivers = tmp_path / "sessions.json", []
    async with start(options=keeper(file, drivers)) as driver:
        drivers.append(driver)
        await ask(driver, "One?")
        await driver.pilot.press("q", "q")
        await driver.pilot.pause()
        assert leaving(driver.session, driver.app.theme).asked == []


def test_a_line_of_no_use_is_left_out(tmp_path: Path) -> None:
    from chunkscope.evaluation.configuration import Configuration
    from chunkscope.tui.remembered import Remembered

    mapping = Configuration().to_mapping()
    good = json.dumps({"id": "a", "question": "b", "doc": "c", "evidence": []})
    session = Remembered(mapping, mapping, "", 0, "", "", "A", "", asked=["{", good, "3"])
    file = tmp_path / "sessions.json"
    assert remember(file, "k", session)
    assert [each.id for each in recall(file, "k").questions()] == ["a"]
