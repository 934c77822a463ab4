"""The first chunks of a ranking, ranked anew by a cross-encoder; the others are not retrieved."""

from collections.abc import Iterator, Sequence

import numpy as np

from chunkscope.embedding.protocol import CrossEncoder
from chunkscope.retrieval.protocol import (
    Matches,
    Retriever,
    Truncation,
    close_retriever,
    truncations_of,
)
from chunkscope.retrieval.ranking import rank_matches
from chunkscope.splitting.chunks import ChunkSet


class RerankedRetriever:
    """A retriever whose first chunks a cross-encoder scores."""

    def __init__(
        self,
        first: Retriever,
        cross_encoder: CrossEncoder,
        chunks: ChunkSet,
        depth: int,
    ) -> None:
        """Ready to be asked.

        Args:
            first: ranks all chunks.
            cross_encoder: scores the first of them against the question.
            chunks: what is ranked.
            depth: how many are scored; where ties cross it, earlier chunks are.
        """
        self._first = first
        self._cross_encoder = cross_encoder
        self._chunks = chunks
        self._depth = depth

    @property
    def truncations(self) -> tuple[Truncation, ...]:
        """What the first retriever's model cuts off."""
        return truncations_of(self._first)

    def match(self, questions: Sequence[str]) -> Iterator[Matches]:
        """One `Matches` a question, in order; scores are the cross-encoder's."""
        for question, matches in zip(questions, self._first.match(questions), strict=True):
            order, _ = rank_matches(matches, self._depth, "earlier")
            chunks = np.sort(order)
            texts = [self._chunks.indexed_text(chunk) for chunk in chunks.tolist()]
            yield Matches(chunks, self._cross_encoder.score(question, texts))

    def explain(self, question: str, chunk: int) -> list[tuple[str, float]]:
        """The cross-encoder's score, where the chunk is among those it was shown."""
        matches = next(iter(self.match([question])))
        place = np.flatnonzero(matches.chunks == chunk)
        score = [float(matches.scores[one]) for one in place.tolist()]
        return [(f"score of {self._cross_encoder.name}", one) for one in score]

    def close(self) -> None:
        """Close the first retriever, if it wants it."""
        close_retriever(self._first)
