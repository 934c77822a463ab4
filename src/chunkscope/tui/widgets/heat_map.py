"""Recall over size and overlap: one cell a row of the sweep, by digits and by shade."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from chunkscope.tui.literal import Inks, fitted

SHADES = 5
_LABEL, _CELL = 7, 6


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One row of the sweep: its place in the grid and its recall, None where not measured.

    Attributes:
        advised: it is the knee.
        pending: the sweep has not come to it yet.
    """

    size: int
    overlap: str
    recall: float | None
    advised: bool
    pending: bool = False


def grid(
    cells: Sequence[HeatCell], cursor: int, *, advised_mark: str = "◆", title: str = "recall"
) -> list[list[tuple[str, str]]]:
    """Lines of (text, role): sizes across, overlaps down; recall in hundredths.

    The cell under the cursor stands in brackets, the advised one after its mark; the shade is
    the share between the lowest and the highest recall of the grid.
    """
    sizes = sorted({cell.size for cell in cells})
    overlaps = sorted({cell.overlap for cell in cells}, key=_overlap_order)
    known = [cell.recall for cell in cells if cell.recall is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    places = {(cell.size, cell.overlap): number for number, cell in enumerate(cells)}
    head = [(f"{title} ".rjust(_LABEL), "label")]
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
            unknown = "·" if cell.pending else "--"
            digits = unknown if cell.recall is None else f"{round(cell.recall * 100):d}"
            text = f"[{digits:>3}]" if number == cursor else f" {digits:>3} "
            line.append((f"{mark}{text}", _shade(cell.recall, low, high)))
        lines.append(line)
    return lines


def _overlap_order(overlap: str) -> tuple[bool, float]:
    return overlap.endswith("%"), float(overlap.removesuffix("%"))


def stepped(cells: Sequence[HeatCell], cursor: int, right: int, down: int) -> int:
    """The cell so many columns and rows from `cursor`, as far as there are measured ones."""
    if not 0 <= cursor < len(cells):
        return 0
    sizes = sorted({cell.size for cell in cells})
    overlaps = sorted({cell.overlap for cell in cells}, key=_overlap_order)
    at = cells[cursor]
    column, row = sizes.index(at.size) + right, overlaps.index(at.overlap) + down
    if not (0 <= column < len(sizes) and 0 <= row < len(overlaps)):
        return cursor
    wanted = (sizes[column], overlaps[row])
    for number, cell in enumerate(cells):
        if (cell.size, cell.overlap) == wanted and not cell.pending:
            return number
    return cursor


def _shade(recall: float | None, low: float, high: float) -> str:
    if recall is None:
        return ""
    share = (recall - low) / (high - low) if high > low else 1.0
    return f"shade-{min(SHADES - 1, int(share * SHADES))}"


class HeatMap(Widget, can_focus=True):
    """The grid of a sweep; arrows move over its cells, Enter takes one."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "heat-map--cursor",
        "heat-map--label",
        *(f"heat-map--shade-{shade}" for shade in range(SHADES)),
    }
    DEFAULT_CSS = """
    HeatMap {
        background: $surface;
        & .heat-map--label { color: $text-muted; }
        & .heat-map--cursor {
            background: $block-cursor-background; color: $block-cursor-foreground;
            text-style: bold;
        }
        & .heat-map--shade-0 { background: $primary 5%; }
        & .heat-map--shade-1 { background: $primary 15%; }
        & .heat-map--shade-2 { background: $primary 27%; }
        & .heat-map--shade-3 { background: $primary 40%; }
        & .heat-map--shade-4 { background: $primary 55%; text-style: bold; }
        &.-older { opacity: 60%; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1, 0)", "smaller", show=False),
        Binding("right", "step(1, 0)", "larger", show=False),
        Binding("up", "step(0, -1)", "less overlap", show=False),
        Binding("down", "step(0, 1)", "more overlap", show=False),
        Binding("enter", "choose", "choose", show=False),
    ]

    @dataclass
    class Moved(Message):
        """The cursor stands on another cell, moved by a person."""

        index: int

    @dataclass
    class Chosen(Message):
        """Enter, or a click on the cursor's cell."""

        index: int

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._inks = Inks(self, "heat-map")
        self._cells: tuple[HeatCell, ...] = ()
        self._cursor = -1
        self._mark = "◆"
        self._title = "recall"

    def show(
        self,
        cells: Sequence[HeatCell],
        cursor: int,
        *,
        ascii_marks: bool = False,
        older: bool = False,
    ) -> None:
        """Replace the cells; `cursor` is the table's row; `older`: they are of another A."""
        self._title = "older" if older else "recall"
        self.set_class(older, "-older")
        self._cells = tuple(cells)
        self._cursor = cursor
        self._mark = "*" if ascii_marks else "◆"
        self.refresh()

    def action_step(self, right: int, down: int) -> None:
        """The cell beside, above or below."""
        index = stepped(self._cells, self._cursor, right, down)
        if index != self._cursor:
            self.post_message(self.Moved(index))

    def action_choose(self) -> None:
        """Take the cell under the cursor."""
        self.post_message(self.Chosen(self._cursor))

    def on_click(self, event: Click) -> None:
        """A click moves the cursor there; a click on it takes it."""
        sizes = sorted({cell.size for cell in self._cells})
        overlaps = sorted({cell.overlap for cell in self._cells}, key=_overlap_order)
        at = event.get_content_offset_capture(self)
        column, row = (at.x - _LABEL) // _CELL, at.y - 1
        if not (0 <= column < len(sizes) and 0 <= row < len(overlaps)) or at.x < _LABEL:
            return
        wanted = (sizes[column], overlaps[row])
        for number, cell in enumerate(self._cells):
            if (cell.size, cell.overlap) == wanted and not cell.pending:
                message = self.Chosen if number == self._cursor else self.Moved
                self.post_message(message(number))

    def on_focus(self) -> None:
        """The cursor is drawn stronger."""
        self.refresh()

    def on_blur(self) -> None:
        """The cursor is drawn weaker."""
        self.refresh()

    @property
    def wanted_width(self) -> int:
        """Cells across, or 0 where there is no grid: fewer than two sizes or three overlaps."""
        sizes = len({cell.size for cell in self._cells})
        overlaps = len({cell.overlap for cell in self._cells})
        return _LABEL + _CELL * sizes + 1 if sizes >= 2 and overlaps >= 3 else 0

    @property
    def texts(self) -> list[str]:
        """The grid's lines as text, whole."""
        lines = self._lines()
        return ["".join(text for text, _role in line) for line in lines]

    def _lines(self) -> list[list[tuple[str, str]]]:
        return grid(self._cells, self._cursor, advised_mark=self._mark, title=self._title)

    def notify_style_update(self) -> None:
        """The theme changed."""
        super().notify_style_update()
        self._inks.forget()

    def render_line(self, y: int) -> Strip:
        """One overlap, or the sizes."""
        base = self._inks.base
        lines = self._lines()
        if y == len(lines) + 1 and self._cells:
            legend = fitted(f" {self._mark} knee, advised · arrows: into B", self.size.width)
            return Strip([Segment(legend, base + self._inks.of("label"))])
        if y == len(lines) + 2 and self._cells:
            legend = fitted(" Enter: to the text · 3: table or map", self.size.width)
            return Strip([Segment(legend, base + self._inks.of("label"))])
        if y >= len(lines):
            return Strip.blank(self.size.width, base)
        segments = []
        for text, role in lines[y]:
            if text[1:2] == "[" and self.has_focus:
                segments.append(Segment(text, base + self._inks.block("cursor")))
            elif role.startswith("shade"):
                segments.append(Segment(text, base + self._inks.full(role)))
            else:
                segments.append(Segment(text, base + self._inks.of(role) if role else base))
        return Strip(segments).adjust_cell_length(self.size.width, base)
