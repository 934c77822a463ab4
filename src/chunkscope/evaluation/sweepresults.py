"""What a sweep gives: its rows, how they compare, and the advice drawn from them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chunkscope.evaluation.configuration import Configuration, varied_settings
from chunkscope.evaluation.luck import Luck
from chunkscope.evaluation.metrics import FloatArray
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.statistics import RowComparison
from chunkscope.evaluation.sweepplan import SkippedConfiguration


@dataclass(frozen=True)
class SweepRow:
    """One configuration of a sweep.

    Attributes:
        evaluation: its numbers, without lines of questions.
        same_as: the earlier row whose chunk set is identical, or None.
        luck: recall over boundary phases, for the rows that were tried.
        saturated: its context is over a third of the corpus; it is never picked.
        one_chunk: no document has more than one chunk.
        varied: settings, as `section.key`, that tell it from the sweep's other rows.
    """

    evaluation: Evaluation
    same_as: int | None = None
    luck: Luck | None = None
    saturated: bool = False
    one_chunk: bool = False
    varied: tuple[str, ...] = ()

    @property
    def configuration(self) -> Configuration:
        """What was measured."""
        return self.evaluation.configuration

    @property
    def label(self) -> str:
        """The configuration in a few words, with whatever varies over the sweep."""
        return self.configuration.label_with(self.varied)

    @property
    def recall(self) -> float | None:
        """The recall a row is judged by: its mean over boundary phases where there is one."""
        return self.evaluation.metrics["recall"] if self.luck is None else self.luck.mean

    @property
    def judged_recall(self) -> FloatArray:
        """The same for each measured question, shape (m,)."""
        if self.luck is not None:
            return self.luck.per_question
        return self.evaluation.per_question["recall"]


@dataclass(frozen=True)
class Rule:
    """One rule of the advice that fired.

    Attributes:
        name: short and fixed.
        sentence: what it says, with its numbers.
        numbers: the numbers that fired it.
    """

    name: str
    sentence: str
    numbers: Mapping[str, float]


@dataclass(frozen=True)
class Advice:
    """Which row to take, and why.

    Attributes:
        pick: number of the row, or None: nothing can be advised.
        reasons: sentences for the pick, or for its absence.
        rules: every rule that fired.
        provisional: fewer questions were measured than a pick should rest on.
    """

    pick: int | None
    reasons: tuple[str, ...]
    rules: tuple[Rule, ...] = ()
    provisional: bool = False


@dataclass(frozen=True)
class Sweep:
    """The table.

    Attributes:
        rows: in the plan's order, those that were run.
        skipped: combinations that could not run.
        advice: what to take from it.
        comparison: the rows compared by recall, over `compared`; None with nothing measured.
        compared: numbers of the rows compared, each chunk set once.
        recall_budget: tokens of `recall_at_budget`, or None: nothing measured.
        stopped: it was called off before every row had run.
    """

    rows: tuple[SweepRow, ...]
    skipped: tuple[SkippedConfiguration, ...]
    advice: Advice
    comparison: RowComparison | None = None
    compared: tuple[int, ...] = field(default=())
    recall_budget: int | None = None
    stopped: bool = False

    @property
    def varied(self) -> tuple[str, ...]:
        """Settings, as `section.key`, that differ between the rows and no label tells."""
        configurations = [row.configuration for row in self.rows]
        return varied_settings(configurations + [left.configuration for left in self.skipped])
