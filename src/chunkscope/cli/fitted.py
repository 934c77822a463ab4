"""A table that shows every number whole, however narrow the terminal is."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

Column = Literal["left", "right", "wrap", "fill"]

_AT_LEAST: dict[Column, int] = {"fill": 10, "wrap": 20, "left": 20}
_GAPS = (2, 1)
_WIDE_GAP = 3


class RowLayout(NamedTuple):
    """Where the cells of a row stand that is one line.

    Attributes:
        widths: of its columns.
        gap: cells between two of them.
        edge: cells before the first and behind the last.
    """

    widths: list[int]
    gap: int
    edge: int


class FittedTable(Table):
    """Columns side by side where they fit; else closer and folded; else texts above the numbers.

    A column's kind is `left` (whole, folded only where it must be), `right` (a number, never cut),
    `wrap` (folded over lines) or `fill` (the width that is left, cut with an ellipsis).
    """

    def __init__(self, title: str, columns: Sequence[tuple[str, Column]]) -> None:
        """An empty table; `columns` are (heading, kind) pairs."""
        super().__init__(
            title=Text(title) if title else None,
            title_justify="left",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            expand=any(kind == "fill" for _heading, kind in columns),
        )
        self._kinds = [kind for _heading, kind in columns]
        for heading, kind in columns:
            self.add_column(
                Text(heading),
                justify="right" if kind == "right" else "left",
                no_wrap=kind != "wrap",
                overflow="fold" if kind == "wrap" else "ellipsis",
                ratio=1 if kind == "fill" else None,
                min_width=_AT_LEAST[kind] if kind in ("fill", "wrap") else None,
            )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The first of the forms that fits the width."""
        room = options.max_width
        rows = list(self._rows())
        whole = self._whole(rows)
        if self._is_wide(whole, room):
            yield from super().__rich_console__(console, options)
            return
        least = self._least(rows, whole)
        layout = self._closed_up(least, whole, room)
        if layout is not None:
            self._close_up(layout)
            yield from super().__rich_console__(console, options)
            yield Text("")
            return
        yield from self._texts_above(console, rows, least, whole, room)

    def row_layout(self, room: int) -> RowLayout | None:
        """Where cells stand at this width; None where a row may be several lines."""
        if "wrap" in self._kinds or self._kinds.count("fill") > 1:
            return None
        rows = list(self._rows())
        whole = self._whole(rows)
        if not self._is_wide(whole, room):
            return self._closed_up(self._least(rows, whole), whole, room)
        if "fill" in self._kinds:
            fill = self._kinds.index("fill")
            whole[fill] += room - sum(whole) - _WIDE_GAP * (len(whole) - 1) - 2
        return RowLayout(whole, _WIDE_GAP, 1)

    def _whole(self, rows: Sequence[Sequence[Text]]) -> list[int]:
        """The width of each column's widest cell."""
        return [max(cell.cell_len for cell in cells) for cells in zip(*rows, strict=True)]

    def _is_wide(self, whole: Sequence[int], room: int) -> bool:
        wide = [
            min(width, _AT_LEAST[kind]) if kind in ("fill", "wrap") else width
            for width, kind in zip(whole, self._kinds, strict=True)
        ]
        return sum(wide) + _WIDE_GAP * (len(wide) - 1) + 2 <= room

    def _least(self, rows: Sequence[Sequence[Text]], whole: Sequence[int]) -> list[int]:
        return [
            _longest_word(cells) if kind == "right" else min(width, _AT_LEAST[kind])
            for cells, width, kind in zip(zip(*rows, strict=True), whole, self._kinds, strict=True)
        ]

    def _closed_up(self, least: Sequence[int], whole: Sequence[int], room: int) -> RowLayout | None:
        for gap in _GAPS:
            spare = room - gap * (len(whole) - 1) - sum(least)
            if spare >= 0:
                return RowLayout(_grown(least, whole, self._kinds, spare), gap, 0)
        return None

    def _rows(self) -> Iterator[tuple[Text, ...]]:
        """The headings, then every row."""
        columns = [(column.header, *column.cells) for column in self.columns]
        for row in zip(*columns, strict=True):
            yield tuple(cell if isinstance(cell, Text) else Text(str(cell)) for cell in row)

    def _close_up(self, layout: RowLayout) -> None:
        self.show_edge = False
        self.padding = (0, layout.gap - 1, 0, 0)
        for column, kind, width in zip(self.columns, self._kinds, layout.widths, strict=True):
            column.width, column.ratio, column.min_width = width, None, None
            if kind != "fill":
                column.no_wrap, column.overflow = False, "fold"

    def _texts_above(
        self,
        console: Console,
        rows: Sequence[Sequence[Text]],
        least: Sequence[int],
        whole: Sequence[int],
        room: int,
    ) -> Iterator[Text]:
        """A row's texts on a line of their own, its numbers in columns below."""
        above = {index for index, kind in enumerate(self._kinds) if kind in ("fill", "wrap")}
        beside = [index for index in range(len(self._kinds)) if index not in above]
        lefts = [index for index in beside if self._kinds[index] == "left"]
        for index in sorted(lefts, key=lambda index: -least[index]):
            if sum(least[at] + 1 for at in beside) - 1 > room:
                beside.remove(index)
                above.add(index)
        spare = room - sum(least[at] + 1 for at in beside) + 1
        widths = _grown(
            [least[at] for at in beside],
            [whole[at] for at in beside],
            [self._kinds[at] for at in beside],
            spare,
        )
        if isinstance(self.title, Text):
            yield self.title
        for number, row in enumerate(rows):
            style = (self.rows[number - 1].style or "") if number else "bold"
            texts = [row[index] for index in sorted(above) if row[index].plain]
            if texts:
                yield Text.assemble(Text("  ").join(texts), style=style)
            cells = [
                row[index].wrap(console, max(1, width))
                for index, width in zip(beside, widths, strict=True)
            ]
            for line in range(max(map(len, cells), default=0)):
                parts = []
                for index, cell, width in zip(beside, cells, widths, strict=True):
                    part = cell[line].plain.rstrip() if line < len(cell) else ""
                    blank = " " * (width - Text(part).cell_len)
                    parts.append(blank + part if self._kinds[index] == "right" else part + blank)
                yield Text(" ".join(parts).rstrip(), style=style)
            if not number:
                yield Text("─" * room)
        yield Text("")


def _longest_word(cells: Sequence[Text]) -> int:
    """The width in which no number is cut: white space alone may be a line's end."""
    return max((Text(word).cell_len for cell in cells for word in cell.plain.split()), default=0)


def _grown(
    least: Sequence[int], whole: Sequence[int], kinds: Sequence[Column], spare: int
) -> list[int]:
    """`least` with `spare` cells dealt out: numbers first, then names, then running text."""
    widths = list(least)
    for turn in ("right", "left", "wrap", "fill"):
        for index, kind in enumerate(kinds):
            if kind == turn:
                more = min(spare, max(0, whole[index] - widths[index]))
                widths[index] += more
                spare -= more
    return widths
