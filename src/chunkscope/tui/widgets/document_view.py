"""The running text of one document with its chunks, evidence and matches painted over it."""

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click, MouseDown, MouseEvent, MouseMove, MouseUp
from textual.geometry import Offset
from textual.message import Message
from textual.selection import Selection
from textual.timer import Timer

from chunkscope.text.document import Document
from chunkscope.text.spans import Span
from chunkscope.tui.painting.describe import describe
from chunkscope.tui.painting.moves import in_row, next_character, previous_character
from chunkscope.tui.painting.page import Page
from chunkscope.tui.widgets.document_palette import COMPONENTS, CSS
from chunkscope.tui.widgets.hover_view import HoverView

_AUTO_SCROLL_SECONDS = 0.05


class DocumentView(HoverView, can_focus=True):
    """A page with a cursor and a selection, both exact to the code point.

    Its own selection replaces Textual's, which takes half of a wide character for a whole one.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = set(COMPONENTS)
    DEFAULT_CSS = CSS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor_rows(-1)", "up", show=False),
        Binding("down", "cursor_rows(1)", "down", show=False),
        Binding("left", "cursor_characters(-1)", "left", show=False),
        Binding("right", "cursor_characters(1)", "right", show=False),
        Binding("pageup", "cursor_pages(-1)", "page up", show=False),
        Binding("pagedown", "cursor_pages(1)", "page down", show=False),
        Binding("home,ctrl+home", "cursor_ends(-1)", "start of the document", show=False),
        Binding("end,ctrl+end", "cursor_ends(1)", "end of the document", show=False),
    ]

    @dataclass
    class CursorMoved(Message):
        """The cursor stands at another offset; `chunk` is the index of its chunk, if any."""

        view: "DocumentView"
        offset: int
        chunk: int | None

        @property
        def control(self) -> "DocumentView":
            """The view."""
            return self.view

        def can_replace(self, message: Message) -> bool:
            """Only the last place matters."""
            return isinstance(message, DocumentView.CursorMoved) and message.view is self.view

    @dataclass
    class ChunkClicked(Message):
        """A click on a chunk's text or gutter."""

        view: "DocumentView"
        chunk: int
        offset: int

        @property
        def control(self) -> "DocumentView":
            """The view."""
            return self.view

    @dataclass
    class TextSelected(Message):
        """The mouse selected this range."""

        view: "DocumentView"
        span: Span

        @property
        def control(self) -> "DocumentView":
            """The view."""
            return self.view

    def __init__(
        self,
        document: Document | None = None,
        *,
        wrap: bool = True,
        ascii_marks: bool = False,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        self._document = document or Document(id="", text="")
        super().__init__(
            self._document.text, wrap=wrap, ascii_marks=ascii_marks, id=id, classes=classes
        )
        self._cursor = 0
        self._column: int | None = None
        self._waiting: tuple[int, bool] | None = None
        self._from: int | None = None
        self._drag: Span | None = None
        self._drag_at = Offset(0, 0)
        self._auto_scroll: Timer | None = None

    # --- what it shows -------------------------------------------------------------------

    def show_document(self, document: Document) -> None:
        """Draw another document from its start, with no layers."""
        self._end_drag()
        if self.is_attached and self.selected_span.length:
            self.screen.clear_selection()
        self._document = document
        self._cursor = 0
        self._column = self._waiting = self._from = None
        self._show_page(Page(document.text))
        self._draw_cursor()

    @property
    def document(self) -> Document:
        """The document."""
        return self._document

    @property
    def cursor_offset(self) -> int:
        """The code point the cursor stands at; the text's length at its end."""
        return self._cursor

    @property
    def cursor_chunk(self) -> int | None:
        """Index of the chunk at the cursor."""
        bands = self.page.bands
        return None if bands is None else bands.chunk_at(self._cursor)

    def describe(self, *, line: bool = True, short: bool = False) -> str:
        """One line about the cursor's place; `line`: with its number; `short`: in few words."""
        return describe(self.page, self._cursor, line=line, short=short)

    # --- cursor --------------------------------------------------------------------------

    def scroll_to_offset(self, offset: int, *, center: bool = True) -> None:
        """Put the cursor at `offset` and show it, in the middle if it was out of sight."""
        offset = max(0, min(offset, len(self.page.text)))
        if not self.row_count:
            self._waiting = (offset, center)
            return
        self._column = None
        row = self.page.rows.row_of(offset)
        if center and not self._visible(row):
            self.scroll_to_row(row - self.row_count // 2)
        self._move(offset)

    def action_cursor_rows(self, by: int) -> None:
        """Cursor up or down."""
        row = self.page.rows.row_of(self._cursor)
        if self._visible(row):
            self._to_row(row + by)
        else:
            # The wheel has left the cursor behind: go on from what is read.
            self._to_row(self.top_row if by > 0 else self.top_row + self.row_count - 1)

    def action_cursor_pages(self, by: int) -> None:
        """Cursor and view one page up or down."""
        step = by * max(1, self.row_count - 1)
        row = self.page.rows.row_of(self._cursor)
        target = row + step if self._visible(row) else self.top_row + step
        self.scroll_to_row(self.top_row + step)
        self._to_row(target)

    def action_cursor_ends(self, side: int) -> None:
        """Cursor to the start or the end of the document."""
        self._column = None
        self._move(0 if side < 0 else len(self.page.text))

    def action_cursor_characters(self, by: int) -> None:
        """Cursor to the character before or after."""
        self._column = None
        step = next_character if by > 0 else previous_character
        self._move(step(self.page, self._cursor))

    def _to_row(self, row: int) -> None:
        rows, columns = self.page.rows, self.page.columns
        if self._column is None:
            self._column = columns.column_of(rows.row_of(self._cursor), self._cursor)
        self._move(in_row(self.page, row, self._column))

    def _move(self, offset: int) -> None:
        self._reveal(offset)
        if offset == self._cursor:
            return
        self.forget_row(self._cursor)
        self._cursor = offset
        self.forget_row(offset)
        if self._from is not None:
            self.select(Span(min(self._from, offset), max(self._from, offset)))
        self._draw_cursor()
        self.refresh()
        self.post_message(self.CursorMoved(self, offset, self.cursor_chunk))

    def _visible(self, row: int) -> bool:
        return self.top_row <= row < self.top_row + self.row_count

    def _reveal(self, offset: int) -> None:
        row = self.page.rows.row_of(offset)
        if row < self.top_row:
            self.scroll_to_row(row)
        elif not self._visible(row):
            self.scroll_to_row(row - self.row_count + 1)
        if not self.wrap:
            column = self.page.columns.column_of(row, offset)
            left, width = self.scroll_offset.x, self.page.text_width
            if not left <= column < left + width:
                self.scroll_to(x=max(0, column - width // 2), animate=False, immediate=True)

    def _draw_cursor(self) -> None:
        self.page.cursor = self._cursor if self.has_focus else -1

    def laid_out(self) -> None:
        """A place asked for before there was any room is shown now."""
        if self._waiting is not None:
            (offset, center), self._waiting = self._waiting, None
            self.scroll_to_offset(offset, center=center)

    def on_focus(self) -> None:
        """The cursor is drawn."""
        self._draw_cursor()
        self.repaint()

    def on_blur(self) -> None:
        """The cursor is not drawn."""
        self._draw_cursor()
        self.repaint()

    # --- mouse and selection -------------------------------------------------------------

    @property
    def selected_span(self) -> Span:
        """The selected range; empty when nothing is selected."""
        return self.page.selection

    @property
    def selected_text(self) -> str:
        """The selected code points, exactly as they stand in the document."""
        return self.page.text[slice(*self.page.selection)]

    def select(self, span: Span) -> None:
        """Select a range, so that copying takes it."""
        self.screen.selections = {
            self: Selection(Offset(span.start, 0), Offset(span.end, 0)),
        }

    def begin_selection(self) -> None:
        """From here on the cursor's moves select, until `end_selection`."""
        self._from = self._cursor

    def end_selection(self) -> bool:
        """The cursor moves alone again; what is selected stays. False when it did before."""
        began, self._from = self._from, None
        return began is not None

    def selection_updated(self, selection: Selection | None) -> None:
        """The screen's selection changed: here its x counts code points of the document."""
        self.page.selection = self._span_of(selection)
        self.repaint()

    def get_selection(self, selection: Selection) -> tuple[str, str]:
        """The selected text for the clipboard; halves of a pair cannot go there: U+FFFD."""
        text = self.page.text[slice(*self._span_of(selection))]
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), ""

    def _span_of(self, selection: Selection | None) -> Span:
        if selection is None:
            return Span(0, 0)
        end = len(self.page.text) if selection.end is None else selection.end.x
        return Span(0 if selection.start is None else selection.start.x, end)

    def _hit(self, event: MouseEvent) -> Span:
        return self.under(event.get_content_offset_capture(self))

    def on_mouse_down(self, event: MouseDown) -> None:
        """A drag may begin."""
        if event.button == 1:
            self._drag = self._hit(event)
            self.capture_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        """The drag goes on; beyond the view it scrolls."""
        if self._drag is None:
            self.hover(event.get_content_offset_capture(self))
            return
        self.drag_to(event.get_content_offset_capture(self))
        outside = not 0 <= self._drag_at.y < self.row_count
        if outside and self._auto_scroll is None:
            self._auto_scroll = self.set_interval(_AUTO_SCROLL_SECONDS, self.scroll_drag)
        elif not outside:
            self._stop_auto_scroll()

    def on_mouse_up(self, event: MouseUp) -> None:
        """The drag ends."""
        dragged = self._drag is not None
        self._end_drag()
        if dragged and self.selected_span.length:
            self.post_message(self.TextSelected(self, self.selected_span))

    def on_click(self, event: Click) -> None:
        """The cursor goes there; a second click selects the word, a third the chunk."""
        event.prevent_default()
        span = self._hit(event)
        self._column = None
        self._move(span.start)
        chunk = self.cursor_chunk
        if chunk is not None:
            self.post_message(self.ChunkClicked(self, chunk, span.start))
        layer = self.page.layers.chunks
        if event.chain == 2:
            self._select_and_tell(self._word(span))
        elif event.chain == 3 and chunk is not None and layer is not None:
            self._select_and_tell(Span(int(layer.starts[chunk]), int(layer.ends[chunk])))

    def drag_to(self, at: Offset) -> None:
        """Extend the drag that has begun to a place in the view, or beyond it."""
        if self._drag is not None:
            self._drag_at = at
            under = self.under(at)
            self.select(Span(min(self._drag.start, under.start), max(self._drag.end, under.end)))

    def scroll_drag(self) -> None:
        """One step of scrolling while the mouse is held above or below the view."""
        below = self._drag_at.y - self.row_count + 1
        self.scroll_to_row(self.top_row + (below if below > 0 else min(0, self._drag_at.y)))
        self.drag_to(self._drag_at)

    def _end_drag(self) -> None:
        self._stop_auto_scroll()
        if self._drag is not None:
            self._drag = None
            self.release_mouse()

    def _stop_auto_scroll(self) -> None:
        if self._auto_scroll is not None:
            self._auto_scroll.stop()
            self._auto_scroll = None

    def _select_and_tell(self, span: Span) -> None:
        if span.length:
            self.select(span)
            self.post_message(self.TextSelected(self, span))

    def _word(self, span: Span) -> Span:
        text = self.page.text
        start, end = span
        content = self.page.rows.content(self.page.rows.row_of(start))
        if start >= content.end:
            return Span(start, start)
        while start > content.start and _is_word(text[start - 1]):
            start -= 1
        while end < content.end and _is_word(text[end]):
            end += 1
        return Span(start, end)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
