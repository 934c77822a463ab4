"""Whatever a text holds, every place that shows it shows it literally, mark by mark.

The inspector is driven without a terminal here; what its widgets draw is compared with the text
that was given, each character that would act on a terminal replaced by its one mark.
"""

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hostile import ALL, ATTACKS, BRACKETS
from hypothesis import example, given, settings
from hypothesis import strategies as st
from inspector_driver import A, B, Driver, driven, inline_engine
from pseudo_terminal import foreign
from textual.widget import Widget
from textual.widgets import Input, TextArea

from chunkscope.evaluation.configuration import Configuration
from chunkscope.export.targets import export
from chunkscope.tui.app import InspectorApp
from chunkscope.tui.reading import Opening
from chunkscope.tui.session import Session
from chunkscope.tui.widgets.line_list import LineList

SIZE = (200, 60)
PIECES = (
    "[/etc/motd]", "[/", "[[wiki]]", "[bold]", "[/bold]", "a[i] = b[j]", "[link=x]", "[@click=q]",
    "\\[", "\x1b[31m", "\x1b]0;t\x1b\\", "\x1bc", "\x9b5m", "\x9d", "\x00", "\x7f", "\u202e",
    "\u2066", "\u200f", "港口", "🚢", "ß", "$x", "{y}", "%s", "&amp;", "<b>", "'", '"', " ",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)

_DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def shown(text: str) -> str:
    """What must stand on the screen for `text`, by the few rules that these pieces need."""
    marks = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "␡"}
    marks |= dict.fromkeys(range(0x80, 0xA0), "␦") | dict.fromkeys(map(ord, _DIRECTIONS), "⇄")
    return text.translate(marks)


@asynccontextmanager
async def opened(folder: Path, golden: Path | None, a: Configuration = A) -> AsyncIterator[Driver]:
    session = Session((folder,), {"A": a, "B": B}, golden_path=golden)
    app = InspectorApp(session, Opening((folder,), golden), engine=inline_engine())
    async with driven(app, size=SIZE) as driver:
        yield driver


def check_nothing_acts(driver: Driver) -> None:
    """No widget draws a character that a terminal would obey."""
    for widget in driver.app.screen.walk_children():
        if isinstance(widget, Widget) and widget.region:
            drawn = driver.text(widget)
            assert foreign(drawn) == [], (widget, drawn)


def in_a_folder(work: Callable[[Path], Awaitable[None]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(work(Path(folder)))


def write_golden(path: Path, text: str, doc: str, evidence: str) -> None:
    row = {"id": text, "question": text, "doc": doc, "evidence": [{"text": evidence}]}
    path.write_text(json.dumps(row) + "\n", encoding="ascii")


@settings(max_examples=5, deadline=None)
@given(TEXTS)
@example("[/etc/motd][[wiki]]\x1b[31m港\u202e")
@example("\\[/]\x9b5m\x00\x7f[bold]")
def test_documents_names_and_questions(text: str) -> None:
    name = f"n{text}.txt".replace("/", "").replace("\x00", "")

    async def work(folder: Path) -> None:
        docs = folder / "docs"
        docs.mkdir()
        (docs / name).write_bytes(f"begin:{text}:end\r\n\r\nThe answer.\r\n".encode())
        write_golden(folder / "golden.jsonl", f"ask:{text}:?", name, "The answer.")
        async with opened(docs, folder / "golden.jsonl") as driver:
            driver.main.choose_question(0)
            await driver.settle()
            assert shown(f"begin:{text}:end") in driver.text("#document")
            assert shown(name) in driver.lines("#document-frame")[0]
            assert shown(name)[:12].strip() in driver.text("#documents")
            asked = shown(" ".join(f"ask:{text}:?".split()))
            assert asked in driver.text("#question")
            assert asked in driver.text("#questions")
            for panel in "2341":
                await driver.press(panel)
                check_nothing_acts(driver)

    in_a_folder(work)


@settings(max_examples=5, deadline=None)
@given(TEXTS)
@example("[/etc/motd]\x1b[31m港\u202e")
def test_toasts_errors_and_fields(text: str) -> None:
    async def work(folder: Path) -> None:
        (folder / "a.txt").write_text("Some words.\n", encoding="utf-8")
        async with opened(folder, None) as driver:
            driver.main.say(f"said:{text}:", "error")
            await driver.pilot.pause()
            assert driver.toasts()[-1] == shown(f"said:{text}:")
            driver.main.refuse("A", f"overlap: refused:{text}:")
            await driver.pilot.pause()
            assert " ".join(shown(f"refused:{text}:").split()) in driver.words("#settings")
            field = driver.app.screen.query_one("#sweep-sizes", Input)
            await driver.press("3")
            field.value = f"x{text}"
            await driver.pilot.pause()
            assert shown(f"x{text}".rstrip()) in driver.text(field)
            check_nothing_acts(driver)
            await driver.press("g")
            field = driver.app.screen.query_one(Input)
            field.value = f"x{text}"
            await driver.pilot.press("enter")
            await driver.pilot.pause()
            assert shown(f"x{text}".rstrip()) in driver.text(field)
            assert "not a place: x" in driver.words("#goto")
            check_nothing_acts(driver)

    in_a_folder(work)


@settings(max_examples=4, deadline=None)
@given(TEXTS)
@example("[/etc/motd]\x1b[31m港\u202e")
def test_ask_and_its_answer(text: str) -> None:
    async def work(folder: Path) -> None:
        (folder / "a.txt").write_bytes(f"Some words, {text} and more of them.\r\n".encode())
        async with opened(folder, None) as driver:
            await driver.press("a")
            screen = driver.app.screen
            for kind in ("question", "evidence", "returned"):
                screen.query_one(f".{kind}", TextArea).insert(f"{kind}:{text}:")
            await driver.pilot.pause()
            for kind in ("question", "evidence", "returned"):
                field = screen.query_one(f".{kind}", TextArea)
                assert field.text == f"{kind}:{text}:"
                assert shown(f"{kind}:{text}:") in driver.text(field)
            check_nothing_acts(driver)
            await driver.press("escape", "a")
            await driver.until(lambda: bool(driver.session.asked))
            await driver.settle()
            check_nothing_acts(driver)
            await driver.press("escape")
            asked = shown(" ".join(f"question:{text}:".split()))
            assert asked in driver.text("#question")
            check_nothing_acts(driver)

    in_a_folder(work)


@settings(max_examples=4, deadline=None)
@given(TEXTS.filter(str.strip))
@example("[/etc/motd]\x1b[31m港\u202e")
def test_settings_warnings_and_export(text: str) -> None:
    configuration = replace(A, splitter=replace(A.splitter, separators=(f"x{text}", " ", "")))

    async def work(folder: Path) -> None:
        (folder / "a.txt").write_text("Some words.\n", encoding="utf-8")
        async with opened(folder, None, configuration) as driver:
            check_nothing_acts(driver)
            for target in ("langchain", "json", "toml"):
                if target == "langchain":
                    await driver.press("e")
                else:
                    await driver.pilot.press("left")
                screen = driver.app.screen
                preview = screen.query_one("#export-preview", LineList)
                await driver.until(
                    lambda screen=screen, preview=preview: (
                        preview.row_count > 0 and "proven: " in screen.proof
                    )
                )
                made = export(configuration, target, note="chosen without a measured question")
                rows = [line.strip() for line in driver.lines("#export-preview")]
                wanted = [shown(line)[:60].strip() for line in made.split("\n")[:20]]
                for line in wanted:
                    assert any(line in row for row in rows), (line, rows)
                check_nothing_acts(driver)

    in_a_folder(work)


async def test_everything_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One document, question and setting that hold it all, through every key of the inspector."""
    monkeypatch.chdir(tmp_path)
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "all.md").write_bytes("\r\n\r\n".join((*ATTACKS, BRACKETS, ALL, "End.")).encode())
    write_golden(tmp_path / "golden.jsonl", ALL, "all.md", "End.")
    configuration = replace(A, splitter=replace(A.splitter, separators=(*ATTACKS, "")))
    async with opened(docs, tmp_path / "golden.jsonl", configuration) as driver:
        await driver.press("x")
        for key in ("1", "2", "4", "5", "6", "7", "3", "z", "z", "v", "v"):
            await driver.press(key)
            check_nothing_acts(driver)
        for key in ("d", "s", "h", "t"):
            await driver.press(key)
            check_nothing_acts(driver)
            await driver.press("escape")
        await driver.pilot.press("r")
        await driver.until(lambda: driver.session.sweep is not None)
        check_nothing_acts(driver)
        await driver.press("f")
        driver.app.screen.query_one("#find-text", Input).value = ALL
        await driver.pilot.pause()
        check_nothing_acts(driver)
