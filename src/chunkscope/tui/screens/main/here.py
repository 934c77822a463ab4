"""What is here: a boundary's tooltip under the mouse, everything at the cursor by a key."""

from textual import on

from chunkscope.text.headings import heading_path
from chunkscope.tui.literal import content
from chunkscope.tui.screens.main.beside import BesideActions
from chunkscope.tui.views.here import boundary_lines, here_facts
from chunkscope.tui.widgets.hover_view import HoverView


class HereActions(BesideActions):
    """Facts about a place; computed from values, never asked of the engine."""

    @on(HoverView.BoundaryHovered, "#document")
    def _boundary_hovered(self, event: HoverView.BoundaryHovered) -> None:
        event.stop()
        lines = boundary_lines(self.session, event.offset) if event.offset is not None else []
        event.view.tooltip = content("\n".join(lines)) if lines else None

    def action_here(self) -> None:
        """Everything about the cursor's place."""
        if self.session.open_document is None:
            self.say("no document is open yet", "warning")
            return
        from chunkscope.tui.screens.here import HereScreen

        offset = self.document_view.cursor_offset
        path = heading_path(self.outline(), offset)
        self.app.push_screen(HereScreen(here_facts(self.session, offset, path)), self._go_on)

    def _go_on(self, key: str | None) -> None:
        """The key that closed what was shown does here what it does."""
        if key is not None:
            self.call_after_refresh(self.app.simulate_key, key)
