"""An inspector driven by keys and waited for by its own messages, never by the clock."""

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widget import Widget

from chunkscope.evaluation.configuration import Configuration
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.tui.app import InspectorApp
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


class Driver:
    """What a test does and sees."""

    def __init__(self, app: InspectorApp, pilot: Pilot[int], heard: asyncio.Event) -> None:
        self.app = app
        self.pilot = pilot
        self._heard = heard

    @property
    def session(self) -> Session:
        return self.app.session

    @property
    def main(self) -> MainScreen:
        return next(s for s in self.app.screen_stack if isinstance(s, MainScreen))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for the inspector's own messages until `condition` holds."""
        await self.pilot.pause()
        while not condition():
            self._heard.clear()
            await asyncio.wait_for(self._heard.wait(), 120)
            await self.pilot.pause()

    async def settle(self) -> None:
        """Wait until the numbers on the screen answer the newest change."""
        await self.until(lambda: self.session.corpus is not None and not self.session.stale)

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
