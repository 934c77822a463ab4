"""Exact search by cosine: every chunk's vector held against every question's."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from chunkscope.embedding.protocol import unit_rows
from chunkscope.retrieval.protocol import Matches, ScoreBlock, Truncation
from chunkscope.splitting.chunks import BoolArray, IntArray

FloatArray = npt.NDArray[np.float64]

_BLOCK_CELLS = 1 << 20
"""Scores (questions x chunks) that are worked on at a time."""

_SAME = 1e-13
"""Vectors of unit length no further apart in any part are one vector, rounded differently."""


class DenseRetriever:
    """Ranks chunks by the cosine of their vector and the question's, in float64.

    Every chunk with a vector is retrieved, whether or not it shares a word with the question.
    Chunks of one vector have one score, to the last bit, so that ties are ties; a chunk or a
    question without a vector is not ranked.

    Attributes:
        truncations: what the model behind the vectors cuts off.
    """

    def __init__(
        self,
        vectors: FloatArray,
        embed: Callable[[Sequence[str]], FloatArray],
        parts: Callable[[str], Sequence[tuple[str, FloatArray]]],
        truncations: tuple[Truncation, ...] = (),
        asked_at_once: int | None = None,
    ) -> None:
        """A retriever over chunks.

        Args:
            vectors: one row a chunk, of any length, zeros where it has none, shape (n, d).
            embed: the vectors of questions, of any length, (q, d).
            parts: the words of a question, each with what it adds to the question's vector.
            truncations: what the model behind the vectors cuts off.
            asked_at_once: questions embedded before the first is answered; None: all.
        """
        self._asked_at_once = asked_at_once
        self.truncations = truncations
        self._units = unit_rows(vectors)
        self._held = _filled(self._units)
        self._later, self._first = same_rows(self._units)
        self._embed = embed
        self._parts = parts

    def match(self, questions: Sequence[str]) -> Iterator[Matches]:
        """One `Matches` a question, in order."""
        for block in self.blocks(questions):
            for row in range(len(block.scores)):
                yield block.matches(row)

    def blocks(self, questions: Sequence[str]) -> Iterator[ScoreBlock]:
        """The scores of every chunk, some questions at a time, in order."""
        lot = self._asked_at_once or max(1, len(questions))
        step = max(1, _BLOCK_CELLS // max(1, len(self._units)))
        for begin in range(0, len(questions), lot):
            asked = unit_rows(self._embed(questions[begin : begin + lot]))
            for first in range(0, len(asked), step):
                part = asked[first : first + step]
                scores = part @ self._units.T
                scores[:, self._later] = scores[:, self._first]
                yield ScoreBlock(scores, self._held & _filled(part)[:, None])

    def explain(self, question: str, chunk: int) -> list[tuple[str, float]]:
        """The question's words with their shares of the cosine, largest first."""
        length = float(np.linalg.norm(self._embed([question])[0]))
        if not length or not self._held[chunk]:
            return []
        shares: dict[str, float] = {}
        for word, vector in self._parts(question):
            share = float(vector @ self._units[chunk]) / length
            shares[word] = shares.get(word, 0.0) + share
        return sorted(shares.items(), key=lambda part: -part[1])


def _filled(rows: FloatArray) -> BoolArray:
    filled: BoolArray = np.any(rows != 0, axis=1)
    return filled


def same_rows(units: FloatArray) -> tuple[IntArray, IntArray]:
    """Rows equal to an earlier one but for rounding, and the first such row of each."""
    none = np.zeros(0, dtype=np.int64)
    later, first = [none], [none]
    rows, column = np.arange(len(units)), 0
    while len(rows) > 1:
        order = np.argsort(units[rows, column], kind="stable")
        near = np.diff(units[rows[order], column], prepend=-np.inf) <= _SAME
        # Rows that lie close together in this part, each held against the first among them.
        group = np.empty(len(rows), dtype=np.int64)
        group[order] = np.cumsum(~near) - 1
        leaders = np.full(int(group.max()) + 1, len(units))
        np.minimum.at(leaders, group, rows)
        leader = leaders[group]
        follows = rows > leader
        rows, leader = rows[follows], leader[follows]
        same = (np.abs(units[rows] - units[leader]) <= _SAME).all(axis=1)
        later.append(rows[same])
        first.append(leader[same])
        # Those left are like the first in one part alone; another part tells them apart.
        rows, column = rows[~same], (column + 1) % units.shape[1]
    return np.concatenate(later), np.concatenate(first)
