"""Where evidence begins and ends, set in the running text by keys or the mouse."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.screen import Screen

from chunkscope.errors import InputError
from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import Question
from chunkscope.golden.passages import nearest_passages
from chunkscope.golden.respanning import (
    Piece,
    document_of,
    evidence_of,
    pieces,
    with_alternative,
    with_item,
    with_span,
    without,
)
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span
from chunkscope.tui.literal import flattened, literal
from chunkscope.tui.painting.edges import edge_after, edge_before
from chunkscope.tui.painting.moves import in_row, next_character, previous_character
from chunkscope.tui.screens.review.help import ReviewHelp
from chunkscope.tui.screens.review.keys import ARROWS, SPAN_KEYS, bindings
from chunkscope.tui.views.review import piece_name, place_of, review_layers
from chunkscope.tui.widgets.document_view import DocumentView
from chunkscope.tui.widgets.facts import Facts
from chunkscope.tui.widgets.key_bar import KeyBar
from chunkscope.tui.widgets.one_line import OneLine

_WIDE = 110


class SpanScreen(Screen[Question | None]):
    """Gives the question with its new evidence, or None.

    A span has two ends, one of which is active: the cursor stands there, and keys move it.
    """

    CSS_PATH = "review.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(SPAN_KEYS),
        # Before those of the text, which would move its cursor and not the end.
        Binding("pageup", "pages(-1)", show=False, priority=True),
        Binding("pagedown", "pages(1)", show=False, priority=True),
        Binding("home", "row_end(-1)", show=False, priority=True),
        Binding("end", "row_end(1)", show=False, priority=True),
    ]
    AUTO_FOCUS = "#span-text"

    def __init__(
        self,
        question: Question,
        corpus: Corpus,
        document: Document,
        *,
        piece: Piece | None,
        selected: Span,
        ascii_marks: bool = False,
    ) -> None:
        """Begin with `piece` in `document`, with what is `selected` there if anything is."""
        super().__init__(id="review-span")
        self._question = question
        self._corpus = corpus
        self._document = document
        self._pieces = pieces(question)
        self._piece = piece
        self._ascii_marks = ascii_marks
        self._fixed, self._active = selected
        self._near = False
        if not selected.length:
            self._take_up()

    @property
    def span(self) -> Span:
        """The span as it is set now."""
        return Span(min(self._fixed, self._active), max(self._fixed, self._active))

    def compose(self) -> ComposeResult:
        """Question, piece, text, place, keys."""
        yield Facts(id="span-question")
        yield OneLine(id="span-piece")
        yield DocumentView(self._document, ascii_marks=self._ascii_marks, id="span-text")
        yield OneLine(id="span-place")
        yield KeyBar([key for key in SPAN_KEYS if key.id not in ARROWS], id="span-keys")

    def on_mount(self) -> None:
        """Stand on the piece."""
        self.set_class(self.app.size.width < _WIDE, "-compact")
        self.query_one("#span-question", Facts).say(
            [(" Span ", "strong"), ("Q ", "key"), (flattened(self._question.question), "")]
        )
        self._show_piece()

    def on_resize(self, event: Resize) -> None:
        """The keys take two lines where it is narrow."""
        self.set_class(event.size.width < _WIDE, "-compact")

    @property
    def _view(self) -> DocumentView:
        return self.query_one("#span-text", DocumentView)

    # --- pieces ----------------------------------------------------------------------------------

    def _take_up(self) -> None:
        """Both ends where the piece stands; where it stands nowhere, at what resembles it most."""
        self._fixed = self._active = 0
        self._near = False
        if self._piece is None:
            return
        span, _tier = place_of(self._question, self._piece, self._corpus)
        if span is None:
            text = evidence_of(self._question, self._piece).text
            found = nearest_passages(text, Corpus((self._document,)), 1)
            span, self._near = (found[0].span, True) if found else (Span(0, 0), False)
        self._fixed, self._active = span

    def action_next_piece(self) -> None:
        """The next evidence or alternative of the question."""
        if self._piece is None:
            return
        at = self._pieces.index(self._piece) + 1
        self._piece = self._pieces[at % len(self._pieces)]
        position = self._corpus.position(document_of(self._question, self._piece))
        if position is not None and self._corpus.documents[position] is not self._document:
            self._document = self._corpus.documents[position]
            self._view.show_document(self._document)
        self._take_up()
        self._show_piece()

    def _show_piece(self) -> None:
        located = locate_question(self._question, self._corpus)
        self._view.show_layers(review_layers(located, self._document))
        said = "no evidence yet" if self._piece is None else piece_name(self._question, self._piece)
        self.query_one("#span-piece", OneLine).show(
            [(f" {literal(self._document.id)}", "strong"), (f" · {said}", "")]
        )
        self._view.scroll_to_offset(self._fixed, center=True)
        self._show()

    # --- ends ------------------------------------------------------------------------------------

    def _show(self) -> None:
        view, span = self._view, self.span
        view.scroll_to_offset(self._active, center=True)
        view.select(span)
        end = "start" if self._active == span.start and span.length else "end"
        said = f" {span.start}–{span.end} · {span.length} characters · the {end} is active"
        near = " · stands nowhere: this only resembles it" if self._near else ""
        role = "key" if span.length else "warn"
        self.query_one("#span-place", OneLine).show([(said, role), (near, "warn")])

    def _move(self, offset: int) -> None:
        self._active = max(0, min(offset, len(self._document.text)))
        self._show()

    @property
    def _at_end(self) -> bool:
        return self._active >= self._fixed

    def action_characters(self, by: int) -> None:
        """The active end by a character and all that joins it."""
        step = next_character if by > 0 else previous_character
        self._move(step(self._view.page, self._active))

    def action_words(self, by: int) -> None:
        """The active end by a word: an end to ends of words, a start to starts."""
        step = edge_after if by > 0 else edge_before
        self._move(step(self._document.text, self._active, ends=self._at_end))

    def action_rows(self, by: int) -> None:
        """The active end by rows, as near to its column as can be."""
        page = self._view.page
        row = page.rows.row_of(self._active)
        if not 0 <= row + by < len(page.rows):
            self._move(0 if by < 0 else len(self._document.text))
            return
        self._move(in_row(page, row + by, page.columns.column_of(row, self._active)))

    def action_pages(self, by: int) -> None:
        """The active end by a page."""
        page, step = self._view.page, max(1, self._view.row_count - 1)
        row = max(0, min(page.rows.row_of(self._active) + by * step, len(page.rows) - 1))
        self.action_rows(row - page.rows.row_of(self._active))

    def action_row_end(self, side: int) -> None:
        """The active end to the start or the end of its row."""
        rows = self._view.page.rows
        content = rows.content(rows.row_of(self._active))
        self._move(content.start if side < 0 else content.end)

    def action_other_end(self) -> None:
        """The other end is the active one."""
        self._fixed, self._active = self._active, self._fixed
        self._show()

    def action_collapse(self) -> None:
        """A new span begins where the active end stands."""
        self._fixed = self._active
        self._show()

    @on(DocumentView.TextSelected)
    def _selected(self, event: DocumentView.TextSelected) -> None:
        event.stop()
        self._fixed, self._active = event.span
        self._show()

    @on(DocumentView.CursorMoved)
    def _clicked(self, event: DocumentView.CursorMoved) -> None:
        event.stop()
        # A click drops what is selected in the view; the span stays.
        self._view.select(self.span)

    # --- taking ----------------------------------------------------------------------------------

    def action_take(self) -> None:
        """The piece stands there."""
        if self._piece is None:
            self.action_add()
            return
        piece = self._piece
        self._give(
            lambda: with_span(self._question, piece, self.span, self._document, self._corpus)
        )

    def action_add(self) -> None:
        """One more item of evidence."""
        self._give(lambda: with_item(self._question, self.span, self._document))

    def action_alternative(self) -> None:
        """One more place that serves."""
        item = 0 if self._piece is None else self._piece.item
        self._give(lambda: with_alternative(self._question, item, self.span, self._document))

    def action_delete(self) -> None:
        """The piece goes."""
        piece = self._piece
        if piece is not None:
            self._give(lambda: without(self._question, piece))

    def _give(self, make: Callable[[], Question]) -> None:
        try:
            made = make()
        except InputError as error:
            self.notify(literal(str(error)), severity="error", markup=False)
        else:
            self.dismiss(made)

    def action_help(self) -> None:
        """Every key."""
        self.app.push_screen(ReviewHelp("Setting a span: every key", SPAN_KEYS))

    def action_leave(self) -> None:
        """Nothing is changed."""
        self.dismiss(None)
