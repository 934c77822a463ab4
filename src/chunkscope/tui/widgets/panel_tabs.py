"""The names of the bottom panels; left and right step through them."""

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.events import Click, MouseDown, MouseMove
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from chunkscope.tui.literal import Inks, fitted
from chunkscope.tui.messages import PanelChosen

PANELS: tuple[tuple[str, str], ...] = (
    ("questions", "Questions"),
    ("retrieved", "Retrieved"),
    ("sweep", "Sweep"),
    ("chunks", "Chunks"),
    ("diagnosis", "Diagnosis"),
    ("health", "Health"),
    ("compare", "Compare"),
)


_SHORT = 7
"""Cells of a name that is cut short: a space, the number, a space, four letters."""


class PanelTabs(Widget, can_focus=True):
    """One line of panel names, the shown one marked."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"panel-tabs--shown", "panel-tabs--other"}
    DEFAULT_CSS = """
    PanelTabs {
        height: 1;
        background: $panel;
        & .panel-tabs--shown { color: $foreground; text-style: bold reverse; }
        & .panel-tabs--other { color: $text-muted; }
        &:focus .panel-tabs--shown { color: $primary; text-style: bold reverse; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "previous panel", show=False),
        Binding("right", "step(1)", "next panel", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._inks = Inks(self, "panel-tabs")
        self._held: int | None = None

    shown: reactive[str] = reactive("questions")
    note: reactive[str] = reactive("")
    urgent: reactive[bool] = reactive(False)
    """The note is shown even where the names must be cut short for it."""

    @dataclass
    class Dragged(Message):
        """The line is pulled up by so many rows; down: fewer than 0."""

        by: int

    @dataclass
    class Doubled(Message):
        """A double click."""

    def on_mouse_down(self, event: MouseDown) -> None:
        """The line may be dragged from here."""
        self._held = event.screen_y
        self.capture_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        """Dragged up or down, the panel grows or shrinks."""
        if self._held is not None and event.screen_y != self._held:
            self.post_message(self.Dragged(self._held - event.screen_y))
            self._held = event.screen_y

    def on_mouse_up(self) -> None:
        """Let go."""
        self._held = None
        self.release_mouse()

    def action_step(self, by: int) -> None:
        """The panel before or after."""
        names = [name for name, _title in PANELS]
        self.post_message(PanelChosen(names[(names.index(self.shown) + by) % len(names)]))

    def on_click(self, event: Click) -> None:
        """A click on a name shows its panel."""
        if event.chain > 1:
            self.post_message(self.Doubled())
            return
        edge = 1
        for (name, _title), shown in zip(PANELS, self._titles(), strict=True):
            edge += len(shown) + self._gap
            if event.x < edge:
                self.post_message(PanelChosen(name))
                return

    def notify_style_update(self) -> None:
        """The theme changed."""
        super().notify_style_update()
        self._inks.forget()

    @property
    def _gap(self) -> int:
        """Cells between two names: none where the names barely fit."""
        wide = sum(len(title) + 5 for _name, title in PANELS)
        return 1 if self.size.width >= wide + len(self.note) + 1 else 0

    def _titles(self) -> list[str]:
        pad = " " if self._gap else ""
        titles = [f" {number} {title}{pad}" for number, (_name, title) in enumerate(PANELS, 1)]
        if not self.urgent or sum(map(len, titles)) + len(self.note) + 2 <= self.size.width:
            return titles
        return [
            shown if name == self.shown else shown[:_SHORT]
            for (name, _title), shown in zip(PANELS, titles, strict=True)
        ]

    def render_line(self, y: int) -> Strip:
        """The names, and a note at the right."""
        base = self._inks.base
        if y:
            return Strip.blank(self.size.width, base)
        segments = [Segment(" ", base)]
        for (name, _title), shown in zip(PANELS, self._titles(), strict=True):
            kind = "shown" if name == self.shown else "other"
            segments.append(Segment(shown, base + self._inks.of(kind)))
            segments.append(Segment(" " * self._gap, base))
        used = sum(segment.cell_length for segment in segments)
        left = self.size.width - used - 1
        if self.note and (left > len(self.note) or self.urgent):
            style = base + self._inks.of("other")
            segments.append(Segment(f" {fitted(self.note, left - 1, right=True)}", style))
        return Strip(segments).adjust_cell_length(self.size.width, base)
