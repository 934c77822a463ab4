"""Copying a part of what is on the screen: to the clipboard, and into a file when asked."""

from pathlib import Path

from chunkscope.errors import InputError
from chunkscope.golden.atomic import replace_file
from chunkscope.tui.keymap import Key
from chunkscope.tui.screens.main.taking import TakeActions
from chunkscope.tui.views.copies import chunk_copy, question_copy
from chunkscope.tui.widgets.line_list import LineList

COPY_FILE = "chunkscope-copied.txt"

_ENTRIES = (
    Key("copy-chunk", "", "copy_chunk", "chunk", "The chunk under the cursor.", "Copy",
        letter="c"),
    Key("copy-span", "", "copy_span", "selection", "What is selected in the document.", "Copy",
        letter="s"),
    Key("copy-question", "", "copy_question", "question",
        "The chosen question, its evidence and its verdicts.", "Copy", letter="n"),
    Key("copy-table", "", "copy_table", "table",
        "The table shown in the panel, or the one that has the focus.", "Copy", letter="t"),
    Key("copy-view", "", "copy", "view",
        "A summary and the command line of this view (y).", "Copy", letter="y"),
    Key("copy-file", "", "copy_to_file", "file",
        f"What was copied last, into {COPY_FILE}.", "Copy", letter="f"),
)  # fmt: skip


class CopyActions(TakeActions):
    """The menu of copies."""

    copied = ""
    """What was copied last."""

    def action_commands(self) -> None:
        """Everything by name."""
        from chunkscope.tui.palette import commands
        from chunkscope.tui.screens.palette import PaletteScreen

        async def run(action: str | None) -> None:
            if action is not None:
                await self.run_action(action)

        self.app.push_screen(
            PaletteScreen(commands(self.session, self.options.keys, _ENTRIES)), run
        )

    def action_copy_menu(self) -> None:
        """Choose what to copy."""
        self.menu("Copy", _ENTRIES)

    def action_copy_chunk(self) -> None:
        """The chunk under the cursor."""
        found = chunk_copy(self.session, self.document_view.cursor_chunk)
        self._copy(found, "no chunk stands under the cursor")

    def action_copy_span(self) -> None:
        """The selection."""
        text = self.document_view.selected_text
        found = ("the selection", text) if text else None
        self._copy(found, "nothing is selected: drag, or t m and arrows")

    def action_copy_question(self) -> None:
        """The chosen question."""
        self._copy(question_copy(self.session), "no question is chosen")

    def action_copy_table(self) -> None:
        """The table that has the focus, else the panel's first."""
        focused = self.focused
        if isinstance(focused, LineList):
            table: LineList | None = focused
        else:
            panel = self.query_one(f"#{self.panel}")
            found = panel if isinstance(panel, LineList) else None
            table = found or next(iter(panel.query(LineList).results()), None)
        text = table.table if table is not None and table.row_count else ""
        self._copy((f"the table {self.panel}", text) if text else None, "the table is empty")

    def action_copy_to_file(self) -> None:
        """What was copied last, whole or not at all."""
        if not self.copied:
            self.say("nothing was copied yet", "warning")
            return
        path = Path.cwd() / COPY_FILE
        try:
            replace_file(path, self.copied.encode("utf-8", "surrogatepass"))
        except InputError as error:
            self.say(str(error), "error")
        else:
            self.say(f"written to {path}")

    def _copy(self, found: tuple[str, str] | None, nothing: str) -> None:
        if found is None:
            self.say(nothing, "warning")
            return
        what, self.copied = found
        self.app.copy_to_clipboard(self.copied)
        count = len(self.copied)
        self.say(f"copied: {what}, {count} character{'s' * (count != 1)} (t y f: into a file)")
