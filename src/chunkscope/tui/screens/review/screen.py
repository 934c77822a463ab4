"""The review: one generated question after the other, its evidence marked in the text."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType

from chunkscope.errors import InputError
from chunkscope.golden.model import Question
from chunkscope.golden.respanning import others_with_text, pieces
from chunkscope.golden.reviewfile import ChangedError
from chunkscope.tui.keymap import Key
from chunkscope.tui.literal import flattened
from chunkscope.tui.screens.review.base import ReviewBase
from chunkscope.tui.screens.review.keys import REVIEW_KEYS, bindings
from chunkscope.tui.widgets.line_list import LineList

_SHORT = 40


class ReviewScreen(ReviewBase):
    """The queue; every step is on the disk before the next key is taken."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(REVIEW_KEYS),
        Binding("pageup", "scroll_pages(-1)", show=False),
        Binding("pagedown", "scroll_pages(1)", show=False),
    ]
    AUTO_FOCUS = ""

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
            self.look_for_flags()
            self._go_on()

    def action_edit(self) -> None:
        """Open the form."""
        from chunkscope.tui.screens.review.edit import EditScreen

        self.app.push_screen(EditScreen(self.question, self.corpus), self._take)

    def action_span(self) -> None:
        """Open the text to set a span in; what the mouse selected is where it begins."""
        document = self.open_document()
        if self.corpus.position(document.id) is None:
            self.say(f"{document.id}: none of the documents; open it, too", "warning")
            return
        from chunkscope.tui.screens.review.span import SpanScreen

        screen = SpanScreen(
            self.question,
            self.corpus,
            document,
            piece=self.piece,
            selected=self.document_view.selected_span,
            ascii_marks=self.ascii_marks,
        )
        self.app.push_screen(screen, self._take)

    def _take(self, made: Question | None) -> None:
        """The question's new form, from the form or the text."""
        if made is None:
            return
        self.clear_selection()
        self._write(self.question, made)

    def _write(self, before: Question, made: Question) -> None:
        """An edited question; nobody's typing is lost to a file that cannot be written."""
        changed = False
        try:
            self.file.edit(made)
        except ChangedError:
            changed = True
        except InputError as error:
            self._offer_again(before, made, str(error))
            return
        if not changed:
            self._tell_written(before, made)
            return
        try:
            self.file.read_again()
            id = self.file.edit_anew(before, made)
        except InputError as error:
            self._offer_again(before, made, str(error))
            return
        self._requeue(id)
        own = "" if id == before.id else f" as {id}"
        self.say(
            f"another program changed {self.file.path.name}: your form is kept{own}", "warning"
        )

    def _tell_written(self, before: Question, made: Question) -> None:
        self.show(self.piece)
        if made == before:
            self.say("nothing was changed")
            return
        self.look_for_flags()
        changed = [
            piece
            for piece in pieces(made)
            if not piece.alternative and made.evidence[piece.item] not in before.evidence
        ]
        more = sum(others_with_text(made, piece, self.corpus) for piece in changed)
        said = "changed (u takes it back); a accepts it"
        if more:
            said += f" · its text also stands in {more} other place{'s' * (more != 1)}"
        self.say(said, "warning" if more else "information")

    def _offer_again(self, before: Question, made: Question, reason: str) -> None:
        """Try to write once more, or drop the change; there is no third way out."""
        from chunkscope.tui.screens.menu import MenuScreen

        def answered(answer: str | None) -> None:
            if answer != "drop":
                self._write(before, made)

        self.say(reason, "error")
        entries = [
            Key("again", "", "again", "again", "Try again to write the change.", "", letter="r"),
            Key("drop", "", "drop", "drop", "Drop the change.", "", letter="d"),
        ]
        self.app.push_screen(MenuScreen("Not written", entries), answered)

    def action_undo(self) -> None:
        """Take back the last step and go to its question."""
        if not self.file.steps:
            self.say("there is nothing to take back")
            return
        undone: list[str | None] = []
        if not self._step(lambda: undone.append(self.file.undo())):
            return
        if undone[0] in self.ids:
            self.at = self.ids.index(undone[0])
        self.look_for_flags()
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
        try:
            self.file.read_again()
        except InputError as error:
            self.say(f"{reason}; and cannot be read again: {error}", "error")
            return
        self._requeue()
        self.say(f"{reason}. It is read again: press the key once more", "warning")

    def _requeue(self, id: str = "") -> None:
        """The queue as the files are now; at `id`, else where it was or behind that."""
        before, at = self.ids, self.at
        known = [each for each in before if self.file.find(each) is not None]
        queue = self.file.queue(everything=self.everything)
        self.ids = tuple(dict.fromkeys([*known, *queue]))
        if not self.ids:
            self.dismiss(None)
            return
        wanted = [id, *before[at:]]
        self.at = next((self.ids.index(each) for each in wanted if each in self.ids), 0)
        self.look_for_flags()
        self.show()

    @on(LineList.Highlighted)
    @on(LineList.Chosen)
    def _picked(self, event: LineList.Highlighted | LineList.Chosen) -> None:
        event.stop()
        self.at = event.index
        self.show()

    # --- moving ----------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """To the next without a verdict, from here on and then from the start."""
        order = [*range(self.at + 1, len(self.ids)), *range(self.at)]
        at = next((at for at in order if self.file.is_open(self.ids[at])), None)
        if at is not None:
            self.at = at
        elif not self.file.is_open(self.ids[self.at]):
            self.say("all are reviewed: q leaves, u takes back, b goes back")
        self.show()

    def action_next_open(self) -> None:
        """The next without a verdict."""
        self._go_on()

    def action_move(self, by: int) -> None:
        """The question before or after, whatever its verdict."""
        at = self.at + by
        if not 0 <= at < len(self.ids):
            self.say("this is the last question" if by > 0 else "this is the first question")
            return
        self.at = at
        self.show()

    def action_next_piece(self) -> None:
        """The next evidence or alternative of the question."""
        if self.piece is None:
            self.say("the question has no evidence: it is unanswerable")
            return
        found = pieces(self.question)
        self.piece = found[(found.index(self.piece) + 1) % len(found)]
        self.show_text()

    def action_scroll_rows(self, by: int) -> None:
        """The text by a row; the facts where they have the whole screen."""
        if self.has_class("-facts"):
            self.query_one("#review-facts").scroll_relative(y=by, animate=False)
        else:
            self.document_view.scroll_to_row(self.document_view.top_row + by)

    def action_scroll_pages(self, by: int) -> None:
        """The text by a page."""
        self.action_scroll_rows(by * max(1, self.document_view.row_count - 1))

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
