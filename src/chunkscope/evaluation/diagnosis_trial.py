"""A configuration tried: which questions hit, and what that sends."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.geometry import chunk_geometry
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.measure import Subject, taken
from chunkscope.evaluation.metrics import find_holders
from chunkscope.evaluation.rankings import Demand, Rankings
from chunkscope.evaluation.run import rank_chunks
from chunkscope.golden.model import LocatedQuestion
from chunkscope.splitting.chunks import BoolArray, IntArray


@dataclass(frozen=True)
class Trial:
    """What one configuration does for the measured questions, in their order.

    Attributes:
        configuration: what was tried.
        hits: questions all of whose evidence items are whole in the chunks taken, shape (m,).
        tokens: tokens of the chunks taken for each question, shape (m,).
        index_tokens: tokens of all chunks as indexed.
    """

    configuration: Configuration
    hits: BoolArray
    tokens: IntArray
    index_tokens: int


@dataclass(frozen=True)
class Depth:
    """What each question needs of one ranking, whatever is taken of it.

    Attributes:
        needed: rank from 1 of the last chunk needed for a hit, shape (m,); 0 where the ranking,
            as deep as it goes, holds no hit.
        tokens: tokens of the chunks up to and with that rank, shape (m,); 0 where none.
    """

    needed: IntArray
    tokens: IntArray


def try_configuration(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    cancel: CancelToken | None = None,
) -> Trial:
    """Cut, rank and count hits; no other number is worked out.

    Raises:
        InputError: for settings that cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    settings = configuration.retriever
    demand = Demand(cut=settings.k[0], budget=settings.budget, chunks=settings.k[0])
    subject, rankings = _ranked(index, configuration, questions, demand, cancel)
    holders = find_holders(subject.table, subject.geometry, rankings)
    limit = taken(rankings, subject.chunks, settings).taken
    return Trial(
        configuration,
        _last_rank(subject, holders.item_rank) < limit,
        _tokens_at(rankings, subject.chunks.tokens, limit),
        int(subject.chunks.indexed.tokens.sum()),
    )


def try_depths(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    limits: Sequence[int],
    cancel: CancelToken | None = None,
) -> list[Trial]:
    """The configuration at other first cut-offs (or budgets, where it has one), ranked once.

    Args:
        index: the corpus.
        configuration: what is ranked with.
        questions: golden questions, located.
        limits: cut-offs in chunks, or budgets in tokens.
        cancel: looked at between documents and questions.
    """
    if not limits:
        return []
    subject, rankings = _deep(index, configuration, questions, max(limits), cancel)
    last = _last_rank(subject, find_holders(subject.table, subject.geometry, rankings).item_rank)
    trials = []
    for value in limits:
        deeper = with_depth(configuration, value)
        limit = taken(rankings, subject.chunks, deeper.retriever).taken
        tokens = _tokens_at(rankings, subject.chunks.tokens, limit)
        trials.append(Trial(deeper, last < limit, tokens, int(subject.chunks.indexed.tokens.sum())))
    return trials


def find_depth(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    limit: int,
    cancel: CancelToken | None = None,
) -> Depth:
    """How deep each question's hit lies, looked for down to `limit` chunks (or tokens)."""
    subject, rankings = _deep(index, configuration, questions, limit, cancel)
    last = _last_rank(subject, find_holders(subject.table, subject.geometry, rankings).item_rank)
    needed = np.where(last < rankings.counts, last + 1, 0)
    return Depth(needed, _tokens_at(rankings, subject.chunks.tokens, needed))


def with_depth(configuration: Configuration, value: int) -> Configuration:
    """The configuration with another first cut-off, or another budget where it has one."""
    settings = configuration.retriever
    if settings.budget:
        return replace(configuration, retriever=replace(settings, budget=value))
    others = tuple(k for k in settings.k[1:] if k > value)
    return replace(configuration, retriever=replace(settings, k=(value, *others)))


def _deep(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    limit: int,
    cancel: CancelToken | None,
) -> tuple[Subject, Rankings]:
    settings = configuration.retriever
    if settings.budget:
        demand = Demand(cut=settings.k[0], budget=limit)
    else:
        demand = Demand(cut=limit, chunks=limit)
    return _ranked(index, configuration, questions, demand, cancel)


def _ranked(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    demand: Demand,
    cancel: CancelToken | None,
) -> tuple[Subject, Rankings]:
    chunks = index.retrieved_set(configuration.splitter, configuration.enrich, cancel)
    table = index.evidence(questions)
    subject = Subject(index, configuration, chunks, chunk_geometry(chunks), table)
    asked = [questions[number] for number in table.questions.tolist()]
    return subject, rank_chunks(subject, asked, demand, cancel=cancel)


def _last_rank(subject: Subject, item_rank: IntArray) -> IntArray:
    """Rank from 0 of the last item that each question needs, shape (m,)."""
    if not len(item_rank):
        return np.zeros(0, np.int64)
    last: IntArray = np.maximum.reduceat(item_rank, subject.table.first_item)
    return last


def _tokens_at(rankings: Rankings, tokens: IntArray, limit: IntArray) -> IntArray:
    """Tokens of the first `limit` chunks of each ranking, shape (m,)."""
    before = rankings.tokens_before(tokens)
    if not before.shape[1]:
        return np.zeros(len(limit), np.int64)
    at = np.take_along_axis(before, np.maximum(limit - 1, 0)[:, None], axis=1)[:, 0]
    return np.where(limit > 0, at, 0)
