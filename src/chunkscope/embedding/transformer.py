"""Embedding by a transformer model on this machine."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.engine import Engine
from chunkscope.embedding.model_config import ModelConfig, read_config
from chunkscope.embedding.models import LocalModel, check_local_model, engine_of, revision_of
from chunkscope.embedding.protocol import IntArray, Vectors, unit_rows


class TransformerEmbedder:
    """Embeds texts by a model; a text is cut to the context limit. See `Embedder`.

    Equal texts of one call have equal vectors; a text without a token has zeros.

    Attributes:
        name: the model's name.
        revision: a short hash of the files that decide its vectors.
        config: what its folder says.
        engine: what runs it.
    """

    def __init__(self, name: str, revision: str, config: ModelConfig, engine: Engine) -> None:
        """An embedder over a loaded model."""
        self.name = name
        self.revision = revision
        self.config = config
        self.engine = engine

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self.engine.dimensions

    @property
    def context_limit(self) -> int | None:
        """Tokens of a text that the model looks at, those put around it counted; None: all."""
        return self.engine.context_limit

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        """The vectors of texts behind the model's prompt for documents; see `Embedder`."""
        return self._embedded(texts, self.config.prompt, cancel)

    def embed_questions(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        """The vectors of questions behind the model's prompt for them, as `embed` gives them.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        return self._embedded(texts, self.config.question_prompt, cancel)

    def token_counts(self, texts: Sequence[str]) -> IntArray:
        """Tokens of each text as `embed` reads it before it is cut, shape (n,).

        Those put around a text and those of the prompt count: what is over the context limit is
        not looked at.
        """
        return self.engine.counts([self.config.prompt + text for text in texts])

    def _embedded(self, texts: Sequence[str], prompt: str, cancel: CancelToken | None) -> Vectors:
        distinct = list(dict.fromkeys(texts))
        row = {text: number for number, text in enumerate(distinct)}
        units = unit_rows(self.engine.embed(distinct, prompt, cancel)).astype(np.float32)
        return units[[row[text] for text in texts]]


@lru_cache(maxsize=2)
def local_embedder(name: str) -> TransformerEmbedder:
    """The embedder of a model on this machine, by name or folder; the last ones stay loaded.

    Raises:
        InputError: when the model is not found, or a file of it is damaged.
        MissingPackageError: when no package that runs it is installed; the command is named.
    """
    model = check_local_model(name)
    engine = engine_of(model)
    config = read_config(model.folder)
    return TransformerEmbedder(
        model.name, revision_of(model, engine), config, _loaded(model, engine)
    )


def _loaded(model: LocalModel, engine: str) -> Engine:
    if engine == "onnx":
        from chunkscope.embedding.onnx_engine import OnnxEngine

        return OnnxEngine(model)
    from chunkscope.embedding.torch_engine import TorchEngine

    return TorchEngine(model)
