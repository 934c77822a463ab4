"""From a key press to the screen, in the inspector, headless: new boundaries, and all numbers.

    python benchmarks/live.py [--presses 40] [--save FILE]

The inspector runs with its own threads on made text: one document of 1 MB or 5 MB among others of
that size in all, 100 or 1,000 questions. Each key steps the size of A. Told are the median and the
95th percentile of three things: until the document is painted with its new boundaries, until the
numbers of A and B are those of the newest size, and the longest that the event loop was held up
meanwhile: what a person sees as a frozen frame. The same again while a sweep runs beside it, and
while the key is held (a press every 33 ms).
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from growth import write_made
from rich.console import Console
from rich.table import Table

from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.tui.app import InspectorApp
from chunkscope.tui.engine import Engine
from chunkscope.tui.reading import Opening
from chunkscope.tui.screens.main.base import Options
from chunkscope.tui.session import Session

SIZE = (120, 40)
TICK = 0.002
HELD = 0.033
A = Configuration(splitter=SplitterSettings(size=256, overlap="10%"))
B = Configuration(splitter=SplitterSettings(size=512, overlap="10%"))
CASES = ((1.0, 100), (1.0, 1000), (5.0, 100), (5.0, 1000))


@dataclass
class Times:
    """Seconds of each key press."""

    paint: list[float] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    frozen: list[float] = field(default_factory=list)


class Heartbeat:
    """The longest pause between two turns of the event loop since it was asked last."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self._longest = 0.0

    async def run(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            now = time.perf_counter()
            self._longest = max(self._longest, now - self._last - TICK)
            self._last = now

    def longest(self) -> float:
        found, self._longest = self._longest, 0.0
        return found


async def opened(folder: Path, work: Callable[[InspectorApp], Awaitable[None]]) -> None:
    """Run `work` in the inspector once the first numbers are there."""
    opening = Opening((folder / "docs",), folder / "golden.jsonl")
    session = Session(opening.paths, {"A": A, "B": B}, golden_path=opening.golden)
    app = InspectorApp(session, opening, engine=Engine(), options=Options())
    async with app.run_test(size=SIZE) as pilot:
        await until(lambda: session.corpus is not None and not session.stale)
        await pilot.pause()
        await work(app)


async def painted(app: InspectorApp) -> None:
    """Wait until the screen has drawn what is known now."""
    drawn = asyncio.Event()
    app.screen.call_after_refresh(drawn.set)
    await drawn.wait()


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - what is measured must not be changed to tell
        await asyncio.sleep(TICK)


async def stepped(app: InspectorApp, presses: int) -> Times:
    """One key at a time, each answered before the next."""
    times, session, heart = Times(), app.session, Heartbeat()
    beating = asyncio.create_task(heart.run())
    for number in range(presses):
        heart.longest()
        key = "l" if number % 20 < 10 else "k"
        before = session.generation
        began = time.perf_counter()
        app.simulate_key(key)
        await until(
            lambda before=before: (
                session.generation > before and session.chunks_generation == session.generation
            )
        )
        await painted(app)
        times.paint.append(time.perf_counter() - began)
        await until(lambda: not session.stale)
        await painted(app)
        times.numbers.append(time.perf_counter() - began)
        times.frozen.append(heart.longest())
    beating.cancel()
    return times


async def held(app: InspectorApp, presses: int) -> Times:
    """The key held down: how far the screen is behind the newest press, and the last numbers."""
    times, session, heart = Times(), app.session, Heartbeat()
    beating = asyncio.create_task(heart.run())
    for _ in range(presses):
        before = session.generation
        began = time.perf_counter()
        app.simulate_key("l")
        shown = None
        while time.perf_counter() - began < HELD:
            await asyncio.sleep(TICK)
            if shown is None and session.chunks_generation > before:
                await painted(app)
                shown = time.perf_counter() - began
        if shown is not None:
            times.paint.append(shown)
    last = time.perf_counter()
    await until(lambda: not session.stale)
    await painted(app)
    times.numbers.append(time.perf_counter() - last)
    times.frozen.append(heart.longest())
    beating.cancel()
    return times


async def measured(folder: Path, presses: int) -> dict[str, Times]:
    found: dict[str, Times] = {}

    async def work(app: InspectorApp) -> None:
        await stepped(app, 10)
        found["a key"] = await stepped(app, presses)
        found["key held"] = await held(app, presses)
        app.simulate_key("r")
        await asyncio.sleep(0.2)
        found["a key, sweep running"] = await stepped(app, presses)

    await opened(folder, work)
    return found


def shown(seconds: list[float]) -> str:
    """Median and 95th percentile in ms."""
    if not seconds:
        return "–"
    ordered = sorted(seconds)
    high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"{statistics.median(ordered) * 1e3:.0f} / {high * 1e3:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=40)
    parser.add_argument("--save", type=Path, help="write every time as JSON, too")
    arguments = parser.parse_args()
    table = Table(title=f"milliseconds, median / 95th percentile, at {SIZE[0]}×{SIZE[1]}")
    for column in ("text", "questions", "", "boundaries painted", "all numbers", "longest hold-up"):
        table.add_column(column, justify="right")
    saved = []
    for megabytes, questions in CASES:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            characters = int(megabytes * 1_000_000)
            write_made(folder / "docs", folder / "golden.jsonl", characters, questions)
            for name, times in asyncio.run(measured(folder, arguments.presses)).items():
                table.add_row(
                    f"{megabytes:g} MB",
                    str(questions),
                    name,
                    shown(times.paint),
                    shown(times.numbers),
                    f"{max(times.frozen) * 1e3:.0f}",
                )
                saved.append({"mb": megabytes, "questions": questions, "what": name,
                              **vars(times)})  # fmt: skip
    Console(width=110).print(table)
    if arguments.save is not None:
        arguments.save.write_text(json.dumps(saved) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
