"""Every screen as a picture, at the sizes that matter.

A picture is the sample documents opened as `chunkscope` opens them, driven by keys and waited
for by the inspector's own messages. After a change of the screen, look at what differs
(`snapshot_report.html` is written on failure), then accept it:

    python -m pytest tests/snapshots/pictures.py --snapshot-update

`rsvg-convert FILE.svg -o FILE.png` makes a picture to look at.
"""

import asyncio
import importlib.metadata
import re
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from inspector_driver import Driver, no_debounce
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from chunkscope.cli.samples import sample_folder
from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.tui.app import InspectorApp
from chunkscope.tui.engine import Engine, Opening
from chunkscope.tui.lanes import Inline
from chunkscope.tui.screens.main.base import Options
from chunkscope.tui.session import Session

ROOT = Path(__file__).resolve().parent.parent.parent
SMALL, MEDIUM, LARGE = (80, 24), (120, 40), (200, 60)
SIZES = [SMALL, MEDIUM, LARGE]
NAMES = ["80x24", "120x40", "200x60"]

A = Configuration(splitter=SplitterSettings(size=128, overlap="10%"))
B = Configuration(splitter=SplitterSettings(size=256, overlap="10%"))

Drive = Callable[[Driver], Awaitable[None]]


def _pinned_textual() -> str:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'"textual==([^"]+)"', text)
    assert found is not None
    return found[1]


pytestmark = [
    pytest.mark.skipif(
        importlib.metadata.version("textual") != _pinned_textual(),
        reason=f"pictures are made with textual {_pinned_textual()}",
    ),
    pytest.mark.skipif(
        not (3, 11) <= sys.version_info[:2] <= (3, 13),
        reason="pictures are made with Python 3.11 to 3.13",
    ),
]


@pytest.fixture
def picture(snap_compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Compare the inspector, driven by `drive`, with the picture of it that was accepted."""
    monkeypatch.chdir(tmp_path)

    def compare(
        drive: Drive, *, size: tuple[int, int], theme: str = "dark", ascii_marks: bool = False
    ) -> bool:
        folder = sample_folder()
        opening = Opening((folder,), folder / "golden.jsonl")
        session = Session(opening.paths, {"A": A, "B": B}, golden_path=opening.golden)
        engine = Engine(executor=Inline(), sweeper=Inline(), prover=Inline(), debounce=no_debounce)
        app = InspectorApp(
            session, opening, engine=engine, options=Options(ascii_marks), theme=theme
        )

        async def run(pilot: Pilot[int]) -> None:
            driver = Watcher(app, pilot, asyncio.Event())
            await driver.settle()
            await drive(driver)
            await driver.pilot.pause()
            for field in (*app.screen.query(Input), *app.screen.query(TextArea)):
                field.cursor_blink = False
            app.clear_notifications()
            await driver.pilot.pause()
            assert driver.main.failures == []

        return snap_compare(app, terminal_size=size, run_before=run)

    return compare


class Watcher(Driver):
    """A driver of an app that is run by `snap_compare`, whose messages it cannot hear."""

    async def until(self, condition: Callable[[], bool]) -> None:
        """Let the app go on, which works in this very thread, until `condition` holds."""
        async with asyncio.timeout(60):
            while not condition():
                await self.pilot.pause()


async def a_cut_question(driver: Driver) -> None:
    """The first question whose evidence is cut, its place in the document."""
    await driver.press("c")
    assert driver.session.result("A").verdict == "split"


async def a_full_sweep(driver: Driver) -> None:
    await a_cut_question(driver)
    driver.app.screen.query_one("#sweep-sizes", Input).value = "64,128,256,512"
    driver.app.screen.query_one("#sweep-overlaps", Input).value = "0,10%,20%"
    await driver.press("r")
    await driver.until(lambda: driver.session.sweep is not None)


# The README shows the three pictures that have a test of their own name: main_screen,
# sweep_panel and ask_screen.


def test_main_screen(picture) -> None:
    assert picture(a_cut_question, size=MEDIUM)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "200x60"])
def test_main(picture, size: tuple[int, int]) -> None:
    assert picture(a_cut_question, size=size)


@pytest.mark.parametrize("size", SIZES, ids=NAMES)
def test_both_variants(picture, size: tuple[int, int]) -> None:
    async def drive(driver: Driver) -> None:
        await a_cut_question(driver)
        await driver.press("v", "v", "2")

    assert picture(drive, size=size)


def test_sweep_panel(picture) -> None:
    assert picture(a_full_sweep, size=LARGE)


@pytest.mark.parametrize("size", [SMALL, MEDIUM], ids=NAMES[:2])
def test_sweep(picture, size: tuple[int, int]) -> None:
    assert picture(a_full_sweep, size=size)


def test_sweep_on_the_whole_small_screen(picture) -> None:
    async def drive(driver: Driver) -> None:
        await a_full_sweep(driver)
        await driver.press("z")

    assert picture(drive, size=SMALL)


PANELS = {"4": "chunks", "5": "diagnosis", "6": "health", "7": "compare"}


@pytest.mark.parametrize("key", PANELS, ids=list(PANELS.values()))
@pytest.mark.parametrize("size", [SMALL, MEDIUM], ids=NAMES[:2])
def test_panel(picture, size: tuple[int, int], key: str) -> None:
    async def drive(driver: Driver) -> None:
        await a_cut_question(driver)
        await driver.press(key)
        if size == SMALL:
            await driver.press("z")

    assert picture(drive, size=size)


async def ask_and_answer(driver: Driver) -> None:
    question = driver.session.questions[8].question
    await driver.press("a")
    screen = driver.app.screen
    screen.query_one(".question", TextArea).insert(question.question)
    screen.query_one(".evidence", TextArea).insert(question.evidence[0].text)
    await driver.press("escape", "a")
    await driver.until(lambda: bool(driver.session.asked))
    await driver.settle()


def test_ask_screen(picture) -> None:
    assert picture(ask_and_answer, size=MEDIUM)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "200x60"])
def test_ask(picture, size: tuple[int, int]) -> None:
    assert picture(ask_and_answer, size=size)


@pytest.mark.parametrize("size", [SMALL, MEDIUM], ids=NAMES[:2])
def test_tools(picture, size: tuple[int, int]) -> None:
    async def drive(driver: Driver) -> None:
        await driver.press("t")

    assert picture(drive, size=size)


@pytest.mark.parametrize("size", SIZES, ids=NAMES)
def test_export(picture, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    # versions stand in what is exported
    monkeypatch.setattr("chunkscope.export.header.__version__", "VERSION")

    async def drive(driver: Driver) -> None:
        await driver.press("e")
        await driver.press("left", "left")
        await driver.until(lambda: "proven: " in driver.app.screen.proof)

    assert picture(drive, size=size)


@pytest.mark.parametrize("size", SIZES, ids=NAMES)
def test_help(picture, size: tuple[int, int]) -> None:
    async def drive(driver: Driver) -> None:
        await driver.press("h")

    assert picture(drive, size=size)


@pytest.mark.parametrize("size", [SMALL, MEDIUM], ids=NAMES[:2])
def test_no_color(picture, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert picture(a_cut_question, size=size)


@pytest.mark.parametrize("theme", ["light", "contrast"])
def test_themes(picture, theme: str) -> None:
    assert picture(a_cut_question, size=MEDIUM, theme=theme)


@pytest.mark.parametrize("drawer", ["documents", "settings"])
def test_drawers_of_the_small_screen(picture, drawer: str) -> None:
    async def drive(driver: Driver) -> None:
        await a_cut_question(driver)
        await driver.press(drawer[0])

    assert picture(drive, size=SMALL)


def test_ascii_marks(picture) -> None:
    assert picture(a_cut_question, size=SMALL, ascii_marks=True)
