"""What graded answers say: pass rates, their differences, and where judge and recall disagree."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from chunkscope.errors import InputError
from chunkscope.evaluation.compare import SettingChange, setting_changes
from chunkscope.evaluation.metrics import FloatArray
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.evaluation.statistics import (
    Difference,
    McNemar,
    bootstrap_intervals,
    differences,
    holm,
    mcnemar,
)
from chunkscope.golden.model import LocatedQuestion
from chunkscope.llm.judging import Outcome, Pair
from chunkscope.llm.judging_prompts import joined_context

FEWEST, MOST = 2, 3
"""How many configurations are judged together."""

Kind = Literal["passed without evidence", "passed on a part", "failed with evidence"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Chosen:
    """Which golden questions are judged.

    Attributes:
        questions: all there are.
        measured: those whose evidence has a place.
        without_answer: measured ones that the golden set gives no answer for; not judged.
        rows: places of the judged ones in the golden set, ascending.
    """

    questions: int
    measured: int
    without_answer: int
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Variant:
    """One configuration to judge: a letter, a label, and its run with a line a question."""

    name: str
    label: str
    evaluation: Evaluation

    def pair(self, row: int) -> Pair:
        """A question, its reference answer and the chunks that are sent for it, by rank."""
        line = self.evaluation.questions[row]
        question = line.located.question
        chunks = self.evaluation.chunks
        sent = [chunks.indexed_text(entry.chunk) for entry in line.retrieved[: line.context]]
        return Pair(question.question, question.answer or "", joined_context(sent))


@dataclass(frozen=True)
class Line:
    """One question in one configuration.

    Attributes:
        result: what was retrieved, and its metrics.
        pair: what was asked.
        outcome: None: not reached.
    """

    result: QuestionResult
    pair: Pair
    outcome: Outcome | None

    @property
    def id(self) -> str:
        """The question's id."""
        return self.result.located.question.id

    @property
    def passed(self) -> bool | None:
        """The grade; None: ungraded, or not reached."""
        grade = None if self.outcome is None else self.outcome.grade
        return None if grade is None else grade.passed

    def metric(self, name: str) -> float:
        """A metric of the question; NaN where it has none."""
        return self.result.metrics.get(name, float("nan"))


@dataclass(frozen=True)
class JudgedVariant:
    """One configuration, judged.

    Attributes:
        lines: one a judged question, in the golden set's order.
        rate: share that passed of the questions graded in every configuration; None: no question.
        interval: its 95 % interval; None for fewer than two questions.
        metrics: means of recall, coverage and context_tokens over the same questions.
    """

    variant: Variant
    lines: tuple[Line, ...]
    rate: float | None
    interval: tuple[float, float] | None
    metrics: Mapping[str, float | None]

    def count(self, passed: bool | None) -> int:
        """Questions that passed (True), failed (False), or have no grade though reached (None)."""
        return sum(line.outcome is not None and line.passed is passed for line in self.lines)


@dataclass(frozen=True)
class RateDifference:
    """One configuration less another, over the questions graded in every configuration.

    Attributes:
        a: number of the one.
        b: number of the other.
        rate: pass rate of `b` less that of `a`.
        recall: the same of recall.
        grades: exact test on the questions whose grade differs.
        p_holm: its p-value, corrected for all pairs of configurations.
        settings: what differs between the two.
    """

    a: int
    b: int
    rate: Difference
    recall: Difference
    grades: McNemar
    p_holm: float
    settings: tuple[SettingChange, ...]


@dataclass(frozen=True)
class Disagreement:
    """A question on which judge and recall disagree.

    Attributes:
        variant: number of the configuration.
        kind: `passed without evidence`: no character of it was sent; `passed on a part`: some was,
            but no item whole; `failed with evidence`: every item was sent whole.
    """

    variant: int
    line: Line
    kind: Kind


@dataclass(frozen=True)
class Judgement:
    """All of it.

    Attributes:
        chosen: which questions were judged.
        variants: the configurations.
        common: places, among the judged questions, of those graded in every configuration.
        differences: every pair of configurations, earlier ones first.
        disagreements: configuration by configuration, in the questions' order.
        same_context: judged questions whose context is the same in every configuration.
        stopped: why some questions were not reached; empty when all were.
    """

    chosen: Chosen
    variants: tuple[JudgedVariant, ...]
    common: tuple[int, ...]
    differences: tuple[RateDifference, ...]
    disagreements: tuple[Disagreement, ...]
    same_context: int
    stopped: str = ""

    @property
    def grades(self) -> FloatArray:
        """1 for passed, 0 for failed: common questions x configurations."""
        return columns(self, lambda line: float(line.passed is True))

    @property
    def recalls(self) -> FloatArray:
        """Recall, in the same shape."""
        return columns(self, lambda line: line.metric("recall"))


def columns(judgement: Judgement, value: Callable[[Line], float]) -> FloatArray:
    """A number of each common question in each configuration: questions x configurations."""
    made = [[value(one.lines[row]) for one in judgement.variants] for row in judgement.common]
    return np.array(made, np.float64).reshape(len(judgement.common), len(judgement.variants))


def choose(
    questions: Sequence[LocatedQuestion], sample: int | None = None, seed: int = 0
) -> Chosen:
    """The measured questions with a reference answer, or so many of them drawn at random.

    Raises:
        InputError: when there is none, or the sample is less than 1.
    """
    if sample is not None and sample < 1:
        raise InputError(f"--sample: {sample} is not a number of questions; give at least 1")
    measured = [row for row, located in enumerate(questions) if located.measured]
    rows = [row for row in measured if (questions[row].question.answer or "").strip()]
    if not rows:
        raise InputError(
            f"golden set: none of its {len(questions)} questions ({len(measured)} measured) has an "
            'answer to grade against; write one in the field "answer"'
        )
    drawn = rows
    if sample is not None and sample < len(rows):
        drawn = sorted(random.Random(seed).sample(rows, sample))
    return Chosen(len(questions), len(measured), len(measured) - len(rows), tuple(drawn))


def judged(
    chosen: Chosen,
    variants: Sequence[Variant],
    outcomes: Mapping[Pair, Outcome],
    *,
    stopped: str = "",
    seed: int = 0,
) -> Judgement:
    """Pass rates, differences and disagreements of graded pairs.

    Args:
        chosen: the questions.
        variants: the configurations, run over the same questions.
        outcomes: by pair; pairs that were not reached are not in it.
        stopped: why some were not.
        seed: of the bootstrap.
    """
    lines = [
        tuple(
            Line(one.evaluation.questions[row], pair, outcomes.get(pair))
            for row in chosen.rows
            for pair in (one.pair(row),)
        )
        for one in variants
    ]
    common = tuple(
        place
        for place in range(len(chosen.rows))
        if all(own[place].passed is not None for own in lines)
    )
    grades = [np.array([float(own[place].passed is True) for place in common]) for own in lines]
    intervals = bootstrap_intervals(dict(enumerate(grades)), seed=seed) if common else {}
    made = tuple(
        JudgedVariant(
            variant=one,
            lines=own,
            rate=float(passed.mean()) if common else None,
            interval=intervals.get(number),
            metrics={
                name: _mean([own[place].metric(name) for place in common])
                for name in ("recall", "coverage", "context_tokens")
            },
        )
        for number, (one, own, passed) in enumerate(zip(variants, lines, grades, strict=True))
    )
    return Judgement(
        chosen=chosen,
        variants=made,
        common=common,
        differences=_differences(made, common, grades, seed),
        disagreements=tuple(
            Disagreement(number, line, kind)
            for number, own in enumerate(lines)
            for line in own
            if (kind := disagreement(line)) is not None
        ),
        same_context=sum(
            len({own[place].pair for own in lines}) == 1 for place in range(len(chosen.rows))
        ),
        stopped=stopped,
    )


def disagreement(line: Line) -> Kind | None:
    """How judge and recall disagree on a question; None where they do not, or nothing is known."""
    if line.passed is None:
        return None
    recall = line.metric("recall")
    if line.passed and recall == 0:
        return "passed on a part" if line.metric("coverage") > 0 else "passed without evidence"
    return "failed with evidence" if not line.passed and recall == 1 else None


def _differences(
    variants: Sequence[JudgedVariant],
    common: Sequence[int],
    grades: Sequence[FloatArray],
    seed: int,
) -> tuple[RateDifference, ...]:
    pairs = list(combinations(range(len(variants)), 2))
    if not common or not pairs:
        return ()
    recalls = [np.array([one.lines[place].metric("recall") for place in common])
               for one in variants]  # fmt: skip
    values = [grades[b] - grades[a] for a, b in pairs] + [recalls[b] - recalls[a] for a, b in pairs]
    found = differences(np.column_stack(values), seed=seed)
    tests = [mcnemar(grades[a] > 0, grades[b] > 0) for a, b in pairs]
    adjusted = holm([test.p for test in tests])
    return tuple(
        RateDifference(
            a=a,
            b=b,
            rate=found[number],
            recall=found[len(pairs) + number],
            grades=tests[number],
            p_holm=adjusted[number],
            settings=setting_changes(
                variants[a].variant.evaluation.configuration,
                variants[b].variant.evaluation.configuration,
            ),
        )
        for number, (a, b) in enumerate(pairs)
    )


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
