"""Recall over size and overlap: one cell a row of the sweep, by digits and by shade."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from chunkscope.tui.literal import Inks, fitted

SHADES = 5
_LABEL, _CELL = 7, 6


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One row of the sweep: its place in the grid and its recall, None where not measured."""

    size: int
    overlap: str
    recall: float | None
    advised: bool


def grid(
    cells: Sequence[HeatCell], cursor: int, *, advised_mark: str = "◆"
) -> list[list[tuple[str, str]]]:
    """Lines of (text, role): sizes across, overlaps down; recall in hundredths.

    The cell under the cursor stands in brackets, the advised one after its mark; the shade is
    the share between the lowest and the highest recall of the grid.
    """
    sizes = sorted({cell.size for cell in cells})
    overlaps = list(dict.fromkeys(cell.overlap for cell in cells))
    known = [cell.recall for cell in cells if cell.recall is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    places = {(cell.size, cell.overlap): number for number, cell in enumerate(cells)}
    head = [("recall ".rjust(_LABEL), "label")]
    head += [(f"{size:>{_CELL - 1}} ", "label") for size in sizes]
    lines = [head]
    for overlap in overlaps:
        line = [(fitted(overlap, _LABEL - 1, right=True) + " ", "label")]
        for size in sizes:
            number = places.get((size, overlap))
            if number is None:
                line.append((" " * _CELL, ""))
                continue
            cell = cells[number]
            mark = advised_mark if cell.advised else " "
            digits = "--" if cell.recall is None else f"{round(cell.recall * 100):d}"
            text = f"[{digits:>3}]" if number == cursor else f" {digits:>3} "
            line.append((f"{mark}{text}", _shade(cell.recall, low, high)))
        lines.append(line)
    return lines


def _shade(recall: float | None, low: float, high: float) -> str:
    if recall is None:
        return ""
    share = (recall - low) / (high - low) if high > low else 1.0
    return f"shade-{min(SHADES - 1, int(share * SHADES))}"


class HeatMap(Widget):
    """The grid of a sweep; shown where there are enough overlaps to make one."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "heat-map--label",
        *(f"heat-map--shade-{shade}" for shade in range(SHADES)),
    }
    DEFAULT_CSS = """
    HeatMap {
        background: $surface;
        & .heat-map--label { color: $text-muted; }
        & .heat-map--shade-0 { background: $primary 5%; }
        & .heat-map--shade-1 { background: $primary 15%; }
        & .heat-map--shade-2 { background: $primary 27%; }
        & .heat-map--shade-3 { background: $primary 40%; }
        & .heat-map--shade-4 { background: $primary 55%; text-style: bold; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._inks = Inks(self, "heat-map")
        self._cells: tuple[HeatCell, ...] = ()
        self._cursor = -1
        self._mark = "◆"

    def show(self, cells: Sequence[HeatCell], cursor: int, *, ascii_marks: bool = False) -> None:
        """Replace the cells; `cursor` is the table's row."""
        self._cells = tuple(cells)
        self._cursor = cursor
        self._mark = "*" if ascii_marks else "◆"
        self.refresh()

    @property
    def wanted_width(self) -> int:
        """Cells across, or 0 where there is no grid: fewer than two sizes or three overlaps."""
        sizes = len({cell.size for cell in self._cells})
        overlaps = len({cell.overlap for cell in self._cells})
        return _LABEL + _CELL * sizes + 1 if sizes >= 2 and overlaps >= 3 else 0

    def notify_style_update(self) -> None:
        """The theme changed."""
        super().notify_style_update()
        self._inks.forget()

    def render_line(self, y: int) -> Strip:
        """One overlap, or the sizes."""
        base = self._inks.base
        lines = grid(self._cells, self._cursor, advised_mark=self._mark)
        if y >= len(lines):
            return Strip.blank(self.size.width, base)
        segments = []
        for text, role in lines[y]:
            if role.startswith("shade"):
                segments.append(Segment(text, base + self._inks.full(role)))
            else:
                segments.append(Segment(text, base + self._inks.of(role) if role else base))
        return Strip(segments).adjust_cell_length(self.size.width, base)
