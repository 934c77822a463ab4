"""The first chunks of a ranking, ranked anew by a cross-encoder; the others are not retrieved."""

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from chunkscope.embedding.cached import CachedCrossEncoder
from chunkscope.embedding.protocol import CrossEncoder, IntArray
from chunkscope.retrieval.protocol import (
    Matches,
    Retriever,
    Truncation,
    close_retriever,
    truncations_of,
)
from chunkscope.retrieval.ranking import rank_matches
from chunkscope.splitting.chunks import ChunkSet

FloatArray = npt.NDArray[np.float64]


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
        encoder = self._cross_encoder
        at_once = encoder.questions_at_once if isinstance(encoder, CachedCrossEncoder) else 1
        asked = zip(questions, self._first.match(questions), strict=True)
        while block := list(islice(asked, at_once)):
            shown = [np.sort(rank_matches(matches, self._depth, "earlier")[0])
                     for _, matches in block]  # fmt: skip
            yield from map(Matches, shown, self._scores([one for one, _ in block], shown))

    def _scores(self, questions: Sequence[str], shown: Sequence[IntArray]) -> list[FloatArray]:
        texts = [[self._chunks.indexed_text(chunk) for chunk in chunks.tolist()]
                 for chunks in shown]  # fmt: skip
        encoder = self._cross_encoder
        if not isinstance(encoder, CachedCrossEncoder):
            return list(map(encoder.score, questions, texts))
        repeated = [one for one, part in zip(questions, texts, strict=True) for _ in part]
        scores = encoder.score_pairs(repeated, [text for part in texts for text in part])
        return np.split(scores, np.cumsum([len(part) for part in texts])[:-1])

    def explain(self, question: str, chunk: int) -> list[tuple[str, float]]:
        """The cross-encoder's score, where the chunk is among those it was shown."""
        matches = next(iter(self.match([question])))
        place = np.flatnonzero(matches.chunks == chunk)
        score = [float(matches.scores[one]) for one in place.tolist()]
        return [(f"score of {self._cross_encoder.name}", one) for one in score]

    def close(self) -> None:
        """Close the first retriever, if it wants it."""
        close_retriever(self._first)
