"""The review: one generated question after the other, its evidence marked in the text."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from functools import partial
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.events import Resize
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from chunkscope.errors import InputError
from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import GoldenSet, Question
from chunkscope.golden.respanning import Piece, document_of, others_with_text, pieces
from chunkscope.golden.reviewfile import ChangedError, ReviewFile
from chunkscope.golden.reviewing import TO_REVIEW, status
from chunkscope.golden.validating import Finding
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span
from chunkscope.tui.lanes import Lane
from chunkscope.tui.literal import flattened, literal
from chunkscope.tui.screens.review.keys import ARROWS, REVIEW_KEYS, bindings
from chunkscope.tui.views.review import (
    place_line,
    place_of,
    progress_line,
    question_facts,
    review_layers,
)
from chunkscope.tui.widgets.document_view import DocumentView
from chunkscope.tui.widgets.facts import Facts
from chunkscope.tui.widgets.key_bar import KeyBar
from chunkscope.tui.widgets.one_line import OneLine

_WIDE, _LARGE = 110, 160
_IDLE_SECONDS = 0.4
"""So long nothing is pressed before flags are looked for anew."""

_SHORT = 40
_TOAST_SECONDS = 4


async def _idle() -> None:
    await asyncio.sleep(_IDLE_SECONDS)


class ReviewScreen(Screen[None]):
    """The queue; every step is on the disk before the next key is taken."""

    CSS_PATH = "review.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(REVIEW_KEYS),
        Binding("pageup", "scroll_pages(-1)", show=False),
        Binding("pagedown", "scroll_pages(1)", show=False),
    ]
    AUTO_FOCUS = ""

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
        self._corpus = corpus
        self._everything = everything
        self._encoding = encoding
        self._ascii_marks = ascii_marks
        self._executor = executor or Lane("flags")
        self._debounce = debounce
        self._ids = file.queue(everything=everything)
        self._at = 0
        self._piece: Piece | None = None
        self._flags: Mapping[str, tuple[Finding, ...]] = {}
        self._flagged: Mapping[str, Question] = {}

    def compose(self) -> ComposeResult:
        """Progress, facts, text, keys."""
        self._arrange(self.app.size.width)
        yield OneLine(id="review-progress")
        with Container(id="review-body"):
            with VerticalScroll(id="review-facts", can_focus=False):
                yield Facts(id="review-said")
            with Vertical(id="review-text"):
                yield OneLine(id="review-place")
                view = DocumentView(ascii_marks=self._ascii_marks, id="review-document")
                view.can_focus = False
                yield view
        yield KeyBar([key for key in REVIEW_KEYS if key.id not in ARROWS], id="review-keys")

    def on_mount(self) -> None:
        """The first question; its flags follow."""
        self.show()
        self._look_for_flags()

    def on_resize(self, event: Resize) -> None:
        """Side by side where there is room."""
        self._arrange(event.size.width)
        self.call_after_refresh(self._go_to_piece)

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
        found = self.file.find(self._ids[self._at])
        if found is None:
            raise LookupError(self._ids[self._at])
        return found

    @property
    def _view(self) -> DocumentView:
        return self.query_one("#review-document", DocumentView)

    def show(self, piece: Piece | None = None) -> None:
        """The question, at `piece` if it has that, else at its first evidence."""
        found = pieces(self.question)
        self._piece = piece if piece in found else found[0] if found else None
        with self.app.batch_update():
            self._show_facts()
            self._show_text()

    def _show_facts(self) -> None:
        question = self.question
        known = self._flagged.get(question.id)
        same = known is not None and _asks(known) == _asks(question)
        flags = self._flags.get(question.id, ()) if same else None
        # Answers that do not fit are scrolled; each question begins at its first line.
        self.query_one("#review-facts").scroll_home(animate=False)
        self.query_one("#review-said", Facts).say(
            *question_facts(question, flags, ascii_marks=self._ascii_marks)
        )
        found = [self.file.find(id) for id in self._ids]
        statuses = [status(each) for each in found if each is not None]
        name = self.file.path.name
        line = progress_line(name, self._at, statuses)
        self.query_one("#review-progress", OneLine).show(line)

    def _show_text(self) -> None:
        question, document = self.question, self._document()
        view = self._view
        if view.document is not document:
            view.show_document(document)
        span = self._span()[0]
        located = locate_question(question, self._corpus)
        view.show_layers(review_layers(located, document, span))
        line = place_line(question, self._piece, self._span())
        if self._corpus.position(document.id) is None:
            line = [(f" {literal(document.id)}", "strong"), (" · none of the documents", "bad")]
        self.query_one("#review-place", OneLine).show(line)
        self._go_to_piece()

    def _go_to_piece(self) -> None:
        """A third of the view above the evidence, the rest for it and what follows."""
        view, span = self._view, self._span()[0]
        offset = span.start if span is not None else 0
        view.scroll_to_offset(offset, center=True)
        if view.row_count:
            view.scroll_to_row(view.page.rows.row_of(offset) - view.row_count // 3)

    def _document(self) -> Document:
        question = self.question
        name = question.doc if self._piece is None else document_of(question, self._piece)
        position = self._corpus.position(name)
        known = self._view.document
        if position is not None:
            return self._corpus.documents[position]
        return known if known.id == name else Document(name, "")

    def _span(self) -> tuple[Span | None, str]:
        if self._piece is None:
            return None, ""
        return place_of(self.question, self._piece, self._corpus)

    # --- flags -----------------------------------------------------------------------------------

    def _look_for_flags(self) -> None:
        _worker: Worker[None] = self.run_worker(
            self._find_flags, group="flags", exclusive=True, exit_on_error=False
        )

    async def _find_flags(self) -> None:
        """What validating says of the set as it is now; an older answer never comes after it."""
        await self._debounce()
        golden, alone = self.file.golden, self._rejected_in_queue()
        work = partial(_find, golden, alone, self._corpus, self._encoding)
        flags = await asyncio.get_running_loop().run_in_executor(self._executor, work)
        self._flags = flags
        self._flagged = {each.id: each for each in (*alone.questions, *golden.questions)}
        self._show_facts()

    def _rejected_in_queue(self) -> GoldenSet:
        inside = {question.id for question in self.file.golden.questions}
        kept = self.file.rejected.questions
        wanted = set(self._ids) - inside
        return GoldenSet(tuple(question for question in kept if question.id in wanted))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A defect of ours is told and does not end the review."""
        if event.state is WorkerState.ERROR:
            self.failures.append(event.worker.error)
            self.say(f"internal error, please report it: {event.worker.error!r}", "error")

    # --- steps -----------------------------------------------------------------------------------

    def action_accept(self) -> None:
        """It counts."""
        id = self.question.id
        if self._step(lambda: self.file.accept(id)):
            self._go_on()

    def action_reject(self) -> None:
        """It counts no more."""
        id = self.question.id
        if self._step(lambda: self.file.reject(id)):
            self._look_for_flags()
            self._go_on()

    def action_edit(self) -> None:
        """Open the form."""
        from chunkscope.tui.screens.review.edit import EditScreen

        self.app.push_screen(EditScreen(self.question, self._corpus), self._take)

    def action_span(self) -> None:
        """Open the text to set a span in; what the mouse selected is where it begins."""
        document = self._document()
        if self._corpus.position(document.id) is None:
            self.say(f"{document.id}: none of the documents; open it, too", "warning")
            return
        from chunkscope.tui.screens.review.span import SpanScreen

        screen = SpanScreen(
            self.question,
            self._corpus,
            document,
            piece=self._piece,
            selected=self._view.selected_span,
            ascii_marks=self._ascii_marks,
        )
        self.app.push_screen(screen, self._take)

    def _take(self, made: Question | None) -> None:
        """The question's new form, from the form or the text."""
        if made is None:
            return
        before = self.question
        if not self._step(lambda: self.file.edit(made)):
            return
        self.clear_selection()
        self.show(self._piece)
        if made == before:
            self.say("nothing was changed")
            return
        self._look_for_flags()
        changed = [
            piece
            for piece in pieces(made)
            if not piece.alternative and made.evidence[piece.item] not in before.evidence
        ]
        more = sum(others_with_text(made, piece, self._corpus) for piece in changed)
        said = "changed (u takes it back); a accepts it"
        if more:
            said += f" · its text also stands in {more} other place{'s' * (more != 1)}"
        self.say(said, "warning" if more else "information")

    def action_undo(self) -> None:
        """Take back the last step and go to its question."""
        if not self.file.steps:
            self.say("there is nothing to take back")
            return
        undone: list[str | None] = []
        if not self._step(lambda: undone.append(self.file.undo())):
            return
        if undone[0] in self._ids:
            self._at = self._ids.index(undone[0])
        self._look_for_flags()
        self.show()
        self.say(f"taken back: {flattened(self.question.question)[:_SHORT]}")

    def _step(self, step: Callable[[], object]) -> bool:
        """Take a step; False when it could not be written, and then nothing was."""
        try:
            step()
        except ChangedError as error:
            self._read_again(str(error))
        except InputError as error:
            self.say(str(error), "error")
        else:
            return True
        return False

    def _read_again(self, reason: str) -> None:
        """Another program wrote: what it wrote counts, and the step is to be taken again."""
        before = self._ids
        id = before[self._at]
        try:
            self.file.read_again()
        except InputError as error:
            self.say(f"{reason}; and cannot be read again: {error}", "error")
            return
        known = [each for each in before if self.file.find(each) is not None]
        self._ids = tuple(dict.fromkeys([*known, *self.file.queue(everything=self._everything)]))
        if not self._ids:
            self.dismiss(None)
            return
        later = before[before.index(id) :]
        self._at = next((self._ids.index(each) for each in later if each in known), 0)
        self._look_for_flags()
        self.show()
        self.say(f"{reason}. It is read again: press the key once more", "warning")

    # --- moving ----------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """To the next without a verdict, from here on and then from the start."""
        order = [*range(self._at + 1, len(self._ids)), *range(self._at)]
        at = next((at for at in order if self._is_open(at)), None)
        if at is not None:
            self._at = at
        elif not self._is_open(self._at):
            self.say("all are reviewed: q leaves, u takes back, b goes back")
        self.show()

    def _is_open(self, at: int) -> bool:
        found = self.file.find(self._ids[at])
        return found is not None and status(found) in TO_REVIEW

    def action_next_open(self) -> None:
        """The next without a verdict."""
        self._go_on()

    def action_move(self, by: int) -> None:
        """The question before or after, whatever its verdict."""
        at = self._at + by
        if not 0 <= at < len(self._ids):
            self.say("this is the last question" if by > 0 else "this is the first question")
            return
        self._at = at
        self.show()

    def action_next_piece(self) -> None:
        """The next evidence or alternative of the question."""
        if self._piece is None:
            self.say("the question has no evidence: it is unanswerable")
            return
        found = pieces(self.question)
        self._piece = found[(found.index(self._piece) + 1) % len(found)]
        self._show_text()

    def action_scroll_rows(self, by: int) -> None:
        """The text by a row; the facts where they have the whole screen."""
        if self.has_class("-facts"):
            self.query_one("#review-facts").scroll_relative(y=by, animate=False)
        else:
            self._view.scroll_to_row(self._view.top_row + by)

    def action_scroll_pages(self, by: int) -> None:
        """The text by a page."""
        self.action_scroll_rows(by * max(1, self._view.row_count - 1))

    def action_zoom(self) -> None:
        """The whole screen for question, answer and flags, or the text again."""
        self.toggle_class("-facts")

    def action_help(self) -> None:
        """Every key."""
        from chunkscope.tui.screens.review.help import ReviewHelp

        self.app.push_screen(ReviewHelp("Review: every key", REVIEW_KEYS))

    def action_leave(self) -> None:
        """Out; every step is written."""
        self.dismiss(None)


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
