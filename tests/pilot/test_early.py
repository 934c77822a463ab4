"""While documents are read: one that is chosen opens at once, and nothing is said too early."""

from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from threading import Event, current_thread
from typing import Any

import pytest
from inspector_driver import A, B, Driver, Held, Start, no_debounce

from chunkscope.evaluation.index import CorpusIndex
from chunkscope.text.document import Corpus
from chunkscope.text.loading import reader as reader_module
from chunkscope.text.loading.load import load_corpus
from chunkscope.tui import ahead as ahead_module
from chunkscope.tui import messages
from chunkscope.tui.aheadmessages import DocumentAhead
from chunkscope.tui.engine import Engine
from chunkscope.tui.lanes import Inline
from chunkscope.tui.remembered import Remembered
from chunkscope.tui.screens.main.base import Options
from chunkscope.tui.widgets.line_list import LineList

TOO_EARLY = (
    "missed",
    "unmeasured",
    "✂",
    "✗",
    "recall 0",
    "recall 1",
    "No golden",
    "no golden",
    "0 questions",
)
"""What only the whole corpus tells."""


class Gate:
    """Holds the thread that reads all documents before the files that are named.

    Attributes:
        held: ids of the files before which it waits.
        read: ids of the files that were read, in order, with who read them.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *held: str) -> None:
        self.held = held
        self.read: list[tuple[str, str]] = []
        self._open, self._reached = Event(), Event()
        real = reader_module.read_parts

        def read_parts(found: Any, *rest: Any) -> Iterator[Any]:
            reads_all = current_thread().name == "chunkscope-cuts"
            if reads_all and found.id in self.held:
                self._reached.set()
                self._open.wait()
            self.read.append((found.id, "all" if reads_all else "ahead"))
            yield from real(found, *rest)

        monkeypatch.setattr(reader_module, "read_parts", read_parts)

    def open(self) -> None:
        """Let the thread go on."""
        self._open.set()


@pytest.fixture
def folder(corpus_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Many documents, as far as the inspector knows, and files that are none."""
    monkeypatch.setattr(ahead_module, "_MANY_FILES", 3)
    for name in "abcdef":
        text = "".join(f"Line {n} of {name} tells of lamps and tides.\n" for n in range(120))
        (corpus_folder / f"{name}.md").write_text(text)
    (corpus_folder / "deep").mkdir()
    (corpus_folder / "deep" / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    return corpus_folder


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """All files but the first wait."""
    made = Gate(monkeypatch, "b.md")
    yield made
    made.open()


Opened = Callable[..., AbstractAsyncContextManager[Driver]]


@pytest.fixture
def opened(start: Start, folder: Path, gate: Gate) -> Opened:
    """The inspector while documents are read: `a.md` is, the others wait for the gate."""

    def open_it(
        *, left: Remembered | None = None, opener: Any = None, restore: bool = False, **more: Any
    ) -> AbstractAsyncContextManager[Driver]:
        engine = Engine(
            sweeper=Inline(), prover=Inline(), modeller=Inline(), opener=opener,
            debounce=no_debounce,
        )  # fmt: skip
        options = Options(left=left, restore_settings=restore, poll_seconds=0)
        return start(engine=engine, options=options, settle=False, **more)

    return open_it


def left_at(document: str, offset: int, *, size: int = 40) -> Remembered:
    a, b = A.to_mapping(), B.to_mapping()
    a["splitter"]["size"] = size
    return Remembered(a, b, document, offset, "", "questions", "A", "chunkscope-dark")


def screen_text(driver: Driver) -> str:
    """Everything on the screen."""
    return "\n".join(driver.lines(driver.main))


def starts(corpus: Corpus, name: str, settings: Any) -> list[int]:
    """Where the chunks of one document of the whole corpus begin."""
    position = corpus.position(name)
    assert position is not None
    return CorpusIndex(corpus).cuts(position, settings.splitter).starts.tolist()


def drawn(driver: Driver) -> list[int] | None:
    layer = driver.main.document_view.page.layers.chunks
    return layer.starts.tolist() if layer is not None else None


async def first_shown(driver: Driver) -> None:
    await driver.until(lambda: driver.session.ahead is not None, "the first document")
    await driver.until(lambda: driver.main.furnished and drawn(driver) is not None, "its chunks")


async def choose(driver: Driver, name: str) -> None:
    """Choose a document in the list by keys."""
    listed, lines = driver.main.query_one("#documents", LineList), driver.main.lines_ahead
    assert lines is not None
    listed.focus()
    await driver.drain()
    row = next(row for row in range(len(lines)) if lines[row].name == name)
    listed.place_cursor(row)
    await driver.pilot.press("enter")
    await driver.drain()


async def test_a_document_that_is_chosen_opens_at_once_with_its_chunks(
    opened: Opened, folder: Path, gate: Gate
) -> None:
    whole = load_corpus([folder])
    gate.read.clear()
    async with opened() as driver:
        await first_shown(driver)
        session, view = driver.session, driver.main.document_view
        assert session.corpus is None
        assert drawn(driver) == starts(whole, "a.md", A)
        await choose(driver, "d.md")
        await driver.until(lambda: view.document.id == "d.md" and drawn(driver) is not None)
        assert session.corpus is None
        assert view.document == whole.documents[3]
        assert drawn(driver) == starts(whole, "d.md", A)
        assert session.visible_cuts["B"].starts.tolist() == starts(whole, "d.md", B)
        assert not view.page.layers.stale
        title = driver.lines("#document-frame")[0]
        assert f"d.md · A {len(starts(whole, 'd.md', A))}" in title
        assert "d.md:1" in driver.text("#place") or "line 1" in driver.text("#place")
        assert session.numbers is None
        # A place in it, kept when all the others are read.
        view.focus()
        await driver.pilot.press(*["pagedown"] * 2, "down", "right")
        place = (view.cursor_offset, view.top_row)
        assert place[0] > 0
        assert place[1] > 0
        gate.open()
        await driver.settle()
        assert view.document is session.open_document
        assert session.open_document == whole.documents[3]
        assert (view.cursor_offset, view.top_row) == place
        assert session.offset == place[0]
        assert drawn(driver) == starts(whole, "d.md", A)
        assert session.numbers is not None
        assert session.numbers.evaluations["A"].counts.measured == 2
        # Each file was read once, the one that was chosen ahead of the others.
        assert sorted(name for name, _ in gate.read) == sorted(
            [*(f"{name}.md" for name in "abcdef"), "deep/picture.png", "harbour.md", "lights.txt"]
        )
        assert ("d.md", "ahead") in gate.read


async def test_settings_change_the_open_document_while_others_are_read(
    opened: Opened, folder: Path, gate: Gate
) -> None:
    whole = load_corpus([folder])
    async with opened() as driver:
        await first_shown(driver)
        before = drawn(driver)
        await driver.pilot.press("k")
        await driver.until(lambda: drawn(driver) != before and not driver.at_work_on("answer"))
        settings = driver.session.configurations["A"]
        assert settings.splitter.size < A.splitter.size
        assert drawn(driver) == starts(whole, "a.md", settings)
        assert driver.session.corpus is None
        gate.open()
        await driver.settle()
        assert drawn(driver) == starts(whole, "a.md", settings)


async def test_nothing_is_said_of_questions_before_all_is_read(opened: Opened, gate: Gate) -> None:
    async with opened(golden=True) as driver:
        await first_shown(driver)
        for key in ("1", "2", "3", "4", "5", "6", "7"):
            await driver.pilot.press(key)
            await driver.drain()
            text = screen_text(driver)
            for words in TOO_EARLY:
                # The panels' names are no claims.
                assert words not in text, (key, words)
        await driver.pilot.press("1")
        await driver.drain()
        said = "Questions and numbers come when all documents are read."
        assert said in driver.words("#questions")
        assert said in driver.words("#metrics")
        for key in ("x", "c", "b", "m", "a", "e", "y", "r"):
            await driver.pilot.press(key)
            await driver.drain()
            await driver.pilot.press("escape")
            await driver.drain()
        assert driver.session.numbers is None
        assert driver.session.questions == ()
        gate.open()
        await driver.settle()
        assert [line.question.id for line in driver.session.questions] == [
            "draught", "steps", "moon",
        ]  # fmt: skip
        assert "split" in driver.text("#questions")
        assert "1 unmeasured" in driver.text("#title")


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_how_far_reading_is_and_how_it_is_stopped(
    opened: Opened, gate: Gate, size: tuple[int, int]
) -> None:
    where = "#title" if size == (120, 40) else "#caution"
    async with opened(size=size) as driver:
        await first_shown(driver)
        await driver.until(lambda: "1 of 9" in driver.text(where))
        assert "reading 1 of 9 documents █░░░░░░░░░ · t l stops" in driver.text(where)
        await driver.pilot.press("t")
        await driver.drain()
        await driver.pilot.press("l")
        await driver.drain()
        gate.open()
        await driver.until(lambda: driver.main.stopped)
        # The file that was being read is read to its end.
        assert "stopped: read 2 of 9 documents ██░░░░░░░░ · t l goes on" in driver.text(where)
        assert not driver.main.is_reading
        # Others can still be looked at.
        driver.main.open_document(7)
        await driver.until(lambda: "Harbour rules" in driver.text("#document"))
        assert driver.session.corpus is None
        await driver.pilot.press("f5")
        await driver.settle()
        assert len(driver.session.corpus.documents) == 8
        assert driver.session.open_document.id == "harbour.md"
        assert len(gate.read) == len({name for name, _ in gate.read}) == 9


async def test_a_file_that_is_no_document_says_why(opened: Opened, gate: Gate) -> None:
    async with opened() as driver:
        await first_shown(driver)
        await choose(driver, "picture.png")
        await driver.until(lambda: "PNG" in driver.text("#document-frame"))
        assert "deep/picture.png is not among the documents: binary: a PNG image" in driver.words(
            "#document-frame"
        )
        await driver.pilot.press("escape")
        await driver.drain()
        assert "Line 0 of a" in driver.text("#document")
        gate.open()
        await driver.settle()
        assert driver.session.open_document.id == "a.md"


async def test_the_list_is_reached_before_the_fields_are_there(opened: Opened, gate: Gate) -> None:
    async with opened() as driver:
        await first_shown(driver)
        driver.main.furnished = False
        await driver.pilot.press("s")
        await driver.drain()
        assert driver.app.focused is driver.main.document_view
        await driver.pilot.press("d")
        await driver.drain()
        assert driver.app.focused is driver.main.query_one("#documents")
        driver.main.furnished = True


# --- the document that was left open -------------------------------------------------------------


async def test_what_was_left_open_is_read_first_and_stays(opened: Opened, gate: Gate) -> None:
    offset = 40 * 50 + 7
    async with opened(left=left_at("e.md", offset)) as driver:
        await first_shown(driver)
        view = driver.main.document_view
        assert gate.read[0] == ("e.md", "all")
        assert view.document.id == "e.md"
        await driver.until(lambda: view.cursor_offset == offset)
        top = view.top_row
        assert top > 0
        gate.open()
        await driver.settle()
        assert driver.session.open_document.id == "e.md"
        assert (view.cursor_offset, view.top_row) == (offset, top)
        assert driver.session.offset == offset


async def test_who_moved_on_stays_there(opened: Opened, gate: Gate) -> None:
    async with opened(left=left_at("e.md", 7)) as driver:
        await first_shown(driver)
        view = driver.main.document_view
        await choose(driver, "c.md")
        await driver.until(lambda: view.document.id == "c.md")
        gate.open()
        await driver.settle()
        assert driver.session.open_document.id == view.document.id == "c.md"
        assert view.cursor_offset == driver.session.offset == 0


async def test_the_settings_that_were_left_cut_the_first_document(
    opened: Opened, folder: Path, gate: Gate
) -> None:
    whole = load_corpus([folder])
    async with opened(left=left_at("e.md", 0, size=90), restore=True) as driver:
        await first_shown(driver)
        settings = driver.session.configurations["A"]
        assert settings.splitter.size == 90
        assert drawn(driver) == starts(whole, "e.md", settings)
        gate.open()
        await driver.settle()
        assert drawn(driver) == starts(whole, "e.md", settings)


@pytest.mark.parametrize("moved", [False, True])
async def test_a_record_that_was_left_open_is_found_when_all_are_read(
    opened: Opened, folder: Path, gate: Gate, moved: bool
) -> None:
    (folder / "z.jsonl").write_text(
        '{"page_content": "Mole and quay.", "metadata": {}}\n'
        '{"page_content": "Rope and rudder.", "metadata": {}}\n'
    )
    async with opened(left=left_at("z.jsonl:2", 4)) as driver:
        await first_shown(driver)
        view = driver.main.document_view
        assert view.document.id == "a.md"
        if moved:
            view.focus()
            await driver.pilot.press("down", "right")
        offset = view.cursor_offset
        assert (offset > 0) is moved
        gate.open()
        await driver.settle()
        if moved:
            assert driver.session.open_document.id == "a.md"
            assert view.cursor_offset == offset
        else:
            assert driver.session.open_document.id == "z.jsonl:2"
            assert view.cursor_offset == 4


# --- what comes too late -------------------------------------------------------------------------


async def test_what_is_still_wanted_when_all_are_read_is_opened(opened: Opened, gate: Gate) -> None:
    held = Held()
    async with opened(opener=held) as driver:
        await driver.until(lambda: driver.session.ahead is not None)
        held.release()
        await choose(driver, "f.md")
        assert driver.main.wanted == 6
        assert driver.session.open_document.id == "a.md"
        await driver.until(lambda: "f.md: being read" in driver.text("#document-frame"))
        gate.open()
        await driver.until(lambda: driver.session.corpus is not None)
        await driver.until(lambda: driver.session.open_document.id == "f.md")
        held.release()
        await driver.settle()
        assert driver.session.open_document.id == "f.md"
        assert "being read" not in driver.text("#document-frame")
        assert "Line 0 of f" in driver.text("#document")


async def test_a_file_of_records_that_is_still_wanted_opens_at_its_first(
    opened: Opened, folder: Path, gate: Gate
) -> None:
    (folder / "z.jsonl").write_text('{"page_content": "Mole and quay.", "metadata": {}}\n')
    held = Held()
    async with opened(opener=held) as driver:
        await driver.until(lambda: driver.session.ahead is not None)
        held.release()
        await choose(driver, "z.jsonl")
        gate.open()
        await driver.until(lambda: driver.session.corpus is not None)
        await driver.until(lambda: driver.session.open_document.id == "z.jsonl:1")
        held.release()
        await driver.settle()
        assert "Mole and quay." in driver.text("#document")


async def test_a_newer_choice_replaces_an_older_one(opened: Opened, gate: Gate) -> None:
    held = Held()
    async with opened(opener=held) as driver:
        await driver.until(lambda: driver.session.ahead is not None)
        await choose(driver, "c.md")
        await choose(driver, "d.md")
        while driver.session.open_document.id != "d.md":
            held.release()
            await driver.drain()
        driver.main.post_message(
            DocumentAhead(2, load_corpus([driver.session.paths[0]]).documents[2])
        )
        await driver.drain()
        assert driver.session.open_document.id == "d.md"
        gate.open()
        while driver.session.corpus is None or driver.session.stale:
            held.release()
            await driver.until(lambda: True)
        assert driver.session.open_document.id == "d.md"


async def test_a_choice_in_the_list_of_files_is_kept_by_its_id(opened: Opened, gate: Gate) -> None:
    """Among the files a position is another than among the documents that could be read."""
    async with opened() as driver:
        await first_shown(driver)
        gate.open()
        await driver.settle()
        driver.main.post_message(messages.DocumentChosen(8, "lights.txt"))
        await driver.settle()
        assert driver.session.document == 7
        assert driver.session.open_document.id == "lights.txt"
        driver.main.post_message(messages.DocumentChosen(6, "deep/picture.png"))
        await driver.settle()
        assert driver.session.open_document.id == "lights.txt"


# --- leaving -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("ctrl+q", 0), ("ctrl+c", 130)])
async def test_leaving_while_documents_are_read(
    opened: Opened, gate: Gate, key: str, code: int
) -> None:
    async with opened() as driver:
        await first_shown(driver)
        await driver.pilot.press(key)
        await driver.pilot.pause(0)
        assert not driver.app.is_running
        assert (driver.app.return_code or 0) == code
        assert driver.session.corpus is None


async def test_ctrl_c_ends_nothing_once_all_are_read(opened: Opened, gate: Gate) -> None:
    gate.open()
    async with opened() as driver:
        await driver.settle()
        await driver.pilot.press("ctrl+c")
        await driver.settle()
        assert driver.app.is_running
