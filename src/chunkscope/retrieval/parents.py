"""Parents ranked by the best of their children."""

from collections.abc import Iterator, Sequence

import numpy as np

from chunkscope.retrieval.protocol import (
    BlockRetriever,
    Matches,
    Retriever,
    ScoreBlock,
    Truncation,
    close_retriever,
    truncations_of,
)
from chunkscope.splitting.chunks import IntArray


class ParentRetriever:
    """A retriever over chunks, answering with the numbers of their parents.

    A parent's score is its best child's. Parents that stand in the order of their children keep
    it where scores tie, so that a ranking of them is that of the children with repeats dropped.
    """

    def __init__(self, children: Retriever, parents: IntArray, count: int) -> None:
        """Ready to be asked.

        Args:
            children: ranks the children.
            parents: the number of each child's parent, never going back, shape (n,).
            count: how many parents there are.
        """
        self._children = children
        self._parents = parents
        self._count = count
        # Where each parent that has children has its first: those without are never retrieved.
        self._with_children, self._first = np.unique(parents, return_index=True)

    @property
    def truncations(self) -> tuple[Truncation, ...]:
        """What the model behind the children's vectors cuts off."""
        return truncations_of(self._children)

    def match(self, questions: Sequence[str]) -> Iterator[Matches]:
        """One `Matches` a question, in order; its chunks are parents."""
        for matches in self._children.match(questions):
            parents, first = np.unique(self._parents[matches.chunks], return_index=True)
            scores = np.maximum.reduceat(matches.scores, first) if len(first) else matches.scores
            yield Matches(parents, scores)

    def blocks(self, questions: Sequence[str]) -> Iterator[ScoreBlock]:
        """The scores behind `match`, some questions at a time, in order."""
        if not isinstance(self._children, BlockRetriever):
            for matches in self.match(questions):
                scores = np.zeros((1, self._count))
                shared = np.zeros((1, self._count), np.bool_)
                scores[0, matches.chunks] = matches.scores
                shared[0, matches.chunks] = True
                yield ScoreBlock(scores, shared)
            return
        for block in self._children.blocks(questions):
            shared = block.scores > 0 if block.shared is None else block.shared
            # A child that is not retrieved must not stand for its parent, whatever its score.
            held = np.where(shared, block.scores, -np.inf)
            rows = len(block.scores)
            scores = np.full((rows, self._count), -np.inf)
            if len(self._first):
                scores[:, self._with_children] = np.maximum.reduceat(held, self._first, axis=1)
            found = scores > -np.inf
            yield ScoreBlock(np.where(found, scores, 0.0), found)

    def explain(self, question: str, chunk: int) -> list[tuple[str, float]]:
        """The parts of the score of a parent's best child, largest first."""
        matches = next(iter(self._children.match([question])))
        inside = self._parents[matches.chunks] == chunk
        if not inside.any():
            return []
        best = matches.chunks[inside][int(np.argmax(matches.scores[inside]))]
        return self._children.explain(question, int(best))

    def close(self) -> None:
        """Close the children's retriever, if it wants it."""
        close_retriever(self._children)
