"""The review as pictures: a question, its span, its form, its help, at the sizes that matter.

Accepted as those in `test_screens.py`:

    python -m pytest tests/snapshots -k review --snapshot-update
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import pytest
from inspector_driver import HARBOUR
from pytest_textual_snapshot import normalize_svg
from review_driver import BUOY, LINES, Review, generated, reviewed, write_lines
from textual.widgets import Input, TextArea

from chunkscope.golden.validating import Finding
from chunkscope.tui.screens.review import base as review_base

ACCEPTED = Path(__file__).with_name("__snapshots__") / Path(__file__).stem

SET = (
    *LINES,
    generated("g4", "Pilots board at the outer buoy, and the boat leaves every hour?",
              ["Pilots board at the outer buoy. The pilot boat leaves every hour."],
              reason="It says what the passage says, word by word."),
    generated("g5", "Where do the pilots board now?", [BUOY]),
    generated("g6", "What is free at a berth \x1b[31mand\u202e what is not?",
              ["Water is free of charge.", "A berth costs forty euros a night."],
              answer="Water is free; the berth itself costs 40 € a night."),
)  # fmt: skip


FLAGS = {
    "g4": (
        Finding("warning", "g4", 5, "quotes its evidence: 11 of its 12 words stand there"),
        Finding("info", "g4", 5, "found when case is not told apart, not letter by letter"),
    ),
    "g6": (Finding("error", "g6", 7, 'evidence[1]: not found in "harbour.md": correct it'),),
}

Drive = Callable[[Review], Awaitable[None]]


def keys(*names: str) -> Drive:
    async def press(review: Review) -> None:
        await review.press(*names)

    return press


PAGES: tuple[tuple[str, Drive, tuple[str, ...]], ...] = (
    ("question", keys("a", "r", "n"), ()),
    ("several", keys("n", "n"), ()),
    ("span", keys("s", "o", "w"), ("escape",)),
    ("form", keys("e"), ("escape", "escape")),
    ("help", keys("h"), ("escape",)),
)
"""Pages in the order in which they are walked through: name, how to get there, how to leave."""


@dataclass(frozen=True)
class Look:
    """How a review is opened."""

    size: tuple[int, int]
    kept: tuple[str, ...] = tuple(name for name, _reach, _leave in PAGES)
    ascii_marks: bool = False
    no_color: bool = False
    theme: str | None = None


LOOKS = {
    "80x24": Look((80, 24)),
    "120x40": Look((120, 40)),
    "200x60": Look((200, 60), ("question", "span")),
    "no-color-80x24": Look((80, 24), ("question", "span"), no_color=True),
    "ascii-80x24": Look((80, 24), ("question",), ascii_marks=True),
    "light": Look((120, 40), ("question", "span"), theme="light"),
}
PICTURES = [(look, f"{page}-{look}") for look in LOOKS for page in LOOKS[look].kept]

Album = dict[str, str]


async def walk(name: str, path: Path) -> Album:
    """The pictures of a look."""
    look = LOOKS[name]
    write_lines(path, SET)
    assert "Pilots board" in HARBOUR
    album: Album = {}
    async with reviewed(
        path, size=look.size, ascii_marks=look.ascii_marks, theme=look.theme
    ) as review:
        for page, reach, leave in PAGES:
            await reach(review)
            album[f"{page}-{name}"] = await picture(review)
            await review.press(*leave)
    return album


async def picture(review: Review) -> str:
    """The screen at rest, without toasts, cursors shown steadily."""
    screen = review.app.screen
    for field in (*screen.query(Input), *screen.query(TextArea)):
        field.cursor_blink = False
    review.app.clear_notifications()
    await review.press()
    await review.until(lambda: not screen.query("Toast"))
    return normalize_svg(review.app.export_screenshot(title="chunkscope", simplify=True))


@pytest.fixture(scope="module")
def albums(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Album]:
    """Each look's album, made when it is first asked for."""
    made: dict[str, Album] = {}

    def album(look: str) -> Album:
        if look not in made:
            with pytest.MonkeyPatch.context() as patch:
                # What validating says, and in which words, is no matter of these pictures.
                patch.setattr(review_base, "_find", lambda *_arguments: FLAGS)
                patch.delenv("NO_COLOR", raising=False)
                if LOOKS[look].no_color:
                    patch.setenv("NO_COLOR", "1")
                path = tmp_path_factory.mktemp("review") / "golden.jsonl"
                made[look] = asyncio.run(walk(look, path))
        return made[look]

    return album


@pytest.mark.parametrize(("look", "name"), PICTURES, ids=[name for _look, name in PICTURES])
def test_review_screen(
    albums: Callable[[str], Album],
    pytestconfig: pytest.Config,
    tmp_path: Path,
    look: str,
    name: str,
) -> None:
    svg = albums(look)[name]
    accepted = ACCEPTED / f"{name}.svg"
    if pytestconfig.getoption("update_snapshots"):
        ACCEPTED.mkdir(parents=True, exist_ok=True)
        accepted.write_text(svg, encoding="utf-8", newline="")
    new = tmp_path / accepted.name
    new.write_text(svg, encoding="utf-8", newline="")
    assert accepted.is_file(), f"no picture is accepted yet; the new one is {new}"
    before = accepted.read_bytes().decode("utf-8")
    assert before == svg, f"another picture, {new}:\n{difference(before, svg)}"


@pytest.mark.parametrize("page", LOOKS["no-color-80x24"].kept)
def test_review_colours_only_repeat_what_marks_say(
    albums: Callable[[str], Album], page: str
) -> None:
    coloured, plain = albums("80x24")[f"{page}-80x24"], albums("no-color-80x24")
    assert rows(plain[f"{page}-no-color-80x24"]) == rows(coloured)
    assert plain[f"{page}-no-color-80x24"] != coloured


def test_review_pictures_are_of_screens_that_there_are() -> None:
    names = sorted(name for _look, name in PICTURES)
    assert sorted(path.stem for path in ACCEPTED.glob("*.svg")) == names


TEXT = r'<text [^>]*\bx="([\d.]+)"[^>]*clip-path="url\(#[\w-]*line-(\d+)\)">([^<]*)</text>'


def rows(svg: str) -> dict[int, str]:
    """The words of a picture by row, each at its column."""
    found: dict[int, str] = {}
    for start, number, text in re.findall(TEXT, svg):
        row = found.get(int(number), "")
        found[int(number)] = row.ljust(round(float(start) / 12.2)) + unescape(text)
    return {number: text.replace("\xa0", " ").rstrip() for number, text in found.items()}


def difference(before: str, now: str) -> str:
    """The rows that differ, for a person."""
    old, new = rows(before), rows(now)
    lines = [
        f"row {number}:\n  accepted {old.get(number, '')!r}\n  now      {new.get(number, '')!r}"
        for number in sorted(old.keys() | new.keys())
        if old.get(number) != new.get(number)
    ]
    return "\n".join(lines) or "the words are the same: colours or styles differ"
