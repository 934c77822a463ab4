"""One configuration measured: rankings and every metric, as arrays over the questions."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from chunkscope.evaluation.budget import BudgetCurve, budget_curve
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.context import UniqueTokens, context_metrics
from chunkscope.evaluation.evidence import EvidenceTable
from chunkscope.evaluation.geometry import ChunkGeometry
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.metrics import (
    CutOff,
    FloatArray,
    Holders,
    Relevance,
    best_places,
    cover_metrics,
    distractors,
    find_holders,
    find_relevance,
    rank_metrics,
    set_metrics,
    taken_union,
)
from chunkscope.evaluation.rankings import Rankings
from chunkscope.evaluation.termcoverage import TermCoverage
from chunkscope.evaluation.ties import recall_ranges
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import BoolArray, ChunkSet
from chunkscope.text.tokens import get_token_counter

RANK_METRICS = (
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
    "context_tokens",
    "context_words",
    "redundancy",
    "distractors",
)
"""Metrics that are also given at every cut-off, as `recall@5`.

`context_unique_tokens` is not among them: it is dear to recount, and says little beside
`redundancy@5`.
"""


@dataclass(frozen=True)
class Subject:
    """What is measured: the chunks of a configuration against the evidence.

    Attributes:
        index: the corpus.
        configuration: what the chunks are made with and ranked by.
        chunks: the chunk set.
        geometry: its ranges.
        table: the evidence of the measured questions.
    """

    index: CorpusIndex
    configuration: Configuration
    chunks: ChunkSet
    geometry: ChunkGeometry
    table: EvidenceTable


@dataclass(frozen=True)
class Measured:
    """What was found for the measured questions; rows are those of the evidence table.

    Attributes:
        subject: what was measured.
        rankings: the chunks ranked for each row.
        cut: what is taken by the first cut-off, or the budget.
        holders: which ranked chunks hold evidence.
        relevance: what the chunk set holds at all.
        edge_cut: items that lose only white space or punctuation, shape (i,).
        per_question: metrics by name, each of shape (m,).
        recall_low: lowest recall over the orders of tied chunks, shape (m,).
        recall_high: the highest.
    """

    subject: Subject
    rankings: Rankings
    cut: CutOff
    holders: Holders
    relevance: Relevance
    edge_cut: BoolArray
    per_question: Mapping[str, FloatArray]
    recall_low: FloatArray
    recall_high: FloatArray

    @property
    def curve(self) -> BudgetCurve:
        """Recall at any token budget that the rankings reach."""
        subject = self.subject
        return budget_curve(subject.table, self.rankings, self.holders, subject.chunks.tokens)


def cut_offs(settings: RetrieverSettings) -> tuple[int, ...]:
    """The cut-offs in their order, each once."""
    return tuple(dict.fromkeys(settings.k))


def measure(subject: Subject, rankings: Rankings) -> Measured:
    """Every metric; `rankings` has one row a measured question."""
    settings = subject.configuration.retriever
    table, geometry = subject.table, subject.geometry
    holders = find_holders(table, geometry, rankings)
    relevance = find_relevance(table, geometry)
    edge_cut = _edge_cuts(table, geometry, relevance)
    first = taken(rankings, subject.chunks, settings)
    deepest = max(*settings.k, int(first.taken.max(initial=0)))
    measurer = _Measurer(subject, rankings, holders, relevance, deepest)
    per_question = measurer.at(first)
    at_cut_off: dict[str, FloatArray] = {}
    for k in cut_offs(settings):
        same = k == settings.k[0] and not settings.budget
        values = per_question if same else measurer.at(cut_at(rankings, k))
        at_cut_off |= {f"{name}@{k}": values[name] for name in RANK_METRICS}
    unique = measurer.unique_tokens(first, per_question["context_tokens"])
    set_values = {"context_unique_tokens": unique}
    set_values |= set_metrics(table, geometry, relevance, edge_cut)
    weights = subject.chunks.tokens if settings.budget else None
    low, high = recall_ranges(table, geometry, rankings.ties, per_question["recall"], weights)
    return Measured(
        subject=subject,
        rankings=rankings,
        cut=first,
        holders=holders,
        relevance=relevance,
        edge_cut=edge_cut,
        per_question=per_question | set_values | at_cut_off,
        recall_low=low,
        recall_high=high,
    )


def cut_at(rankings: Rankings, k: int) -> CutOff:
    """The first k chunks of each ranking."""
    k = min(k, int(np.iinfo(np.int64).max))
    return CutOff(np.minimum(rankings.counts, k), np.full(len(rankings.counts), k, np.int64))


def taken(rankings: Rankings, chunks: ChunkSet, settings: RetrieverSettings) -> CutOff:
    """What the first cut-off, or the budget, takes of each ranking."""
    if not settings.budget:
        return cut_at(rankings, settings.k[0])
    fitting = rankings.fitting(chunks.tokens, settings.budget)
    # A ranking that ends within the budget could have held any number of chunks more.
    ended = rankings.complete & (fitting >= rankings.counts)
    return CutOff(fitting, np.where(ended, len(chunks), fitting).astype(np.int64))


class _Measurer:
    """Measures one set of rankings at several cut-offs."""

    def __init__(
        self,
        subject: Subject,
        rankings: Rankings,
        holders: Holders,
        relevance: Relevance,
        deepest: int,
    ) -> None:
        self._subject = subject
        self._rankings = rankings
        self._holders = holders
        self._relevance = relevance
        index, chunks = subject.index, subject.chunks
        self._words = index.space_word_counts(chunks)
        counter = get_token_counter(subject.configuration.splitter.encoding)
        self._unique = UniqueTokens(chunks, subject.geometry, counter)
        settings = subject.configuration.retriever
        self._term_coverage = TermCoverage(
            subject.table,
            rankings,
            index.evidence_words(subject.table, settings.words),
            index.words(settings.words).chunk_words(chunks),
            deepest=deepest,
        )

    def unique_tokens(self, cut: CutOff, context_tokens: FloatArray) -> FloatArray:
        """context_unique_tokens."""
        union = taken_union(self._subject.geometry, self._rankings, cut)
        return self._unique.count(self._rankings, cut, union, context_tokens)

    def at(self, cut: CutOff) -> dict[str, FloatArray]:
        """Every metric that depends on the cut-off."""
        table, geometry, rankings = self._subject.table, self._subject.geometry, self._rankings
        union = taken_union(geometry, rankings, cut)
        by_place = union.covered(table.place_question, table.low, table.high)
        place = best_places(table, by_place)
        values = rank_metrics(table, self._holders, self._relevance, cut)
        values |= cover_metrics(
            table, union, self._holders, cut=cut, by_place=by_place, place=place
        )
        values["term_coverage"] = self._term_coverage.at(cut, values["recall"], place)
        values |= context_metrics(rankings, cut, self._subject.chunks.tokens, self._words)
        values["distractors"] = distractors(table, geometry, rankings, cut)
        return values


def _edge_cuts(table: EvidenceTable, geometry: ChunkGeometry, relevance: Relevance) -> BoolArray:
    index, _ = geometry.holding(table.core_low, table.core_high)
    near = np.zeros(len(table.item_question), np.bool_)
    near[table.place_item[index]] = True
    return near & ~relevance.item_held
