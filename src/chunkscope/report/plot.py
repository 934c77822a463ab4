"""The sweep as a picture: recall with its interval, and what it costs, row by row; inline SVG."""

from collections.abc import Sequence

from chunkscope.evaluation.sweepresults import Sweep, SweepRow
from chunkscope.report.markup import literal

_WIDTH, _LEAST, _MOST = 760, 40, 90
_LEFT, _RIGHT, _TOP = 56, 16, 34
_RECALL, _GAP, _COST = 220, 34, 90
_LABELS = 20
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def sweep_plot(sweep: Sweep) -> str:
    """A figure; empty where nothing was measured.

    Above: recall of each row with its 95 % interval, and coverage; below: tokens sent a
    question. Rows bear the numbers that the table gives them.
    """
    rows = sweep.rows
    if not rows or sweep.comparison is None:
        return ""
    step = min(_MOST, max(_LEAST, _WIDTH // len(rows)))
    width = _LEFT + step * len(rows) + _RIGHT
    height = _TOP + _RECALL + _GAP + _COST + _LABELS
    parts = [_grid(width)]
    most = max((_metric(row, "context_tokens") or 0.0 for row in rows), default=0.0) or 1.0
    for at, one in enumerate(rows):
        x = _LEFT + step * (at + 0.5)
        parts.append(_row(one, x, at, picked=at == sweep.advice.pick, most=most))
    parts.append(_captions(most))
    return (
        '<figure><div class="scroll" tabindex="0" role="region" aria-label="plot of the sweep">'
        f'<svg class="plot" role="img" aria-labelledby="plot-title plot-text" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f'<title id="plot-title">Recall and cost of each row</title>'
        f'<desc id="plot-text">{literal(_described(sweep))}</desc>'
        f"{''.join(parts)}</svg></div>"
        "<figcaption>● recall with its 95 % interval · ◇ coverage · ▮ tokens sent a question; "
        "the numbers are those of the table's rows, the ringed one is the pick. Intervals that "
        "overlap much are noise; the table says which rows are ruled out.</figcaption></figure>"
    )


def _described(sweep: Sweep) -> str:
    said = []
    for at, one in enumerate(sweep.rows, start=1):
        low, high = one.evaluation.intervals.get("recall", (None, None))
        between = "" if low is None or high is None else f" ({low:.2f} to {high:.2f})"
        said.append(f"row {at}, {one.label}: recall {_shown(_metric(one, 'recall'))}{between}")
    return "; ".join(said)


def _shown(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.2f}"


def _metric(one: SweepRow, name: str) -> float | None:
    return one.evaluation.metrics.get(name)


def _y(value: float) -> float:
    return round(_TOP + _RECALL * (1 - min(1.0, max(0.0, value))), 1)


def _grid(width: int) -> str:
    lines = []
    for tick in _TICKS:
        y = _y(tick)
        lines.append(f'<line class="grid" x1="{_LEFT}" x2="{width - _RIGHT}" y1="{y}" y2="{y}"/>')
        lines.append(f'<text class="tick" x="{_LEFT - 8}" y="{y + 4}">{tick:.2f}</text>')
    base = _TOP + _RECALL + _GAP + _COST
    lines.append(f'<line class="axis" x1="{_LEFT}" x2="{width - _RIGHT}" y1="{base}" y2="{base}"/>')
    return "".join(lines)


def _row(one: SweepRow, x: float, at: int, *, picked: bool, most: float) -> str:
    parts = []
    recall, coverage = _metric(one, "recall"), _metric(one, "coverage")
    interval = one.evaluation.intervals.get("recall")
    if interval is not None:
        low, high = (_y(end) for end in interval)
        parts.append(f'<line class="error" x1="{x}" x2="{x}" y1="{low}" y2="{high}"/>')
        parts += [
            f'<line class="error" x1="{x - 5}" x2="{x + 5}" y1="{end}" y2="{end}"/>'
            for end in (low, high)
        ]
    if coverage is not None:
        y = _y(coverage)
        points = _points([(x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y)])
        parts.append(f'<polygon class="coverage" points="{points}"/>')
    if recall is not None:
        y = _y(recall)
        parts.append(f'<circle class="recall" cx="{x}" cy="{y}" r="5"/>')
        if picked:
            parts.append(f'<circle class="ring" cx="{x}" cy="{y}" r="10"/>')
    base = _TOP + _RECALL + _GAP + _COST
    tall = round(_COST * (_metric(one, "context_tokens") or 0.0) / most, 1)
    css = "cost saturated" if one.saturated else "cost"
    parts.append(f'<rect class="{css}" x="{x - 9}" y="{base - tall}" width="18" height="{tall}"/>')
    weight = "label pick" if picked else "label"
    parts.append(f'<text class="{weight}" x="{x}" y="{base + 15}">{at + 1}</text>')
    named = literal(f"{at + 1}: {one.label}")
    return f"<g><title>{named}</title>{''.join(parts)}</g>"


def _captions(most: float) -> str:
    top = _TOP + _RECALL + _GAP
    return (
        f'<text class="tick start" x="4" y="{_TOP - 18}">recall, coverage</text>'
        f'<text class="tick start" x="4" y="{top - 8}">tokens sent, up to {most:,.0f}</text>'
    )


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{round(x, 1)},{round(y, 1)}" for x, y in points)
