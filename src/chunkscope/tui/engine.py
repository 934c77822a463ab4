"""The inspector's only way to work: jobs in a thread of their own, answers as messages."""

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.results import Evaluation
from chunkscope.golden.model import LocatedQuestion
from chunkscope.tui import messages
from chunkscope.tui.baseline import Baseline, all_against
from chunkscope.tui.enginebase import EngineBase
from chunkscope.tui.modelmessages import ConsentWanted
from chunkscope.tui.modelwork import ConsentNeededError
from chunkscope.tui.session import VARIANTS, Numbers, Variant

if TYPE_CHECKING:
    from chunkscope.evaluation.statistics import Difference
    from chunkscope.splitting.chunks import ChunkSet
    from chunkscope.tui.modelwork import ModelJobs
    from chunkscope.tui.ownsplitters import Sources
    from chunkscope.tui.trials import Asking, Grid, Wish

PAINT_SECONDS = 0.04
"""Work goes on after that time even where nothing was painted."""
_RUNS_KEPT = 4
_PROGRESS_STEP = 8


@dataclass(frozen=True)
class Wanted:
    """One state of the screen, to be answered as far as nobody wants a newer one."""

    generation: int
    document: int
    configurations: Mapping[Variant, Configuration]
    questions: tuple[LocatedQuestion, ...]
    baseline: Baseline | None = None


class Engine(EngineBase):
    """Cuts, measures, sweeps, asks and proves."""

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
        if token.cancelled:
            return
        left = await self._on(self._executor, self._answer, wanted, token)
        if left is not None:
            failure = await self._on(self._modeller, self._models.run, left, token)
            if not token.cancelled:
                await self._on(self._executor, self._finish, wanted, failure, token)

    def _answer(self, wanted: Wanted, token: CancelToken) -> "ModelJobs | None":
        """Cut, and measure where no model has to embed first; else what it has to do."""
        variant: Variant | None = None
        try:
            token.check()
            warnings = {}
            for variant in VARIANTS:
                warnings[variant] = self._check(wanted.configurations[variant])
            variant = None
            sets = self._cut(wanted, token)
            jobs = self._models.jobs(self._ready_index(), wanted.configurations, sets)
            if jobs is not None:
                return jobs
            self._measure(wanted, warnings, token)
            self._settle()
        except CancelledError:
            pass
        except ChunkscopeError as error:
            self._post(messages.WorkFailed(wanted.generation, variant, str(error)))
        return None

    def _finish(self, wanted: Wanted, failure: ChunkscopeError | None, token: CancelToken) -> None:
        """Measure what models have embedded, or tell why they have not."""
        configurations = wanted.configurations
        try:
            if failure is not None:
                raise failure
            warnings = {variant: self._check(one) for variant, one in configurations.items()}
            with self._models.asked_for():
                self._measure(wanted, warnings, token)
            self._settle()
        except CancelledError:
            return
        except ConsentNeededError:
            asked = self._models.consent(
                self._ready_index(), tuple(configurations.values()), wanted.questions, token
            )
            self._post(ConsentWanted(*asked))
        except ChunkscopeError as error:
            self._post(messages.WorkFailed(wanted.generation, None, str(error)))

    def _settle(self) -> None:
        """Once: what stands now is not looked through for garbage at every key again."""
        if self._own_thread and not self._settled:
            self._settled = True
            gc.collect()
            gc.freeze()

    def _check(self, configuration: Configuration) -> tuple[str, ...]:
        from chunkscope.evaluation.configfile import check_configuration

        return tuple(check_configuration(configuration))

    def _cut(self, wanted: Wanted, token: CancelToken) -> "dict[Variant, ChunkSet]":
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
        sets: dict[Variant, ChunkSet] = {}
        progress: Callable[[int, int], None] | None
        for number, (variant, configuration) in enumerate(wanted.configurations.items()):
            progress = partial(self._cut_progress, wanted.generation, number)
            sets[variant] = index.retrieved_set(
                configuration.splitter, configuration.enrich, token, progress
            )
        self._post(messages.CorpusCut(wanted.generation, sets))
        return sets

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

    async def sweep(
        self, run: int, grid: "Grid", questions: Sequence[LocatedQuestion], *, agreed: bool = False
    ) -> None:
        """Sweep in the background; answers `SweepRowReady` a row, then `SweepEnded`.

        Where endpoints would be sent texts and nobody `agreed`: `ConsentWanted`, then the end.
        """
        self._sweep_token.cancel()
        token = self._sweep_token = CancelToken()
        located = tuple(questions)

        def work() -> None:
            from chunkscope.tui import trials

            index, models = self._index_of(self._sweeper), self._sweep_models
            with models.asked_for():
                made = trials.sweep(
                    index, run, grid, located, token=token, post=self._post,
                    models=models, agreed=agreed,
                )  # fmt: skip
            self._post(made)

        await self._on(self._sweeper, work)

    async def export(self, configuration: Configuration, target: str, note: str) -> None:
        """Make an export and prove it on the open documents; answers `ExportReady`, twice."""

        def work() -> None:
            from chunkscope.tui import trials

            index = self._index_of(self._prover)
            for answer in trials.export(index, configuration, target, note):
                self._post(answer)

        await self._on(self._prover, work)


def _same_questions(run: Evaluation, questions: Sequence[LocatedQuestion]) -> bool:
    return len(run.questions) == len(questions) and all(
        line.located is question for line, question in zip(run.questions, questions, strict=True)
    )
