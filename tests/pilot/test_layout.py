"""What stands on the screen at the sizes that matter, and how one moves between the parts."""

import pytest
from inspector_driver import Driver, Start

CAUTION = "ranked by bm25, not your retriever: cuts are exact, ranks are a stand-in"


def heights(driver: Driver, *selectors: str) -> list[int]:
    return [driver.app.screen.query_one(selector).outer_size.height for selector in selectors]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_caution_stands_there_at_every_size(start: Start, size: tuple[int, int]) -> None:
    async with start(size=size) as driver:
        assert CAUTION in driver.text("#caution")


async def test_small_screen(start: Start) -> None:
    async with start(size=(80, 24)) as driver:
        parts = ("#document-frame", "#variant-A", "#variant-B", "#question", "#bottom")
        assert heights(driver, *parts) == [14, 1, 1, 1, 5]
        assert driver.app.screen.query_one("#document-frame").outer_size.width == 80
        assert "A │ recursive 40/0 characters" in driver.text("#variant-A")
        assert "B ┊ recursive 80/0 characters" in driver.text("#variant-B")
        assert "recall 0.500" in driver.text("#variant-A")
        assert not driver.app.screen.query_one("#documents").display
        assert not driver.app.screen.query_one("#side").display


@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
async def test_all_panels_on_a_large_screen(start: Start, size: tuple[int, int]) -> None:
    async with start(size=size) as driver:
        for selector in ("#documents", "#document-frame", "#settings", "#metrics", "#bottom"):
            region = driver.app.screen.query_one(selector).region
            assert region.width > 0, selector
            assert region.height > 0, selector
            assert region.right <= size[0], selector
            assert region.bottom <= size[1], selector
        assert not driver.app.screen.query_one("#variant-A").display
        assert len(driver.lines("#question")) == 3


async def test_drawers_open_over_the_document_and_close(start: Start) -> None:
    async with start(size=(80, 24)) as driver:
        await driver.press("d")
        assert driver.app.screen.query_one("#documents").display
        assert driver.app.focused is driver.app.screen.query_one("#documents")
        await driver.press("d")
        assert not driver.app.screen.query_one("#documents").display
        await driver.press("s")
        assert driver.app.screen.query_one("#side").display
        assert "40" in driver.text("#settings")
        await driver.press("escape")
        assert not driver.app.screen.query_one("#side").display
        assert driver.app.focused is driver.main.document_view


async def test_one_key_gives_the_panel_the_screen(start: Start) -> None:
    async with start(size=(80, 24)) as driver:
        await driver.press("z")
        assert heights(driver, "#bottom") == [21]
        await driver.press("z")
        assert heights(driver, "#bottom") == [5]


async def test_panels_by_number_arrow_and_one_letter(start: Start) -> None:
    async with start() as driver:
        shown = driver.app.screen.query_one("#tabs")
        await driver.press("3")
        assert shown.shown == "sweep"
        await driver.press("i")
        assert shown.shown == "chunks"
        await driver.press("i", "i", "i")
        assert shown.shown == "compare"
        await driver.press("i")
        assert shown.shown == "questions"
        shown.focus()
        await driver.press("right", "right")
        assert shown.shown == "sweep"
        await driver.press("left")
        assert shown.shown == "retrieved"


async def test_resizing_keeps_everything(start: Start) -> None:
    async with start(size=(120, 40)) as driver:
        await driver.press("x")
        await driver.pilot.resize_terminal(80, 24)
        await driver.pilot.pause()
        assert driver.main.compact
        assert "✂ split" in driver.text("#question")
        await driver.pilot.resize_terminal(200, 60)
        await driver.pilot.pause()
        assert not driver.main.compact
        assert driver.session.question == 0


async def test_ascii_marks(start: Start) -> None:
    async with start(ascii_marks=True) as driver:
        await driver.press("x")
        assert "% split" in driver.text("#question")
        for selector in ("#question", "#questions", "#document"):
            assert "✂" not in driver.text(selector), selector


async def test_both_variants_are_told_apart_by_letter_and_line(start: Start) -> None:
    async with start(size=(80, 24)) as driver:
        assert driver.lines("#variant-A")[0].startswith("▸A │")
        await driver.press("v")
        assert driver.lines("#variant-A")[0].startswith(" A │")
        assert driver.lines("#variant-B")[0].startswith("▸B ┊")


@pytest.mark.parametrize("size", [(20, 5), (40, 12), (79, 23), (300, 90)])
async def test_odd_sizes_do_no_harm(start: Start, size: tuple[int, int]) -> None:
    async with start(size=size) as driver:
        await driver.press("x", "2", "z", "3", "z", "d", "escape", "s", "escape", "h", "escape")
        assert driver.session.question == 0


async def test_the_mouse_chooses_a_question_and_presses_keys(start: Start) -> None:
    async with start() as driver:
        await driver.pilot.click("#questions", offset=(30, 2))
        await driver.settle()
        assert driver.session.question == 1
        line = driver.lines("#keys")[0]
        await driver.pilot.click("#keys", offset=(line.index("size +"), 0))
        await driver.settle()
        assert driver.session.configurations["A"].splitter.size == 44
        tabs = driver.lines("#tabs")[0]
        await driver.pilot.click("#tabs", offset=(tabs.index("Chunks"), 0))
        await driver.pilot.pause()
        assert driver.app.screen.query_one("#tabs").shown == "chunks"


async def test_warnings_are_shown(start: Start) -> None:
    async with start(size=(200, 60)) as driver:
        field = driver.app.screen.query_one("#splitter-separators-A")
        field.focus()
        field.value = "@@nowhere@@|"
        await driver.settle()
        assert "@@nowhere@@" in driver.text("#caution")
        assert "@@nowhere@@" in driver.words("#warnings")
