"""The numbers of a ranking, over all measured questions at once.

Every function returns one value a measured question, shape (m,); means are taken elsewhere.
Ranges lie on the corpus axis and are half-open: touching is not overlapping.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from chunkscope.evaluation.evidence import EvidenceTable
from chunkscope.evaluation.geometry import ChunkGeometry
from chunkscope.evaluation.rankings import Rankings
from chunkscope.splitting.chunks import BoolArray, IntArray

FloatArray = npt.NDArray[np.float64]

NOWHERE = np.iinfo(np.int64).max
"""Stands for the rank of what is not in the ranking."""


@dataclass(frozen=True)
class Holders:
    """Which ranked chunks hold evidence whole; alternatives accept any place.

    Attributes:
        item_rank: rank from 0 of the first chunk holding each item, or `NOWHERE`: (i,).
        relevant: whether each ranked chunk holds a whole item of its question: (m, depth).
    """

    item_rank: IntArray
    relevant: BoolArray


def find_holders(table: EvidenceTable, geometry: ChunkGeometry, rankings: Rankings) -> Holders:
    """Compare every place with every ranked chunk of its question."""
    ranked = rankings.chunks
    rows, depth = ranked.shape
    if not (rows and depth and geometry.count):
        items = np.full(len(table.item_question), NOWHERE, np.int64)
        return Holders(items, np.zeros((rows, depth), np.bool_))
    question = table.place_question
    low, high = table.low[:, None], table.high[:, None]
    if geometry.single:
        chunk = np.maximum(ranked, 0)
        holds = (geometry.starts[chunk][question] <= low) & (geometry.ends[chunk][question] >= high)
        holds &= (ranked >= 0)[question]
    else:
        index, chunk = geometry.holding(table.low, table.high)
        keys = index * geometry.count + chunk
        wanted = np.arange(len(question))[:, None] * geometry.count + ranked[question]
        holds = np.isin(wanted, keys) & (ranked >= 0)[question]
    by_item = np.logical_or.reduceat(holds, table.first_place, axis=0)
    item_rank = np.where(by_item.any(axis=1), by_item.argmax(axis=1), NOWHERE)
    relevant = np.logical_or.reduceat(by_item, table.first_item, axis=0)
    return Holders(item_rank, relevant)


@dataclass(frozen=True)
class Relevance:
    """What the whole chunk set holds, before any retriever has a say.

    Attributes:
        item_held: whether some chunk holds each item whole, shape (i,).
        chunks: chunks that hold a whole item of each question, shape (m,).
    """

    item_held: BoolArray
    chunks: IntArray


def find_relevance(table: EvidenceTable, geometry: ChunkGeometry) -> Relevance:
    """Which items lie whole in a chunk, and how many chunks are relevant."""
    index, chunk = geometry.holding(table.low, table.high)
    item_held = np.zeros(len(table.item_question), np.bool_)
    item_held[table.place_item[index]] = True
    keys = np.unique(table.place_question[index] * max(1, geometry.count) + chunk)
    counts = np.bincount(keys // max(1, geometry.count), minlength=table.rows)
    return Relevance(item_held, counts.astype(np.int64))


@dataclass(frozen=True)
class CutOff:
    """How far down each ranking goes.

    Attributes:
        taken: chunks taken of each ranking, shape (m,).
        wanted: chunks that could have been taken at most; the ideal of ndcg is cut there: (m,).
    """

    taken: IntArray
    wanted: IntArray


def rank_metrics(
    table: EvidenceTable, holders: Holders, relevance: Relevance, cut: CutOff
) -> dict[str, FloatArray]:
    """recall, full_recall, hit_rate, mrr, ndcg over the chunks taken."""
    limit = cut.taken[table.item_question]
    whole = np.bincount(table.item_question[holders.item_rank < limit], minlength=table.rows)
    first = np.full(table.rows, NOWHERE, np.int64)
    np.minimum.at(first, table.item_question, holders.item_rank)
    hit = first < cut.taken
    ideal_length = np.minimum(relevance.chunks, cut.wanted)
    depth = holders.relevant.shape[1]
    gains = 1.0 / np.log2(np.arange(2, max(depth, int(ideal_length.max(initial=0))) + 2))
    counted = holders.relevant & (np.arange(depth) < cut.taken[:, None])
    ideal = np.concatenate(([0.0], np.cumsum(gains)))[ideal_length]
    return {
        "recall": whole / table.items_of,
        "full_recall": (whole == table.items_of).astype(np.float64),
        "hit_rate": hit.astype(np.float64),
        "mrr": np.where(hit, 1.0 / (np.where(hit, first, 0) + 1.0), 0.0),
        "ndcg": _divide(counted @ gains[:depth], ideal),
    }


@dataclass(frozen=True)
class Union:
    """The text that was taken for each question, as disjoint ranges.

    Attributes:
        low: start of each range, shape (m, w); an empty range where there is none.
        high: its end.
        total: lengths of the chunks taken, duplicates included, shape (m,).
    """

    low: IntArray
    high: IntArray
    total: IntArray

    @cached_property
    def length(self) -> IntArray:
        """Code points of the union, shape (m,)."""
        length: IntArray = (self.high - self.low).sum(axis=1)
        return length

    def covered(self, row: IntArray, low: IntArray, high: IntArray) -> IntArray:
        """Code points of each `[low, high)` in the union of question `row`."""
        inside = np.minimum(self.high[row], high[:, None]) - np.maximum(self.low[row], low[:, None])
        shared: IntArray = np.maximum(inside, 0).sum(axis=1)
        return shared


def taken_union(geometry: ChunkGeometry, rankings: Rankings, cut: CutOff) -> Union:
    """The union of the chunks taken of each ranking."""
    width = int(cut.taken.max(initial=0))
    ranked = rankings.chunks[:, :width]
    valid = np.arange(width) < cut.taken[:, None]
    chunk = np.where(valid, ranked, 0)
    if not geometry.count:
        empty = np.zeros(ranked.shape, np.int64)
        return Union(empty, empty, np.zeros(len(ranked), np.int64))
    total = np.where(valid, geometry.lengths[chunk], 0).sum(axis=1)
    if geometry.single:
        low = np.where(valid, geometry.starts[chunk], -1)
        high = np.where(valid, geometry.ends[chunk], -1)
    else:
        low, high = _ranges_of(geometry, chunk, valid)
    order = np.argsort(low, axis=1, kind="stable")
    low = np.take_along_axis(low, order, axis=1)
    high = np.take_along_axis(high, order, axis=1)
    low, high = _disjoint(low, high)
    return Union(low, high, total)


def _ranges_of(
    geometry: ChunkGeometry, chunk: IntArray, valid: BoolArray
) -> tuple[IntArray, IntArray]:
    """Every range of every chunk taken, padded with empty ones: (m, w x most ranges a chunk)."""
    counts = np.diff(geometry.first)
    most = int(counts.max(initial=1))
    number = np.arange(most)
    there = (number < counts[chunk][..., None]) & valid[..., None]
    ranges = np.where(there, geometry.first[:-1][chunk][..., None] + number, 0)
    low = np.where(there, geometry.starts[ranges], -1)
    high = np.where(there, geometry.ends[ranges], -1)
    return low.reshape(len(chunk), -1), high.reshape(len(chunk), -1)


def _disjoint(low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
    """What each range adds to those before it; `low` ascends along the last axis."""
    reach = np.maximum.accumulate(high, axis=-1)
    fresh = low.copy()
    fresh[..., 1:] = np.maximum(low[..., 1:], reach[..., :-1])
    return fresh, np.maximum(high, fresh)


@dataclass(frozen=True)
class EvidenceParts:
    """Evidence merged per question: disjoint ranges, one place an item.

    Attributes:
        row: the question of each part, ascending, shape (e,).
        low: start of each part; parts of a question ascend.
        high: its end.
        length: code points of each question's evidence, shape (m,).
    """

    row: IntArray
    low: IntArray
    high: IntArray
    length: IntArray


def evidence_parts(table: EvidenceTable, place: IntArray) -> EvidenceParts:
    """The evidence with the chosen `place` for each item, shape (i,)."""
    row, low, high = table.item_question, table.low[place], table.high[place]
    order = np.lexsort((low, row))
    row, low, high = row[order], low[order], high[order]
    # Each question gets a stretch of its own, so that one running maximum serves them all.
    shift = row * table.span
    low, high = _disjoint(low + shift, high + shift)
    low, high = low - shift, high - shift
    length = _sum_by(row, high - low, table.rows)
    return EvidenceParts(row, low, high, length)


def best_places(table: EvidenceTable, covered: IntArray) -> IntArray:
    """For each item the place with the largest covered share, the first on a tie: (i,)."""
    if table.single:
        return np.arange(len(table.low), dtype=np.int64)
    share = _divide(covered, table.high - table.low)
    # Stable: among places of one item with one share, the first stays first.
    order = np.lexsort((-share, table.place_item))
    return order[table.first_place]


def cover_metrics(
    table: EvidenceTable,
    union: Union,
    holders: Holders,
    *,
    cut: CutOff,
    by_place: IntArray,
    place: IntArray,
) -> dict[str, FloatArray]:
    """coverage, joint_recall, precision, iou, redundancy over the chunks taken.

    Args:
        table: the evidence.
        union: the text taken.
        holders: which ranked chunks hold evidence.
        cut: what is taken.
        by_place: code points of each place in `union`, shape (p,).
        place: the best covered place of each item, shape (i,).
    """
    parts = evidence_parts(table, place)
    covered = _sum_by(parts.row, union.covered(parts.row, parts.low, parts.high), table.rows)
    missed = parts.length - covered
    whole = by_place == table.high - table.low
    joint = np.logical_or.reduceat(whole, table.first_place) if len(whole) else whole
    joint &= holders.item_rank >= cut.taken[table.item_question]
    return {
        "coverage": _divide(covered, parts.length),
        "joint_recall": _sum_by(table.item_question, joint, table.rows) / table.items_of,
        "precision": _divide(covered, union.total),
        "iou": _divide(covered, union.total + missed),
        "redundancy": _divide(union.total - union.length, union.total),
    }


def distractors(
    table: EvidenceTable, geometry: ChunkGeometry, rankings: Rankings, cut: CutOff
) -> FloatArray:
    """Share of the chunks taken that touch no place of the question's evidence."""
    index, ranges = geometry.touching(table.low, table.high)
    scale = max(1, geometry.count)
    touched = np.unique(table.place_question[index] * scale + geometry.chunk[ranges])
    width = int(cut.taken.max(initial=0))
    ranked = rankings.chunks[:, :width]
    keys = np.arange(len(ranked))[:, None] * scale + ranked
    useless = ~np.isin(keys, touched) & (np.arange(width) < cut.taken[:, None])
    return _divide(useless.sum(axis=1), cut.taken)


def set_metrics(
    table: EvidenceTable, geometry: ChunkGeometry, relevance: Relevance, edge_cut: BoolArray
) -> dict[str, FloatArray]:
    """precision_omega, split_rate, edge_cuts: the chunk set's own, whatever is retrieved."""
    place = best_places(table, geometry.covered(table.low, table.high))
    parts = evidence_parts(table, place)
    covered = _sum_by(parts.row, geometry.covered(parts.low, parts.high), table.rows)
    index, ranges = geometry.touching(parts.low, parts.high)
    row, ranges = geometry.whole_chunks(parts.row[index], ranges)
    low, high = geometry.starts[ranges], geometry.ends[ranges]
    shift = row * table.span
    low, high = low + shift, high + shift
    order = np.argsort(low, kind="stable")
    low, high = _disjoint(low[order], high[order])
    union = _sum_by(row[order], high - low, table.rows)
    split = ~relevance.item_held
    return {
        "precision_omega": _divide(covered, union + parts.length - covered),
        "split_rate": _sum_by(table.item_question, split, table.rows) / table.items_of,
        "edge_cuts": _sum_by(table.item_question, edge_cut, table.rows) / table.items_of,
    }


def _sum_by(row: IntArray, values: npt.NDArray[np.generic], rows: int) -> IntArray:
    # Lengths are far below 2**53: float64 sums of whole numbers are exact.
    return np.bincount(row, weights=values, minlength=rows).astype(np.int64)


def _divide(above: npt.NDArray[np.generic], below: npt.NDArray[np.generic]) -> FloatArray:
    """Quotient, 0 where there is nothing to divide by."""
    result = np.zeros(np.shape(above), np.float64)
    np.divide(above, below, out=result, where=below != 0)
    return result
