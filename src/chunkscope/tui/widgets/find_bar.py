"""One line to type what is to be found."""

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label

from chunkscope.tui.widgets.field import Field
from chunkscope.tui.widgets.one_line import OneLine


class FindInput(Field):
    """The field; up and down step through the matches while it is typed in."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.find_step(-1)", show=False),
        Binding("down", "screen.find_step(1)", show=False),
    ]


class FindBar(Horizontal):
    """A field and how many matches there are; hidden until it is wanted."""

    DEFAULT_CSS = """
    FindBar { height: 1; display: none; background: $panel; }
    FindBar.-open { display: block; }
    FindBar Label { width: 7; padding: 0 1; }
    FindBar FindInput { width: 1fr; }
    FindBar OneLine { width: 34; padding: 0 1; }
    """

    @dataclass
    class Wanted(Message):
        """Find this; `done`: Enter was pressed."""

        text: str
        done: bool

    def compose(self) -> ComposeResult:
        """Label, field, count."""
        yield Label("Find", markup=False)
        yield FindInput(compact=True, id="find-text")
        yield OneLine(id="find-count")

    def open(self) -> None:
        """Show the bar and type in it."""
        self.add_class("-open")
        self.screen.set_focus(self.query_one(FindInput))

    def close(self) -> bool:
        """Hide the bar; False when it was hidden."""
        was_open = self.has_class("-open")
        self.remove_class("-open")
        return was_open

    def show_count(self, text: str) -> None:
        """Which match of how many."""
        self.query_one("#find-count", OneLine).show([(text, "dim")])

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Wanted(event.value, done=False))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Wanted(event.value, done=True))
