"""The sweep's table and its advice."""

from chunkscope.evaluation.noise import against_best, chunk_notes, tie_note
from chunkscope.evaluation.sweepresults import Sweep, SweepRow
from chunkscope.report.markup import element, listing, literal, number, row, table

_HEADINGS = (
    ("row", True), ("configuration", False), ("recall", True), ("95 % interval", False),
    ("said", False), ("tokens sent", True), ("luck", False), ("at budget", True),
    ("coverage", True), ("terms", True), ("chunks", True), ("index", True),
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
        number(metrics.get("recall")),
        "" if interval is None else f"{interval[0]:.2f} … {interval[1]:.2f}",
        literal("; ".join(_said(sweep, one, at))),
        number(metrics.get("context_tokens"), 0),
        "" if luck is None else f"{luck.mean:.2f} ({luck.low:.2f} … {luck.high:.2f})",
        number(metrics.get("recall_at_budget")),
        number(metrics.get("coverage")),
        number(metrics.get("term_coverage")),
        number(float(one.evaluation.statistics.count), 0),
        number(metrics.get("index_overhead"), 2),
    ]


def _said(sweep: Sweep, one: SweepRow, at: int) -> list[str]:
    said = [
        "the pick" if at == sweep.advice.pick else "",
        "" if one.same_as is None else f"same chunks as row {one.same_as + 1}",
        *chunk_notes(one),
        tie_note(one, " … "),
        against_best(sweep, at),
    ]
    return [sentence for sentence in said if sentence]
