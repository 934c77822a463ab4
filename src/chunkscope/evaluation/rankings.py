"""The chunks of each question in ranked order, as one table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.protocol import Matches
from chunkscope.retrieval.ranking import Ties, rank_matches
from chunkscope.splitting.chunks import IntArray

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Demand:
    """What is taken of each ranking, and how deep it is needed.

    Attributes:
        cut: the first cut-off, in chunks; ties are looked for there.
        budget: tokens taken in place of the cut-off; 0: none.
        chunks: at least that many ranks are kept.
        tokens: and so many ranks that their tokens exceed this; 0: no such demand.
    """

    cut: int
    budget: int = 0
    chunks: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Tie:
    """Chunks of one score among which the order alone decides who is taken.

    Attributes:
        certain: chunks with a higher score, taken in any order, shape (c,).
        tied: the chunks of that score, more than there is room for, shape (t,).
        room: chunks (or tokens, under a budget) left for them.
    """

    certain: IntArray
    tied: IntArray
    room: int


@dataclass(frozen=True)
class Rankings:
    """The first ranks of every question.

    Attributes:
        chunks: chunk numbers in ranked order, -1 past the end of a ranking: (m, depth).
        scores: their scores, NaN past the end of a ranking: (m, depth).
        counts: ranks that are filled, shape (m,).
        totals: chunks that match at all, shape (m,).
        ties: by row, the tie that crosses the first cut-off (or the budget), where there is one.
    """

    chunks: IntArray
    scores: FloatArray
    counts: IntArray
    totals: IntArray
    ties: Mapping[int, Tie] = field(default_factory=dict)

    @property
    def complete(self) -> npt.NDArray[np.bool_]:
        """Whether every match of a question stands in the table, shape (m,)."""
        return self.counts >= self.totals

    def of_rows(self, rows: IntArray) -> "Rankings":
        """The rankings of these rows only, renumbered from 0."""
        number = {row: position for position, row in enumerate(rows.tolist())}
        return Rankings(
            self.chunks[rows],
            self.scores[rows],
            self.counts[rows],
            self.totals[rows],
            {number[row]: tie for row, tie in self.ties.items() if row in number},
        )

    def tokens_before(self, tokens: IntArray) -> IntArray:
        """Tokens of the chunks up to and with each rank: (m, depth)."""
        if not len(tokens):
            return np.zeros(self.chunks.shape, np.int64)
        filled = np.where(self.chunks >= 0, tokens[np.maximum(self.chunks, 0)], 0)
        return np.cumsum(filled, axis=1)

    def fitting(self, tokens: IntArray, budget: int) -> IntArray:
        """Chunks taken in rank order until the next would exceed `budget` tokens: (m,)."""
        filled = np.arange(self.chunks.shape[1]) < self.counts[:, None]
        fitting: IntArray = ((self.tokens_before(tokens) <= budget) & filled).sum(axis=1)
        return fitting

    def reaches(self, tokens: IntArray, budget: int) -> bool:
        """Whether the table is deep enough to know what fits `budget` for every question."""
        totals = self.tokens_before(tokens)
        last = totals[:, -1] if totals.shape[1] else np.zeros(len(totals), np.int64)
        return bool(np.all(self.complete | (last > budget)))


def rank_questions(
    matches: Iterable[Matches],
    *,
    count: int,
    tokens: IntArray,
    demand: Demand,
    ties: Ties,
    watch: Callable[[int, Matches], None] | None = None,
    cancel: CancelToken | None = None,
) -> Rankings:
    """Rank the matches of `count` questions.

    Args:
        matches: one value a question.
        count: number of questions.
        tokens: tokens of each chunk, shape (n,).
        demand: how deep.
        ties: `earlier` or `later`.
        watch: shown each question's row and matches, before any cut-off.
        cancel: checked between questions.
    """
    reach = max(demand.tokens, demand.budget)
    guess = max(demand.chunks, demand.cut + 1)
    if reach and len(tokens):
        guess = max(guess, int(1.5 * reach / max(1.0, float(tokens.mean()))) + 2)
    orders: list[IntArray] = []
    scores: list[FloatArray] = []
    totals = np.zeros(count, np.int64)
    crossing: dict[int, Tie] = {}
    for row, match in enumerate(matches):
        if cancel is not None:
            cancel.check()
        if watch is not None:
            watch(row, match)
        totals[row] = len(match.chunks)
        order, score = _rank(match, guess, tokens, reach, ties)
        tie = _tie(match, order, score, tokens, demand)
        if tie is not None:
            crossing[row] = tie
        orders.append(order)
        scores.append(score)
    counts = np.array([len(order) for order in orders], np.int64)
    width = int(counts.max(initial=0))
    chunks = np.full((count, width), -1, np.int64)
    values = np.full((count, width), np.nan)
    filled = np.arange(width) < counts[:, None]
    if count:
        chunks[filled] = np.concatenate(orders)
        values[filled] = np.concatenate(scores)
    return Rankings(chunks, values, counts, totals, crossing)


def _rank(
    match: Matches, depth: int, tokens: IntArray, reach: int, ties: Ties
) -> tuple[IntArray, FloatArray]:
    order, score = rank_matches(match, depth, ties)
    while reach and len(order) < len(match.chunks) and int(tokens[order].sum()) <= reach:
        depth *= 2
        order, score = rank_matches(match, depth, ties)
    return order, score


def _tie(
    match: Matches, order: IntArray, score: FloatArray, tokens: IntArray, demand: Demand
) -> Tie | None:
    cut, budget = demand.cut, demand.budget
    if budget:
        taken = int(np.searchsorted(np.cumsum(tokens[order]), budget, "right"))
    else:
        taken = min(cut, len(order))
    if taken >= len(order):
        return None
    # The first chunk left out; the tie crosses when another of its score could stand there.
    value = score[taken]
    with_neighbour = (taken > 0 and score[taken - 1] == value) or (
        budget > 0 and taken + 1 < len(order) and score[taken + 1] == value
    )
    if not with_neighbour:
        return None
    certain = match.chunks[match.scores > value]
    tied = match.chunks[match.scores == value]
    room = budget - int(tokens[certain].sum()) if budget else cut - len(certain)
    return Tie(certain, tied, room)
