"""Spans of the `static` embedder against their own texts, and against wordllama itself."""

import socket
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.embedding.borders import Borders
from chunkscope.embedding.protocol import Embedder, SpanEmbedder, embed_slices
from chunkscope.errors import InputError, MissingPackageError

wordllama = pytest.importorskip("wordllama", reason="the extra 'static' is not installed")

from chunkscope.embedding.static import StaticEmbedder, StaticTexts, get_static_embedder  # noqa: E402
from chunkscope.embedding.static_model import StaticModel  # noqa: E402

_FOLDER = Path(wordllama.__file__).parent

# Words that share tokens, spaces in runs, marks, and characters that the vocabulary lacks.
_PIECES = st.sampled_from(
    ["the", "The", " ", "  ", "\n", "\n\n", "\t", "harbour", "ha", "rb", "s", "'s", ".", ". ", ",",
     "42", "(", "](", "灯塔", "港", "é", "e\u0301", "👩‍🚀", "\ufeff", "▁", "</s>", "<unk>",
     "<0x0A>", "\u00a0", "aaaa", "\ud83d", "\r\n", "Ω", "İ"]
)  # fmt: skip
_TEXTS = st.lists(_PIECES, max_size=25).map("".join)


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return get_static_embedder()


def test_is_an_embedder_that_knows_spans(embedder: StaticEmbedder):
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, SpanEmbedder)
    assert (embedder.name, embedder.dimensions) == ("wordllama/l2_supercat_256", 256)
    assert embedder.revision.startswith("0.4")
    assert embedder.context_limit is None


@given(st.lists(_TEXTS, min_size=1, max_size=3), st.data())
def test_a_span_has_exactly_the_sum_of_its_own_text(texts: list[str], data: st.DataObject):
    model = get_static_embedder().model
    spans = [
        (number, start, data.draw(st.integers(start, len(text))))
        for number, text in enumerate(texts)
        for start in data.draw(st.lists(st.integers(0, len(text)), max_size=4))
    ]
    numbers, starts, ends = (
        np.array(part, np.int64) for part in (zip(*spans, strict=True) if spans else ((), (), ()))
    )
    sums = StaticTexts(model, texts).sums(numbers, starts, ends)
    own = get_static_embedder().sums([texts[number][start:end] for number, start, end in spans])
    assert sums.shape == (len(spans), 256)
    np.testing.assert_array_equal(sums, own)


@given(_TEXTS, _TEXTS, st.data())
def test_an_inner_span_follows_a_line_end(before: str, text: str, data: st.DataObject):
    embedder = get_static_embedder()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    zero, one = np.zeros(1, np.int64), np.ones(1, np.bool_)
    inner = StaticTexts(embedder.model, [text]).sums(zero, zero + start, zero + end, inner=one)
    whole = embedder.sums([f"{before}\n{text[start:end]}"])
    head = embedder.sums([f"{before}\n"])
    np.testing.assert_array_equal(head + inner, whole)


@settings(max_examples=50)
@given(
    st.lists(
        _TEXTS.filter(lambda text: "<" not in text and "\ud83d" not in text), min_size=1, max_size=4
    )
)
def test_texts_are_embedded_as_wordllama_embeds_them(texts: list[str]):
    own = wordllama.WordLlama.load(cache_dir=_FOLDER, disable_download=True)
    expected = own.embed(texts)
    lengths = np.linalg.norm(expected, axis=1, keepdims=True)
    expected = np.divide(expected, lengths, out=np.zeros_like(expected), where=lengths > 0)
    np.testing.assert_allclose(get_static_embedder().embed(texts), expected, atol=1e-5)


def test_names_of_special_tokens_are_plain_text(embedder: StaticEmbedder):
    tokens, counts = embedder.model.tokens_of_texts(["a</s>", ""])
    assert counts.tolist() == [len(tokens), 0]
    assert 2 not in tokens.tolist()


def test_spans_of_real_documents_match_their_own_texts(
    shared_data: Callable[[str], Path], embedder: StaticEmbedder
):
    folder = shared_data("techdocs_md") / "docs"
    texts = [path.read_text("utf-8") for path in sorted(folder.rglob("*.md"))[:20]]
    rng = np.random.default_rng(5)
    numbers = rng.integers(0, len(texts), 600)
    lengths = np.array([len(text) for text in texts])[numbers]
    starts = (rng.random(600) * lengths).astype(np.int64)
    ends = np.minimum(lengths, starts + rng.integers(0, 3000, 600))
    sums = StaticTexts(embedder.model, texts).sums(numbers, starts, ends)
    own = embedder.sums([texts[n][a:b] for n, a, b in zip(numbers, starts, ends, strict=True)])
    np.testing.assert_array_equal(sums, own)


def test_long_texts_keep_their_sums_exact(embedder: StaticEmbedder):
    text = "The harbour office opens at nine. " * 30_000
    half = len(text) // 2
    zero = np.zeros(3, np.int64)
    starts, ends = np.array([0, 0, half]), np.array([len(text), half, len(text)])
    sums = StaticTexts(embedder.model, [text]).sums(zero, starts, ends)
    once = embedder.sums(["The harbour office opens at nine. The"]) - embedder.sums(["The"])
    last = embedder.sums(["nine. "]) - embedder.sums(["nine."])
    np.testing.assert_array_equal(sums[0], once[0] * 30_000 + last[0])
    np.testing.assert_array_equal(sums[1] + sums[2] - last[0], sums[0])


def test_vectors_have_unit_length_or_are_zero(embedder: StaticEmbedder):
    vectors = embedder.embed(["The harbour", "", "港"])
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [1, 0, 1], atol=1e-6)
    assert embedder.embed([]).shape == (0, 256)


def test_slices_are_embedded_alike_with_and_without_spans(embedder: StaticEmbedder):
    class Plain:
        name, revision, dimensions, context_limit = "plain", "1", 256, None

        def embed(self, texts: list[str], cancel: object = None):
            return embedder.embed(texts)

    text = "The harbour is quiet. The captain sleeps."
    starts, ends = np.array([0, 22, 4]), np.array([21, 41, 33])
    np.testing.assert_array_equal(
        embed_slices(embedder, text, starts, ends), embed_slices(Plain(), text, starts, ends)
    )


def test_loads_without_a_network(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert StaticModel(_FOLDER, "0").vectors.shape == (32000, 256)


def test_a_damaged_file_is_named(tmp_path: Path):
    (tmp_path / "weights").mkdir()
    weights = tmp_path / "weights" / "l2_supercat_256.safetensors"
    with pytest.raises(InputError, match=r"l2_supercat_256.safetensors: cannot be read"):
        StaticModel(tmp_path, "0")
    weights.write_bytes(b"\x05\x00\x00\x00\x00\x00\x00\x00nojson")
    with pytest.raises(InputError, match="is not what wordllama"):
        StaticModel(tmp_path, "0")


def test_the_command_is_named_where_the_package_is_missing(monkeypatch: pytest.MonkeyPatch):
    from chunkscope.embedding import static_model

    monkeypatch.setattr(static_model, "find_spec", lambda _name: None)
    with pytest.raises(MissingPackageError, match=r"pip install 'chunkscope\[static\]'"):
        static_model.check_static_model()
    static_model.load_static_model.cache_clear()
    with pytest.raises(MissingPackageError, match=r"pip install 'chunkscope\[static\]'"):
        static_model.load_static_model()


def test_is_called_off(embedder: StaticEmbedder):
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(CancelledError):
        StaticTexts(embedder.model, ["a text never seen: qzxv"], cancel)


def test_borders_stand_where_no_token_spans_two_characters():
    borders = Borders(["ab", "abc", "▁x", "▁▁", "y"])
    assert borders.segment_starts("abcab▁x▁▁y").tolist() == [0, 3, 5, 7, 9]
    assert borders.segment_starts("").tolist() == []
    assert borders.segment_starts("😀a").tolist() == [0, 1]
