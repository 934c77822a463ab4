"""The review opened from the inspector: by key, by the palette, and what it wrote taken in."""

import json
from pathlib import Path

import pytest
from inspector_driver import HARBOUR, Driver, Start
from review_driver import BUOY, LINES, generated, held, ids, question, write_lines
from textual.widgets import Input

from chunkscope.golden.reviewing import status
from chunkscope.tui.screens.main.base import Options
from chunkscope.tui.screens.review.screen import ReviewScreen


@pytest.fixture
def golden(corpus_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Generated questions in the golden set, and a name to be logged in by."""
    monkeypatch.setenv("LOGNAME", "grace")
    path = corpus_folder.parent / "golden.jsonl"
    write_lines(path)
    return path


async def opened(driver: Driver, *keys: str) -> ReviewScreen:
    await driver.press(*keys)
    screen = driver.app.screen
    assert isinstance(screen, ReviewScreen)
    return screen


async def test_a_key_opens_it_and_what_it_wrote_is_read(start: Start, golden: Path) -> None:
    async with start(options=Options(poll_seconds=0)) as driver:
        driver.main.choose_question(3)
        await driver.settle()
        screen = await opened(driver, "9")
        assert screen.question.id == "g1"
        await driver.press("r", "a")
        assert ids(golden) == ["own", "g2", "g3"]
        judged = question(golden, "g2")
        assert judged.extra["review"]["by"] == "grace"
        driver.main.check_files()
        assert len(driver.session.located) == 4
        before = driver.session.golden
        await driver.press("q")
        await driver.until(lambda: driver.session.golden is not before)
        await driver.settle()
        assert [line.question.id for line in driver.session.located] == ["own", "g2", "g3"]
        assert driver.session.chosen is not None
        assert driver.session.chosen.question.id == "g3"
        # What was taken back before the review must not bring the rejected question back.
        written = held(golden)
        await driver.press("u")
        assert held(golden) == written


async def test_the_palette_and_the_menu_of_tools_open_it(start: Start, golden: Path) -> None:
    async with start(options=Options(poll_seconds=0)) as driver:
        await driver.pilot.press("space")
        driver.app.screen.query_one(Input).value = "review"
        await driver.pilot.pause()
        await opened(driver, "enter")
        await driver.press("escape")
        assert driver.app.screen is driver.main
        await opened(driver, "t", "9")
        at = HARBOUR.index("The largest")
        assert f"{at}–" in driver.text("#review-place")


async def test_where_nothing_is_left_all_questions_are_there(start: Start, golden: Path) -> None:
    write_lines(golden, [LINES[1]])
    async with start(options=Options(poll_seconds=0)) as driver:
        screen = await opened(driver, "9")
        assert status(screen.question) == "by hand"
        assert "these are all questions" in driver.toasts()[-1]
        await driver.press("a")
        kept = json.loads(held(golden))
        assert kept["review"]["verdict"] == "accepted"


async def test_without_a_golden_set_it_is_said(start: Start) -> None:
    async with start(golden=False) as driver:
        await driver.press("9")
        assert driver.app.screen is driver.main
        assert "there is no golden set yet" in driver.toasts()[-1]


async def test_a_rejected_question_is_not_measured(start: Start, golden: Path) -> None:
    write_lines(golden, [*LINES, generated("g4", "Where else?", [BUOY])])
    async with start(options=Options(poll_seconds=0)) as driver:
        numbers = driver.session.numbers
        assert numbers is not None
        assert len(numbers.evaluations["A"].questions) == 5
        await opened(driver, "9")
        await driver.press("r")
        before = driver.session.golden
        await driver.press("q")
        await driver.until(lambda: driver.session.golden is not before)
        await driver.settle()
        numbers = driver.session.numbers
        assert numbers is not None
        measured = [line.located.question.id for line in numbers.evaluations["A"].questions]
        assert measured == ["own", "g2", "g3", "g4"]
