"""Two runs over the same questions: what was won and lost, what differs, what a change costs."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

import numpy as np

from chunkscope.errors import InputError, NotComparableError
from chunkscope.evaluation.configfile import check_configuration
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.geometry import chunk_geometry
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.evaluation.statistics import Difference, McNemar, mcnemar, paired_differences
from chunkscope.splitting.chunks import ChunkSet


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting that differs, by section and key."""

    section: str
    key: str
    a: Any
    b: Any


Change = Literal["won", "lost", "same", "unmeasured", "unanswerable"]
CHANGES: tuple[Change, ...] = get_args(Change)


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """One question in both runs; `won`: its recall is higher in B."""

    change: Change
    a: QuestionResult
    b: QuestionResult


@dataclass(frozen=True, slots=True)
class Migration:
    """What changing from A to B means for an index that holds A.

    Attributes:
        kept: chunks of B whose indexed text stands in A's chunks of the same document.
        changed: other chunks of B that share source text with a chunk of A.
        new: chunks of B that share none.
        dropped: chunks of A that are not kept.
        tokens_to_embed: tokens of the changed and new chunks.
    """

    kept: int
    changed: int
    new: int
    dropped: int
    tokens_to_embed: int


@dataclass(frozen=True)
class Comparison:
    """B against A.

    Attributes:
        a: one run.
        b: the other, over the same corpus and questions.
        settings: what differs; with more than one the difference cannot be attributed.
        steps: configurations between A and B that differ by one setting each, in order.
        questions: one entry a question, in the golden set's order.
        differences: B less A by metric, with intervals.
        hits: exact test on the questions that hit.
        migration: what a change from A to B means for an index.
    """

    a: Evaluation
    b: Evaluation
    settings: tuple[SettingChange, ...]
    steps: tuple[Configuration, ...]
    questions: tuple[QuestionChange, ...]
    differences: dict[str, Difference]
    hits: McNemar
    migration: Migration

    @property
    def attributable(self) -> bool:
        """Whether at most one setting differs."""
        return len(self.settings) <= 1

    def count(self, change: str) -> int:
        """Questions with this one of `CHANGES`."""
        return sum(question.change == change for question in self.questions)


def compare(a: Evaluation, b: Evaluation, *, seed: int = 0) -> Comparison:
    """Compare two runs made by `evaluate`.

    Raises:
        NotComparableError: when corpus, questions or cut-offs differ.
    """
    _check_comparable(a, b)
    questions = tuple(
        QuestionChange(_change(one, other), one, other)
        for one, other in zip(a.questions, b.questions, strict=True)
    )
    shared = [name for name in a.per_question if name in b.per_question]
    settings = setting_changes(a.configuration, b.configuration)
    return Comparison(
        a=a,
        b=b,
        settings=settings,
        steps=steps_between(a.configuration, b.configuration, settings),
        questions=questions,
        differences=paired_differences(a, b, shared if a.measured else [], seed=seed),
        hits=mcnemar(_hits(a), _hits(b)),
        migration=migration(a.chunks, b.chunks),
    )


def setting_changes(a: Configuration, b: Configuration) -> tuple[SettingChange, ...]:
    """The settings that differ; an overlap that comes to the same number is the same."""
    changes: list[SettingChange] = []
    for section in fields(Configuration):
        one, other = getattr(a, section.name), getattr(b, section.name)
        for field in fields(one):
            before, after = getattr(one, field.name), getattr(other, field.name)
            if before == after:
                continue
            if field.name == "overlap" and a.splitter.overlap_size == b.splitter.overlap_size:
                continue
            changes.append(SettingChange(section.name, field.name, before, after))
    return tuple(changes)


def steps_between(
    a: Configuration, b: Configuration, settings: tuple[SettingChange, ...]
) -> tuple[Configuration, ...]:
    """Configurations from A to B, one setting changed at a time; those that cannot run left out."""
    steps: list[Configuration] = []
    current = a
    for change in settings[:-1]:
        section = replace(getattr(current, change.section), **{change.key: change.b})
        current = replace(current, **{change.section: section})
        try:
            check_configuration(current)
        except InputError:
            continue
        if current not in (a, b):
            steps.append(current)
    return tuple(steps)


def migration(a: ChunkSet, b: ChunkSet) -> Migration:
    """Chunks kept, changed and new from `a` to `b`, over the same documents, as indexed."""
    a, b = a.indexed, b.indexed
    texts = Counter(_indexed(a, chunk) for chunk in range(len(a)))
    new_place = np.zeros(len(b), np.bool_)
    for chunk in range(len(b)):
        key = _indexed(b, chunk)
        if texts[key]:
            texts[key] -= 1
        else:
            new_place[chunk] = True
    geometry, before = chunk_geometry(b), chunk_geometry(a)
    touched, _ = before.touching(geometry.starts, geometry.ends)
    shares = np.zeros(len(b), np.bool_)
    shares[geometry.chunk[touched]] = True
    kept = int(np.count_nonzero(~new_place))
    return Migration(
        kept=kept,
        changed=int(np.count_nonzero(new_place & shares)),
        new=int(np.count_nonzero(new_place & ~shares)),
        dropped=len(a) - kept,
        tokens_to_embed=int(b.tokens[new_place].sum()),
    )


def _indexed(chunks: ChunkSet, chunk: int) -> tuple[int, str]:
    return int(chunks.documents[chunk]), chunks.indexed_text(chunk)


def _hits(run: Evaluation) -> "np.ndarray[Any, np.dtype[np.bool_]]":
    return np.array([question.verdict == "hit" for question in run.questions], np.bool_)


def _change(a: QuestionResult, b: QuestionResult) -> Change:
    before, after = a.metrics.get("recall"), b.metrics.get("recall")
    if before is None or after is None:
        return "unanswerable" if a.verdict == "unanswerable" else "unmeasured"
    if before == after:
        return "same"
    return "won" if after > before else "lost"


def _check_comparable(a: Evaluation, b: Evaluation) -> None:
    checks: list[tuple[str, Callable[[Evaluation], object]]] = [
        ("corpus", lambda run: run.chunks.corpus.fingerprint),
        ("golden set", lambda run: [line.located.question for line in run.questions]),
        ("k", lambda run: run.configuration.retriever.k),
        ("budget", lambda run: run.configuration.retriever.budget),
    ]
    for name, value in checks:
        if value(a) != value(b):
            raise NotComparableError(
                f"compare: A and B have not the same {name}; give both the same one"
            )
