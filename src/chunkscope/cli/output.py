"""What the commands print: data to stdout, everything else to stderr."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from chunkscope.cli.streams import to_stdout
from chunkscope.golden.atomic import replace_file
from chunkscope.text.display import visible

Column = Literal["left", "right", "wrap", "fill"]

_PIPED_WIDTH = 160
_AT_LEAST: dict[Column, int] = {"fill": 10, "wrap": 20}


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


def table(title: str, columns: Sequence[tuple[str, Column]]) -> Table:
    """An empty table; `columns` are (heading, kind) pairs.

    A kind is `left`, `right`, `wrap` (folded over lines) or `fill` (the width that is left, cut
    with an ellipsis).
    """
    filling = any(kind == "fill" for _heading, kind in columns)
    made = Table(
        title=Text(visible(title)) if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        expand=filling,
    )
    for heading, kind in columns:
        made.add_column(
            Text(heading),
            justify="right" if kind == "right" else "left",
            no_wrap=kind != "wrap",
            overflow="fold" if kind == "wrap" else "ellipsis",
            ratio=1 if kind == "fill" else None,
            min_width=_AT_LEAST.get(kind),
        )
    return made


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
