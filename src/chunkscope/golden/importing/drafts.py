"""Questions as another tool's file gives them, before they are placed in the documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

CHUNKS_FAVOUR = (
    "its evidence is whole chunks of one configuration: the set favours sizes near the one they "
    "were cut with; shorten the evidence to what answers the question before comparing sizes"
)
"""Said of sets whose questions were written from chunks."""


@dataclass(frozen=True)
class DraftEvidence:
    """One piece of evidence.

    Attributes:
        text: the text; None: what stands at the offsets.
        start: first code point, in `within` if that is given, else in the document; or None.
        end: one past the last, or None.
        doc: a name for its document, or None: the question's.
        within: a longer text around it, by which its document and place are found.
        alternatives: other pieces, any of which serves.
    """

    text: str | None
    start: int | None = None
    end: int | None = None
    doc: str | None = None
    within: str | None = None
    alternatives: tuple["DraftEvidence", ...] = ()


@dataclass(frozen=True)
class Draft:
    """One question.

    Attributes:
        where: file and row, for messages.
        question: what is asked.
        evidence: all are needed; none: unanswerable.
        doc: a name for the document: its id, its file's name, or either without its ending; None:
            any document that holds the evidence.
        surely: whether that name has to be a document of the corpus; if not, and no document has
            it, any document that holds the evidence is taken.
        id: its id, or None: to be numbered.
        answer: what should come back, if given.
        type: a label, if given.
    """

    where: str
    question: str
    evidence: tuple[DraftEvidence, ...]
    doc: str | None = None
    surely: bool = True
    id: str | None = None
    answer: str | None = None
    type: str | None = None


@dataclass(frozen=True)
class Source:
    """What a file of another tool holds.

    Attributes:
        format: the format's name; questions without an id are numbered after it.
        drafts: the questions in file order.
        documents: texts that the file brings along, by document id.
        warnings: what a person should know of such a set, one sentence each.
    """

    format: str
    drafts: tuple[Draft, ...]
    documents: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def with_alternatives(pieces: Sequence[DraftEvidence]) -> tuple[DraftEvidence, ...]:
    """One piece of evidence that any of `pieces` serves as; none of none."""
    return (replace(pieces[0], alternatives=tuple(pieces[1:])),) if pieces else ()
