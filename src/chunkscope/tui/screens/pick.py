"""One value of many: a list, and letters that narrow it down."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from chunkscope.tui.literal import literal
from chunkscope.tui.widgets.field import Field
from chunkscope.tui.widgets.line_list import Cell, Column, LineList


class PickScreen(ModalScreen[str | None]):
    """Gives the chosen value; what is typed must stand in it, or name what no list can hold."""

    CSS = """
    PickScreen { align: center middle; }
    PickScreen #pick {
        width: 60; max-width: 95%; height: auto; max-height: 90%; border: round $primary;
        background: $surface;
    }
    PickScreen LineList { height: auto; max-height: 20; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", id="pick.close"),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("down", "move(1)", show=False, priority=True),
    ]

    def __init__(self, title: str, values: Sequence[str], value: str, *, own: str = "") -> None:
        """Offer `values`; `own` names what is taken as well, typed whole with its colon."""
        super().__init__()
        self._own = own
        self._title = title
        self._values = tuple(values)
        self._value = value
        self._shown = self._values

    def compose(self) -> ComposeResult:
        """The field and the list."""
        with Vertical(id="pick"):
            more = f", or {self._own}" if self._own else ""
            yield Field(compact=True, placeholder=f"type to narrow down{more}")
            yield LineList((Column(""),), heading=False, empty="none of that name")

    def on_mount(self) -> None:
        """Stand on the value in use."""
        box = self.query_one("#pick")
        box.border_title = self._title
        box.border_subtitle = "Enter takes it · Escape closes"
        self._show()
        self.query_one(Input).focus()

    def _show(self) -> None:
        typed = self.query_one(Input).value.strip()
        wanted = typed.casefold().split()
        self._shown = tuple(
            value for value in self._values if all(word in value.casefold() for word in wanted)
        )
        if not self._shown and self._own and all(typed.partition(":")):
            self._shown = (typed,)
        table = self.query_one(LineList)
        table.styles.height = max(1, len(self._shown))
        cursor = self._shown.index(self._value) if self._value in self._shown else 0
        table.show([(Cell(literal(value)),) for value in self._shown], cursor=cursor)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show()

    def action_move(self, by: int) -> None:
        """The value above or beneath."""
        self.query_one(LineList).action_move(by)

    @on(Input.Submitted)
    @on(LineList.Chosen)
    def _chosen(self, event: Input.Submitted | LineList.Chosen) -> None:
        event.stop()
        at = self.query_one(LineList).cursor
        self.dismiss(self._shown[at] if at < len(self._shown) else None)

    def action_close(self) -> None:
        """Nothing is chosen."""
        self.dismiss(None)
