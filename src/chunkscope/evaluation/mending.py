"""What would mend a bad question: the settings near by under which it is hit, and their price."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.evaluation.compare import SettingChange
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.diagnosis_neighbours import Untried, neighbours
from chunkscope.evaluation.diagnosis_trial import (
    Trial,
    find_depth,
    try_configuration,
    try_depths,
)
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.golden.model import LocatedQuestion
from chunkscope.splitting.chunks import BoolArray
from chunkscope.text.display import visible_separator

_DEEPEST = 8
"""A larger cut-off or budget is offered up to so many times the configured one."""


@dataclass(frozen=True)
class Mend:
    """One configuration near by, against the one in use.

    Attributes:
        configuration: what to change to.
        changes: the settings that change: one, or two where one alone mends nothing.
        context_before: mean tokens sent for a measured question, now.
        context_after: the same under `configuration`.
        question_before: tokens sent for the question itself, now; None for the set.
        question_after: the same under `configuration`.
        index_before: tokens indexed, now.
        index_after: the same under `configuration`.
        won: ids of (other) questions that hit only under `configuration`.
        lost: ids of questions that hit only now.
    """

    configuration: Configuration
    changes: tuple[SettingChange, ...]
    context_before: float
    context_after: float
    question_before: int | None
    question_after: int | None
    index_before: int
    index_after: int
    won: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def gain(self) -> int:
        """Questions won less questions lost."""
        return len(self.won) - len(self.lost)

    @property
    def change(self) -> str:
        """The settings that change, in words: `size 256 → 128`."""
        return ", ".join(f"{each.key} {_plain(each.a)} → {_plain(each.b)}" for each in self.changes)

    @property
    def sentence(self) -> str:
        """Change and price in one sentence."""
        added = self.context_after - self.context_before
        return (
            f"{self.change}: {self.context_after:.0f} tokens sent a question ({added:+.0f}), "
            f"{len(self.won)} {'other ' if self.question_before is not None else ''}won, "
            f"{len(self.lost)} lost"
        )


@dataclass(frozen=True)
class Mending:
    """What would mend each bad question, and the set.

    Attributes:
        mends: by id of each measured question that does not hit, its mends, cheapest first.
        best: for the set: settings that win more than they lose, the largest gain first; none
            that another equals while sending no more.
        tried: configurations tried.
        untried: settings left out, and why.
    """

    mends: Mapping[str, tuple[Mend, ...]]
    best: tuple[Mend, ...]
    tried: int
    untried: tuple[Untried, ...]

    @property
    def mended(self) -> int:
        """Bad questions that some setting tried mends."""
        return sum(bool(mends) for mends in self.mends.values())

    @property
    def mended_by_chunks(self) -> int:
        """Those of them that need no larger cut-off or budget."""
        return sum(
            any(change.section != "retriever" for mend in mends for change in mend.changes)
            for mends in self.mends.values()
        )


def mend(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    question_id: str,
    cancel: CancelToken | None = None,
) -> tuple[Mend, ...]:
    """The settings near by under which one question is hit, cheapest context first.

    Settings are changed one at a time; two at a time where none alone mends it. None for a
    question that hits already or is not measured.

    Args:
        index: the corpus; its caches are used and filled.
        configuration: what is in use.
        questions: the golden questions, located; they say what a change breaks elsewhere.
        question_id: the one to mend.
        cancel: looked at between documents and questions.

    Raises:
        InputError: when no question has this id.
        CancelledError: when `cancel` was raised meanwhile.
    """
    ids = [located.question.id for located in questions]
    if question_id not in ids:
        raise InputError(f"question {question_id!r} is not in the golden set; give one of its ids")
    table = index.evidence(questions)
    rows = table.questions.tolist()
    number = ids.index(question_id)
    if number not in rows:
        return ()
    wanted = np.zeros(len(rows), np.bool_)
    wanted[rows.index(number)] = True
    return _mend(index, configuration, questions, wanted, cancel=cancel).mends.get(question_id, ())


def mend_all(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    cancel: CancelToken | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Mending:
    """The same for every bad question and for the set; each configuration is tried once.

    Args:
        index: the corpus; its caches are used and filled.
        configuration: what is in use.
        questions: the golden questions, located.
        cancel: looked at between documents and questions.
        progress: hears (configurations tried, configurations to try).

    Raises:
        InputError: when `configuration` cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    wanted = np.ones(index.evidence(questions).rows, np.bool_)
    return _mend(index, configuration, questions, wanted, cancel=cancel, progress=progress)


def _mend(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    wanted: BoolArray,
    *,
    cancel: CancelToken | None,
    progress: Callable[[int, int], None] | None = None,
) -> Mending:
    base = try_configuration(index, configuration, questions, cancel)
    near = neighbours(configuration, index.corpus)
    bad = wanted & ~base.hits
    if not bad.any():
        return Mending({}, (), 0, near.untried)
    table = index.evidence(questions)
    bench = _Bench(base, [questions[row].question.id for row in table.questions.tolist()])
    trials = _depths(index, base, questions, bad, cancel)
    untried = list(near.untried)
    total = len(near.single)
    for number, candidates in enumerate((near.single, near.pairs)):
        unmended = bad & ~_mended(trials, bad)
        if number == 1 and not unmended.any():
            break
        total = len(near.single) + number * len(near.pairs)
        for candidate in candidates:
            try:
                trials.append(try_configuration(index, candidate, questions, cancel))
            except InputError as error:
                untried.append(Untried("size", candidate.splitter.size, str(error)))
            if progress is not None:
                progress(len(trials), total)
    mends = {bench.ids[row]: bench.mends(row, trials) for row in np.flatnonzero(bad).tolist()}
    return Mending(mends, bench.best(trials), len(trials), tuple(untried))


def _mended(trials: Sequence[Trial], bad: BoolArray) -> BoolArray:
    """Bad questions that some trial hits."""
    hit = np.zeros_like(bad)
    for trial in trials:
        hit |= trial.hits
    return hit & bad


def _depths(
    index: CorpusIndex,
    base: Trial,
    questions: Sequence[LocatedQuestion],
    bad: BoolArray,
    cancel: CancelToken | None,
) -> list[Trial]:
    """The cut-offs (or budgets) that the bad questions need, no deeper than is offered."""
    settings = base.configuration.retriever
    current = settings.budget or settings.k[0]
    depth = find_depth(index, base.configuration, questions, current * _DEEPEST, cancel)
    needed = depth.tokens if settings.budget else depth.needed
    values = needed[bad & (needed > current) & (needed <= current * _DEEPEST)]
    return try_depths(index, base.configuration, questions, np.unique(values).tolist(), cancel)


@dataclass(frozen=True)
class _Bench:
    """Trials compared with what is in use.

    Attributes:
        base: what is in use.
        ids: ids of the measured questions.
    """

    base: Trial
    ids: Sequence[str]

    def mends(self, row: int, trials: Sequence[Trial]) -> tuple[Mend, ...]:
        """The trials under which a question is hit, cheapest first."""
        deeper = [trial for trial in trials if self._is_deeper(trial) and trial.hits[row]]
        # Of larger cut-offs only the first that reaches: the others send more for the same.
        kept = sorted(deeper, key=lambda trial: int(trial.tokens[row]))[:1]
        kept += [trial for trial in trials if trial.hits[row] and not self._is_deeper(trial)]
        found = [self._mend(trial, row) for trial in kept]
        fewest = min((len(mend.changes) for mend in found), default=0)
        return tuple(sorted((mend for mend in found if len(mend.changes) == fewest), key=_price))

    def best(self, trials: Sequence[Trial]) -> tuple[Mend, ...]:
        """The trials that win more than they lose, and more than any that sends no more."""
        found = [self._mend(trial, None) for trial in trials]
        best: list[Mend] = []
        for mend in sorted(found, key=_price):
            if mend.gain > (best[-1].gain if best else 0):
                best.append(mend)
        return tuple(reversed(best))

    def _is_deeper(self, trial: Trial) -> bool:
        mine, its = self.base.configuration, trial.configuration
        return (mine.splitter, mine.enrich) == (its.splitter, its.enrich)

    def _mend(self, trial: Trial, row: int | None) -> Mend:
        base = self.base
        won = trial.hits & ~base.hits
        if row is not None:
            won[row] = False
        return Mend(
            configuration=trial.configuration,
            changes=_changes(base.configuration, trial.configuration),
            context_before=float(base.tokens.mean()),
            context_after=float(trial.tokens.mean()),
            question_before=None if row is None else int(base.tokens[row]),
            question_after=None if row is None else int(trial.tokens[row]),
            index_before=base.index_tokens,
            index_after=trial.index_tokens,
            won=self._named(won),
            lost=self._named(base.hits & ~trial.hits),
        )

    def _named(self, rows: BoolArray) -> tuple[str, ...]:
        return tuple(self.ids[row] for row in np.flatnonzero(rows).tolist())


def _price(mend: Mend) -> tuple[float, int, int]:
    return mend.context_after, -mend.gain, mend.index_after


def _changes(a: Configuration, b: Configuration) -> tuple[SettingChange, ...]:
    """The settings that differ as they were given: a percentage goes with its size."""
    return tuple(
        SettingChange(section.name, field.name, before, after)
        for section in fields(Configuration)
        for field in fields(getattr(a, section.name))
        if (before := getattr(getattr(a, section.name), field.name))
        != (after := getattr(getattr(b, section.name), field.name))
    )


def _plain(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    if all(isinstance(part, str) for part in value):
        return " ".join(visible_separator(part) for part in value)
    return ",".join(str(part) for part in value)
