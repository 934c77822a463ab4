"""An embedder of one's own: whatever turns a list of texts into a list of vectors."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.protocol import Vectors, unit_rows
from chunkscope.errors import InputError

_METHODS = ("embed_documents", "encode", "embed_batch", "embed")
_TEXTS_AT_ONCE = 256

Guard = Callable[[str, Callable[[], object]], object]
"""Runs foreign code (what it is doing, the call), and names what goes wrong in it."""


class OwnEmbedder:
    """Wraps a function of texts, or an object with `embed_documents`, `encode` or `embed`.

    Attributes:
        name: as it was named, `module:object`.
        revision: what the object says of itself in `revision`; empty: its vectors are not kept.
    """

    def __init__(self, name: str, found: object, guard: Guard) -> None:
        """Look at the object; a class is made an instance first.

        Raises:
            InputError: when it is nothing that embeds, or cannot be made.
        """
        self.name = name
        self._guard = guard
        self._found: Any = guard("making it", found) if isinstance(found, type) else found
        self._call = next(
            (
                method
                for method in (getattr(self._found, one, None) for one in _METHODS)
                if callable(method)
            ),
            self._found if callable(self._found) else None,
        )
        if self._call is None:
            raise InputError(
                f"embedder: {name!r} is of type {type(self._found).__name__} and cannot be called; "
                "give a function of a list of texts, or an object with embed_documents or encode"
            )
        self.revision = str(getattr(self._found, "revision", "") or "")
        limit = getattr(self._found, "context_limit", None)
        self.context_limit: int | None = limit if isinstance(limit, int) else None
        self._dimensions = 0

    @property
    def dimensions(self) -> int:
        """Length of a vector; found out by embedding a word."""
        if not self._dimensions:
            self.embed(["word"])
        return self._dimensions

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        """The vectors of `texts` at unit length; see `Embedder`.

        Raises:
            InputError: for whatever the object raises, or when it gives no vectors.
        """
        lots = []
        for begin in range(0, len(texts), _TEXTS_AT_ONCE):
            if cancel is not None:
                cancel.check()
            lots.append(self._lot(list(texts[begin : begin + _TEXTS_AT_ONCE])))
        if not lots:
            return np.zeros((0, self._dimensions), dtype=np.float32)
        return np.concatenate(lots)

    def _lot(self, texts: list[str]) -> Vectors:
        call = self._call
        assert call is not None

        def run() -> object:
            vectors = call(texts)
            # Generators run here, so that their failures are named too.
            listed = hasattr(vectors, "__array__") or isinstance(vectors, Sequence)
            return np.asarray(vectors if listed else list(vectors), dtype=np.float64)

        made: Any = self._guard("embedding texts", run)
        self._dimensions = self._dimensions or (made.shape[-1] if made.ndim == 2 else 0)
        if made.shape != (len(texts), self._dimensions) or not made.shape[1]:
            raise InputError(
                f"embedder {self.name!r}: gave an array of shape {made.shape} for {len(texts)} "
                "texts; return one vector a text, all of one length"
            )
        if not np.isfinite(made).all():
            raise InputError(
                f"embedder {self.name!r}: gave a vector that holds no finite number; check it"
            )
        return unit_rows(made).astype(np.float32)
