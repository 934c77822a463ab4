"""A progress bar for anything that takes over a second, on a terminal only."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from chunkscope.cli.output import console

Advance = Callable[[int, int], None]

_SHOW_AFTER_SECONDS = 1.0


@contextmanager
def progress(what: str, *, shown: bool = True) -> Iterator[Advance]:
    """Gives `advance(done, total)`; nothing is drawn in the first second or off a terminal."""
    if not shown or not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    bar = Progress(*parts, TimeElapsedColumn(), console=console(sys.stderr), transient=True)
    task = bar.add_task(what, total=None)
    began = time.monotonic()
    started = False

    def advance(done: int, total: int) -> None:
        nonlocal started
        if not started and time.monotonic() - began > _SHOW_AFTER_SECONDS:
            bar.start()
            started = True
        bar.update(task, completed=done, total=total)

    try:
        yield advance
    finally:
        if started:
            bar.stop()
