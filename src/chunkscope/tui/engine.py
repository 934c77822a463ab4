"""The inspector's only way to work: jobs in a thread of their own, answers as messages."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from textual.message import Message

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.results import Evaluation
from chunkscope.golden.model import LocatedQuestion
from chunkscope.tui import messages
from chunkscope.tui.baseline import Baseline, all_against
from chunkscope.tui.lanes import Lane
from chunkscope.tui.reading import Opening
from chunkscope.tui.session import VARIANTS, Numbers, Variant

if TYPE_CHECKING:
    from chunkscope.evaluation.index import CorpusIndex
    from chunkscope.evaluation.statistics import Difference
    from chunkscope.tui.ownsplitters import Sources
    from chunkscope.tui.trials import Asking, Grid, Wish

DEBOUNCE_SECONDS = 0.012
PAINT_SECONDS = 0.04
"""Work goes on after that time even where nothing was painted."""
_RUNS_KEPT = 4
_PROGRESS_STEP = 8

Post = Callable[[Message], object]
Debounce = Callable[[], Awaitable[None]]


async def _short_pause() -> None:
    """Long enough that a held key starts one job, short enough that nobody waits for it."""
    await asyncio.sleep(DEBOUNCE_SECONDS)


@dataclass(frozen=True)
class Wanted:
    """One state of the screen, to be answered as far as nobody wants a newer one."""

    generation: int
    document: int
    configurations: Mapping[Variant, Configuration]
    questions: tuple[LocatedQuestion, ...]
    baseline: Baseline | None = None


class Engine:
    """Cuts, measures, sweeps, asks and proves; owns the corpus's index.

    Args:
        executor: where cuts and numbers are made, one job at a time.
        sweeper: where sweeps run, so that they hold up no key press.
        prover: where exports are made and proven.
        debounce: awaited before a change is worked on; a newer change ends the wait.
    """

    def __init__(
        self,
        *,
        executor: Executor | None = None,
        sweeper: Executor | None = None,
        prover: Executor | None = None,
        debounce: Debounce = _short_pause,
    ) -> None:
        self._executor = executor or Lane("chunkscope-cuts")
        # Only a thread of its own can wait for the screen without holding it up.
        self._own_thread, self._settled = executor is None, False
        self._painted = Event()
        self._sweeper = sweeper or Lane("chunkscope-sweep")
        self._prover = prover or Lane("chunkscope-proof")
        self._debounce = debounce
        self._post: Post = lambda _message: None
        self._index: CorpusIndex | None = None
        self._other_indexes: dict[int, CorpusIndex] = {}
        self._token = CancelToken()
        self._studies: dict[str, CancelToken] = {}
        self._sweep_token = CancelToken()
        self._runs: dict[Configuration, Evaluation] = {}
        self._run_of_sweep = 0
        self._known_differences: tuple[Evaluation, Evaluation, dict[str, Difference]] | None = None

    def attach(self, post: Post) -> None:
        """Answers go here; called from any thread."""
        self._post = post

    def stop(self) -> None:
        """Leave everything that runs; waits for nothing."""
        for token in (self._token, self._sweep_token, *self._studies.values()):
            token.cancel()
        for executor in (self._executor, self._sweeper, self._prover):
            executor.shutdown(wait=False, cancel_futures=True)

    def painted(self) -> None:
        """The newest boundaries are on the screen: go on with the numbers."""
        self._painted.set()

    # --- loading ---------------------------------------------------------------------------

    async def load(self, opening: Opening) -> None:
        """Read documents and golden set; answers `CorpusLoaded` or `LoadFailed`."""
        await self._on(self._executor, self._load, opening)

    def _load(self, opening: Opening) -> None:
        try:
            self._post(self._loaded(opening))
        except ChunkscopeError as error:
            self._post(messages.LoadFailed(str(error)))
        except OSError as error:
            self._post(messages.LoadFailed(f"{error.filename}: {error.strerror}"))

    def _loaded(self, opening: Opening) -> messages.CorpusLoaded:
        from chunkscope.evaluation.index import CorpusIndex
        from chunkscope.tui.reading import read

        loaded = read(opening, self._progress)
        corpus = loaded.corpus
        known = self._index.corpus if self._index is not None else None
        # Fingerprints are made here, and not where the screen waits for them.
        unchanged = known is not None and known.fingerprint == corpus.fingerprint
        if known is not None and unchanged and known.skipped == corpus.skipped:
            corpus = known
        else:
            self._index = CorpusIndex(corpus)
            self._other_indexes.clear()
            self._runs.clear()
            self._known_differences = None
        loaded.corpus = corpus
        return loaded

    def _progress(self, done: int, total: int) -> None:
        self._post(messages.LoadProgress(done, total))

    # --- cuts and numbers --------------------------------------------------------------------

    async def answer(self, wanted: Wanted) -> None:
        """Cut and measure; answers `ChunksReady`, `CorpusCut`, `NumbersReady` in this order.

        A newer call ends an older one at its next check.
        """
        self._token.cancel()
        for study in self._studies.values():
            study.cancel()
        token = self._token = CancelToken()
        await self._debounce()
        if not token.cancelled:
            await self._on(self._executor, self._answer, wanted, token)

    def _answer(self, wanted: Wanted, token: CancelToken) -> None:
        variant: Variant | None = None
        try:
            token.check()
            warnings = {}
            for variant in VARIANTS:
                warnings[variant] = self._check(wanted.configurations[variant])
            variant = None
            self._cut(wanted, token)
            self._measure(wanted, warnings, token)
            self._settle()
        except CancelledError:
            return
        except ChunkscopeError as error:
            self._post(messages.WorkFailed(wanted.generation, variant, str(error)))

    def _settle(self) -> None:
        """Once: what stands now is not looked through for garbage at every key again."""
        if self._own_thread and not self._settled:
            self._settled = True
            gc.collect()
            gc.freeze()

    def _check(self, configuration: Configuration) -> tuple[str, ...]:
        from chunkscope.evaluation.configfile import check_configuration

        return tuple(check_configuration(configuration))

    def _cut(self, wanted: Wanted, token: CancelToken) -> None:
        index = self._ready_index()
        cuts = {
            variant: index.retrieved_cuts(wanted.document, one.splitter, one.enrich, token)
            for variant, one in wanted.configurations.items()
        }
        self._painted.clear()
        self._post(messages.ChunksReady(wanted.generation, wanted.document, cuts))
        if self._own_thread:
            # Painting and measuring side by side take turns, and the eye waits for the paint.
            self._painted.wait(PAINT_SECONDS)
            token.check()
        sets = {}
        progress: Callable[[int, int], None] | None
        for number, (variant, configuration) in enumerate(wanted.configurations.items()):
            progress = partial(self._cut_progress, wanted.generation, number)
            sets[variant] = index.retrieved_set(
                configuration.splitter, configuration.enrich, token, progress
            )
        self._post(messages.CorpusCut(wanted.generation, sets))

    def _cut_progress(self, generation: int, before: int, done: int, total: int) -> None:
        """The chunk sets are made one after the other; a document is cut when both have it."""
        if done % _PROGRESS_STEP == 0:
            count = len(VARIANTS)
            covered = (before * total + done) // count
            self._post(messages.CutProgress(generation, covered, total))

    def _measure(
        self, wanted: Wanted, warnings: Mapping[Variant, tuple[str, ...]], token: CancelToken
    ) -> None:
        runs = {
            variant: self._run(configuration, wanted.questions, token)
            for variant, configuration in wanted.configurations.items()
        }
        differences = self._differences(runs["A"], runs["B"], token)
        pinned = all_against(runs, wanted.baseline)
        numbers = Numbers(wanted.generation, runs, differences, warnings, pinned)
        self._post(messages.NumbersReady(numbers))

    def _run(
        self,
        configuration: Configuration,
        questions: tuple[LocatedQuestion, ...],
        token: CancelToken,
    ) -> Evaluation:
        from chunkscope.evaluation.run import evaluate

        known = self._runs.get(configuration)
        if known is not None and _same_questions(known, questions):
            return known
        run = evaluate(self._ready_index(), configuration, questions, cancel=token)
        self._runs.pop(configuration, None)
        self._runs[configuration] = run
        while len(self._runs) > _RUNS_KEPT:
            self._runs.pop(next(iter(self._runs)))
        return run

    def _differences(
        self, a: Evaluation, b: Evaluation, token: CancelToken
    ) -> "dict[str, Difference]":
        from chunkscope.evaluation.statistics import paired_differences

        known = self._known_differences
        if known is not None and known[0] is a and known[1] is b:
            return known[2]
        token.check()
        names = [
            name
            for name, value in a.metrics.items()
            if value is not None
            and b.metrics.get(name) is not None
            and name in a.per_question
            and name in b.per_question
        ]
        differences = paired_differences(a, b, names)
        self._known_differences = (a, b, differences)
        return differences

    async def explain(
        self, generation: int, question: int, text: str, wanted: Mapping[Variant, Evaluation]
    ) -> None:
        """Say on which words the chunks sent and the evidence's rank; answers `Explained`."""
        await self._on(self._executor, self._explain, generation, question, text, wanted)

    def _explain(
        self, generation: int, question: int, text: str, wanted: Mapping[Variant, Evaluation]
    ) -> None:
        from chunkscope.tui import trials

        terms = trials.explain(self._ready_index(), question, text, wanted)
        self._post(messages.Explained(generation, question, terms))

    # --- asking and mending --------------------------------------------------------------------

    async def ask(self, asking: "Asking", configurations: Mapping[Variant, Configuration]) -> None:
        """Locate and measure one question; answers `AskAnswered` or `AskFailed`."""

        def work() -> None:
            from chunkscope.tui import trials

            self._post(trials.ask(self._ready_index(), asking, configurations))

        await self._on(self._executor, work)

    async def mend(
        self,
        question: int,
        configuration: Configuration,
        questions: tuple[LocatedQuestion, ...],
    ) -> None:
        """Find the settings near `configuration` that hit one question; answers `MendsReady`."""
        token = self._study_of("mend")

        def work() -> None:
            from chunkscope.tui import trials

            index = self._ready_index()
            self._post(trials.mend(index, question, configuration, questions, token))

        await self._on(self._executor, work)

    async def study(self, wanted: "Wish") -> None:
        """Answer what a panel wants to know of the runs; a newer change calls it off."""
        token = self._study_of(wanted.kind)

        def work() -> None:
            answer = wanted.answer(self._ready_index(), token)
            if answer is not None:
                self._post(answer)

        await self._on(self._executor, work)

    def _study_of(self, kind: str) -> CancelToken:
        """A token for a study, in place of an older one of its kind."""
        if kind in self._studies:
            self._studies[kind].cancel()
        token = self._studies[kind] = CancelToken()
        return token

    async def take_in(self, changed: "Sources") -> None:
        """Import changed splitters again; answers `SplittersReloaded`."""

        def work() -> None:
            from chunkscope.tui.ownsplitters import take_in

            self._post(take_in(changed, self._forget))

        await self._on(self._executor, work)

    def _forget(self, kind: str) -> None:
        """All that a splitter made goes, here and in the other lanes."""
        self._ready_index().forget_splitter(kind)
        self._other_indexes.clear()
        self._runs.clear()
        self._known_differences = None

    # --- sweeping and proving ------------------------------------------------------------------

    def stop_sweep(self) -> None:
        """End the running sweep; the rows it has stay."""
        self._sweep_token.cancel()

    async def sweep(self, run: int, grid: "Grid", questions: Sequence[LocatedQuestion]) -> None:
        """Sweep in the background; answers `SweepRowReady` a row, then `SweepEnded`."""
        self._sweep_token.cancel()
        token = self._sweep_token = CancelToken()
        located = tuple(questions)

        def work() -> None:
            from chunkscope.tui import trials

            index = self._index_of(self._sweeper)
            self._post(trials.sweep(index, run, grid, located, token=token, post=self._post))

        await self._on(self._sweeper, work)

    async def export(self, configuration: Configuration, target: str, note: str) -> None:
        """Make an export and prove it on the open documents; answers `ExportReady`, twice."""

        def work() -> None:
            from chunkscope.tui import trials

            index = self._index_of(self._prover)
            for answer in trials.export(index, configuration, target, note):
                self._post(answer)

        await self._on(self._prover, work)

    def _ready_index(self) -> "CorpusIndex":
        if self._index is None:
            raise ChunkscopeError("no documents are open yet; wait until they are read")
        return self._index

    def _index_of(self, executor: Executor) -> "CorpusIndex":
        """A lane's own index: its caches belong to one thread."""
        from chunkscope.evaluation.index import CorpusIndex

        if id(executor) not in self._other_indexes:
            self._other_indexes[id(executor)] = CorpusIndex(self._ready_index().corpus)
        return self._other_indexes[id(executor)]

    async def _on(self, executor: Executor, job: Callable[..., None], *arguments: object) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(executor, job, *arguments)


def _same_questions(run: Evaluation, questions: Sequence[LocatedQuestion]) -> bool:
    return len(run.questions) == len(questions) and all(
        line.located is question for line, question in zip(run.questions, questions, strict=True)
    )
