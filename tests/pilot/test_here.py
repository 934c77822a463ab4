"""What is here: a boundary's tooltip under the mouse, and everything at the cursor by a key."""

import pytest
from inspector_driver import HARBOUR, A, B, Start
from textual.events import Key

from chunkscope.splitting.boundary import boundary_reason
from chunkscope.tui.screens.help import HelpScreen
from chunkscope.tui.screens.here import HereScreen


async def test_a_boundary_under_the_mouse_is_explained(start: Start) -> None:
    async with start() as driver:
        view = driver.main.document_view
        cuts = driver.session.visible_cuts["A"]
        chunk = 3
        offset = int(cuts.starts[chunk])
        row = view.page.rows.row_of(offset)
        x = view.page.plan.width + view.page.columns.column_of(row, offset)
        await driver.pilot.hover("#document", (x, row - view.top_row))
        await driver.pilot.pause()
        reason = boundary_reason(HARBOUR, cuts, chunk, A.splitter)
        assert str(view.tooltip) == f"A: chunk {chunk} begins here: {reason}"
        await driver.pilot.hover("#document", (x + 2, row - view.top_row))
        await driver.pilot.pause()
        assert view.tooltip is None
        await driver.pilot.hover("#document", (1, row - view.top_row))
        await driver.pilot.pause()
        assert str(view.tooltip).startswith(f"A: chunk {chunk} begins here: ")


async def test_with_both_drawn_both_are_named(start: Start) -> None:
    async with start() as driver:
        await driver.press("v", "v")
        view = driver.main.document_view
        a, b = (driver.session.visible_cuts[v].starts.tolist() for v in "AB")
        alone = next(offset for offset in a if offset not in b)
        view.scroll_to_offset(alone)
        await driver.pilot.pause()
        row = view.page.rows.row_of(alone)
        x = view.page.plan.width + view.page.columns.column_of(row, alone)
        await driver.pilot.hover("#document", (x, row - view.top_row))
        await driver.pilot.pause()
        first, second = str(view.tooltip).split("\n")
        assert first.startswith(f"A: chunk {a.index(alone)} begins here: ")
        assert second == "B: no boundary here"


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_everything_at_the_cursor(start: Start, size: tuple[int, int]) -> None:
    async with start(size=size) as driver:
        offset = HARBOUR.index("The largest")
        driver.main.document_view.scroll_to_offset(offset)
        await driver.press("enter")
        said = driver.words("#here")
        assert f"harbour.md · line {HARBOUR[:offset].count(chr(10)) + 1} · offset {offset}" in said
        assert "Harbour rules › Limits" in said
        for variant, configuration in (("A", A), ("B", B)):
            cuts = driver.session.visible_cuts[variant]
            chunk = int((cuts.starts <= offset).sum()) - 1
            start_, end = int(cuts.starts[chunk]), int(cuts.ends[chunk])
            assert f"{variant} chunk {chunk} of {len(cuts)} · {start_} to {end}" in said
            reason = boundary_reason(HARBOUR, cuts, chunk, configuration.splitter)
            assert f"begins {reason}" in said
        assert "tokens" in said
        assert "real overlap 0" in said
        await driver.press("escape")
        assert not isinstance(driver.app.screen, HereScreen)
        await driver.press("enter")
        assert isinstance(driver.app.screen, HereScreen)
        await driver.press("l")
        await driver.until(lambda: driver.session.configurations["A"].splitter.size == 44)
        assert not isinstance(driver.app.screen, HereScreen)


async def test_keys_typed_ahead_close_it_once_and_are_not_lost(start: Start) -> None:
    async with start() as driver:
        await driver.press("enter")
        screen = driver.app.screen
        assert isinstance(screen, HereScreen)
        for key in ("l", "enter", "h"):
            screen.post_message(Key(key, key))
        await driver.until(lambda: isinstance(driver.app.screen, HelpScreen))
        assert driver.main.is_attached
        await driver.until(lambda: driver.session.configurations["A"].splitter.size == 44)
