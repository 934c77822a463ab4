"""Recall at a token budget, for any budget, out of one ranking."""

from dataclasses import dataclass

import numpy as np

from chunkscope.evaluation.evidence import EvidenceTable
from chunkscope.evaluation.metrics import NOWHERE, FloatArray, Holders
from chunkscope.evaluation.rankings import Rankings
from chunkscope.splitting.chunks import BoolArray, IntArray


@dataclass(frozen=True)
class BudgetCurve:
    """What is needed to know which evidence fits a budget.

    Attributes:
        item_tokens: tokens of the chunks up to and with the first one that holds each item,
            `NOWHERE` where none that is ranked does, shape (i,).
        first: tokens of the first chunk, 0 where there is none, shape (m,).
        last: tokens of all ranked chunks, shape (m,).
        complete: whether every match of a question is among them, shape (m,).
    """

    item_tokens: IntArray
    first: IntArray
    last: IntArray
    complete: BoolArray

    def reaches(self, budget: int) -> bool:
        """Whether the ranking is deep enough to know what fits."""
        return bool(np.all(self.complete | (self.last > budget)))

    def recall(self, table: EvidenceTable, budget: int) -> FloatArray:
        """Recall of what fits; NaN where not even the first chunk does: (m,)."""
        fitting = table.item_question[self.item_tokens <= budget]
        values = np.bincount(fitting, minlength=table.rows) / table.items_of
        return np.where(self.first > budget, np.nan, values)


def budget_curve(
    table: EvidenceTable, rankings: Rankings, holders: Holders, tokens: IntArray
) -> BudgetCurve:
    """The curve of these rankings; `tokens` of each chunk, shape (n,)."""
    sums = rankings.tokens_before(tokens)
    none = np.zeros(len(sums), np.int64)
    held = holders.item_rank < NOWHERE
    item_tokens = np.full(len(held), NOWHERE, np.int64)
    item_tokens[held] = sums[table.item_question[held], holders.item_rank[held]]
    return BudgetCurve(
        item_tokens=item_tokens,
        first=sums[:, 0] if sums.shape[1] else none,
        last=sums[:, -1] if sums.shape[1] else none,
        complete=rankings.complete,
    )
