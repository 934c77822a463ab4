"""Which row of a sweep to take, and why: each rule names the numbers that fired it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chunkscope.evaluation.advice_semantic import semantic_rule
from chunkscope.evaluation.metrics import FloatArray
from chunkscope.evaluation.statistics import EQUIVALENT, Difference, RowComparison, differences
from chunkscope.evaluation.sweepresults import Advice, Rule, SweepRow

ENOUGH_QUESTIONS = 50
_BOUNDARY_GAP = 0.15
_TYPE_QUESTIONS = 10
_EXACT = 1e-9


def advise(
    rows: Sequence[SweepRow], comparison: RowComparison | None, compared: Sequence[int]
) -> Advice:
    """The cheapest row that is as good as the best one, and what else the numbers say.

    Args:
        rows: the sweep's rows.
        comparison: the rows of `compared`, compared by the recall they are judged by.
        compared: numbers of the rows in it, each chunk set once.
    """
    if comparison is None:
        return Advice(None, ("nothing was measured: no question has its evidence in the corpus",))
    said = _said_instead(rows, compared)
    allowed = [number for number in compared if _pickable(rows[number])]
    allowed, semantic = semantic_rule(rows, allowed)
    said += semantic
    questions = len(rows[compared[0]].evaluation.measured)
    pick = _pick(rows, allowed) if allowed else None
    rules = [*said, *_spread_rules(rows, comparison, compared)]
    if pick is not None:
        rules += _pick_rules(rows, pick)
    provisional = questions < ENOUGH_QUESTIONS
    if provisional:
        rules.append(_provisional(questions))
    return Advice(
        pick=pick,
        reasons=_reasons(rows, pick, said),
        rules=tuple(rules),
        provisional=provisional,
    )


def _pickable(row: SweepRow) -> bool:
    return not (row.saturated or row.one_chunk)


def _recall(row: SweepRow) -> float:
    return row.recall or 0.0


def _number(row: SweepRow, name: str) -> float:
    return row.evaluation.metrics.get(name) or 0.0


def _label(row: SweepRow) -> str:
    return row.label


def recall_difference(row: SweepRow, other: SweepRow) -> Difference:
    """`row` less `other` in the recall they are judged by, over the same questions."""
    values = row.judged_recall - other.judged_recall
    return differences(values[:, None])[0]


def _pick(rows: Sequence[SweepRow], allowed: Sequence[int]) -> int:
    """The cheapest of the allowed rows within 0.02 of the best and not worse beyond noise."""
    values = np.column_stack([rows[number].judged_recall for number in allowed])
    return allowed[cheapest_good(values, [cost_of(rows[number]) for number in allowed])]


def cost_of(row: SweepRow) -> tuple[float, float]:
    """What a row costs, to be compared: tokens sent a question, then tokens indexed."""
    return _number(row, "context_tokens"), float(row.evaluation.statistics.total_tokens)


def cheapest_good(
    values: FloatArray, costs: Sequence[tuple[float, float]], *, seed: int = 0
) -> int:
    """The cheapest column within 0.02 of the best mean and not worse beyond noise.

    Args:
        values: recall, questions x columns.
        costs: what each column costs.
        seed: of the bootstrap.
    """
    means = values.mean(axis=0)
    best = int(np.argmax(np.round(means, 9)))
    near = np.flatnonzero(means >= means[best] - EQUIVALENT - _EXACT).tolist()
    against = differences(values[:, near] - values[:, [best]], seed=seed)
    good = [
        column
        for column, difference in zip(near, against, strict=True)
        if column == best or not difference.high < 0
    ]
    return min(good, key=lambda column: (*costs[column], column))


def _said_instead(rows: Sequence[SweepRow], compared: Sequence[int]) -> list[Rule]:
    """Rows that are said, not ranked."""
    said: list[Rule] = []
    single = [number for number in compared if rows[number].one_chunk]
    if single:
        which = "in every row" if len(single) == len(compared) else f"in {_named(rows, single)}"
        said.append(
            Rule(
                "one chunk a document",
                f"one chunk a document {which}: whole documents are ranked there, and size says "
                "nothing",
                {"rows": len(single)},
            )
        )
    saturated = [number for number in compared if rows[number].saturated]
    if saturated:
        least = min(_number(rows[number], "context_tokens") for number in saturated)
        which = "every row" if len(saturated) == len(compared) else _named(rows, saturated)
        each = "each" if len(saturated) > 1 else "it"
        said.append(
            Rule(
                "saturated",
                f"saturated: {which}; {each} sends over a third of the corpus ({least:.0f} tokens "
                "or more a question) and is never picked",
                {"rows": len(saturated), "context_tokens": least},
            )
        )
    folded = [number for number, row in enumerate(rows) if row.same_as is not None]
    if folded:
        pairs = ", ".join(
            f"{_label(rows[number])} as {_label(rows[rows[number].same_as or 0])}"
            for number in folded[:3]
        )
        more = f" and {len(folded) - 3} more" if len(folded) > 3 else ""
        said.append(
            Rule(
                "identical chunk sets",
                f"identical chunk sets, ranked once: {pairs}{more}",
                {"rows": len(folded)},
            )
        )
    return said


def _named(rows: Sequence[SweepRow], numbers: Sequence[int]) -> str:
    shown = ", ".join(_label(rows[number]) for number in numbers[:3])
    return shown if len(numbers) <= 3 else f"{shown} and {len(numbers) - 3} more"


def _spread_rules(
    rows: Sequence[SweepRow], comparison: RowComparison, compared: Sequence[int]
) -> list[Rule]:
    if len(compared) < 2:
        return []
    found: list[Rule] = []
    best = compared[comparison.best]
    worst = min(compared, key=lambda number: _recall(rows[number]))
    if not any(comparison.ruled_out):
        found.append(_noise_rule(rows, best, worst, comparison.detectable))
    if comparison.detectable is not None:
        needed = "; ".join(
            f"{difference:.2f} would need {count:,} questions"
            for difference, count in comparison.questions_for.items()
        )
        said = f"these questions can detect a difference of {comparison.detectable:.3f} in recall"
        if comparison.detectable >= 1:
            said = "these questions are too few to detect any difference in recall"
        found.append(
            Rule(
                "smallest detectable difference",
                said + (f"; {needed}" if needed else ""),
                {"detectable": comparison.detectable},
            )
        )
    return found


def _noise_rule(rows: Sequence[SweepRow], best: int, worst: int, detectable: float | None) -> Rule:
    low, high = _recall(rows[worst]), _recall(rows[best])
    seen = f"no row differs beyond noise (recall {low:.2f} to {high:.2f})"
    if detectable is not None and EQUIVALENT < high - low < detectable:
        sentence = f"{seen}, but neither could these questions show a difference of that size"
    else:
        sentence = f"{seen}: chunking is not your problem"
    return Rule("no row differs beyond noise", sentence, {"lowest": low, "highest": high})


def _pick_rules(rows: Sequence[SweepRow], pick: int) -> list[Rule]:
    found = [
        _luck_rule(rows[pick]),
        _edge_rule(rows, pick),
        _budget_rule(rows, pick),
        _boundary_rule(rows[pick]),
        _overlap_rule(rows, pick),
        _prefix_rule(rows, pick),
        _type_rule(rows, pick),
    ]
    return [rule for rule in found if rule is not None]


def _luck_rule(row: SweepRow) -> Rule | None:
    recall, luck = _number(row, "recall"), row.luck
    if luck is None or recall - luck.mean <= EQUIVALENT:
        return None
    return Rule(
        "luck",
        f"recall {recall:.2f} of {_label(row)} is partly luck of where its boundaries fall: over "
        f"boundary phases it is {luck.mean:.2f} ({luck.low:.2f} to {luck.high:.2f})",
        {"recall": recall, "mean": luck.mean, "low": luck.low, "high": luck.high},
    )


def _edge_rule(rows: Sequence[SweepRow], pick: int) -> Rule | None:
    """The pick has the largest size that was swept, and recall still rises up to it."""
    size = rows[pick].configuration.splitter.size
    smaller = [row for row in rows if row.configuration.splitter.size < size]
    if not smaller or any(row.configuration.splitter.size > size for row in rows):
        return None
    before = max(map(_recall, smaller))
    if _recall(rows[pick]) - before <= EQUIVALENT:
        return None
    return Rule(
        "edge of the sweep",
        f"recall still rises at {size}, the largest size swept ({before:.2f} below it, "
        f"{_recall(rows[pick]):.2f} there): this is no knee; sweep larger sizes, and read recall "
        "at an equal budget",
        {"size": size, "recall": _recall(rows[pick]), "recall_below": before},
    )


def _budget_rule(rows: Sequence[SweepRow], pick: int) -> Rule | None:
    """Another row has more recall for the same tokens of context."""
    name = "recall_at_budget"
    there = [row for row in rows if _pickable(row) and name in row.evaluation.per_question]
    if not any(row is rows[pick] for row in there):
        return None
    best = max(there, key=lambda row: round(_number(row, name), 9))
    if best is rows[pick] or _number(best, name) - _number(rows[pick], name) <= EQUIVALENT:
        return None
    both = [row.evaluation.per_question[name] for row in (best, rows[pick])]
    difference = differences((both[0] - both[1])[:, None])[0]
    noise = ", noise" if difference.noise else ""
    return Rule(
        "equal budget",
        f"for an equal budget of context {_label(best)} has more recall: "
        f"{_number(best, name):.2f} against {_number(rows[pick], name):.2f} of the pick "
        f"({difference.low:+.2f} to {difference.high:+.2f}{noise}); where tokens and not k are "
        "fixed, take it",
        {"recall_at_budget": _number(best, name), "of_the_pick": _number(rows[pick], name)},
    )


def boundaries_cut(row: SweepRow) -> bool:
    """Whether the words of the evidence come back and it does not: boundaries cut it."""
    return _number(row, "term_coverage") - _number(row, "recall") > _BOUNDARY_GAP


def _boundary_rule(row: SweepRow) -> Rule | None:
    recall, terms = _number(row, "recall"), _number(row, "term_coverage")
    coverage = _number(row, "coverage")
    if not boundaries_cut(row):
        return None
    return Rule(
        "boundaries",
        f"term coverage {terms:.2f} against recall {recall:.2f}: boundaries cut what was "
        "retrieved; try sentence- or heading-aware splitting first, then overlap, then size "
        f"(character coverage is {coverage:.2f}, {coverage - recall:+.2f})",
        {"term_coverage": terms, "recall": recall, "coverage": coverage},
    )


def _overlap_rule(rows: Sequence[SweepRow], pick: int) -> Rule | None:
    chosen = rows[pick]
    splitter = chosen.configuration.splitter
    if splitter.overlap_size == 0:
        return None
    wanted = replace(chosen.configuration, splitter=replace(splitter, overlap=0)).hash
    for row in rows:
        if row.configuration.hash != wanted:
            continue
        difference = recall_difference(row, chosen)
        if difference.high < 0:
            return None
        indexed = chosen.evaluation.statistics.total_tokens - row.evaluation.statistics.total_tokens
        sent = _number(chosen, "context_tokens") - _number(row, "context_tokens")
        return Rule(
            "drop overlap",
            f"overlap 0 is not worse beyond noise (recall {difference.mean:+.3f}, "
            f"{difference.low:+.3f} to {difference.high:+.3f}): drop the overlap and index "
            f"{indexed:,} tokens less, {sent:.0f} less a question",
            {
                "difference": difference.mean,
                "low": difference.low,
                "high": difference.high,
                "indexed_tokens_saved": indexed,
                "context_tokens_saved": sent,
            },
        )
    return None


def _prefix_rule(rows: Sequence[SweepRow], pick: int) -> Rule | None:
    chosen = rows[pick].configuration
    for row in rows:
        other = row.configuration
        if other.enrich.prefix != "headings" or chosen.enrich.prefix == "headings":
            continue
        same = replace(
            other,
            enrich=chosen.enrich,
            splitter=replace(
                other.splitter, size=chosen.splitter.size, overlap=chosen.splitter.overlap
            ),
        )
        if same != chosen or other.splitter.size >= chosen.splitter.size:
            continue
        difference = recall_difference(row, rows[pick])
        if difference.mean < -EQUIVALENT or difference.high < 0:
            continue
        return Rule(
            "headings at a smaller size",
            f"{_label(row)} with headings as prefix has recall {_recall(row):.2f} against "
            f"{_recall(rows[pick]):.2f} of {_label(rows[pick])}: take the smaller size",
            {"recall": _recall(row), "size": other.splitter.size, "difference": difference.mean},
        )
    return None


def _type_rule(rows: Sequence[SweepRow], pick: int) -> Rule | None:
    """Fires when a type is served better, beyond noise, by another size than the pick's."""
    chosen = rows[pick]
    for name, members in chosen.evaluation.rows_of_type.items():
        count = int(members.sum())
        if count < _TYPE_QUESTIONS or count == len(members):
            continue
        others = [
            row
            for row in rows
            if _pickable(row)
            and row.configuration.splitter.size != chosen.configuration.splitter.size
        ]
        if not others:
            continue
        best = max(others, key=lambda row: float(row.judged_recall[members].mean()))
        values = (best.judged_recall - chosen.judged_recall)[members]
        if values.mean() <= EQUIVALENT:
            continue
        difference = differences(values[:, None])[0]
        if difference.low > 0:
            return Rule(
                "best size differs by type",
                f"questions of type {name} ({count}) do better with {_label(best)} (recall "
                f"{difference.mean:+.2f}, {difference.low:+.2f} to {difference.high:+.2f}): "
                "consider parent-document retrieval",
                {
                    "questions": count,
                    "difference": difference.mean,
                    "low": difference.low,
                    "high": difference.high,
                },
            )
    return None


def _provisional(questions: int) -> Rule:
    return Rule(
        "provisional",
        f"provisional: {questions} question{'s' * (questions != 1)} measured; write "
        f"{ENOUGH_QUESTIONS - questions} more before relying on it",
        {"measured": questions, "to_write": ENOUGH_QUESTIONS - questions},
    )


def _reasons(rows: Sequence[SweepRow], pick: int | None, said: Sequence[Rule]) -> tuple[str, ...]:
    if pick is None:
        return ("no row can be advised", *(rule.sentence for rule in said))
    row = rows[pick]
    allowed = [other for other in rows if other.same_as is None and _pickable(other)]
    best = max(allowed, key=lambda other: round(_recall(other), 9))
    over = "" if row.luck is None else " over boundary phases"
    cost = _number(row, "context_tokens")
    sentence = (
        f"{_label(row)}: recall {_recall(row):.3f}{over} for {cost:.0f} tokens of context a "
        "question"
    )
    if best is row or _recall(best) <= _recall(row):
        return (f"{sentence}; no row has more recall for less",)
    difference = recall_difference(row, best)
    return (
        f"{sentence}; the best row, {_label(best)}, has {_recall(best):.3f} for "
        f"{_number(best, 'context_tokens'):.0f} tokens: {difference.mean:+.3f} "
        f"({difference.low:+.3f} to {difference.high:+.3f}) "
        + ("is noise" if difference.noise else "is within 0.02"),
    )
