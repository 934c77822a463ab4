"""Ask: a question, what should have come back, what came back."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Input, Label, Static, TextArea

from chunkscope.golden.model import Evidence, Question
from chunkscope.tui.literal import content, flattened, literal
from chunkscope.tui.messages import NearPassage, QuestionAsked, WriteWanted
from chunkscope.tui.widgets.field import Field, literal_strip
from chunkscope.tui.widgets.line_list import Cell, Column, LineList

_KEYS = (
    "In a field: Tab next field · Ctrl+R or Escape then a: ask\n"
    "After Escape: a ask · n more evidence · r more returned · Escape closes"
)
_AFTER = "w write it as a golden line · a ask again · Escape back to the document"
_CHANGED = "changed; u takes it back · a ask again · Escape back to the document"
_ASIDE = "not written: kept as an unsaved question · Escape back to the document"
_ACCEPT = "Not found. Up, down and Enter take one of the nearest passages in its place:"


class Paste(TextArea):
    """A field that takes what is pasted as it is; Escape leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "screen.leave_field", show=False),
        Binding("ctrl+r", "screen.ask", show=False),
    ]

    def __init__(self, *, classes: str) -> None:
        super().__init__(classes=classes, compact=True, tab_behavior="focus")

    def get_line(self, line_index: int) -> Text:
        """A line as it is drawn: hidden characters are marks, one for one."""
        return Text(literal(self.document.get_line(line_index)), end="", no_wrap=True)

    def render_line(self, y: int) -> Strip:
        """One row, hidden characters as marks."""
        return literal_strip(super().render_line(y))


class AskScreen(ModalScreen[None]):
    """The fields, and the answer as soon as there is one."""

    CSS_PATH = "ask.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012 - as Textual has it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "ask", "ask", id="ask.ask", tooltip="Ask."),
        Binding("n", "more('evidence')", "another evidence", id="ask.evidence"),
        Binding("r", "more('returned')", "another returned passage", id="ask.returned"),
        Binding("w", "write", "write golden", id="ask.write"),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("ctrl+r", "ask", show=False),
        Binding("escape", "close", "close", id="ask.close"),
    ]

    def __init__(self, *, selected: Evidence | None = None, edited: Question | None = None) -> None:
        super().__init__()
        self._selected = selected
        self._edited = edited
        self._passages: tuple[NearPassage, ...] = ()

    def compose(self) -> ComposeResult:
        """The fields, the answer, the keys."""
        with Vertical(id="ask"):
            with VerticalScroll(id="ask-fields", can_focus=False):
                yield Label("Question", markup=False)
                yield Paste(classes="question")
                yield Label("What should have come back (evidence)", markup=False)
                yield Paste(classes="evidence")
                yield Label("What did come back (optional)", id="returned-label", markup=False)
                yield Paste(classes="returned")
                yield Label("Type (optional: fact, table, …)", id="type-label", markup=False)
                yield Field(compact=True, id="ask-type", select_on_focus=False)
            yield Static("", id="ask-answer", markup=False)
            yield LineList((Column(""),), id="ask-passages", heading=False)
            yield Static(content(_KEYS), id="ask-keys", markup=False)

    def on_mount(self) -> None:
        """Type at once."""
        box = self.query_one("#ask")
        box.border_title = "Ask" if self._edited is None else "Edit the question"
        self._fill()
        self.query_one("#ask-passages").display = False
        self.query_one(".question").focus()

    def _fill(self) -> None:
        """What is selected, or what is edited."""
        field, old = self.query_one(".evidence", TextArea), self._edited
        if self._selected is not None:
            field.text = self._selected.text
        if old is None:
            return
        self.query_one(".question", TextArea).text = old.question
        self.query_one("#ask-type", Field).value = old.type or ""
        for number, item in enumerate(old.evidence):
            if number:
                field = Paste(classes="evidence")
                self.query_one("#ask-fields").mount(field, before="#returned-label")
            field.text = item.text

    def action_leave_field(self) -> None:
        """Out of the field: letters are keys now."""
        self.set_focus(None)

    def action_more(self, kind: str) -> None:
        """One more field of a kind."""
        fields = self.query_one("#ask-fields")
        field = Paste(classes=kind)
        if kind == "evidence":
            fields.mount(field, before="#returned-label")
        else:
            fields.mount(field, before="#type-label")
        self.call_after_refresh(field.focus)

    def action_ask(self) -> None:
        """Send what stands in the fields; the main screen answers."""
        if not self._texts("question"):
            self.show_failure("question: blank; type what is asked")
            return
        if not self._texts("evidence"):
            self.show_failure("evidence: blank; paste what should have come back, as it stands")
            return
        self._send(again=False)

    def _send(self, *, again: bool) -> None:
        self.set_focus(None)
        self.query_one("#ask-answer", Static).update(content("asking …"))
        asked = QuestionAsked(
            self._texts("question")[0],
            self._texts("evidence"),
            self._texts("returned"),
            again,
            self.query_one("#ask-type", Field).value,
            self._selected,
            self._edited,
        )
        self.app.screen_stack[-2].post_message(asked)

    def _texts(self, kind: str) -> tuple[str, ...]:
        texts = [field.text for field in self.query(f".{kind}").results(TextArea)]
        return tuple(text for text in texts if text.strip())

    def show_answer(
        self, sentences: Sequence[str], passages: Sequence[NearPassage], *, written: bool = True
    ) -> None:
        """The answer in one sentence a variant, and what resembles evidence not found.

        Args:
            sentences: a sentence a variant.
            passages: what resembles evidence that was not found.
            written: whether an edited question stands in its place now.
        """
        lines = [flattened(sentence) for sentence in sentences]
        if passages:
            lines.append(_ACCEPT)
        answer = self.query_one("#ask-answer", Static)
        answer.update(content("\n".join(lines)))
        answer.remove_class("-failed")
        self.query_one("#ask-keys", Static).update(
            content(_AFTER if self._edited is None else _CHANGED if written else _ASIDE)
        )
        self._passages = tuple(passages)
        near = self.query_one("#ask-passages", LineList)
        near.show([(Cell(f"{literal(p.where)}: {flattened(p.text)}"),) for p in passages])
        near.display = bool(passages)
        if passages:
            near.focus()

    @on(LineList.Chosen)
    def _accept(self, event: LineList.Chosen) -> None:
        event.stop()
        passage = self._passages[event.index]
        for field in self.query(".evidence").results(TextArea):
            if field.text.strip() == passage.missing:
                field.text = passage.text
        self._send(again=True)

    def show_failure(self, reason: str) -> None:
        """Why it cannot be asked."""
        answer = self.query_one("#ask-answer", Static)
        answer.update(content(reason))
        answer.add_class("-failed")

    def action_write(self) -> None:
        """The question becomes a golden line."""
        self.app.screen_stack[-2].post_message(WriteWanted())

    def action_close(self) -> None:
        """Out of the one-line field, which Escape does not leave by itself; then back."""
        if isinstance(self.focused, Input):
            self.set_focus(None)
            return
        self.dismiss(None)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_ask()

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
