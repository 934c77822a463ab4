"""Where a row of distances is cut, by the published rules of LangChain's SemanticChunker."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunkscope.splitting.chunks import IntArray

FloatArray = npt.NDArray[np.float64]


class BreakpointRule(NamedTuple):
    """A rule: the distances above its threshold are cut.

    Attributes:
        amount: what `breakpoint_amount` is when nothing is given.
        most: the largest amount it takes; None: there is none.
        threshold: what a value is held against, given all values and the amount.
        gradient: whether the values are the distances' gradient.
    """

    amount: float
    most: float | None
    threshold: Callable[[FloatArray, float], float]
    gradient: bool = False


def _percentile(values: FloatArray, amount: float) -> float:
    return float(np.percentile(values, amount))


def _standard_deviation(values: FloatArray, amount: float) -> float:
    return float(np.mean(values) + amount * np.std(values))


def _interquartile(values: FloatArray, amount: float) -> float:
    lower, upper = np.percentile(values, [25, 75])
    return float(np.mean(values) + amount * (upper - lower))


BREAKPOINT_RULES: Mapping[str, BreakpointRule] = MappingProxyType(
    {
        "percentile": BreakpointRule(95.0, 100.0, _percentile),
        "standard_deviation": BreakpointRule(3.0, None, _standard_deviation),
        "interquartile": BreakpointRule(1.5, None, _interquartile),
        "gradient": BreakpointRule(95.0, 100.0, _percentile, gradient=True),
    }
)


def break_places(distances: FloatArray, rule: BreakpointRule, amount: float) -> IntArray:
    """Numbers of the distances that are cut, ascending.

    Args:
        distances: between each sentence and the next, shape (n - 1,).
        rule: how the threshold is found.
        amount: its percentile or factor.
    """
    if not len(distances):
        return np.zeros(0, dtype=np.int64)
    if rule.gradient and len(distances) == 1:
        # One distance has no gradient; the published code parts the two sentences.
        return np.zeros(1, dtype=np.int64)
    values = np.gradient(distances) if rule.gradient else distances
    return np.flatnonzero(values > rule.threshold(values, amount))
