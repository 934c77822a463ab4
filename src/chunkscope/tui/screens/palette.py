"""The command palette: everything there is to do or to go to, found by typing a part of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.fuzzy import Matcher
from textual.screen import ModalScreen
from textual.widgets import Input

from chunkscope.tui.literal import flattened
from chunkscope.tui.widgets.field import Field
from chunkscope.tui.widgets.line_list import Cell, Column, LineList

_COLUMNS = (Column("", 30, middle=True), Column("", role="dim"))


@dataclass(frozen=True, slots=True)
class Command:
    """One entry.

    Attributes:
        title: what it is called.
        help: what it does, or more of what it is.
        action: the main screen's action.
    """

    title: str
    help: str
    action: str


def found(commands: Sequence[Command], wanted: str) -> list[Command]:
    """The commands in which every word is found, the best first; all while nothing is wanted."""
    words = wanted.split()
    if not words:
        return list(commands)
    matchers = [Matcher(word) for word in words]
    typed = " ".join(words).casefold()
    scored = []
    for number, command in enumerate(commands):
        # A title says more than a sentence in which the letters happen to stand.
        scores = [
            max(2 * matcher.match(command.title), matcher.match(command.help))
            for matcher in matchers
        ]
        if all(scores):
            named = command.title.casefold()
            # What is typed whole comes before what only begins so, and that before the rest.
            place = (named != typed, not named.startswith(typed))
            scored.append((*place, -sum(scores), number))
    return [commands[number] for *_place, number in sorted(scored)]


class PaletteScreen(ModalScreen[str | None]):
    """Gives the chosen command's action."""

    CSS = """
    PaletteScreen { align: center top; }
    PaletteScreen #palette {
        width: 90%; max-width: 110; height: 90%; margin-top: 1; border: round $primary;
        background: $surface;
    }
    PaletteScreen LineList { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", id="palette.close"),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("pageup", "page(-1)", show=False, priority=True),
        Binding("pagedown", "page(1)", show=False, priority=True),
    ]

    def __init__(self, commands: Sequence[Command]) -> None:
        super().__init__()
        self._commands = tuple(commands)
        self._shown: list[Command] = []

    def compose(self) -> ComposeResult:
        """The field and the list."""
        with Vertical(id="palette"):
            yield Field(compact=True, id="palette-field", placeholder="type a part of its name")
            yield LineList(_COLUMNS, heading=False, empty="nothing of that name")

    def on_mount(self) -> None:
        """Type at once."""
        box = self.query_one("#palette")
        box.border_title = "Commands"
        box.border_subtitle = "Enter runs it · Escape closes"
        self._show("")
        self.query_one(Input).focus()

    def _show(self, wanted: str) -> None:
        self._shown = found(self._commands, wanted)
        rows = [(Cell(flattened(each.title)), Cell(flattened(each.help))) for each in self._shown]
        self.query_one(LineList).show(rows, cursor=0)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show(event.value)

    def action_move(self, by: int) -> None:
        """The entry above or beneath."""
        self.query_one(LineList).action_move(by)

    def action_page(self, by: int) -> None:
        """A page of entries up or down."""
        self.query_one(LineList).action_page(by)

    @on(Input.Submitted)
    @on(LineList.Chosen)
    def _chosen(self, event: Input.Submitted | LineList.Chosen) -> None:
        event.stop()
        at = self.query_one(LineList).cursor
        self.dismiss(self._shown[at].action if at < len(self._shown) else None)

    def action_close(self) -> None:
        """Nothing is done."""
        self.dismiss(None)
