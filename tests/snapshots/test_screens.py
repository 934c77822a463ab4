"""Every screen as a picture, at the sizes that matter.

The sample documents are opened as `chunkscope` opens them, and one inspector a size walks through
its screens, driven by keys and waited for by its own messages. After a change of the screen, look
at what differs (a failure names the rows, and the file with the new picture), then accept it:

    python -m pytest tests/snapshots --snapshot-update

`rsvg-convert FILE.svg -o FILE.png` makes a picture to look at.
"""

import asyncio
import importlib.metadata
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest
from inspector_driver import Driver, driven, inline_engine
from pytest_textual_snapshot import normalize_svg
from textual.widgets import Input, TextArea

from chunkscope.cli.samples import sample_folder
from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.tui.app import InspectorApp
from chunkscope.tui.reading import Opening
from chunkscope.tui.screens.main.base import Options
from chunkscope.tui.session import Session
from chunkscope.tui.theme import SHORT_NAMES

ROOT = Path(__file__).resolve().parent.parent.parent
ACCEPTED = Path(__file__).with_name("__snapshots__") / Path(__file__).stem

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


# --- the screens, in the order in which they are walked through ---------------------------------


def keys(*names: str) -> Drive:
    async def press(driver: Driver) -> None:
        await driver.press(*names)

    return press


async def a_cut_question(driver: Driver) -> None:
    """The first question whose evidence is cut, its place in the document."""
    await driver.press("c")
    assert driver.session.result("A").verdict == "split"


async def a_full_sweep(driver: Driver) -> None:
    driver.app.screen.query_one("#sweep-sizes", Input).value = "64,128,256,512"
    driver.app.screen.query_one("#sweep-overlaps", Input).value = "0,10%,20%"
    await driver.press("r")
    await driver.until(lambda: driver.session.sweep is not None)


async def a_proven_export(driver: Driver) -> None:
    await driver.press("e")
    await driver.until(lambda: "proven: " in driver.app.screen.proof)


async def a_search(driver: Driver) -> None:
    await driver.press("f")
    await driver.type("the")
    await driver.settle()


async def a_question_asked(driver: Driver) -> None:
    question = driver.session.questions[8].question
    await driver.press("a")
    screen = driver.app.screen
    screen.query_one(".question", TextArea).insert(question.question)
    screen.query_one(".evidence", TextArea).insert(question.evidence[0].text)
    await driver.press("escape", "a")
    await driver.until(lambda: bool(driver.session.asked))


@dataclass(frozen=True)
class Page:
    """A screen: how it is reached from the one before, and how it is left.

    `compact`: only on the small screen, where panes are drawers and a panel may be all there is.
    `zoomed`: on the small screen a picture of the panel as the whole screen.
    """

    name: str
    reach: Drive
    leave: tuple[str, ...] = ("escape",)
    compact: bool = False
    zoomed: bool = False


PAGES = (
    Page("main", a_cut_question),
    Page("retrieved", keys("2"), zoomed=True),
    Page("chunks", keys("4"), zoomed=True),
    Page("diagnosis", keys("5"), zoomed=True),
    Page("health", keys("6"), zoomed=True),
    Page("compare", keys("7"), zoomed=True),
    Page("sweep", a_full_sweep),
    Page("sweep-zoomed", keys("z"), compact=True),
    Page("documents", keys("d"), compact=True),
    Page("settings", keys("s"), compact=True),
    # The gutter of two variants stays as wide for the pages after it.
    Page("both", keys("v", "v"), leave=("v",)),
    Page("find", a_search),
    Page("goto", keys("g")),
    Page("here", keys("enter")),
    Page("tools", keys("t")),
    Page("commands", keys("j")),
    Page("help", keys("h")),
    Page("export", a_proven_export),
    Page("ask", a_question_asked),
    Page("quit", keys("q"), leave=()),
)


# --- the walks ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Look:
    """How an inspector is opened, and the pages that are kept as pictures (none: all)."""

    size: tuple[int, int]
    kept: tuple[str, ...] = ()
    ascii_marks: bool = False
    no_color: bool = False

    @property
    def pages(self) -> tuple[Page, ...]:
        """The pages walked through."""
        named = [page for page in PAGES if not self.kept or page.name in self.kept]
        return tuple(page for page in named if self.compact or not page.compact)

    @property
    def compact(self) -> bool:
        return self.size[0] < 110


SMALL, MEDIUM, LARGE = (80, 24), (120, 40), (200, 60)
LOOKS = {
    "80x24": Look(SMALL),
    "120x40": Look(MEDIUM),
    "200x60": Look(LARGE),
    "no-color-80x24": Look(SMALL, ("main",), no_color=True),
    "no-color-120x40": Look(MEDIUM, ("main", "both", "sweep"), no_color=True),
    "no-color-200x60": Look(LARGE, ("main",), no_color=True),
    "ascii-80x24": Look(SMALL, ("main",), ascii_marks=True),
    "ascii-120x40": Look(MEDIUM, ("main", "sweep"), ascii_marks=True),
}
THEMED = "120x40"
"""The look whose pages are seen in every theme."""
THEMES = {
    "light": ("main", "sweep", "ask", "help"),
    "contrast": ("main", "sweep"),
    "colourblind": ("main", "sweep"),
    "ansi": ("main",),
}
"""Themes beside the dark one, and their pages that are kept as pictures."""

PICTURES = [(look, f"{page.name}-{look}") for look in LOOKS for page in LOOKS[look].pages]
PICTURES += [(THEMED, f"{page}-{theme}") for theme in THEMES for page in THEMES[theme]]
NAMES = [name for _look, name in PICTURES]

Album = dict[str, str]
"""Pictures by page and look, as SVG."""


def themes_of(look: str, page: Page) -> tuple[str, ...]:
    """Themes in which a page of a look is seen: dark; where themes are tried, light at least."""
    if look != THEMED:
        return ("dark",)
    return ("dark", *(name for name in THEMES if name == "light" or page.name in THEMES[name]))


async def walk(name: str) -> Album:
    """The pictures of a look, those in other themes with them."""
    look = LOOKS[name]
    folder = sample_folder()
    opening = Opening((folder,), folder / "golden.jsonl")
    session = Session(opening.paths, {"A": A, "B": B}, golden_path=opening.golden)
    options = Options(look.ascii_marks)
    app = InspectorApp(session, opening, engine=inline_engine(), options=options, theme="dark")
    album = {}
    async with driven(app, size=look.size) as driver:
        for page in look.pages:
            await page.reach(driver)
            whole = page.zoomed and look.compact
            if whole:
                await driver.press("z")
            themes = [*themes_of(name, page)]
            if app.theme != SHORT_NAMES["dark"]:
                themes.reverse()  # one change of theme less
            for theme in themes:
                app.theme = SHORT_NAMES[theme]
                shown = name if theme == "dark" else theme
                album[f"{page.name}-{shown}"] = await picture(driver)
            await driver.press(*(("z",) if whole else ()), *page.leave)
    return album


async def picture(driver: Driver) -> str:
    """The screen at rest, without toasts, cursors shown steadily."""
    app = driver.app
    for field in (*app.screen.query(Input), *app.screen.query(TextArea)):
        field.cursor_blink = False
    app.clear_notifications()
    await driver.settle()
    return normalize_svg(app.export_screenshot(title="chunkscope", simplify=True))


@pytest.fixture(scope="module")
def albums(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Album]]:
    """Each look's album, made when it is first asked for."""
    made: dict[str, Album] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("working"))
        # versions stand in what is exported
        patch.setattr("chunkscope.export.header.__version__", "VERSION")
        patch.setattr("chunkscope.export.header.package_version", lambda _package: "VERSION")

        def album(look: str) -> Album:
            if look not in made:
                patch.delenv("NO_COLOR", raising=False)
                if LOOKS[look].no_color:
                    patch.setenv("NO_COLOR", "1")
                made[look] = asyncio.run(walk(look))
            return made[look]

        yield album


# --- comparing ------------------------------------------------------------------------------------


TEXT = r'<text [^>]*\bx="([\d.]+)"[^>]*clip-path="url\(#[\w-]*line-(\d+)\)">([^<]*)</text>'
CELL = 12.2
"""Width of a character in the pictures."""


def rows(svg: str) -> dict[int, str]:
    """The words of a picture by row, each at its column."""
    found: dict[int, str] = {}
    for start, number, text in re.findall(TEXT, svg):
        row = found.get(int(number), "")
        found[int(number)] = row.ljust(round(float(start) / CELL)) + unescape(text)
    return {number: text.replace("\xa0", " ").rstrip() for number, text in found.items()}


def difference(before: str, now: str) -> str:
    """What differs between two pictures, for a person."""
    old, new = rows(before), rows(now)
    lines = [
        f"row {number}:\n  accepted {old.get(number, '')!r}\n  now      {new.get(number, '')!r}"
        for number in sorted(old.keys() | new.keys())
        if old.get(number) != new.get(number)
    ]
    return "\n".join(lines) or "the words are the same: colours or styles differ"


@pytest.fixture(scope="session")
def accepting(pytestconfig: pytest.Config) -> bool:
    """Whether the pictures of this run are to be the accepted ones."""
    return bool(pytestconfig.getoption("update_snapshots"))


@pytest.mark.parametrize(("look", "name"), PICTURES, ids=NAMES)
def test_screen(
    albums: Callable[[str], Album], accepting: bool, tmp_path: Path, look: str, name: str
) -> None:
    svg = albums(look)[name]
    accepted = ACCEPTED / f"{name}.svg"
    if accepting:
        ACCEPTED.mkdir(parents=True, exist_ok=True)
        accepted.write_text(svg, encoding="utf-8", newline="")
    new = tmp_path / accepted.name
    new.write_text(svg, encoding="utf-8", newline="")
    assert accepted.is_file(), f"no picture is accepted yet; the new one is {new}"
    before = accepted.read_bytes().decode("utf-8")
    assert before == svg, f"another picture, {new}:\n{difference(before, svg)}"


@pytest.mark.parametrize("page", LOOKS[THEMED].pages, ids=lambda page: page.name)
def test_a_theme_changes_no_character(albums: Callable[[str], Album], page: Page) -> None:
    album = albums(THEMED)
    dark = album[f"{page.name}-{THEMED}"]
    themes = [theme for theme in THEMES if f"{page.name}-{theme}" in album]
    assert "light" in themes
    for theme in themes:
        other = album[f"{page.name}-{theme}"]
        assert rows(other) == rows(dark), f"{theme}:\n{difference(dark, other)}"
        assert other != dark


@pytest.mark.parametrize("look", [name for name in LOOKS if LOOKS[name].no_color])
def test_colours_only_repeat_what_marks_say(albums: Callable[[str], Album], look: str) -> None:
    """Without a colour not one character of a screen is another."""
    width, height = LOOKS[look].size
    coloured = albums(f"{width}x{height}")
    for page in LOOKS[look].pages:
        plain = albums(look)[f"{page.name}-{look}"]
        before = coloured[f"{page.name}-{width}x{height}"]
        assert rows(plain) == rows(before), f"{page.name}:\n{difference(before, plain)}"
        assert plain != before


def test_pictures_are_of_screens_that_there_are(accepting: bool) -> None:
    left_over = {path for path in ACCEPTED.glob("*.svg") if path.stem not in NAMES}
    if accepting:
        for path in left_over:
            path.unlink()
    assert sorted(path.stem for path in ACCEPTED.glob("*.svg")) == sorted(NAMES)


def test_the_readme_shows_pictures_that_there_are() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"\((tests/snapshots/[^)]*\.svg)\)", readme)
    assert len(shown) > 1
    assert [path for path in shown if not (ROOT / path).is_file()] == []


def test_every_theme_has_pictures() -> None:
    assert {"dark", *THEMES} == set(SHORT_NAMES)
