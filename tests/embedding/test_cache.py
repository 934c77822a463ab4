"""The vector cache: what is kept, what two processes and a kill do to it."""

import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.embedding.cache import Held, VectorCache, default_cache_path
from chunkscope.embedding.cached import CachedEmbedder
from chunkscope.embedding.protocol import Vectors
from chunkscope.errors import InputError

_DIMENSIONS = 8


class Counting:
    """Gives each text a vector of its own, and counts what it embeds."""

    name, revision, dimensions, context_limit = "counting", "1", _DIMENSIONS, None

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], cancel: object = None) -> Vectors:
        self.texts += texts
        return vectors_of(texts)


def vectors_of(texts: Sequence[str]) -> Vectors:
    rows = [np.random.default_rng(list(text.encode())).random(_DIMENSIONS) for text in texts]
    return np.array(rows, np.float32).reshape(-1, _DIMENSIONS)


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    return VectorCache(tmp_path / "deeper" / "vectors.sqlite3")


def test_what_is_put_comes_back_and_nothing_else(cache: VectorCache):
    cache.put("m", "1", ["a", "b"], vectors_of(["a", "b"]))
    found = cache.get("m", "1", _DIMENSIONS, ["b", "c", "a", "b"])
    np.testing.assert_array_equal(found[[0, 2, 3]], vectors_of(["b", "a", "b"]))
    assert np.isnan(found[1]).all()


@pytest.mark.parametrize(
    ("name", "revision", "dimensions"), [("n", "1", 8), ("m", "2", 8), ("m", "1", 4)]
)
def test_another_model_revision_or_length_has_its_own(
    cache: VectorCache, name: str, revision: str, dimensions: int
):
    cache.put("m", "1", ["a"], vectors_of(["a"]))
    assert np.isnan(cache.get(name, revision, dimensions, ["a"])).all()


@given(st.lists(st.text(), max_size=12), st.lists(st.text(), max_size=12))
def test_only_new_texts_are_embedded(tmp_path_factory: pytest.TempPathFactory, first, second):
    cache = VectorCache(tmp_path_factory.mktemp("cache") / "v.sqlite3")
    first, second = (
        [one.encode("utf-8", "replace").decode() for one in part] for part in (first, second)
    )
    inner = Counting()
    embedder = CachedEmbedder(inner, cache)
    np.testing.assert_array_equal(embedder.embed(first), vectors_of(first))
    np.testing.assert_array_equal(embedder.embed(second), vectors_of(second))
    assert sorted(inner.texts) == sorted(set(first) | set(second))
    assert embedder.embedded == len(inner.texts)


def test_halves_of_pairs_have_keys(cache: VectorCache):
    cache.put("m", "1", ["a\ud83d"], vectors_of(["a"]))
    found = cache.get("m", "1", _DIMENSIONS, ["a\ud83d", "a\ufffd"])
    np.testing.assert_array_equal(found[0], vectors_of(["a"])[0])
    assert np.isnan(found[1]).all()


def test_size_is_told_by_model_and_the_oldest_go_first(cache: VectorCache):
    cache.put("m", "1", ["a", "b"], vectors_of(["a", "b"]))
    cache.put("n", "", ["a"], vectors_of(["a"]))
    assert cache.held() == [Held("m", "1", 2, 64), Held("n", "", 1, 32)]
    assert cache.file_size() >= 96
    assert cache.prune(64) == 1
    assert cache.held() == [Held("m", "1", 1, 32), Held("n", "", 1, 32)]
    assert np.isnan(cache.get("m", "1", _DIMENSIONS, ["a"])).all()
    assert cache.prune(40) == 1
    assert cache.held() == [Held("n", "", 1, 32)]
    assert cache.prune() == 1
    assert cache.held() == []


def test_a_vector_of_a_wrong_length_counts_as_none(cache: VectorCache):
    cache.put("m", "1", ["a"], vectors_of(["a"]))
    cache.close()
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE vectors SET vector = X'0000'")
    connection.close()
    assert np.isnan(cache.get("m", "1", _DIMENSIONS, ["a"])).all()
    assert cache.holds("m", "1", _DIMENSIONS, ["a"]).tolist() == [False]


def test_what_is_held_is_told_without_reading_it(cache: VectorCache):
    texts = [f"text {number}" for number in range(1200)]
    cache.put("m", "1", texts[::2], vectors_of(texts[::2]))
    asked = [*texts, texts[0]]
    held = cache.holds("m", "1", _DIMENSIONS, asked)
    assert held.tolist() == [*([True, False] * 600), True]
    assert cache.holds("m", "1", 4, texts[:1]).tolist() == [False]
    assert cache.holds("m", "2", _DIMENSIONS, texts[:1]).tolist() == [False]
    assert cache.holds("m", "1", _DIMENSIONS, []).tolist() == []


def test_the_length_of_vectors_is_known_by_model_the_newest_first(cache: VectorCache):
    assert cache.dimensions("m", "1") is None
    cache.put("m", "1", ["a"], vectors_of(["a"]))
    assert cache.dimensions("m", "1") == _DIMENSIONS
    assert cache.dimensions("m", "2") is None
    assert cache.dimensions("n", "1") is None
    cache.put("m", "1", ["a"], np.ones((1, 3), np.float32))
    assert cache.dimensions("m", "1") == 3
    cache.prune()
    assert cache.dimensions("m", "1") is None


def test_a_file_that_is_no_cache_is_named(tmp_path: Path):
    path = tmp_path / "v.sqlite3"
    path.write_bytes(b"no database at all, " * 100)
    with pytest.raises(InputError, match=r"embedding cache .*v.sqlite3: .*delete the file"):
        VectorCache(path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="embedding cache"):
        VectorCache(tmp_path / "file" / "v.sqlite3")


def test_stands_in_the_users_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert default_cache_path() == tmp_path / "chunkscope" / "embeddings.sqlite3"


_FILLER = """
import sys
from pathlib import Path
from chunkscope.embedding.cache import VectorCache
from chunkscope.embedding.cached import CachedEmbedder
from test_cache import Counting
texts = [f"text {number}" for number in range(1500)]
CachedEmbedder(Counting(), VectorCache(Path(sys.argv[1]))).embed(texts[:: int(sys.argv[2])])
"""


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}


def test_two_processes_fill_one_file(tmp_path: Path):
    path = tmp_path / "v.sqlite3"
    both = [
        subprocess.Popen([sys.executable, "-c", _FILLER, str(path), step], env=_environment())
        for step in ("1", "-1")
    ]
    assert [process.wait() for process in both] == [0, 0]
    cache = VectorCache(path)
    assert cache.held() == [Held("counting", "1", 1500, 1500 * 32)]
    texts = [f"text {number}" for number in range(1500)]
    np.testing.assert_array_equal(cache.get("counting", "1", _DIMENSIONS, texts), vectors_of(texts))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_opens_the_file_for_itself(cache: VectorCache):
    cache.put("m", "1", ["a"], vectors_of(["a"]))
    context = multiprocessing.get_context("fork")
    process = context.Process(target=cache.put, args=("m", "1", ["b"], vectors_of(["b"])))
    process.start()
    process.join()
    assert process.exitcode == 0
    np.testing.assert_array_equal(
        cache.get("m", "1", _DIMENSIONS, ["a", "b"]), vectors_of(["a", "b"])
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_does_not_wait_for_a_thread_it_left_behind(cache: VectorCache):
    context = multiprocessing.get_context("fork")
    with cache.filling("counting", "1"):
        process = context.Process(target=CachedEmbedder(Counting(), cache).embed, args=(["a"],))
        process.start()
        process.join(30)
        assert process.exitcode == 0
    np.testing.assert_array_equal(cache.get("counting", "1", _DIMENSIONS, ["a"]), vectors_of(["a"]))


_WRITER = """
import sys
import numpy as np
from pathlib import Path
from chunkscope.embedding.cache import VectorCache
from test_cache import vectors_of
cache = VectorCache(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(100_000):
    texts = [f"{sys.argv[2]} {number} {part}" for part in range(40)]
    cache.put("m", "1", texts, vectors_of(texts))
    print(number, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_kill_at_any_moment_loses_nothing_that_was_put(tmp_path: Path):
    path = tmp_path / "v.sqlite3"
    chance = random.Random(20_26)
    kept: list[str] = []
    for trial in range(8):
        with subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), f"run {trial}"],
            stdout=subprocess.PIPE,
            text=True,
            env=_environment(),
        ) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            told = chance.randrange(12)
            for _ in range(told):
                writer.stdout.readline()
            # Somewhere in the lots that follow: how far it gets is the processor's to say.
            for _ in range(chance.randrange(200_000)):
                pass
            writer.send_signal(signal.SIGKILL)
            told += writer.stdout.read().count("\n")
        cache = VectorCache(path)
        with sqlite3.connect(path) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
        count = cache.held()[0].vectors if cache.held() else 0
        assert count % 40 == 0
        done = count // 40 - len(kept) // 40
        assert done >= told
        kept += [f"run {trial} {number} {part}" for number in range(done) for part in range(40)]
        np.testing.assert_array_equal(cache.get("m", "1", _DIMENSIONS, kept), vectors_of(kept))
        cache.close()
