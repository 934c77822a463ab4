"""Before texts go to an endpoint for the first time, and before each sweep."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from chunkscope.tui.literal import content


class ConfirmSend(ModalScreen[bool]):
    """Send, or not."""

    CSS = """
    ConfirmSend { align: center middle; }
    ConfirmSend #confirm {
        width: 74; max-width: 95%; height: auto; border: round $warning; background: $surface;
        padding: 0 1;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "send", id="send.yes"),
        Binding("escape,n,q", "answer(False)", "do not send", id="send.no"),
    ]

    def __init__(self, what: str) -> None:
        super().__init__(id="confirm-send")
        self._what = what

    def compose(self) -> ComposeResult:
        """What would be sent, and the keys."""
        text = (
            "To measure this, texts of your documents are sent:\n\n"
            f"{self._what}\n\n"
            "What is embedded once is kept on disk and not sent again.\n"
            "Later changes of A and B send what is new without asking.\n\n"
            "y  send\n"
            "n  send nothing (Escape)"
        )
        with Vertical(id="confirm"):
            yield Static(content(text), markup=False)

    def on_mount(self) -> None:
        """Name the box."""
        self.query_one("#confirm").border_title = "Send to the endpoint?"

    def action_answer(self, agreed: bool) -> None:
        """Take the answer."""
        self.dismiss(agreed)
