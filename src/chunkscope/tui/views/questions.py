"""The rows of the Questions panel, and the next question of a kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len

from chunkscope.evaluation.places import evidence_place, have_places
from chunkscope.evaluation.results import QuestionResult
from chunkscope.tui.literal import fitted, fitted_middle, flattened
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

PLACE = Column("place", 14, role="dim")
"""Before the question, where there is room for it and evidence has places."""

_PLACED = 150
"""Cells of the screen from which there is."""
_BEHIND = 12
"""Cells that a place behind a question may take: the question's own end is wanted, too."""

NO_GOLDEN = (
    "No golden set is open. Press a to ask a question and paste what should have come back, "
    "or start with --golden FILE."
)


@dataclass(frozen=True)
class QuestionRows(Sequence[Row]):
    """One row a question, made when it is drawn.

    Attributes:
        places: where evidence stands: a column of its own, behind the question, or not at all.
    """

    session: Session
    ascii_marks: bool = False
    places: Literal["column", "behind", "none"] = "none"

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
        place = self._place(index)
        if place and self.places == "behind":
            text = f"{text}  ({_behind(place)})"
        return (
            Cell(f"{index + 1}"),
            self._verdict(a, unsaid=unsaid),
            Cell(_rank(a)),
            self._verdict(b, unsaid=unsaid),
            Cell(_rank(b)),
            Cell(change, role),
            *((Cell(place),) if self.places == "column" else ()),
            Cell(f"{text}  (not written yet: w)" if unsaved else text),
        )

    def _place(self, index: int) -> str:
        corpus = self.session.corpus
        if self.places == "none" or corpus is None:
            return ""
        return flattened(evidence_place(self.session.questions[index], corpus))

    def _verdict(self, result: QuestionResult | None, *, unsaid: bool) -> Cell:
        if result is None:
            return Cell("…", "dim")
        if unsaid:
            return Cell("not said", "dim")
        text = verdict_text(result.verdict, ascii_marks=self.ascii_marks)
        return Cell(text, ROLES[result.verdict])


def question_table(
    session: Session, *, ascii_marks: bool, narrow: bool, width: int
) -> tuple[QuestionRows, tuple[Column, ...]]:
    """The rows and their columns; `narrow`: these have the fewest cells; `width`: the screen's."""
    columns = NARROW_COLUMNS if narrow else COLUMNS
    corpus = session.corpus
    if corpus is None or not have_places(session.questions, corpus):
        return QuestionRows(session, ascii_marks), columns
    if narrow or width < _PLACED:
        return QuestionRows(session, ascii_marks, "behind"), columns
    return QuestionRows(session, ascii_marks, "column"), (*columns[:-1], PLACE, columns[-1])


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


def _behind(place: str) -> str:
    """A place in few cells; of a sheet's name and a cell, the cell stays."""
    if cell_len(place) <= _BEHIND:
        return place
    return (fitted_middle if "!" in place else fitted)(place, _BEHIND)


def _rank(result: QuestionResult | None) -> str:
    if result is None:
        return ""
    return "–" if result.rank is None else str(result.rank)
