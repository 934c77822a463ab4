"""A menu: one letter an entry, for what has no key of its own on the main screen."""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Key as KeyPressed
from textual.screen import ModalScreen

from chunkscope.tui.keymap import Key
from chunkscope.tui.widgets.line_list import Cell, Column, LineList, Row

_CLOSES = {"escape", "q"}
_COLUMNS = (Column("", 2, role="strong"), Column(""), Column("", 6, role="dim"))


class MenuScreen(ModalScreen[str | None]):
    """Gives the chosen entry's action."""

    CSS = """
    MenuScreen { align: center middle; }
    MenuScreen #menu {
        width: 92; max-width: 95%; height: auto; max-height: 100%; border: round $primary;
        background: $surface;
    }
    MenuScreen LineList { height: auto; max-height: 100%; }
    """

    def __init__(self, title: str, entries: Sequence[Key]) -> None:
        super().__init__()
        self._title = title
        self._entries = tuple(entries)

    def compose(self) -> ComposeResult:
        """The list."""
        with Vertical(id="menu"):
            yield LineList(_COLUMNS, heading=False)

    def on_mount(self) -> None:
        """Fill it."""
        box = self.query_one("#menu")
        box.border_title = self._title
        box.border_subtitle = "Escape closes"
        rows: list[Row] = [
            (Cell(entry.letter), Cell(entry.help), Cell(entry.others)) for entry in self._entries
        ]
        table = self.query_one(LineList)
        table.styles.height = len(rows)
        table.show(rows)
        table.focus()

    def on_key(self, event: KeyPressed) -> None:
        """A letter is an entry; what closes is taken here too, in its order among letters."""
        if not self.is_current:
            return
        action = next((e.action for e in self._entries if e.letter == event.key), None)
        if action is not None or event.key in _CLOSES:
            event.stop()
            event.prevent_default()
            self.dismiss(action)

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self.dismiss(self._entries[event.index].action)
