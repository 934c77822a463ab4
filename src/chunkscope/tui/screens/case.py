"""Saving the chosen question as a case: which file, and with the documents' text or without."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from chunkscope.tui.literal import flattened, literal
from chunkscope.tui.widgets.field import Field
from chunkscope.tui.widgets.one_line import OneLine

Write = Callable[[Path, bool], str]
"""Write the case to a file, with texts or without; why it could not be, or nothing."""


class CaseScreen(ModalScreen[None]):
    """A file name and one choice; nothing that is there is replaced unless asked twice."""

    CSS = """
    CaseScreen { align: center middle; }
    CaseScreen #case {
        width: 76; max-width: 95%; height: auto; border: round $primary; background: $surface;
        padding: 0 1;
    }
    CaseScreen Horizontal { height: 1; }
    CaseScreen Label { width: 6; color: $text-muted; }
    CaseScreen #case-file { width: 1fr; }
    CaseScreen #case-texts { height: 2; }
    """
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s,enter", "save", "save", id="case.save"),
        Binding("x", "texts", "with or without text", id="case.texts"),
        Binding("f", "file", "file name", id="case.file"),
        Binding("escape,q", "close", "close", id="case.close"),
    ]

    def __init__(self, question: str, name: str, write: Write) -> None:
        super().__init__(id="case-screen")
        self._question = question
        self._file = name
        self._write = write
        self._texts = True
        self._replacing: Path | None = None

    def compose(self) -> ComposeResult:
        """Question, file name, the choice, keys."""
        with Vertical(id="case"):
            yield OneLine(id="case-question")
            with Horizontal():
                yield Label("File", markup=False)
                yield Field(self._file, compact=True, id="case-file")
            yield OneLine(id="case-texts")
            yield OneLine(id="case-keys")

    def on_mount(self) -> None:
        """Say what is saved, and how."""
        self.query_one("#case").border_title = "Save a case"
        self.query_one("#case-question", OneLine).show([(flattened(self._question), "strong")])
        self.query_one("#case-keys", OneLine).show(
            [("s save · f file name · x text or not · Escape close", "dim")]
        )
        self._show_choice()

    def _show_choice(self) -> None:
        kept = "evidence, its context and what came back are kept as text"
        left = "no text of the documents: ranges and SHA-256 sums"
        pieces = [
            [("[x] " if self._texts else "[ ] ", "key"), ("with text: " + kept, "")],
            [("[ ] " if self._texts else "[x] ", "key"), ("without: " + left, "")],
        ]
        self.query_one("#case-texts", OneLine).show(*pieces)

    def action_texts(self) -> None:
        """The other choice."""
        self._texts = not self._texts
        self._show_choice()

    def action_file(self) -> None:
        """Type another file name."""
        self.query_one("#case-file", Input).focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_save()

    def action_save(self) -> None:
        """Write the file, whole or not at all."""
        name = self.query_one("#case-file", Input).value.strip()
        path = Path(name or self._file).expanduser()
        if path.exists() and self._replacing != path:
            self._replacing = path
            self.set_focus(None)
            question = f"{path} is there already: s again replaces it, f gives another name"
            self.notify(literal(question), severity="warning", markup=False)
            return
        reason = self._write(path, self._texts)
        if reason:
            self._replacing = None
            self.notify(literal(reason), severity="error", markup=False)
        else:
            self.dismiss(None)

    def action_close(self) -> None:
        """Leave the field first, then the screen."""
        if isinstance(self.focused, Input):
            self.set_focus(None)
        else:
            self.dismiss(None)
