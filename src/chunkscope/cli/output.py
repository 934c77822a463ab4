"""What the commands print: data to stdout, everything else to stderr."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from chunkscope.cli.fitted import Column, FittedTable
from chunkscope.cli.streams import to_stdout
from chunkscope.golden.atomic import replace_file
from chunkscope.text.display import visible

_PIPED_WIDTH = 160


def say(message: str) -> None:
    """One line on stderr, outside text made visible."""
    # a message that nobody can read must not end the work
    with suppress(OSError):
        print(visible(message), file=sys.stderr)


def say_all(messages: Iterable[str]) -> None:
    """Each message once, in order, on stderr."""
    for message in dict.fromkeys(messages):
        say(message)


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """`value` as ASCII-escaped JSON on stdout."""
    with to_stdout():
        json.dump(value, sys.stdout, ensure_ascii=True, allow_nan=False, indent=indent)
        sys.stdout.write("\n")


def print_text(text: str) -> None:
    """`text` on stdout as it is, its own line end included."""
    with to_stdout():
        sys.stdout.write(text)


class _DataConsole(Console):
    """A console whose reader may leave."""

    def print(self, *objects: Any, **options: Any) -> None:
        with to_stdout():
            super().print(*objects, **options)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(stream: TextIO | None = None) -> Console:
    """A rich console on `stream` (stdout by default); wide when it is not a terminal."""
    stream = stream or sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else _PIPED_WIDTH
    return _DataConsole(file=stream, width=width, highlight=False, markup=False, emoji=False)


def table(title: str, columns: Sequence[tuple[str, Column]]) -> FittedTable:
    """An empty table; `columns` are (heading, kind) pairs, kinds as in `FittedTable`."""
    return FittedTable(visible(title), columns)


def add_row(made: Table, cells: Sequence[str], style: str | None = None) -> None:
    """Add a row of outside text, every character of it visible and none read as markup."""
    made.add_row(*(Text(visible(cell)) for cell in cells), style=style)


def number(value: float | None, digits: int = 3) -> str:
    """A measured number with `digits` decimals; a dash for what was not measured."""
    return "–" if value is None else f"{value:.{digits}f}"


def save_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, whole or not at all.

    Raises:
        InputError: when it cannot be written; the previous file stands.
    """
    replace_file(path, text.encode("utf-8"))


def save_json(path: Path, value: Any) -> None:
    """Write `value` as JSON to `path`, whole or not at all."""
    save_text(path, json.dumps(value, ensure_ascii=True, allow_nan=False, indent=2) + "\n")
