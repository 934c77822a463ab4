"""The parts of a sweep that can be worked on apart, here or in other processes."""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.budget import BudgetCurve
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.heap import LARGE, give_back, give_back_at_once
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.metrics import FloatArray
from chunkscope.evaluation.pool import WorkerPool, may_fork
from chunkscope.evaluation.run import budget_curve_of, recall_only
from chunkscope.evaluation.sweeprow import RowOutcome, fold_key, measure_row, no_chunks
from chunkscope.golden.model import LocatedQuestion
from chunkscope.text.document import Corpus


@dataclass(frozen=True)
class RowTask:
    """Measure a row; its rankings go down to `reach` tokens, `seed` is of the bootstrap."""

    configuration: Configuration
    reach: int
    seed: int


@dataclass(frozen=True)
class BudgetTask:
    """Rank a row again, deep enough for `budget` tokens."""

    configuration: Configuration
    budget: int


@dataclass(frozen=True)
class PhaseTask:
    """Recall of a row at one boundary phase."""

    configuration: Configuration
    phase: int


@dataclass(frozen=True)
class RowAnswer:
    """A measured row, or none: the same process has measured the same chunks before.

    Attributes:
        key: equal for rows whose numbers are equal.
        outcome: the row's numbers.
    """

    key: tuple[object, ...]
    outcome: RowOutcome | None


Task = RowTask | BudgetTask | PhaseTask
Answer = RowAnswer | BudgetCurve | FloatArray


@dataclass
class Resident:
    """What tasks are answered from, kept for as long as a process lives.

    Attributes:
        index: the corpus.
        questions: golden questions, located in it.
        seen: keys of the rows measured.
        apart: answers leave this process, so that the corpus must not go with them.
    """

    index: CorpusIndex
    questions: tuple[LocatedQuestion, ...]
    seen: set[tuple[object, ...]] = field(default_factory=set)
    apart: bool = False


def answer_task(resident: Resident, task: Task, cancel: CancelToken | None = None) -> Answer:
    """Work on one task.

    Raises:
        InputError: for settings that cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    answer = _answer(resident, task, cancel)
    if resident.apart:
        # The next task is of other chunks, and several processes share the memory.
        resident.index.forget_chunks()
        if resident.index.corpus.characters >= LARGE:
            give_back()
    return answer


def _answer(resident: Resident, task: Task, cancel: CancelToken | None = None) -> Answer:
    index, questions, configuration = resident.index, resident.questions, task.configuration
    if isinstance(task, BudgetTask):
        return budget_curve_of(index, configuration, questions, task.budget, cancel)
    if isinstance(task, PhaseTask):
        chunks = index.phase_set(configuration, task.phase, cancel)
        return recall_only(index, configuration, questions, chunks, cancel)
    key = fold_key(index, configuration, cancel)
    if key in resident.seen:
        return RowAnswer(key, None)
    resident.seen.add(key)
    outcome = measure_row(
        index, configuration, questions, reach=task.reach, seed=task.seed, cancel=cancel
    )
    if resident.apart:
        outcome = with_corpus(outcome, Corpus(()))
    return RowAnswer(key, outcome)


def with_corpus(outcome: RowOutcome, corpus: Corpus) -> RowOutcome:
    """The outcome over another corpus object: rows do not travel with their documents."""
    size = outcome.evaluation.chunks.size_limit
    evaluation = replace(outcome.evaluation, chunks=no_chunks(corpus, size))
    return replace(outcome, evaluation=evaluation)


class Runner(AbstractContextManager["Runner"]):
    """Works on tasks here, or shares them out; a context manager."""

    def __init__(
        self,
        index: CorpusIndex,
        questions: tuple[LocatedQuestion, ...],
        workers: int,
        cancel: CancelToken | None,
    ) -> None:
        self._resident = Resident(index, questions, apart=workers > 1)
        self._workers = workers
        self._cancel = cancel
        self._pool: WorkerPool[Resident, Task, Answer] | None = None
        self._stack = ExitStack()

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def know(self, keys: Iterable[tuple[object, ...]]) -> None:
        """Rows with these keys were measured before; to be told before the first task."""
        self._resident.seen.update(keys)

    def look_ahead(self, phases: Sequence[PhaseTask]) -> None:
        """Tell the index what comes next."""
        self._resident.index.look_ahead_phases([(one.configuration, one.phase) for one in phases])

    def run(self, tasks: Sequence[Task]) -> Iterator[tuple[int, Answer]]:
        """(number of the task, answer), as they come; in order where they are worked on here.

        Raises:
            ChunkscopeError: what a task raised.
            CancelledError: when called off meanwhile.
        """
        if not tasks:
            return
        if self._workers <= 1:
            for number, task in enumerate(tasks):
                yield number, answer_task(self._resident, task, self._cancel)
            return
        if self._pool is None:
            # Started at the first task, so that workers are forked from a warm index. Frozen, it
            # is not walked by their garbage collection, which would copy every page of it.
            if may_fork():
                gc.freeze()
                self._stack.callback(gc.unfreeze)
                if self._resident.index.corpus.characters >= LARGE:
                    give_back_at_once()
            pool = WorkerPool(self._resident, self._workers, answer_task)
            self._pool = self._stack.enter_context(pool)
        yield from self._pool.answers(tasks, self._cancel)
