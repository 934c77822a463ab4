"""Rows of a sweep shown on the terminal as they come."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from chunkscope.cli.output import console, number
from chunkscope.evaluation.sweepresults import SweepRow
from chunkscope.text.display import visible


class ShownRows:
    """Draws nothing: standard error is no terminal."""

    def row(self, row: SweepRow) -> None:
        """A row was measured."""

    def phase(self, done: int, total: int) -> None:
        """So many boundary phases of `total` were tried."""

    def cut(self, done: int, total: int) -> None:
        """So many characters of `total` were cut, where that goes part by part."""

    def model(self, model: str, done: int, total: int) -> None:
        """A model has embedded so many texts of `total`."""


class _TerminalRows(ShownRows):
    def __init__(self, bar: Progress, total: int) -> None:
        self._bar = bar
        self._task = bar.add_task("sweeping", total=total)
        self._phases = False
        self._model = bar.add_task("embedding", visible=False)
        self._cut = bar.add_task("cutting, MB", visible=False)

    def row(self, row: SweepRow) -> None:
        metrics = row.evaluation.metrics
        context = number(metrics.get("context_tokens"), 0)
        parts = (
            visible(row.label),
            f"recall {number(metrics.get('recall'))}",
            f"coverage {number(metrics.get('coverage'))}",
            f"{context} tokens of context",
        )
        self._bar.console.print("  ".join(parts), soft_wrap=True)
        self._bar.advance(self._task)

    def phase(self, done: int, total: int) -> None:
        if not self._phases:
            self._phases = True
            self._bar.reset(self._task, description="boundary phases")
        self._bar.update(self._task, completed=done, total=total)

    def cut(self, done: int, total: int) -> None:
        million = 1_000_000
        self._bar.update(
            self._cut,
            completed=done // million,
            total=-(-total // million),
            visible=done < total,
        )

    def model(self, model: str, done: int, total: int) -> None:
        self._bar.update(
            self._model,
            description=visible(model),
            completed=done,
            total=total,
            visible=done < total,
        )


@contextmanager
def rows_on_terminal(total: int) -> Iterator[ShownRows]:
    """A line a row on standard error, where that is a terminal, and a bar until the end.

    Args:
        total: rows to come.
    """
    if not sys.stderr.isatty():
        yield ShownRows()
        return
    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*parts, TimeElapsedColumn(), console=console(sys.stderr), transient=True) as bar:
        yield _TerminalRows(bar, total)
