"""One run: a configuration measured on golden questions over a corpus."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.budget import BudgetCurve, budget_curve
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.evidence import EvidenceTable
from chunkscope.evaluation.geometry import ChunkGeometry, chunk_geometry
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.measure import Measured, Subject, measure, taken
from chunkscope.evaluation.metrics import FloatArray, find_holders
from chunkscope.evaluation.rankings import (
    Demand,
    Rankings,
    rank_question_blocks,
    rank_questions,
)
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.statistics import bootstrap_intervals
from chunkscope.evaluation.summary import summarise
from chunkscope.evaluation.verdicts import FullRanks, question_results
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.protocol import BlockRetriever, Matches
from chunkscope.retrieval.ranking import Ties, rank_of
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.warnings import corpus_warnings, place_warnings


def evaluate(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    *,
    cancel: CancelToken | None = None,
    intervals: bool = False,
    seed: int = 0,
    recall_budget: int | None = None,
) -> Evaluation:
    """Split, rank and measure, with a line a question.

    Args:
        index: the corpus.
        configuration: what to measure.
        questions: golden questions, located in this corpus.
        cancel: looked at between documents and questions.
        intervals: also draw bootstrap intervals.
        seed: of the bootstrap.
        recall_budget: tokens for `recall_at_budget`; None: the metric stays empty.

    Raises:
        InputError: for settings that cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    chunks = index.retrieved_set(configuration.splitter, configuration.enrich, cancel)
    subject = _subject(index, configuration, chunks, questions)
    table = subject.table
    holders = _holders(subject.geometry, table, len(questions))
    ranks: dict[tuple[int, int], int] = {}
    has_words: list[bool] = []

    def watch(row: int, matches: Matches) -> None:
        has_words.append(len(matches.chunks) > 0)
        found = rank_of(matches, holders[row], configuration.retriever.ties)
        for chunk, rank in zip(holders[row], found, strict=True):
            if rank is not None:
                ranks[row, chunk] = rank

    wanted = demand(configuration, recall_budget)
    rankings = rank_chunks(subject, questions, wanted, watch=watch, cancel=cancel)
    measured = measure(subject, rankings.of_rows(table.questions))
    evaluation = summarise(
        measured,
        questions,
        recall_budget=recall_budget,
        lines=question_results(measured, questions, rankings, FullRanks(ranks, has_words)),
        warnings=[
            *corpus_warnings(index.corpus, configuration.splitter),
            *place_warnings(chunks.indexed),
        ],
    )
    if intervals:
        drawn = bootstrap_intervals(evaluation.per_question, seed=seed)
        evaluation = replace(evaluation, intervals=drawn)
    return evaluation


def measure_only(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    *,
    cancel: CancelToken | None = None,
    recall_budget: int | None = None,
) -> Measured:
    """The numbers of the measured questions, without a line a question.

    Args:
        index: the corpus.
        configuration: what to measure.
        questions: golden questions, located in this corpus.
        cancel: looked at between documents and questions.
        recall_budget: rankings are kept deep enough for these tokens.
    """
    chunks = index.retrieved_set(configuration.splitter, configuration.enrich, cancel)
    subject = _subject(index, configuration, chunks, questions)
    wanted = demand(configuration, recall_budget)
    asked = _measured(subject, questions)
    return measure(subject, rank_chunks(subject, asked, wanted, cancel=cancel))


def budget_curve_of(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    budget: int,
    cancel: CancelToken | None = None,
) -> BudgetCurve:
    """Recall at budgets up to `budget`, and nothing else."""
    chunks = index.retrieved_set(configuration.splitter, configuration.enrich, cancel)
    subject = _subject(index, configuration, chunks, questions)
    rankings = rank_chunks(
        subject, _measured(subject, questions), demand(configuration, budget), cancel=cancel
    )
    holders = find_holders(subject.table, subject.geometry, rankings)
    return budget_curve(subject.table, rankings, holders, chunks.tokens)


def recall_only(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    chunks: ChunkSet,
    cancel: CancelToken | None = None,
) -> FloatArray:
    """Recall of each measured question over a chunk set, and nothing else: (m,)."""
    subject = _subject(index, configuration, chunks, questions)
    rankings = rank_chunks(
        subject, _measured(subject, questions), demand(configuration, None), cancel=cancel
    )
    holders = find_holders(subject.table, subject.geometry, rankings)
    limit = taken(rankings, chunks, configuration.retriever).taken[subject.table.item_question]
    found = subject.table.item_question[holders.item_rank < limit]
    return np.bincount(found, minlength=subject.table.rows) / subject.table.items_of


def _subject(
    index: CorpusIndex,
    configuration: Configuration,
    chunks: ChunkSet,
    questions: Sequence[LocatedQuestion],
) -> Subject:
    table = index.evidence(questions)
    return Subject(index, configuration, chunks, chunk_geometry(chunks), table)


def _measured(subject: Subject, questions: Sequence[LocatedQuestion]) -> list[LocatedQuestion]:
    return [questions[number] for number in subject.table.questions.tolist()]


def demand(configuration: Configuration, recall_budget: int | None) -> Demand:
    """How deep rankings must go to measure with these settings."""
    settings = configuration.retriever
    return Demand(
        cut=settings.k[0],
        budget=settings.budget,
        chunks=max(settings.k),
        tokens=recall_budget or 0,
    )


def rank_chunks(
    subject: Subject,
    questions: Sequence[LocatedQuestion],
    wanted: Demand,
    *,
    watch: Callable[[int, Matches], None] | None = None,
    cancel: CancelToken | None = None,
) -> Rankings:
    """Rank the chunks for every question, one row each."""
    settings = subject.configuration.retriever
    retriever = subject.index.retriever(settings, subject.chunks, cancel)
    texts = [located.question.question for located in questions]
    ties: Ties = settings.ties
    count, tokens = len(questions), subject.chunks.tokens
    if isinstance(retriever, BlockRetriever):
        return rank_question_blocks(
            retriever.blocks(texts),
            count=count,
            tokens=tokens,
            demand=wanted,
            ties=ties,
            watch=watch,
            cancel=cancel,
        )
    return rank_questions(
        retriever.match(texts),
        count=count,
        tokens=tokens,
        demand=wanted,
        ties=ties,
        watch=watch,
        cancel=cancel,
    )


def _holders(geometry: ChunkGeometry, table: EvidenceTable, count: int) -> list[list[int]]:
    """The chunks that hold an item of each of `count` questions whole."""
    place, chunk = geometry.holding(table.low, table.high)
    number = table.questions[table.place_question[place]]
    holders: list[set[int]] = [set() for _ in range(count)]
    for row, holder in zip(number.tolist(), chunk.tolist(), strict=True):
        holders[row].add(holder)
    return [sorted(chunks) for chunks in holders]
