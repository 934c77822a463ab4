"""A chunk that won from another document stands beside the evidence; one key goes back."""

from pathlib import Path

import pytest
from inspector_driver import HARBOUR, LIGHTS, Driver, Start

from chunkscope.tui.widgets.texts import BesideFrame

LAMPS = "Lamps are lit at dusk."
WON = "Pilots board"
GOLDEN = (
    '{"id": "board", "question": "Do pilots board a berth?", "doc": "lights.txt", '
    f'"evidence": [{{"text": "{LAMPS}"}}]}}\n'
)


@pytest.fixture
def golden(corpus_folder: Path) -> Path:
    """A question that a chunk of the other document wins."""
    path = corpus_folder.parent / "other.jsonl"
    path.write_text(GOLDEN, encoding="utf-8", newline="")
    return path


async def open_winner(driver: Driver) -> BesideFrame:
    driver.main.choose_question(0)
    driver.main.document_view.focus()
    await driver.settle()
    await driver.press("2", "enter")
    return driver.app.screen.query_one(BesideFrame)


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_the_winner_stands_beside_the_evidence(
    start: Start, golden: Path, size: tuple[int, int]
) -> None:
    async with start(golden=golden, size=size) as driver:
        frame = await open_winner(driver)
        result = driver.session.result("A")
        chunks = driver.session.numbers.evaluations["A"].chunks
        first = result.retrieved[0].chunk
        assert chunks.corpus.documents[chunks.locate(first)[0]].id == "harbour.md"
        assert LAMPS in driver.text("#document")
        assert WON.split(" at ", maxsplit=1)[0] in driver.text("#beside-document")
        assert "A #1 harbour.md" in driver.text("#beside-head")
        view, other = driver.main.document_view, frame.view
        assert other.cursor_offset == chunks.starts[first]
        assert driver.session.open_document.id == "lights.txt"
        assert [HARBOUR[slice(*span)] for span in other.page.layers.found] == ["Pilots", "board"]
        assert other.page.layers.chunks.retrieved[chunks.locate(first)[1]] == 1
        side_by_side = view.region.y == other.region.y - 1
        above = view.region.bottom <= other.region.y and view.region.x == other.region.x
        assert side_by_side if size[0] == 200 else above
        await driver.press("backspace")
        assert not frame.display
        assert driver.session.open_document.id == "lights.txt"
        assert view.cursor_offset == LIGHTS.index(LAMPS)


async def test_the_ranking_is_walked_beside_and_escape_closes(start: Start, golden: Path) -> None:
    async with start(golden=golden, size=(120, 40)) as driver:
        frame = await open_winner(driver)
        result = driver.session.result("A")
        chunks = driver.session.numbers.evaluations["A"].chunks
        await driver.press("down")
        second = result.retrieved[1].chunk
        document, _index = chunks.locate(second)
        assert frame.view.document is chunks.corpus.documents[document]
        assert frame.view.cursor_offset == chunks.starts[second]
        assert "A #2" in driver.text("#beside-head")
        await driver.press("escape")
        assert not frame.display
        await driver.press("up")
        assert not frame.display


async def test_both_documents_follow_a_change_of_size(start: Start, golden: Path) -> None:
    async with start(golden=golden) as driver:
        frame = await open_winner(driver)
        driver.main.document_view.focus()
        await driver.press("l")
        cuts = driver.session.chunk_sets["A"].cuts[0]
        shown = frame.view.page.layers.chunks
        assert shown.starts.tolist() == cuts.starts.tolist()
        assert f"/{len(cuts)}" in driver.text("#beside-head")


async def test_enter_makes_it_the_open_document(start: Start, golden: Path) -> None:
    async with start(golden=golden) as driver:
        frame = await open_winner(driver)
        offset = frame.view.cursor_offset
        frame.view.focus()
        await driver.press("enter")
        assert driver.session.open_document.id == "harbour.md"
        assert driver.main.document_view.cursor_offset == offset
        assert not frame.display
        await driver.press("backspace")
        assert driver.session.open_document.id == "lights.txt"
