"""Keys that come in one read reach what the keys before them have opened, in their order."""

from collections.abc import Iterable

import pytest
from inspector_driver import HARBOUR, Driver, Start
from textual.events import Key
from textual.widgets import Input

from chunkscope.tui.screens.export import ExportScreen
from chunkscope.tui.screens.help import HelpScreen
from chunkscope.tui.screens.palette import PaletteScreen
from chunkscope.tui.session import VARIANTS
from chunkscope.tui.widgets.find_bar import FindBar

SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)])


def post(driver: Driver, keys: Iterable[str]) -> None:
    """All keys at once, none waited for."""
    for key in keys:
        driver.app.post_message(Key(key, None))


def sizes(driver: Driver) -> list[int]:
    """The chunk sizes of A and B."""
    return [driver.session.configurations[variant].splitter.size for variant in VARIANTS]


@SIZES
async def test_a_letter_behind_the_tools_key_is_its_tool(
    start: Start, size: tuple[int, int]
) -> None:
    async with start(size=size) as driver:
        post(driver, "ts")
        await driver.until(lambda: sizes(driver) == [80, 40])
        assert driver.app.screen is driver.main


async def test_a_tool_and_keys_of_the_main_screen_behind_it(start: Start) -> None:
    async with start() as driver:
        post(driver, "tsl")
        await driver.until(lambda: sizes(driver) == [96, 40])
        assert driver.app.screen is driver.main


async def test_a_menu_closed_at_once_leaves_the_keys_behind_it_to_the_main_screen(
    start: Start,
) -> None:
    async with start() as driver:
        post(driver, ("t", "escape", "l"))
        await driver.until(lambda: sizes(driver) == [44, 80])
        assert driver.app.screen is driver.main
        post(driver, ("t", "escape", "q"))
        await driver.until(lambda: not driver.app.is_running)


@SIZES
async def test_a_line_is_typed_and_gone_to(start: Start, size: tuple[int, int]) -> None:
    async with start(size=size) as driver:
        post(driver, ("g", "1", "1", "enter"))
        line = HARBOUR.index("A berth")
        await driver.until(lambda: driver.main.document_view.cursor_offset == line)
        assert driver.app.screen is driver.main


async def test_what_is_sought_is_typed_whole(start: Start) -> None:
    async with start() as driver:
        post(driver, "fthe")
        await driver.until(lambda: driver.main.query_one(FindBar).query_one(Input).value == "the")
        assert driver.app.screen is driver.main


async def test_a_command_is_typed_and_run(start: Start) -> None:
    async with start() as driver:
        post(driver, (*"jhelp", "enter"))
        await driver.until(lambda: isinstance(driver.app.screen, HelpScreen))
        post(driver, "qj")
        await driver.until(lambda: isinstance(driver.app.screen, PaletteScreen))


@pytest.mark.parametrize(("key", "screen"), [("h", HelpScreen), ("e", ExportScreen)])
async def test_a_dialog_is_left_at_once(start: Start, key: str, screen: type) -> None:
    async with start() as driver:
        post(driver, (key, "escape", "l"))
        await driver.until(lambda: sizes(driver) == [44, 80])
        assert driver.app.screen is driver.main
        post(driver, key)
        await driver.until(lambda: isinstance(driver.app.screen, screen))
