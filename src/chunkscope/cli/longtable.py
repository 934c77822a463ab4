"""A table of any length: its rows stand in a temporary file until they are printed."""

import io
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, cast

from rich.cells import cell_len, set_cell_size
from rich.console import Console

from chunkscope.cli.fitted import Column, FittedTable, RowLayout
from chunkscope.cli.output import add_row, console, table
from chunkscope.cli.streams import write_out
from chunkscope.text.display import visible
from chunkscope.text.temporary import temporary_unwritable

_ROWS = 500
"""Rows that are laid out together."""


class LongTable:
    """Rows as `output.table` shows them, in memory that does not grow with their number.

    Widths are those of the whole table: of each column its widest cell and the cell with its
    longest word are remembered, and laid out unseen with every block of rows.
    """

    def __init__(self, columns: Sequence[tuple[str, Column]]) -> None:
        """An empty table; `columns` are (heading, kind) pairs."""
        self._columns = tuple(columns)
        self._widest = [""] * len(self._columns)
        self._longest = [""] * len(self._columns)
        self._widths = [(0, 0)] * len(self._columns)
        try:
            self._file = tempfile.TemporaryFile(  # noqa: SIM115 - closed when the table is
                "w+", encoding="ascii", prefix="chunkscope-"
            )
        except OSError as error:
            raise temporary_unwritable(error) from None

    def close(self) -> None:
        """Let go of the rows."""
        self._file.close()

    def add(self, cells: Sequence[str]) -> None:
        """Add a row of outside text.

        Raises:
            InputError: when the temporary file cannot be written.
        """
        for column, cell in enumerate(cells):
            if cell != self._widest[column]:
                self._measure(column, cell)
        try:
            self._file.write(json.dumps(cells) + "\n")
        except OSError as error:
            raise temporary_unwritable(error) from None

    def print(self, title: str, *, without: Sequence[str] = ()) -> bool:
        """Print it, some columns left out; whether it was read to the end.

        Raises:
            InputError: when the temporary file or stdout cannot be written.
        """
        kept = [
            number for number, (heading, _) in enumerate(self._columns) if heading not in without
        ]
        columns = [self._columns[number] for number in kept]
        unseen = [[row[number] for number in kept] for row in (self._widest, self._longest)]
        try:
            self._file.seek(0)
        except OSError as error:
            raise temporary_unwritable(error) from None
        rows = ([cells[number] for number in kept] for cells in map(json.loads, self._file))
        first = list(islice(rows, _ROWS))
        if not first:
            return write_out("".join(_laid_out(title, columns, ())))
        head = _laid_out(title, columns, unseen)
        # Every form ends with one blank line, and the rows above it stand twice as high twice.
        high = len(_laid_out(title, columns, [*unseen, *unseen])) - len(head)
        above = len(head) - high - 1
        if not write_out("".join(head[:above])):
            return False
        shown = head[above:-1]
        layout = _filled(title, columns, unseen).row_layout(console().width)
        if layout is not None and [_line(cells, columns, layout) for cells in unseen] != shown:
            layout = None

        def laid_out(cells: Sequence[Sequence[str]]) -> list[str]:
            return _laid_out(title, columns, [*unseen, *cells])[above + high : -1]

        for block in _blocks(first, rows):
            if layout is None:
                lines = laid_out(block)
            else:
                lines = []
                for cells in block:
                    line = _line(cells, columns, layout)
                    lines += laid_out([cells]) if line is None else [line]
            if not write_out("".join(lines)):
                return False
        return write_out(head[-1])

    def _measure(self, column: int, cell: str) -> None:
        """Remember the cell where it is wider, or has a longer word, than those before."""
        shown = visible(cell)
        width = max(map(cell_len, shown.splitlines()), default=0)
        widest, longest = self._widths[column]
        if width > widest:
            self._widest[column], widest = cell, width
        # Elsewhere cells are never parted at words, or the whole table is laid out at once.
        if width > longest and self._columns[column][1] in ("right", "wrap"):
            word = max(map(cell_len, shown.split()), default=0)
            if word > longest:
                self._longest[column], longest = cell, word
        self._widths[column] = (widest, longest)


def _blocks(first: list[list[str]], rows: Iterator[list[str]]) -> Iterator[list[list[str]]]:
    block = first
    while block:
        yield block
        block = list(islice(rows, _ROWS))


def _line(
    cells: Sequence[str], columns: Sequence[tuple[str, Column]], layout: RowLayout
) -> str | None:
    """A row as the table shows it, in a layout that is known; None where that is not so plain."""
    parts = []
    for cell, (_, kind), width in zip(cells, columns, layout.widths, strict=True):
        shown = visible(cell)
        plain = shown.isascii()
        wide = len(shown) if plain else cell_len(shown)
        if wide <= width:
            blank = " " * (width - wide)
            parts.append(blank + shown if kind == "right" else shown + blank)
        elif kind == "fill" and not shown[-1].isspace():
            kept = shown[: width - 1] if plain else set_cell_size(shown, width - 1)
            parts.append(f"{kept}…")
        else:
            return None
        if kind == "right" and shown[-1:].isspace():
            return None
    edge = " " * layout.edge
    return edge + (" " * layout.gap).join(parts) + edge + "\n"


def _filled(
    title: str, columns: Sequence[tuple[str, Column]], rows: Iterable[Sequence[str]]
) -> FittedTable:
    made = table(title, columns)
    for cells in rows:
        add_row(made, cells)
    return made


def _laid_out(
    title: str, columns: Sequence[tuple[str, Column]], rows: Iterable[Sequence[str]]
) -> list[str]:
    """The lines of a table, each with its line end, as stdout is to have them."""
    made = _filled(title, columns, rows)
    out = console()
    sheet = _Sheet(out.encoding)
    Console(
        file=sheet, width=out.width, height=out.height, force_terminal=out.is_terminal,
        # The name of one that is known, or none.
        color_system=cast(Any, out.color_system), no_color=out.no_color,
        legacy_windows=out.legacy_windows, highlight=False, markup=False, emoji=False,
    ).print(made)  # fmt: skip
    return [line + "\n" for line in sheet.getvalue().split("\n")[:-1]]


class _Sheet(io.StringIO):
    """Takes what a stream of an encoding would."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding
