"""Outside text is shown as it is wherever it stands: neither markup nor terminal codes."""

import json
from pathlib import Path

import pytest
from inspector_driver import Start, read_text
from textual.widgets import TextArea

HOSTILE = (
    "see [/etc/motd] now [/ a[i] = b[j] [[wiki]] [bold red]x[/] \x1b[31mred\x1b[0m 港口 "
    "\u202eflip\u202c"
)
VISIBLE = "see [/etc/motd] now [/ a[i] = b[j] [[wiki]] [bold red]x[/] ␛[31mred␛[0m 港口 ⇄flip⇄"
NAME = "a[/b] [red] 港.txt"


@pytest.fixture
def hostile_folder(tmp_path: Path) -> Path:
    """One document with everything in it, and a golden set about it."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    text = f"{HOSTILE}\r\nab\r\ncd\r\nef\r\n"
    (folder / NAME).parent.mkdir()
    (folder / NAME).write_bytes(text.encode())
    line = {"id": HOSTILE, "question": HOSTILE, "doc": NAME, "evidence": [{"text": "cd"}]}
    (tmp_path / "hostile.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_everywhere_on_the_screen(
    start: Start, hostile_folder: Path, size: tuple[int, int]
) -> None:
    golden = hostile_folder.parent / "hostile.jsonl"
    async with start(paths=(hostile_folder,), golden=golden, size=size) as driver:
        await driver.press("1", "enter")
        driver.main.choose_question(0)
        await driver.settle()
        document = "".join(line.rstrip() for line in driver.lines("#document"))
        assert "[/etc/motd]" in document
        assert "␛[31m" in document
        for panel in "2341":
            await driver.press(panel)
            driver.app.export_screenshot()
        wide = size[0] >= 120
        if wide:
            assert VISIBLE[:40] in driver.text("#question")
            assert VISIBLE[: 24 if size[0] == 200 else 10] in driver.text("#questions")
            assert "a[/" in driver.text("#documents")
            assert "b] [red]" in driver.text("#documents")
            assert "a[/b] [red] 港.txt" in driver.lines("#document-frame")[0]
        await driver.press("z")
        for widget in driver.app.screen.walk_children():
            if widget.region:
                text = driver.text(widget)
                assert "\x1b" not in text
                assert "\r" not in text
                assert "\u202e" not in text


async def test_highlighted_evidence_in_crlf_text_is_exact(
    start: Start, hostile_folder: Path
) -> None:
    golden = hostile_folder.parent / "hostile.jsonl"
    async with start(paths=(hostile_folder,), golden=golden) as driver:
        await driver.press("1", "enter")
        driver.main.choose_question(0)
        await driver.settle()
        place = driver.session.questions[0].items[0].places[0]
        assert driver.session.open_document.text[place.span.start : place.span.end] == "cd"
        assert driver.main.document_view.cursor_offset == place.span.start


async def test_in_ask_toast_error_and_summary(start: Start, hostile_folder: Path) -> None:
    async with start(paths=(hostile_folder,), golden=False) as driver:
        await driver.press("a")
        driver.app.screen.query_one(".question", TextArea).insert(HOSTILE)
        driver.app.screen.query_one(".evidence", TextArea).insert("[/nowhere] \x1b[2J is this")
        await driver.press("escape", "a")
        await driver.until(lambda: bool(driver.session.asked))
        await driver.press("escape")
        assert "[/etc/motd]" in driver.text("#question")
        driver.main.say(HOSTILE, "error")
        await driver.pilot.pause()
        assert VISIBLE in driver.toasts()[-1]
        driver.main.refuse("A", f"overlap: {HOSTILE}")
        await driver.pilot.pause()
        assert "[/etc/motd] now [/" in driver.words("#settings")
        await driver.press("y")
        assert "\x1b" not in read_text("chunkscope-summary.md")
        driver.app.export_screenshot()


async def test_a_setting_with_brackets_is_literal(start: Start) -> None:
    async with start() as driver:
        field = driver.app.screen.query_one("#splitter-separators-A")
        field.focus()
        field.value = "[/b]|[bold]|"
        await driver.settle()
        assert driver.session.configurations["A"].splitter.separators == ("[/b]", "[bold]", "")
        assert "[/b]|[bold]|" in driver.text("#settings")


async def test_a_corpus_that_cannot_be_read_ends_with_its_reason(
    start: Start, tmp_path: Path
) -> None:
    missing = tmp_path / "no [/such] place"
    async with start(paths=(missing,), golden=False, settle=False) as driver:
        await driver.until(lambda: driver.app.return_code is not None)
    assert driver.app.return_code == 2
