"""Sweep: what to vary, the rows as they come, the plot, the advice."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Label

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.literal import literal
from chunkscope.tui.messages import ConfigurationTaken, SweepWanted
from chunkscope.tui.views.sweep import (
    COLUMNS,
    Point,
    heat_cells,
    sweep_points,
    sweep_rows,
)
from chunkscope.tui.widgets.field import Field
from chunkscope.tui.widgets.heat_map import HeatMap
from chunkscope.tui.widgets.line_list import Cell, Column, LineList, wrapped
from chunkscope.tui.widgets.one_line import OneLine, Piece
from chunkscope.tui.widgets.sweep_plot import SweepPlot

if TYPE_CHECKING:
    from chunkscope.evaluation.sweep import SweepRow

_EMPTY = (
    "Press r to sweep these sizes and overlaps with the questions that are open. "
    "Recall, coverage and context cost stand side by side here; Enter takes a row into B."
)

_TABLE_AND_PLOT = 92
_ADVICE_EDGE = 4


class SweepPanel(Widget):
    """Fields, a line that says how far it is, the table and the plot."""

    DEFAULT_CSS = """
    SweepPanel #sweep-controls { height: 1; background: $surface; }
    SweepPanel #sweep-controls Label { padding: 0 1; color: $text-muted; }
    SweepPanel #sweep-sizes { width: 30; }
    SweepPanel #sweep-overlaps { width: 10; }
    SweepPanel #sweep-state { padding: 0 1; }
    SweepPanel #sweep-body { height: 1fr; }
    SweepPanel LineList { width: 1fr; height: 1fr; }
    SweepPanel SweepPlot { width: 2fr; max-width: 70; min-width: 30; height: 1fr; }
    SweepPanel HeatMap { display: none; width: 0; height: 1fr; border-left: vkey $border; }
    SweepPanel.-map #sweep-rows { display: none; }
    SweepPanel.-map SweepPlot { min-width: 26; max-width: 100; }
    SweepPanel #sweep-advice { height: 0; background: $panel; }
    SweepPanel #sweep-rows { width: 3fr; min-width: 62; }
    """

    def __init__(
        self, *, id: str | None = None, classes: str | None = None, ascii_marks: bool = False
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: tuple[SweepRow, ...] = ()
        self._pick: Configuration | None = None
        self._points: list[Point] = []
        self._advice: tuple[str, ...] = ()
        self._ascii = ascii_marks
        self._planned: tuple[tuple[int, str], ...] = ()
        self._running = False
        self._table_wanted = False
        self._told: dict[int, str] = {}
        self._said: tuple[Piece, ...] = ()
        self._older = ""

    def compose(self) -> ComposeResult:
        """Controls above, table and plot beneath."""
        with Horizontal(id="sweep-controls"):
            yield Label("sizes", markup=False)
            yield Field(compact=True, id="sweep-sizes", select_on_focus=False)
            yield Label("overlaps", markup=False)
            yield Field(compact=True, id="sweep-overlaps", select_on_focus=False)
            yield OneLine(id="sweep-state")
        with Horizontal(id="sweep-body"):
            yield LineList(COLUMNS, id="sweep-rows", empty=_EMPTY)
            yield HeatMap(id="sweep-heat")
            yield SweepPlot(id="sweep-plot")
        yield LineList((Column(""),), id="sweep-advice", heading=False, quiet=True)

    def propose(self, sizes: Sequence[int], overlaps: Sequence[int | str]) -> None:
        """Fill the fields where nobody has typed."""
        for name, values in (("sizes", sizes), ("overlaps", overlaps)):
            field = self.query_one(f"#sweep-{name}", Input)
            field.value = ",".join(str(value) for value in values)

    def want(self) -> None:
        """Ask for the sweep that the fields describe."""
        from chunkscope.evaluation.sweepplan import parse_overlaps, parse_sizes

        try:
            sizes = parse_sizes(self.query_one("#sweep-sizes", Input).value)
            overlaps = parse_overlaps(self.query_one("#sweep-overlaps", Input).value)
        except InputError as error:
            self.say([(literal(str(error)), "bad")])
            return
        self._planned = tuple((size, str(overlap)) for size in sizes for overlap in overlaps)
        self.post_message(SweepWanted(sizes, overlaps))

    def show(
        self,
        rows: Sequence["SweepRow"],
        pick: Configuration | None,
        *,
        running: bool = False,
        told: Mapping[int, str] | None = None,
    ) -> None:
        """Replace the rows; the cursor goes to the advised one when it becomes known."""
        self._running, self._told = running, dict(told or {})
        table = self.query_one("#sweep-rows", LineList)
        cursor = table.cursor
        if pick is not None and pick != self._pick:
            found = [i for i, row in enumerate(rows) if row.evaluation.configuration == pick]
            cursor = found[0] if found else cursor
        self._rows, self._pick = tuple(rows), pick
        self._points = sweep_points(self._rows, pick)
        self._fill(cursor)
        self._draw(table.cursor)

    def _fill(self, cursor: int) -> None:
        rows = sweep_rows(self._rows, self._pick, told=self._told, ascii_marks=self._ascii)
        table = self.query_one("#sweep-rows", LineList)
        table.show(rows, cursor=cursor, dimmed=bool(self._older))

    def say(self, pieces: Sequence[Piece]) -> None:
        """How far it is, or what the advice is."""
        self._said = tuple(pieces)
        self._say()

    def grow_old(self, reason: str) -> None:
        """The rows are of another A, and why; an empty reason: of the A on the screen."""
        if reason != self._older:
            self._older = reason
            self._fill(self.query_one("#sweep-rows", LineList).cursor)
            self._draw(self.query_one("#sweep-rows", LineList).cursor)
            self._say()

    def _say(self) -> None:
        older = [(f"older: {literal(self._older)}, r sweeps again · ", "warn")]
        pieces = [*(older if self._older and self._rows else ()), *self._said]
        self.query_one("#sweep-state", OneLine).show(pieces)

    def advise(self, sentences: Sequence[str]) -> None:
        """The advice, each sentence on lines of its own."""
        self._advice = tuple(sentences)
        self._wrap_advice()

    def on_resize(self) -> None:
        """The advice has another width, and there is more or less room."""
        self._wrap_advice()
        self._make_room()

    def _wrap_advice(self) -> None:
        if not self.size.width:
            return
        lines = self._advice_lines("")
        height = min(len(lines), max(2, self.size.height // 4))
        if height < len(lines):
            lines = self._advice_lines(f"({len(lines)} lines: Tab, arrows) ")
        advice = self.query_one("#sweep-advice", LineList)
        advice.styles.height = height
        advice.show([(Cell(line),) for line in lines])

    def _advice_lines(self, before: str) -> list[str]:
        width = max(20, self.size.width - _ADVICE_EDGE)
        said = [f"{before if not n else ''}{sentence}" for n, sentence in enumerate(self._advice)]
        return [line for sentence in said for line in wrapped(sentence, width)]

    @property
    def advice(self) -> list[str]:
        """What `advise` said last, on the lines that hold it."""
        return list(self._advice)

    @property
    def state(self) -> str:
        """What `say` said last."""
        return "".join(self.query_one("#sweep-state", OneLine).texts)

    def _draw(self, cursor: int) -> None:
        plot = self.query_one("#sweep-plot", SweepPlot)
        older = bool(self._older)
        plot.show(self._points, cursor, ascii_marks=self._ascii, older=older)
        heat = self.query_one("#sweep-heat", HeatMap)
        planned = self._planned if self._running else ()
        cells = heat_cells(self._rows, self._pick, planned)
        heat.show(cells, cursor, ascii_marks=self._ascii, older=older)
        self._make_room()

    def _make_room(self) -> None:
        """Table, map and plot side by side; where they do not fit, the map or the table."""
        heat = self.query_one("#sweep-heat", HeatMap)
        wanted = heat.wanted_width + 1
        heat.styles.width = wanted
        grid, width = wanted > 1, self.size.width
        together = grid and width >= wanted + _TABLE_AND_PLOT
        alone = grid and not together and not self._table_wanted and width >= wanted
        heat.display = together or alone
        if alone is not self.has_class("-map"):
            inside = self.entry.has_focus
            self.set_class(alone, "-map")
            if inside:
                self.entry.focus()

    @property
    def entry(self) -> Widget:
        """The list or the map that keys go to."""
        return self.query_one("#sweep-heat" if self.has_class("-map") else "#sweep-rows")

    def switch(self) -> None:
        """The table in place of the map, or back, where both do not fit."""
        self._table_wanted = not self._table_wanted
        self._make_room()

    @on(HeatMap.Moved)
    def _moved(self, event: HeatMap.Moved) -> None:
        event.stop()
        if event.index < len(self._rows):
            self.query_one("#sweep-rows", LineList).place_cursor(event.index)
            self._draw(event.index)
            chosen = self._rows[event.index].configuration
            self.post_message(ConfigurationTaken(chosen, preview=True))

    @on(HeatMap.Chosen)
    def _cell_chosen(self, event: HeatMap.Chosen) -> None:
        event.stop()
        if 0 <= event.index < len(self._rows):
            chosen = self._rows[event.index].configuration
            self.post_message(ConfigurationTaken(chosen, leave=True))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.want()
        self.query_one("#sweep-rows", LineList).focus()

    @on(LineList.Highlighted, "#sweep-rows")
    def _highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._draw(event.index)

    @on(LineList.Chosen, "#sweep-rows")
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        if event.index < len(self._rows):
            self.post_message(ConfigurationTaken(self._rows[event.index].evaluation.configuration))
