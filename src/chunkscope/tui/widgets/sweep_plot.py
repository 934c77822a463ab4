"""Recall, coverage and context cost of a sweep, drawn with characters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from chunkscope.tui.literal import Inks
from chunkscope.tui.views.sweep import Point

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_AXIS = 5
_LEAST_WIDTH, _LEAST_HEIGHT = 24, 5


@dataclass(frozen=True, slots=True)
class Marks:
    """The characters of the series."""

    recall: str
    coverage: str
    both: str
    advised: str
    line: str
    bars: str


UNICODE = Marks("●", "○", "◉", "◆", "·", _EIGHTHS)
ASCII = Marks("*", "o", "@", "#", ".", "    ::::=")


def draw(
    points: Sequence[Point],
    width: int,
    height: int,
    *,
    marks: Marks = UNICODE,
    cursor: int = -1,
    older: bool = False,
) -> list[list[tuple[str, str]]]:
    """Lines of (character, role): a legend, the plot over 0…1, the sizes.

    Context cost stands behind as bars, as a share of the largest; the row under the cursor and
    the advised row are marked under their bars.
    """
    if width < _LEAST_WIDTH or height < _LEAST_HEIGHT or not points:
        return []
    rows, columns = height - 3, width - _AXIS
    grid: list[list[tuple[str, str]]] = [[(" ", "")] * columns for _ in range(rows)]
    centres = [int((number + 0.5) * columns / len(points)) for number in range(len(points))]
    _bars(grid, points, centres, marks)
    for name, mark, role in (
        ("coverage", marks.coverage, "coverage"),
        ("recall", marks.recall, "recall"),
    ):
        values = [getattr(point, name) for point in points]
        _line(grid, values, centres, marks.line, role)
        for number, value in enumerate(values):
            if value is not None:
                row = _row(value, rows)
                taken = grid[row][centres[number]][0] == marks.coverage
                shown = marks.both if taken and name == "recall" else mark
                grid[row][centres[number]] = (shown, role)
    lines = [_legend(points, width, marks, older=older)]
    lines += [[(_axis(row, rows), "axis"), *grid[row]] for row in range(rows)]
    lines += _labels(points, centres, columns, marks, cursor)
    return lines


def _row(value: float, rows: int) -> int:
    return round((1 - max(0.0, min(1.0, value))) * (rows - 1))


def _axis(row: int, rows: int) -> str:
    for value in (1.0, 0.5, 0.0):
        if row == _row(value, rows) and (value != 0.5 or rows >= 5):
            return f"{value:.1f} ┤"
    return "    │"


def _bars(
    grid: list[list[tuple[str, str]]], points: Sequence[Point], centres: list[int], marks: Marks
) -> None:
    largest = max((point.context or 0.0 for point in points), default=0.0)
    if largest <= 0:
        return
    rows, columns = len(grid), len(grid[0])
    half = max(0, columns // len(points) // 3 - 1)
    for point, centre in zip(points, centres, strict=True):
        eighths = round((point.context or 0.0) / largest * rows * 8)
        for up in range(rows):
            level = max(0, min(8, eighths - up * 8))
            if level == 0:
                break
            for x in range(max(0, centre - half), min(columns, centre + half + 1)):
                grid[rows - 1 - up][x] = (marks.bars[level], "context")


def _line(
    grid: list[list[tuple[str, str]]],
    values: Sequence[float | None],
    centres: list[int],
    mark: str,
    role: str,
) -> None:
    rows = len(grid)
    for number in range(len(values) - 1):
        left, right = values[number], values[number + 1]
        if left is None or right is None:
            continue
        low, high = centres[number], centres[number + 1]
        for x in range(low + 1, high):
            value = left + (right - left) * (x - low) / (high - low)
            if (x - low) % 2 == 0 and grid[_row(value, rows)][x][1] != "recall":
                grid[_row(value, rows)][x] = (mark, role)


def _legend(
    points: Sequence[Point], width: int, marks: Marks, *, older: bool
) -> list[tuple[str, str]]:
    """The series by name, as long as there is room for."""
    largest = max((point.context or 0.0 for point in points), default=0.0)
    bar = marks.bars[4]
    first = [("older: ", "axis")] if older else []
    named = [*first, (f" {marks.recall} recall  ", "recall"),
             (f"{marks.coverage} coverage  ", "coverage")]  # fmt: skip
    short = [*first, (f"{marks.recall} rec ", "recall"), (f"{marks.coverage} cov ", "coverage")]
    forms = [
        [*named, (f"{bar} context, up to {largest:.0f} tokens", "context-label")],
        [*named, (f"{bar} tokens ≤{largest:.0f}", "context-label")],
        [*short, (f"{bar} ≤{largest:.0f}", "context-label")],
        short,
    ]
    fitting = [form for form in forms if sum(len(text) for text, _role in form) <= width]
    return fitting[0] if fitting else []


def _labels(
    points: Sequence[Point], centres: list[int], columns: int, marks: Marks, cursor: int
) -> list[list[tuple[str, str]]]:
    names = [" "] * columns
    signs = [(" ", "")] * columns
    edge = -1
    for number, (point, centre) in enumerate(zip(points, centres, strict=True)):
        new = number == 0 or points[number - 1].label != point.label
        start = max(0, min(columns - len(point.label), centre - len(point.label) // 2))
        if new and start > edge:
            names[start : start + len(point.label)] = point.label
            edge = start + len(point.label)
        if point.advised:
            signs[centre] = (marks.advised, "advised")
        elif number == cursor:
            signs[centre] = ("▲" if marks is UNICODE else "^", "axis")
    return [
        [("     ", "axis"), *signs],
        [("size ", "axis"), ("".join(names), "axis")],
    ]


class SweepPlot(Widget):
    """The plot of the rows of a sweep."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"sweep-plot--{role}"
        for role in ("recall", "coverage", "context", "context-label", "axis", "advised")
    }
    DEFAULT_CSS = """
    SweepPlot {
        background: $surface;
        & .sweep-plot--recall { color: $text-primary; text-style: bold; }
        & .sweep-plot--coverage { color: $text-secondary; }
        & .sweep-plot--context { color: $panel-lighten-2; }
        & .sweep-plot--context-label { color: $text-muted; }
        & .sweep-plot--axis { color: $text-muted; }
        & .sweep-plot--advised { color: $text-success; text-style: bold; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._inks = Inks(self, "sweep-plot")
        self._points: tuple[Point, ...] = ()
        self._cursor = -1
        self._marks = UNICODE
        self._older = False

    def show(
        self,
        points: Sequence[Point],
        cursor: int,
        *,
        ascii_marks: bool = False,
        older: bool = False,
    ) -> None:
        """Replace the points; `cursor` is the table's row; `older`: they are of another A."""
        self._older = older
        self._points = tuple(points)
        self._cursor = cursor
        self._marks = ASCII if ascii_marks else UNICODE
        self.refresh()

    def notify_style_update(self) -> None:
        """The theme changed."""
        super().notify_style_update()
        self._inks.forget()

    def render_line(self, y: int) -> Strip:
        """One line of the plot."""
        base = self._inks.base
        width, height = self.size
        lines = draw(
            self._points, width, height, marks=self._marks, cursor=self._cursor, older=self._older
        )
        if y >= len(lines):
            return Strip.blank(width, base)
        segments = [Segment(text, self._style(base, role)) for text, role in lines[y]]
        return Strip(segments).simplify().adjust_cell_length(width, base)

    def _style(self, base: Style, role: str) -> Style:
        if not role:
            return base
        return base + self._inks.of(role)
