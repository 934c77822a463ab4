"""The settings of A and B side by side, each with the reason why it cannot be used."""

from collections.abc import Mapping, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import DescendantBlur, DescendantFocus
from textual.widget import AwaitMount, Widget
from textual.widgets import Input, Label, Static

from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import is_code
from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.literal import content
from chunkscope.tui.messages import SettingChanged
from chunkscope.tui.session import VARIANTS, Variant
from chunkscope.tui.views.hints import OverlapFacts, hint
from chunkscope.tui.views.settings import SETTINGS, Setting, parse_setting, setting_text, used
from chunkscope.tui.widgets.paragraph import Paragraph
from chunkscope.tui.widgets.setting_fields import (
    UNUSED,
    ChoiceSetting,
    NeighbourWanted,
    TextSetting,
)

SettingField = TextSetting | ChoiceSetting


def reason_name(setting: Setting) -> str:
    """What an error about the setting begins with: the room for a kind, else the setting."""
    return setting.section if setting.name == "kind" else setting.name


class SettingsPanel(Vertical):
    """One line a setting: its name, the value in A, the value in B; beneath, a word on one."""

    DEFAULT_CSS = """
    SettingsPanel #setting-fields { height: 1fr; scrollbar-size-vertical: 1; }
    SettingsPanel #setting-hint { max-height: 3; background: $panel; color: $text-muted; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._configurations: dict[Variant, Configuration] = {}
        self._facts: dict[Variant, OverlapFacts | None] = {}
        self._own: dict[str, tuple[str, ...]] = {}
        self._fields: dict[tuple[Setting, Variant], SettingField] = {}
        self._lines: dict[Setting, Horizontal] = {}
        self._reasons: dict[str, Static] = {}
        self._warnings: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """The warnings alone; the fields, which take longest to mount, come by `fill`."""
        with VerticalScroll(id="setting-fields", can_focus=False):
            yield Static("", id="warnings-below", classes="warnings", markup=False)
        # Where there is room they stand in sight, else beneath the last field.
        yield Static("", id="warnings", classes="warnings", markup=False)
        yield Paragraph(id="setting-hint")

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
            row = self._lines[setting] = Horizontal(name, *fields, classes="setting")
            lines.append(row)
            reason = self._reasons[reason_name(setting)] = Static(
                "", classes="reason", id=f"reason-{reason_name(setting)}", markup=False
            )
            lines.append(reason)
        return self.query_one("#setting-fields").mount(*lines, before="#warnings-below")

    # --- what it shows ---------------------------------------------------------------------------

    def show(self, configurations: Mapping[Variant, Configuration]) -> None:
        """Show both configurations; a field that is being typed in is left alone."""
        self._configurations = dict(configurations)
        for setting, variant in self._fields:
            self._show_field(setting, variant)
        for setting, line in self._lines.items():
            # What neither splitter uses would only stand in the way.
            line.display = any(used(each, setting) for each in self._configurations.values())
        self._show_hint()

    def _show_field(self, setting: Setting, variant: Variant) -> None:
        field, configuration = self._fields[setting, variant], self._configurations[variant]
        unused = not used(configuration, setting)
        text = setting_text(configuration, setting)
        if isinstance(field, ChoiceSetting):
            field.kind = configuration.splitter.kind
            field.own = self._own_kinds(setting)
            field.show(text)
        elif unused or not self._means_the_same(field):
            with field.prevent(Input.Changed):
                field.value = UNUSED if unused else text
        if field.disabled is not unused:
            field.disabled = unused

    def _own_kinds(self, setting: Setting) -> tuple[str, ...]:
        """Kinds that no list holds and either variant ever had, to choose them again."""
        if setting.name != "kind":
            return ()
        known = self._own.get(setting.section, ())
        used = (setting_text(each, setting) for each in self._configurations.values())
        typed = setting.section == "retriever"
        new = (
            kind
            for kind in dict.fromkeys(used)
            if kind not in known and (is_code(kind) or (typed and ":" in kind))
        )
        self._own[setting.section] = (*known, *new)
        return self._own[setting.section]

    def show_facts(self, facts: Mapping[Variant, OverlapFacts | None]) -> None:
        """What the requested overlaps came to."""
        if self._facts != facts:
            self._facts = dict(facts)
            self._show_hint()

    def show_reason(self, name: str, reason: str) -> bool:
        """Say beside a field why its value cannot be used; an empty reason takes it away."""
        line = self._reasons.get(name)
        if line is None:
            return False
        if reason or line.has_class("-shown"):
            line.update(content(reason))
            line.set_class(bool(reason), "-shown")
            if reason:
                self.call_after_refresh(line.scroll_visible, animate=False)
        return True

    def show_warnings(self, warnings: Sequence[str]) -> None:
        """What stands beneath the fields."""
        if tuple(warnings) != self._warnings:
            self._warnings = tuple(warnings)
            for line in self.query(".warnings").results(Static):
                line.update(content("\n".join(warnings)))

    def clear_reasons(self) -> None:
        """Nothing is wrong."""
        for setting in SETTINGS:
            self.show_reason(reason_name(setting), "")

    @property
    def reasons(self) -> list[str]:
        """What stands beside the fields now."""
        return [str(line.content) for line in self.query(".reason.-shown").results(Static)]

    def _show_hint(self) -> None:
        line, field = self.query_one("#setting-hint", Paragraph), self._focused()
        if field is None or field.variant not in self._configurations:
            line.say()
            return
        configuration = self._configurations[field.variant]
        said = hint(configuration, field.setting, self._facts.get(field.variant))
        line.say((f"{field.variant}: ", field.variant.lower()), (said, "dim"))

    def _focused(self) -> SettingField | None:
        return next((field for field in self._fields.values() if field.has_focus), None)

    # --- moving ----------------------------------------------------------------------------------

    @on(DescendantFocus)
    def _entered(self) -> None:
        self._show_hint()

    @on(DescendantBlur)
    def _left(self, event: DescendantBlur) -> None:
        """What was typed and cannot be used goes; the value in use stands there again."""
        field = event.widget
        if isinstance(field, TextSetting | ChoiceSetting) and field.variant in self._configurations:
            if not self._is_in_use(field):
                self.show_reason(reason_name(field.setting), "")
            self._show_field(field.setting, field.variant)
        self._show_hint()

    def _is_in_use(self, field: SettingField) -> bool:
        """Whether the field's text is the value in use, however it is written."""
        configuration, setting = self._configurations[field.variant], field.setting
        try:
            typed = parse_setting(configuration, setting, field.value)
        except InputError:
            return False
        return bool(typed == getattr(getattr(configuration, setting.section), setting.name))

    @on(NeighbourWanted)
    def _neighbour_wanted(self, event: NeighbourWanted) -> None:
        event.stop()
        fields = [
            field
            for (_setting, variant), field in self._fields.items()
            if event.field.has_class(variant) and not field.disabled
        ]
        # Keys typed ahead may have left the settings meanwhile: the focus stays where they took it.
        if event.field in fields and event.field is self.screen.focused:
            following = fields[(fields.index(event.field) + event.by) % len(fields)]
            self.screen.set_focus(following)

    # --- changes ---------------------------------------------------------------------------------

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
        return field.has_focus and self._is_in_use(field)
