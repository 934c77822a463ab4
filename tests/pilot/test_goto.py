"""Go to a line, an offset, a chunk, a question, a heading; matches counted; wrap on and off."""

import pytest
from inspector_driver import HARBOUR, Start

from chunkscope.tui.screens.goto import GotoScreen
from chunkscope.tui.widgets.line_list import LineList

FEES = HARBOUR.index("## Fees")


@pytest.mark.parametrize(
    ("typed", "offset"),
    [
        ("5", HARBOUR.index("## Limits")),
        ("l 5", HARBOUR.index("## Limits")),
        ("999", len(HARBOUR)),
        ("o 31", 31),
        ("h fee", FEES),
        ("heading FEES", FEES),
    ],
)
async def test_a_place_typed_is_gone_to(start: Start, typed: str, offset: int) -> None:
    async with start() as driver:
        await driver.press("g")
        await driver.type(typed)
        await driver.press("enter")
        assert driver.app.screen is driver.main
        assert driver.main.document_view.cursor_offset == offset
        await driver.press("backspace")
        assert driver.main.document_view.cursor_offset == 0


async def test_a_chunk_and_a_question_are_gone_to(start: Start) -> None:
    async with start() as driver:
        await driver.press("g")
        await driver.type("c 3")
        await driver.press("enter")
        starts = driver.session.visible_cuts["A"].starts
        assert driver.main.document_view.cursor_offset == starts[3]
        await driver.press("g")
        await driver.type("q 2")
        await driver.press("enter")
        assert driver.session.question == 1
        assert driver.session.open_document.id == "lights.txt"


async def test_headings_are_listed_as_they_are_typed(start: Start) -> None:
    async with start(size=(80, 24)) as driver:
        await driver.press("g")
        await driver.type("h")
        rows = driver.app.screen.query_one(LineList)
        assert [line.strip() for line in rows.lines[:3]] == ["▸Harbour rules", "Limits", "Fees"]
        await driver.press("down", "down", "down", "enter")
        assert driver.main.document_view.cursor_offset == FEES
        assert "harbour.md:9" in driver.text("#place")
        assert "§ Fees" in driver.text("#place")


async def test_what_is_no_place_is_said(start: Start) -> None:
    async with start() as driver:
        await driver.press("g")
        await driver.type("h zebra")
        assert "No heading of this document is like it." in driver.text("#goto")
        await driver.press("enter")
        assert isinstance(driver.app.screen, GotoScreen)
        assert "not a place: h zebra" in driver.text("#goto")
        await driver.press("escape")
        assert driver.main.document_view.cursor_offset == 0


async def test_matches_are_counted_and_stepped_through(start: Start) -> None:
    async with start() as driver:
        await driver.press("f")
        await driver.type("the")
        found = [span.start for span in driver.main.found]
        assert found == [
            at for at in range(len(HARBOUR)) if HARBOUR[at : at + 3].casefold() == "the"
        ]
        assert f"1 of {len(found)}" in driver.text("#find-count")
        await driver.press("enter", "n")
        assert f"2 of {len(found)}" in driver.text("#find-count")
        assert driver.main.document_view.cursor_offset == found[1]


async def test_the_place_stays_while_lines_are_wrapped_and_not(start: Start) -> None:
    async with start(size=(80, 24)) as driver:
        view = driver.main.document_view
        view.scroll_to_offset(FEES)
        await driver.press("t", "w")
        assert not view.wrap
        assert view.cursor_offset == FEES
        assert "## Fees" in driver.text("#document")
        await driver.press("t", "w")
        assert view.wrap
        assert "## Fees" in driver.text("#document")
