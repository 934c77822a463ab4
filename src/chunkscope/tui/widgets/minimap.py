"""The whole document beside its view: chunks, evidence, cuts, and where one reads."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.events import MouseDown, MouseMove, MouseScrollDown, MouseScrollUp, MouseUp
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from chunkscope.tui.painting.overview import OverviewLine, Sight, overview_line
from chunkscope.tui.widgets.page_view import PageView

_PREFIX = "minimap--"


class Minimap(Widget):
    """Two columns: the visible part and the chunks, then what stands there.

    A click or a drag scrolls the view.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        _PREFIX + name
        for name in (
            "even",
            "odd",
            "view",
            *(sight.value.replace(" ", "-") for sight in Sight),
        )
    }
    DEFAULT_CSS = """
    Minimap {
        width: 2;
        height: 1fr;
        background: $surface;
        & .minimap--even { background: $primary 9%; }
        & .minimap--odd { background: $primary 22%; }
        & .minimap--view { color: $primary; }
        & .minimap--cut { color: $text-error; text-style: bold; }
        & .minimap--not-retrieved { color: $text-warning; text-style: bold; }
        & .minimap--whole { color: $text-success; text-style: bold; }
        & .minimap--unmeasured { color: $text-muted; }
        & .minimap--found { color: $text-accent; }
        & .minimap--boundary { color: $text-muted; }
        & .minimap--nothing { color: $text-muted; }
    }
    """

    def __init__(self, view: PageView, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._view = view
        self._dragging = False
        self._visible = range(0)
        self._styles: dict[str, Style] = {}

    def on_mount(self) -> None:
        """Follow the view, and stand in for its scrollbar."""
        self._view.add_class("-mapped")
        self.watch(self._view, "scroll_y", self._follow, init=False)
        self.watch(self._view, "virtual_size", self._follow, init=False)
        self.watch(self._view, "drawn", self._follow, init=False)

    def _follow(self) -> None:
        self.refresh()

    def notify_style_update(self) -> None:
        """The theme changed."""
        super().notify_style_update()
        self._styles.clear()
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Some lines of the overview; where the view stands is asked once for all of them."""
        top = self._view.top_row
        self._visible = range(top, top + self._view.row_count)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One line of the overview."""
        line = overview_line(self._view.page, y, self.size.height, self._visible)
        band = self._component("odd" if line.odd else "even")
        if line.first == line.last:
            return Strip.blank(self.size.width, self.rich_style)
        ground = Style(bgcolor=band.bgcolor)
        view = self._view.marks.view if line.in_view else " "
        return Strip(
            [
                Segment(view, self._ink("view") + ground),
                Segment(self._glyph(line), self._ink(line.sight.value.replace(" ", "-")) + ground),
            ]
        ).adjust_cell_length(self.size.width, self.rich_style)

    def _glyph(self, line: OverviewLine) -> str:
        marks = self._view.marks
        if line.sight is Sight.NOTHING:
            return " "
        if line.sight is Sight.BOUNDARY:
            return marks.boundary
        if line.sight is Sight.FOUND:
            return marks.found
        if line.sight is Sight.CUT:
            return marks.scissors
        return marks.of_evidence(line.sight.value)

    def _component(self, name: str) -> Style:
        if name not in self._styles:
            self._styles[name] = self.get_component_rich_style(_PREFIX + name)
        return self._styles[name]

    def _ink(self, name: str) -> Style:
        style = self._component(name)
        return Style(color=style.color, bold=style.bold)

    def on_mouse_down(self, event: MouseDown) -> None:
        """Go there."""
        self._dragging = True
        self.capture_mouse()
        self._go(event.y)

    def on_mouse_move(self, event: MouseMove) -> None:
        """Go along."""
        if self._dragging:
            self._go(event.y)

    def on_mouse_up(self, event: MouseUp) -> None:
        """Stay."""
        self._dragging = False
        self.release_mouse()

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """Scroll the view."""
        event.stop()
        self._view.scroll_to_row(self._view.top_row + 3)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """Scroll the view."""
        event.stop()
        self._view.scroll_to_row(self._view.top_row - 3)

    def _go(self, y: int) -> None:
        y = max(0, min(y, self.size.height - 1))
        top = self._view.top_row
        line = overview_line(self._view.page, y, self.size.height, range(top, top))
        self._view.scroll_to_row((line.first + line.last) // 2 - self._view.row_count // 2)
