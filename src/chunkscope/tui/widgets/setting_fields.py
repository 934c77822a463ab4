"""The fields of the settings: typed ones, and those that step through a few values."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from chunkscope.tui.literal import content, fitted
from chunkscope.tui.session import Variant
from chunkscope.tui.views.settings import Setting, choices
from chunkscope.tui.widgets.field import Field

UNUSED = "–"
"""Stands in the field of a setting that changes nothing."""

_MANY = 6
"""So many choices are listed by Enter instead of stepped through."""


_TYPED = {
    "splitter": "your own module:object",
    "retriever": "dense:MODEL, openai:MODEL, module:object",
}
"""What may be typed in place of a kind that is listed."""


class NeighbourWanted(Message):
    """Up or down: to the same variant's field before (−1) or after (1)."""

    def __init__(self, field: Widget, by: int) -> None:
        super().__init__()
        self.field = field
        self.by = by


class TextSetting(Field):
    """A typed setting; up and down go to its neighbours."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "neighbour(-1)", show=False),
        Binding("down,enter", "neighbour(1)", show=False),
    ]

    def __init__(self, setting: Setting, variant: Variant) -> None:
        super().__init__(
            id=field_id(setting, variant), compact=True, select_on_focus=False, classes=variant
        )
        self.setting = setting
        self.variant: Variant = variant

    def action_neighbour(self, by: int) -> None:
        """The field above or beneath."""
        self.post_message(NeighbourWanted(self, by))


class ChoiceSetting(Widget, can_focus=True):
    """A setting with a few values; left and right step, Enter steps or lists them all."""

    DEFAULT_CSS = """
    ChoiceSetting { height: 1; }
    ChoiceSetting:disabled { color: $text-disabled; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "previous", show=False),
        Binding("right", "step(1)", "next", show=False),
        Binding("enter", "choose", "choose", show=False),
        Binding("up", "neighbour(-1)", show=False),
        Binding("down", "neighbour(1)", show=False),
    ]

    class Stepped(Message):
        """Another value was chosen."""

        def __init__(self, field: "ChoiceSetting") -> None:
            super().__init__()
            self.field = field

    def __init__(self, setting: Setting, variant: Variant) -> None:
        super().__init__(id=field_id(setting, variant), classes=variant)
        self.setting = setting
        self.variant: Variant = variant
        self.value = ""
        self.kind = ""
        """The variant's kind of splitter, on which some choices depend."""
        self.own: tuple[str, ...] = ()
        """Kinds that no list holds and that were in use once."""

    def action_neighbour(self, by: int) -> None:
        """The field above or beneath."""
        self.post_message(NeighbourWanted(self, by))

    @property
    def known(self) -> tuple[str, ...]:
        """What can be chosen."""
        listed = choices(self.setting, self.kind)
        return (*listed, *(kind for kind in self.own if kind not in listed))

    def action_step(self, by: int) -> None:
        """The value before or after."""
        known = self.known
        position = known.index(self.value) if self.value in known else 0
        self.take(known[(position + by) % len(known)])

    def action_choose(self) -> None:
        """The next value; where there are many, a list of them."""
        if len(self.known) < _MANY:
            self.action_step(1)
            return
        from chunkscope.tui.screens.pick import PickScreen

        def taken(value: str | None) -> None:
            if value is not None and value != self.value:
                self.take(value)

        title = f"{self.setting.label} of {self.variant}"
        own = _TYPED.get(self.setting.section, "") if self.setting.name == "kind" else ""
        self.app.push_screen(PickScreen(title, self.known, self.value, own=own), taken)

    def take(self, value: str) -> None:
        """Show a value and tell of it."""
        self.value = value
        self.refresh()
        self.post_message(self.Stepped(self))

    def on_click(self, event: Click) -> None:
        """A click steps on, or lists."""
        self.action_choose()

    def show(self, value: str) -> None:
        """Another value, without telling anyone."""
        if value != self.value:
            self.value = value
            self.refresh()

    def render(self) -> Content:
        """The value, and a mark that says it can be stepped."""
        if self.disabled:
            return content(UNUSED)
        mark = "v" if self.app.has_class("-ascii") else "▾"
        return content(f"{fitted(self.value, max(1, self.size.width - 2))} {mark}")


def field_id(setting: Setting, variant: Variant) -> str:
    """The widget id of a setting's field."""
    return f"{setting.section}-{setting.name}-{variant}".replace("_", "-")
