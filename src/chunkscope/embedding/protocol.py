"""What every embedder gives: texts in, vectors of unit length out."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken

Vectors = npt.NDArray[np.float32]
"""One row a text, of unit length; all zeros where a text has nothing to embed."""

IntArray = npt.NDArray[np.int64]


@runtime_checkable
class Embedder(Protocol):
    """A model that turns texts into vectors."""

    @property
    def name(self) -> str:
        """The model's name, as shown and as the cache files its vectors."""
        ...

    @property
    def revision(self) -> str:
        """Which form of the model it is; another revision may give other vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    @property
    def context_limit(self) -> int | None:
        """Tokens of a text that the model looks at, the rest being cut off; None: all."""
        ...

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        """The vectors of `texts`, float32, shape (n, dimensions).

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        ...


@runtime_checkable
class SpanEmbedder(Protocol):
    """What an embedder also is when it reads a text once and gives the vector of any span of it."""

    def embed_spans(
        self, text: str, starts: IntArray, ends: IntArray, cancel: CancelToken | None = None
    ) -> Vectors:
        """What `embed` gives for the slices `text[start:end]`, in time linear in the text.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        ...


@runtime_checkable
class CrossEncoder(Protocol):
    """A model that reads a question and a text together and says how well they fit."""

    @property
    def name(self) -> str:
        """The model's name, as shown and as the cache files its scores."""
        ...

    @property
    def revision(self) -> str:
        """Which form of the model it is; another revision may give other scores."""
        ...

    @property
    def context_limit(self) -> int | None:
        """Tokens of a question and a text together that the model looks at; None: all."""
        ...

    def score(
        self, question: str, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> npt.NDArray[np.float64]:
        """How well each text answers, higher is better, float64, shape (n,).

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        ...


def unit_rows(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The rows at unit length; a row of zeros stays one."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    units: npt.NDArray[np.float64] = rows / np.where(lengths > 0, lengths, 1.0)[:, None]
    return units


def embed_slices(
    embedder: Embedder,
    text: str,
    starts: IntArray,
    ends: IntArray,
    cancel: CancelToken | None = None,
) -> Vectors:
    """The vectors of spans of a text, by whichever way the embedder has.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    if isinstance(embedder, SpanEmbedder):
        return embedder.embed_spans(text, starts, ends, cancel)
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    return embedder.embed([text[start:end] for start, end in spans], cancel)
