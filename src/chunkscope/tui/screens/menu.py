"""A menu: one letter an entry, for what has no key of its own on the main screen."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key as KeyPressed
from textual.screen import ModalScreen

from chunkscope.tui.keymap import Key
from chunkscope.tui.widgets.line_list import Cell, Column, LineList, Row

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
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", "close", id="menu.close")]

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
        """A letter is an entry."""
        for entry in self._entries:
            if event.key == entry.letter and self.is_current:
                event.stop()
                event.prevent_default()
                self.dismiss(entry.action)
                return

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self.dismiss(self._entries[event.index].action)

    def action_close(self) -> None:
        """Nothing is done."""
        self.dismiss(None)
