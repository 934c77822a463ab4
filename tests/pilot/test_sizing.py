"""Room for the parts: the bottom panel by key, by mouse and on the whole screen, kept for later."""

from pathlib import Path

from inspector_driver import Driver, Start

from chunkscope.tui.remembered import leaving, recall, remember


def height(driver: Driver, selector: str = "#bottom") -> int:
    return driver.app.screen.query_one(selector).outer_size.height


async def test_keys_make_the_panel_higher_and_lower(start: Start) -> None:
    async with start() as driver:
        assert height(driver) == 11
        await driver.press("t", "k", "t", "k")
        assert height(driver) == 15
        await driver.press("t", "j")
        assert height(driver) == 13
        for _ in range(12):
            await driver.press("ctrl+down")
        assert height(driver) == 4
        for _ in range(20):
            await driver.press("ctrl+up")
        assert height(driver) == 26


async def test_the_whole_screen_and_back_to_the_chosen_height(start: Start) -> None:
    async with start() as driver:
        await driver.press("t", "k", "z")
        assert height(driver) > 26
        await driver.press("t", "k")
        assert "the panel has the whole screen" in driver.toasts()[-1]
        await driver.press("z")
        assert height(driver) == 13
        await driver.press("z", "escape")
        assert height(driver) == 13


async def test_the_mouse_drags_the_line_of_tabs(start: Start) -> None:
    async with start() as driver:
        await driver.pilot.mouse_down("#tabs", offset=(85, 0))
        await driver.pilot.hover("#tabs", offset=(85, -3))
        await driver.pilot.pause()
        assert height(driver) == 14
        await driver.pilot.mouse_up("#tabs", offset=(85, 0))
        await driver.pilot.hover("#tabs", offset=(85, -4))
        await driver.pilot.pause()
        assert height(driver) == 14


async def test_a_double_click_on_the_tabs_gives_them_the_screen(start: Start) -> None:
    async with start() as driver:
        await driver.pilot.click("#tabs", offset=(85, 0), times=2)
        await driver.pilot.pause()
        assert driver.main.has_class("-zoomed")


async def test_the_document_alone_and_back(start: Start) -> None:
    async with start() as driver:
        before = height(driver, "#document")
        await driver.press("t", "u")
        assert not driver.main.query_one("#bottom").display
        assert driver.main.query_one("#document-frame").outer_size.width == 120
        assert height(driver, "#document") > before
        await driver.press("s")
        assert driver.main.query_one("#side").display
        await driver.press("escape", "t", "u")
        assert driver.main.query_one("#bottom").display
        assert height(driver, "#document") == before
        await driver.press("t", "u", "z")
        assert driver.main.query_one("#bottom").display


def width(driver: Driver, selector: str) -> int:
    return driver.app.screen.query_one(selector).outer_size.width


async def test_columns_are_dragged_by_their_frame(start: Start) -> None:
    async with start() as driver:
        side = driver.main.query_one("#side").region
        await driver.pilot.mouse_down(offset=(side.x, side.y + 2))
        await driver.pilot.hover(offset=(side.x - 6, side.y + 2))
        await driver.pilot.mouse_up(offset=(side.x - 6, side.y + 2))
        await driver.pilot.pause()
        assert width(driver, "#side") == 50
        documents = driver.main.query_one("#documents").region
        await driver.pilot.mouse_down(offset=(documents.right - 1, documents.y + 9))
        await driver.pilot.hover(offset=(documents.right - 5, documents.y + 9))
        await driver.pilot.mouse_up(offset=(documents.right - 5, documents.y + 9))
        await driver.pilot.pause()
        assert width(driver, "#documents") == 24
        await driver.pilot.hover(offset=(60, 9))
        await driver.pilot.pause()
        assert (width(driver, "#side"), width(driver, "#documents")) == (50, 24)
        await driver.pilot.resize_terminal(80, 24)
        await driver.pilot.pause()
        assert width(driver, "#document-frame") == 80
        await driver.pilot.resize_terminal(120, 40)
        await driver.pilot.pause()
        assert (width(driver, "#side"), width(driver, "#documents")) == (50, 24)


async def test_settings_are_widened_by_a_key_and_narrow_again(start: Start) -> None:
    async with start() as driver:
        await driver.press("t", "z")
        assert width(driver, "#side") == 56
        assert width(driver, "#document-frame") == 120 - 28 - 56
        await driver.press("t", "z")
        assert width(driver, "#side") == 44
        assert driver.session.widths == {}


async def test_the_height_is_kept(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "sessions.json"
    async with start() as driver:
        await driver.press("t", "k", "t", "z")
        assert remember(file, "k", leaving(driver.session, driver.app.theme))
    left = recall(file, "k")
    assert (left.panel_height, left.widths) == (13, {"side": 56})
