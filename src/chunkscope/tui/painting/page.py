"""One document's text laid out for a view: rows, columns, gutter and layers in step."""

from chunkscope.text.spans import Span
from chunkscope.tui.painting.bands import ChunkBands
from chunkscope.tui.painting.cells import TextCells
from chunkscope.tui.painting.columns import Columns
from chunkscope.tui.painting.evidence import EvidenceIndex, FoundIndex
from chunkscope.tui.painting.gutter import GutterCell, GutterPlan, gutter_cells, plan_gutter
from chunkscope.tui.painting.lane import ReturnedIndex, SpanIndex
from chunkscope.tui.painting.layers import ChunkLayer, Layers
from chunkscope.tui.painting.marks import Marks
from chunkscope.tui.painting.painter import Overlay, PaintedRow, paint_row
from chunkscope.tui.painting.rows import SLACK, RowIndex

_LEAST_WIDTH = 4
_NOTHING = Span(0, 0)


class Page:
    """The drawing of one text; a view asks it for rows and tells it what changed.

    Attributes:
        text: the text.
        rows: its rows at the view's width.
        columns: their columns.
        layers: what is painted over it.
        bands: the chunks, indexed, or None.
        other: the other variant's chunks, indexed, or None.
        evidence: the evidence, indexed.
        found: the matches, indexed.
        returned: what a real system returned, indexed, or None.
        sections: the first stage's sections, indexed, or None.
        plan: the gutter's widths.
        selection: the selected range; empty when nothing is.
        cursor: the cursor's offset, or -1 while it is not drawn.
    """

    def __init__(self, text: str, tab_size: int = 8) -> None:
        self.text = text
        self._cells = TextCells(text, tab_size)
        self._view_width = 0
        self._wrap = True
        self.layers = Layers()
        self.bands: ChunkBands | None = None
        self.other: ChunkBands | None = None
        self.evidence = EvidenceIndex(())
        self.found = FoundIndex(())
        self.returned: ReturnedIndex | None = None
        self.sections: SpanIndex | None = None
        self.selection = _NOTHING
        self.cursor = -1
        self.plan: GutterPlan = plan_gutter(0, self.layers, None)
        self.rows = RowIndex(self._cells, None)
        self.columns = Columns(self.rows)
        self._longest: int | None = None

    def lay_out(self, view_width: int, *, wrap: bool) -> bool:
        """Fit the rows to a view of so many columns; whether they changed."""
        if (view_width, wrap) == (self._view_width, self._wrap):
            return False
        self._view_width, self._wrap = view_width, wrap
        self.plan = plan_gutter(view_width, self.layers, None, self._line_count)
        self._make_rows()
        return True

    def show(self, layers: Layers) -> bool:
        """Paint other layers; whether any row begins elsewhere than before."""
        self.bands = _indexed(layers.chunks, self.bands)
        self.other = _indexed(layers.other, self.other)
        if layers.evidence is not self.layers.evidence:
            self.evidence = EvidenceIndex(layers.evidence)
        if layers.found is not self.layers.found:
            self.found = FoundIndex(layers.found)
        if layers.returned != self.layers.returned:
            self.returned = ReturnedIndex(layers.returned) if layers.returned else None
        if layers.sections is not self.layers.sections:
            self.sections = SpanIndex(layers.sections) if layers.sections is not None else None
        self.layers = layers
        if not self._view_width:
            # No room yet: rows are made when there is.
            self.rows.keep_room_for(self.evidence.cuts)
            self.columns = Columns(self.rows)
            return False
        plan = plan_gutter(self._view_width, layers, self.plan, self._line_count)
        if plan.width != self.plan.width and self._wrap:
            self.plan = plan
            self._make_rows()
            return True
        self.plan = plan
        changed = False
        if self.evidence.cuts != self.rows.cuts:
            changed = self.rows.keep_room_for(self.evidence.cuts)
            self.columns = Columns(self.rows)
        return changed

    @property
    def width(self) -> int:
        """Columns of the gutter and the longest row."""
        if self._wrap:
            return self._view_width
        if self._longest is None:
            self._longest = self.rows.longest()
        return self.plan.width + self._longest + 2 * len(self.rows.cuts)

    @property
    def text_width(self) -> int:
        """Columns of the view right of the gutter."""
        return max(0, self._view_width - self.plan.width)

    def line_of(self, offset: int) -> int:
        """Number of the line that holds `offset`, from 0."""
        return int(self._cells.line_starts.searchsorted(offset, side="right")) - 1

    @property
    def _line_count(self) -> int:
        return len(self._cells.line_starts)

    def _line_starting(self, offset: int) -> int | None:
        """Number of the line that begins at `offset`, from 1."""
        line = self.line_of(offset)
        return line + 1 if int(self._cells.line_starts[line]) == offset else None

    def paint(self, row: int, marks: Marks, *, first: int = 0) -> PaintedRow:
        """The row's pieces from column `first` on, as many as the view is wide."""
        overlay = Overlay(
            self.bands, self.evidence, self.found, self.selection, self.cursor, self.other
        )
        last = first + self.text_width
        return paint_row(self.columns, row, overlay, marks, first=first, last=last)

    def gutter(self, row: int, marks: Marks, *, top: bool) -> list[GutterCell]:
        """What stands left of the row; `top`: it is the first visible one."""
        span = self.rows.span(row)
        if row == len(self.rows) - 1:
            # The text's end may be a chunk's place too, when the chunk is empty.
            span = Span(span.start, span.end + 1)
        return gutter_cells(
            self.plan,
            self.layers,
            span,
            marks,
            bands=self.bands,
            other=self.other,
            evidence=self.evidence.state_in(*span),
            top=top,
            line=self._line_starting(span.start) if self.plan.lines else None,
            returned=self.returned,
            sections=self.sections,
        )

    def _make_rows(self) -> None:
        width = max(_LEAST_WIDTH, self.text_width - SLACK)
        self.rows = RowIndex(self._cells, width if self._wrap else None)
        self.rows.keep_room_for(self.evidence.cuts)
        self.columns = Columns(self.rows)
        self._longest = None


def _indexed(layer: ChunkLayer | None, before: ChunkBands | None) -> ChunkBands | None:
    if layer is None:
        return None
    if before is not None and before.layer is layer:
        return before
    return ChunkBands(layer)
