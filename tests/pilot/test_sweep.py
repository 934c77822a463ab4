"""The Sweep panel: rows as they come, the plot, the advice, a row taken into B."""

from dataclasses import replace

from inspector_driver import A, B, Driver, Start, no_debounce
from textual.widgets import Input

from chunkscope.tui.engine import Engine
from chunkscope.tui.lanes import Inline
from chunkscope.tui.messages import SweepEnded
from chunkscope.tui.views.sweep import Point, older_reason, told_apart
from chunkscope.tui.widgets.heat_map import HeatCell, grid, stepped
from chunkscope.tui.widgets.sweep_panel import SweepPanel
from chunkscope.tui.widgets.sweep_plot import ASCII, draw


async def sweep(driver: Driver, sizes: str, overlaps: str) -> SweepPanel:
    panel = driver.app.screen.query_one(SweepPanel)
    driver.app.screen.query_one("#sweep-sizes", Input).value = sizes
    driver.app.screen.query_one("#sweep-overlaps", Input).value = overlaps
    await driver.pilot.press("r")
    await driver.until(lambda: driver.session.sweep is not None)
    await driver.pilot.pause()
    return panel


async def test_a_sweep_shows_rows_plot_and_advice(start: Start) -> None:
    async with start(size=(200, 60)) as driver:
        panel = await sweep(driver, "40,80,160", "0")
        rows = driver.lines("#sweep-rows")[1:4]
        done = driver.session.sweep
        for line, row in zip(rows, done.rows, strict=True):
            cells = line.replace("▸", " ").replace("◆", " ").split()
            assert cells[0] == str(row.configuration.splitter.size)
            assert cells[1] == "0"
            assert cells[2] == str(row.evaluation.statistics.count)
            assert cells[3] == f"{row.evaluation.metrics['recall']:.3f}"
            assert cells[5] == f"{row.evaluation.metrics['coverage']:.3f}"
        advised = [line for line in rows if "◆" in line]
        assert len(advised) == (done.advice.pick is not None)
        assert panel.state in {"done: 3 rows", "done: 3 rows · provisional"}
        assert panel.advice[0].strip()[:30] == done.advice.reasons[0][:30]
        plot = driver.text("#sweep-plot")
        assert "recall" in plot
        assert "●" in plot or "◉" in plot
        for size in ("40", "80", "160"):
            assert size in plot.split("\n")[-1]


async def test_enter_takes_a_row_into_b(start: Start) -> None:
    async with start() as driver:
        await sweep(driver, "40,60", "0,5")
        await driver.press("3", "home", "down", "down", "enter")
        assert driver.session.configurations["B"].splitter.size == 60
        assert driver.session.configurations["B"].splitter.overlap == 0
        assert driver.session.shown == "B"
        assert "B is recursive 60/0 now" in driver.toasts()[-1]


async def test_pairs_that_cannot_be_are_left_out_with_the_reason(start: Start) -> None:
    async with start(size=(200, 60)) as driver:
        panel = await sweep(driver, "10,40", "0,20")
        assert len(driver.session.sweep.rows) == 3
        assert "left out: " in " ".join(panel.advice)


async def test_a_sweep_without_questions_is_refused(start: Start) -> None:
    async with start(golden=False) as driver:
        await driver.press("r")
        assert "a sweep needs questions" in driver.toasts()[-1]


async def test_nonsense_sizes_are_refused_beside_the_fields(start: Start) -> None:
    async with start(size=(200, 60)) as driver:
        panel = driver.app.screen.query_one(SweepPanel)
        driver.app.screen.query_one("#sweep-sizes", Input).value = "forty"
        await driver.press("r")
        assert "forty" in panel.state
        assert driver.session.sweep is None


async def test_a_stopped_sweep_keeps_its_rows(start: Start) -> None:
    engine = Engine(executor=Inline(), sweeper=Inline(), prover=Inline(), debounce=no_debounce)
    async with start(engine=engine) as driver:
        rows = 0
        post = driver.main.post_message

        def stop_at_first(message: object) -> bool:
            nonlocal rows
            if type(message).__name__ == "SweepRowReady":
                rows += 1
                engine.stop_sweep()
            return post(message)  # type: ignore[arg-type]

        engine.attach(stop_at_first)
        panel = await sweep(driver, "40,60,80,100", "0")
        assert rows == 1
        assert len(driver.session.sweep.rows) == 1
        assert panel.state.startswith("stopped: 1 row")


async def test_an_older_sweep_is_dropped(start: Start) -> None:
    async with start() as driver:
        await sweep(driver, "40,60", "0")
        kept = driver.session.sweep
        driver.main.post_message(SweepEnded(run=0, sweep=None, reason="old"))
        await driver.pilot.pause()
        assert driver.session.sweep is kept
        assert driver.app.screen.query_one(SweepPanel).state.startswith("done")


def test_the_plot_places_points_by_value() -> None:
    points = [
        Point("64", 0.0, 0.5, 100.0, advised=False),
        Point("128", 1.0, 1.0, 200.0, advised=True),
    ]
    lines = ["".join(text for text, _role in line) for line in draw(points, 45, 14, marks=ASCII)]
    assert lines[0].startswith(" * recall  o coverage")
    top, bottom = lines[1], lines[11]
    assert top.startswith("1.0")
    assert bottom.startswith("0.0")
    assert bottom.count("*") == 1
    assert top.count("@") == 1
    assert bottom.index("*") < top.index("@")
    assert lines[6].startswith("0.5")
    assert "o" in lines[6]
    assert lines[12].index("#") == top.index("@")
    assert lines[13].split() == ["size", "64", "128"]


def test_the_plot_leaves_out_what_is_not_measured() -> None:
    points = [Point("64", None, None, None, advised=False)]
    lines = ["".join(text for text, _role in line) for line in draw(points, 40, 10, marks=ASCII)]
    assert all(mark not in line for line in lines[1:] for mark in "*o@")


def test_the_plot_needs_room() -> None:
    assert draw([Point("64", 1.0, 1.0, 1.0, advised=False)], 10, 3) == []


def test_the_heat_map_tells_by_digits() -> None:
    cells = [
        HeatCell(64, "0", 0.25, advised=False),
        HeatCell(64, "10%", 0.5, advised=False),
        HeatCell(128, "0", 1.0, advised=True),
        HeatCell(128, "10%", None, advised=False),
    ]
    lines = grid(cells, 1)
    texts = ["".join(text for text, _role in line) for line in lines]
    assert texts[0].split() == ["recall", "64", "128"]
    assert texts[1].split() == ["0", "25", "◆", "100"]
    assert texts[2].split() == ["10%", "[", "50]", "--"]
    assert len({len(text) for text in texts}) == 1
    assert lines[1][1][1] == "shade-0"
    assert lines[1][2][1] == "shade-4"


async def test_the_heat_map_stands_beside_the_table(start: Start) -> None:
    async with start(size=(200, 60)) as driver:
        await sweep(driver, "40,60,80", "0,5,10")
        heat = driver.text("#sweep-heat")
        for row in driver.session.sweep.rows:
            assert str(round(row.evaluation.metrics["recall"] * 100)) in heat
        assert heat.count("[") == 1


async def test_on_a_narrow_screen_the_map_stands_in_for_the_table(start: Start) -> None:
    async with start(size=(120, 40)) as driver:
        panel = await sweep(driver, "40,60,80", "0,5,10")
        assert not driver.app.screen.query_one("#sweep-rows").display
        heat = driver.text("#sweep-heat")
        for row in driver.session.sweep.rows:
            assert str(round(row.evaluation.metrics["recall"] * 100)) in heat
        assert "knee, advised" in heat
        assert driver.app.screen.query_one("#sweep-plot").region.width >= 26
        await driver.press("3")
        assert driver.app.focused is driver.app.screen.query_one("#sweep-heat")
        await driver.press("3")
        assert driver.app.screen.query_one("#sweep-rows").display
        assert driver.app.focused is driver.app.screen.query_one("#sweep-rows")
        await driver.press("3")
        assert panel.entry is driver.app.focused
        assert not driver.app.screen.query_one("#sweep-rows").display


async def test_the_cell_under_the_cursor_is_b(start: Start) -> None:
    async with start(size=(120, 40)) as driver:
        await sweep(driver, "40,60,80", "0,5,10")
        await driver.press("3", "left", "left", "up", "up", "right", "left")
        assert driver.session.configurations["B"].splitter.size == 40
        await driver.press("right")
        assert driver.session.configurations["B"].splitter.size == 60
        assert driver.session.configurations["B"].splitter.overlap == 0
        await driver.press("down", "down")
        assert driver.session.configurations["B"].splitter.overlap == 10
        assert "recursive 60/10" in driver.text("#question")
        before = len(driver.toasts())
        await driver.press("enter")
        assert driver.app.focused is driver.main.document_view
        assert len(driver.toasts()) == before + 1


async def test_a_walk_over_the_map_is_taken_back_in_one_step(start: Start) -> None:
    async with start(size=(120, 40)) as driver:
        await driver.press("v", "l")
        before = driver.session.configurations["B"]
        await sweep(driver, "40,60,80", "0,5,10")
        await driver.press("3", "left", "up", "left", "down", "right")
        assert driver.session.configurations["B"] != before
        await driver.press("u")
        assert driver.session.configurations["B"] == before
        await driver.press("u")
        assert driver.session.configurations["B"] == B


async def test_the_map_fills_in_live(start: Start) -> None:
    engine = Engine(executor=Inline(), sweeper=Inline(), prover=Inline(), debounce=no_debounce)
    async with start(engine=engine, size=(120, 40)) as driver:
        seen: list[str] = []
        post = driver.main.post_message

        def stop_at_second(message: object) -> bool:
            if type(message).__name__ == "SweepRowReady":
                seen.append("row")
                if len(seen) == 2:
                    engine.stop_sweep()
            return post(message)  # type: ignore[arg-type]

        engine.attach(stop_at_second)
        panel = driver.app.screen.query_one(SweepPanel)
        shown: list[str] = []
        draw_rows = panel.show

        def watch(*arguments: object, **named: object) -> None:
            draw_rows(*arguments, **named)  # type: ignore[arg-type]
            heat = driver.app.screen.query_one("#sweep-heat")
            shown.append("".join(heat.texts))

        panel.show = watch  # type: ignore[method-assign]
        await sweep(driver, "40,60,80", "0,5,10")
        assert [text.count("·") for text in shown] == [9, 8, 7, 0]


def test_steps_over_the_map_stay_on_measured_cells() -> None:
    cells = [
        HeatCell(64, "0", 0.25, advised=False),
        HeatCell(64, "10%", 0.5, advised=False),
        HeatCell(128, "0", 1.0, advised=True),
        HeatCell(128, "10%", None, advised=False, pending=True),
    ]
    assert stepped(cells, 0, 1, 0) == 2
    assert stepped(cells, 0, 0, 1) == 1
    assert stepped(cells, 2, 0, 1) == 2
    assert stepped(cells, 0, -1, 0) == 0
    assert "".join(text for text, _role in grid(cells, 0)[2]).split() == ["10%", "50", "·"]


async def test_rows_of_an_older_a_are_said_to_be(start: Start) -> None:
    async with start(size=(200, 60)) as driver:
        panel = await sweep(driver, "40,60,80", "0,5,10")
        await driver.press("l")
        assert panel.state.startswith("done")
        assert driver.text("#sweep-heat").strip("▏ ").startswith("recall")
        driver.main.change("A", replace(A, retriever=replace(A.retriever, k=(1,))))
        await driver.settle()
        assert panel.state.startswith("older: A has another k now, r sweeps again")
        assert driver.text("#sweep-heat").strip("▏ ").startswith("older")
        assert driver.text("#sweep-plot").strip().startswith("older: ")
        await driver.press("u")
        assert panel.state.startswith("done")
        assert driver.text("#sweep-heat").strip("▏ ").startswith("recall")
        driver.main.choose_question(0)
        await driver.press("t", "x")
        assert panel.state.startswith("older: the questions are others now")
        await sweep(driver, "40,60", "0")
        await driver.until(lambda: panel.state.startswith("done"))


async def test_a_small_screen_says_how_far_it_is(start: Start) -> None:
    async with start(size=(80, 24)) as driver:
        assert "3 Sweep" in driver.text("#tabs")
        await sweep(driver, "40,60", "0")
        tabs = driver.text("#tabs")
        assert "3 Sweep" in tabs
        assert "done: 2 rows" in tabs
        await driver.press("1")
        assert "done" not in driver.text("#tabs")
        assert "7 Compare" in driver.text("#tabs")


async def test_advice_that_does_not_fit_is_scrolled(start: Start) -> None:
    async with start(size=(80, 24)) as driver:
        panel = await sweep(driver, "40,60,80,160", "0,5,10")
        await driver.press("3", "z")
        panel.advise([f"sentence {number} of the advice" for number in range(20)])
        await driver.pilot.pause()
        first = driver.text("#sweep-advice")
        assert "(20 lines: Tab, arrows) sentence 0 of the advice" in first
        assert "sentence 19" not in first
        driver.app.screen.query_one("#sweep-advice").focus()
        b = driver.session.configurations["B"]
        await driver.press("end")
        assert "sentence 19 of the advice" in driver.text("#sweep-advice")
        await driver.press("enter")
        assert driver.session.configurations["B"] == b


async def test_how_each_row_stands_to_the_best_is_said_in_words(start: Start) -> None:
    async with start(size=(200, 60)) as driver:
        await sweep(driver, "8,40,160", "0")
        done = driver.session.sweep
        said = told_apart(done)
        best = done.compared[done.comparison.best]
        assert said[best] == "best recall"
        for place, number in enumerate(done.compared):
            if number != best:
                assert (said[number] == "worse") == done.comparison.ruled_out[place]
        rows = driver.lines("#sweep-rows")[1:4]
        assert all(said[number] in line for number, line in enumerate(rows))


def test_other_settings_than_those_swept_make_rows_old() -> None:
    size = replace(A, splitter=replace(A.splitter, size=99, overlap=3))
    assert older_reason(A, size) == ""
    other = replace(size, splitter=replace(size.splitter, keep_separator="start", regex=True))
    assert older_reason(A, other) == "A has another keep separator, regex now"


def test_the_legend_says_what_fits() -> None:
    points = [Point("64", 0.5, 0.5, 1234.0, advised=False)]
    for width, expected in (
        (60, " * recall  o coverage  : context, up to 1234 tokens"),
        (40, " * recall  o coverage  : tokens ≤1234"),
        (26, "* rec o cov : ≤1234"),
    ):
        first = draw(points, width, 10, marks=ASCII)[0]
        assert "".join(text for text, _role in first) == expected
