"""The rows of the metrics table: A │ B │ Δ ± noise."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunkscope.evaluation.results import Evaluation
from chunkscope.tui.session import VARIANTS, Numbers
from chunkscope.tui.widgets.line_list import Cell, Column, Row

if TYPE_CHECKING:
    from chunkscope.evaluation.statistics import Difference
    from chunkscope.tui.baseline import Baseline

WIDE_METRICS = 54
"""Cells across from which the values stand beside their differences to the baseline."""

COLUMNS = (
    Column("", 15),
    Column("A", 5, right=True, role="a"),
    Column("B", 5, right=True, role="b"),
    Column("Δ B−A"),
)

_NARROW = Column("", 13, middle=True)
_LESS_IS_BETTER = frozenset(
    {"context_tokens", "context_words", "split_rate", "redundancy", "distractors", "index_overhead"}
)
_WHOLE_NUMBERS = frozenset({"context_tokens", "context_words", "context_unique_tokens"})
METRICS = (
    "recall",
    "coverage",
    "context_tokens",
    "split_rate",
    "mrr",
    "full_recall",
    "term_coverage",
    "joint_recall",
    "hit_rate",
    "ndcg",
    "precision",
    "iou",
    "precision_omega",
    "redundancy",
    "distractors",
    "index_overhead",
    "edge_cuts",
    "recall_at_budget",
)


def metric_columns(baseline: "Baseline | None", *, wide: bool) -> tuple[Column, ...]:
    """The table's columns; with a baseline P, what A and B differ from it by."""
    if baseline is None:
        return COLUMNS
    changes = (Column("A−P"), Column("B−P"))
    if not wide:
        return (_NARROW, *changes)
    return (_NARROW, Column("P", 5, right=True), *COLUMNS[1:3], *changes)


def metric_rows(
    numbers: Numbers | None, baseline: "Baseline | None" = None, *, wide: bool = False
) -> list[Row]:
    """One row a metric, the deciding ones first; a value that is not measured is a dash."""
    if numbers is None:
        return []
    if baseline is not None:
        return _pinned_rows(numbers, baseline, wide=wide)
    a, b = numbers.evaluations["A"], numbers.evaluations["B"]
    rows: list[Row] = []
    for name in METRICS:
        if name in a.metrics or name in b.metrics:
            rows.append(_metric_row(numbers, name))
        if name == "context_tokens":
            rows.append(_count_row("chunks", a.statistics.count, b.statistics.count))
    rows += [
        _count_row("oversize", a.statistics.oversize, b.statistics.oversize),
        _count_row("altered", a.statistics.altered, b.statistics.altered),
        _count_row("in no chunk", _uncovered(a), _uncovered(b)),
        _count_row("tokens indexed", a.statistics.total_tokens, b.statistics.total_tokens),
    ]
    return rows


def _pinned_rows(numbers: Numbers, baseline: "Baseline", *, wide: bool) -> list[Row]:
    runs = [numbers.evaluations[variant] for variant in VARIANTS]
    rows: list[Row] = []
    for name in METRICS:
        if not any(name in run.metrics for run in runs):
            continue
        values = [baseline.metrics.get(name), *(run.metrics.get(name) for run in runs)]
        changes = [
            difference_of(name, numbers.against.get(variant, {}).get(name)) for variant in VARIANTS
        ]
        rows.append(
            (
                Cell(name.replace("_", " ")),
                *(Cell(metric_text(name, value)) for value in values if wide),
                *(Cell(change, role) for change, role in changes),
            )
        )
        if name == "context_tokens":
            rows.append(_pinned_counts(baseline, [run.statistics.count for run in runs], wide=wide))
    return rows


def _pinned_counts(baseline: "Baseline", counts: Sequence[int], *, wide: bool) -> Row:
    before = baseline.chunks
    changes = ["=" if count == before else _signed(count - before, 0) for count in counts]
    shown = [_short(count) for count in (before, *counts)] if wide else []
    return (Cell("chunks"), *map(Cell, shown), *(Cell(change, "dim") for change in changes))


def difference_of(name: str, difference: "Difference | None", measured: int = 2) -> tuple[str, str]:
    """A difference with its noise, in words where it is noise; and the role of that word."""
    if difference is None:
        return "", "dim"
    # a difference must not be rounded away
    digits = 0 if name in _WHOLE_NUMBERS else 2 + (abs(difference.mean) < 0.01)
    mean = _signed(difference.mean, digits)
    half = (difference.high - difference.low) / 2
    if difference.mean == 0 and half == 0:
        return "=", "dim"
    if measured == 1 or not math.isfinite(half):
        return f"{mean} n=1", "dim"
    if difference.noise:
        return f"{mean} noise", "dim"
    better = (difference.mean > 0) != (name in _LESS_IS_BETTER)
    return f"{mean} ±{half:.{digits}f}", "good" if better else "bad"


def metric_text(name: str, value: float | None) -> str:
    """A metric's value as printed."""
    if value is None:
        return "–"
    return f"{value:.0f}" if name in _WHOLE_NUMBERS else f"{value:.3f}"


def _metric_row(numbers: Numbers, name: str) -> Row:
    a = numbers.evaluations["A"].metrics.get(name)
    b = numbers.evaluations["B"].metrics.get(name)
    change, role = "", "dim"
    if a is not None and b is not None:
        measured = numbers.evaluations["A"].counts.measured
        change, role = difference_of(name, numbers.differences.get(name), measured)
    label = name.replace("_", " ")
    return (Cell(label), Cell(metric_text(name, a)), Cell(metric_text(name, b)), Cell(change, role))


def _count_row(label: str, a: int, b: int) -> Row:
    change = "=" if a == b else _signed(b - a, 0)
    return (Cell(label), Cell(_short(a)), Cell(_short(b)), Cell(change, "dim"))


def _short(count: int) -> str:
    if count < 100_000:
        return str(count)
    return f"{count / 1000:.0f}k" if count < 10_000_000 else f"{count / 1_000_000:.0f}M"


def _signed(value: float, digits: int) -> str:
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return text
    return f"{'+' if value > 0 else '−'}{text}"


def _uncovered(evaluation: Evaluation) -> int:
    return evaluation.statistics.uncovered_characters
