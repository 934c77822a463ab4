"""Actions around questions: choosing, asking, writing them as golden lines."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual import on

from chunkscope.errors import ChunkscopeError
from chunkscope.golden.model import Evidence, LocatedQuestion, Question
from chunkscope.text.spans import Span
from chunkscope.tui import messages
from chunkscope.tui.screens.main.base import MainBase
from chunkscope.tui.session import Session
from chunkscope.tui.views import questions as rows
from chunkscope.tui.views.layers import cut_offsets
from chunkscope.tui.views.retrieved import first_place
from chunkscope.tui.widgets.line_list import LineList


class QuestionActions(MainBase):
    """Questions, next of a kind, Ask, the golden set's file."""

    _asked_again = False
    _edited: Question | None = None

    # --- choosing --------------------------------------------------------------------------------

    @on(LineList.Highlighted, "#questions")
    def _question_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self.choose_question(event.index)

    @on(LineList.Chosen, "#questions")
    def _question_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self.choose_question(event.index)
        self.set_focus(self.document_view)

    def choose_question(self, position: int) -> None:
        """Choose a question, open its document and go to its evidence."""
        session = self.session
        if not 0 <= position < len(session.questions):
            return
        self.leave_mark()
        session.question = position
        located = session.questions[position]
        place = first_place(located) or self._first_returned(located)
        target = place[0] if place is not None else located.question.doc
        document = session.corpus.position(target) if session.corpus is not None else None
        if document is not None:
            self.open_document(document)
        self.request_terms()
        with self.app.batch_update():
            self.show_document()
            self.show_numbers()
        if place is not None and document is not None:
            self.go_to_evidence(place[1])

    def _first_returned(self, located: LocatedQuestion) -> tuple[str, Span] | None:
        """Where nothing says what should have come back: what did."""
        log = self.session.log
        lane = log.lane(located.question.question) if log is not None else ()
        return (lane[0].doc, lane[0].span) if lane else None

    def go_to_evidence(self, span: Span) -> None:
        """Scroll to an evidence span, to where it is cut if it is."""
        cuts = self.session.visible_cuts.get(self.variant_shown())
        result = self.session.result(self.variant_shown())
        is_cut = result is not None and any(o.state == "cut" for o in result.outcomes)
        offsets = cut_offsets(span, cuts) if cuts is not None and is_cut else ()
        self.document_view.scroll_to_offset(offsets[0] if offsets else span.start, center=True)

    def action_choose(self, number: int) -> None:
        """A question by its number."""
        self.choose_question(number - 1)

    def action_next_miss(self) -> None:
        """The next question that is no hit."""
        self._next(rows.miss, f"no question is missed in {self.session.active}")

    def action_next_cut(self) -> None:
        """The next question whose evidence is cut."""
        self._next(rows.cut, f"no evidence is cut in {self.session.active}")

    def action_next_difference(self) -> None:
        """The next question that A and B answer differently."""
        self._next(rows.difference, "A and B answer every question alike")

    def _next(self, wanted: Callable[[Session, int], bool], none: str) -> None:
        session = self.session
        if not session.questions:
            self.say("there are no questions yet: a asks one", "warning")
        elif session.stale:
            self.say("the numbers are still being made", "warning")
        else:
            position = rows.next_question(session, wanted)
            if position is None:
                self.say(none)
            else:
                self.choose_question(position)

    def restore(self) -> None:
        """Questions that were not written when the program ended are back."""
        left, corpus, session = self.options.left, self.session.corpus, self.session
        lost = left.questions() if left is not None else []
        if corpus is None or not lost:
            return
        from chunkscope.golden.locating import locate_question

        taken = {line.question.id for line in session.questions}
        back = tuple(locate_question(each, corpus) for each in lost if each.id not in taken)
        session.asked = (*back, *session.asked)
        session.generation += 1
        if back:
            count = f"{len(back)} question{'s' * (len(back) != 1)}"
            self.say(f"{count} not written the last time: w writes, t x drops the chosen one")

    # --- asking ----------------------------------------------------------------------------------

    def action_ask(self) -> None:
        """Open Ask."""
        if self.session.corpus is None:
            self.say("the documents are still being read", "warning")
            return
        from chunkscope.tui.screens.ask import AskScreen

        view, document = self.document_view, self.session.open_document
        span = view.selected_span
        selected = None
        if span.length and document is not None:
            selected = Evidence(view.selected_text, span.start, span.end, document.id)
        self.app.push_screen(AskScreen(selected=selected))

    def action_edit_question(self) -> None:
        """Open Ask with the chosen question."""
        chosen = self.session.chosen
        if chosen is None:
            self.say("choose a question first", "warning")
            return
        from chunkscope.tui.screens.ask import AskScreen

        self.app.push_screen(AskScreen(edited=chosen.question))

    @on(messages.QuestionAsked)
    def _asked(self, event: messages.QuestionAsked) -> None:
        event.stop()
        session = self.session
        self._asked_again = event.again
        from chunkscope.tui.trials import Asking

        self._edited = event.edited
        asking = Asking(
            event.question,
            event.evidence,
            event.returned,
            frozenset(line.question.id for line in session.questions),
            event.type,
            (event.selected,) if event.selected is not None else (),
            event.edited,
        )
        self.start(partial(self.engine.ask, asking, dict(session.configurations)), "ask")

    @on(messages.AskAnswered)
    def _ask_answered(self, event: messages.AskAnswered) -> None:
        event.stop()
        edited, self._edited = self._edited, None
        if edited is not None:
            self._asked_again = False
            written = self.take_edited(edited.id, event.located.question)
            self._answer(event, written=written)
            return
        if self._asked_again:
            # A passage was taken in place of evidence that stands nowhere.
            self._asked_again = False
            self.session.undo()
        self.session.ask(event.located)
        self.keep_asked()
        self.show_all()
        self.request()
        self.choose_question(self.session.question or 0)
        self._answer(event)

    def take_edited(self, id: str, question: Question) -> bool:
        """Put the new form of a golden question in its place; whether it stands there."""
        return True

    def _answer(self, event: messages.AskAnswered, *, written: bool = True) -> None:
        from chunkscope.tui.screens.ask import AskScreen

        if isinstance(self.app.screen, AskScreen):
            self.app.screen.show_answer(event.sentences, event.passages, written=written)

    @on(messages.AskFailed)
    def _ask_failed(self, event: messages.AskFailed) -> None:
        event.stop()
        from chunkscope.tui.screens.ask import AskScreen

        if isinstance(self.app.screen, AskScreen):
            self.app.screen.show_failure(event.reason)
        else:
            self.say(event.reason, "error")

    @on(messages.WriteWanted)
    def _write_wanted(self, event: messages.WriteWanted) -> None:
        event.stop()
        self.action_write_golden()

    # --- the golden set's file -------------------------------------------------------------------

    def golden_file(self) -> Path:
        """Where golden lines are written: the set that is open, else one in the working folder."""
        return self.session.golden_path or Path.cwd() / "golden.jsonl"

    def action_write_golden(self) -> None:
        """Write the unsaved questions."""
        self.write_golden()

    def write_golden(self) -> bool:
        """Write every unsaved question as a golden line; False when one could not be."""
        session = self.session
        if not session.asked:
            self.say("every question is written already; a asks another")
            return True
        from chunkscope.golden.writing import append_question

        path = self.golden_file()
        written = 0
        known = True
        lost = sum(not located.measured for located in session.asked)
        try:
            for located in session.asked:
                replaced = append_question(path, located.question)
                known = known and replaced.before == session.golden_digest
                session.golden_digest = replaced.after if known else session.golden_digest
                written += 1
        except ChunkscopeError as error:
            self.say(str(error), "error")
        session.saved(path, written)
        self.keep_asked()
        if known:
            self.remember_files()
        else:
            # Another wrote there, too: its lines are in the file and not yet here.
            self.action_reload()
        if written:
            self.say(f"{written} golden line{'s' * (written != 1)} written to {path}")
        if written and lost:
            self.say(f"{lost} unmeasured: the evidence stands in no open document", "warning")
        self.show_numbers()
        return not session.asked
