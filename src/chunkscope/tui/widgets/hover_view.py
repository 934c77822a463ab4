"""A page that knows what is under the mouse, and tells when a boundary is."""

from dataclasses import dataclass

from textual.geometry import Offset
from textual.message import Message

from chunkscope.text.spans import Span
from chunkscope.tui.widgets.page_view import PageView


class HoverView(PageView):
    """Posts `BoundaryHovered` when the mouse comes upon a boundary, or leaves it."""

    hovered: int | None = None
    """Offset of the boundary under the mouse."""

    @dataclass
    class BoundaryHovered(Message):
        """A chunk of a variant drawn begins at `offset`, under the mouse; None: none does."""

        view: "HoverView"
        offset: int | None

        @property
        def control(self) -> "HoverView":
            """The view."""
            return self.view

    def under(self, at: Offset) -> Span:
        """The character drawn at a place in the view; left of the text the row's first."""
        row = self._row_at(at)
        left = 0 if self.wrap else self.scroll_offset.x
        return self.page.columns.hit(row, at.x - self.page.plan.width + left)

    def _row_at(self, at: Offset) -> int:
        return max(0, min(self.scroll_offset.y + at.y, len(self.page.rows) - 1))

    def hover(self, at: Offset) -> None:
        """The mouse is at a place in the view."""
        if at.x < self.page.plan.width:
            # In the gutter the row's first boundary is meant.
            span = self.page.rows.span(self._row_at(at))
        else:
            span = self.under(at)
        found = [
            start
            for bands in (self.page.bands, self.page.other)
            if bands is not None
            for start in bands.start_offsets(span.start, max(span.end, span.start + 1))[:1]
        ]
        offset = min(found, default=None)
        if offset != self.hovered:
            self.hovered = offset
            self.post_message(self.BoundaryHovered(self, offset))
