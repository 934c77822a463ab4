"""`cache`: what it shows, and what pruning leaves."""

import json
from pathlib import Path

import numpy as np
import pytest

from chunkscope.cli.main import main
from chunkscope.embedding.cache import VectorCache, default_cache_path


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = default_cache_path()
    if tmp_path not in path.parents:
        pytest.skip("this system's cache folder is not set by XDG_CACHE_HOME")
    return path


def shown(capsys: pytest.CaptureFixture[str], *flags: str) -> dict[str, object]:
    assert main(["cache", *flags, "--format", "json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_nothing_is_made_where_there_is_none(path: Path, capsys: pytest.CaptureFixture[str]):
    assert shown(capsys, "--prune", "0") == {
        "path": str(path), "bytes": 0, "models": [], "dropped": 0
    }  # fmt: skip
    assert not path.exists()


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


def test_a_size_that_is_none_is_refused(path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["cache", "--prune", "much"]) == 2
    assert "'much' is not a size" in capsys.readouterr().err
