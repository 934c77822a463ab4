"""An embedding model run by sentence-transformers: whatever that library can load."""

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.embedding.batches import batches
from chunkscope.embedding.engine import FloatArray
from chunkscope.embedding.model_config import read_config
from chunkscope.embedding.model_tokens import ModelTokens, Tokens
from chunkscope.embedding.models import LocalModel
from chunkscope.embedding.onnx_model import MOST_TEXTS, PLACES, cores
from chunkscope.embedding.protocol import IntArray
from chunkscope.errors import InputError
from chunkscope.text.display import visible

_NO_LIMIT = 1_000_000
"""A limit over this is none: the library writes 10³⁰ where it knows none."""


def stay_offline() -> None:
    """Tell Hugging Face's libraries, before they are imported, to use no network.

    They are told to keep off the terminal too, where a bar would be drawn over the screen.
    """
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    os.environ["TRANSFORMERS_VERBOSITY"] = "error"
    from transformers.utils import logging

    hide: Any = logging.disable_progress_bar
    hide()


def load_model(model: LocalModel, kind: Literal["SentenceTransformer", "CrossEncoder"]) -> Any:
    """The model as this class of sentence-transformers loads it from its folder, offline.

    Raises:
        InputError: when the library cannot load it.
    """
    stay_offline()
    import sentence_transformers
    import torch

    torch.set_num_threads(cores())
    load = getattr(sentence_transformers, kind)
    # The library raises whatever those below it raise.
    try:
        return load(str(model.folder), local_files_only=True, trust_remote_code=False)
    except Exception as error:
        said = visible(" ".join(str(error).split())[:200])
        raise InputError(
            f"model {visible(model.name)}: sentence-transformers cannot load "
            f"{visible(str(model.folder))} ({said}); fetch the model again, or give another"
        ) from error


class TorchEngine:
    """A model as sentence-transformers loads it from its folder. See `Engine`.

    Attributes:
        dimensions: length of a vector.
        context_limit: tokens that the model looks at.
    """

    def __init__(self, model: LocalModel) -> None:
        """Load the model.

        Raises:
            InputError: when the library cannot load it.
        """
        self._process = os.getpid()
        self._name = model.name
        self._config = read_config(model.folder)
        self._model = load_model(model, "SentenceTransformer")
        import torch

        self._torch = torch
        # The prompt is always said, if only by leaving it out.
        self._model.default_prompt_name = None
        limit: int | None = self._model.max_seq_length
        self.context_limit = None if limit is None or limit >= _NO_LIMIT else int(limit)
        self.dimensions = int(np.asarray(self._encoded(["a"], "")).shape[1])

    @cached_property
    def tokens(self) -> ModelTokens:
        """The model's tokenizer; see `Engine`."""
        path = self._config.base / "tokenizer.json"
        if not path.is_file():
            raise InputError(
                f"model {visible(self._name)}: has no tokenizer.json, so that the places of its "
                "tokens are not known; give a model that has one"
            )
        return ModelTokens(path, self.context_limit, lower=self._config.lower)

    def embed(
        self, texts: Sequence[str], prompt: str, cancel: CancelToken | None = None
    ) -> FloatArray:
        """The vectors of texts behind a prompt; see `Engine`."""
        counts = self.counts(texts)
        held = np.flatnonzero(counts > self.counts([""])[0])
        lengths = np.minimum(counts[held], self.context_limit or _NO_LIMIT)
        vectors = np.zeros((len(texts), self.dimensions))
        for part in batches(lengths, PLACES, MOST_TEXTS, cancel):
            rows = held[part]
            vectors[rows] = self._encoded([texts[row] for row in rows.tolist()], prompt)
        return vectors

    def counts(self, texts: Sequence[str]) -> IntArray:
        """Tokens of each text; see `Engine`."""
        if not texts:
            return np.zeros(0, dtype=np.int64)
        if (self._config.base / "tokenizer.json").is_file():
            return self.tokens.counts(texts)
        clean = [plain(text) for text in texts]
        ids = self._model.tokenizer(clean, truncation=False, verbose=False)["input_ids"]
        return np.array([len(one) for one in ids], dtype=np.int64)

    def token_vectors(self, batch: Sequence[Tokens]) -> list[npt.NDArray[np.float32]]:
        """The vectors of each text's tokens; see `Engine`."""
        self._keep_to_one_thread()
        torch = self._torch
        width = max(map(len, batch))
        ids = np.full((len(batch), width), self._config.pad, np.int64)
        types = np.zeros((len(batch), width), np.int64)
        mask = np.zeros((len(batch), width), np.int64)
        for row, one in enumerate(batch):
            ids[row, : len(one)], types[row, : len(one)] = one.ids, one.types
            mask[row, : len(one)] = 1
        features = {"input_ids": ids, "attention_mask": mask}
        if types.any():
            features["token_type_ids"] = types
        with torch.inference_mode():
            given = {
                name: torch.from_numpy(part).to(self._model.device)
                for name, part in features.items()
            }
            made = self._model[0](given)["token_embeddings"].float().cpu().numpy()
        return [row[: len(one)] for row, one in zip(made, batch, strict=True)]

    def _keep_to_one_thread(self) -> None:
        """Wait for no thread that stayed behind in the process from which this one was forked."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._torch.set_num_threads(1)

    def _encoded(self, texts: list[str], prompt: str) -> FloatArray:
        self._keep_to_one_thread()
        made = self._model.encode(
            [plain(text) for text in texts],
            prompt=prompt or None,
            batch_size=MOST_TEXTS,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return np.asarray(made, dtype=np.float64)


def plain(text: str) -> str:
    """The text with one character for each half pair, which has no UTF-8."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
