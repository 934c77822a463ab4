"""An inspector driven by keys and waited for by its own messages, never by the clock."""

import asyncio
import inspect
import re
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from textual.events import Callback
from textual.geometry import Region
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

from chunkscope.evaluation.configuration import Configuration
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.tui.app import InspectorApp
from chunkscope.tui.engine import Engine
from chunkscope.tui.lanes import Inline
from chunkscope.tui.screens.main.screen import MainScreen
from chunkscope.tui.session import Session

HARBOUR = """# Harbour rules

Pilots board at the outer buoy. The pilot boat leaves every hour.

## Limits

The largest draught is nine metres. Above that the tide decides.

## Fees

A berth costs forty euros a night. Water is free of charge.
"""
LIGHTS = """Lamps are lit at dusk.

The keeper climbs the tower twice a night. The tower has ninety steps.
"""
GOLDEN = (
    '{"id": "draught", "question": "What is the largest draught?", "doc": "harbour.md", '
    '"evidence": [{"text": "The largest draught is nine metres. Above that the tide decides."}]}\n'
    '{"id": "steps", "question": "How many steps has the tower?", "doc": "lights.txt", '
    '"evidence": [{"text": "The tower has ninety steps."}]}\n'
    '{"id": "moon", "question": "Who pays for the moon?", "doc": "lights.txt", '
    '"evidence": [{"text": "Nobody pays for the moon, as far as anyone knows."}]}\n'
)

A = Configuration(
    splitter=SplitterSettings(size=40, overlap=0, unit="characters"),
    retriever=RetrieverSettings(k=(2, 4)),
)
B = Configuration(
    splitter=SplitterSettings(size=80, overlap=0, unit="characters"),
    retriever=RetrieverSettings(k=(2, 4)),
)


MOST_SECONDS = 120
"""No wait lasts so long unless something is broken; nothing else depends on it."""

WAITING = {"textual.pilot", __name__}
"""Modules whose callbacks only tell that a queue is empty."""


async def no_debounce() -> None:
    """Work at once."""


class Held(Executor):
    """Keeps jobs until they are let go, one by one."""

    def __init__(self) -> None:
        self.jobs: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.jobs.append((future, lambda: fn(*args, **kwargs)))
        return future

    def release(self) -> None:
        """Run everything that is held."""
        jobs, self.jobs = self.jobs, []
        for future, call in jobs:
            if future.set_running_or_notify_cancel():
                future.set_result(call())
            else:
                call()


class Heard:
    """Counts the messages that any part of the inspector takes up, and tells who waits for one.

    A message is counted before it is handled: who waits drains the queues, then looks.
    """

    def __init__(self) -> None:
        self.count = 0
        self._more = asyncio.Event()

    def hear(self, message: Message) -> None:
        """The app's message hook; what the waiting itself sends is not counted."""
        callback = message.callback if isinstance(message, Callback) else None
        if isinstance(callback, partial) and callback.func.__module__ in WAITING:
            return
        self.count += 1
        self._more.set()

    async def beyond(self, count: int) -> None:
        """Wait for a message after the `count`-th; at once where there was one already."""
        while self.count <= count:
            self._more.clear()
            await self._more.wait()


class Driver:
    """What a test does and sees."""

    def __init__(self, app: InspectorApp, pilot: Pilot[int], heard: Heard) -> None:
        self.app = app
        self.pilot = pilot
        self._heard = heard

    @property
    def session(self) -> Session:
        return self.app.session

    @property
    def main(self) -> MainScreen:
        return next(s for s in self.app.screen_stack if isinstance(s, MainScreen))

    @property
    def failures(self) -> list[BaseException | None]:
        """Defects that the inspector met and told its user of."""
        return [f for s in self.app.screen_stack if isinstance(s, MainScreen) for f in s.failures]

    @property
    def at_work(self) -> list[str]:
        """Groups of the engine's work that is not finished."""
        return [worker.group for worker in self.app.workers if not worker.is_finished]

    def at_work_on(self, group: str) -> bool:
        """Whether the engine's work of one group is not finished."""
        return group in self.at_work

    @property
    def answered(self) -> bool:
        """Whether all is furnished and the numbers on the screen answer the newest change."""
        return (
            self.session.corpus is not None
            and not self.session.stale
            and self.main.furnished
            and not self.at_work
        )

    async def until(self, condition: Callable[[], bool], what: str = "") -> None:
        """Wait for the inspector's own messages until `condition` holds; `what` says it in words.

        Whatever changes follows from a message that is handled, or is told by one: a worker's
        end, the engine's answers. So no change after the look is missed: its message is counted.
        """
        try:
            async with asyncio.timeout(MOST_SECONDS):
                while True:
                    seen = self._heard.count
                    await self.drain()
                    if condition():
                        return
                    assert self.app.is_running, f"the inspector ended before {_words(condition)}"
                    assert self.failures == []
                    await self._heard.beyond(seen)
        except TimeoutError:
            raise AssertionError(
                f"in vain for {MOST_SECONDS} s: {what or _words(condition)}; {self._state()}"
            ) from None

    async def drain(self) -> None:
        """Wait until every screen has handled what was sent to it, and is drawn."""
        for screen in self.app.screen_stack[:-1]:
            # The pilot waits for the screen on top only.
            handled = asyncio.Event()
            if screen.call_later(_mark, handled):
                await handled.wait()
        await self.pilot.pause(0)

    async def settle(self) -> None:
        """Wait until the numbers on the screen answer the newest change and all is at rest."""
        quiet = 0
        # Drawing sends messages too, so one quiet look is followed by another.
        while quiet < 2:
            seen = self._heard.count
            await self.until(lambda: self.answered, "numbers that answer the newest change")
            quiet = quiet + 1 if self._heard.count == seen else 0

    def _state(self) -> str:
        session = self.session
        parts = {
            "documents read": session.corpus is not None,
            "numbers stale": session.stale,
            "at work": self.at_work,
            "screens": [type(screen).__name__ for screen in self.app.screen_stack],
            "messages": self._heard.count,
        }
        return ", ".join(f"{name}: {value}" for name, value in parts.items())

    async def press(self, *keys: str) -> None:
        """Press keys, then wait for what follows from them."""
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """Type into the focused field."""
        names = {" ": "space", "\n": "enter", ".": "full_stop", ",": "comma", "%": "percent_sign"}
        await self.pilot.press(*(names.get(character, character) for character in text))
        await self.pilot.pause()

    def lines(self, selector: str | Widget) -> list[str]:
        """A widget and what is in it as drawn, borders included, a string a line."""
        top = self.app.screen.query_one(selector) if isinstance(selector, str) else selector
        area = top.region
        grid = [[" "] * area.width for _ in range(area.height)]
        for widget in top.walk_children(with_self=True):
            if isinstance(widget, Widget) and widget.region and _is_drawn(widget):
                _draw(widget, area, grid)
        return ["".join(row) for row in grid]

    def text(self, selector: str | Widget) -> str:
        """The same as one string."""
        return "\n".join(self.lines(selector))

    def words(self, selector: str | Widget) -> str:
        """The same without frames and line ends, for sentences that are wrapped."""
        return " ".join(re.sub(r"[│╭╮╰╯─]", " ", self.text(selector)).split())

    def toasts(self) -> list[str]:
        """What was said in toasts, newest last."""
        return [str(toast.render()) for toast in self.app.screen.query("Toast")]


Start = Callable[..., AbstractAsyncContextManager[Driver]]


@asynccontextmanager
async def driven(
    app: InspectorApp, *, size: tuple[int, int] = (120, 40), settle: bool = True
) -> AsyncIterator[Driver]:
    """Run an inspector headless; `settle`: until its first numbers stand there."""
    # A toast that a test looks for must not have gone on a loaded machine.
    app.NOTIFICATION_TIMEOUT = 3600  # type: ignore[misc]
    heard = Heard()
    async with app.run_test(size=size, notifications=True, message_hook=heard.hear) as pilot:
        driver = Driver(app, pilot, heard)
        if settle:
            await driver.settle()
        yield driver
        assert driver.failures == []


def inline_engine() -> Engine:
    """An engine that works in the loop's own thread, at once."""
    return Engine(
        executor=Inline(), sweeper=Inline(), prover=Inline(), opener=Inline(), debounce=no_debounce
    )


def _mark(handled: asyncio.Event) -> None:
    handled.set()


def _words(condition: Callable[[], bool]) -> str:
    try:
        return " ".join(inspect.getsource(condition).split())
    except OSError:
        return repr(condition)


def _is_drawn(widget: Widget) -> bool:
    return all(node.display for node in widget.ancestors_with_self if isinstance(node, Widget))


def _draw(widget: Widget, area: Region, grid: list[list[str]]) -> None:
    region = widget.region
    parent = widget.parent
    seen = region.intersection(area)
    if isinstance(parent, Widget):
        seen = seen.intersection(parent.region)
    strips = widget.render_lines(Region(0, 0, region.width, region.height))
    for y, strip in enumerate(strips, region.y):
        x = region.x
        for character in strip.text:
            cells = cell_len(character)
            if seen.contains(x, y):
                grid[y - area.y][x - area.x] = character
                for extra in range(1, cells):
                    if seen.contains(x + extra, y):
                        grid[y - area.y][x + extra - area.x] = ""
            x += cells


def read_text(path: Path | str) -> str:
    """A file's text, line ends untouched."""
    return Path(path).read_bytes().decode("utf-8")


def list_files(folder: Path | str = ".") -> list[str]:
    """Names in a folder, in order."""
    return sorted(path.name for path in Path(folder).iterdir())
