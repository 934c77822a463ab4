"""A sweep: many configurations measured on the same questions, and read together."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.evaluation.advice import advise
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.luck import Luck, luck_of, phase_sets
from chunkscope.evaluation.run import budget_curve_of, recall_only
from chunkscope.evaluation.statistics import RowComparison, bootstrap_intervals, compare_rows
from chunkscope.evaluation.summary import with_recall_at_budget
from chunkscope.evaluation.sweepplan import (
    SkippedConfiguration,
    SweepPlan,
    default_overlaps,
    default_sizes,
    parse_overlaps,
    parse_sizes,
    parse_vary,
    plan_sweep,
)
from chunkscope.evaluation.sweepresults import Advice, Rule, Sweep, SweepRow
from chunkscope.evaluation.sweeprow import RowOutcome, fold, fold_key, measure_row
from chunkscope.golden.model import LocatedQuestion

__all__ = [
    "Advice",
    "Luck",
    "Rule",
    "SkippedConfiguration",
    "Sweep",
    "SweepPlan",
    "SweepRow",
    "default_overlaps",
    "default_sizes",
    "parse_overlaps",
    "parse_sizes",
    "parse_vary",
    "plan_sweep",
    "run_sweep",
]

SMALLEST_BUDGET = 512
NEAR_BEST = 0.02
"""Rows whose recall is that close to the best one are tried at other boundary phases."""

_INTERVAL_ROWS = 8


def run_sweep(
    index: CorpusIndex,
    plan: SweepPlan,
    questions: Sequence[LocatedQuestion],
    *,
    on_row: Callable[[SweepRow], None] | None = None,
    cancel: CancelToken | None = None,
    seed: int = 0,
    luck_all: bool = False,
    recall_budget: int | None = None,
) -> Sweep:
    """Measure every row of the plan, then what can only be said once all rows are there.

    A row is handed out when it is measured, with neither `recall_at_budget` nor `recall_luck`
    nor intervals yet. When `cancel` is raised, the rows that were done make the sweep.

    Args:
        index: the corpus.
        plan: what to run.
        questions: golden questions, located in this corpus.
        on_row: shown each row as it comes, in the plan's order.
        cancel: looked at between documents and questions.
        seed: of the bootstrap.
        luck_all: try every row at other boundary phases, not only those near the best.
        recall_budget: tokens for `recall_at_budget`; None: chosen from the rows.

    Raises:
        InputError: for settings that cannot work.
    """
    located = tuple(questions)
    rows: list[SweepRow] = []
    outcomes: list[RowOutcome] = []
    budget: int | None = None
    stopped = False
    try:
        for row, outcome in _measured_rows(index, plan, located, recall_budget, cancel):
            rows.append(row)
            outcomes.append(outcome)
            if on_row is not None:
                on_row(row)
        if _has_measured(rows):
            budget = recall_budget or chosen_budget(rows, outcomes)
            rows = _with_budget(index, rows, outcomes, located, budget=budget, cancel=cancel)
            rows = _with_luck(index, rows, located, everything=luck_all, cancel=cancel)
    except CancelledError:
        stopped = True
    sweep = _read_together(plan, rows, seed)
    return replace(sweep, recall_budget=budget, stopped=stopped)


def chosen_budget(rows: Sequence[SweepRow], outcomes: Sequence[RowOutcome]) -> int:
    """The larger of 512, the smallest row's context and the largest chunk of any row."""
    contexts = [row.evaluation.metrics["context_tokens"] for row in rows]
    smallest = min(context for context in contexts if context is not None)
    largest = max(outcome.evaluation.statistics.max_tokens for outcome in outcomes)
    return max(SMALLEST_BUDGET, math.ceil(smallest), largest)


def _measured_rows(
    index: CorpusIndex,
    plan: SweepPlan,
    questions: tuple[LocatedQuestion, ...],
    recall_budget: int | None,
    cancel: CancelToken | None,
) -> Iterator[tuple[SweepRow, RowOutcome]]:
    """Every row in the plan's order; one whose chunk set was there before is folded."""
    reach = recall_budget or _likely_budget(plan)
    first: dict[tuple[object, ...], tuple[int, RowOutcome]] = {}
    for number, configuration in enumerate(plan.rows):
        key = fold_key(index, configuration, cancel)
        known = first.get(key)
        if known is None:
            outcome = measure_row(index, configuration, questions, reach, cancel)
            known = first[key] = number, outcome
        same_as, outcome = known[0], fold(known[1], configuration)
        row = SweepRow(
            evaluation=outcome.evaluation,
            same_as=None if same_as == number else same_as,
            saturated=outcome.saturated,
            one_chunk=outcome.one_chunk,
        )
        yield row, outcome


def _likely_budget(plan: SweepPlan) -> int:
    """A guess at the budget, so that few rankings must be made deeper afterwards."""
    in_tokens = [row.splitter.size for row in plan.rows if row.splitter.unit == "tokens"]
    return max([SMALLEST_BUDGET, *in_tokens])


def _has_measured(rows: Sequence[SweepRow]) -> bool:
    return bool(rows) and bool(rows[0].evaluation.measured)


def _with_budget(
    index: CorpusIndex,
    rows: Sequence[SweepRow],
    outcomes: Sequence[RowOutcome],
    questions: tuple[LocatedQuestion, ...],
    *,
    budget: int,
    cancel: CancelToken | None,
) -> list[SweepRow]:
    table = index.evidence(questions)
    found: list[SweepRow] = []
    for row, outcome in zip(rows, outcomes, strict=True):
        curve = outcome.curve
        if not curve.reaches(budget):
            curve = budget_curve_of(index, row.configuration, questions, budget, cancel)
        values = curve.recall(table, budget)
        found.append(replace(row, evaluation=with_recall_at_budget(row.evaluation, values, budget)))
    return found


def _with_luck(
    index: CorpusIndex,
    rows: Sequence[SweepRow],
    questions: tuple[LocatedQuestion, ...],
    *,
    everything: bool,
    cancel: CancelToken | None,
) -> list[SweepRow]:
    recalls = [row.evaluation.metrics["recall"] or 0.0 for row in rows]
    least = max(recalls) - NEAR_BEST - 1e-12
    found: list[SweepRow] = []
    for row, recall in zip(rows, recalls, strict=True):
        if recall < least and not everything:
            found.append(row)
            continue
        luck = (
            _luck(index, row.configuration, questions, cancel)
            if row.same_as is None
            else found[row.same_as].luck
        )
        found.append(row if luck is None else with_luck(row, luck))
    return found


def _luck(
    index: CorpusIndex,
    configuration: Configuration,
    questions: tuple[LocatedQuestion, ...],
    cancel: CancelToken | None,
) -> Luck:
    return luck_of(
        [
            recall_only(index, configuration, questions, chunks, cancel)
            for chunks in phase_sets(index, configuration, cancel)
        ]
    )


def with_luck(row: SweepRow, luck: Luck) -> SweepRow:
    """The row with `recall_luck`."""
    evaluation = row.evaluation
    metrics = {**evaluation.metrics, "recall_luck": luck.mean}
    per_question = {**evaluation.per_question, "recall_luck": luck.per_question}
    return replace(
        row,
        luck=luck,
        evaluation=replace(evaluation, metrics=metrics, per_question=per_question),
    )


def _read_together(plan: SweepPlan, rows: Sequence[SweepRow], seed: int) -> Sweep:
    """Intervals, comparison and advice over the rows there are."""
    comparison: RowComparison | None = None
    compared: tuple[int, ...] = ()
    if _has_measured(rows):
        rows = _with_intervals(rows, seed)
        compared = tuple(number for number, row in enumerate(rows) if row.same_as is None)
        values = [rows[number].judged_recall for number in compared]
        comparison = compare_rows(np.column_stack(values), seed=seed)
    return Sweep(
        rows=tuple(rows),
        skipped=plan.skipped,
        advice=advise(rows, comparison, compared),
        comparison=comparison,
        compared=compared,
    )


def _with_intervals(rows: Sequence[SweepRow], seed: int) -> list[SweepRow]:
    """The rows with intervals; several rows share each product with the resamples."""
    found: list[SweepRow] = []
    for first in range(0, len(rows), _INTERVAL_ROWS):
        group = rows[first : first + _INTERVAL_ROWS]
        columns = {
            f"{number} {name}": values
            for number, row in enumerate(group)
            for name, values in row.evaluation.per_question.items()
        }
        drawn = bootstrap_intervals(columns, seed=seed)
        for number, row in enumerate(group):
            intervals = {
                name: drawn[f"{number} {name}"]
                for name in row.evaluation.per_question
                if f"{number} {name}" in drawn
            }
            found.append(replace(row, evaluation=replace(row.evaluation, intervals=intervals)))
    return found
