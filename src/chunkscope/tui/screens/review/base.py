"""What the review shows: a question of the queue, its flags, its evidence in the text."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from functools import partial
from typing import Literal

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical, VerticalScroll
from textual.events import Resize
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import GoldenSet, Question
from chunkscope.golden.respanning import Piece, document_of, pieces
from chunkscope.golden.reviewfile import ReviewFile
from chunkscope.golden.reviewing import status
from chunkscope.golden.validating import Finding
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span
from chunkscope.tui.lanes import Lane
from chunkscope.tui.literal import literal
from chunkscope.tui.screens.review.keys import ARROWS, REVIEW_KEYS
from chunkscope.tui.views.review import (
    QUEUE_COLUMNS,
    QueueRows,
    place_line,
    place_of,
    progress_line,
    question_facts,
    review_layers,
)
from chunkscope.tui.widgets.document_view import DocumentView
from chunkscope.tui.widgets.facts import Facts
from chunkscope.tui.widgets.key_bar import KeyBar
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.one_line import OneLine

_WIDE, _LARGE = 110, 160
_IDLE_SECONDS = 0.4
"""So long nothing is pressed before flags are looked for anew."""

_TOAST_SECONDS = 4


async def _idle() -> None:
    await asyncio.sleep(_IDLE_SECONDS)


class TextRoom(Vertical):
    """Holds the running text; what is said of a question decides how much room is left for it."""

    class Changed(Message):
        """There is more room for the text, or less."""

    def on_resize(self) -> None:
        """Say so."""
        self.post_message(self.Changed())


class ReviewBase(Screen[None]):
    """State and painting of the review."""

    CSS_PATH = "review.tcss"

    def __init__(
        self,
        file: ReviewFile,
        corpus: Corpus,
        *,
        everything: bool = False,
        encoding: str = "cl100k_base",
        ascii_marks: bool = False,
        executor: Executor | None = None,
        debounce: Callable[[], Awaitable[None]] = _idle,
    ) -> None:
        """Review what `file` has to be reviewed (`everything`: all of it) over `corpus`.

        `executor` and `debounce` say where and when flags are looked for.
        """
        super().__init__(id="review")
        self.file = file
        self.failures: list[BaseException | None] = []
        self.corpus = corpus
        self.everything = everything
        self._encoding = encoding
        self.ascii_marks = ascii_marks
        self._executor = executor or Lane("flags")
        self._debounce = debounce
        self.ids = file.queue(everything=everything)
        self.at = 0
        self.piece: Piece | None = None
        self._place: tuple[Span | None, str] = (None, "")
        self._flags: Mapping[str, tuple[Finding, ...]] = {}
        self._flagged: Mapping[str, Question] = {}

    def compose(self) -> ComposeResult:
        """Progress, facts, text, keys."""
        self._arrange(self.app.size.width)
        yield OneLine(id="review-progress")
        with Container(id="review-body"):
            with Vertical(id="review-side"):
                with VerticalScroll(id="review-facts", can_focus=False):
                    yield Facts(id="review-said")
                queue = LineList(QUEUE_COLUMNS, heading=False, id="review-queue")
                queue.can_focus = False
                yield queue
            with TextRoom(id="review-text"):
                yield OneLine(id="review-place")
                view = DocumentView(ascii_marks=self.ascii_marks, id="review-document")
                view.can_focus = False
                yield view
        yield KeyBar([key for key in REVIEW_KEYS if key.id not in ARROWS], id="review-keys")

    def on_mount(self) -> None:
        """The first question; its flags follow."""
        self.show()
        self.look_for_flags()

    def on_resize(self, event: Resize) -> None:
        """Side by side where there is room."""
        self._arrange(event.size.width)
        self.call_after_refresh(self._go_to_piece)

    @on(TextRoom.Changed)
    def _room_changed(self, event: TextRoom.Changed) -> None:
        event.stop()
        self._go_to_piece()

    def on_unmount(self) -> None:
        """Nothing is waited for."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _arrange(self, width: int) -> None:
        self.set_class(width < _WIDE, "-compact")
        self.set_class(width >= _LARGE, "-large")

    def say(
        self, text: str, severity: Literal["information", "warning", "error"] = "information"
    ) -> None:
        """A toast, literally, in place of those before: they would lie over the text."""
        self.app.clear_notifications()
        self.notify(literal(text), severity=severity, timeout=_TOAST_SECONDS, markup=False)

    # --- what is shown ---------------------------------------------------------------------------

    @property
    def question(self) -> Question:
        """The question that is shown."""
        found = self.file.find(self.ids[self.at])
        if found is None:
            raise LookupError(self.ids[self.at])
        return found

    @property
    def document_view(self) -> DocumentView:
        """The running text."""
        return self.query_one("#review-document", DocumentView)

    def show(self, piece: Piece | None = None) -> None:
        """The question, at `piece` if it has that, else at its first evidence."""
        found = pieces(self.question)
        self.piece = piece if piece in found else found[0] if found else None
        with self.app.batch_update():
            self._show_facts()
            self.show_text()

    def _show_facts(self) -> None:
        question = self.question
        flagged = self._flagged.get(question.id)
        same = flagged is not None and _asks(flagged) == _asks(question)
        flags = self._flags.get(question.id, ()) if same else None
        # Answers that do not fit are scrolled; each question begins at its first line.
        self.query_one("#review-facts").scroll_home(animate=False)
        self.query_one("#review-said", Facts).say(
            *question_facts(question, flags, ascii_marks=self.ascii_marks)
        )
        known = self.file.questions
        statuses = [status(known[id]) for id in self.ids]
        line = progress_line(self.file.path.name, self.at, statuses)
        self.query_one("#review-progress", OneLine).show(line)
        rows = QueueRows(self.ids, known, self._flags, self.ascii_marks)
        self.query_one("#review-queue", LineList).show(rows, cursor=self.at)

    def show_text(self) -> None:
        """The text around the chosen piece of evidence, all of the question's marked in it."""
        question, document = self.question, self.open_document()
        view = self.document_view
        if view.document is not document:
            view.show_document(document)
        span, tier = self._place = self._find_place()
        located = locate_question(question, self.corpus)
        view.show_layers(review_layers(located, document, span))
        line = place_line(question, self.piece, (span, tier))
        if self.corpus.position(document.id) is None:
            line = [(f" {literal(document.id)}", "strong"), (" · none of the documents", "bad")]
        self.query_one("#review-place", OneLine).show(line)
        self._go_to_piece()

    def _go_to_piece(self) -> None:
        """A third of the view above the evidence, the rest for it and what follows."""
        view, span = self.document_view, self._place[0]
        offset = span.start if span is not None else 0
        view.scroll_to_offset(offset, center=True)
        if view.row_count:
            view.scroll_to_row(view.page.rows.row_of(offset) - view.row_count // 3)

    def open_document(self) -> Document:
        """The document of the chosen piece; an empty one where it is none of the documents."""
        question = self.question
        name = question.doc if self.piece is None else document_of(question, self.piece)
        position = self.corpus.position(name)
        known = self.document_view.document
        if position is not None:
            return self.corpus.documents[position]
        return known if known.id == name else Document(name, "")

    def _find_place(self) -> tuple[Span | None, str]:
        if self.piece is None:
            return None, ""
        return place_of(self.question, self.piece, self.corpus)

    # --- flags -----------------------------------------------------------------------------------

    def look_for_flags(self) -> None:
        """Have the set validated anew, beside the screen."""
        _worker: Worker[None] = self.run_worker(
            self._find_flags, group="flags", exclusive=True, exit_on_error=False
        )

    async def _find_flags(self) -> None:
        """What validating says of the set as it is now; an older answer never comes after it."""
        await self._debounce()
        golden, alone = self.file.golden, self._rejected_in_queue()
        work = partial(_find, golden, alone, self.corpus, self._encoding)
        flags = await asyncio.get_running_loop().run_in_executor(self._executor, work)
        self._flags = flags
        self._flagged = {each.id: each for each in (*alone.questions, *golden.questions)}
        self._show_facts()

    def _rejected_in_queue(self) -> GoldenSet:
        alone = [id for id in self.ids if not self.file.counts(id)]
        return GoldenSet(tuple(self.file.questions[id] for id in alone))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A defect of ours is told and does not end the review."""
        if event.state is WorkerState.ERROR:
            self.failures.append(event.worker.error)
            self.say(f"internal error, please report it: {event.worker.error!r}", "error")


def _asks(question: Question) -> tuple[object, ...]:
    """What flags follow from."""
    return question.question, question.doc, question.evidence


def _find(
    golden: GoldenSet, alone: GoldenSet, corpus: Corpus, encoding: str
) -> dict[str, tuple[Finding, ...]]:
    from chunkscope.golden.flags import flags_of
    from chunkscope.text.tokens import get_token_counter

    counter = get_token_counter(encoding)
    rejected = flags_of(alone, corpus, counter) if alone.questions else {}
    return {**rejected, **flags_of(golden, corpus, counter)}
