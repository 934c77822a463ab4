"""The rows of the metrics table: A │ B │ Δ ± noise."""

from chunkscope.evaluation.results import Evaluation
from chunkscope.tui.session import Numbers
from chunkscope.tui.widgets.line_list import Cell, Column, Row

COLUMNS = (
    Column("", 14),
    Column("A", 5, right=True, role="a"),
    Column("B", 5, right=True, role="b"),
    Column("Δ B−A"),
)

_LESS_IS_BETTER = frozenset(
    {"context_tokens", "context_words", "split_rate", "redundancy", "distractors", "index_overhead"}
)
_WHOLE_NUMBERS = frozenset({"context_tokens", "context_words", "context_unique_tokens"})
_METRICS = (
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


def metric_rows(numbers: Numbers | None) -> list[Row]:
    """One row a metric, the deciding ones first; a value that is not measured is a dash."""
    if numbers is None:
        return []
    a, b = numbers.evaluations["A"], numbers.evaluations["B"]
    rows: list[Row] = []
    for name in _METRICS:
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


def metric_text(name: str, value: float | None) -> str:
    """A metric's value as printed."""
    if value is None:
        return "–"
    return f"{value:.0f}" if name in _WHOLE_NUMBERS else f"{value:.3f}"


def _metric_row(numbers: Numbers, name: str) -> Row:
    a = numbers.evaluations["A"].metrics.get(name)
    b = numbers.evaluations["B"].metrics.get(name)
    change, role = "", "dim"
    difference = numbers.differences.get(name)
    if difference is not None and a is not None and b is not None:
        # a difference must not be rounded away
        digits = 0 if name in _WHOLE_NUMBERS else 2 + (abs(difference.mean) < 0.01)
        mean = _signed(difference.mean, digits)
        half = (difference.high - difference.low) / 2
        if difference.mean == 0 and half == 0:
            change = "="
        elif numbers.evaluations["A"].counts.measured == 1:
            change = f"{mean} n=1"
        elif difference.noise:
            change = f"{mean} noise"
        else:
            better = (difference.mean > 0) != (name in _LESS_IS_BETTER)
            change, role = f"{mean} ±{half:.{digits}f}", "good" if better else "bad"
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
