"""Export, copy, find, go to, help, palette, themes: what leaves the screen and moves about it."""

import json
from pathlib import Path

import pytest
from inspector_driver import HARBOUR, A, Start, list_files, read_text
from textual.widgets import Input

from chunkscope.export.targets import export
from chunkscope.tui.keymap import KEYS


def write_mine(name: str) -> None:
    Path(name).write_text("mine", encoding="utf-8")


async def test_export_is_shown_proven_and_saved(start: Start) -> None:
    async with start() as driver:
        await driver.press("e")
        screen = driver.app.screen
        await driver.until(lambda: "proven: the same chunks on 2 open documents" in screen.proof)
        assert "RecursiveCharacterTextSplitter" in driver.text("#export-preview")
        assert "recursive 40/0 characters" in driver.text("#export-target")
        await driver.pilot.press("s")
        await driver.pilot.pause()
        assert list_files() == ["chunks.py"]
        wanted = export(A, "langchain", note="chosen on 2 golden questions (1 more not measured)")
        assert read_text("chunks.py") == wanted


async def test_the_next_target_and_another_file_name(start: Start) -> None:
    async with start() as driver:
        await driver.press("e", "left")
        screen = driver.app.screen
        await driver.until(lambda: screen.proof.startswith(" proven"))
        await driver.pilot.press("f")
        driver.app.screen.query_one("#export-file", Input).value = "mine.json"
        await driver.pilot.press("enter")
        await driver.pilot.pause()
        assert list_files() == ["mine.json"]
        saved = json.loads(read_text("mine.json"))
        assert saved == json.loads(
            export(A, "json", note="chosen on 2 golden questions (1 more not measured)")
        )


async def test_a_file_that_is_there_is_replaced_only_when_asked_twice(start: Start) -> None:
    async with start() as driver:
        write_mine("chunks.py")
        await driver.press("e")
        await driver.until(lambda: driver.app.screen.proof.startswith(" proven"))
        await driver.pilot.press("s")
        await driver.pilot.pause()
        assert "chunks.py is there already: s again replaces it" in driver.toasts()[-1]
        assert read_text("chunks.py") == "mine"
        await driver.pilot.press("s")
        await driver.pilot.pause()
        assert read_text("chunks.py") == export(
            A, "langchain", note="chosen on 2 golden questions (1 more not measured)"
        )


async def test_export_after_one_question_says_so(start: Start) -> None:
    evidence = ("Pilots board at the outer buoy.",)
    async with start(golden=False, question="Where?", evidence=evidence) as driver:
        await driver.press("e")
        await driver.until(lambda: "chosen on 1 question" in driver.text("#export-preview"))


async def test_a_file_that_cannot_be_written_is_said(start: Start) -> None:
    async with start() as driver:
        await driver.press("e")
        await driver.until(lambda: driver.app.screen.proof.startswith(" proven"))
        driver.app.screen.query_one("#export-file", Input).value = "no/such/folder.py"
        await driver.pilot.press("s")
        await driver.pilot.pause()
        assert "no/such/folder.py: cannot be written" in driver.toasts()[-1]
        assert list_files() == []


async def test_copy_writes_the_summary_with_the_command_line(start: Start) -> None:
    async with start() as driver:
        await driver.press("x", "y")
        text = read_text("chunkscope-summary.md")
        assert driver.app.clipboard == text
        assert "- **A**: recursive 40/0 characters" in text
        assert "A and B differ in: size." in text
        assert "## What is the largest draught?" in text
        assert f"- **A**: split: {driver.session.result('A').reason}" in text
        paths = driver.session.paths[0]
        golden = driver.session.golden_path
        assert f"chunkscope {paths} --golden {golden} --size 40 --overlap 0" in text
        assert "--unit characters" in text
        assert "--k 2,4" in text


async def test_find_steps_through_matches_with_unshifted_keys(start: Start) -> None:
    async with start() as driver:
        await driver.press("f")
        await driver.type("pilot")
        starts = [at for at in range(len(HARBOUR)) if HARBOUR[at:].lower().startswith("pilot")]
        assert "1 of 2" in driver.text("#find-count")
        assert driver.main.document_view.cursor_offset == starts[0]
        await driver.press("down")
        assert driver.main.document_view.cursor_offset == starts[1]
        await driver.press("enter")
        assert driver.app.focused is driver.main.document_view
        await driver.press("n")
        assert driver.main.document_view.cursor_offset == starts[0]
        await driver.press("N")
        assert driver.main.document_view.cursor_offset == starts[1]
        await driver.press("escape")
        assert not driver.app.screen.query_one("FindBar").has_class("-open")


async def test_what_is_not_there_is_said(start: Start) -> None:
    async with start() as driver:
        await driver.press("f")
        await driver.type("zeppelin")
        assert "not in this document" in driver.text("#find-count")


@pytest.mark.parametrize(
    ("typed", "offset"),
    [
        ("3", HARBOUR.index("Pilots board")),
        ("l 5", HARBOUR.index("## Limits")),
        ("o 20", 20),
        ("o 99999", len(HARBOUR)),
        ("c 0", 0),
    ],
)
async def test_go_to(start: Start, typed: str, offset: int) -> None:
    async with start() as driver:
        await driver.press("g")
        await driver.type(typed)
        await driver.press("enter")
        assert driver.main.document_view.cursor_offset == offset


async def test_go_to_a_question_and_to_none(start: Start) -> None:
    async with start() as driver:
        await driver.press("g")
        await driver.type("q 2")
        await driver.press("enter")
        assert driver.session.question == 1
        await driver.press("g")
        await driver.type("q 9")
        await driver.press("enter")
        assert "there is no question 9" in driver.toasts()[-1]


async def test_go_to_nonsense_stays_open(start: Start) -> None:
    async with start() as driver:
        await driver.press("g")
        await driver.type("somewhere")
        await driver.press("enter")
        assert "not a place: somewhere" in driver.words("#goto")


async def test_help_names_every_key(start: Start) -> None:
    async with start(size=(120, 60)) as driver:
        await driver.press("h")
        rows = driver.app.screen.query_one("#help-rows")
        shown = rows.lines
        await driver.pilot.press("end")
        await driver.pilot.pause()
        shown += rows.lines
        for key in KEYS:
            assert any(line[1:].split()[:1] == [key.display] for line in shown), key.id


async def test_the_footer_names_every_key_where_there_is_room(start: Start) -> None:
    async with start(size=(120, 40)) as driver:
        footer = driver.words("#keys")
        for key in KEYS:
            assert f"{key.display} {key.label}" in footer


def test_every_action_has_an_unshifted_letter_or_enter() -> None:
    seen = set()
    for key in KEYS:
        letter = len(key.display) == 1 and key.display.islower()
        assert letter or key.display == "enter", key.id
        assert key.display not in seen, key.id
        seen.add(key.display)


async def test_the_palette_runs_a_command(start: Start) -> None:
    async with start() as driver:
        await driver.pilot.press("j")
        await driver.pilot.pause()
        await driver.type("zoom")
        palette = driver.app.screen
        await driver.pilot.press("enter")
        await driver.pilot.pause()
        assert driver.app.screen is not palette
        assert driver.main.has_class("-zoomed")


async def test_themes_change_by_one_key(start: Start) -> None:
    async with start() as driver:
        seen = [driver.app.theme]
        for _ in range(5):
            await driver.press("t", "t")
            seen.append(driver.app.theme)
        assert seen == [
            "chunkscope-dark",
            "chunkscope-light",
            "chunkscope-contrast",
            "chunkscope-colourblind",
            "chunkscope-ansi",
            "chunkscope-dark",
        ]
