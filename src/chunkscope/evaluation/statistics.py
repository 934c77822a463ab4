"""How sure a number is: paired bootstrap over questions, exact tests, what can be detected.

Resamples are drawn as counts: how often each question stands in a resample. One table of counts
serves every metric and every configuration, which is what makes them paired: the means of a
resample are counts @ values / n. Intervals are percentiles, widened for small sets as in
Hesterberg, "What Teachers Should Know About the Bootstrap" (2015), section 5.3; where few questions
differ they are widened further, see `statistics_rare`.
"""

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from chunkscope.evaluation.metrics import FloatArray
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.statistics_rare import widened_differences, widened_shares
from chunkscope.evaluation.student import t_quantile

Name = TypeVar("Name", bound=Hashable)

RESAMPLES = 10_000
EQUIVALENT = 0.02
"""Two means whose difference surely lies within it are called equivalent."""

LEVEL = 0.05
_POWER = 0.8
_BLOCK_CELLS = 1_000_000
_KEPT_CELLS = 12_000_000
_WIDE_CELLS = 5_000_000
"""Up to so many counts they are kept as the float32 that products need; beyond, as bytes."""
_DIGITS = 6
"""Replicates are summed in float32; ends of intervals are rounded to what that holds."""
_AMOUNT = "context_"
"""Metrics that count tokens or words begin with it; all others are shares."""

_FEWEST = 6
"""Fewer questions that differ cannot reach the level in an exact sign test: 2 · 0.5⁵ > 0.05."""

_Counts = npt.NDArray[np.uint8 | np.uint16 | np.float32]


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean paired difference of two runs, second less first.

    Attributes:
        mean: over the questions that have a value in both.
        low: lower end of its 95 % interval.
        high: upper end.
        noise: the interval contains 0.
        equivalent: the whole interval lies within 0.02 of 0.
    """

    mean: float
    low: float
    high: float
    noise: bool
    equivalent: bool = False


@dataclass(frozen=True, slots=True)
class McNemar:
    """Exact test on two yes-or-no outcomes of the same questions.

    Attributes:
        gained: questions that only the second has.
        lost: questions that only the first has.
        p: two-sided p-value; 1 when nothing differs.
    """

    gained: int
    lost: int
    p: float


@dataclass(frozen=True)
class RowComparison:
    """Configurations compared by one metric on the same questions.

    Attributes:
        best: the row with the highest mean, the first of several.
        p_best: share of resamples in which each row is best; ties are shared out.
        against_best: each row less the best row.
        ruled_out: rows worse than the best beyond chance, Holm-corrected over all pairs of rows:
            which row is best was seen in the same numbers.
        detectable: the smallest difference that these questions can detect, or None.
        questions_for: questions needed to detect each smaller difference, by difference.
    """

    best: int
    p_best: tuple[float, ...]
    against_best: tuple[Difference, ...]
    ruled_out: tuple[bool, ...]
    detectable: float | None
    questions_for: Mapping[float, int]


def draw_resamples(questions: int, seed: int) -> None:
    """Draw the resamples that the next intervals need, where they are few enough to be kept."""
    if 0 < questions * RESAMPLES <= _KEPT_CELLS:
        _all_counts(questions, seed)


def bootstrap_intervals(
    per_question: Mapping[Name, FloatArray], *, seed: int = 0
) -> dict[Name, tuple[float, float]]:
    """95 % interval of the mean of each metric; none for fewer than two questions.

    Questions without a value (NaN) are left out of each resample's mean.
    """
    names = [name for name, values in per_question.items() if np.sum(~np.isnan(values)) > 1]
    if not names:
        return {}
    columns, place = _distinct([per_question[name] for name in names])
    ends = _interval(columns, seed)
    shares = [np.round(end, _DIGITS)[place] for end in widened_shares(columns, *ends)]
    amounts = [np.round(end, _DIGITS)[place] for end in ends]
    found = {}
    for row, name in enumerate(names):
        # A context of no token at all is no share of anything: no bound at 1 to be near to.
        low, high = amounts if str(name).startswith(_AMOUNT) else shares
        found[name] = (float(low[row]), float(high[row]))
    return found


def paired_difference(a: Evaluation, b: Evaluation, metric: str, *, seed: int = 0) -> Difference:
    """How much `b` differs from `a` in one metric, question by question.

    Raises:
        KeyError: when a run has no such metric a question.
    """
    return paired_differences(a, b, [metric], seed=seed)[metric]


def paired_differences(
    a: Evaluation, b: Evaluation, metrics: Sequence[str], *, seed: int = 0
) -> dict[str, Difference]:
    """`paired_difference` for several metrics over the same resamples.

    Raises:
        KeyError: when a run has no such metric a question.
    """
    if not metrics:
        return {}
    values = [b.per_question[name] - a.per_question[name] for name in metrics]
    columns, place = _distinct(values)
    found = differences(columns, seed=seed)
    return {name: found[column] for name, column in zip(metrics, place.tolist(), strict=True)}


def differences(values: FloatArray, *, seed: int = 0) -> list[Difference]:
    """Mean difference of each column of `values` (questions x columns), with its interval.

    One question, or none, says nothing of others: its interval is everything that is possible.
    """
    columns = values.shape[1]
    there = ~np.isnan(values)
    counted = there.sum(axis=0)
    sums = np.where(there, values, 0.0).sum(axis=0)
    means = sums / np.maximum(counted, 1)
    low, high = np.full(columns, -np.inf), np.full(columns, np.inf)
    enough = counted > 1
    if enough.any():
        ends = widened_differences(values[:, enough], *_interval(values[:, enough], seed))
        low[enough], high[enough] = (np.round(end, _DIGITS) for end in ends)
    changed = (there & (values != 0)).sum(axis=0)
    few = (changed > 0) & (changed < _FEWEST)
    low = np.where(few, np.minimum(low, 0.0), low)
    high = np.where(few, np.maximum(high, 0.0), high)
    return [
        Difference(
            mean=float(mean),
            low=float(below),
            high=float(above),
            noise=bool(below <= 0 <= above),
            equivalent=bool(below >= -EQUIVALENT and above <= EQUIVALENT),
        )
        for mean, below, above in zip(means, low, high, strict=True)
    ]


def mcnemar(a: npt.NDArray[np.bool_], b: npt.NDArray[np.bool_]) -> McNemar:
    """Exact two-sided McNemar test on paired outcomes (binomial with one half)."""
    gained, lost = int(np.sum(b & ~a)), int(np.sum(a & ~b))
    return McNemar(gained, lost, binomial_p(gained, lost))


def binomial_p(first: int, second: int) -> float:
    """Two-sided exact p-value of `first` against `second`, both equally likely."""
    both = first + second
    tail = sum(math.comb(both, number) for number in range(min(first, second) + 1))
    # Whole numbers divide exactly even where a float could not hold them.
    return min(1.0, float(Fraction(2 * tail, 1 << both)))


def holm(p_values: Sequence[float], of: int = 0) -> list[float]:
    """Holm's step-down adjusted p-values, in the given order.

    Args:
        p_values: of the hypotheses tested.
        of: how many there are, where only some were looked at.
    """
    count = max(of, len(p_values))
    order = sorted(range(len(p_values)), key=lambda number: p_values[number])
    adjusted = [1.0] * len(p_values)
    reached = 0.0
    for position, number in enumerate(order):
        reached = max(reached, min(1.0, (count - position) * p_values[number]))
        adjusted[number] = reached
    return adjusted


def compare_rows(values: FloatArray, *, seed: int = 0) -> RowComparison:
    """Compare configurations; `values` is questions x rows of one metric, without NaN."""
    questions, rows = values.shape
    means = values.mean(axis=0)
    # Rows of one mean must not part over the last bit of a sum.
    best = int(np.argmax(np.round(means, 12)))
    against = values - values[:, [best]]
    replicates = _replicates(values, seed)
    top = np.round(replicates, _DIGITS) == np.round(replicates.max(axis=1), _DIGITS)[:, None]
    p_best = (top / top.sum(axis=1)[:, None]).mean(axis=0)
    others = [row for row in range(rows) if row != best]
    p_values = _bootstrap_p(against, seed)
    adjusted = holm([p_values[row] for row in others], of=rows * (rows - 1) // 2)
    ruled_out = [False] * rows
    for row, p in zip(others, adjusted, strict=True):
        ruled_out[row] = bool(p < LEVEL and means[row] < means[best])
    spread = _typical_spread(against)
    return RowComparison(
        best=best,
        p_best=tuple(p_best.tolist()),
        against_best=tuple(differences(against, seed=seed)),
        ruled_out=tuple(ruled_out),
        detectable=_detectable(spread, questions),
        questions_for=_questions_for(spread, questions),
    )


def _bootstrap_p(values: FloatArray, seed: int) -> list[float]:
    """Two-sided p-value of a mean of 0 of each column.

    Never 0, as no finite number of resamples shows that: beyond what they can show it is that of
    a normal mean. 1 where too few questions differ.
    """
    replicates = np.round(_replicates(values, seed), _DIGITS)
    below = np.count_nonzero(replicates <= 0, axis=0)
    above = np.count_nonzero(replicates >= 0, axis=0)
    p_values = np.minimum(1.0, 2 * (np.minimum(below, above) + 1) / (len(replicates) + 1))
    beyond = p_values <= 2 / (len(replicates) + 1)
    p_values = np.where(beyond, np.minimum(p_values, _normal_p(values)), p_values)
    few = np.count_nonzero(values, axis=0) < _FEWEST
    return [1.0 if rare else float(p) for p, rare in zip(p_values, few, strict=True)]


def _normal_p(values: FloatArray) -> FloatArray:
    """Two-sided p-value of a mean of 0 of each column, from its mean and standard error."""
    error = values.std(axis=0, ddof=1) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    mean = np.abs(values.mean(axis=0))
    # Columns of one value have no error; what they show is left to the resamples.
    ratio = np.divide(mean, error, out=np.zeros_like(mean), where=np.asarray(error) > 0)
    return np.array([math.erfc(float(value) / math.sqrt(2)) for value in ratio])


def _typical_spread(against: FloatArray) -> float | None:
    """Standard deviation of a paired difference: the median over rows that differ at all."""
    if len(against) < 2:
        return None
    spreads = against.std(axis=0, ddof=1)
    spreads = spreads[spreads > 0]
    return float(np.median(spreads)) if len(spreads) else None


def _detectable(spread: float | None, questions: int) -> float | None:
    """Smallest mean difference found with 80 % power at the 5 % level: z · sd / √n.

    Never less than `_FEWEST` questions that each change by 1 come to.
    """
    if spread is None:
        return None
    return max(_z() * spread / math.sqrt(questions), _FEWEST / questions)


def _questions_for(spread: float | None, questions: int) -> dict[float, int]:
    if spread is None:
        return {}
    wanted = (0.1, 0.05, EQUIVALENT)
    needed = {
        difference: math.ceil(max((_z() * spread / difference) ** 2, _FEWEST / difference))
        for difference in wanted
    }
    return {difference: number for difference, number in needed.items() if number > questions}


def _z() -> float:
    normal = NormalDist()
    return normal.inv_cdf(1 - LEVEL / 2) + normal.inv_cdf(_POWER)


def _distinct(columns: Sequence[FloatArray]) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """The different columns as one table, and the place of each given one in it."""
    numbers: dict[bytes, int] = {}
    place = [numbers.setdefault(column.tobytes(), len(numbers)) for column in columns]
    first = {number: position for position, number in reversed(list(enumerate(place)))}
    chosen = [columns[first[number]] for number in range(len(numbers))]
    return np.column_stack(chosen), np.array(place, np.int64)


def _interval(values: FloatArray, seed: int) -> tuple[FloatArray, FloatArray]:
    """Lower and upper end of the mean of each column, each (columns,)."""
    counted = (~np.isnan(values)).sum(axis=0)
    replicates = np.ascontiguousarray(_replicates(values, seed).T)
    low, high = np.empty(len(counted)), np.empty(len(counted))
    for number in np.unique(counted).tolist():
        same = counted == number
        tail = _tail(number)
        ends = np.quantile(replicates[same], [tail, 1 - tail], axis=1)
        low[same], high[same] = np.round(ends.astype(np.float64), _DIGITS)
    return low, high


def _replicates(values: FloatArray, seed: int) -> npt.NDArray[np.float32]:
    """The mean of each column in each resample: (resamples, columns)."""
    there = ~np.isnan(values)
    filled = np.where(there, values, 0.0).astype(np.float32)
    if there.all():
        return _weighted(filled, seed) / np.float32(len(values))
    shares = _weighted(there.astype(np.float32), seed)
    sums = _weighted(filled, seed)
    # A resample without any value of a column repeats the column's mean.
    means = filled.sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    return np.where(shares > 0, sums / np.maximum(shares, 1), means).astype(np.float32)


def _weighted(values: npt.NDArray[np.float32], seed: int) -> npt.NDArray[np.float32]:
    """Sum of each column in each resample: (resamples, columns)."""
    questions = len(values)
    if questions * RESAMPLES <= _KEPT_CELLS:
        kept = _all_counts(questions, seed)
        step = max(1, _BLOCK_CELLS // questions)
        blocks: Iterable[_Counts] = (
            kept[first : first + step] for first in range(0, RESAMPLES, step)
        )
    else:
        blocks = _count_blocks(questions, seed)
    return np.concatenate([counts.astype(np.float32, copy=False) @ values for counts in blocks])


@lru_cache(maxsize=1)
def _all_counts(questions: int, seed: int) -> _Counts:
    counts: _Counts = np.concatenate(list(_count_blocks(questions, seed)))
    if counts.size <= _WIDE_CELLS:
        counts = counts.astype(np.float32)
    counts.setflags(write=False)
    return counts


def _count_blocks(questions: int, seed: int) -> Iterator[_Counts]:
    """How often each question stands in each resample, block by block: (some, questions)."""
    generator = np.random.default_rng(seed)
    step = max(1, _BLOCK_CELLS // questions)
    for first in range(0, RESAMPLES, step):
        size = min(step, RESAMPLES - first)
        drawn = generator.integers(0, questions, (size, questions), dtype=np.int32)
        drawn += (np.arange(size, dtype=np.int32) * questions)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=size * questions)
        # A question stands in a resample about once; over 255 times, never in practice.
        narrow = np.uint8 if counts.max() < 256 else np.uint16
        yield counts.reshape(size, questions).astype(narrow)


@lru_cache(maxsize=256)
def _tail(questions: int) -> float:
    """Share of resamples outside each end of a 95 % interval, smaller for small sets."""
    freedom = questions - 1
    widened = math.sqrt(questions / freedom) * t_quantile(1 - LEVEL / 2, freedom)
    return NormalDist().cdf(-widened)
