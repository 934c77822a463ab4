"""An embedding model run by ONNX Runtime: tokens, batches, pooling."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.embedding.batches import batches
from chunkscope.embedding.engine import FloatArray
from chunkscope.embedding.model_config import read_config
from chunkscope.embedding.model_tokens import ModelTokens, Tokens
from chunkscope.embedding.models import LocalModel
from chunkscope.embedding.onnx_model import MOST_TEXTS, PLACES, OnnxModel
from chunkscope.embedding.protocol import IntArray
from chunkscope.errors import InputError
from chunkscope.text.display import visible


class OnnxEngine:
    """A model's graph with its own tokenizer. See `Engine`.

    Attributes:
        dimensions: length of a vector.
        context_limit: tokens that the model looks at.
        tokens: the model's tokenizer.
    """

    def __init__(self, model: LocalModel) -> None:
        """Load a model that has an ONNX file, or the weights of a BERT.

        Raises:
            InputError: when a file of it is missing or damaged.
        """
        config = read_config(model.folder)
        self._pooling = config.pooling
        self._model = OnnxModel(model, config)
        self.context_limit = config.context_limit
        self.tokens = ModelTokens(
            config.base / "tokenizer.json", config.context_limit, lower=config.lower
        )
        # A graph may end in one vector a text, pooled already.
        self._rank = 3 if self._model.gives(3) else 2
        if self._rank == 2 and self._model.gives_scores:
            raise InputError(
                f"model {visible(model.name)}: gives scores, not vectors: it is a classifier; give "
                "an embedding model, such as all-MiniLM-L6-v2"
            )
        self.dimensions = int(self._pooled(self.tokens.encode(["a"])).shape[1])

    def embed(
        self, texts: Sequence[str], prompt: str, cancel: CancelToken | None = None
    ) -> FloatArray:
        """The vectors of texts behind a prompt; see `Engine`."""
        tokens = self.tokens.encode([prompt + text for text in texts])
        blank = self.tokens.encode([prompt])[0].ids
        vectors = np.zeros((len(texts), self.dimensions))
        held = np.array([row for row, one in enumerate(tokens) if not _same(one.ids, blank)], int)
        lengths = np.array([len(tokens[row]) for row in held.tolist()], dtype=np.int64)
        for part in batches(lengths, PLACES, MOST_TEXTS, cancel):
            rows = held[part]
            vectors[rows] = self._pooled([tokens[row] for row in rows.tolist()])
        return vectors

    def counts(self, texts: Sequence[str]) -> IntArray:
        """Tokens of each text; see `Engine`."""
        return self.tokens.counts(texts)

    def token_vectors(self, batch: Sequence[Tokens]) -> list[npt.NDArray[np.float32]]:
        """The vectors of each text's tokens; see `Engine`."""
        made, _ = self._model.run(batch, 3)
        return [row[: len(one)] for row, one in zip(made, batch, strict=True)]

    def _pooled(self, batch: Sequence[Tokens]) -> FloatArray:
        made, mask = self._model.run(batch, self._rank)
        if self._rank == 2:
            return made.astype(np.float64)
        if self._pooling == "cls":
            return made[:, 0].astype(np.float64)
        sums = np.einsum("btd,bt->bd", made, mask.astype(np.float32), dtype=np.float64)
        return np.asarray(sums / mask.sum(axis=1)[:, None], dtype=np.float64)


def _same(ids: IntArray, others: IntArray) -> bool:
    return len(ids) == len(others) and bool((ids == others).all())
