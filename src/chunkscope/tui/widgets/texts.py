"""The room of the running text: one document, or two side by side or one above the other."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.events import Resize
from textual.message import Message

from chunkscope.tui.widgets.document_view import DocumentView
from chunkscope.tui.widgets.minimap import Minimap
from chunkscope.tui.widgets.one_line import OneLine

_SIDE_BY_SIDE = 92


class Texts(Container):
    """Two documents stand side by side where each has room, else one above the other."""

    DEFAULT_CSS = """
    Texts { width: 1fr; height: 1fr; layout: horizontal; }
    Texts.-stacked { layout: vertical; }
    """

    def on_resize(self, event: Resize) -> None:
        """Another width, another arrangement."""
        self.set_class(event.size.width < _SIDE_BY_SIDE, "-stacked")


class SecondView(DocumentView):
    """The document beside; Enter makes it the open one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.open_beside", "open", show=False),
    ]


class BesideFrame(Vertical):
    """A second document with its minimap, and a line above it that says what it is."""

    DEFAULT_CSS = """
    BesideFrame { width: 1fr; height: 1fr; border: round $secondary; }
    BesideFrame #beside-head { background: $panel; }
    BesideFrame #beside-row { height: 1fr; }
    BesideFrame DocumentView { width: 1fr; height: 1fr; }
    .-compact BesideFrame, .-compact BesideFrame:focus-within { border: none; }
    """

    class Moved(Message):
        """The cursor of the document beside stands elsewhere."""

    def __init__(self, *, ascii_marks: bool, id: str | None = None) -> None:
        super().__init__(id=id)
        self._ascii_marks = ascii_marks

    def compose(self) -> ComposeResult:
        """Head, text, minimap."""
        yield OneLine(id="beside-head")
        with Horizontal(id="beside-row"):
            view = SecondView(id="beside-document", ascii_marks=self._ascii_marks)
            yield view
            yield Minimap(view, id="beside-minimap")

    @property
    def view(self) -> DocumentView:
        """The second document's view."""
        return self.query_one(SecondView)

    @property
    def head(self) -> OneLine:
        """The line above it."""
        return self.query_one("#beside-head", OneLine)

    @on(DocumentView.CursorMoved)
    def _cursor_moved(self, event: DocumentView.CursorMoved) -> None:
        event.stop()
        self.post_message(self.Moved())
