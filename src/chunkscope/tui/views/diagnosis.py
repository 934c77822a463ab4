"""The rows of the Diagnosis panel: signatures with counts, their questions, what would mend one."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from chunkscope.tui.literal import flattened
from chunkscope.tui.session import VARIANTS, Variant
from chunkscope.tui.views.verdicts import ROLES, verdict_text
from chunkscope.tui.widgets.line_list import Cell, Column, Row

if TYPE_CHECKING:
    from chunkscope.evaluation.diagnosis import Diagnosis, QuestionDiagnosis
    from chunkscope.evaluation.mending import Mend

SIGNATURE_COLUMNS = (
    Column("signature"),
    Column("A", 3, right=True, role="a"),
    Column("B", 3, right=True, role="b"),
)
QUESTION_COLUMNS = (Column("A", 11), Column("why", 10), Column("question", middle=True))
MEND_COLUMNS = (
    Column("", 1),
    Column("what would mend it in A"),
    Column("tokens sent", 13, right=True),
    Column("won", 3, right=True),
    Column("lost", 4, right=True),
)
ALL = "all"
_NAMED = 3

NO_MENDS = "m: what would mend it"


def signatures(diagnoses: "Mapping[Variant, Diagnosis]") -> tuple[str, ...]:
    """What the questions can be filtered by: all, then each signature that occurs in A or B."""
    names = diagnoses["A"].totals
    found = [name for name in names if any(d.totals[name] for d in diagnoses.values())]
    return (ALL, *found)


def signature_rows(diagnoses: "Mapping[Variant, Diagnosis]") -> list[Row]:
    """One row a signature, failures of A and of B counted; then how many chunks can mend."""
    rows: list[Row] = []
    for name in signatures(diagnoses):
        counts = [
            len(d.questions) if name == ALL else d.totals[name]  # type: ignore[index]
            for d in (diagnoses[variant] for variant in VARIANTS)
        ]
        role = "strong" if name == ALL else ""
        rows.append((Cell(name, role), *(Cell(str(count)) for count in counts)))
    return rows


def mendable_text(diagnoses: "Mapping[Variant, Diagnosis]") -> str:
    """How many of A's failures other chunks can mend at all."""
    found = diagnoses["A"]
    failures = sum(question.signature != "unmeasured" for question in found.questions)
    return f"other chunks can mend {found.mendable} of {failures} failures of A"


def diagnosed(diagnosis: "Diagnosis", signature: str) -> "tuple[QuestionDiagnosis, ...]":
    """The bad questions of one signature, or all of them."""
    return tuple(
        question for question in diagnosis.questions if signature in (ALL, question.signature)
    )


def question_rows(
    questions: "Sequence[QuestionDiagnosis]", *, ascii_marks: bool = False
) -> list[Row]:
    """One row a bad question: verdict, signature, question."""
    return [
        (
            Cell(
                verdict_text(question.result.verdict, ascii_marks=ascii_marks),
                ROLES[question.result.verdict],
            ),
            Cell(question.signature, "strong"),
            Cell(flattened(question.result.located.question.question)),
        )
        for question in questions
    ]


def mend_rows(mends: "Sequence[Mend]", taken: object) -> list[Row]:
    """One row a setting that mends the question, cheapest first; `taken` is what B is."""
    rows: list[Row] = []
    for mend in mends:
        is_b = mend.configuration == taken
        rows.append(
            (
                Cell("B" if is_b else "", "b"),
                Cell(flattened(mend.change), "strong" if is_b else ""),
                Cell(_cost(mend)),
                Cell(str(len(mend.won)), "good" if mend.won else "dim"),
                Cell(str(len(mend.lost)), "bad" if mend.lost else "dim"),
            )
        )
    return rows


def _cost(mend: "Mend") -> str:
    more = f"{mend.context_after - mend.context_before:+.0f}".replace("-", "−")
    return f"{mend.context_after:.0f} ({more})"


def mend_sentence(mends: "Sequence[Mend]", verdict: str) -> str:
    """What the cheapest mend is and what it breaks elsewhere, or why there is none."""
    if not mends:
        if verdict == "hit":
            return "this question is a hit in A already: there is nothing to mend"
        if verdict == "unmeasured":
            return "its evidence stands in no open document: no setting can mend that"
        return "no setting near A hits this question; 5 shows why it failed"
    best = mends[0]
    won = f", wins {len(best.won)} other{'s' * (len(best.won) != 1)}" if best.won else ""
    parts = [f"B is {flattened(best.change)} now: a hit, {_cost(best)} tokens sent{won}"]
    parts.append(f"it breaks {_broken(best)}" if best.lost else "it breaks no other question")
    kinder = min(mends, key=lambda mend: len(mend.lost))
    if len(kinder.lost) < len(best.lost):
        breaks = f"breaks {len(kinder.lost)}" if kinder.lost else "breaks none"
        parts.append(f"{flattened(kinder.change)} {breaks}, at {_cost(kinder)} tokens")
    parts.append(f"{len(mends)} in all: 5; u gives back the B before")
    return "; ".join(parts)


def _broken(mend: "Mend") -> str:
    named = ", ".join(map(flattened, mend.lost[:_NAMED]))
    more = f" and {len(mend.lost) - _NAMED} more" if len(mend.lost) > _NAMED else ""
    return f"{len(mend.lost)} ({named}{more})"
