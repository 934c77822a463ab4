"""What one run gives: a configuration measured on a golden set over a corpus."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from chunkscope.evaluation.configuration import Configuration
from chunkscope.golden.model import LocatedQuestion, Place
from chunkscope.splitting.chunks import ChunkSet

Verdict = Literal["hit", "partial", "split", "missed", "unmeasured", "unanswerable"]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One chunk of a ranking."""

    chunk: int
    score: float


@dataclass(frozen=True, slots=True)
class EvidenceOutcome:
    """What became of one evidence item.

    Attributes:
        state: `whole` inside a retrieved chunk; `cut`: no chunk of the set holds it whole;
            `not retrieved`: a chunk holds it, not within the first cut-off; `unmeasured`.
        edge_cut: cut, but only white space or punctuation is lost.
        rank: rank (from 1) of the best chunk that holds it whole in the full ranking, or None.
        chunk: that chunk; when none ranks, the first chunk that holds it; None when cut.
        coverage: share of its characters in the retrieved chunks' union.
        place: the place these values are of: where it is held, else the best covered.
        cuts: offsets in that place's document of the boundaries that cut it.
    """

    state: Literal["whole", "cut", "not retrieved", "unmeasured"]
    edge_cut: bool
    rank: int | None
    chunk: int | None
    coverage: float
    place: Place | None = None
    cuts: tuple[int, ...] = ()


@dataclass(frozen=True)
class QuestionResult:
    """One question's line.

    Attributes:
        located: the question and its evidence's places.
        verdict: hit, partial, split, missed, unmeasured or unanswerable.
        reason: one sentence that says why, for a person.
        rank: rank of the first chunk holding a whole item in the full ranking, or None.
        retrieved: the ranking down to the largest cut-off (or the budget).
        context: how many of `retrieved` are sent: those within the first cut-off or budget.
        metrics: per-question values by the design's names; empty unless measured.
        outcomes: one an evidence item.
        recall_range: lowest and highest recall when a tie crosses the first cut-off.
    """

    located: LocatedQuestion
    verdict: Verdict
    reason: str
    rank: int | None
    retrieved: tuple[Retrieved, ...]
    context: int
    metrics: Mapping[str, float]
    outcomes: tuple[EvidenceOutcome, ...]
    recall_range: tuple[float, float]


@dataclass(frozen=True)
class ChunkStatistics:
    """The `chunks` object of a report."""

    count: int
    mean_tokens: float | None
    max_tokens: int
    total_tokens: int
    oversize: int
    altered: int
    uncovered_characters: int


@dataclass(frozen=True, slots=True)
class GoldenCounts:
    """The golden set's questions by what can be said of them."""

    questions: int
    measured: int
    unmeasured: int
    unanswerable: int


@dataclass(frozen=True)
class Evaluation:
    """One run.

    Attributes:
        configuration: what was measured.
        chunks: the chunk set; empty in a sweep's rows, whose counts stand in `statistics`.
        statistics: its counts.
        questions: one line a question, in the golden set's order; empty in a sweep's rows.
        metrics: means over measured questions by name; None where nothing is measured.
        sd: population standard deviations.
        intervals: 95 % bootstrap intervals by metric; empty until asked for.
        recall_range: mean recall's range over ties that cross the cut-off.
        by_type: means by question type.
        warnings: what a person should know, one sentence each.
        counts: how many questions were measured, and not.
        measured: ids of the measured questions, in order.
        per_question: the metrics of each measured question, each of shape (m,); NaN where a
            question has no value.
        corpus_tokens: tokens of the documents, in the configuration's encoding.
        rows_of_type: which measured questions bear each type, each of shape (m,).
    """

    configuration: Configuration
    chunks: ChunkSet
    statistics: ChunkStatistics
    questions: tuple[QuestionResult, ...]
    metrics: Mapping[str, float | None]
    sd: Mapping[str, float | None]
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    recall_range: tuple[float | None, float | None] = (None, None)
    by_type: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    counts: GoldenCounts = GoldenCounts(0, 0, 0, 0)
    measured: tuple[str, ...] = ()
    per_question: Mapping[str, npt.NDArray[np.float64]] = field(default_factory=dict, repr=False)
    corpus_tokens: int = 0
    rows_of_type: Mapping[str, npt.NDArray[np.bool_]] = field(default_factory=dict, repr=False)
