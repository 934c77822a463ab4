"""How much room the parts have: the bottom panel by key and mouse, one part on the whole screen."""

from textual import on

from chunkscope.tui.screens.main.copying import CopyActions
from chunkscope.tui.widgets.panel_tabs import PanelTabs

_LEAST_PANEL = 4
_LEAST_ABOVE = 14
"""Rows that the document, the lines beneath it and the keys keep."""


class SizeActions(CopyActions):
    """Heights and maximised parts."""

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

    def lay_out(self) -> None:
        """The bottom panel's height, or the whole screen."""
        bottom, height = self.query_one("#bottom"), self.session.panel_height
        if height and not self.has_class("-zoomed"):
            bottom.styles.height = height
        else:
            bottom.styles.clear_rule("height")

    def action_alone(self) -> None:
        """The document on the whole screen, or back."""
        self.remove_class("-zoomed")
        self.toggle_class("-alone")
        self.lay_out()
        self.document_view.focus()
