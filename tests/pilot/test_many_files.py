"""Of many files the first document stands on the screen before the others are read."""

from pathlib import Path

from inspector_driver import Held, Start, inline_engine, no_debounce

from chunkscope.text.document import Document
from chunkscope.text.loading.load import load_corpus
from chunkscope.tui import messages
from chunkscope.tui.engine import Engine
from chunkscope.tui.lanes import Inline
from chunkscope.tui.reading import Opening
from chunkscope.tui.views.documents import Line, corpus_lines, document_lines
from chunkscope.tui.widgets.line_list import LineList

FIRST = Document("harbour.md", "# Harbour rules\n\nThe pilot boat leaves every hour.\n")


async def test_keys_work_while_the_others_are_read(start: Start, corpus_folder: Path) -> None:
    held = Held()
    engine = Engine(executor=held, sweeper=Inline(), prover=Inline(), debounce=no_debounce)
    async with start(engine=engine, settle=False) as driver:
        await driver.drain()
        driver.main.post_message(
            messages.CorpusGlimpsed(document_lines(["harbour.md", "more/lights.txt"]), FIRST)
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
        driver.main.post_message(messages.CorpusGlimpsed(document_lines([first.id]), first))
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
    assert [line.name for line in first.lines[:3]] == ["0.jsonl", "0000.txt", "0001.txt"]
    heard.clear()
    await engine.load(Opening((tmp_path,)))
    assert not any(isinstance(one, messages.CorpusGlimpsed) for one in heard)


async def test_few_files_are_read_at_once(corpus_folder: Path) -> None:
    heard: list[object] = []
    engine = inline_engine()
    engine.attach(heard.append)
    await engine.load(Opening((corpus_folder,)))
    assert not any(isinstance(one, messages.CorpusGlimpsed) for one in heard)


def test_every_folder_stands_once_above_its_documents(corpus_folder: Path) -> None:
    assert document_lines(["a.md", "b/c.md", "b/d/e.md", "b/d/f.md", "b/g.md", "h/d/i.md"]) == (
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
    )
    (corpus_folder / ".hidden").write_bytes(b"")
    assert corpus_lines(load_corpus([corpus_folder]))[-2:] == (
        Line(0, "skipped", None),
        Line(1, ".hidden", None, "a hidden file"),
    )
    assert corpus_lines(None) == ()
