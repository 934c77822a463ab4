"""What every retriever gives: per question, the chunks that match and their scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet

if TYPE_CHECKING:
    from chunkscope.retrieval.index import WordIndex


@dataclass(frozen=True, slots=True)
class Matches:
    """The chunks one question retrieves at all, before any cut-off.

    Attributes:
        chunks: chunk numbers, ascending, shape (m,).
        scores: their scores, float64, shape (m,); never NaN.
    """

    chunks: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScoreBlock:
    """Scores of every chunk for some questions, one row each.

    Attributes:
        scores: float64, shape (b, n); never NaN.
        shared: which chunks a question retrieves at all, shape (b, n); None: those above 0.
    """

    scores: npt.NDArray[np.float64]
    shared: npt.NDArray[np.bool_] | None = None

    def matched(self, row: int) -> npt.NDArray[np.bool_]:
        """Which chunks the question of a row retrieves at all, shape (n,)."""
        matched: npt.NDArray[np.bool_]
        matched = self.scores[row] > 0 if self.shared is None else self.shared[row]
        return matched

    def matches(self, row: int) -> Matches:
        """The same with their scores."""
        chunks = self.matched(row).nonzero()[0]
        return Matches(chunks, self.scores[row, chunks])


@dataclass(frozen=True, slots=True)
class Truncation:
    """Chunks that a model does not read to their end.

    Attributes:
        model: its name.
        limit: tokens that it reads, those it puts around a text counted.
        chunks: how many chunks are longer.
    """

    model: str
    limit: int
    chunks: int


@runtime_checkable
class Truncating(Protocol):
    """A retriever that knows what its model cuts off."""

    @property
    def truncations(self) -> tuple[Truncation, ...]:
        """One entry a model that cuts anything off."""
        ...


def truncations_of(retriever: object) -> tuple[Truncation, ...]:
    """What the models behind a retriever cut off."""
    return retriever.truncations if isinstance(retriever, Truncating) else ()


@runtime_checkable
class Closing(Protocol):
    """A retriever that fills something, and empties it in the end."""

    def close(self) -> None:
        """Let go of what was filled; it is not asked again."""
        ...


def close_retriever(retriever: object) -> None:
    """Close a retriever that wants it."""
    if isinstance(retriever, Closing):
        retriever.close()


class Retriever(Protocol):
    """A chunk set ready to be asked."""

    def match(self, questions: Sequence[str]) -> Iterator[Matches]:
        """One `Matches` a question, in order. A chunk sharing no term is not in it."""
        ...

    def explain(self, question: str, chunk: int) -> list[tuple[str, float]]:
        """The parts of a chunk's score (query term, contribution), largest first."""
        ...


@runtime_checkable
class BlockRetriever(Retriever, Protocol):
    """A retriever that scores many questions at a time."""

    def blocks(self, questions: Sequence[str]) -> Iterator[ScoreBlock]:
        """The scores behind `match`, some questions at a time, in order."""
        ...


class RetrieverKind(Protocol):
    """A kind of retriever, as the registry holds it."""

    def __call__(
        self,
        settings: RetrieverSettings,
        chunks: ChunkSet,
        index: "WordIndex",
        cancel: CancelToken | None = None,
    ) -> Retriever:
        """The retriever over this chunk set; `index` holds its corpus's words.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        ...
