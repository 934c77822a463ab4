"""Embedders of one's own: what they may be, and what is said of those that are none."""

import numpy as np
import pytest

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.embedding.own import OwnEmbedder
from chunkscope.embedding.protocol import Embedder
from chunkscope.errors import InputError


def guard(_doing, call):
    return call()


def lengths(texts):
    return [[float(len(text)), 0.0, 1.0] for text in texts]


class Documents:
    context_limit = 512

    def embed_documents(self, texts):
        return lengths(texts)


class Encoder:
    revision = "r2"

    def encode(self, texts):
        return np.array(lengths(texts), np.float32)


class Batches:
    def embed_batch(self, texts):
        return tuple(np.array(one) for one in lengths(texts))

    def embed(self, text):
        raise AssertionError("one text at a time")


class Generating:
    def embed(self, texts):
        yield from (np.array(one) for one in lengths(texts))


@pytest.mark.parametrize(
    "found", [lengths, Documents(), Documents, Encoder(), Batches(), Generating()]
)
def test_every_form_gives_rows_of_unit_length(found: object):
    embedder = OwnEmbedder("my:own", found, guard)
    assert isinstance(embedder, Embedder)
    vectors = embedder.embed(["abc", "", "x" * 7])
    assert vectors.dtype == np.float32
    expected = np.array([[3, 0, 1], [0, 0, 1], [7, 0, 1]], np.float64)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, atol=1e-7)
    assert embedder.dimensions == 3
    assert embedder.embed([]).shape == (0, 3)


def test_what_it_says_of_itself_is_taken_over():
    assert OwnEmbedder("m:o", Encoder(), guard).revision == "r2"
    assert OwnEmbedder("m:o", lengths, guard).revision == ""
    assert OwnEmbedder("m:o", Documents(), guard).context_limit == 512
    assert OwnEmbedder("m:o", Encoder(), guard).context_limit is None


def test_a_row_of_zeros_stays_one():
    embedder = OwnEmbedder("m:o", lambda texts: [[0.0, 0.0] for _ in texts], guard)
    assert embedder.embed(["a"]).tolist() == [[0.0, 0.0]]


def test_many_texts_are_given_in_lots():
    seen = []

    def count(texts):
        seen.append(len(texts))
        return lengths(texts)

    assert OwnEmbedder("m:o", count, guard).embed(["a"] * 600).shape == (600, 3)
    assert seen == [256, 256, 88]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (lambda texts: lengths(texts)[:1], r"gave an array of shape \(1, 3\) for 2 texts"),
        (lambda texts: [1.0 for _ in texts], r"gave an array of shape \(2,\) for 2 texts"),
        (lambda texts: [[] for _ in texts], r"gave an array of shape \(2, 0\) for 2 texts"),
        (lambda texts: [[float("inf")] for _ in texts], "holds no finite number"),
    ],
)
def test_what_is_no_vector_a_text_is_refused(found: object, said: str):
    with pytest.raises(InputError, match=said):
        OwnEmbedder("m:o", found, guard).embed(["a", "b"])


def test_vectors_keep_one_length():
    widths = iter((2, 3))
    embedder = OwnEmbedder("m:o", lambda texts: [[1.0] * next(widths) for _ in texts], guard)
    embedder.embed(["a"])
    with pytest.raises(InputError, match=r"gave an array of shape \(1, 3\)"):
        embedder.embed(["a"])


def test_what_embeds_nothing_is_refused():
    with pytest.raises(InputError, match="embedder: 'm:o' is of type int and cannot be called"):
        OwnEmbedder("m:o", 7, guard)


def test_is_called_off():
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        OwnEmbedder("m:o", lengths, guard).embed(["a"], cancel)
