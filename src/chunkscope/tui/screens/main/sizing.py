"""How much room the parts have: the bottom panel by key and mouse, one part on the whole screen."""

from textual import on
from textual.events import MouseDown, MouseMove

from chunkscope.tui.screens.main.copying import CopyActions
from chunkscope.tui.widgets.panel_tabs import PanelTabs

_LEAST_PANEL = 4
_LEAST_COLUMN, _LEAST_TEXT, _WIDEN = 20, 30, 12
_LEAST_ABOVE = 14
"""Rows that the document, the lines beneath it and the keys keep."""


class SizeActions(CopyActions):
    """Heights, widths and maximised parts."""

    held = ""
    """The column whose frame is dragged."""

    @on(PanelTabs.Dragged)
    def _tabs_dragged(self, event: PanelTabs.Dragged) -> None:
        event.stop()
        self.action_resize_panel(event.by)

    @on(PanelTabs.Doubled)
    async def _tabs_doubled(self, event: PanelTabs.Doubled) -> None:
        event.stop()
        await self.run_action("zoom")

    def action_resize_panel(self, by: int) -> None:
        """A higher or lower bottom panel."""
        if self.has_class("-zoomed"):
            self.say("the panel has the whole screen: z gives it back")
            return
        self.set_panel_height(self.query_one("#bottom").outer_size.height + by)

    def set_panel_height(self, height: int) -> None:
        """So many rows for the bottom panel, as far as the screen has them; 0: as designed."""
        most = max(_LEAST_PANEL, self.app.size.height - _LEAST_ABOVE)
        self.session.panel_height = max(_LEAST_PANEL, min(most, height)) if height else 0
        self.lay_out()

    # --- columns ---------------------------------------------------------------------------------

    def on_mouse_down(self, event: MouseDown) -> None:
        """The frame between the document and a column can be dragged."""
        if self.compact or self.app.screen is not self:
            return
        side, documents = (self.query_one(f"#{name}").region for name in ("side", "documents"))
        x = event.screen_x
        if side.contains(x, event.screen_y) and x == side.x:
            self.held = "side"
        elif documents.contains(x, event.screen_y) and x == documents.right - 1:
            self.held = "documents"
        if self.held:
            self.capture_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        """The column follows."""
        if self.held == "side":
            self.set_width("side", self.query_one("#side").region.right - event.screen_x)
        elif self.held:
            self.set_width("documents", event.screen_x + 1)

    def on_mouse_up(self) -> None:
        """Let go."""
        if self.held:
            self.held = ""
            self.release_mouse()

    def action_widen_side(self) -> None:
        """Settings and metrics wider by a step, at the end as narrow as designed."""
        wider = self.query_one("#side").outer_size.width + _WIDEN
        if wider > self._most_wide("side"):
            self.session.widths.pop("side", None)
            self.lay_out()
        else:
            self.set_width("side", wider)

    def set_width(self, name: str, width: int) -> None:
        """So many cells for a column, as far as the document keeps its room."""
        self.session.widths[name] = max(_LEAST_COLUMN, min(self._most_wide(name), width))
        self.lay_out()

    def _most_wide(self, name: str) -> int:
        other = self.query_one("#documents" if name == "side" else "#side")
        return max(_LEAST_COLUMN, self.app.size.width - other.outer_size.width - _LEAST_TEXT)

    def lay_out(self) -> None:
        """What a person chose, where there is room for more than one part."""
        for name in ("side", "documents"):
            column, width = self.query_one(f"#{name}"), self.session.widths.get(name)
            if width is not None and not self.compact:
                column.styles.width = max(_LEAST_COLUMN, min(width, self._most_wide(name)))
            else:
                column.styles.width = None
        bottom, height = self.query_one("#bottom"), self.session.panel_height
        if height and not self.has_class("-zoomed"):
            bottom.styles.height = height
        else:
            bottom.styles.height = None

    def action_alone(self) -> None:
        """The document on the whole screen, or back."""
        self.remove_class("-zoomed")
        self.toggle_class("-alone")
        self.lay_out()
        self.set_focus(self.document_view)
