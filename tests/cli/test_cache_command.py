"""`cache`: what it shows, and what pruning leaves."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkscope.cli.main import main
from chunkscope.embedding.cache import VectorCache, default_cache_path
from chunkscope.embedding.late_cache import LateCache, default_late_folder


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = default_cache_path()
    if tmp_path not in path.parents:
        pytest.skip("this system's cache folder is not set by XDG_CACHE_HOME")
    return path


def shown(capsys: pytest.CaptureFixture[str], *flags: str) -> dict[str, Any]:
    assert main(["cache", *flags, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_nothing_is_made_where_there_is_none(path: Path, capsys: pytest.CaptureFixture[str]):
    late = path.parent / "late"
    assert shown(capsys, "--prune", "0") == {
        "path": str(path), "bytes": 0, "models": [], "dropped": 0,
        "late": {"path": str(late), "bytes": 0, "models": [], "dropped": 0},
        "extractions": {
            "path": str(path.parent / "extractions"), "bytes": 0, "texts": 0, "dropped": 0
        },
    }  # fmt: skip
    assert not path.exists()
    assert not late.exists()


def test_models_are_shown_and_the_oldest_vectors_dropped(
    path: Path, capsys: pytest.CaptureFixture[str]
):
    cache = VectorCache(path)
    cache.put("mine", "2", ["a", "b", "c"], np.ones((3, 250), np.float32))
    cache.close()
    before = shown(capsys)
    assert before["models"] == [{"name": "mine", "revision": "2", "vectors": 3, "bytes": 3000}]
    after = shown(capsys, "--prune", "1kB")
    assert after["dropped"] == 2
    assert after["models"] == [{"name": "mine", "revision": "2", "vectors": 1, "bytes": 1000}]
    assert main(["cache"]) == 0
    assert "mine" in capsys.readouterr().out


def keep_tokens(name: str, text: str, tokens: int, written: int) -> Path:
    cache = LateCache(default_late_folder(), name, "1", "rule")
    with cache.writing(text, (tokens, 50)) as vectors:
        vectors[:] = 1
    os.utime(cache.path(text), (written, written))
    return cache.path(text)


def test_token_vectors_are_shown_and_go_before_vectors(
    path: Path, capsys: pytest.CaptureFixture[str]
):
    cache = VectorCache(path)
    cache.put("mine", "2", ["a"], np.ones((1, 250), np.float32))
    cache.close()
    older = keep_tokens("own/model", "one", 10, 1000)
    newer = keep_tokens("own/model", "two", 20, 2000)
    size = 128 + 20 * 50 * 2 + 4
    late = shown(capsys)["late"]
    assert late == {
        "path": str(path.parent / "late"), "bytes": 2 * size - 1000, "dropped": 0,
        "models": [
            {"name": "own/model", "revision": "1", "texts": 2, "bytes": 2 * size - 1000}
        ],
    }  # fmt: skip
    after = shown(capsys, "--prune", str(1000 + size))
    assert after["dropped"] == 0
    assert after["late"]["dropped"] == 1
    assert not older.exists()
    assert newer.exists()
    assert main(["cache", "--prune", "1kB"]) == 0
    said = capsys.readouterr()
    assert "token vectors of 1 texts dropped" in said.err
    assert "0 vectors dropped" in said.err
    assert not newer.parent.exists()


def test_a_write_that_was_broken_off_is_pruned(path: Path, capsys: pytest.CaptureFixture[str]):
    whole = keep_tokens("m", "one", 10, 1000)
    left, young = whole.with_name("left.part"), whole.with_name("young.part")
    left.write_bytes(b"x")
    young.write_bytes(b"x")
    os.utime(left, (1000, 1000))
    assert shown(capsys, "--prune", "1GB")["late"]["dropped"] == 0
    assert not left.exists()
    assert young.exists()
    assert whole.exists()


def test_a_size_that_is_none_is_refused(path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["cache", "--prune", "much"]) == 2
    assert "'much' is not a size" in capsys.readouterr().err
