"""What is at the cursor, whole: any key closes it, and does what it does elsewhere."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.events import Click, Key
from textual.screen import ModalScreen

from chunkscope.tui.views.here import Fact
from chunkscope.tui.widgets.paragraph import Paragraph

_ROLES = {"A": "a", "B": "b"}
_CLOSES = {"escape", "enter"}
_SCROLLS = {"up", "down", "pageup", "pagedown", "home", "end"}


class HereScreen(ModalScreen[str | None]):
    """The facts, one beneath the other; the text stays in sight above."""

    CSS = """
    HereScreen { align: center bottom; background: $background 20%; }
    HereScreen #here {
        width: 100%; height: auto; max-height: 60%; border: round $primary; background: $surface;
    }
    """

    def __init__(self, facts: Sequence[Fact]) -> None:
        super().__init__()
        self._facts = tuple(facts)

    def compose(self) -> ComposeResult:
        """A paragraph a fact."""
        with VerticalScroll(id="here"):
            for _fact in self._facts:
                yield Paragraph()

    def on_mount(self) -> None:
        """Fill them."""
        box = self.query_one("#here")
        box.border_title = "Here"
        box.border_subtitle = "any key closes"
        for fact, paragraph in zip(self._facts, self.query(Paragraph), strict=True):
            paragraph.say((f"{fact.name:<8}", _ROLES.get(fact.name, "strong")), (fact.text, ""))
        box.focus()

    def on_key(self, event: Key) -> None:
        """Close and hand the key on, unless it scrolls or is one that closes."""
        if event.key in _SCROLLS:
            return
        event.stop()
        event.prevent_default()
        if self.is_current:
            self.dismiss(None if event.key in _CLOSES else event.key)
        elif event.key not in _CLOSES:
            # Typed ahead, it reached this screen when that was closed already: behind the first.
            self.app.call_after_refresh(self.app.simulate_key, event.key)

    def on_click(self, event: Click) -> None:
        """Close."""
        event.stop()
        if self.is_current:
            self.dismiss(None)
