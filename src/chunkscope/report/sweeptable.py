"""The sweep's table and its advice."""

from chunkscope.evaluation.advice import boundaries_cut
from chunkscope.evaluation.sweepresults import Sweep, SweepRow
from chunkscope.report.markup import element, listing, literal, number, row, table

_HEADINGS = (
    ("row", True), ("configuration", False), ("chunks", True), ("recall", True),
    ("95 % interval", False), ("luck", False), ("at budget", True), ("coverage", True),
    ("terms", True), ("tokens sent", True), ("index", True), ("said", False),
)  # fmt: skip
_NUMBERS = tuple(numeric for _heading, numeric in _HEADINGS)


def advice_section(sweep: Sweep) -> str:
    """The pick, why, and every rule that fired."""
    advice = sweep.advice
    parts = [element("p", literal(reason), "reason") for reason in advice.reasons]
    parts.append(listing(rule.sentence for rule in advice.rules))
    if sweep.recall_budget is not None:
        budget = f"recall at budget: chunks taken up to {sweep.recall_budget:,} tokens"
        parts.append(element("p", literal(budget), "quiet"))
    return "".join(parts)


def sweep_table(sweep: Sweep) -> str:
    """Every row, the pick marked, what is noise said in words."""
    rows = [
        row(
            _cells(sweep, one, at),
            numbers=_NUMBERS,
            attributes=' class="picked"' if at == sweep.advice.pick else "",
        )
        for at, one in enumerate(sweep.rows)
    ]
    skipped = listing(
        f"skipped {left.configuration.label_with(sweep.varied)}: {left.reason}"
        for left in sweep.skipped
    )
    caption = "The sweep: recall is span recall at the first k, sent is what a question costs"
    return table(caption, _HEADINGS, rows, "sweep") + skipped


def _cells(sweep: Sweep, one: SweepRow, at: int) -> list[str]:
    metrics, luck = one.evaluation.metrics, one.luck
    interval = one.evaluation.intervals.get("recall")
    return [
        f"{at + 1}{' ▸' if at == sweep.advice.pick else ''}",
        literal(one.label),
        number(float(one.evaluation.statistics.count), 0),
        number(metrics.get("recall")),
        "" if interval is None else f"{interval[0]:.2f} … {interval[1]:.2f}",
        "" if luck is None else f"{luck.mean:.2f} ({luck.low:.2f} … {luck.high:.2f})",
        number(metrics.get("recall_at_budget")),
        number(metrics.get("coverage")),
        number(metrics.get("term_coverage")),
        number(metrics.get("context_tokens"), 0),
        number(metrics.get("index_overhead"), 2),
        literal("; ".join(_said(sweep, one, at))),
    ]


def _said(sweep: Sweep, one: SweepRow, at: int) -> list[str]:
    said = []
    if at == sweep.advice.pick:
        said.append("the pick")
    if one.same_as is not None:
        said.append(f"same chunks as row {one.same_as + 1}")
    if one.saturated:
        said.append("saturated")
    if one.one_chunk:
        said.append("one chunk a document")
    if boundaries_cut(one):
        said.append("boundaries cut")
    low, high = one.evaluation.recall_range
    if low is not None and high is not None and low != high:
        said.append(f"ties: {low:.3f} … {high:.3f}")
    representative = at if one.same_as is None else one.same_as
    if sweep.comparison is not None and representative in sweep.compared:
        said.append(_against_best(sweep, sweep.compared.index(representative)))
    return said


def _against_best(sweep: Sweep, place: int) -> str:
    comparison = sweep.comparison
    assert comparison is not None
    if place == comparison.best:
        return "best recall"
    if comparison.ruled_out[place]:
        return "worse than the best beyond noise"
    found = comparison.against_best[place]
    return "as good as the best" if found.equivalent else "less than the best by noise"
