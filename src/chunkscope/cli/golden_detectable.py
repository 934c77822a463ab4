"""The smallest difference that a golden set can detect, in words: for `validate` and `stats`."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from chunkscope.evaluation.statistics import RowComparison, compare_rows
from chunkscope.golden.wording import counted

DIFFER = 0.2
"""Share of questions on which two configurations are taken to differ, half of them each way."""

HOPED = 0.1
"""Difference in recall that a set should detect at the least."""

_FEWEST = 8
"""Of fewer, not two differ."""

_CHANGED = 6
"""Fewer questions that differ, all one way, are within chance."""

_EXAMPLE, _MANY = 40, 1000


@dataclass(frozen=True)
class Detectable:
    """What so many measured questions can tell.

    Attributes:
        measured: the questions.
        difference: the smallest difference in recall they detect, up to 1; None: none at all.
        questions_for: questions needed to detect each smaller difference, by difference.
    """

    measured: int
    difference: float | None
    questions_for: Mapping[float, int]

    def enough_for(self, difference: float) -> bool:
        """Whether they detect this difference."""
        return self.difference is not None and self.difference <= difference


def detectable(measured: int, hoped: float = HOPED) -> Detectable:
    """The smallest difference in recall that `measured` questions detect, and what `hoped` needs.

    Two configurations are taken to differ on `DIFFER` of the questions: 80 % power, 5 % level.
    """
    needed = dict(_compared(_EXAMPLE).questions_for)
    # The number grows with the square of what is to be seen.
    smallest = min(needed)
    scaled = math.ceil(needed[smallest] * (smallest / hoped) ** 2)
    needed.setdefault(hoped, max(scaled, math.ceil(_CHANGED / hoped), _FEWEST))
    difference = None
    if measured >= _FEWEST:
        size = min(measured, _MANY)
        own = _compared(size).detectable
        difference = None if own is None else min(1.0, own * math.sqrt(size / measured))
    more = {value: count for value, count in needed.items() if count > measured}
    return Detectable(measured, difference, dict(sorted(more.items(), reverse=True)))


def _compared(questions: int) -> RowComparison:
    values = np.zeros((questions, 2))
    changed = values[: round(DIFFER * questions), 1]
    changed[0::2], changed[1::2] = 1.0, -1.0
    return compare_rows(values)


def said(found: Detectable) -> str:
    """One sentence."""
    needs = ", ".join(f"{count:,} for {value:g}" for value, count in found.questions_for.items())
    needed = f"; questions needed: {needs}" if needs else ""
    if found.difference is None:
        asked = counted(found.measured, "measured question is", "measured questions are")
        return f"{asked} too few to tell configurations apart{needed}"
    return (
        f"{found.difference:.3f} in recall, if two configurations differ on {DIFFER:.0%} of the "
        f"questions{needed}"
    )
