"""A BERT's weights as a graph that ONNX Runtime runs: neither onnx nor PyTorch is needed."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from chunkscope.embedding import onnx_wire as wire
from chunkscope.errors import InputError
from chunkscope.text.display import visible

FloatArray = npt.NDArray[np.float32]

WEIGHTS = "model.safetensors"

_OPSET = 17
_LARGEST = 1_900_000_000
"""Bytes of weights at most: a message of Protocol Buffers has a limit of 2³¹."""

_LOW = -1e9
"""Added to the share of a place that holds no token."""

_KINDS = {"F32": "<f4", "F16": "<f2", "BF16": "<u2"}


def is_bert(config: Mapping[str, Any], base: Path) -> bool:
    """Whether a config.json and its folder are of a BERT whose graph is known here."""
    path = base / WEIGHTS
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act", "gelu") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and config.get("is_decoder") is not True
        and path.is_file()
        and path.stat().st_size < _LARGEST
    )


def bert_graph(base: Path) -> bytes:
    """The content of an ONNX file that gives a BERT's token vectors, or a classifier's scores.

    Raises:
        InputError: when the weights in the folder cannot be read, or are not what its config.json
            says.
    """
    path = base / WEIGHTS
    try:
        config = json.loads((base / "config.json").read_bytes())
        weights = _read(path)
        return _Builder(config, weights).model()
    except OSError as error:
        raise _damaged(path, error.strerror or "unreadable") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(path, f"it is not what its config.json says: {error}") from error


class _Builder:
    def __init__(self, config: Mapping[str, Any], weights: Mapping[str, FloatArray]) -> None:
        self._heads = int(config["num_attention_heads"])
        self._width = int(config["hidden_size"])
        self._layers = int(config["num_hidden_layers"])
        self._epsilon = float(config.get("layer_norm_eps", 1e-12))
        self._weights = {name.removeprefix("bert."): one for name, one in weights.items()}
        found = self._weights["embeddings.word_embeddings.weight"].shape[1]
        if found != self._width or self._width % self._heads:
            raise ValueError(f"vectors of {found} parts, not {self._width}")
        self._nodes: list[bytes] = []
        self._tensors: dict[str, bytes] = {}

    def model(self) -> bytes:
        rows, mask = self._embedded(), self._add("Cast", "attention_mask", to=wire.INT32)
        for layer in range(self._layers):
            rows = self._layer(rows, mask, f"encoder.layer.{layer}")
        shape: list[int | str] = ["batch", "sequence", self._width]
        name = "last_hidden_state"
        if "classifier.weight" in self._weights:
            first = self._add("Gather", rows, self._numbers("0"), axis=1)
            rows = self._dense(self._add("Tanh", self._dense(first, "pooler.dense")), "classifier")
            name, shape = "logits", ["batch", len(self._weights["classifier.weight"])]
        self._nodes.append(wire.node("Identity", [rows], name, {}))
        return wire.model(
            self._nodes,
            list(self._tensors.values()),
            [
                wire.value_info(one, wire.INT64, ["batch", "sequence"])
                for one in ("input_ids", "attention_mask", "token_type_ids")
            ],
            [wire.value_info(name, wire.FLOAT, shape)],
            _OPSET,
        )

    def _embedded(self) -> str:
        width = self._add("Gather", self._add("Shape", "input_ids"), self._numbers("1"), axis=0)
        places = self._add("Range", self._numbers("0"), width, self._numbers("1"))
        words, kinds, stands = (
            self._add("Gather", self._weight(f"embeddings.{name}_embeddings.weight"), ids)
            for name, ids in (
                ("word", "input_ids"), ("token_type", "token_type_ids"), ("position", places),
            )
        )  # fmt: skip
        rows = self._add("Add", self._add("Add", words, kinds), stands)
        return self._norm(rows, "embeddings.LayerNorm")

    def _layer(self, rows: str, mask: str, at: str) -> str:
        own = f"{at}.attention.self"
        for part in ("weight", "bias"):
            each = [self._weights[f"{own}.{name}.{part}"].T for name in ("query", "key", "value")]
            together = np.ascontiguousarray(np.concatenate(each, axis=-1))
            self._tensors[f"{own}.{part}"] = wire.tensor(f"{own}.{part}", together)
        seen = self._own(
            "Attention", rows, f"{own}.weight", f"{own}.bias", mask,
            num_heads=self._heads, mask_filter_value=_LOW,
        )  # fmt: skip
        rows = self._joined(seen, rows, f"{at}.attention.output")
        inner = self._product(rows, f"{at}.intermediate.dense")
        inner = self._own("BiasGelu", inner, self._weight(f"{at}.intermediate.dense.bias"))
        return self._joined(inner, rows, f"{at}.output")

    def _joined(self, made: str, rows: str, at: str) -> str:
        """What a part of a layer makes, put back to its size, added to its rows and evened out."""
        names = ("LayerNorm.weight", "LayerNorm.bias", "dense.bias")
        parts = [self._weight(f"{at}.{name}") for name in names]
        made = self._product(made, f"{at}.dense")
        return self._own("SkipLayerNormalization", made, rows, *parts, epsilon=self._epsilon)

    def _add(self, kind: str, *inputs: str, **attributes: wire.Attribute) -> str:
        output = f"v{len(self._nodes)}"
        self._nodes.append(wire.node(kind, inputs, output, attributes))
        return output

    def _own(self, kind: str, *inputs: str, **attributes: wire.Attribute) -> str:
        """A step that ONNX Runtime has in one piece, which is faster than its parts."""
        output = f"v{len(self._nodes)}"
        self._nodes.append(wire.node(kind, inputs, output, attributes, wire.OWN))
        return output

    def _product(self, rows: str, name: str) -> str:
        turned = f"{name}.weight.turned"
        weight = np.ascontiguousarray(self._weights[f"{name}.weight"].T)
        self._tensors[turned] = wire.tensor(turned, weight)
        return self._add("MatMul", rows, turned)

    def _dense(self, rows: str, name: str) -> str:
        return self._add("Add", self._product(rows, name), self._weight(f"{name}.bias"))

    def _norm(self, rows: str, name: str) -> str:
        parts = self._weight(f"{name}.weight"), self._weight(f"{name}.bias")
        return self._add("LayerNormalization", rows, *parts, axis=-1, epsilon=self._epsilon)

    def _weight(self, name: str) -> str:
        self._tensors[name] = wire.tensor(name, self._weights[name])
        return name

    def _numbers(self, said: str) -> str:
        """One whole number, or a row of them."""
        values = [int(one) for one in said.split(",")]
        array = np.array(values if len(values) > 1 else values[0], np.int64)
        self._tensors[f"numbers {said}"] = wire.tensor(f"numbers {said}", array)
        return f"numbers {said}"


def _read(path: Path) -> dict[str, FloatArray]:
    """The numbers of a safetensors file: a length, a JSON header, the tensors."""
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    found: dict[str, FloatArray] = {}
    for name, entry in json.loads(content[8 : 8 + size]).items():
        if name == "__metadata__" or entry["dtype"] not in _KINDS:
            continue
        begin, end = (8 + size + place for place in entry["data_offsets"])
        flat = np.frombuffer(content[begin:end], dtype=_KINDS[entry["dtype"]])
        if entry["dtype"] == "BF16":
            # The upper half of a float32.
            flat = (flat.astype(np.uint32) << 16).view(np.float32)
        found[name] = flat.reshape(entry["shape"]).astype(np.float32)
    return found


def _damaged(path: Path, reason: str) -> InputError:
    return InputError(
        f"model: {visible(str(path))} cannot be used ({visible(reason)}); fetch the model again"
    )
