"""The command palette: everything by name, whatever the names hold; help for the focused part."""

from pathlib import Path

import pytest
from inspector_driver import Start
from textual.widgets import Input

from chunkscope.tui.keymap import KEYS, TOOLS
from chunkscope.tui.palette import commands
from chunkscope.tui.presets import PRESETS
from chunkscope.tui.screens.palette import Command, found
from chunkscope.tui.theme import SHORT_NAMES
from chunkscope.tui.views.settings import SETTINGS

HOSTILE = "\x1b]52;c;aGk=\x07[/b]\x9b\u202eevil.txt"


async def test_everything_is_there(start: Start) -> None:
    async with start() as driver:
        titles = [each.title for each in commands(driver.session, (*KEYS, *TOOLS), ())]
        for key in (*KEYS, *TOOLS):
            assert (f"{key.label} ({key.display})" in titles) == (key.id != "commands")
        assert {f"theme {name}" for name in SHORT_NAMES} <= set(titles)
        assert {f"preset {name}" for _letter, name, _said in PRESETS} <= set(titles)
        assert {f"{each.label} of B" for each in SETTINGS} <= set(titles)
        assert "panel sweep (3)" in titles
        assert {"harbour.md", "lights.txt", "question 1", "question 3"} <= set(titles)


@pytest.mark.parametrize(
    ("typed", "check"),
    [
        ("lights.txt", lambda driver: driver.session.document == 1),
        ("tower steps", lambda driver: driver.session.question == 1),
        ("panel chunks", lambda driver: driver.session.panel == "chunks"),
        ("theme light", lambda driver: driver.app.theme == "chunkscope-light"),
        ("k of B", lambda driver: driver.app.focused.id == "retriever-k-B"),
        ("preset markdown", lambda d: d.session.configurations["A"].splitter.kind == "markdown"),
        ("copy chunk", lambda driver: driver.app.clipboard != ""),
        ("swap", lambda driver: driver.session.configurations["A"].splitter.size == 80),
    ],
)
async def test_what_is_typed_is_run(start: Start, typed: str, check) -> None:
    async with start() as driver:
        await driver.pilot.press("space")
        driver.app.screen.query_one(Input).value = typed
        await driver.pilot.pause()
        await driver.press("enter")
        await driver.pilot.pause()
        assert not driver.app.screen.query("#palette")
        assert check(driver)


async def test_hostile_names_and_typing_are_shown_as_marks(
    start: Start, corpus_folder: Path
) -> None:
    name = HOSTILE.replace("/", "_")
    (corpus_folder / name).write_text("Some text.\n", encoding="utf-8")
    async with start(golden=False) as driver:
        await driver.pilot.press("j")
        driver.app.screen.query_one(Input).value = "evil\x1b\x07\x08\x0b\x0c"
        await driver.pilot.pause()
        field = driver.text("#palette-field")
        assert "evil␛␇␈␋␌" in field
        driver.app.screen.query_one(Input).value = "evil"
        await driver.pilot.pause()
        shown = driver.text("#palette")
        assert "␛]52" in shown
        assert not set(shown).intersection("\x1b\x07\x9b\u202e")


async def test_escape_closes_and_does_nothing(start: Start) -> None:
    async with start() as driver:
        before = dict(driver.session.configurations)
        await driver.press("j", "down", "escape")
        assert not driver.app.screen.query("#palette")
        assert driver.session.configurations == before


def test_a_title_counts_more_than_a_sentence() -> None:
    swap, other = Command("swap", "x", "a"), Command("x", "swap things", "b")
    assert found([other, swap], "swap") == [swap, other]
    assert found([other, swap], "nothing of it") == []
    assert found([other, swap], " ") == [other, swap]


@pytest.mark.parametrize(
    ("keys", "title", "sentence"),
    [
        ((), "Here: The document", "Drag to select"),
        (("3",), "Here: Sweep", "The knee: the cheapest row"),
        (("4",), "Here: Chunks", "Go to the chunk in the document."),
        (("d",), "Here: The list of documents", "Go to the document"),
        (("1",), "Here: Questions", "Mend the question"),
    ],
)
async def test_help_begins_with_what_has_the_focus(
    start: Start, keys: tuple[str, ...], title: str, sentence: str
) -> None:
    async with start() as driver:
        await driver.press(*keys, "h")
        first = driver.words("#help")
        assert title in first
        assert sentence in first
        assert first.index(title) < first.index("Tweak")


async def test_help_says_how_keys_are_changed(
    start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    async with start(size=(120, 40)) as driver:
        await driver.press("h", "end")
        said = driver.words("#help")
        assert "keys.toml" in said
        assert "boundary" in said
        assert "next-boundary" in said


async def test_help_in_a_setting_is_that_of_the_settings(start: Start) -> None:
    async with start() as driver:
        await driver.press("s", "f1")
        assert "Here: The settings" in driver.words("#help")
        await driver.press("escape")
        assert driver.app.focused.id == "splitter-size-A"
