"""Opening, stale results, and leaving: what happens while work is under way."""

from threading import Event, current_thread, main_thread

from inspector_driver import Held, Start, no_debounce

from chunkscope.tui.engine import Engine
from chunkscope.tui.lanes import Inline, Lane


def held_engine() -> tuple[Engine, Held]:
    held = Held()
    return Engine(executor=held, sweeper=Inline(), prover=Inline(), debounce=no_debounce), held


async def test_the_screen_stands_before_the_documents_are_read(start: Start) -> None:
    engine, held = held_engine()
    async with start(engine=engine, settle=False) as driver:
        await driver.pilot.pause()
        assert "reading documents …" in driver.text("#title")
        await driver.main.furnish()
        await driver.pilot.pause()
        assert "recursive" in driver.text("#settings")
        assert driver.session.corpus is None
        await driver.pilot.press(*"xcblkopvmryefw")
        await driver.pilot.press("escape")
        await driver.pilot.pause()
        assert driver.session.corpus is None
        while driver.session.corpus is None or driver.session.stale:
            held.release()
            await driver.pilot.pause()
        assert "2 documents" in driver.text("#title")


async def test_old_boundaries_stay_until_the_new_ones_are_there(start: Start) -> None:
    engine, held = held_engine()
    async with start(engine=engine, settle=False) as driver:
        while driver.session.corpus is None or driver.session.stale:
            held.release()
            await driver.pilot.pause()
        cuts = driver.session.visible_cuts["A"]
        numbers = driver.session.numbers
        await driver.pilot.press("l")
        await driver.pilot.pause()
        assert driver.session.configurations["A"].splitter.size == 44
        assert driver.session.visible_cuts["A"] is cuts
        assert driver.session.numbers is numbers
        assert driver.session.stale
        assert "metrics …" in driver.lines("#metrics")[0]
        held.release()
        await driver.pilot.pause()
        assert not driver.session.stale
        assert driver.session.visible_cuts["A"] is not cuts
        assert "metrics …" not in driver.lines("#metrics")[0]


async def test_results_of_an_older_change_are_dropped(start: Start) -> None:
    engine, held = held_engine()
    async with start(engine=engine, settle=False) as driver:
        while driver.session.corpus is None or driver.session.stale:
            held.release()
            await driver.pilot.pause()
        await driver.pilot.press("l")
        await driver.pilot.pause()
        late, held.jobs = held.jobs, []
        await driver.pilot.press("l")
        await driver.pilot.pause()
        held.release()
        await driver.pilot.pause()
        assert driver.session.configurations["A"].splitter.size == 48
        newest = driver.session.visible_cuts["A"]
        numbers = driver.session.numbers
        held.jobs = late
        held.release()
        await driver.pilot.pause()
        assert driver.session.visible_cuts["A"] is newest
        assert driver.session.numbers is numbers
        assert numbers.evaluations["A"].configuration.splitter.size == 48


async def test_leaving_does_not_wait_for_a_running_job(start: Start) -> None:
    lane = Lane("test")
    engine = Engine(executor=lane, sweeper=Inline(), prover=Inline(), debounce=no_debounce)
    running, never = Event(), Event()
    async with start(engine=engine) as driver:
        job = lane.submit(lambda: (running.set(), never.wait()))
        assert running.wait(30)
        await driver.pilot.press("l")
        await driver.pilot.press("q")
        await driver.pilot.pause()
    assert driver.app.return_code == 0
    assert not job.done()
    never.set()


def test_a_lane_works_in_order_in_one_daemon_thread() -> None:
    lane = Lane("test")
    threads = []

    def note(number: int) -> int:
        threads.append(current_thread())
        return number

    futures = [lane.submit(note, number) for number in range(5)]
    assert [future.result(30) for future in futures] == [0, 1, 2, 3, 4]
    assert len(set(threads)) == 1
    assert threads[0].daemon
    assert threads[0] is not main_thread()
