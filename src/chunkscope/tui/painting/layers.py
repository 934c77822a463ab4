"""What is painted over a document's text: chunks, evidence, found text. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from chunkscope.splitting.chunks import IntArray
from chunkscope.text.spans import Span

EvidenceState = Literal["whole", "cut", "not retrieved", "unmeasured"]


@dataclass(frozen=True, slots=True)
class EvidenceMark:
    """One place of an evidence item.

    Attributes:
        span: its range in the document.
        state: what became of it, as in `EvidenceOutcome.state`.
        cuts: offsets of the boundaries that cut it; ✂ is drawn before that character.
    """

    span: Span
    state: EvidenceState
    cuts: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class ChunkLayer:
    """One variant's chunks of one document.

    Attributes:
        variant: the letter shown for it.
        starts: first code point of each chunk's source range, shape (n,).
        ends: one past the last, shape (n,).
        tokens: tokens of each chunk, shape (n,), or None while they are not counted.
        altered: indexes of the chunks whose text is not the slice of their range.
        oversize: indexes of the chunks longer than the requested size.
        retrieved: rank (from 1) of the retrieved chunks, by index.
    """

    variant: Literal["A", "B"]
    starts: IntArray
    ends: IntArray
    tokens: IntArray | None = None
    altered: frozenset[int] = frozenset()
    oversize: frozenset[int] = frozenset()
    retrieved: Mapping[int, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.starts)


@dataclass(frozen=True, slots=True)
class ReturnedMark:
    """A chunk that a real system returned.

    Attributes:
        span: its range in the document.
        rank: from 1.
        certain: whether its text stands only there.
    """

    span: Span
    rank: int
    certain: bool = True


@dataclass(frozen=True, slots=True)
class ReturnedLayer:
    """What a real system returned for the chosen question, in this document.

    Attributes:
        marks: the chunks.
        digits: of the highest rank of any question, so that the column keeps its width.
    """

    marks: tuple[ReturnedMark, ...]
    digits: int = 1


@dataclass(frozen=True, eq=False)
class Layers:
    """Everything painted over one document, replaced as a whole.

    Attributes:
        generation: the number of the change it answers; a stale one can be told by it.
        chunks: the chunks drawn as bands.
        other: the other variant's chunks, drawn as a thin second gutter.
        evidence: the chosen question's evidence places in this document.
        found: ranges of the text that was searched for, ascending and disjoint.
        returned: what a real system returned; None where that is not known.
        sections: what a splitter of two stages cuts first; None where it has one, empty while they
            are being found.
        stale: newer chunks are on their way; these are drawn dimmed.
    """

    generation: int = 0
    chunks: ChunkLayer | None = None
    other: ChunkLayer | None = None
    evidence: tuple[EvidenceMark, ...] = ()
    found: tuple[Span, ...] = ()
    returned: ReturnedLayer | None = None
    sections: tuple[Span, ...] | None = None
    stale: bool = False
