"""Actions that take something away: export, copy, help, themes, quit."""

from functools import partial
from pathlib import Path

from textual import on

from chunkscope.errors import ChunkscopeError
from chunkscope.tui import messages
from chunkscope.tui.screens.main.asking import QuestionActions
from chunkscope.tui.theme import SHORT_NAMES, short_name, theme_after
from chunkscope.tui.views.helping import here

SUMMARY_FILE = "chunkscope-summary.md"


class TakeActions(QuestionActions):
    """Export, copy, help, theme, commands, quit."""

    def action_export(self) -> None:
        """Open the export of the active variant."""
        session = self.session
        if session.corpus is None:
            self.say("the documents are still being read", "warning")
            return
        from chunkscope.tui.screens.export import ExportScreen

        self.app.push_screen(ExportScreen(session.active, session.configurations[session.active]))

    @on(messages.ExportWanted)
    def _export_wanted(self, event: messages.ExportWanted) -> None:
        event.stop()
        self.start(
            partial(self.engine.export, event.configuration, event.target, self._note()), "export"
        )

    def _note(self) -> str:
        session = self.session
        count = sum(question.measured for question in session.questions)
        others = len(session.questions) - count
        kind = "golden question" if session.golden is not None else "question"
        rest = f" ({others} more not measured)" if others else ""
        return (
            f"chosen on {count} {kind}{'s' * (count != 1)}{rest}"
            if count
            else (f"chosen without a measured question{rest}")
        )

    @on(messages.ExportReady)
    def _export_ready(self, event: messages.ExportReady) -> None:
        event.stop()
        from chunkscope.tui.screens.export import ExportScreen

        if isinstance(self.app.screen, ExportScreen):
            self.app.screen.show_export(event.target, event.text, event.proof, event.proven)

    def action_copy(self) -> None:
        """Copy the summary, and write it."""
        if self.session.corpus is None:
            self.say("the documents are still being read", "warning")
            return
        from chunkscope.golden.atomic import replace_file
        from chunkscope.tui.views.summary import B_FILE, b_file, summary

        path = Path.cwd() / SUMMARY_FILE
        try:
            text, b = summary(self.session, self.opening), b_file(self.session)
        except ChunkscopeError as error:
            self.say(f"not copied: {error}", "warning")
            return
        self.app.copy_to_clipboard(text)
        try:
            replace_file(path, text.encode("utf-8", "backslashreplace"))
            if b:
                replace_file(path.with_name(B_FILE), b.encode("utf-8"))
        except ChunkscopeError as error:
            self.say(f"copied; not written: {error}", "warning")
        else:
            self.say(f"copied, and written to {path}" + (f" and {B_FILE}" if b else ""))

    def action_help(self) -> None:
        """Every key."""
        from chunkscope.tui.screens.help import HelpScreen

        names = [node.id for node in (self.focused.ancestors_with_self if self.focused else ())]
        self.app.push_screen(HelpScreen(self.options.keys, here(name for name in names if name)))

    def action_theme(self) -> None:
        """The next theme."""
        self.app.theme = theme_after(self.app.theme)
        self.say(f"theme: {short_name(self.app.theme)}")

    def action_set_theme(self, name: str) -> None:
        """A theme by its short name."""
        self.app.theme = SHORT_NAMES[name]

    def action_quit(self) -> None:
        """Leave, unless questions would be lost."""
        if self.session.asked:
            from chunkscope.tui.screens.confirm_quit import ConfirmQuit

            self.app.push_screen(ConfirmQuit(len(self.session.asked)), self._leave)
        else:
            self._leave("leave")

    def _leave(self, answer: str | None) -> None:
        if answer == "write" and not self.write_golden():
            return
        if answer == "leave":
            self.session.asked = ()
        if answer in {"write", "leave"}:
            self.engine.stop()
            self.app.exit(0)
