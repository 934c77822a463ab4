"""Scores of a question and a text together, by a classifier on this machine."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.embedding.batches import batches
from chunkscope.embedding.model_config import read_config
from chunkscope.embedding.model_tokens import ModelTokens
from chunkscope.embedding.models import LocalModel, check_local_model, engine_of, revision_of
from chunkscope.embedding.onnx_model import MOST_TEXTS, PLACES, OnnxModel
from chunkscope.embedding.torch_engine import load_model, plain
from chunkscope.errors import InputError
from chunkscope.text.display import visible


class PairEngine(Protocol):
    """A loaded classifier."""

    @property
    def context_limit(self) -> int | None:
        """Tokens of a question and a text together that it looks at; None: all."""
        ...

    def outputs(
        self, question: str, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> npt.NDArray[np.float64]:
        """What it puts out for the question with each text, (n, labels)."""
        ...


class LocalCrossEncoder:
    """Reads a question and a text together. See `CrossEncoder`.

    The score is what a model of one output puts out, before any sigmoid, which would make high
    scores alike; of a model of two, how much the second (relevant) is above the first.

    Attributes:
        name: the model's name.
        revision: a short hash of the files that decide its scores.
        engine: what runs it.
    """

    def __init__(self, name: str, revision: str, engine: PairEngine) -> None:
        """A cross-encoder over a loaded model."""
        self.name = name
        self.revision = revision
        self.engine = engine

    @property
    def context_limit(self) -> int | None:
        """Tokens of a question and a text together that the model looks at; None: all."""
        return self.engine.context_limit

    def score(
        self, question: str, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> npt.NDArray[np.float64]:
        """How well each text answers; equal texts have equal scores. See `CrossEncoder`.

        Raises:
            InputError: when the model is no classifier of one or two outputs.
            CancelledError: when `cancel` was raised meanwhile.
        """
        if not texts:
            return np.zeros(0)
        distinct = list(dict.fromkeys(texts))
        row = {text: number for number, text in enumerate(distinct)}
        outputs = self.engine.outputs(question, distinct, cancel)
        labels = outputs.shape[1]
        if labels > 2:
            raise InputError(
                f"model {visible(self.name)}: gives {labels} numbers for a question and a text, "
                "not one or two: it is no cross-encoder; give one, such as "
                "cross-encoder/ms-marco-MiniLM-L6-v2"
            )
        scores = outputs[:, 0] if labels == 1 else outputs[:, 1] - outputs[:, 0]
        return np.asarray(scores[[row[text] for text in texts]], dtype=np.float64)


class OnnxPairs:
    """A classifier's graph with its own tokenizer. See `PairEngine`.

    Attributes:
        context_limit: tokens that the model looks at.
    """

    def __init__(self, model: LocalModel) -> None:
        """Load a model that has an ONNX file, or the weights of a BERT.

        Raises:
            InputError: when a file of it is missing or damaged.
        """
        config = read_config(model.folder)
        self._model = OnnxModel(model, config)
        self.context_limit = config.context_limit
        self._tokens = ModelTokens(
            config.base / "tokenizer.json", config.context_limit, lower=config.lower
        )

    def outputs(
        self, question: str, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> npt.NDArray[np.float64]:
        """What the graph puts out; see `PairEngine`."""
        tokens = self._tokens.pairs(question, texts)
        lengths = np.array([len(one) for one in tokens], dtype=np.int64)
        found = np.zeros((0, 0))
        for rows in batches(lengths, PLACES, MOST_TEXTS, cancel):
            made, _ = self._model.run([tokens[row] for row in rows.tolist()], 2)
            if not found.size:
                found = np.zeros((len(texts), made.shape[1]))
            found[rows] = made
        return found


class TorchPairs:
    """A classifier as sentence-transformers loads it. See `PairEngine`.

    Attributes:
        context_limit: tokens that the model looks at.
    """

    def __init__(self, model: LocalModel) -> None:
        """Load the model.

        Raises:
            InputError: when the library cannot load it.
        """
        self._model = load_model(model, "CrossEncoder")
        import torch

        self._identity = torch.nn.Identity()
        self.context_limit = read_config(model.folder).context_limit
        if self.context_limit is not None:
            # Named anew in version 6 of the library.
            named = hasattr(self._model, "max_seq_length")
            setattr(self._model, "max_seq_length" if named else "max_length", self.context_limit)

    def outputs(
        self, question: str, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> npt.NDArray[np.float64]:
        """What the model puts out; see `PairEngine`."""
        asked, answers = plain(question), [plain(text) for text in texts]
        lengths = np.array([len(text) for text in answers], dtype=np.int64)
        found = np.zeros((0, 0))
        for rows in batches(lengths, len(answers) * int(lengths.max()), MOST_TEXTS, cancel):
            made = self._model.predict(
                [(asked, answers[row]) for row in rows.tolist()],
                activation_fn=self._identity,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
            part = np.asarray(made, dtype=np.float64).reshape(len(rows), -1)
            if not found.size:
                found = np.zeros((len(texts), part.shape[1]))
            found[rows] = part
        return found


@lru_cache(maxsize=2)
def local_cross_encoder(name: str) -> LocalCrossEncoder:
    """The cross-encoder on this machine, by name or folder; the last ones stay loaded.

    Raises:
        InputError: when the model is not found, or a file of it is damaged.
        MissingPackageError: when no package that runs it is installed; the command is named.
    """
    model = check_local_model(name)
    engine = engine_of(model)
    loaded: PairEngine = OnnxPairs(model) if engine == "onnx" else TorchPairs(model)
    return LocalCrossEncoder(model.name, revision_of(model, engine), loaded)
