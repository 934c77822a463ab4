"""The settings of A and B side by side, each with the reason why it cannot be used."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widget import AwaitMount, Widget
from textual.widgets import Input, Label, Static

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.literal import content, fitted
from chunkscope.tui.messages import SettingChanged
from chunkscope.tui.session import VARIANTS, Variant
from chunkscope.tui.views.settings import (
    SETTINGS,
    Setting,
    choices,
    parse_setting,
    setting_text,
)
from chunkscope.tui.widgets.field import Field


class TextSetting(Field):
    """A typed setting; up and down go to its neighbours."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.focus_previous_setting", show=False),
        Binding("down", "screen.focus_next_setting", show=False),
    ]

    def __init__(self, setting: Setting, variant: Variant) -> None:
        super().__init__(
            id=field_id(setting, variant), compact=True, select_on_focus=False, classes=variant
        )
        self.setting = setting
        self.variant: Variant = variant


class ChoiceSetting(Widget, can_focus=True):
    """A setting with a few values; left, right and Enter step through them."""

    DEFAULT_CSS = """
    ChoiceSetting { height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "previous", show=False),
        Binding("right,enter", "step(1)", "next", show=False),
        Binding("up", "screen.focus_previous_setting", show=False),
        Binding("down", "screen.focus_next_setting", show=False),
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

    def action_step(self, by: int) -> None:
        """The value before or after."""
        known = choices(self.setting)
        position = known.index(self.value) if self.value in known else 0
        self.value = known[(position + by) % len(known)]
        self.refresh()
        self.post_message(self.Stepped(self))

    def on_click(self, event: Click) -> None:
        """A click steps on."""
        self.action_step(1)

    def show(self, value: str) -> None:
        """Another value, without telling anyone."""
        if value != self.value:
            self.value = value
            self.refresh()

    def render(self) -> Content:
        """The value between marks that say it can be stepped."""
        width = self.size.width
        return content(f"{fitted(self.value, max(1, width - 2))} ▾")


def field_id(setting: Setting, variant: Variant) -> str:
    """The widget id of a setting's field."""
    return f"{setting.section}-{setting.name}-{variant}".replace("_", "-")


def reason_name(setting: Setting) -> str:
    """What an error about the setting begins with: the room for a kind, else the setting."""
    return setting.section if setting.name == "kind" else setting.name


class SettingsPanel(VerticalScroll, can_focus=False):
    """One line a setting: its name, the value in A, the value in B."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._configurations: dict[Variant, Configuration] = {}
        self._fields: dict[tuple[Setting, Variant], TextSetting | ChoiceSetting] = {}
        self._reasons: dict[str, Static] = {}
        self._warnings: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """The warnings alone; the fields, which take longest to mount, come by `fill`."""
        yield Static("", id="warnings", markup=False)

    def fill(self) -> AwaitMount:
        """Lines of fields, each with a hidden line for what is wrong."""
        lines: list[Widget] = []
        for setting in SETTINGS:
            fields = []
            for variant in VARIANTS:
                kind = ChoiceSetting if setting.choices else TextSetting
                field = self._fields[setting, variant] = kind(setting, variant)
                fields.append(field)
            name = Label(setting.label, classes="name", markup=False)
            lines.append(Horizontal(name, *fields, classes="setting"))
            reason = self._reasons[reason_name(setting)] = Static(
                "", classes="reason", id=f"reason-{reason_name(setting)}", markup=False
            )
            lines.append(reason)
        return self.mount(*lines, before="#warnings")

    def show(self, configurations: Mapping[Variant, Configuration]) -> None:
        """Show both configurations; a field that is being typed in is left alone."""
        self._configurations = dict(configurations)
        for (setting, variant), field in self._fields.items():
            text = setting_text(configurations[variant], setting)
            if isinstance(field, ChoiceSetting):
                field.show(text)
            elif not self._means_the_same(field):
                with field.prevent(Input.Changed):
                    field.value = text

    def show_reason(self, name: str, reason: str) -> bool:
        """Say beside a field why its value cannot be used; an empty reason takes it away."""
        line = self._reasons.get(name)
        if line is None:
            return False
        if reason or line.has_class("-shown"):
            line.update(content(reason))
            line.set_class(bool(reason), "-shown")
        return True

    def show_warnings(self, warnings: Sequence[str]) -> None:
        """What stands beneath the fields."""
        if tuple(warnings) != self._warnings:
            self._warnings = tuple(warnings)
            self.query_one("#warnings", Static).update(content("\n".join(warnings)))

    def clear_reasons(self) -> None:
        """Nothing is wrong."""
        for setting in SETTINGS:
            self.show_reason(reason_name(setting), "")

    @property
    def reasons(self) -> list[str]:
        """What stands beside the fields now."""
        return [str(line.content) for line in self.query(".reason.-shown").results(Static)]

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        field = event.input
        if isinstance(field, TextSetting):
            self._take(field.setting, field.variant, event.value)

    @on(ChoiceSetting.Stepped)
    def _stepped(self, event: ChoiceSetting.Stepped) -> None:
        event.stop()
        self._take(event.field.setting, event.field.variant, event.field.value)

    def _take(self, setting: Setting, variant: Variant, text: str) -> None:
        configuration = self._configurations.get(variant)
        if configuration is None:
            return
        try:
            value = parse_setting(configuration, setting, text)
        except InputError as error:
            self.show_reason(reason_name(setting), f"{variant}: {error}")
            return
        self.show_reason(reason_name(setting), "")
        self.post_message(SettingChanged(variant, setting.section, setting.name, value))

    def _means_the_same(self, field: TextSetting) -> bool:
        """Whether what is typed is another way to write the value: `10 %`, `5,10`."""
        if not field.has_focus:
            return False
        configuration = self._configurations[field.variant]
        setting = field.setting
        try:
            typed = parse_setting(configuration, setting, field.value)
        except InputError:
            return False
        return bool(typed == getattr(getattr(configuration, setting.section), setting.name))
