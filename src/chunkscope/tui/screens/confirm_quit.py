"""Leaving with questions that are not written yet."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from chunkscope.tui.literal import content


class ConfirmQuit(ModalScreen[str | None]):
    """Write and leave, leave, or stay."""

    CSS = """
    ConfirmQuit { align: center middle; }
    ConfirmQuit #confirm {
        width: 66; max-width: 95%; height: auto; border: round $warning; background: $surface;
        padding: 0 1;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w,enter", "answer('write')", "write and leave", id="quit.write"),
        Binding("q", "answer('leave')", "leave without writing", id="quit.leave"),
        Binding("escape,s", "answer('stay')", "stay", id="quit.stay"),
    ]

    def __init__(self, count: int) -> None:
        super().__init__(id="confirm-quit")
        self._count = count

    def compose(self) -> ComposeResult:
        """What would be lost, and the keys."""
        one = self._count == 1
        text = (
            f"{self._count} question{'' if one else 's'} asked here "
            f"{'is' if one else 'are'} not written yet.\n\n"
            "w  write to the golden set and leave\n"
            "q  leave without writing\n"
            "s  stay (Escape)"
        )
        with Vertical(id="confirm"):
            yield Static(content(text), markup=False)

    def on_mount(self) -> None:
        """Name the box."""
        self.query_one("#confirm").border_title = "Quit"

    def action_answer(self, answer: str) -> None:
        """Take the answer."""
        self.dismiss(answer)
