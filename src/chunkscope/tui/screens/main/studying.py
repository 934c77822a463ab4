"""Actions around why: diagnosis, mending, health, comparison of A and B."""

from functools import partial
from typing import TYPE_CHECKING

from textual import on

from chunkscope.tui import messages
from chunkscope.tui.screens.main.tweaking import TweakActions
from chunkscope.tui.widgets.line_list import LineList

if TYPE_CHECKING:
    from chunkscope.evaluation.configuration import Configuration
    from chunkscope.evaluation.mending import Mend

STUDIES = ("diagnosis", "health", "compare")


class StudyActions(TweakActions):
    """Panels that are answered only while they are looked at."""

    diagnosed: messages.DiagnosisReady | None = None
    checked: messages.HealthReady | None = None
    compared: messages.ComparisonReady | None = None
    refused: messages.StudyFailed | None = None
    mends: "tuple[Configuration, str, tuple[Mend, ...]] | None" = None
    """What was mended, the question's id, and the settings found."""

    # --- asking ----------------------------------------------------------------------------------

    def show_panel(self, name: str, *, focus: bool = False) -> None:
        """A panel that is shown has its question answered."""
        super().show_panel(name, focus=focus)
        self.show_study()
        self.show_lines()
        self.request_study()

    def request_study(self) -> None:
        """Have the panel that is shown answered for the numbers on the screen."""
        session = self.session
        if self.panel not in STUDIES or session.numbers is None or session.stale:
            return
        if self._answered(self.panel) == session.generation:
            return
        from chunkscope.tui.trials import Study

        runs = session.numbers.evaluations
        wanted = Study(self.panel, session.generation, runs, session.questions)
        self.start(partial(self.engine.study, wanted), f"study-{self.panel}")

    def _answered(self, panel: str) -> int:
        known = {"diagnosis": self.diagnosed, "health": self.checked, "compare": self.compared}
        answer = known[panel]
        return answer.generation if answer is not None else -1

    # --- answers ---------------------------------------------------------------------------------

    @on(messages.DiagnosisReady)
    def _diagnosis_ready(self, event: messages.DiagnosisReady) -> None:
        event.stop()
        if event.generation == self.session.generation:
            self.diagnosed = event
            self.show_study()

    @on(messages.HealthReady)
    def _health_ready(self, event: messages.HealthReady) -> None:
        event.stop()
        if event.generation == self.session.generation:
            self.checked = event
            self.show_study()

    @on(messages.ComparisonReady)
    def _comparison_ready(self, event: messages.ComparisonReady) -> None:
        event.stop()
        if event.generation == self.session.generation:
            self.compared = event
            self.show_study()

    @on(messages.StudyFailed)
    def _study_failed(self, event: messages.StudyFailed) -> None:
        event.stop()
        if event.generation == self.session.generation:
            self.refused = event
            if event.kind == "compare":
                self.compared = None
                self.show_study()
            else:
                self.say(event.reason, "warning")

    def show_study(self) -> None:
        """The panel that is shown, if it is one of these."""
        super().show_study()
        if not self.furnished or self.panel not in STUDIES:
            return
        if self.panel == "diagnosis":
            self._show_diagnosis()
        elif self.panel == "health":
            self._show_health()
        else:
            self._show_comparison()

    def _show_diagnosis(self) -> None:
        from chunkscope.tui.widgets.diagnosis_panel import DiagnosisPanel

        session, known = self.session, self.diagnosed
        panel = self.query_one("#diagnosis", DiagnosisPanel)
        chosen = session.chosen.question.id if session.chosen is not None else None
        panel.show(
            known.diagnoses if known is not None else None,
            chosen,
            stale=known is not None and known.generation != session.generation,
        )
        found: tuple[Mend, ...] = ()
        if self.mends is not None and self.mends[:2] == (session.configurations["A"], chosen):
            found = self.mends[2]
        panel.show_mends(found, session.configurations["B"])

    def _show_health(self) -> None:
        from chunkscope.tui.widgets.health_panel import HealthPanel

        session, known = self.session, self.checked
        self.query_one("#health", HealthPanel).show(
            known.health if known is not None else None,
            session.active,
            stale=known is not None and known.generation != session.generation,
        )

    def _show_comparison(self) -> None:
        from chunkscope.tui.widgets.compare_panel import ComparePanel

        session, known = self.session, self.compared
        refused = self.refused
        reason = refused.reason if refused is not None and refused.kind == "compare" else ""
        self.query_one("#compare", ComparePanel).show(
            known.comparison if known is not None else None,
            known.between if known is not None else (),
            reason,
            stale=known is not None and known.generation != session.generation,
        )

    # --- what lists ask for ----------------------------------------------------------------------

    @on(messages.QuestionWanted)
    def _question_wanted(self, event: messages.QuestionWanted) -> None:
        event.stop()
        ids = [located.question.id for located in self.session.questions]
        if event.id in ids:
            self.choose_question(ids.index(event.id))
            if event.leave:
                self.set_focus(self.document_view)

    @on(messages.PlaceWanted)
    def _place_wanted(self, event: messages.PlaceWanted) -> None:
        event.stop()
        corpus = self.session.corpus
        position = corpus.position(event.doc) if corpus is not None else None
        if position is None:
            return
        self.leave_mark()
        self.open_document(position)
        self.document_view.scroll_to_offset(event.offset, center=True)
        if event.leave:
            self.set_focus(self.document_view)

    # --- mend ------------------------------------------------------------------------------------

    def action_mend(self) -> None:
        """Try the settings near A for the chosen question."""
        session = self.session
        if session.chosen is None or session.question is None:
            self.say("choose a question first: x goes to the next miss", "warning")
            return
        self.say("trying the settings near A …")
        a = session.configurations["A"]
        self.start(partial(self.engine.mend, session.question, a, session.questions), "mend")

    @on(messages.MendsReady)
    def _mends_ready(self, event: messages.MendsReady) -> None:
        event.stop()
        from chunkscope.tui.views.diagnosis import mend_sentence

        session = self.session
        if event.reason or event.question >= len(session.questions):
            self.say(event.reason or "the question is gone", "warning")
            return
        wanted = session.questions[event.question].question.id
        self.mends = (session.configurations["A"], wanted, event.mends)
        result = session.result("A", event.question)
        sentence = mend_sentence(event.mends, result.verdict if result is not None else "")
        self.say(sentence, "information" if event.mends else "warning")
        if event.mends:
            self.take_into_b(event.mends[0].configuration)
            self.show_panel("diagnosis")

    @on(LineList.Highlighted, "#mends")
    def _mend_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
