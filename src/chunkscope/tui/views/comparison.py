"""The lines and rows of the Compare panel: what differs, what it costs, the steps between."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunkscope.evaluation.results import Evaluation
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.tui.literal import flattened
from chunkscope.tui.views.metrics import metric_text
from chunkscope.tui.views.status import splitter_text
from chunkscope.tui.widgets.line_list import Cell, Column, Row
from chunkscope.tui.widgets.one_line import Piece

if TYPE_CHECKING:
    from chunkscope.evaluation.compare import Comparison
    from chunkscope.evaluation.statistics import Difference

_LEAST_P, _CHANCE = 0.0005, 0.05

COLUMNS = (
    Column("", 4),
    Column("configuration"),
    Column("chunks", 6, right=True, role="dim"),
    Column("recall", 6, right=True),
    Column("coverage", 8, right=True),
    Column("context", 7, right=True),
)


def attribution(comparison: "Comparison") -> str:
    """What differs, and whether a difference of the numbers can be put down to it."""
    if not comparison.settings:
        return "A and B have the same settings"
    said = ", ".join(f"{change.key} {_plain(change.a)} → {_plain(change.b)}"
                     for change in comparison.settings)  # fmt: skip
    if comparison.attributable:
        return f"A → B: {said}; what differs comes of this one setting"
    return (
        f"A → B: {said}; {len(comparison.settings)} settings differ, so no difference can be put "
        "down to one of them: the steps below change one at a time (Enter takes one into B)"
    )


def migration_text(comparison: "Comparison") -> str:
    """What changing from A to B means for an index that holds A."""
    moved = comparison.migration
    return (
        f"an index of A moved to B: {moved.kept:,} chunks kept, {moved.changed:,} changed, "
        f"{moved.new:,} new, {moved.dropped:,} dropped; {moved.tokens_to_embed:,} tokens to embed"
    )


def recall_text(difference: "Difference") -> str:
    """What B changes in recall, its interval, and whether that is noise."""
    mean, low, high = (
        f"{value:+.3f}".replace("-", "−")
        for value in (difference.mean, difference.low, difference.high)
    )
    if difference.equivalent:
        word = "as good as the same"
    elif difference.noise:
        word = "noise: the interval holds 0"
    else:
        word = "beyond noise"
    return f"recall {mean} ({low} to {high}), {word}"


def hits_text(comparison: "Comparison") -> str:
    """Questions won and lost, and how likely chance does that."""
    hits = comparison.hits
    said = f"hits: {hits.gained} won, {hits.lost} lost"
    if not hits.gained + hits.lost:
        return said
    p = "p < 0.001" if hits.p < _LEAST_P else f"p {hits.p:.3f}"
    chance = "beyond chance" if hits.p < _CHANCE else "noise: chance does as much"
    return f"{said}, {p} ({chance})"


def comparison_lines(comparison: "Comparison") -> list[Piece]:
    """The sentences above the steps."""
    role = "" if comparison.attributable else "warn"
    recall = comparison.differences.get("recall")
    return [
        (f"{attribution(comparison)} ", role),
        (f"· {recall_text(recall)} " if recall is not None else "", "strong"),
        (f"· {hits_text(comparison)} ", "strong"),
        (f"· {migration_text(comparison)}", ""),
    ]


def step_rows(comparison: "Comparison", between: Sequence[Evaluation]) -> list[Row]:
    """A, each step, B: one row a run."""
    runs = [comparison.a, *between, comparison.b]
    names = ["A", *(f"{number}" for number in range(1, len(between) + 1)), "B"]
    rows: list[Row] = []
    for name, run in zip(names, runs, strict=True):
        role = {"A": "a", "B": "b"}.get(name, "dim")
        rows.append(
            (
                Cell(name, role),
                Cell(_label(run)),
                Cell(str(run.statistics.count)),
                Cell(metric_text("recall", run.metrics.get("recall"))),
                Cell(metric_text("coverage", run.metrics.get("coverage"))),
                Cell(metric_text("context_tokens", run.metrics.get("context_tokens"))),
            )
        )
    return rows


def _label(run: Evaluation) -> str:
    configuration = run.configuration
    retriever = configuration.retriever
    k = ",".join(str(cut) for cut in retriever.k)
    added = configuration.enrich.prefix
    prefix = "" if added == "none" else f" · prefix {added}"
    return flattened(f"{splitter_text(configuration)}{prefix} · {_ranked_by(retriever)} k {k}")


def _ranked_by(settings: RetrieverSettings) -> str:
    fused = f" of {' and '.join(settings.fuse)}" if settings.kind == "hybrid" else ""
    again = f", reranked by {settings.rerank}" if settings.rerank != "none" else ""
    return f"{settings.kind}{fused}{again}"


def _plain(value: object) -> str:
    text = flattened(repr(value) if isinstance(value, tuple) else str(value))
    return text if len(text) <= 40 else f"{text[:39]}…"
