"""The rows of the Sweep panel and the points of its plot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.tweaking import differing
from chunkscope.tui.views.metrics import metric_text
from chunkscope.tui.widgets.heat_map import HeatCell
from chunkscope.tui.widgets.line_list import Cell, Column, Row

if TYPE_CHECKING:
    from chunkscope.evaluation.sweep import Sweep, SweepRow

COLUMNS = (
    Column("", 1),
    Column("size", 5, right=True),
    Column("overlap", 7, right=True),
    Column("chunks", 6, right=True, role="dim"),
    Column("recall", 6, right=True),
    Column("at budget", 9, right=True),
    Column("coverage", 8, right=True),
    Column("context", 7, right=True),
    Column("note"),
)


@dataclass(frozen=True, slots=True)
class Point:
    """One row in the plot; None where nothing is measured."""

    label: str
    recall: float | None
    coverage: float | None
    context: float | None
    advised: bool
    same: bool = False


def sweep_rows(
    rows: Sequence["SweepRow"],
    pick: Configuration | None,
    *,
    told: Mapping[int, str] | None = None,
    ascii_marks: bool = False,
) -> list[Row]:
    """One line a row; the advised one carries a mark; `told`: how each stands to the best."""
    mark, told = "*" if ascii_marks else "◆", told or {}
    return [
        _sweep_row(row, rows, pick, mark, told.get(number, "")) for number, row in enumerate(rows)
    ]


def told_apart(sweep: "Sweep") -> dict[int, str]:
    """For each row compared, and those with its chunks, how its recall stands to the best.

    Worse: beyond chance, Holm-corrected; as good: within 0.02; only noise: neither.
    """
    comparison = sweep.comparison
    if comparison is None:
        return {}
    said: dict[int, str] = {}
    for place, number in enumerate(sweep.compared):
        difference = comparison.against_best[place]
        if place == comparison.best:
            said[number] = "best recall"
        elif comparison.ruled_out[place]:
            said[number] = "worse"
        elif difference.equivalent:
            said[number] = "as good"
        else:
            said[number] = "only noise"
    for number, row in enumerate(sweep.rows):
        if row.same_as in said and number not in said:
            said[number] = said[row.same_as]
    return said


def older_reason(then: Configuration, now: Configuration) -> str:
    """Why rows swept from `then` are not of `now`: the settings that no sweep varies; or empty."""
    splitter = replace(now.splitter, size=then.splitter.size, overlap=then.splitter.overlap)
    names = differing(then, replace(now, splitter=splitter))
    return f"A has another {', '.join(names).replace('_', ' ')} now" if names else ""


def _sweep_row(
    row: "SweepRow",
    rows: Sequence["SweepRow"],
    pick: Configuration | None,
    mark: str,
    told: str,
) -> Row:
    splitter = row.evaluation.configuration.splitter
    metrics = row.evaluation.metrics
    advised = row.evaluation.configuration == pick
    notes = [told] if told else []
    notes += ["advised: Enter takes it into B"] if advised else []
    if row.same_as is not None and row.same_as < len(rows):
        other = rows[row.same_as].evaluation.configuration.splitter
        notes.append(f"same chunks as {other.size}/{other.overlap_size}")
    if row.luck is not None:
        notes.append(f"{row.luck.low:.2f}–{row.luck.high:.2f} over phases")
    if row.saturated:
        notes.append("saturated")
    if row.one_chunk:
        notes.append("one chunk a document")
    role = "strong" if advised else ""
    return (
        Cell(mark if advised else "", "good"),
        Cell(str(splitter.size), role),
        Cell(str(splitter.overlap_size), role),
        Cell(str(row.evaluation.statistics.count)),
        Cell(metric_text("recall", metrics.get("recall")), role),
        Cell(metric_text("recall", metrics.get("recall_at_budget"))),
        Cell(metric_text("coverage", metrics.get("coverage"))),
        Cell(metric_text("context_tokens", metrics.get("context_tokens"))),
        Cell(" · ".join(notes), "good" if advised else "dim"),
    )


def sweep_points(rows: Sequence["SweepRow"], pick: Configuration | None) -> list[Point]:
    """One point a row, in the table's order."""
    points = []
    for row in rows:
        splitter = row.evaluation.configuration.splitter
        metrics = row.evaluation.metrics
        points.append(
            Point(
                f"{splitter.size}",
                metrics.get("recall"),
                metrics.get("coverage"),
                metrics.get("context_tokens"),
                row.evaluation.configuration == pick,
                row.same_as is not None,
            )
        )
    return points


def heat_cells(
    rows: Sequence["SweepRow"],
    pick: Configuration | None,
    planned: Sequence[tuple[int, str]] = (),
) -> list[HeatCell]:
    """One cell a row, in the table's order, then those that are planned and not measured yet."""
    cells = [
        HeatCell(
            row.configuration.splitter.size,
            str(row.configuration.splitter.overlap),
            row.evaluation.metrics.get("recall"),
            row.configuration == pick,
        )
        for row in rows
    ]
    known = {(cell.size, cell.overlap) for cell in cells}
    return cells + [
        HeatCell(size, overlap, None, advised=False, pending=True)
        for size, overlap in planned
        if (size, overlap) not in known
    ]
