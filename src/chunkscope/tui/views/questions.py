"""The rows of the Questions panel, and the next question of a kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chunkscope.evaluation.results import QuestionResult
from chunkscope.tui.literal import flattened
from chunkscope.tui.session import Session
from chunkscope.tui.views.verdicts import (
    ROLES,
    differ,
    difference_text,
    is_cut,
    is_miss,
    verdict_text,
)
from chunkscope.tui.widgets.line_list import Cell, Column, Row

COLUMNS = (
    Column("no.", 4, right=True, role="dim"),
    Column("A", 12),
    Column("rank", 4, right=True),
    Column("B", 12),
    Column("rank", 4, right=True),
    Column("A → B", 10),
    Column("question", middle=True),
)
NARROW_COLUMNS = (
    Column("no.", 3, right=True, role="dim"),
    Column("A", 10),
    Column("rk", 3, right=True),
    Column("B", 10),
    Column("rk", 3, right=True),
    Column("A → B", 10),
    Column("question", middle=True),
)

NO_GOLDEN = (
    "No golden set is open. Press a to ask a question and paste what should have come back, "
    "or start with --golden FILE."
)


@dataclass(frozen=True)
class QuestionRows(Sequence[Row]):
    """One row a question, made when it is drawn."""

    session: Session
    ascii_marks: bool = False

    def __len__(self) -> int:
        return len(self.session.questions)

    def __getitem__(self, index: int) -> Row:  # type: ignore[override]
        session = self.session
        question = session.questions[index].question
        a, b = session.result("A", index), session.result("B", index)
        change, role = difference_text(a, b)
        unsaved = 0 <= index - len(session.located) < len(session.asked)
        unsaid = session.unsaid(index)
        text = flattened(question.question)
        return (
            Cell(f"{index + 1}"),
            self._verdict(a, unsaid=unsaid),
            Cell(_rank(a)),
            self._verdict(b, unsaid=unsaid),
            Cell(_rank(b)),
            Cell(change, role),
            Cell(f"{text}  (not written yet: w)" if unsaved else text),
        )

    def _verdict(self, result: QuestionResult | None, *, unsaid: bool) -> Cell:
        if result is None:
            return Cell("…", "dim")
        if unsaid:
            return Cell("not said", "dim")
        text = verdict_text(result.verdict, ascii_marks=self.ascii_marks)
        return Cell(text, ROLES[result.verdict])


def next_question(session: Session, wanted: Callable[[Session, int], bool]) -> int | None:
    """The next question after the chosen one for which `wanted` holds, around the end."""
    count = len(session.questions)
    start = -1 if session.question is None else session.question
    for step in range(1, count + 1):
        index = (start + step) % count
        if wanted(session, index):
            return index
    return None


def miss(session: Session, index: int) -> bool:
    """Whether the active variant misses the question."""
    return is_miss(session.result(session.active, index))


def cut(session: Session, index: int) -> bool:
    """Whether the active variant cuts the question's evidence."""
    return is_cut(session.result(session.active, index))


def difference(session: Session, index: int) -> bool:
    """Whether A and B answer the question differently."""
    return differ(session.result("A", index), session.result("B", index))


def _rank(result: QuestionResult | None) -> str:
    if result is None:
        return ""
    return "–" if result.rank is None else str(result.rank)
