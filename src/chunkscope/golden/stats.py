"""What a golden set consists of, in numbers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chunkscope.golden.model import LocatedQuestion

QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class GoldenStatistics:
    """Counts of a located golden set.

    Attributes:
        questions: all of them; `measured`, `unmeasured` and `unanswerable` add up to it.
        measured: questions whose every evidence item has a place.
        unmeasured: questions with an item that was not found.
        unanswerable: questions without evidence.
        evidence: evidence items of all questions.
        ambiguous: items found several times with no offset to decide.
        drifted: items whose offsets held other text.
        types: questions by type; those without one under the empty text.
        documents: questions by document.
        tiers: items by the tier of their first place.
        lengths: evidence lengths in code points at `QUANTILES`; empty without evidence.
    """

    questions: int
    measured: int
    unmeasured: int
    unanswerable: int
    evidence: int
    ambiguous: int
    drifted: int
    types: Mapping[str, int]
    documents: Mapping[str, int]
    tiers: Mapping[str, int]
    lengths: tuple[float, ...]


def golden_statistics(located: Sequence[LocatedQuestion]) -> GoldenStatistics:
    """Counts of a located golden set."""
    items = [item for one in located for item in one.items]
    measured = sum(one.measured for one in located)
    unanswerable = sum(one.unanswerable for one in located)
    lengths = [len(item.evidence.text) for item in items]
    return GoldenStatistics(
        questions=len(located),
        measured=measured,
        unmeasured=len(located) - measured - unanswerable,
        unanswerable=unanswerable,
        evidence=len(items),
        ambiguous=sum(item.ambiguous for item in items),
        drifted=sum(item.drifted for item in items),
        types=dict(Counter(one.question.type or "" for one in located)),
        documents=dict(Counter(one.question.doc for one in located)),
        tiers=dict(Counter(item.places[0].tier for item in items if item.places)),
        lengths=tuple(float(value) for value in np.quantile(lengths, QUANTILES)) if lengths else (),
    )
