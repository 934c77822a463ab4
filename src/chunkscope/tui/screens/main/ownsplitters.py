"""Actions around splitters of one's own: their files are watched and taken in anew."""

from functools import partial

from textual import on

from chunkscope.evaluation.configfile import is_code
from chunkscope.tui import messages
from chunkscope.tui.ownsplitters import Sources, look
from chunkscope.tui.screens.main.lanes import LaneActions
from chunkscope.tui.session import Variant


class OwnSplitterActions(LaneActions):
    """Looks at the files whenever the documents are looked at."""

    sources: Sources = {}  # noqa: RUF012 - replaced whole, never changed
    taking_in = False
    failing = ""
    """What failed, if the notice above the text says so: importing, which lasts until the file
    changes, or cutting."""

    def check_files(self) -> None:
        """Documents and golden set, then the files of splitters of one's own."""
        super().check_files()
        self.check_splitters()

    def request_study(self) -> None:
        """What is cut now was imported: from here on its file is watched."""
        super().request_study()
        if self.failing == "cutting" and not self.session.stale:
            self._tell_failure("", "")
        self.sources = look(self._kinds(), self.sources).sources

    def check_splitters(self) -> None:
        """Import a changed file again and cut anew."""
        if self.session.corpus is None or self.taking_in:
            return
        found = look(self._kinds(), self.sources)
        if not found.changed:
            self.sources = found.sources
            return
        self.taking_in = True
        self.say(f"{', '.join(found.names)} changed on the disk: importing it again …")
        self.start(partial(self.engine.take_in, found.changed), "splitters")

    def _kinds(self) -> list[str]:
        return [settings.splitter.kind for settings in self.session.configurations.values()]

    @on(messages.SplittersReloaded)
    def _splitters_reloaded(self, event: messages.SplittersReloaded) -> None:
        event.stop()
        self.taking_in = False
        self.sources = {**self.sources, **event.versions}
        if event.reason:
            self._tell_failure("importing", event.reason)
            self.say(event.reason, "error")
            return
        if self.failing:
            self._tell_failure("", "")
        names = ", ".join(event.versions)
        self.say(f"{names} is imported again: cutting anew")
        self.session.forget_cuts()
        self.show_changed()
        self.request()

    def refuse(self, variant: Variant | None, reason: str) -> None:
        """Code that fails is told above what it cut before, which stays."""
        super().refuse(variant, reason)
        if self.session.visible_cuts and any(
            reason.startswith(f"splitter {kind!r}") for kind in self._kinds() if is_code(kind)
        ):
            self._tell_failure("cutting", reason)

    def _tell_failure(self, doing: str, reason: str) -> None:
        self.failing = doing
        self.show_notice(f"{reason}\nWhat is shown was cut before that." if reason else "")
