"""The chunks of each question in ranked order, as one table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.protocol import Matches, ScoreBlock
from chunkscope.retrieval.ranking import Ties, rank_block, rank_matches
from chunkscope.splitting.chunks import BoolArray, IntArray

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
        complete: whether every match of a question stands in the table, shape (m,).
        ties: by row, the tie that crosses the first cut-off (or the budget), where there is one.
    """

    chunks: IntArray
    scores: FloatArray
    counts: IntArray
    complete: BoolArray
    ties: Mapping[int, Tie] = field(default_factory=dict)

    def of_rows(self, rows: IntArray) -> "Rankings":
        """The rankings of these rows only, renumbered from 0."""
        number = {row: position for position, row in enumerate(rows.tolist())}
        return Rankings(
            self.chunks[rows],
            self.scores[rows],
            self.counts[rows],
            self.complete[rows],
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
    reach, guess = max(demand.tokens, demand.budget), _first_depth(demand, tokens)
    orders: list[IntArray] = []
    scores: list[FloatArray] = []
    complete = np.zeros(count, np.bool_)
    crossing: dict[int, Tie] = {}
    for row, match in enumerate(matches):
        if cancel is not None:
            cancel.check()
        if watch is not None:
            watch(row, match)
        order, score = _rank(match, guess, tokens, reach, ties)
        complete[row] = len(order) == len(match.chunks)
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
    return Rankings(chunks, values, counts, complete, crossing)


def rank_question_blocks(
    blocks: Iterable[ScoreBlock],
    *,
    count: int,
    tokens: IntArray,
    demand: Demand,
    ties: Ties,
    watch: Callable[[int, Matches], None] | None = None,
    cancel: CancelToken | None = None,
) -> Rankings:
    """`rank_questions` out of the scores of many questions at a time."""
    depth = _first_depth(demand, tokens)
    parts: list[_Part] = []
    crossing: dict[int, Tie] = {}
    done = 0
    for block in blocks:
        if cancel is not None:
            cancel.check()
        rows = len(block.scores)
        if watch is not None:
            for row in range(rows):
                watch(done + row, block.matches(row))
        part = _rank_block(block, depth, tokens, demand, ties)
        for row in _crossing(part, tokens, demand):
            tie = _tie(block.matches(row), *part.of(row), tokens, demand)
            if tie is not None:
                crossing[done + row] = tie
        parts.append(part)
        done += rows
    width = max((int(part.counts.max(initial=0)) for part in parts), default=0)
    chunks = np.full((count, width), -1, np.int64)
    values = np.full((count, width), np.nan)
    first = 0
    for part in parts:
        here, filled = slice(first, first + len(part.counts)), min(width, part.chunks.shape[1])
        chunks[here, :filled] = part.chunks[:, :filled]
        values[here, :filled] = part.scores[:, :filled]
        first += len(part.counts)
    none = np.zeros(0, np.int64)
    return Rankings(
        chunks,
        values,
        np.concatenate([none, *(part.counts for part in parts)]),
        np.concatenate([none.astype(np.bool_), *(part.complete for part in parts)]),
        crossing,
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """The rankings of one block, as in `Rankings`."""

    chunks: IntArray
    scores: FloatArray
    counts: IntArray
    complete: BoolArray

    def of(self, row: int) -> tuple[IntArray, FloatArray]:
        count = int(self.counts[row])
        return self.chunks[row, :count], self.scores[row, :count]


def _first_depth(demand: Demand, tokens: IntArray) -> int:
    """A guess at how many ranks meet the demand."""
    reach = max(demand.tokens, demand.budget)
    guess = max(demand.chunks, demand.cut + 1)
    if reach and len(tokens):
        guess = max(guess, int(1.5 * reach / max(1.0, float(tokens.mean()))) + 2)
    return guess


def _rank_block(
    block: ScoreBlock, depth: int, tokens: IntArray, demand: Demand, ties: Ties
) -> _Part:
    rows = np.arange(len(block.scores))
    chunks, scores, counts = rank_block(block, depth, ties)
    complete = _all_ranked(block, rows, counts, depth)
    reach = max(demand.tokens, demand.budget)
    while reach:
        short = np.flatnonzero(~complete & (_sums(chunks, tokens) <= reach))
        if not len(short):
            break
        depth *= 2
        deeper = rank_block(block, depth, ties, short)
        more = max(0, deeper[0].shape[1] - chunks.shape[1])
        chunks = np.pad(chunks, ((0, 0), (0, more)), constant_values=-1)
        scores = np.pad(scores, ((0, 0), (0, more)), constant_values=np.nan)
        chunks[short, : deeper[0].shape[1]] = deeper[0]
        scores[short, : deeper[1].shape[1]] = deeper[1]
        counts[short] = deeper[2]
        complete[short] = _all_ranked(block, short, deeper[2], depth)
    return _Part(chunks, scores, counts, complete)


def _all_ranked(block: ScoreBlock, rows: IntArray, counts: IntArray, depth: int) -> BoolArray:
    """Whether the ranks of each row, `depth` at most, are all its matches."""
    complete = counts < depth
    for place in np.flatnonzero(~complete).tolist():
        complete[place] = np.count_nonzero(block.matched(int(rows[place]))) == depth
    return complete


def _sums(chunks: IntArray, tokens: IntArray) -> IntArray:
    """Tokens of each row of chunks, -1 counting none."""
    sums: IntArray = np.append(tokens, 0)[chunks].sum(axis=1)
    return sums


def _crossing(part: _Part, tokens: IntArray, demand: Demand) -> list[int]:
    """Rows in which a tie may cross the cut-off: two neighbours around it share a score."""
    depth = part.chunks.shape[1]
    if demand.budget:
        same = part.scores[:, 1:] == part.scores[:, :-1]
        return np.flatnonzero(same.any(axis=1)).tolist()
    cut = demand.cut
    if cut < 1 or cut >= depth:
        return []
    return np.flatnonzero(part.scores[:, cut - 1] == part.scores[:, cut]).tolist()


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
