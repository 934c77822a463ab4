"""Go to a line, an offset, a chunk, a question or a heading."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from chunkscope.text.headings import Heading
from chunkscope.tui.literal import content, flattened
from chunkscope.tui.widgets.field import Field
from chunkscope.tui.widgets.line_list import Cell, Column, LineList

_KINDS = {"l": "line", "o": "offset", "c": "chunk", "q": "question"}
_HINT = "120 a line · o 5000 an offset · c 12 a chunk · q 3 a question · h heading"
_MOST_SHOWN = 500


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


def headings_like(text: str, headings: Sequence[Heading]) -> list[Heading] | None:
    """The headings with every word typed after `h`, whatever their case; None: none is wanted."""
    kind, _space, wanted = text.strip().partition(" ")
    if kind.casefold() not in {"h", "heading"}:
        return None
    words = wanted.casefold().split()
    return [
        heading for heading in headings if all(word in heading.title.casefold() for word in words)
    ]


class GotoField(Field):
    """The field; down goes to the headings listed beneath it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "screen.to_headings", show=False),
    ]


class GotoScreen(ModalScreen[tuple[str, int] | None]):
    """One field, and the headings while one is wanted."""

    CSS = """
    GotoScreen { align: center middle; }
    GotoScreen #goto {
        width: 76; max-width: 95%; height: auto; border: round $primary; background: $surface;
        padding: 0 1;
    }
    GotoScreen Static { color: $text-muted; height: 1; }
    GotoScreen LineList { height: 10; display: none; }
    GotoScreen.-headings LineList { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "close", id="goto.close")]

    def __init__(self, headings: Sequence[Heading] = ()) -> None:
        super().__init__()
        self._headings = tuple(headings)
        self._like: list[Heading] | None = None

    def compose(self) -> ComposeResult:
        """The field, what it takes, the headings."""
        with Vertical(id="goto"):
            yield GotoField(compact=True)
            yield Static(content(_HINT), markup=False)
            yield LineList(
                (Column("heading"),), heading=False, empty="No heading of this document is like it."
            )

    def on_mount(self) -> None:
        """Type at once."""
        self.query_one("#goto").border_title = "Go to"
        self.query_one(Input).focus()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._like = headings_like(event.value, self._headings)
        self.set_class(self._like is not None, "-headings")
        shown = (self._like or [])[:_MOST_SHOWN]
        rows = [(Cell(f"{'  ' * (each.level - 1)}{flattened(each.title)}"),) for each in shown]
        self.query_one(LineList).show(rows, cursor=0)

    def action_to_headings(self) -> None:
        """Out of the field, into the list."""
        if self._like:
            self.query_one(LineList).focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if not self.is_current:
            return
        if self._like:
            self._take(self.query_one(LineList).cursor)
            return
        target = parse_target(event.value)
        if target is None:
            self.query_one(Static).update(content(f"not a place: {event.value}. {_HINT}"))
        else:
            self.dismiss(target)

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self._take(event.index)

    def _take(self, index: int) -> None:
        if self._like and self.is_current:
            self.dismiss(("offset", self._like[index].span.start))

    def action_close(self) -> None:
        """Stay where you are."""
        self.dismiss(None)
