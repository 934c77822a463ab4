"""Of many files the first document stands on the screen before the others are read."""

import random
from pathlib import Path

import pytest
from inspector_driver import Held, Start, inline_engine, no_debounce

from chunkscope.text.document import Document, Skipped
from chunkscope.text.loading.load import load_corpus
from chunkscope.tui import messages
from chunkscope.tui.engine import Engine
from chunkscope.tui.lanes import Inline
from chunkscope.tui.reading import Opening
from chunkscope.tui.views.documents import DocumentLines, Line, corpus_lines
from chunkscope.tui.widgets.line_list import LineList

FIRST = Document("harbour.md", "# Harbour rules\n\nThe pilot boat leaves every hour.\n")


async def test_keys_work_while_the_others_are_read(start: Start, corpus_folder: Path) -> None:
    held = Held()
    engine = Engine(executor=held, sweeper=Inline(), prover=Inline(), debounce=no_debounce)
    async with start(engine=engine, settle=False) as driver:
        await driver.drain()
        driver.main.post_message(
            messages.CorpusGlimpsed(DocumentLines(["harbour.md", "more/lights.txt"]), FIRST)
        )
        driver.main.post_message(messages.LoadProgress(1, 2))
        await driver.until(lambda: "The pilot boat" in driver.text("#document"))
        names = driver.text("#documents")
        assert "harbour.md" in names
        assert "more/" in names
        assert "lights.txt" in names
        assert "reading 1 of 2" in driver.text("#title")
        assert driver.session.corpus is None
        # What needs all documents does nothing yet, and breaks nothing.
        for key in ("down", "end", "pagedown", *"abcdefghijklmnoprstuvwxyz+-123"):
            await driver.pilot.press(key)
            await driver.drain()
            await driver.pilot.press("escape")
            await driver.drain()
        assert driver.failures == []
        listed = driver.main.query_one("#documents", LineList)
        listed.focus()
        await driver.pilot.press("down", "down", "enter")
        await driver.drain()
        assert driver.session.corpus is None
        assert "The pilot boat" in driver.text("#document")
        while held.jobs or driver.session.corpus is None:
            held.release()
            await driver.drain()
        await driver.until(lambda: "lights.txt" in driver.text("#documents"))
        assert "more/" not in driver.text("#documents")
        assert [one.id for one in driver.session.corpus.documents] == ["harbour.md", "lights.txt"]
        while not driver.answered:
            held.release()
            await driver.drain()


async def test_the_place_in_the_first_document_is_kept(start: Start, corpus_folder: Path) -> None:
    held = Held()
    engine = Engine(executor=held, sweeper=Inline(), prover=Inline(), debounce=no_debounce)
    first = load_corpus([corpus_folder]).documents[0]
    async with start(engine=engine, settle=False) as driver:
        await driver.drain()
        driver.main.post_message(messages.CorpusGlimpsed(DocumentLines([first.id]), first))
        await driver.until(lambda: "Harbour rules" in driver.text("#document"))
        view = driver.main.document_view
        view.scroll_to_offset(first.text.index("A berth"))
        await driver.drain()
        while not driver.answered:
            held.release()
            await driver.drain()
        assert driver.session.open_document == first
        assert view.cursor_offset == driver.session.offset == first.text.index("A berth")
        assert driver.main.document_view.page.bands is not None


async def test_the_first_document_comes_before_the_others(tmp_path: Path) -> None:
    (tmp_path / "0.jsonl").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    for number in range(1000):
        (tmp_path / f"{number:04}.txt").write_bytes(b"lamp")
    heard: list[object] = []
    engine = inline_engine()
    engine.attach(heard.append)
    await engine.load(Opening((tmp_path,)))
    first = next(one for one in heard if isinstance(one, messages.CorpusGlimpsed))
    loaded = next(one for one in heard if isinstance(one, messages.CorpusLoaded))
    assert heard.index(first) < heard.index(loaded)
    assert first.document.id == "0000.txt"
    assert [first.lines[row].name for row in range(3)] == ["0.jsonl", "0000.txt", "0001.txt"]
    heard.clear()
    await engine.load(Opening((tmp_path,)))
    assert not any(isinstance(one, messages.CorpusGlimpsed) for one in heard)


async def test_few_files_are_read_at_once(corpus_folder: Path) -> None:
    heard: list[object] = []
    engine = inline_engine()
    engine.attach(heard.append)
    await engine.load(Opening((corpus_folder,)))
    assert not any(isinstance(one, messages.CorpusGlimpsed) for one in heard)


IDS = ["a.md", "b/c.md", "b/d/e.md", "b/d/f.md", "b/g.md", "h/d/i.md"]
LINES = [
    Line(0, "a.md", 0),
    Line(0, "b", None),
    Line(1, "c.md", 1),
    Line(1, "d", None),
    Line(2, "e.md", 2),
    Line(2, "f.md", 3),
    Line(1, "g.md", 4),
    Line(0, "h", None),
    Line(1, "d", None),
    Line(2, "i.md", 5),
]


def test_every_folder_stands_once_above_its_documents(corpus_folder: Path) -> None:
    lines = DocumentLines(IDS)
    assert list(lines) == LINES
    assert [lines.row_of(position) for position in range(-1, 7)] == [None, 0, 2, 4, 5, 6, 9, None]
    assert list(DocumentLines(())) == []
    assert list(DocumentLines((), [Skipped("x", "why")])) == [
        Line(0, "skipped", None),
        Line(1, "x", None, "why"),
    ]
    (corpus_folder / ".hidden").write_bytes(b"")
    assert list(corpus_lines(load_corpus([corpus_folder]))) == [
        Line(0, "harbour.md", 0),
        Line(0, "lights.txt", 1),
        Line(0, "skipped", None),
        Line(1, ".hidden", None, "a hidden file"),
    ]


def plain_lines(ids: list[str]) -> list[Line]:
    """Folders and documents, every id taken apart."""
    lines: list[Line] = []
    above: list[str] = []
    for position, name in enumerate(ids):
        *folders, last = name.split("/")
        for depth, folder in enumerate(folders):
            if folders[: depth + 1] != above[: depth + 1]:
                lines.append(Line(depth, folder, None))
        above = folders
        lines.append(Line(len(folders), last, position))
    return lines


@pytest.mark.parametrize("seed", range(10))
def test_lines_made_when_looked_at_are_those_made_at_once(seed: int) -> None:
    chance = random.Random(seed)
    names = {"/".join(chance.choices("abc", k=chance.randint(1, 4))) + ".md" for _ in range(60)}
    ids = sorted(names)
    lines, expected = DocumentLines(ids), plain_lines(ids)
    assert len(lines) == len(expected)
    assert list(lines) == expected
    for row, line in enumerate(expected):
        if line.position is not None:
            assert lines.row_of(line.position) == row
