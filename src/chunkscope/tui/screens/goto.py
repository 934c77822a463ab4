"""Go to a line, an offset, a chunk or a question."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from chunkscope.tui.literal import content
from chunkscope.tui.widgets.field import Field

_KINDS = {"l": "line", "o": "offset", "c": "chunk", "q": "question"}
_HINT = "120 a line · o 5000 an offset · c 12 a chunk · q 3 a question"


def parse_target(text: str) -> tuple[str, int] | None:
    """(line | offset | chunk | question, number), or None when it is neither."""
    text = text.strip().casefold()
    kind = "line"
    if text[:1] in _KINDS:
        kind = _KINDS[text[0]]
        text = text.lstrip("abcdefghijklmnopqrstuvwxyz").strip()
    if not (text.isascii() and text.isdigit()):
        return None
    return kind, int(text)


class GotoScreen(ModalScreen[tuple[str, int] | None]):
    """One field."""

    CSS = """
    GotoScreen { align: center middle; }
    GotoScreen #goto {
        width: 64; max-width: 95%; height: 4; border: round $primary; background: $surface;
        padding: 0 1;
    }
    GotoScreen Static { color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "close", id="goto.close")]

    def compose(self) -> ComposeResult:
        """The field and what it takes."""
        with Vertical(id="goto"):
            yield Field(compact=True)
            yield Static(content(_HINT), markup=False)

    def on_mount(self) -> None:
        """Type at once."""
        self.query_one("#goto").border_title = "Go to"
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        target = parse_target(event.value)
        if target is None:
            self.query_one(Static).update(content(f"not a place: {event.value}. {_HINT}"))
        else:
            self.dismiss(target)

    def action_close(self) -> None:
        """Stay where you are."""
        self.dismiss(None)
