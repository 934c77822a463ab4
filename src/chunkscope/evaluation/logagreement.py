"""How far a stand-in retriever agrees with the real one, and which findings carry over."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chunkscope.evaluation.loginference import Inference
from chunkscope.evaluation.logplaces import PlacedEntry
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.evaluation.statistics import bootstrap_intervals
from chunkscope.text.spans import Span

AGREES = 0.7
"""Ranks carry over where at least this share of what came back is the stand-in's too."""

ENOUGH = 10
"""Questions it must be measured on before ranks carry over."""

_SAME = 0.5


@dataclass(frozen=True)
class Agreement:
    """The stand-in against the real retriever, over questions with a chunk of known place.

    Attributes:
        stand_in: the retriever's name.
        questions: how many questions there are.
        mean: mean share of the chunks that really came back of which the stand-in returns at
            least half, within as many chunks; None: nothing has a known place.
        low: lower end of its 95 % interval; None: too few questions.
        high: upper end.
        per_question: the share by question id.
    """

    stand_in: str
    questions: int
    mean: float | None
    low: float | None
    high: float | None
    per_question: dict[str, float]

    @property
    def agrees(self) -> bool:
        """Whether the stand-in surely agrees enough that its ranks carry over."""
        return self.questions >= ENOUGH and self.low is not None and self.low >= AGREES

    @property
    def sentence(self) -> str:
        """The share in words."""
        if self.mean is None:
            return f"{self.stand_in} cannot be compared: no chunk that came back has a known place"
        between = "" if self.low is None else f" ({self.low:.0%} to {self.high:.0%})"
        return (
            f"{self.stand_in} returns {self.mean:.0%}{between} of what really came back, within "
            f"as many chunks, over {self.questions} question{'s' * (self.questions != 1)}"
        )


@dataclass(frozen=True)
class CarryOver:
    """One sort of finding, and whether it holds for the real system."""

    finding: str
    holds: bool
    sentence: str


def usual_depth(placed: Sequence[PlacedEntry]) -> int:
    """How many chunks the real system mostly returns; at least 1."""
    counts = Counter(len(entry.chunks) for entry in placed if entry.chunks)
    return max(counts.items(), key=lambda item: (item[1], item[0]))[0] if counts else 1


def agreement(placed: Sequence[PlacedEntry], run: Evaluation, *, seed: int = 0) -> Agreement:
    """Compare what came back with a stand-in's run over the same questions.

    Args:
        placed: the log.
        run: a run over its questions, with a line each in the same order, retrieved as deep as
            the log's longest.
        seed: of the bootstrap.
    """
    shares: dict[str, float] = {}
    for entry, line in zip(placed, run.questions, strict=True):
        known = [chunk.place for chunk in entry.chunks if chunk.place is not None]
        if not known:
            continue
        mine = _ranges(run, line, len(entry.chunks))
        same = sum(
            any(place.span.overlap(span) >= _SAME * place.span.length for span in mine[place.doc])
            for place in known
            if place.doc in mine
        )
        shares[entry.entry.id] = same / len(known)
    values = np.array(list(shares.values()))
    interval = bootstrap_intervals({"share": values}, seed=seed).get("share")
    return Agreement(
        stand_in=run.configuration.retriever.kind,
        questions=len(shares),
        mean=float(values.mean()) if len(values) else None,
        low=None if interval is None else interval[0],
        high=None if interval is None else interval[1],
        per_question=shares,
    )


def _ranges(run: Evaluation, line: QuestionResult, depth: int) -> dict[str, list[Span]]:
    ranges: dict[str, list[Span]] = {}
    for entry in line.retrieved[:depth]:
        document = run.chunks.corpus.documents[int(run.chunks.documents[entry.chunk])].id
        ranges.setdefault(document, []).extend(run.chunks.spans(entry.chunk))
    return ranges


def carry_over(inference: Inference, found: Agreement) -> tuple[CarryOver, ...]:
    """Which findings of the stand-in's run hold for the real system."""
    known = inference.certainty != "unknown"
    cuts = (
        "cuts carry over: the chunks are those in use"
        if inference.certainty == "certain"
        else "cuts carry over as far as the chunks are those in use"
    )
    if found.agrees:
        ranks = f"ranks carry over: {found.sentence}"
    elif 0 < found.questions < ENOUGH:
        ranks = (
            f"ranks do not carry over: {found.sentence}, and under {ENOUGH} questions show too "
            "little"
        )
    elif found.low is not None:
        ranks = f"ranks do not carry over (below {AGREES:.0%} at the least): {found.sentence}"
    else:
        ranks = f"ranks do not carry over: {found.sentence}"
    seen = "cuts seen in the chunks that came back hold whatever the stand-in says"
    return (
        CarryOver("cuts of returned chunks", True, seen),
        CarryOver("cuts", known, cuts if known else "cuts are those of the configuration tried"),
        CarryOver("ranks", found.agrees, ranks),
    )
