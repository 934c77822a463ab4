"""Actions that change a configuration."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual import on

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui import messages
from chunkscope.tui.literal import literal
from chunkscope.tui.screens.main.moving import MoveActions
from chunkscope.tui.session import Shown, Variant
from chunkscope.tui.tweaking import (
    check_change,
    default_sizes,
    step_overlap,
    step_size,
    with_setting,
)
from chunkscope.tui.views.sweep import older_reason, told_apart
from chunkscope.tui.widgets.panel_tabs import PanelTabs
from chunkscope.tui.widgets.settings_panel import SettingsPanel

if TYPE_CHECKING:
    from chunkscope.evaluation.sweep import SweepRow
    from chunkscope.golden.model import LocatedQuestion
    from chunkscope.tui.trials import Grid

_NEXT_SHOWN: dict[Shown, Shown] = {"A": "B", "B": "both", "both": "A"}


class TweakActions(MoveActions):
    """Size, overlap, variant, settings, mend, sweep."""

    sweep_run = 0
    sweep_running = False
    sweep_rows: "tuple[SweepRow, ...]" = ()
    swept: "tuple[Configuration, tuple[LocatedQuestion, ...]] | None" = None
    """What the rows of the sweep are of: A as it was, and the questions."""
    grid: "Grid | None" = None
    """What the newest sweep runs over."""

    def change(
        self, variant: Variant, configuration: Configuration, *, preview: bool = False
    ) -> None:
        """Give a variant another configuration and have it cut at once."""
        if self.session.change(variant, configuration, preview=preview):
            self.query_one("#settings", SettingsPanel).clear_reasons()
            self.show_changed()
            self.request()

    def action_step_size(self, direction: int) -> None:
        """Smaller or larger chunks in the active variant."""
        self._step(step_size, direction)

    def action_step_overlap(self, direction: int) -> None:
        """Less or more overlap in the active variant."""
        self._step(step_overlap, direction)

    def _step(self, step: Callable[[Configuration, int], Configuration], direction: int) -> None:
        variant = self.session.active
        try:
            self.change(variant, step(self.session.configurations[variant], direction))
        except InputError as error:
            self.refuse(variant, str(error))

    def refuse(self, variant: Variant | None, reason: str) -> None:
        """Say why a setting cannot be used: beside its field, and where no panel shows it."""
        named = reason.split(":", 1)[0].strip().removeprefix("splitter.").replace("-", "_")
        text = f"{variant}: {reason}" if variant is not None else reason
        panel = self.query_one("#settings", SettingsPanel)
        beside = panel.show_reason(named.split(" ")[0], text)
        if not beside or self.compact:
            self.say(text, "warning")

    def action_setting(self, name: str) -> None:
        """Go to a setting by its field's name."""
        if not self.furnished:
            return
        if not self.has_class("-side"):
            self.action_settings()
        field = self.query_one(f"#{name}")
        if field.disabled:
            self.say("this setting changes nothing as the others are now", "warning")
        else:
            self.set_focus(field)

    def action_open_position(self, position: int) -> None:
        """Open a document by its place in the corpus."""
        self.leave_mark()
        self.open_document(position)
        self.set_focus(self.document_view)

    def action_cycle_variant(self) -> None:
        """A, B, both."""
        self.session.shown = _NEXT_SHOWN[self.session.shown]
        self.show_all()

    @on(messages.SettingChanged)
    def _setting_changed(self, event: messages.SettingChanged) -> None:
        event.stop()
        configuration = self.session.configurations[event.variant]
        try:
            changed = with_setting(configuration, event.section, event.name, event.value)
            check_change(changed, event.section)
        except InputError as error:
            self.refuse(event.variant, str(error))
            return
        self.change(event.variant, changed)

    # --- sweep -----------------------------------------------------------------------------------

    def propose_sweep(self) -> None:
        """Fill the sweep's fields from A."""
        splitter = self.session.configurations["A"].splitter
        overlaps: tuple[int | str, ...] = tuple(dict.fromkeys((0, splitter.overlap, "20%")))
        self.sweep_panel.propose(default_sizes(splitter.size), overlaps)

    def action_sweep(self) -> None:
        """Start a sweep, or stop the running one."""
        if self.sweep_running:
            self.engine.stop_sweep()
            return
        if self.session.corpus is None or not self.furnished:
            self.say("the documents are still being read", "warning")
            return
        self.show_panel("sweep")
        self.sweep_panel.want()

    @on(messages.SweepWanted)
    def _sweep_wanted(self, event: messages.SweepWanted) -> None:
        event.stop()
        session = self.session
        if not session.questions:
            self.say("a sweep needs questions: a asks one, --golden FILE opens a set", "warning")
            return
        self.sweep_run += 1
        self.sweep_running = True
        self.sweep_rows = ()
        self.swept = (session.configurations["A"], session.questions)
        panel = self.sweep_panel
        panel.show((), None, running=True)
        panel.grow_old("")
        panel.advise([])
        panel.say([("starting … r stops", "dim")])
        self.grid = (session.configurations["A"], event.sizes, event.overlaps)
        work = partial(self.engine.sweep, self.sweep_run, self.grid, session.questions)
        self.start(work, "sweep")

    @on(messages.SweepRowReady)
    def _sweep_row_ready(self, event: messages.SweepRowReady) -> None:
        event.stop()
        if event.run != self.sweep_run:
            return
        self.sweep_rows = (*self.sweep_rows, event.row)
        panel = self.sweep_panel
        panel.show(self.sweep_rows, None, running=True)
        done, total = len(self.sweep_rows), event.total
        filled = round(10 * done / max(1, total))
        then = " · other boundary phases …" if done == total else ""
        bar = f"{'█' * filled}{'░' * (10 - filled)}"
        panel.say([(f"{bar} {done} of {total}{then} · r stops", "dim")])
        self.show_lines()

    @on(messages.SweepEnded)
    def _sweep_ended(self, event: messages.SweepEnded) -> None:
        event.stop()
        if event.run != self.sweep_run:
            return
        self.sweep_running = False
        panel = self.sweep_panel
        if event.sweep is None:
            panel.show(self.sweep_rows, None)
            panel.say([(event.reason, "warn")])
            return
        self.session.sweep = event.sweep
        rows, advice = event.sweep.rows, event.sweep.advice
        pick = rows[advice.pick].configuration if advice.pick is not None else None
        panel.show(rows, pick, told=told_apart(event.sweep))
        said = [*advice.reasons, *(rule.sentence for rule in advice.rules)]
        said += [f"left out: {entry.reason}" for entry in event.sweep.skipped]
        panel.advise([literal(sentence) for sentence in dict.fromkeys(said)])
        state = "stopped" if event.sweep.stopped else "done"
        provisional = " · provisional" if advice.provisional else ""
        panel.say([(f"{state}: {len(rows)} rows{provisional}", "dim")])
        self.show_lines()

    def show_study(self) -> None:
        """The sweep's rows are those of A as it is now, or older ones."""
        if not self.furnished or self.swept is None:
            return
        then, questions = self.swept
        reason = older_reason(then, self.session.configurations["A"])
        if not reason and questions is not self.session.questions:
            reason = "the questions are others now"
        self.sweep_panel.grow_old(reason)

    def show_lines(self) -> None:
        """Where the panel has no room for how far a sweep is, it stands beside the tabs."""
        super().show_lines()
        tabs = self.query_one("#tabs", PanelTabs)
        said = self.sweep_panel.state if self.furnished and self.panel == "sweep" else ""
        tabs.urgent = self.compact and bool(said) and not self.has_class("-zoomed")
        if tabs.urgent:
            tabs.note = f"{said} "

    # --- into B ----------------------------------------------------------------------------------

    def take_into_b(self, configuration: Configuration, *, preview: bool = False) -> None:
        """Preview a configuration: it is B, and B is drawn."""
        if self.session.shown == "A":
            self.session.shown = "B"
        self.change("B", configuration, preview=preview)

    @on(messages.ConfigurationTaken)
    def _configuration_taken(self, event: messages.ConfigurationTaken) -> None:
        event.stop()
        splitter = event.configuration.splitter
        self.take_into_b(event.configuration, preview=event.preview)
        if event.leave:
            self.set_focus(self.document_view)
        if event.preview:
            return
        what = event.what or f"{splitter.kind} {splitter.size}/{splitter.overlap_size}"
        self.say(f"B is {what} now")
