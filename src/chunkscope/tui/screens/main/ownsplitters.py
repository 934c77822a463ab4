"""Actions around splitters of one's own: their files are watched and taken in anew."""

from functools import partial

from textual import on

from chunkscope.tui import messages
from chunkscope.tui.ownsplitters import Sources, look
from chunkscope.tui.screens.main.lanes import LaneActions


class OwnSplitterActions(LaneActions):
    """Looks at the files whenever the documents are looked at."""

    sources: Sources = {}  # noqa: RUF012 - replaced whole, never changed
    taking_in = False

    def check_files(self) -> None:
        """Documents and golden set, then the files of splitters of one's own."""
        super().check_files()
        self.check_splitters()

    def request_study(self) -> None:
        """What is cut now was imported: from here on its file is watched."""
        super().request_study()
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
            self.show_notice(f"{event.reason}\nWhat is shown was cut by the code before.")
            self.say(event.reason, "error")
            return
        self.show_notice("")
        names = ", ".join(event.versions)
        self.say(f"{names} is imported again: cutting anew")
        self.session.forget_cuts()
        self.show_changed()
        self.request()
