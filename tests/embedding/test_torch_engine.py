"""The engine of sentence-transformers: its wrapper on a stand-in, and the library itself."""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from onnx_models import TINY, WORDS, classified, forward, write_json, write_model, write_safetensors

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.embedding import models
from chunkscope.embedding.cross_encoder import LocalCrossEncoder, TorchPairs
from chunkscope.embedding.late import LateTexts
from chunkscope.embedding.model_config import read_config
from chunkscope.embedding.models import find_model
from chunkscope.embedding.onnx_model import cores
from chunkscope.embedding.torch_engine import TorchEngine
from chunkscope.embedding.transformer import TransformerEmbedder, local_embedder
from chunkscope.errors import InputError

INSTALLED = find_spec("sentence_transformers") is not None and find_spec("torch") is not None
real = pytest.mark.skipif(not INSTALLED, reason="the extra 'dense' is not installed")


class StandIn:
    """What the engine uses of the library's model: vectors that tell what was asked."""

    default_prompt_name: str | None = "query"
    max_seq_length: int | None = 12
    device = "here"

    def __init__(self, path: str, **how: object) -> None:
        if not (Path(path) / "config.json").is_file() or how != {
            "local_files_only": True, "trust_remote_code": False,
        }:  # fmt: skip
            raise OSError("no such\nmodel")
        self.path = path
        self.asked: list[tuple[list[str], dict[str, object]]] = []

    def encode(self, texts: list[str], **how: object) -> np.ndarray:
        self.asked.append((texts, how))
        return np.array([[len(text), len(str(how["prompt"] or "")), 1] for text in texts])

    def predict(self, pairs: list[tuple[str, str]], **how: object) -> np.ndarray:
        self.asked.append(([text for _, text in pairs], how))
        return np.array([len(asked) - len(text) for asked, text in pairs], dtype=np.float32)

    def __getitem__(self, part: int) -> Any:
        assert part == 0

        def run(features: dict[str, Any]) -> dict[str, Any]:
            ids = features["input_ids"].array
            given = np.stack([ids, features["attention_mask"].array], axis=2)
            return {"token_embeddings": Tensor(given)}

        return run


class Tensor:
    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def to(self, device: str) -> "Tensor":
        assert device == "here"
        return self

    def float(self) -> "Tensor":
        return Tensor(self.array.astype(np.float32))

    def cpu(self) -> "Tensor":
        return self

    def numpy(self) -> np.ndarray:
        return self.array


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Stand-ins for torch, transformers and sentence-transformers; the numbers of threads set."""
    threads: list[int] = []
    torch = ModuleType("torch")
    torch.set_num_threads = threads.append  # type: ignore[attr-defined]
    torch.from_numpy = Tensor  # type: ignore[attr-defined]
    torch.inference_mode = lambda: os.scandir(os.curdir)  # type: ignore[attr-defined]
    torch.nn = SimpleNamespace(Identity=lambda: "as it is")  # type: ignore[attr-defined]
    whole = ModuleType("sentence_transformers")
    whole.SentenceTransformer = StandIn  # type: ignore[attr-defined]
    whole.CrossEncoder = StandIn  # type: ignore[attr-defined]
    utils = ModuleType("transformers.utils")
    utils.logging = SimpleNamespace(disable_progress_bar=lambda: None)  # type: ignore[attr-defined]
    for name, module in (
        ("torch", torch), ("sentence_transformers", whole),
        ("transformers", ModuleType("transformers")), ("transformers.utils", utils),
    ):  # fmt: skip
        monkeypatch.setitem(sys.modules, name, module)
    return threads


def embedder_of(folder: Path) -> TransformerEmbedder:
    return TransformerEmbedder(
        "tiny", "1", read_config(folder), TorchEngine(find_model(str(folder)))
    )


def test_the_library_is_asked_offline_and_by_prompt(tmp_path: Path, library: list[int]):
    write_model(tmp_path / "tiny", prompts={"query": "query : "}, limit=12)
    embedder = embedder_of(tmp_path / "tiny")
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    assert library == [cores()]
    assert (embedder.dimensions, embedder.context_limit) == (3, 12)
    found = embedder.embed(["fog", "", "bell", "fog"])
    lengths = np.array([[3, 0, 1], [0, 0, 0], [4, 0, 1], [3, 0, 1]], float)
    norms = np.maximum(np.linalg.norm(lengths, axis=1), 1)[:, None]
    assert np.abs(found - lengths / norms).max() < 1e-6
    asked = embedder.embed_questions(["fog"])
    assert np.abs(asked[0] - np.array([3, 8, 1]) / np.sqrt(74)).max() < 1e-6
    model: StandIn = embedder.engine._model
    assert model.default_prompt_name is None
    assert [texts for texts, _ in model.asked] == [["a"], ["fog", "bell"], ["fog"]]
    assert model.asked[1][1]["prompt"] is None
    assert model.asked[2][1]["prompt"] == "query : "
    assert embedder.token_counts(["the tug left at dawn . " * 3, ""]).tolist() == [20, 2]


def test_half_pairs_reach_the_library_as_a_mark(tmp_path: Path, library: list[int]):
    write_model(tmp_path / "tiny")
    embedder = embedder_of(tmp_path / "tiny")
    embedder.embed(["fog \ud83d"])
    assert embedder.engine._model.asked[-1][0] == ["fog \ufffd"]


def test_token_vectors_leave_the_filling_out(tmp_path: Path, library: list[int]):
    write_model(tmp_path / "tiny")
    engine = TorchEngine(find_model(str(tmp_path / "tiny")))
    batch = engine.tokens.encode(["fog", "the fog"])
    first, second = engine.token_vectors(batch)
    assert first.tolist() == [[2, 1], [WORDS.index("fog"), 1], [3, 1]]
    assert second.shape == (4, 2)


def test_work_is_called_off_between_batches(tmp_path: Path, library: list[int]):
    write_model(tmp_path / "tiny")
    embedder = embedder_of(tmp_path / "tiny")
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        embedder.embed(["fog"], token)


def test_a_model_that_the_library_cannot_load_is_named(
    tmp_path: Path, library: list[int], monkeypatch: pytest.MonkeyPatch
):
    write_model(tmp_path / "tiny")
    model = find_model(str(tmp_path / "tiny"))
    (tmp_path / "tiny" / "config.json").unlink()
    with pytest.raises(InputError, match=r"cannot load .*tiny \(no such model\); fetch the model"):
        TorchEngine(model)
    with pytest.raises(InputError, match=r"cannot load .*tiny \(no such model\); fetch the model"):
        TorchPairs(model)


def test_a_model_without_tokenizer_json_has_no_places(tmp_path: Path, library: list[int]):
    write_model(tmp_path / "tiny")
    engine = TorchEngine(find_model(str(tmp_path / "tiny")))
    (tmp_path / "tiny" / "tokenizer.json").unlink()

    def tokenizer(texts: Sequence[str], **how: object) -> dict[str, list[list[int]]]:
        assert how == {"truncation": False, "verbose": False}
        return {"input_ids": [[2, *range(len(text.split())), 3] for text in texts]}

    engine._model.tokenizer = tokenizer
    assert engine.counts(["a b c", ""]).tolist() == [5, 2]
    with pytest.raises(InputError, match=r"tiny: has no tokenizer.json, so that the places"):
        _ = engine.tokens


def test_the_library_is_chosen_where_it_alone_can(
    tmp_path: Path, library: list[int], monkeypatch: pytest.MonkeyPatch
):
    write_model(tmp_path / "tiny", pooling="max")
    monkeypatch.setattr(models, "find_spec", lambda name: ModuleSpec(name, None))
    assert isinstance(local_embedder(str(tmp_path / "tiny")).engine, TorchEngine)


def test_pairs_are_scored_as_they_come_out(tmp_path: Path, library: list[int]):
    write_model(tmp_path / "tiny", labels=1)
    encoder = LocalCrossEncoder("tiny", "1", TorchPairs(find_model(str(tmp_path / "tiny"))))
    assert encoder.score("fog bell", ["a", "abc", "", "a"]).tolist() == [7, 5, 8, 7]
    assert encoder.context_limit == 16
    engine = encoder.engine
    assert isinstance(engine, TorchPairs)
    assert engine._model.asked[0][1]["activation_fn"] == "as it is"


def with_weights(folder: Path, **settings: object) -> Any:
    weights = write_model(folder, **settings)
    (folder / "model.onnx").unlink()
    write_safetensors(folder / "model.safetensors", weights)
    kind = "BertForSequenceClassification" if "labels" in settings else "BertModel"
    config = {**TINY, "vocab_size": len(WORDS), "architectures": [kind]}
    if "labels" in settings:
        config["id2label"] = {str(n): str(n) for n in range(int(str(settings["labels"])))}
    write_json(folder / "config.json", config)
    write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "BertTokenizer", "model_max_length": 16, "pad_token": "[PAD]",
            "cls_token": "[CLS]", "sep_token": "[SEP]", "unk_token": "[UNK]",
        },
    )  # fmt: skip
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    return weights


@real
@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
def test_the_library_gives_the_vectors_of_the_weights(tmp_path: Path, pooling: str):
    weights = with_weights(tmp_path / "tiny", pooling=pooling)
    embedder = embedder_of(tmp_path / "tiny")
    assert isinstance(embedder.engine, TorchEngine)
    found = embedder.embed(["the fog bell", "", "the tug left at dawn . " * 5])
    assert not found[1].any()
    for row, text in ((0, "the fog bell"), (2, "the tug left at dawn . " * 5)):
        words = ["[CLS]", *text.split()[:14], "[SEP]"]
        ids = np.array([WORDS.index(word) for word in words])
        rows = forward(weights, TINY, ids, np.zeros_like(ids))
        pooled = {"mean": rows.mean(axis=0), "cls": rows[0], "max": rows.max(axis=0)}[pooling]
        assert np.abs(found[row] - pooled / np.linalg.norm(pooled)).max() < 1e-5
    if pooling == "mean":
        tokens = embedder.engine.tokens.encode(["the fog"])
        rows = embedder.engine.token_vectors(tokens)[0]
        ids = tokens[0].ids
        assert np.abs(rows - forward(weights, TINY, ids, np.zeros_like(ids))).max() < 1e-5


@real
def test_late_chunking_goes_through_the_library_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    weights = with_weights(tmp_path / "tiny")
    texts = LateTexts(embedder_of(tmp_path / "tiny"), ["the fog bell"])
    place = np.zeros(1, np.int64)
    ids = np.array([WORDS.index(word) for word in ("[CLS]", "the", "fog", "bell", "[SEP]")])
    rows = forward(weights, TINY, ids, np.zeros_like(ids))[2:4]
    found = texts.vectors(place, place + 4, place + 12)[0]
    assert np.abs(found - rows.mean(axis=0)).max() < 2e-3


@real
@pytest.mark.parametrize("labels", [1, 2])
def test_the_library_gives_the_scores_of_the_weights(tmp_path: Path, labels: int):
    weights = with_weights(tmp_path / "tiny", labels=labels)
    encoder = LocalCrossEncoder("tiny", "1", TorchPairs(find_model(str(tmp_path / "tiny"))))
    found = encoder.score("fog bell", ["the tug", "ships wait"])
    for score, words in zip(found, (["the", "tug"], ["ships", "wait"]), strict=True):
        whole = ["[CLS]", "fog", "bell", "[SEP]", *words, "[SEP]"]
        ids = np.array([WORDS.index(word) for word in whole])
        given = classified(weights, TINY, ids, np.array([0, 0, 0, 0, 1, 1, 1]))
        assert score == pytest.approx(given[0] if labels == 1 else given[1] - given[0], abs=1e-5)


@real
def test_a_forked_process_waits_for_no_thread(tmp_path: Path):
    with_weights(tmp_path / "tiny")
    embedder = embedder_of(tmp_path / "tiny")
    # Long enough that the library shares the work out to its threads.
    texts = ["the tug left at dawn . " * 3] * 2 + [f"the fog {word}" for word in WORDS[4:]]
    before = embedder.embed(texts)
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.write(writes, embedder.embed(texts).tobytes())
        os._exit(0)
    found = np.frombuffer(os.read(reads, before.nbytes), np.float32).reshape(before.shape)
    os.waitpid(child, 0)
    assert np.abs(found - before).max() < 1e-6
