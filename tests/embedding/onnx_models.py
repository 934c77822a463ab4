"""Real BERT models for tests: weights, an ONNX graph of them, and a plain numpy forward."""

import json
import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

for _package in ("onnx", "onnxruntime", "tokenizers"):
    pytest.importorskip(_package, reason=f"package {_package!r} is not installed")

import onnx  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

Weights = Mapping[str, np.ndarray]

TINY = {
    "model_type": "bert", "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
    "intermediate_size": 64, "max_position_embeddings": 24, "type_vocab_size": 2,
    "layer_norm_eps": 1e-12, "hidden_act": "gelu", "pad_token_id": 0,
}  # fmt: skip

WORDS = (
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "a", "tug", "left", "at", "dawn", "harbour",
    "ships", "wait", "for", "tide", "pilot", "boards", "lamp", "##s", "##er", "query", ":",
    "passage", "of", "quay", "crane", "rope", "fog", "bell", "rings", ".", ",", "'", "c", "##afe",
)  # fmt: skip


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """Tensors of a safetensors file: a length, a JSON header, the numbers."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    kinds = {"F32": "<f4", "F16": "<f2", "I64": "<i8"}
    found = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__":
            begin, end = (8 + size + place for place in entry["data_offsets"])
            flat = np.frombuffer(data[begin:end], dtype=kinds[entry["dtype"]])
            found[name] = flat.reshape(entry["shape"])
    return found


def write_safetensors(path: Path, weights: Weights) -> None:
    header, begin = {}, 0
    for name, value in weights.items():
        size = value.astype("<f4").nbytes
        offsets = [begin, begin + size]
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": offsets}
        begin += size
    said = json.dumps(header).encode()
    body = b"".join(value.astype("<f4").tobytes() for value in weights.values())
    path.write_bytes(len(said).to_bytes(8, "little") + said + body)


def random_bert(seed: int, vocabulary: int, config: Mapping[str, object] = TINY) -> Weights:
    """Weights of a BERT, drawn at random."""
    made = np.random.default_rng(seed)
    width, inner = int(config["hidden_size"]), int(config["intermediate_size"])

    def drawn(*shape: int) -> np.ndarray:
        return (made.standard_normal(shape) * 0.2).astype(np.float32)

    weights = {
        "embeddings.word_embeddings.weight": drawn(vocabulary, width),
        "embeddings.position_embeddings.weight": drawn(
            int(config["max_position_embeddings"]), width
        ),
        "embeddings.token_type_embeddings.weight": drawn(int(config["type_vocab_size"]), width),
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(int(config["num_hidden_layers"])):
        at = f"encoder.layer.{layer}"
        dense = {
            "attention.self.query": (width, width), "attention.self.key": (width, width),
            "attention.self.value": (width, width), "attention.output.dense": (width, width),
            "intermediate.dense": (inner, width), "output.dense": (width, inner),
        }  # fmt: skip
        for name, shape in dense.items():
            weights[f"{at}.{name}.weight"] = drawn(*shape)
            weights[f"{at}.{name}.bias"] = drawn(shape[0])
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for norm in norms:
        weights[f"{norm}.weight"] = 1 + drawn(width)
        weights[f"{norm}.bias"] = drawn(width)
    return weights


def random_classifier(seed: int, vocabulary: int, labels: int) -> Weights:
    """A BERT that ends in scores of a pair of texts."""
    made = np.random.default_rng(seed + 1)
    width = int(TINY["hidden_size"])
    bert = {f"bert.{name}": value for name, value in random_bert(seed, vocabulary).items()}
    shapes = {"bert.pooler.dense": (width, width), "classifier": (labels, width)}
    for name, shape in shapes.items():
        bert[f"{name}.weight"] = made.standard_normal(shape).astype(np.float32)
        bert[f"{name}.bias"] = made.standard_normal(shape[0]).astype(np.float32)
    return bert


def forward(
    weights: Weights, config: Mapping[str, object], ids: np.ndarray, types: np.ndarray
) -> np.ndarray:
    """The vectors of one text's tokens, float64, (tokens, d): BERT as its paper has it."""

    def norm(rows: np.ndarray, name: str) -> np.ndarray:
        rows = rows - rows.mean(axis=1, keepdims=True)
        scale = np.sqrt((rows**2).mean(axis=1, keepdims=True) + float(config["layer_norm_eps"]))
        return rows / scale * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def dense(rows: np.ndarray, name: str) -> np.ndarray:
        return rows @ weights[f"{name}.weight"].T.astype(np.float64) + weights[f"{name}.bias"]

    rows = (
        weights["embeddings.word_embeddings.weight"][ids].astype(np.float64)
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][types]
    )
    rows = norm(rows, "embeddings.LayerNorm")
    heads = int(config["num_attention_heads"])
    error = np.vectorize(math.erf)
    for layer in range(int(config["num_hidden_layers"])):
        at = f"encoder.layer.{layer}"
        parts = [
            dense(rows, f"{at}.attention.self.{name}").reshape(len(ids), heads, -1).swapaxes(0, 1)
            for name in ("query", "key", "value")
        ]
        shares = parts[0] @ parts[1].swapaxes(1, 2) / math.sqrt(parts[0].shape[2])
        shares = np.exp(shares - shares.max(axis=2, keepdims=True))
        seen = (shares / shares.sum(axis=2, keepdims=True)) @ parts[2]
        seen = seen.swapaxes(0, 1).reshape(len(ids), -1)
        rows = norm(
            rows + dense(seen, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm"
        )
        inner = dense(rows, f"{at}.intermediate.dense")
        inner = inner * 0.5 * (1 + error(inner / math.sqrt(2)))
        rows = norm(rows + dense(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    return rows


def classified(
    weights: Weights, config: Mapping[str, object], ids: np.ndarray, types: np.ndarray
) -> np.ndarray:
    """The scores that a classifier gives a pair, (labels,)."""
    bert = {name.removeprefix("bert."): value for name, value in weights.items()}
    first = forward(bert, config, ids, types)[0]
    pooled = np.tanh(first @ bert["pooler.dense.weight"].T + bert["pooler.dense.bias"])
    return pooled @ bert["classifier.weight"].T + bert["classifier.bias"]


def onnx_bert(weights: Weights, config: Mapping[str, object]) -> onnx.ModelProto:  # noqa: PLR0915
    """The graph of a BERT, from token numbers to token vectors, or to scores of a classifier."""
    scores = "classifier.weight" in weights
    inside = "bert." if scores else ""
    nodes: list[onnx.NodeProto] = []
    held: dict[str, np.ndarray] = {}

    def constant(name: str, value: np.ndarray) -> str:
        held[name] = value
        return name

    def add(kind: str, *inputs: str, **attributes: object) -> str:
        nodes.append(helper.make_node(kind, list(inputs), [f"v{len(nodes)}"], **attributes))
        return str(nodes[-1].output[0])

    def weight(name: str) -> str:
        return constant(name, weights[name].astype(np.float32))

    def dense(rows: str, name: str) -> str:
        turned = constant(f"{name}.turned", weights[f"{name}.weight"].T.astype(np.float32).copy())
        return add("Add", add("MatMul", rows, turned), weight(f"{name}.bias"))

    def norm(rows: str, name: str) -> str:
        return add(
            "LayerNormalization", rows, weight(f"{name}.weight"), weight(f"{name}.bias"),
            axis=-1, epsilon=float(config["layer_norm_eps"]),
        )  # fmt: skip

    heads = int(config["num_attention_heads"])
    size = int(config["hidden_size"]) // heads
    one = constant("one", np.array(1, np.int64))
    width = add("Gather", add("Shape", "input_ids"), one, axis=0)
    places = add("Range", constant("zero", np.array(0, np.int64)), width, one)
    at = f"{inside}embeddings"
    rows = add("Gather", weight(f"{at}.word_embeddings.weight"), "input_ids")
    kinds = add("Gather", weight(f"{at}.token_type_embeddings.weight"), "token_type_ids")
    stands = add("Gather", weight(f"{at}.position_embeddings.weight"), places)
    rows = norm(add("Add", add("Add", rows, kinds), stands), f"{at}.LayerNorm")
    mask = add("Cast", "attention_mask", to=TensorProto.FLOAT)
    mask = add("Sub", constant("1.0", np.float32([1])), mask)
    mask = add("Mul", mask, constant("low", np.float32([-1e9])))
    mask = add("Unsqueeze", mask, constant("middle", np.array([1, 2], np.int64)))
    apart = constant("apart", np.array([0, 0, heads, size], np.int64))
    joined = constant("joined", np.array([0, 0, heads * size], np.int64))
    scale = constant("scale", np.float32([1 / math.sqrt(size)]))
    root = constant("root", np.float32([1 / math.sqrt(2)]))
    half = constant("half", np.float32([0.5]))
    for layer in range(int(config["num_hidden_layers"])):
        at = f"{inside}encoder.layer.{layer}"

        def headed(name: str, order: list[int], rows: str = rows, at: str = at) -> str:
            made = add("Reshape", dense(rows, f"{at}.attention.self.{name}"), apart)
            return add("Transpose", made, perm=order)

        shares = add("MatMul", headed("query", [0, 2, 1, 3]), headed("key", [0, 2, 3, 1]))
        shares = add("Softmax", add("Add", add("Mul", shares, scale), mask), axis=-1)
        seen = add("MatMul", shares, headed("value", [0, 2, 1, 3]))
        seen = add("Reshape", add("Transpose", seen, perm=[0, 2, 1, 3]), joined)
        seen = dense(seen, f"{at}.attention.output.dense")
        rows = norm(add("Add", seen, rows), f"{at}.attention.output.LayerNorm")
        inner = dense(rows, f"{at}.intermediate.dense")
        curve = add("Add", add("Erf", add("Mul", inner, root)), constant("1.0", np.float32([1])))
        inner = add("Mul", add("Mul", inner, curve), half)
        rows = norm(add("Add", dense(inner, f"{at}.output.dense"), rows), f"{at}.output.LayerNorm")
    shape: list[int | str] = ["batch", "sequence", heads * size]
    if scores:
        first = add("Gather", rows, constant("zero", np.array(0, np.int64)), axis=1)
        rows = dense(add("Tanh", dense(first, "bert.pooler.dense")), "classifier")
        shape = ["batch", weights["classifier.weight"].shape[0]]
    name = "logits" if scores else "last_hidden_state"
    nodes.append(helper.make_node("Identity", [rows], [name]))
    graph = helper.make_graph(
        nodes,
        "bert",
        [
            helper.make_tensor_value_info(one, TensorProto.INT64, ["batch", "sequence"])
            for one in ("input_ids", "attention_mask", "token_type_ids")
        ],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(value, name) for name, value in held.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(made)
    return made


def write_tokenizer(path: Path) -> None:
    """A WordPiece tokenizer.json of few words, with truncation and padding as some files have."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    numbers = {word: number for number, word in enumerate(WORDS)}
    made = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    made.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    made.enable_truncation(8)
    made.enable_padding(length=8)
    made.save(str(path))


def write_model(folder: Path, seed: int = 0, **settings: object) -> Weights:
    """A tiny random model in a folder as sentence-transformers writes it; its weights.

    Args:
        folder: made when it is missing.
        seed: of the weights.
        settings: `pooling` (mean, cls, max), `limit`, `prompts`, `labels` for a classifier.
    """
    (folder / "1_Pooling").mkdir(parents=True)
    labels = int(settings.get("labels", 0))
    weights = (
        random_classifier(seed, len(WORDS), labels) if labels else random_bert(seed, len(WORDS))
    )
    write_tokenizer(folder / "tokenizer.json")
    write_json(folder / "config.json", {**TINY, "vocab_size": len(WORDS)})
    if not labels:
        parts = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")]
        write_json(
            folder / "modules.json",
            [
                {
                    "idx": n,
                    "name": str(n),
                    "path": path,
                    "type": f"sentence_transformers.models.{t}",
                }
                for n, (path, t) in enumerate(parts)
            ],
        )
        mode = {"mean": "mean_tokens", "cls": "cls_token", "max": "max_tokens"}
        chosen = mode[str(settings.get("pooling", "mean"))]
        pooling = {f"pooling_mode_{one}": one == chosen for one in mode.values()}
        size = {"word_embedding_dimension": TINY["hidden_size"]}
        write_json(folder / "1_Pooling" / "config.json", {**size, **pooling})
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": settings.get("limit", 16)})
    if "prompts" in settings:
        prompts = {"prompts": settings["prompts"], "default_prompt_name": None}
        write_json(folder / "config_sentence_transformers.json", prompts)
    onnx.save(onnx_bert(weights, TINY), str(folder / "model.onnx"))
    return weights


def write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")
