"""A sweep: many configurations measured on the same questions, and read together."""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.evaluation.advice import advise
from chunkscope.evaluation.budget import BudgetCurve
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.evidence import EvidenceTable
from chunkscope.evaluation.heap import LARGE, give_back
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.luck import Luck, luck_of, phases_of
from chunkscope.evaluation.metrics import FloatArray
from chunkscope.evaluation.pool import may_fork, sensible_workers
from chunkscope.evaluation.statistics import (
    RowComparison,
    bootstrap_intervals,
    compare_rows,
    draw_resamples,
)
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
from chunkscope.evaluation.sweeprow import RowOutcome, digest_of, fold, row_key
from chunkscope.evaluation.sweepstore import LATE_METRICS, SweepStore, with_configuration
from chunkscope.evaluation.sweeptasks import (
    BudgetTask,
    PhaseTask,
    RowAnswer,
    RowTask,
    Runner,
    with_corpus,
)
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.registry import calls_models, is_dear, warm_retriever
from chunkscope.splitting.settings import SplitterSettings

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

_QUESTION_COST = 2_000
"""Characters whose splitting takes about as long as ranking for one question."""


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
    workers: int | None = None,
    store: SweepStore | None = None,
    on_phase: Callable[[int, int], None] | None = None,
) -> Sweep:
    """Measure every row of the plan, then what can only be said once all rows are there.

    A row is handed out when it is measured, with neither `recall_at_budget` nor `recall_luck`
    yet. When `cancel` is raised, the rows that were done make the sweep.

    Args:
        index: the corpus.
        plan: what to run.
        questions: golden questions, located in this corpus.
        on_row: shown each row as it comes, in the plan's order.
        cancel: looked at between documents and questions.
        seed: of the bootstrap.
        luck_all: try every row at other boundary phases, not only those near the best; where
            each chunk set costs a model's work, none is tried otherwise.
        recall_budget: tokens for `recall_at_budget`; None: chosen from the rows.
        workers: processes to share the work out to; 1: none; None: as many as it is worth.
        store: rows in it are taken over; new ones are added to it.
        on_phase: hears of (boundary phases tried, boundary phases to try).

    Raises:
        InputError: for settings that cannot work.
    """
    located = tuple(questions)
    store = store or SweepStore()
    rows: list[SweepRow] = []
    outcomes: list[RowOutcome] = []
    budget: int | None = None
    stopped = False
    if index.in_parts or any(calls_models(row.retriever) for row in plan.rows):
        # Parts are shared out by the index; models fill the cores, and what they made is shared.
        workers = 1
    index.look_ahead([row for row in plan.rows if store.get(row) is None])
    if workers is None:
        cost = index.corpus.characters + _QUESTION_COST * len(located)
        workers = sensible_workers(sum(store.get(row) is None for row in plan.rows) * cost)
    try:
        with Runner(index, located, workers, cancel) as runner:
            if workers > 1 and may_fork():
                left = [row for row in plan.rows if store.get(row) is None]
                _warm(index, left, located, seed, cancel)
            reach = recall_budget or _likely_budget(plan)
            task_of = partial(RowTask, reach=reach, seed=seed)
            for row, outcome in _measured_rows(runner, index, plan, task_of, store):
                rows.append(row)
                outcomes.append(outcome)
                if on_row is not None:
                    on_row(row)
            if _has_measured(rows):
                budget = recall_budget or chosen_budget(rows, outcomes)
                rows = _with_budget(runner, rows, outcomes, index.evidence(located), budget)
                rows = _with_luck(runner, rows, store, on_phase, everything=luck_all)
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


def _warm(
    index: CorpusIndex,
    rows: Sequence[Configuration],
    questions: tuple[LocatedQuestion, ...],
    seed: int,
    cancel: CancelToken | None,
) -> None:
    """Work out beforehand what every worker would have to: the smallest sizes, the words."""
    table = index.evidence(questions)
    asked = [questions[number].question.question for number in table.questions.tolist()]
    smallest: dict[SplitterSettings, Configuration] = {}
    for row in rows:
        key = replace(row.splitter, size=1, overlap=0, dedupe=False)
        known = smallest.get(key)
        if known is None or row.splitter.size < known.splitter.size:
            smallest[key] = row
    for retriever in {row.retriever for row in rows}:
        warm_retriever(retriever, index.words_for(retriever), asked, cancel)
        index.evidence_words(table, retriever.words)
    encodings = {row.splitter.encoding for row in rows}
    # Counting whole documents and drawing resamples leave the interpreter to this thread.
    with ThreadPoolExecutor(1) as beside:
        jobs: list[Future[Any]] = [beside.submit(index.tokens, one) for one in encodings]
        jobs.append(beside.submit(draw_resamples, table.rows, seed))
        for row in smallest.values():
            for position in range(len(index.corpus.documents)):
                index.cuts(position, row.splitter, cancel)
        _ = index.space_words
        for job in jobs:
            job.result()
    if index.corpus.characters >= LARGE:
        give_back()


def _measured_rows(
    runner: Runner,
    index: CorpusIndex,
    plan: SweepPlan,
    task_of: Callable[[Configuration], RowTask],
    store: SweepStore,
) -> Iterator[tuple[SweepRow, RowOutcome]]:
    """Every row in the plan's order; one whose chunk set was there before is folded."""
    measured: dict[tuple[object, ...], RowOutcome] = {}
    keys: dict[int, tuple[object, ...]] = {}
    for number, configuration in enumerate(plan.rows):
        stored = store.get(configuration)
        if stored is not None:
            keys[number] = row_key(stored.chunk_set, configuration)
            outcome = with_configuration(stored.outcome, configuration)
            measured.setdefault(keys[number], outcome)
    left = [number for number in range(len(plan.rows)) if number not in keys]
    runner.know(measured)
    tasks = [task_of(plan.rows[number]) for number in left]
    first: dict[tuple[object, ...], int] = {}
    varied = plan.varied
    done = 0
    for task, answer in chain([(None, None)], runner.run(tasks)):
        if task is not None:
            assert isinstance(answer, RowAnswer)
            keys[left[task]] = answer.key
            if answer.outcome is not None:
                measured.setdefault(answer.key, with_corpus(answer.outcome, index.corpus))
        while done in keys:
            key, configuration = keys[done], plan.rows[done]
            same_as = first.setdefault(key, done)
            outcome = fold(measured[key], configuration)
            store.put(configuration, digest_of(key), outcome)
            row = SweepRow(
                evaluation=outcome.evaluation,
                same_as=None if same_as == done else same_as,
                saturated=outcome.saturated,
                one_chunk=outcome.one_chunk,
                varied=varied,
            )
            yield row, outcome
            done += 1


def _likely_budget(plan: SweepPlan) -> int:
    """A guess at the budget, so that few rankings must be made deeper afterwards."""
    in_tokens = [row.splitter.size for row in plan.rows if row.splitter.unit == "tokens"]
    return max([SMALLEST_BUDGET, *in_tokens])


def _has_measured(rows: Sequence[SweepRow]) -> bool:
    return bool(rows) and bool(rows[0].evaluation.measured)


def _with_budget(
    runner: Runner,
    rows: Sequence[SweepRow],
    outcomes: Sequence[RowOutcome],
    table: EvidenceTable,
    budget: int,
) -> list[SweepRow]:
    curves = [outcome.curve for outcome in outcomes]
    shallow = [number for number, curve in enumerate(curves) if not curve.reaches(budget)]
    tasks = [BudgetTask(rows[number].configuration, budget) for number in shallow]
    for task, answer in runner.run(tasks):
        assert isinstance(answer, BudgetCurve)
        curves[shallow[task]] = answer
    return [
        replace(
            row,
            evaluation=with_recall_at_budget(row.evaluation, curve.recall(table, budget), budget),
        )
        for row, curve in zip(rows, curves, strict=True)
    ]


def _with_luck(
    runner: Runner,
    rows: Sequence[SweepRow],
    store: SweepStore,
    on_phase: Callable[[int, int], None] | None,
    *,
    everything: bool,
) -> list[SweepRow]:
    recalls = [row.evaluation.metrics["recall"] or 0.0 for row in rows]
    least = max(recalls) - NEAR_BEST - 1e-12
    chosen = [
        number
        for number, row in enumerate(rows)
        if row.same_as is None
        and (everything or (recalls[number] >= least and not is_dear(row.configuration.retriever)))
    ]
    wanted = [
        (number, phase)
        for number in chosen
        for phase in dict.fromkeys(phases_of(rows[number].configuration))
    ]
    recall: dict[tuple[int, int], FloatArray] = {}
    for number in chosen:
        stored = store.get(rows[number].configuration)
        if stored is not None:
            recall |= {(number, phase): found for phase, found in stored.phases.items()}
    left = [phase for phase in wanted if phase not in recall]
    tasks = [PhaseTask(rows[number].configuration, phase) for number, phase in left]
    runner.look_ahead(tasks)
    for done, (task, answer) in enumerate(runner.run(tasks), start=1):
        assert isinstance(answer, np.ndarray)
        number, phase = left[task]
        recall[number, phase] = answer
        store.put_phase(rows[number].configuration, phase, answer)
        if on_phase is not None:
            on_phase(done, len(left))
    luck = {
        number: luck_of([recall[number, phase] for phase in phases_of(rows[number].configuration)])
        for number in chosen
    }
    found: list[SweepRow] = []
    for number, row in enumerate(rows):
        tried = luck.get(number if row.same_as is None else row.same_as)
        found.append(row if tried is None else with_luck(row, tried))
    return found


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
    """The rows with intervals of the metrics that came once all rows were there."""
    columns = {
        (number, name): row.evaluation.per_question[name]
        for number, row in enumerate(rows)
        for name in LATE_METRICS
        if name in row.evaluation.per_question
    }
    drawn = bootstrap_intervals(columns, seed=seed)
    found: list[SweepRow] = []
    for number, row in enumerate(rows):
        late = {name: drawn[number, name] for name in LATE_METRICS if (number, name) in drawn}
        intervals = {**row.evaluation.intervals, **late}
        found.append(replace(row, evaluation=replace(row.evaluation, intervals=intervals)))
    return found
