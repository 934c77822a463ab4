"""Numbers of an older change are never shown as if they were current."""

from inspector_driver import Held, Start, no_debounce

from chunkscope.tui.engine import Engine
from chunkscope.tui.lanes import Inline


async def test_every_number_on_the_screen_is_marked_until_the_new_ones_come(start: Start) -> None:
    held = Held()
    engine = Engine(executor=held, sweeper=Inline(), prover=Inline(), debounce=no_debounce)
    async with start(size=(120, 40), engine=engine, settle=False) as driver:
        await driver.pilot.pause()
        while driver.session.corpus is None or driver.session.stale:
            held.release()
            await driver.pilot.pause()
        driver.main.choose_question(0)
        await driver.pilot.pause()
        held.release()
        assert "measuring" not in driver.text("#tabs")
        assert " A … " not in driver.text("#question")
        await driver.pilot.press("l")
        await driver.pilot.pause()
        assert driver.session.stale
        assert "measuring …" in driver.text("#tabs")
        assert " A … " in driver.text("#question")
        assert "metrics …" in driver.lines("#metrics")[0]
        await driver.pilot.resize_terminal(80, 24)
        await driver.pilot.pause()
        for variant in ("A", "B"):
            line = driver.text(f"#variant-{variant}")
            assert line.index(" · … ") < line.index("recall")
        assert "… ✂ split" in driver.text("#question")
        while driver.session.stale:
            held.release()
            await driver.pilot.pause()
        assert "… ✂" not in driver.text("#question")
        assert " · … " not in driver.text("#variant-A")
