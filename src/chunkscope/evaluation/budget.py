"""Recall at a token budget, for any budget, out of one ranking."""

from dataclasses import dataclass

import numpy as np

from chunkscope.evaluation.evidence import EvidenceTable
from chunkscope.evaluation.metrics import FloatArray, Holders
from chunkscope.evaluation.rankings import Rankings
from chunkscope.splitting.chunks import BoolArray, IntArray


@dataclass(frozen=True)
class BudgetCurve:
    """What is needed to know which chunks fit a budget, and what they hold.

    Attributes:
        item_rank: rank from 0 of the first chunk that holds each item, shape (i,).
        tokens: tokens of the chunks up to and with each rank, shape (m, depth).
        counts: ranks that are filled, shape (m,).
        complete: whether every match of a question is among them, shape (m,).
    """

    item_rank: IntArray
    tokens: IntArray
    counts: IntArray
    complete: BoolArray

    def reaches(self, budget: int) -> bool:
        """Whether the ranking is deep enough to know what fits."""
        if not self.tokens.shape[1]:
            return bool(np.all(self.complete))
        return bool(np.all(self.complete | (self.tokens[:, -1] > budget)))

    def recall(self, table: EvidenceTable, budget: int) -> FloatArray:
        """Recall of what fits; NaN where not even the first chunk does: (m,)."""
        filled = np.arange(self.tokens.shape[1]) < self.counts[:, None]
        fitting = ((self.tokens <= budget) & filled).sum(axis=1)
        within = self.item_rank < fitting[table.item_question]
        whole = np.bincount(table.item_question[within], minlength=table.rows)
        values = whole / table.items_of
        return np.where((fitting == 0) & (self.counts > 0), np.nan, values)


def budget_curve(rankings: Rankings, holders: Holders, tokens: IntArray) -> BudgetCurve:
    """The curve of these rankings; `tokens` of each chunk, shape (n,)."""
    return BudgetCurve(
        item_rank=holders.item_rank,
        tokens=rankings.tokens_before(tokens),
        counts=rankings.counts,
        complete=rankings.complete,
    )
