"""Cached embedders and cross-encoders: what is asked, what is kept, and who waits for whom."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.embedding.cache import Held, VectorCache
from chunkscope.embedding.cached import CachedCrossEncoder, CachedEmbedder
from chunkscope.embedding.protocol import CrossEncoder, Embedder, IntArray, Vectors
from chunkscope.errors import InputError


def vectors_of(texts: Sequence[str], length: int = 2) -> Vectors:
    rows = [[len(text) + 1.0, *map(float, range(1, length))] for text in texts]
    return np.array(rows, np.float32).reshape(-1, length)


class Learning:
    """Learns the length of its vectors from its first answer, as an endpoint does."""

    name, revision, context_limit = "learning", "1", None

    def __init__(self, length: int = 2) -> None:
        self.dimensions = 0
        self.length = length
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        self.asked += texts
        self.dimensions = self.length
        return vectors_of(texts, self.length)


class InLots(Learning):
    """Gives two texts a lot, in no order, and fails when it has given so many lots."""

    def __init__(self, lots: int = 100) -> None:
        super().__init__()
        self.lots = lots

    def embed_lots(
        self, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> Iterator[tuple[list[int], Vectors]]:
        places = list(range(len(texts)))[::-1]
        for begin in range(0, len(places), 2):
            if begin == 2 * self.lots:
                raise InputError("broken")
            lot = places[begin : begin + 2]
            yield lot, self.embed([texts[place] for place in lot])


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path / "v.sqlite3")


def test_the_length_of_vectors_is_learned_from_the_cache(cache: VectorCache):
    embedder = CachedEmbedder(Learning(), cache)
    assert isinstance(embedder, Embedder)
    assert cache.dimensions("learning", "1") is None
    assert embedder.dimensions == 0
    assert embedder.embed([]).shape == (0, 0)
    np.testing.assert_array_equal(embedder.embed(["a", "bb", "a"]), vectors_of(["a", "bb", "a"]))
    again = Learning()
    embedder = CachedEmbedder(again, cache)
    assert (cache.dimensions("learning", "1"), embedder.dimensions) == (2, 2)
    np.testing.assert_array_equal(embedder.embed(["bb", "a"]), vectors_of(["bb", "a"]))
    assert again.asked == []
    assert again.dimensions == 0
    assert cache.dimensions("learning", "2") is None


def test_a_model_whose_vectors_changed_their_length_is_asked_anew(cache: VectorCache):
    CachedEmbedder(Learning(2), cache).embed(["a", "bb"])
    changed = Learning(3)
    embedder = CachedEmbedder(changed, cache)
    expected = vectors_of(["a", "ccc", "bb"], 3)
    np.testing.assert_array_equal(embedder.embed(["a", "ccc", "bb"]), expected)
    assert sorted(changed.asked) == ["a", "bb", "ccc"]
    assert embedder.missing(["a", "bb", "ccc", "d", "d"]) == ["d"]


def test_a_model_that_says_one_length_and_gives_another_is_refused(cache: VectorCache):
    lying = Learning(3)
    vectors = vectors_of(["a"], 2)
    lying.embed = lambda texts, cancel=None: vectors  # type: ignore[method-assign]
    lying.dimensions = 3
    with pytest.raises(InputError, match="gave vectors of 2 numbers and says that it gives 3"):
        CachedEmbedder(lying, cache).embed(["a"])


@pytest.mark.parametrize("wrong", [vectors_of(["a"]), np.full((2, 2), np.nan, np.float32)])
def test_what_is_no_row_a_text_is_not_kept(cache: VectorCache, wrong: Vectors):
    model = Learning()
    model.embed = lambda texts, cancel=None: wrong  # type: ignore[method-assign]
    with pytest.raises(InputError, match="rows for 2 texts, or one that holds no finite number"):
        CachedEmbedder(model, cache).embed(["a", "b"])
    assert cache.held() == []


@given(st.lists(st.sampled_from("abcdef")), st.lists(st.sampled_from("abcdef")))
def test_missing_is_what_would_be_embedded(tmp_path_factory, first: list[str], second: list[str]):
    cache = VectorCache(tmp_path_factory.mktemp("cache") / "v.sqlite3")
    model = Learning()
    embedder = CachedEmbedder(model, cache)
    assert embedder.missing(first) == list(dict.fromkeys(first))
    embedder.embed(first)
    asked = len(model.asked)
    expected = [text for text in dict.fromkeys(second) if text not in first]
    assert embedder.missing(second) == expected
    assert len(model.asked) == asked
    embedder.embed(second)
    assert model.asked[asked:] == expected
    assert embedder.missing(first + second) == []


def test_lots_that_came_are_kept_when_a_later_one_fails(cache: VectorCache):
    texts = [f"{'x' * number}" for number in range(7)]
    broken = InLots(lots=2)
    with pytest.raises(InputError, match="broken"):
        CachedEmbedder(broken, cache).embed(texts)
    assert sorted(broken.asked) == sorted(texts[3:])
    whole = InLots()
    np.testing.assert_array_equal(CachedEmbedder(whole, cache).embed(texts), vectors_of(texts))
    assert sorted(whole.asked) == sorted(texts[:3])


def test_progress_is_told_of_what_the_cache_lacks(cache: VectorCache):
    told: list[tuple[int, int]] = []
    embedder = CachedEmbedder(InLots(), cache, on_progress=lambda *one: told.append(one))
    embedder.embed(["a", "bb", "ccc", "a"])
    assert told == [(0, 3), (2, 3), (3, 3)]
    embedder.embed(["a", "ccc"])
    assert len(told) == 3
    embedder.embed(["a", "dddd"])
    assert told[3:] == [(0, 1), (1, 1)]
    assert embedder.embedded == 4


@pytest.mark.parametrize("known", [True, False])
def test_two_threads_never_pay_for_one_text_twice(cache: VectorCache, known: bool):
    """The second asks while the first is at it, through an object of its own."""
    if known:
        CachedEmbedder(Learning(), cache).embed(["z"])
    entered, leave = threading.Event(), threading.Event()

    class Slow(Learning):
        def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
            entered.set()
            assert leave.wait(10)
            return super().embed(texts)

    first, second = Slow(), Learning()
    found: dict[str, Vectors] = {}

    def ask(who: str, model: Learning, texts: list[str]) -> None:
        found[who] = CachedEmbedder(model, cache).embed(texts)

    threads = [
        threading.Thread(target=ask, args=("first", first, ["a", "bb", "ccc"])),
        threading.Thread(target=ask, args=("second", second, ["ccc", "dddd", "a"])),
    ]
    threads[0].start()
    assert entered.wait(10)
    threads[1].start()
    leave.set()
    for thread in threads:
        thread.join()
    assert first.asked == ["a", "bb", "ccc"]
    assert second.asked == ["dddd"]
    np.testing.assert_array_equal(found["first"], vectors_of(["a", "bb", "ccc"]))
    np.testing.assert_array_equal(found["second"], vectors_of(["ccc", "dddd", "a"]))


def test_waiting_for_another_thread_is_called_off(cache: VectorCache):
    cancel = CancelToken()
    cancel.cancel()
    with cache.filling("learning", "1"), pytest.raises(CancelledError):
        CachedEmbedder(Learning(), cache).embed(["a"], cancel)


def test_what_is_kept_does_not_wait_for_another_thread(cache: VectorCache):
    CachedEmbedder(Learning(), cache).embed(["a"])
    with cache.filling("learning", "1"):
        np.testing.assert_array_equal(
            CachedEmbedder(Learning(), cache).embed(["a"]), vectors_of(["a"])
        )


class Asking(Learning):
    """Gives questions other vectors than texts, and counts tokens."""

    def embed_questions(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        return -self.embed([f"question: {text}" for text in texts])

    def token_counts(self, texts: Sequence[str]) -> IntArray:
        return np.array([len(text.split()) for text in texts], np.int64)


def test_questions_are_kept_apart_where_they_differ(cache: VectorCache):
    model = Asking()
    embedder = CachedEmbedder(model, cache)
    texts = embedder.embed(["a"])
    questions = embedder.embed_questions(["a"])
    np.testing.assert_array_equal(texts, vectors_of(["a"]))
    np.testing.assert_array_equal(questions, -vectors_of(["question: a"]))
    np.testing.assert_array_equal(embedder.embed_questions(["a"]), questions)
    np.testing.assert_array_equal(embedder.embed(["a"]), texts)
    assert model.asked == ["a", "question: a"]
    assert cache.held() == [Held("learning", "1", 1, 8), Held("learning", "1 questions", 1, 8)]
    assert embedder.token_counts(["a b", ""]).tolist() == [2, 0]


def test_questions_are_texts_where_they_do_not(cache: VectorCache):
    model = Learning()
    embedder = CachedEmbedder(model, cache)
    np.testing.assert_array_equal(embedder.embed(["a"]), embedder.embed_questions(["a"]))
    assert model.asked == ["a"]
    with pytest.raises(InputError, match="does not say how many tokens"):
        embedder.token_counts(["a"])


class Scoring:
    """A third of the length of a text and its question, which no float has exactly."""

    name, revision, context_limit = "scoring", "1", 512

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def score(self, question: str, texts: Sequence[str], cancel: object = None):
        self.asked += [(question, text) for text in texts]
        return np.array([(len(question) - len(text)) / 3 for text in texts])


def test_scores_are_kept_by_question_and_text(cache: VectorCache):
    model = Scoring()
    encoder = CachedCrossEncoder(model, cache)
    assert isinstance(encoder, CrossEncoder)
    assert encoder.context_limit == 512
    expected = np.array([0.0, -1 / 3, 0.0]).astype(np.float32).astype(np.float64)
    new = encoder.score("q", ["a", "bb", "a"])
    assert new.dtype == np.float64
    np.testing.assert_array_equal(new, expected)
    np.testing.assert_array_equal(encoder.score("q", ["a", "bb", "a"]), expected)
    assert model.asked == [("q", "a"), ("q", "bb")]
    assert encoder.missing("q", ["a", "c", "c", "bb"]) == ["c"]
    assert encoder.missing("r", ["a"]) == ["a"]
    assert encoder.scored == 2
    assert encoder.score("q", []).shape == (0,)
    assert cache.held() == [Held("scoring scores", "1", 2, 8)]


def test_pairs_are_scored_question_by_question(cache: VectorCache):
    model = Scoring()
    encoder = CachedCrossEncoder(model, cache)
    assert encoder.questions_at_once == 1
    encoder.score("qq", ["a"])
    scores = encoder.score_pairs(["q", "qq", "q", "qq", "q"], ["a", "a", "bb", "bb", "a"])
    expected = np.array([0, 1 / 3, -1 / 3, 0, 0]).astype(np.float32).astype(np.float64)
    np.testing.assert_array_equal(scores, expected)
    assert model.asked == [("qq", "a"), ("q", "a"), ("q", "bb"), ("qq", "bb")]
    with pytest.raises(ValueError, match="zip"):
        encoder.score_pairs(["q"], ["a", "b"])


def test_nul_characters_make_no_two_pairs_one(cache: VectorCache):
    model = Scoring()
    encoder = CachedCrossEncoder(model, cache)
    encoder.score("a\0b", ["c"])
    assert encoder.score("a", ["b\0c"]).tolist() == encoder.score("a", ["b\0c"]).tolist()
    assert model.asked == [("a\0b", "c"), ("a", "b\0c")]


def test_scores_that_are_no_numbers_are_not_kept(cache: VectorCache):
    model = Scoring()
    model.score = lambda *_: np.array([np.nan])  # type: ignore[method-assign]
    with pytest.raises(InputError, match="holds no finite number"):
        CachedCrossEncoder(model, cache).score("q", ["a"])
    assert cache.held() == []


def test_a_model_of_scores_and_one_of_vectors_may_share_a_name(cache: VectorCache):
    vectors, scores = Learning(), Scoring()
    scores.name = vectors.name
    CachedCrossEncoder(scores, cache).score("q", ["a"])
    embedder = CachedEmbedder(vectors, cache)
    assert embedder.dimensions == 0
    np.testing.assert_array_equal(embedder.embed(["a"]), vectors_of(["a"]))
