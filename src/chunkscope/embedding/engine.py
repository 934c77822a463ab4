"""What runs a transformer model, whichever library it is."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.embedding.model_tokens import ModelTokens, Tokens
from chunkscope.embedding.protocol import IntArray

FloatArray = npt.NDArray[np.float64]


class Engine(Protocol):
    """A loaded model."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    @property
    def context_limit(self) -> int | None:
        """Tokens that the model looks at, those put around a text counted; None: all."""
        ...

    @property
    def tokens(self) -> ModelTokens:
        """The model's tokenizer, with the places of tokens.

        Raises:
            InputError: when the model has no tokenizer.json.
        """
        ...

    def embed(
        self, texts: Sequence[str], prompt: str, cancel: CancelToken | None = None
    ) -> FloatArray:
        """The vectors of texts behind a prompt, of any length, (n, d); zeros for a blank text.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        ...

    def counts(self, texts: Sequence[str]) -> IntArray:
        """Tokens of each text, with those put around it, before anything is cut off."""
        ...

    def token_vectors(self, batch: Sequence[Tokens]) -> list[npt.NDArray[np.float32]]:
        """The vectors of each text's tokens, (tokens, d), those put around it included.

        Raises:
            InputError: when the model gives none.
        """
        ...
