"""A question's words edited: question, answer, type and the text of its evidence."""

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static, TextArea

from chunkscope.errors import InputError
from chunkscope.golden.model import Question
from chunkscope.golden.respanning import with_texts
from chunkscope.text.document import Corpus
from chunkscope.tui.literal import content
from chunkscope.tui.screens.ask import Paste
from chunkscope.tui.widgets.field import Field

_KEYS = (
    "In a field: Tab next field · Ctrl+R or Escape then s: save\n"
    "After Escape: s save · n more evidence · Escape closes"
)
_UNSAVED = "not saved: s saves, Escape drops what you typed"


class EditScreen(ModalScreen[Question | None]):
    """Gives the question's new form, or None; what was not edited is the same to the letter."""

    CSS_PATH = "review.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "ask", "save", id="review-edit.save"),
        Binding("ctrl+r", "ask", show=False),
        Binding("n", "more", "more evidence", id="review-edit.more"),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("escape", "close", "close", id="review-edit.close"),
    ]

    def __init__(self, question: Question, corpus: Corpus) -> None:
        super().__init__()
        self._question = question
        self._corpus = corpus
        self._loaded: dict[TextArea | Input, str] = {}
        self._warned = False

    def compose(self) -> ComposeResult:
        """The fields, what is wrong, the keys."""
        with Vertical(id="edit"):
            with VerticalScroll(id="edit-fields", can_focus=False):
                yield Label("Question", markup=False)
                yield Paste(classes="question")
                yield Label("Answer", markup=False)
                yield Paste(classes="answer")
                yield Label("Type (fact, table, …)", markup=False)
                yield Field(compact=True, id="edit-type", select_on_focus=False)
                yield Label(
                    "Evidence, as it stands in the document; left blank it goes", markup=False
                )
                for _item in self._question.evidence:
                    yield Paste(classes="evidence")
            yield Static("", id="edit-said", markup=False)
            yield Static(content(_KEYS), id="edit-keys", markup=False)

    def on_mount(self) -> None:
        """Fill the fields and type at once."""
        self.query_one("#edit").border_title = "Edit the question"
        old = self._question
        texts = [old.question, old.answer or "", *(item.text for item in old.evidence)]
        for area, text in zip(self.query(TextArea), texts, strict=True):
            area.text = text
            # A field has line ends of its own: what it gave back at first is what was loaded.
            self._loaded[area] = area.text
        field = self.query_one("#edit-type", Field)
        field.value = old.type or ""
        self._loaded[field] = field.value
        self.query_one(".question").focus()

    def action_leave_field(self) -> None:
        """Out of the field: letters are keys now."""
        self.set_focus(None)

    def action_more(self) -> None:
        """One more field for evidence."""
        field = Paste(classes="evidence")
        self.query_one("#edit-fields").mount(field)
        self._loaded[field] = ""
        self.call_after_refresh(field.focus)

    def action_ask(self) -> None:
        """Give what stands in the fields, if all of it can be used."""
        try:
            made = self._edited()
        except InputError as error:
            self._say(str(error))
        else:
            self.dismiss(made)

    def _edited(self) -> Question:
        old = self._question
        question = self._typed(self.query_one(".question", TextArea))
        if question is not None and not question.strip():
            raise InputError("question: blank; type what is asked")
        answer = self._typed(self.query_one(".answer", TextArea))
        type_ = self._typed(self.query_one("#edit-type", Field))
        texts = [self._typed(area) for area in self.query(".evidence").results(TextArea)]
        new = replace(
            old,
            question=old.question if question is None else question.strip(),
            answer=old.answer if answer is None else answer.strip() or None,
            type=old.type if type_ is None else type_.strip() or None,
        )
        return with_texts(new, texts, self._corpus)

    def _typed(self, field: TextArea | Input) -> str | None:
        """What stands in a field; None where it was not edited."""
        text = field.text if isinstance(field, TextArea) else field.value
        return None if text == self._loaded[field] else text

    def _say(self, text: str) -> None:
        self.query_one("#edit-said", Static).update(content(text))

    def action_close(self) -> None:
        """Out of the one-line field, then back; what was typed is dropped at the second time."""
        if isinstance(self.focused, Input):
            self.set_focus(None)
            return
        fields = [*self.query(TextArea), self.query_one("#edit-type", Field)]
        if any(self._typed(field) is not None for field in fields) and not self._warned:
            self._warned = True
            self._say(_UNSAVED)
            return
        self.dismiss(None)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_ask()

    @on(TextArea.Changed)
    @on(Input.Changed)
    def _changed(self, event: TextArea.Changed | Input.Changed) -> None:
        event.stop()
        self._warned = False
