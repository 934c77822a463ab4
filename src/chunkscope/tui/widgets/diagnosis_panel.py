"""Diagnosis: signatures of failure, the questions of one, and what would mend the chosen one."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.literal import flattened
from chunkscope.tui.messages import ConfigurationTaken, QuestionWanted
from chunkscope.tui.session import Variant
from chunkscope.tui.views import diagnosis as rows
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.paragraph import Paragraph

if TYPE_CHECKING:
    from chunkscope.evaluation.diagnosis import Diagnosis, QuestionDiagnosis
    from chunkscope.evaluation.mending import Mend

_EMPTY = "The failures are diagnosed as soon as the numbers stand."
_NONE = "No question failed in A."


class DiagnosisPanel(Widget):
    """Signatures at the left; at the right their questions, the proof, the mends."""

    DEFAULT_CSS = """
    DiagnosisPanel { layout: horizontal; }
    DiagnosisPanel #signatures { width: 25; height: 1fr; border-right: vkey $border; }
    DiagnosisPanel Vertical { width: 1fr; }
    DiagnosisPanel #diagnosed { height: 1fr; }
    DiagnosisPanel #proof { max-height: 3; background: $panel; }
    DiagnosisPanel #mends { height: auto; max-height: 40%; display: none; }
    DiagnosisPanel.-mends #mends { display: block; }
    """

    def __init__(
        self, *, id: str | None = None, classes: str | None = None, ascii_marks: bool = False
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._diagnoses: Mapping[Variant, Diagnosis] | None = None
        self._questions: tuple[QuestionDiagnosis, ...] = ()
        self._mends: tuple[Mend, ...] = ()
        self._chosen: str | None = None
        self._signature = rows.ALL
        self._ascii = ascii_marks

    def compose(self) -> ComposeResult:
        """Three lists and the proof."""
        yield LineList(rows.SIGNATURE_COLUMNS, id="signatures", empty="…")
        with Vertical():
            yield LineList(rows.QUESTION_COLUMNS, id="diagnosed", empty=_EMPTY)
            yield Paragraph(id="proof")
            yield LineList(rows.MEND_COLUMNS, id="mends")

    def show(
        self,
        diagnoses: "Mapping[Variant, Diagnosis] | None",
        chosen: str | None,
        *,
        stale: bool,
    ) -> None:
        """Replace everything but the mends; `chosen` is the id of the chosen question."""
        self._diagnoses, self._chosen = diagnoses, chosen
        names = self.query_one("#signatures", LineList)
        if diagnoses is None:
            names.show([])
            self.query_one("#diagnosed", LineList).show([], empty=_EMPTY)
            self._prove()
            return
        known = rows.signatures(diagnoses)
        if self._signature not in known:
            self._signature = rows.ALL
        names.show(
            rows.signature_rows(diagnoses), cursor=known.index(self._signature), dimmed=stale
        )
        self._filter(stale=stale)

    def show_mends(self, mends: "Sequence[Mend]", taken: Configuration) -> None:
        """What would mend the chosen question; `taken` is what B is."""
        self._mends = tuple(mends)
        self._prove()
        table = self.query_one("#mends", LineList)
        self.set_class(bool(mends), "-mends")
        table.styles.height = len(mends) + 1
        table.show(rows.mend_rows(mends, taken))

    def choose(self, chosen: str | None) -> None:
        """Another question is chosen."""
        self._chosen = chosen
        self._stand()

    def _filter(self, *, stale: bool = False) -> None:
        if self._diagnoses is None:
            return
        self._questions = rows.diagnosed(self._diagnoses["A"], self._signature)
        found = rows.question_rows(self._questions, ascii_marks=self._ascii)
        self.query_one("#diagnosed", LineList).show(found, empty=_NONE, dimmed=stale)
        self._stand()

    def _stand(self) -> None:
        """Put the cursor on the chosen question where it is listed."""
        ids = [question.result.located.question.id for question in self._questions]
        if self._chosen in ids:
            self.query_one("#diagnosed", LineList).place_cursor(ids.index(self._chosen))
        self._prove()

    def _prove(self) -> None:
        line = self.query_one("#proof", Paragraph)
        at = self.query_one("#diagnosed", LineList).cursor
        if self._diagnoses is None or at >= len(self._questions):
            line.say()
            return
        question = self._questions[at]
        said = f"{question.signature}: {flattened(question.sentence)}"
        rest = f"· {rows.mendable_text(self._diagnoses)}"
        if not self._mends:
            rest = f"· {rows.NO_MENDS} {rest}"
        line.say((f"{said} ", "strong"), (rest, "dim"))

    @on(LineList.Highlighted, "#signatures")
    def _signature_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        if self._diagnoses is not None:
            self._signature = rows.signatures(self._diagnoses)[event.index]
            self._filter()

    @on(LineList.Chosen, "#signatures")
    def _signature_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self.query_one("#diagnosed", LineList).focus()

    @on(LineList.Highlighted, "#diagnosed")
    def _question_highlighted(self, event: LineList.Highlighted) -> None:
        event.stop()
        self._want(event.index, leave=False)

    @on(LineList.Chosen, "#diagnosed")
    def _question_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self._want(event.index, leave=True)

    def _want(self, index: int, *, leave: bool) -> None:
        self._prove()
        if index < len(self._questions):
            wanted = self._questions[index].result.located.question.id
            self.post_message(QuestionWanted(wanted, leave))

    @on(LineList.Chosen, "#mends")
    def _mend_chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        if event.index < len(self._mends):
            mend = self._mends[event.index]
            self.post_message(ConfigurationTaken(mend.configuration, mend.sentence))
