"""A scrolled view that draws a page row by row and keeps its place while rows change."""

from rich.segment import Segment
from textual.cache import LRUCache
from textual.events import Resize
from textual.geometry import Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import Layers
from chunkscope.tui.painting.marks import ASCII, BOX, Marks
from chunkscope.tui.painting.page import Page
from chunkscope.tui.widgets.document_palette import Palette

_CACHED_STRIPS = 2048


class PageView(ScrollView):
    """Draws visible rows only, each once; the top offset survives resizing and rewrapping.

    Attributes:
        wrap: whether lines are soft-wrapped.
        ascii_marks: whether glyphs outside ASCII are replaced.
        drawn: counts what changed on the page, for what is drawn beside it.
    """

    wrap: reactive[bool] = reactive(True, init=False)
    ascii_marks: reactive[bool] = reactive(False, init=False)
    drawn: reactive[int] = reactive(0, init=False, repaint=False)

    def __init__(
        self,
        text: str = "",
        *,
        wrap: bool = True,
        ascii_marks: bool = False,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.set_reactive(PageView.wrap, wrap)
        self.set_reactive(PageView.ascii_marks, ascii_marks)
        self._page = Page(text)
        # Another page, width, layer, selection or theme clears the strips.
        self._strips: LRUCache[tuple[int, int, bool], Strip] = LRUCache(_CACHED_STRIPS)
        self._palette: Palette | None = None
        # What a person scrolled to; rows that begin elsewhere do not move it.
        self._anchor: int | None = None
        self._placing = False

    @property
    def page(self) -> Page:
        """The layout, for what draws beside the view."""
        return self._page

    @property
    def top_row(self) -> int:
        """The first visible row."""
        return max(0, min(self.scroll_offset.y, len(self._page.rows) - 1))

    @property
    def row_count(self) -> int:
        """How many rows fit in the view."""
        return self.scrollable_content_region.height

    @property
    def top_offset(self) -> int:
        """The code point that stays at the top while rows change."""
        if self._anchor is not None:
            return self._anchor
        return self._page.rows.span(self.top_row).start

    @property
    def visible_span(self) -> Span:
        """The range of the visible rows."""
        rows = self._page.rows
        bottom = min(len(rows) - 1, self.top_row + max(0, self.row_count - 1))
        return Span(rows.span(self.top_row).start, rows.span(bottom).end)

    def scroll_to_row(self, row: int) -> None:
        """Make `row` the first visible one, at once."""
        self.scroll_to(y=max(0, row), animate=False, immediate=True, force=True)

    # --- layout --------------------------------------------------------------------------

    def show_layers(self, layers: Layers) -> None:
        """Paint other layers over the text; what is on the screen stays in place."""
        top = self.top_offset
        if self._page.layers.stale is not layers.stale:
            self._palette = None
        changed = self._page.show(layers)
        self._measure()
        if changed:
            self._place(top)
        self.repaint()

    def _show_page(self, page: Page) -> None:
        self._page = page
        self._anchor = None
        self._palette = None
        self._lay_out()
        self._measure()
        self._place(0)
        self.repaint()

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if not width:
            return
        top = self.top_offset
        if self._page.lay_out(width, wrap=self.wrap):
            self._measure()
            self._place(top)
        self.repaint()

    def _measure(self) -> None:
        self.virtual_size = Size(self._page.width, len(self._page.rows))

    def _place(self, top: int) -> None:
        self._placing = True
        try:
            self.scroll_to_row(self._page.rows.row_of(top))
        finally:
            self._placing = False
        self._anchor = top

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Where a person scrolls to is what later stays in place."""
        super().watch_scroll_y(old_value, new_value)
        if not self._placing and round(old_value) != round(new_value):
            self._anchor = None

    def on_resize(self, event: Resize) -> None:
        """Rows follow the width; the text at the top stays there."""
        self._lay_out()
        if self.row_count:
            self.laid_out()

    def laid_out(self) -> None:
        """The rows fit the view's size; for what waits for that."""

    def watch_wrap(self) -> None:
        """Rows begin elsewhere; the text at the top stays there."""
        self.scroll_to(x=0, animate=False, immediate=True, force=True)
        self._lay_out()

    def watch_ascii_marks(self) -> None:
        """Other glyphs."""
        self.repaint()

    # --- drawing -------------------------------------------------------------------------

    def repaint(self) -> None:
        """Draw every visible row anew."""
        self._strips.clear()
        self.drawn += 1
        self.refresh()

    def forget_row(self, offset: int) -> None:
        """Draw the row that holds `offset` anew at the next refresh."""
        row = self._page.rows.row_of(offset)
        for top in (False, True):
            self._strips.discard((row, self._left, top))

    def notify_style_update(self) -> None:
        """Another theme, other styles."""
        super().notify_style_update()
        self._palette = None
        self._strips.clear()

    @property
    def marks(self) -> Marks:
        """The glyphs in use."""
        return ASCII if self.ascii_marks else BOX

    @property
    def palette(self) -> Palette:
        """The styles in use."""
        if self._palette is None:
            stale = self._page.layers.stale
            self._palette = Palette(self, stale=stale, colourless=self.app.no_color)
        return self._palette

    @property
    def _left(self) -> int:
        return 0 if self.wrap else self.scroll_offset.x

    def render_line(self, y: int) -> Strip:
        """The row at this line of the view: gutter and text."""
        row = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        if row >= len(self._page.rows):
            return Strip.blank(width, self.palette.base)
        key = (row, self._left, y == 0)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._draw(row, width, top=y == 0)
            self._strips[key] = strip
        return strip

    def _draw(self, row: int, width: int, *, top: bool) -> Strip:
        palette, page, left = self.palette, self._page, self._left
        segments = [
            Segment(cell.text, palette.of_cell(cell))
            for cell in page.gutter(row, self.marks, top=top)
            if cell.text
        ]
        painted = page.paint(row, self.marks, first=left)
        text = [Segment(piece.text, palette.style(piece.look)) for piece in painted.pieces]
        rest = palette.style(painted.rest)
        room = page.text_width - sum(segment.cell_length for segment in text)
        if painted.column == left and room >= 0:
            segments += text
            if room:
                segments.append(Segment(" " * room, rest))
        else:
            first = left - painted.column
            segments += Strip(text).crop_extend(first, first + page.text_width, rest)
        return Strip(segments).adjust_cell_length(width, palette.base)
