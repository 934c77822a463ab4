"""The first of a splitter's two stages: its boundaries in a gutter of its own, the section path."""

from dataclasses import replace

import pytest
from inspector_driver import HARBOUR, A, B, Driver, Start

from chunkscope.splitting.staged import first_stage

KIND = "langchain-markdown+recursive"
STAGED = replace(A, splitter=replace(A.splitter, kind=KIND))


def gutter(driver: Driver, text: str) -> str:
    """The sections' cell in the row that shows `text`."""
    plan = driver.main.document_view.page.plan
    line = next((line for line in driver.lines("#document") if text in line), "")
    assert line, driver.text("#document")
    return line[plan.lines + 1 if plan.lines else 0]


def starts(kind: str) -> list[int]:
    sections = first_stage(HARBOUR, replace(A.splitter, kind=kind))
    assert sections is not None
    return [parts[0].start for parts in sections]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_sections_stand_in_a_gutter_of_their_own(start: Start, size: tuple[int, int]) -> None:
    async with start(a=STAGED, size=size) as driver:
        await driver.until(lambda: bool(driver.session.sections))
        await driver.settle()
        page = driver.main.document_view.page
        assert page.plan.sections == 1
        assert [span.start for span in page.sections.spans] == starts(KIND)
        drawn = []
        for row in range(len(page.rows)):
            cells = page.gutter(row, driver.main.document_view.marks, top=False)
            drawn += [page.rows.span(row)] if any(cell.text == "§" for cell in cells) else []
        assert len(drawn) == len(starts(KIND))
        assert all(
            span.start <= at < span.end for span, at in zip(drawn, starts(KIND), strict=True)
        )
        offset = HARBOUR.index("Pilots")
        driver.main.document_view.scroll_to_offset(offset)
        await driver.settle()
        assert gutter(driver, "Pilots") == "§"
        assert gutter(driver, " hour.") in "§╎"


async def test_one_stage_has_no_such_gutter(start: Start) -> None:
    async with start() as driver:
        assert driver.main.document_view.page.plan.sections == 0
        assert driver.session.sections == {}


async def test_marks_of_plain_ascii(start: Start) -> None:
    async with start(a=STAGED, ascii_marks=True) as driver:
        await driver.until(lambda: bool(driver.session.sections))
        await driver.settle()
        assert gutter(driver, "Pilots") == "S"
        assert driver.text("#document").isascii()


async def test_the_variant_drawn_decides_and_size_changes_nothing(start: Start) -> None:
    staged = replace(B, splitter=replace(B.splitter, kind="markdown"))
    async with start(b=staged) as driver:
        view = driver.main.document_view
        assert view.page.plan.sections == 0
        await driver.press("v")
        await driver.until(lambda: bool(driver.session.sections))
        await driver.settle()
        assert [span.start for span in view.page.sections.spans] == starts("markdown")
        known = driver.session.sections[("harbour.md", "markdown")]
        await driver.press("l", "l")
        assert driver.session.sections[("harbour.md", "markdown")] is known
        await driver.press("v")
        assert view.page.plan.sections == 1
        await driver.press("v")
        assert driver.session.shown == "A"
        assert view.page.plan.sections == 0


async def test_the_section_path_stands_beneath_the_text(start: Start) -> None:
    async with start(a=STAGED, size=(120, 40)) as driver:
        driver.main.document_view.scroll_to_offset(HARBOUR.index("A berth costs"))
        await driver.settle()
        assert "§ Fees" in driver.text("#place") or "Harbour rules › Fees" in driver.text("#place")
        await driver.press("enter")
        assert "Harbour rules › Fees" in driver.words("#here")


async def test_another_document_has_its_own_sections(start: Start) -> None:
    async with start(a=STAGED) as driver:
        await driver.until(lambda: bool(driver.session.sections))
        driver.main.open_document(1)
        await driver.until(lambda: ("lights.txt", KIND) in driver.session.sections)
        await driver.settle()
        assert len(driver.main.document_view.page.sections) == 1
