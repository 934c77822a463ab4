"""Models run by ONNX Runtime."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from chunkscope.embedding.bert_graph import bert_graph
from chunkscope.embedding.model_config import ModelConfig
from chunkscope.embedding.model_tokens import Tokens
from chunkscope.embedding.models import LocalModel
from chunkscope.errors import InputError
from chunkscope.text.display import visible

if TYPE_CHECKING:
    import onnxruntime

PLACES = 1024
"""Tokens that are run at a time, filling included: what lies between layers stays in caches."""

MOST_TEXTS = 64
"""Texts that are run at a time."""


class OnnxModel:
    """A graph from token numbers to vectors or scores.

    Threads may share it; a forked process loads it anew, as the graph's threads stay behind.

    Attributes:
        path: the file, or the folder of the weights from which the graph is made.
    """

    def __init__(self, model: LocalModel, config: ModelConfig) -> None:
        """Load a model's ONNX file; without one, the weights of a BERT.

        Raises:
            InputError: when it is no graph of a text model.
        """
        self.path = model.onnx or config.base
        self._file = model.onnx
        self._pad = config.pad
        self._process = os.getpid()
        self._session = self._loaded()
        self._left: list[onnxruntime.InferenceSession] = []
        self._inputs = {one.name: one.type for one in self._session.get_inputs()}
        self._outputs = [(one.name, len(one.shape)) for one in self._session.get_outputs()]
        if "input_ids" not in self._inputs:
            raise self._failed("it has no input input_ids")

    def gives(self, rank: int) -> bool:
        """Whether it has an output of that many dimensions: 3 a vector a token, 2 one a text."""
        return any(own == rank for _, own in self._outputs)

    @property
    def gives_scores(self) -> bool:
        """Whether it ends in the scores of a classifier."""
        return any(name == "logits" for name, _ in self._outputs)

    def run(self, batch: Sequence[Tokens], rank: int) -> tuple[npt.NDArray[np.float32], Any]:
        """The first output of that many dimensions, and which places hold tokens.

        Raises:
            InputError: when there is no such output, or the graph cannot be run.
        """
        name = next((name for name, own in self._outputs if own == rank), None)
        if name is None:
            said = "vector a token" if rank == 3 else "score or vector a text"
            raise self._failed(f"it has no output with a {said}")
        width = max(map(len, batch))
        ids = np.full((len(batch), width), self._pad, np.int64)
        types = np.zeros((len(batch), width), np.int64)
        mask = np.zeros((len(batch), width), np.int64)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens.ids
            types[row, : len(tokens)] = tokens.types
            mask[row, : len(tokens)] = 1
        given = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": types,
            "position_ids": np.broadcast_to(np.arange(width, dtype=np.int64), ids.shape),
        }
        feeds = {
            one: given[one].astype(np.int32 if kind == "tensor(int32)" else np.int64)
            for one, kind in self._inputs.items()
            if one in given
        }
        if self._process != os.getpid():
            # Letting go of a graph waits for its threads, which are in the other process.
            self._left.append(self._session)
            self._session, self._process = self._loaded(), os.getpid()
        # The package raises classes of its own that only Exception is above.
        try:
            made = self._session.run([name], feeds)[0]
        except Exception as error:
            raise self._failed(" ".join(str(error).split())[:200]) from error
        return np.asarray(made, dtype=np.float32), mask.astype(np.bool_)

    def _loaded(self) -> "onnxruntime.InferenceSession":
        import onnxruntime

        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = cores()
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Threads that spin while they wait win little on an idle machine, and halve a busy one.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            return onnxruntime.InferenceSession(
                bert_graph(self.path) if self._file is None else str(self._file),
                options,
                providers=["CPUExecutionProvider"],
            )
        except InputError:
            raise
        except Exception as error:
            raise self._failed(" ".join(str(error).split())[:200]) from error

    def _failed(self, reason: str) -> InputError:
        return InputError(
            f"model: {visible(str(self.path))} cannot be run ({visible(reason)}); fetch the model "
            "again, or give another"
        )


def cores() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
