"""What the review says of a question: progress, facts, and the marks in its document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import LocatedQuestion, Question
from chunkscope.golden.respanning import Piece as EvidencePiece
from chunkscope.golden.respanning import document_of, evidence_of
from chunkscope.golden.reviewing import Status, origin, said_of, status
from chunkscope.golden.validating import Finding
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span
from chunkscope.tui.literal import flattened, literal
from chunkscope.tui.painting.layers import EvidenceMark, Layers
from chunkscope.tui.widgets.line_list import Cell, Column, Row
from chunkscope.tui.widgets.one_line import Piece

_LOW, _MIDDLING = 3, 4
"""Scores up to the first are bad; up to below the second, doubtful."""

_SEVERITIES = {"error": "bad", "warning": "warn", "info": "dim"}
_WORST = ("error", "warning")


def progress_line(name: str, at: int, statuses: Sequence[str]) -> list[Piece]:
    """Where one is in the queue, and what became of it so far."""
    accepted, rejected = statuses.count("accepted"), statuses.count("rejected")
    left = len(statuses) - accepted - rejected - statuses.count("by hand")
    return [
        (" Review ", "strong"),
        (f"{at + 1} of {len(statuses)}", "key"),
        (f" · {accepted} accepted, {rejected} rejected", ""),
        (f" · {left} to review" if left else " · all reviewed", "" if left else "good"),
        (f" · {flattened(name)}", "dim"),
    ]


QUEUE_COLUMNS = (Column("", 2), Column("", 2), Column("", middle=True))

_SIGNS: Mapping[Status, tuple[str, str, str]] = {
    "accepted": ("✓", "+", "good"),
    "rejected": ("✗", "x", "bad"),
    "edited": ("✎", "~", "warn"),
}


@dataclass(frozen=True)
class QueueRows(Sequence[Row]):
    """One row a question of the queue, made when it is drawn: verdict, flag, words.

    Attributes:
        ids: the queue.
        questions: the questions by id.
        flags: what validating says, by id.
        ascii_marks: whether glyphs outside ASCII are replaced.
    """

    ids: Sequence[str]
    questions: Mapping[str, Question]
    flags: Mapping[str, Sequence[Finding]]
    ascii_marks: bool = False

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int) -> Row:  # type: ignore[override]
        question = self.questions[self.ids[index]]
        glyph, plain, role = _SIGNS.get(status(question), (" ", " ", ""))
        found = self.flags.get(question.id, ())
        worst = next((r for r in _WORST if any(f.severity == r for f in found)), None)
        flag = flag_sign(self.ascii_marks) if worst is not None else ""
        return (
            Cell(plain if self.ascii_marks else glyph, role),
            Cell(flag, _SEVERITIES.get(worst or "", "")),
            Cell(flattened(question.question)),
        )


def flag_sign(ascii_marks: bool) -> str:
    """The sign of a flag."""
    return "!" if ascii_marks else "⚑"


def question_facts(
    question: Question, flags: Sequence[Finding] | None, *, ascii_marks: bool
) -> list[list[Piece]]:
    """Question, answer, type and scores, flags; a paragraph each.

    Args:
        question: the question.
        flags: what validating says of it; None: that is being found out.
        ascii_marks: whether glyphs outside ASCII are replaced.
    """
    answer = question.answer
    made: list[list[Piece]] = [
        [("Q ", "key"), (flattened(question.question), "strong")],
        [("A ", "key"), (flattened(answer), "") if answer else ("no answer", "dim")],
        _kept(question),
    ]
    reason = origin(question).reason
    if reason:
        made.append([("grader ", "key"), (flattened(reason), "dim")])
    sign = flag_sign(ascii_marks)
    if flags is None:
        made.append([("looking for flags …", "dim")])
    for finding in flags or ():
        role = _SEVERITIES[finding.severity]
        made.append([(f"{sign} ", role), (flattened(finding.message), role)])
    return made


def _kept(question: Question) -> list[Piece]:
    """Status, type, scores, model and id."""
    known = origin(question)
    now = status(question)
    role = {"accepted": "good", "rejected": "bad", "edited": "warn"}.get(now, "dim")
    made: list[Piece] = [(flattened(said_of(question)), role)]
    made += [(" · ", "dim"), (flattened(question.type or "no type"), "")]
    for name, score in known.scores.items():
        doubt = "bad" if score <= _LOW else "warn" if score < _MIDDLING else ""
        made += [(" · ", "dim"), (f"{flattened(name)} {score:g}", doubt)]
    if known.model:
        made += [(" · ", "dim"), (flattened(known.model), "dim")]
    return [*made, (" · ", "dim"), (flattened(question.id), "dim")]


def piece_name(question: Question, piece: EvidencePiece) -> str:
    """Which evidence or alternative it is, of how many."""
    item = question.evidence[piece.item]
    said = f"evidence {piece.item + 1} of {len(question.evidence)}"
    if piece.alternative:
        said += f", alternative {piece.alternative} of {len(item.alternatives)}"
    elif item.alternatives:
        count = len(item.alternatives)
        said += f" (+{count} alternative{'s' * (count != 1)})"
    if evidence_of(question, piece).extra.get("generated") is True:
        said += ", found by the model"
    return said


def place_of(question: Question, piece: EvidencePiece, corpus: Corpus) -> tuple[Span | None, str]:
    """Where a piece stands in its document, and the tier that found it; None: nowhere."""
    evidence = replace(evidence_of(question, piece), doc=None, alternatives=())
    alone = Question("", question.question, document_of(question, piece), (evidence,))
    for item in locate_question(alone, corpus).items:
        for place in item.places:
            return place.span, place.tier
    return None, ""


def place_line(
    question: Question, piece: EvidencePiece | None, place: tuple[Span | None, str]
) -> list[Piece]:
    """The line above the text: document, which evidence, its offsets."""
    if piece is None:
        return [(f" {literal(question.doc)}", "strong"), (" · no evidence: unanswerable", "warn")]
    made: list[Piece] = [(f" {literal(document_of(question, piece))}", "strong")]
    made.append((f" · {piece_name(question, piece)}", ""))
    span, tier = place
    if span is None:
        return [*made, (" · stands nowhere: s sets its span", "bad")]
    made.append((f" · {span.start}–{span.end}", "key"))
    return made if tier == "given" else [*made, (f" · found: {tier}", "warn")]


def review_layers(
    located: LocatedQuestion, document: Document, chosen: Span | None = None
) -> Layers:
    """Every place of the question's evidence in a document; the chosen one drawn as whole."""
    others = {
        place.span
        for item in located.items
        for place in item.places
        if place.doc == document.id and place.span != chosen
    }
    marks = tuple(EvidenceMark(span, "not retrieved") for span in sorted(others))
    return Layers(evidence=marks + ((EvidenceMark(chosen, "whole"),) if chosen else ()))
