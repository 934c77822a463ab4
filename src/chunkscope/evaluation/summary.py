"""From arrays over questions to one `Evaluation`: means, deviations, counts, warnings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.geometry import ChunkGeometry, chunk_geometry
from chunkscope.evaluation.measure import (
    RANK_METRICS,
    Measured,
    Subject,
    cut_offs,
)
from chunkscope.evaluation.metrics import FloatArray
from chunkscope.evaluation.results import (
    ChunkStatistics,
    Evaluation,
    GoldenCounts,
    QuestionResult,
)
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.protocol import truncations_of
from chunkscope.splitting.chunks import BoolArray, ChunkSet
from chunkscope.splitting.registry import get_splitter

METRICS = (
    "recall",
    "full_recall",
    "coverage",
    "joint_recall",
    "term_coverage",
    "hit_rate",
    "mrr",
    "ndcg",
    "precision",
    "iou",
    "precision_omega",
    "context_tokens",
    "context_words",
    "context_unique_tokens",
    "context_nominal",
    "split_rate",
    "edge_cuts",
    "redundancy",
    "distractors",
    "recall_at_budget",
    "recall_luck",
    "index_overhead",
)
"""Every metric by name, in the order of reports; those of `RANK_METRICS` follow at every k."""


def metric_names(configuration: Configuration) -> tuple[str, ...]:
    """Every metric a run of this configuration has."""
    at_cut_off = [f"{name}@{k}" for k in cut_offs(configuration.retriever) for name in RANK_METRICS]
    return (*METRICS, *at_cut_off)


def summarise(
    measured: Measured,
    questions: Sequence[LocatedQuestion],
    *,
    recall_budget: int | None = None,
    lines: tuple[QuestionResult, ...] = (),
    warnings: Sequence[str] = (),
) -> Evaluation:
    """The run as one value; intervals are not drawn yet.

    Args:
        measured: arrays over the measured questions.
        questions: all questions.
        recall_budget: tokens for `recall_at_budget`; None: the metric stays empty.
        lines: one a question, or none.
        warnings: sentences that come before the run's own.
    """
    subject = measured.subject
    per_question = dict(measured.per_question)
    rows = subject.table.questions.tolist()
    names = metric_names(subject.configuration)
    metrics = means(per_question, names)
    if rows:
        metrics["context_nominal"] = nominal_context(subject.configuration)
        metrics["index_overhead"] = _overhead(measured)
    types = rows_of_type([questions[row].question.type for row in rows])
    evaluation = Evaluation(
        configuration=subject.configuration,
        chunks=subject.chunks,
        statistics=_statistics(subject),
        questions=lines,
        metrics=metrics,
        sd=deviations(per_question, names),
        recall_range=(
            (float(measured.recall_low.mean()), float(measured.recall_high.mean()))
            if rows
            else (None, None)
        ),
        by_type={
            name: means({key: values[mask] for key, values in per_question.items()}, names)
            for name, mask in types.items()
        },
        warnings=(*warnings, *_warnings(measured, questions)),
        counts=_counts(questions, len(rows)),
        measured=tuple(questions[row].question.id for row in rows),
        per_question=per_question,
        corpus_tokens=subject.index.tokens(subject.configuration.splitter.encoding),
        rows_of_type=types,
    )
    if recall_budget is None or not rows:
        return evaluation
    values = measured.curve.recall(subject.table, recall_budget)
    return with_recall_at_budget(evaluation, values, recall_budget)


def with_recall_at_budget(evaluation: Evaluation, values: FloatArray, budget: int) -> Evaluation:
    """The run with `recall_at_budget`; questions without a value are counted in a warning.

    Args:
        evaluation: the run.
        values: recall of each measured question, NaN where nothing fits, shape (m,).
        budget: the tokens.
    """
    name = "recall_at_budget"
    by_type = {
        kind: {**found, name: _mean(values[evaluation.rows_of_type[kind]])}
        for kind, found in evaluation.by_type.items()
    }
    nothing = int(np.isnan(values).sum())
    warnings = evaluation.warnings
    if nothing:
        warnings += (
            f"{name}: not even the first chunk fits {budget} tokens in {nothing} "
            f"question{'s' * (nothing != 1)}; they are left out of it",
        )
    return replace(
        evaluation,
        metrics={**evaluation.metrics, name: _mean(values)},
        sd={**evaluation.sd, **deviations({name: values}, [name])},
        by_type=by_type,
        per_question={**evaluation.per_question, name: values},
        warnings=warnings,
    )


def means(per_question: Mapping[str, FloatArray], names: Sequence[str]) -> dict[str, float | None]:
    """Mean of each metric over the questions that have a value; None where none has."""
    return {name: _mean(per_question.get(name)) for name in names}


def deviations(
    per_question: Mapping[str, FloatArray], names: Sequence[str]
) -> dict[str, float | None]:
    """Population standard deviation of each metric over the questions that have a value."""
    found: dict[str, float | None] = {}
    for name in names:
        values = _valued(per_question.get(name))
        found[name] = None if values is None else float(values.std())
    return found


def _statistics(subject: Subject) -> ChunkStatistics:
    """Counts of what is indexed: of the children where parents are returned."""
    indexed = subject.chunks.indexed
    geometry = subject.geometry if indexed is subject.chunks else chunk_geometry(indexed)
    return chunk_statistics(indexed, geometry)


def chunk_statistics(chunks: ChunkSet, geometry: ChunkGeometry) -> ChunkStatistics:
    """Counts over a chunk set."""
    count = len(chunks)
    return ChunkStatistics(
        count=count,
        mean_tokens=float(chunks.tokens.mean()) if count else None,
        max_tokens=int(chunks.tokens.max(initial=0)),
        total_tokens=int(chunks.tokens.sum()),
        oversize=int(np.count_nonzero(chunks.oversize)),
        altered=sum(len(cuts.altered) for cuts in chunks.cuts),
        uncovered_characters=chunks.corpus.characters - geometry.union_length,
    )


def _mean(values: FloatArray | None) -> float | None:
    kept = _valued(values)
    return None if kept is None else float(kept.mean())


def _valued(values: FloatArray | None) -> FloatArray | None:
    if values is None:
        return None
    kept = values[~np.isnan(values)]
    return kept if len(kept) else None


def nominal_context(configuration: Configuration) -> float | None:
    """The nominal k × size, in the splitter's unit: the parents' size where they are returned.

    None under a budget, and where sections are returned: no number is fixed.
    """
    settings, parent = configuration.retriever, configuration.enrich.parent
    if settings.budget or parent == "section":
        return None
    size = configuration.splitter.size if parent == "none" else int(parent)
    return float(settings.k[0] * size)


def _overhead(measured: Measured) -> float | None:
    subject = measured.subject
    tokens = subject.index.tokens(subject.configuration.splitter.encoding)
    return float(subject.chunks.indexed.tokens.sum()) / tokens if tokens else None


def rows_of_type(types: Sequence[str | None]) -> dict[str, BoolArray]:
    """Which rows bear each type, in order of first appearance."""
    names = [name for name in dict.fromkeys(types) if name is not None]
    return {name: np.array([one == name for one in types], np.bool_) for name in names}


def _counts(questions: Sequence[LocatedQuestion], measured: int) -> GoldenCounts:
    unanswerable = sum(located.unanswerable for located in questions)
    return GoldenCounts(
        questions=len(questions),
        measured=measured,
        unmeasured=len(questions) - measured - unanswerable,
        unanswerable=unanswerable,
    )


def _warnings(
    measured: Measured,
    questions: Sequence[LocatedQuestion],
) -> list[str]:
    chunks, settings = measured.subject.chunks, measured.subject.configuration.retriever
    warnings = []
    count = len(chunks)
    clamped = [k for k in cut_offs(settings) if k > count]
    if clamped and not settings.budget:
        named = ", ".join(str(k) for k in clamped)
        warnings.append(f"k: {named} clamped to {count}, the number of chunks there are")
    if count and len(chunks.corpus.documents) > 1 and int(np.diff(chunks.first).max()) == 1:
        warnings.append(
            "one chunk a document: size is not what decides here, whole documents are ranked"
        )
    if count and settings.budget and settings.budget < int(chunks.tokens.min()):
        warnings.append(
            f"budget: {settings.budget} tokens hold no chunk, the smallest has "
            f"{int(chunks.tokens.min())}; nothing is retrieved"
        )
    elif settings.budget:
        nothing = (measured.rankings.counts > 0) & (measured.cut.taken == 0)
        if empty := int(np.count_nonzero(nothing)):
            warnings.append(
                f"budget: not even the first chunk fits {settings.budget} tokens in {empty} of "
                f"{len(nothing)} questions; nothing is retrieved for them"
            )
    counts = _counts(questions, measured.subject.table.rows)
    if counts.unmeasured:
        warnings.append(
            f"{counts.unmeasured} of {counts.questions} questions unmeasured: their evidence was "
            "not found in the corpus; they are in no mean"
        )
    crossing = int(np.count_nonzero(measured.recall_low < measured.recall_high))
    if crossing:
        low, high = float(measured.recall_low.mean()), float(measured.recall_high.mean())
        warnings.append(
            f"a tie crosses the cut-off in {crossing} question{'s' * (crossing != 1)}: "
            f"recall could have been {low:.3f} to {high:.3f}"
        )
    indexed = chunks.indexed
    retriever = measured.subject.index.retriever(settings, chunks)
    warnings += [
        f"{one.chunks} of {len(indexed)} chunks are longer than the {one.limit} tokens that "
        f"{one.model} reads: it cuts off what comes after them"
        for one in truncations_of(retriever)
    ]
    oversize = int(np.count_nonzero(indexed.oversize))
    kind = measured.subject.configuration.splitter.kind
    return warnings + oversize_warnings(oversize, len(indexed), indexed.size_limit, kind)


def oversize_warnings(oversize: int, count: int, size: int, kind: str) -> list[str]:
    """The sentence on chunks that are longer than asked for, if there are any."""
    if not oversize:
        return []
    why = "no separator fits inside them"
    if "size" not in get_splitter(kind).uses:
        why = f"splitter {kind!r} does not use it"
    return [f"{oversize} of {count} chunks are longer than size {size}: {why}"]
