"""The rows of the Sweep panel and the points of its plot."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.views.metrics import metric_text
from chunkscope.tui.widgets.line_list import Cell, Column, Row

if TYPE_CHECKING:
    from chunkscope.evaluation.sweep import SweepRow

COLUMNS = (
    Column("", 2),
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
    rows: Sequence["SweepRow"], pick: Configuration | None, *, ascii_marks: bool = False
) -> list[Row]:
    """One line a row; the advised one carries a mark."""
    return [_sweep_row(row, rows, pick, "*" if ascii_marks else "◆") for row in rows]


def _sweep_row(
    row: "SweepRow", rows: Sequence["SweepRow"], pick: Configuration | None, mark: str
) -> Row:
    splitter = row.evaluation.configuration.splitter
    metrics = row.evaluation.metrics
    advised = row.evaluation.configuration == pick
    notes = ["advised: Enter takes it into B"] if advised else []
    if row.same_as is not None and row.same_as < len(rows):
        other = rows[row.same_as].evaluation.configuration.splitter
        notes.append(f"same chunks as {other.size}/{other.overlap_size}")
    if row.luck is not None:
        notes.append(f"luck {row.luck.low:.2f}–{row.luck.high:.2f}")
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


def parse_sizes(text: str) -> tuple[int, ...]:
    """Sizes from `64,128,256` or `64..256:32`.

    Raises:
        InputError: when they are not whole numbers from 1 up.
    """
    sizes: list[int] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        sizes += _range(part) if ".." in part else [_size(part)]
    if not sizes:
        raise InputError("sizes: give some, such as 128,256,512 or 64..512:64")
    return tuple(dict.fromkeys(sizes))


def parse_overlaps(text: str) -> tuple[int | str, ...]:
    """Overlaps from `0,10%,32`.

    Raises:
        InputError: when one is neither a whole number nor a percentage.
    """
    overlaps: list[int | str] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        number = part.removesuffix("%")
        if not (number.isascii() and number.replace(".", "", 1).isdigit()):
            raise InputError(f"overlaps: {part} is neither a number nor a percentage")
        overlaps.append(part if part.endswith("%") else _size(part, least=0))
    if not overlaps:
        raise InputError("overlaps: give some, such as 0,10%")
    return tuple(dict.fromkeys(overlaps))


def _range(part: str) -> list[int]:
    low, _, rest = part.partition("..")
    high, _, step = rest.partition(":")
    sizes = range(_size(low), _size(high) + 1, _size(step) if step else 1)
    if len(sizes) > 1000:
        raise InputError(f"sizes: {part} is {len(sizes)} sizes; give a larger step")
    return list(sizes)


def _size(part: str, *, least: int = 1) -> int:
    part = part.strip()
    if not (part.isascii() and part.isdigit()) or int(part) < least:
        raise InputError(f"sizes: {part or 'nothing'} is not a whole number from {least} up")
    return int(part)
