"""The baseline: one run's numbers, pinned, against which later ones are shown."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.results import Evaluation

if TYPE_CHECKING:
    from chunkscope.evaluation.statistics import Difference
    from chunkscope.tui.session import Variant


@dataclass(frozen=True, eq=False)
class Baseline:
    """A run as it was when it was pinned.

    Attributes:
        configuration: what was measured.
        corpus: the corpus's fingerprint.
        chunks: how many chunks there were.
        metrics: means by metric; None where nothing was measured.
        questions: ids of the measured questions.
        values: each metric of each of them; NaN where a question has none.
    """

    configuration: Configuration
    corpus: str
    chunks: int
    metrics: Mapping[str, float | None]
    questions: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]


def pin(run: Evaluation, corpus: str, names: Collection[str]) -> Baseline:
    """The numbers of a run, kept; question by question those of these names."""
    values = {
        name: tuple(column.tolist()) for name, column in run.per_question.items() if name in names
    }
    return Baseline(
        run.configuration, corpus, run.statistics.count, dict(run.metrics), run.measured, values
    )


def all_against(
    runs: "Mapping[Variant, Evaluation]", baseline: Baseline | None
) -> "dict[Variant, dict[str, Difference]]":
    """Every run less the baseline; nothing where none is pinned."""
    if baseline is None:
        return {}
    return {variant: against(run, baseline) for variant, run in runs.items()}


def against(run: Evaluation, baseline: Baseline) -> "dict[str, Difference]":
    """A run less the baseline, by metric, paired over the questions measured in both."""
    from chunkscope.evaluation.statistics import differences

    row_of = {question: row for row, question in enumerate(baseline.questions)}
    pairs = [(row, row_of[name]) for row, name in enumerate(run.measured) if name in row_of]
    names = [name for name in run.per_question if name in baseline.values]
    if not pairs or not names:
        return {}
    now, before = (np.array(rows, np.int64) for rows in zip(*pairs, strict=True))
    columns = [
        run.per_question[name][now] - np.array(baseline.values[name], np.float64)[before]
        for name in names
    ]
    found = differences(np.column_stack(columns))
    return dict(zip(names, found, strict=True))


def caveats(baseline: Baseline, run: Evaluation, corpus: str) -> list[str]:
    """Why differences to the baseline may have other causes than the settings."""
    said = []
    if baseline.corpus != corpus:
        said.append("baseline: the documents are not those it was pinned on")
    before, now = baseline.configuration.retriever, run.configuration.retriever
    if (before.k[0], before.budget) != (now.k[0], now.budget):
        what = f"a budget of {before.budget}" if before.budget else f"k {before.k[0]}"
        said.append(f"baseline: pinned with {what}, which is not in use now")
    common = len(set(baseline.questions).intersection(run.measured))
    if common < max(len(baseline.questions), len(run.measured)):
        said.append(
            f"baseline: {common} questions are measured in both, of {len(baseline.questions)} "
            f"then and {len(run.measured)} now"
        )
    return said


def to_mapping(baseline: Baseline) -> dict[str, Any]:
    """What is written to the file of sessions."""
    return {
        "configuration": baseline.configuration.to_mapping(),
        "corpus": baseline.corpus,
        "chunks": baseline.chunks,
        "metrics": dict(baseline.metrics),
        "questions": list(baseline.questions),
        "values": {
            name: [None if np.isnan(value) else value for value in column]
            for name, column in baseline.values.items()
        },
    }


def from_mapping(mapping: object) -> Baseline | None:
    """The baseline of a file; None where it is of no use."""
    from chunkscope.evaluation.configfile import configuration_from_mapping

    if not isinstance(mapping, dict):
        return None
    try:
        configuration = configuration_from_mapping(mapping["configuration"], "session")
        questions = tuple(str(each) for each in mapping["questions"])
        values = {str(name): _column(column) for name, column in mapping["values"].items()}
        metrics = {
            str(name): None if value is None else float(value)
            for name, value in mapping["metrics"].items()
        }
        corpus, chunks = str(mapping["corpus"]), int(mapping["chunks"])
    except (ChunkscopeError, KeyError, TypeError, ValueError, AttributeError):
        return None
    if any(len(column) != len(questions) for column in values.values()):
        return None
    return Baseline(configuration, corpus, chunks, metrics, questions, values)


def _column(values: Sequence[float | None]) -> tuple[float, ...]:
    return tuple(float("nan") if value is None else float(value) for value in values)
