"""Each question's line: verdict, what became of its evidence, and why, in one sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from chunkscope.evaluation.cutting import cut_sentence, nearest_cut
from chunkscope.evaluation.evidence import document_bases
from chunkscope.evaluation.measure import Measured
from chunkscope.evaluation.metrics import taken_union
from chunkscope.evaluation.rankings import Rankings
from chunkscope.evaluation.results import EvidenceOutcome, QuestionResult, Retrieved, Verdict
from chunkscope.golden.model import LocatedEvidence, LocatedQuestion, Place
from chunkscope.retrieval.registry import is_lexical, is_own, parts_of
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import IntArray


@dataclass(frozen=True)
class FullRanks:
    """Ranks in the full ranking of the chunks that hold evidence.

    Attributes:
        ranks: by (row of all questions, chunk), the rank from 1; absent where it does not match.
        has_words: whether any chunk matches each question at all.
    """

    ranks: Mapping[tuple[int, int], int]
    has_words: Sequence[bool]


def question_results(
    measured: Measured,
    questions: Sequence[LocatedQuestion],
    rankings: Rankings,
    full: FullRanks,
) -> tuple[QuestionResult, ...]:
    """One line a question, measured or not.

    Args:
        measured: the numbers of the measured questions.
        questions: all questions.
        rankings: rankings of all questions.
        full: ranks beyond the rankings' depth.
    """
    builder = _Builder(measured, rankings, full)
    rows = {number: row for row, number in enumerate(measured.subject.table.questions.tolist())}
    return tuple(
        builder.measured(number, rows[number], located)
        if number in rows
        else builder.unmeasured(number, located)
        for number, located in enumerate(questions)
    )


class _Builder:
    def __init__(self, measured: Measured, rankings: Rankings, full: FullRanks) -> None:
        self._measured = measured
        self._rankings = rankings
        self._full = full
        self._chunks = measured.subject.chunks
        self._bases = document_bases(self._chunks.corpus).tolist()
        table, geometry = measured.subject.table, measured.subject.geometry
        union = taken_union(geometry, measured.rankings, measured.cut)
        self._covered = union.covered(table.place_question, table.low, table.high)
        place, chunk = geometry.holding(table.low, table.high)
        self._holders: dict[int, list[int]] = {}
        for number, holder in zip(place.tolist(), chunk.tolist(), strict=True):
            self._holders.setdefault(number, []).append(holder)
        names = list(measured.per_question)
        columns = [measured.per_question[name].tolist() for name in names]
        self._metrics = [
            {name: value for name, value in zip(names, values, strict=True) if not np.isnan(value)}
            for values in zip(*columns, strict=True)
        ]

    def unmeasured(self, number: int, located: LocatedQuestion) -> QuestionResult:
        verdict: Verdict = "unanswerable" if located.unanswerable else "unmeasured"
        reason = (
            "the golden set says that the corpus holds no answer"
            if located.unanswerable
            else _missing_sentence(located.items)
        )
        retrieved = self._retrieved(number)
        return QuestionResult(
            located=located,
            verdict=verdict,
            reason=reason,
            rank=None,
            retrieved=retrieved,
            context=self._context(number),
            metrics={},
            outcomes=tuple(
                EvidenceOutcome("unmeasured", False, None, None, 0.0) for _ in located.items
            ),
            recall_range=(0.0, 0.0),
        )

    def measured(self, number: int, row: int, located: LocatedQuestion) -> QuestionResult:
        first = int(self._measured.subject.table.first_item[row])
        context = int(self._measured.cut.taken[row])
        outcomes = tuple(
            self._outcome(number, first + offset, item, context)
            for offset, item in enumerate(located.items)
        )
        ranks = [outcome.rank for outcome in outcomes if outcome.rank is not None]
        rank = min(ranks) if ranks else None
        whole = sum(outcome.state == "whole" for outcome in outcomes)
        verdict: Verdict
        if whole == len(outcomes):
            verdict = "hit"
        elif whole:
            verdict = "partial"
        elif all(outcome.state == "cut" for outcome in outcomes):
            verdict = "split"
        else:
            verdict = "missed"
        return QuestionResult(
            located=located,
            verdict=verdict,
            reason=self._reason(verdict, outcomes, located, number),
            rank=rank,
            retrieved=self._retrieved(number),
            context=context,
            metrics=self._metrics[row],
            outcomes=outcomes,
            recall_range=(
                float(self._measured.recall_low[row]),
                float(self._measured.recall_high[row]),
            ),
        )

    def _retrieved(self, number: int) -> tuple[Retrieved, ...]:
        settings = self._measured.subject.configuration.retriever
        depth = max(*settings.k, self._context(number))
        count = min(depth, int(self._rankings.counts[number]))
        return tuple(
            Retrieved(chunk, score)
            for chunk, score in zip(
                self._rankings.chunks[number, :count].tolist(),
                self._rankings.scores[number, :count].tolist(),
                strict=True,
            )
        )

    def _context(self, number: int) -> int:
        settings = self._measured.subject.configuration.retriever
        if not settings.budget:
            return min(settings.k[0], int(self._rankings.counts[number]))
        return int(self._fitting[number])

    @cached_property
    def _fitting(self) -> IntArray:
        budget = self._measured.subject.configuration.retriever.budget
        return self._rankings.fitting(self._chunks.tokens, budget)

    def _outcome(
        self, number: int, item: int, located: LocatedEvidence, context: int
    ) -> EvidenceOutcome:
        table = self._measured.subject.table
        first = int(table.first_place[item])
        places = [place for place in located.places if self._known(place)]
        numbers = range(first, first + len(places))
        best = max(numbers, key=lambda place: (self._share(place), -place))
        ranked = [
            (there, chunk, place)
            for place in numbers
            for chunk in self._holders.get(place, [])
            if (there := self._full.ranks.get((number, chunk))) is not None
        ]
        held = [(chunk, place) for place in numbers for chunk in self._holders.get(place, [])]
        rank: int | None = None
        chunk: int | None = None
        shown = best
        cuts: tuple[int, ...] = ()
        if ranked:
            rank, chunk, shown = min(ranked)
        elif held:
            chunk, shown = min(held)
        state: Literal["whole", "cut", "not retrieved"]
        state = "whole" if rank is not None and rank <= context else "not retrieved"
        if not held:
            state = "cut"
            place = places[best - first]
            cuts = nearest_cut(self._chunks, place).boundaries
        return EvidenceOutcome(
            state=state,
            edge_cut=bool(self._measured.edge_cut[item]),
            rank=rank,
            chunk=chunk,
            coverage=self._share(best),
            place=places[shown - first],
            cuts=cuts,
        )

    def _known(self, place: Place) -> bool:
        return self._chunks.corpus.position(place.doc) is not None

    def _share(self, place: int) -> float:
        table = self._measured.subject.table
        length = int(table.high[place] - table.low[place])
        return int(self._covered[place]) / length if length else 0.0

    def _reason(
        self,
        verdict: Verdict,
        outcomes: Sequence[EvidenceOutcome],
        located: LocatedQuestion,
        number: int,
    ) -> str:
        several = len(outcomes) > 1
        if verdict == "hit":
            return _hit_sentence(outcomes)
        worst = next(
            (position, outcome)
            for wanted in ("cut", "not retrieved")
            for position, outcome in enumerate(outcomes)
            if outcome.state == wanted
        )
        sentence = self._item_sentence(worst[1], number)
        if not several:
            return sentence
        whole = sum(outcome.state == "whole" for outcome in outcomes)
        return (
            f"{whole} of {len(outcomes)} evidence items are whole; item {worst[0] + 1}: {sentence}"
        )

    def _item_sentence(self, outcome: EvidenceOutcome, number: int) -> str:
        assert outcome.place is not None
        if outcome.state == "cut":
            return cut_sentence(self._chunks, outcome.place, edge=outcome.edge_cut)
        settings = self._measured.subject.configuration.retriever
        if not self._full.has_words[number]:
            return _nothing_sentence(settings)
        if outcome.rank is None:
            return _unranked_sentence(settings)
        holder = f"first holder stands at rank {outcome.rank}"
        if settings.budget:
            outranked = "outranked: " if outcome.rank > 1 else ""
            return f"{outranked}{holder}, past the budget of {settings.budget} tokens"
        return f"outranked: {holder}, k is {settings.k[0]}"


def _nothing_sentence(settings: RetrieverSettings) -> str:
    """Why a question retrieves nothing at all."""
    kinds = parts_of(settings)
    if all(map(is_lexical, kinds)):
        return f"no query word in the corpus{_left_out(settings)}"
    if any(map(is_own, kinds)):
        return "the retriever gave nothing"
    return "no vector of the question"


def _unranked_sentence(settings: RetrieverSettings) -> str:
    """Why a chunk has no rank."""
    kinds = parts_of(settings)
    if settings.rerank != "none":
        return f"its chunk is not among the {settings.rerank_depth} that were ranked anew"
    if all(map(is_lexical, kinds)):
        return f"no query word in the chunk that holds it{_left_out(settings)}"
    if any(map(is_own, kinds)):
        return "the retriever did not give the chunk that holds it"
    return "no vector in the chunk that holds it"


def _left_out(settings: RetrieverSettings) -> str:
    return "" if settings.stop_words == "none" else ", stop words left out"


def _hit_sentence(outcomes: Sequence[EvidenceOutcome]) -> str:
    ranks = sorted({outcome.rank for outcome in outcomes if outcome.rank is not None})
    named = ", ".join(str(rank) for rank in ranks)
    if len(outcomes) == 1:
        return f"whole in the chunk at rank {named}"
    if len(ranks) == 1:
        return f"all {len(outcomes)} evidence items are whole in the chunk at rank {named}"
    return f"all {len(outcomes)} evidence items are whole, in the chunks at ranks {named}"


def _missing_sentence(items: Sequence[LocatedEvidence]) -> str:
    missing = [position + 1 for position, item in enumerate(items) if not item.places]
    if len(items) == 1:
        return "its evidence was not found in the corpus"
    named = ", ".join(str(position) for position in missing)
    noun = "item" if len(missing) == 1 else "items"
    return f"evidence {noun} {named} of {len(items)} not found in the corpus"
