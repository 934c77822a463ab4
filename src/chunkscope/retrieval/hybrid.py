"""`hybrid`: the rankings of several retrievers fused by reciprocal rank.

A chunk's score is the sum of 1 / (c + rank) over the retrievers that retrieve it (Cormack,
Clarke and Büttcher, SIGIR 2009, with c = 60). Chunks that tie share the best of their ranks, so
that equal chunks stay tied.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from chunkscope.retrieval.protocol import (
    Matches,
    Retriever,
    Truncation,
    close_retriever,
    truncations_of,
)
from chunkscope.splitting.chunks import IntArray


class HybridRetriever:
    """Several retrievers over one chunk set, answering as one."""

    def __init__(self, retrievers: Sequence[tuple[str, Retriever]], constant: int) -> None:
        """Ready to be asked.

        Args:
            retrievers: each with the name its ranks are shown under.
            constant: c of the formula.
        """
        self._retrievers = retrievers
        self._constant = constant

    @property
    def truncations(self) -> tuple[Truncation, ...]:
        """What their models cut off."""
        return tuple(
            dict.fromkeys(one for _, each in self._retrievers for one in truncations_of(each))
        )

    def match(self, questions: Sequence[str]) -> Iterator[Matches]:
        """One `Matches` a question, in order; its chunks are those that any of them retrieves."""
        answers = [retriever.match(questions) for _, retriever in self._retrievers]
        for found in zip(*answers, strict=True):
            yield self._fused(found)

    def explain(self, question: str, chunk: int) -> list[tuple[str, float]]:
        """The rank of a chunk in each ranking with its part of the score, largest first."""
        parts = []
        for name, retriever in self._retrievers:
            matches = next(iter(retriever.match([question])))
            place = np.flatnonzero(matches.chunks == chunk)
            if len(place):
                rank = int(ranks(matches)[place[0]])
                parts.append((f"{name} rank {rank}", 1.0 / (self._constant + rank)))
        return sorted(parts, key=lambda part: -part[1])

    def close(self) -> None:
        """Close those that want it."""
        for _, retriever in self._retrievers:
            close_retriever(retriever)

    def _fused(self, found: Sequence[Matches]) -> Matches:
        chunks = np.unique(np.concatenate([matches.chunks for matches in found]))
        scores = np.zeros(len(chunks))
        for matches in found:
            here = np.searchsorted(chunks, matches.chunks)
            scores[here] += 1.0 / (self._constant + ranks(matches))
        return Matches(chunks, scores)


def ranks(matches: Matches) -> IntArray:
    """The rank of each chunk, from 1; chunks of one score share the best of theirs."""
    falling = np.sort(-matches.scores)
    found: IntArray = np.searchsorted(falling, -matches.scores, side="left").astype(np.int64) + 1
    return found
