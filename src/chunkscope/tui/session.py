"""Everything the inspector knows, as plain state; no widget and no engine in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.golden.model import GoldenSet, LocatedQuestion
from chunkscope.splitting.chunks import ChunkSet, Cuts
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span
from chunkscope.tui.reallog import joined, words_of

if TYPE_CHECKING:
    from chunkscope.evaluation.logagreement import Agreement
    from chunkscope.evaluation.statistics import Difference
    from chunkscope.evaluation.sweep import Sweep
    from chunkscope.tui.baseline import Baseline
    from chunkscope.tui.reallog import RealLog

Variant = Literal["A", "B"]
Shown = Literal["A", "B", "both"]
VARIANTS: tuple[Variant, Variant] = ("A", "B")

_RESULTS_KEPT = 64
_MOMENTS_KEPT = 200


@dataclass(frozen=True)
class Numbers:
    """What both variants gave on the whole corpus.

    Attributes:
        generation: the change these numbers answer.
        evaluations: one run a variant.
        differences: B minus A by metric, paired over questions.
        warnings: what the configurations warn about, by variant.
        against: each variant less the baseline, by metric; empty where none is pinned.
    """

    generation: int
    evaluations: Mapping[Variant, Evaluation]
    differences: "Mapping[str, Difference]" = field(default_factory=dict)
    warnings: Mapping[Variant, tuple[str, ...]] = field(default_factory=dict)
    against: "Mapping[Variant, Mapping[str, Difference]]" = field(default_factory=dict)


@dataclass(frozen=True)
class Moment:
    """What undo gives back: the configurations and the golden lines as they were."""

    configurations: Mapping[Variant, Configuration]
    golden: GoldenSet | None
    located: tuple[LocatedQuestion, ...]
    asked: tuple[LocatedQuestion, ...]


@dataclass
class Session:
    """The inspector's state.

    Attributes:
        paths: what was asked to be opened.
        configurations: the two variants.
        golden_path: the golden set's file, if one was given or written.
        corpus: None until it is loaded.
        ahead: the document that is open before that.
        golden: the golden set as read, if any.
        golden_digest: of the golden set's file as this session knows it; empty: of none.
        located: its questions, located.
        asked: questions asked here and not yet lines of the golden set.
        brought: questions that came with a log or a case: measured, and never golden lines.
        sections: of documents that a splitter of two stages cuts, by document id and kind.
        agreement: how far a configuration's retriever agrees with that log.
        log: what a real system returned, if that is known.
        shown: which variant's chunks are drawn.
        document: position of the open document; before all are read, among the files.
        question: position of the chosen question in `questions`, or None.
        generation: number of the newest change; results of an older one are stale.
        chunk_sets: the newest chunk sets of the whole corpus, by variant.
        chunk_sets_generation: the change they answer.
        chunks_generation: the change the visible document's chunks answer.
        numbers: the newest numbers, perhaps stale.
        sweep: the last finished sweep.
        panel: the bottom panel shown.
        offset: where the cursor stands in the open document.
        baseline: the run that later numbers are compared with, if one is pinned.
        panel_height: rows of the bottom panel, where a person changed them; else 0.
        widths: cells of the columns beside the document that a person changed, by their id.
    """

    paths: tuple[Path, ...]
    configurations: dict[Variant, Configuration]
    golden_path: Path | None = None
    corpus: Corpus | None = None
    ahead: Document | None = None
    golden: GoldenSet | None = None
    golden_digest: str = ""
    located: tuple[LocatedQuestion, ...] = ()
    asked: tuple[LocatedQuestion, ...] = ()
    brought: tuple[LocatedQuestion, ...] = ()
    log: "RealLog | None" = None
    agreement: "tuple[Configuration, Agreement] | None" = None
    sections: dict[tuple[str, str], tuple[Span, ...]] = field(default_factory=dict)
    shown: Shown = "A"
    document: int = 0
    question: int | None = None
    generation: int = 0
    chunks_generation: int = 0
    chunk_sets: dict[Variant, ChunkSet] = field(default_factory=dict)
    chunk_sets_generation: int = -1
    numbers: Numbers | None = None
    sweep: "Sweep | None" = None
    panel: str = "questions"
    offset: int = 0
    baseline: "Baseline | None" = None
    panel_height: int = 0
    widths: dict[str, int] = field(default_factory=dict)
    visible_cuts: dict[Variant, Cuts] = field(default_factory=dict)
    _results: dict[tuple[int, Configuration], Cuts] = field(default_factory=dict)
    _past: list[Moment] = field(default_factory=list)
    _future: list[Moment] = field(default_factory=list)
    _previewing: bool = False
    _joined: tuple[tuple[LocatedQuestion, ...], ...] = ((), (), (), ())

    @property
    def active(self) -> Variant:
        """The variant that keys change: the one drawn, B where both are."""
        return "A" if self.shown == "A" else "B"

    @property
    def questions(self) -> tuple[LocatedQuestion, ...]:
        """The golden set's, then those asked here, then others that came with a log or a case.

        The same tuple until they change.
        """
        parts = (self.located, self.asked, self.brought)
        if any(known is not part for known, part in zip(self._joined, parts, strict=False)):
            self._joined = (*parts, joined(*parts))
        return self._joined[3]

    def unsaid(self, position: int) -> bool:
        """Whether nothing says what should have come back for a question."""
        if self.log is None or position < len(self.located) + len(self.asked):
            return False
        return words_of(self.questions[position].question.question) in self.log.unsaid

    @property
    def open_document(self) -> Document | None:
        """The document on the screen."""
        if self.corpus is None:
            return self.ahead
        return self.corpus.documents[self.document] if self.corpus.documents else None

    @property
    def chosen(self) -> LocatedQuestion | None:
        """The chosen question."""
        if self.question is None or self.question >= len(self.questions):
            return None
        return self.questions[self.question]

    @property
    def stale(self) -> bool:
        """Whether the numbers on the screen answer an older change."""
        return self.numbers is None or self.numbers.generation != self.generation

    def change(
        self, variant: Variant, configuration: Configuration, *, preview: bool = False
    ) -> bool:
        """Give a variant another configuration; says whether anything changed.

        One previewed after another is taken back in one step.
        """
        changed = {**self.configurations, variant: configuration}
        return self.change_both(changed, preview=preview)

    def change_both(
        self, configurations: Mapping[Variant, Configuration], *, preview: bool = False
    ) -> bool:
        """Give both variants a configuration; says whether anything changed."""
        if self.configurations == configurations:
            return False
        if not (preview and self._previewing):
            self._remember()
        self._previewing = preview
        self.configurations = dict(configurations)
        self.generation += 1
        self._show_known_cuts()
        return True

    def pin(self, baseline: "Baseline | None") -> None:
        """Compare with these numbers from now on; None: with none."""
        self.baseline = baseline
        self.generation += 1

    def take_corpus(
        self,
        corpus: Corpus,
        golden: GoldenSet | None,
        located: tuple[LocatedQuestion, ...],
        asked: tuple[LocatedQuestion, ...],
    ) -> None:
        """Documents as they were read, in place of those that are open.

        `asked` are the unsaved questions, located anew. Settings can still be taken back; golden
        lines cannot, for the file they would be written to is another.
        """
        if corpus is not self.corpus:
            self.visible_cuts, self.chunk_sets = {}, {}
            self._results.clear()
            self.sections.clear()
        self.corpus, self.golden, self.located, self.asked = corpus, golden, located, asked
        self.document = min(self.document, max(0, len(corpus.documents) - 1))
        self._past = [replace(moment, **self._lines()) for moment in self._past]
        self._future = [replace(moment, **self._lines()) for moment in self._future]
        self.numbers = None
        self.generation += 1
        self._stay_in_range()

    def open_ahead(self, position: int, document: Document) -> None:
        """Open a document before all are read."""
        self.ahead, self.document, self.offset = document, position, 0
        self.visible_cuts = {}
        self.chunks_generation = -1

    def keep_ahead_cuts(
        self, generation: int, document: Document, cuts: Mapping[Variant, Cuts]
    ) -> bool:
        """Take its chunks; False when they came too late."""
        if self.corpus is not None or document is not self.ahead or generation != self.generation:
            return False
        self.visible_cuts = dict(cuts)
        self.chunks_generation = generation
        return True

    def take_read(self, corpus: Corpus) -> bool:
        """All documents are read; says whether the open one is among them, and stays open."""
        before, self.ahead, self.corpus = self.ahead, None, corpus
        position = corpus.position(before.id) if before is not None else None
        stays = position is not None and corpus.documents[position] == before
        self.document = position if position is not None and stays else 0
        if not stays:
            self.visible_cuts = {}
        return stays

    def forget_cuts(self) -> None:
        """A splitter is another than it was: nothing that it made is right any more."""
        self._results.clear()
        self.agreement = None
        self.generation += 1

    def open(self, position: int) -> None:
        """Open another document; what is known of its chunks stands there at once."""
        self.document, self.offset = position, 0
        self.visible_cuts = {}
        self.chunks_generation = -1
        if self.chunk_sets_generation == self.generation:
            self.visible_cuts = {
                variant: chunks.cuts[position] for variant, chunks in self.chunk_sets.items()
            }
        else:
            self._show_known_cuts()
        if len(self.visible_cuts) == len(VARIANTS):
            self.chunks_generation = self.generation

    def keep_cuts(self, generation: int, document: int, cuts: Mapping[Variant, Cuts]) -> bool:
        """Take the engine's chunks of one document; False when they came too late."""
        if generation != self.generation or document != self.document:
            return False
        for variant, found in cuts.items():
            self._results[(document, self.configurations[variant])] = found
        while len(self._results) > _RESULTS_KEPT:
            self._results.pop(next(iter(self._results)))
        self.visible_cuts = dict(cuts)
        self.chunks_generation = generation
        return True

    def keep_chunk_sets(self, generation: int, sets: Mapping[Variant, ChunkSet]) -> bool:
        """Take the chunks of the whole corpus; False when they came too late."""
        if generation != self.generation:
            return False
        self.chunk_sets = dict(sets)
        self.chunk_sets_generation = generation
        # Where repeated chunks are dropped, only the whole corpus tells which ones stay.
        self.visible_cuts = {
            variant: chunks.cuts[self.document] for variant, chunks in sets.items()
        }
        return True

    def holds(self, variant: Variant, chunks: ChunkSet) -> bool:
        """Whether the open document's chunks on the screen are those of this chunk set."""
        cuts = self.visible_cuts.get(variant)
        if cuts is None or self.document >= len(chunks.cuts):
            return False
        known = chunks.cuts[self.document]
        return known is cuts or (
            bool(np.array_equal(known.starts, cuts.starts))
            and bool(np.array_equal(known.ends, cuts.ends))
        )

    def keep_numbers(self, numbers: Numbers) -> bool:
        """Take the numbers; False when they came too late."""
        if numbers.generation != self.generation:
            return False
        self.numbers = numbers
        return True

    def result(self, variant: Variant, question: int | None = None) -> QuestionResult | None:
        """One question's line in a variant: the chosen one unless another is named."""
        position = self.question if question is None else question
        if self.numbers is None or position is None:
            return None
        lines = self.numbers.evaluations[variant].questions
        if position >= len(lines) or position >= len(self.questions):
            return None
        line = lines[position]
        return line if line.located is self.questions[position] else None

    def ask(self, located: LocatedQuestion) -> None:
        """Join a question to the unsaved golden lines and choose it."""
        self._remember()
        self.asked = (*self.asked, located)
        self.question = len(self.located) + len(self.asked) - 1
        self.generation += 1

    def rewrite(
        self,
        golden: GoldenSet | None,
        located: tuple[LocatedQuestion, ...],
        asked: tuple[LocatedQuestion, ...],
    ) -> None:
        """Other golden lines, written and unsaved; the file is the caller's."""
        self._remember()
        self.golden, self.located, self.asked = golden, located, asked
        self._stay_in_range()
        self.generation += 1

    def undo(self) -> Moment | None:
        """Take back the last change; gives what stood before it was taken back, or None."""
        return self._step(self._past, self._future)

    def redo(self) -> Moment | None:
        """Do again what was taken back last; the same."""
        return self._step(self._future, self._past)

    def _step(self, source: list[Moment], other: list[Moment]) -> Moment | None:
        if not source:
            return None
        self._previewing = False
        left = self._moment()
        other.append(left)
        moment = source.pop()
        self.configurations = dict(moment.configurations)
        self.golden, self.located, self.asked = moment.golden, moment.located, moment.asked
        self._stay_in_range()
        self.generation += 1
        self._show_known_cuts()
        return left

    def _moment(self) -> Moment:
        return Moment(dict(self.configurations), self.golden, self.located, self.asked)

    def _remember(self) -> None:
        self._previewing = False
        self._past.append(self._moment())
        del self._past[:-_MOMENTS_KEPT]
        self._future.clear()

    def _stay_in_range(self) -> None:
        if self.question is not None and self.question >= len(self.questions):
            self.question = len(self.questions) - 1 if self.questions else None

    def saved(self, path: Path, count: int) -> None:
        """The first `count` unsaved questions are lines of the golden set at `path` now."""
        written = self.asked[:count]
        self.located = self.located + written
        self.asked = self.asked[count:]
        self.golden_path = path
        before = self.golden.questions if self.golden is not None else ()
        self.golden = GoldenSet(before + tuple(line.question for line in written), path)
        # What is in the file cannot be taken back by forgetting it: only settings can, from here.
        self._past = [replace(moment, **self._lines()) for moment in self._past]
        self._future.clear()

    def _lines(self) -> dict[str, Any]:
        return {"golden": self.golden, "located": self.located, "asked": self.asked}

    def _show_known_cuts(self) -> None:
        known = {
            variant: self._results[key]
            for variant in VARIANTS
            if (key := (self.document, self.configurations[variant])) in self._results
        }
        self.visible_cuts = {**self.visible_cuts, **known}
