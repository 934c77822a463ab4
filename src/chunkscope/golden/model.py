"""Golden questions, their evidence, and the places where evidence was found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chunkscope.text.spans import Span


@dataclass(frozen=True)
class Evidence:
    """One piece of text that must be retrieved, as the golden set gives it.

    Attributes:
        text: the text itself.
        start: first code point in its document, or None: to be located.
        end: one past the last, or None.
        doc: the document it names itself, or None: the question's.
        alternatives: other places, any of which serves.
        extra: unknown keys, kept for a rewrite.
    """

    text: str
    start: int | None = None
    end: int | None = None
    doc: str | None = None
    alternatives: tuple["Evidence", ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    """One golden question.

    Attributes:
        id: unique within its set.
        question: what is asked.
        doc: id of the document the evidence stands in.
        evidence: all are needed; empty: unanswerable from this corpus.
        answer: what should come back, if given.
        type: a free label, such as fact, explanation or table.
        extra: unknown keys, kept for a rewrite.
        line: line number in the file, from 1; 0 when it is not from a file.
        raw: its line as it stands in the file, line end included, blank lines before it too;
            a rewrite that changes nothing gives the same bytes.
    """

    id: str
    question: str
    doc: str
    evidence: tuple[Evidence, ...]
    answer: str | None = None
    type: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0
    raw: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True)
class GoldenSet:
    """Golden questions in file order.

    Attributes:
        questions: the questions.
        path: the file they were read from, if any.
        tail: blank lines after the last question, kept for a rewrite.
        digest: SHA-256, in hex, of the file they were read from; empty: of none.
    """

    questions: tuple[Question, ...]
    path: Path | None = None
    tail: str = field(default="", compare=False, repr=False)
    digest: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece of evidence stands: document id and range, and the tier that found it.

    Attributes:
        tier: `given` (the set's own offsets), `exact`, or the name of a looser tier.
    """

    doc: str
    span: Span
    tier: str


@dataclass(frozen=True)
class LocatedEvidence:
    """One evidence item and every place that serves it.

    Attributes:
        places: none when not found; several when any of them serves.
        drifted: the set's offsets held other text, so it was located anew.
        ambiguous: found several times with no offset to decide.
        note: what a person should know of how it was located, one sentence; most often empty.
        part: 0: all of one item of the question; from 1 on: this part of an item whose text has
            an ellipsis in it. Each part has an entry of its own, with its own text.
    """

    evidence: Evidence
    places: tuple[Place, ...]
    drifted: bool = False
    ambiguous: bool = False
    note: str = ""
    part: int = 0


@dataclass(frozen=True)
class LocatedQuestion:
    """One question with its evidence located in a corpus."""

    question: Question
    items: tuple[LocatedEvidence, ...]

    @property
    def unanswerable(self) -> bool:
        """Whether the set says that the corpus holds no answer."""
        return not self.question.evidence

    @property
    def measured(self) -> bool:
        """Whether every evidence item has a place (and there is one)."""
        return bool(self.items) and all(item.places for item in self.items)
