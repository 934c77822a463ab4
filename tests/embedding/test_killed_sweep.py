"""A sweep whose vectors are kept, killed again and again, ends as one that never was."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chunkscope.embedding.cache import VectorCache

_EMBEDDER = """
import os
import signal

subjects = ("sea", "boat", "bread", "oven", "lamp", "light")
left = int(os.environ.get("LOTS_LEFT", "1000000"))


class Model:
    revision = "1"

    def encode(self, texts):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        with open(os.environ["LOTS_SEEN"], "a") as file:
            file.write(f"{len(texts)}\\n")
        return [[text.count(one) + 0.1 * len(one) for one in subjects] for text in texts]
"""

_WORDS = ("sea", "boat", "bread", "oven", "lamp", "light", "is", "cold", "near", "old")


def story(number: int) -> str:
    chance = random.Random(number)
    return " ".join(
        f"{' '.join(chance.choices(_WORDS, k=chance.randrange(3, 9))).capitalize()}."
        for _ in range(400)
    )


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_sweep_killed_at_random_moments_gives_the_same_rows(tmp_path: Path):
    (tmp_path / "my_model.py").write_text(_EMBEDDER)
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(2):
        (docs / f"{number}.txt").write_text(story(number))
    golden = tmp_path / "golden.jsonl"
    golden.write_text(
        "".join(
            json.dumps(
                {
                    "id": f"q{number}",
                    "question": "Where is the boat?",
                    "doc": f"{number}.txt",
                    "evidence": [{"text": story(number)[:40], "start": 0, "end": 40}],
                }
            )
            + "\n"
            for number in range(2)
        )
    )
    seen = tmp_path / "seen"

    def sweep(cache: str, lots: int) -> tuple[int, str, int]:
        """Exit code, the rows, and how many texts were embedded."""
        seen.write_text("")
        done = subprocess.run(
            [sys.executable, "-m", "chunkscope", "sweep", str(docs), "--golden", str(golden),
             "--splitter", "semantic", "--embedder", "my_model:Model", "--sizes", "60",
             "--overlaps", "0", "--vary", "buffer=0,1", "--format", "json"],
            cwd=tmp_path,
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / cache), "LOTS_LEFT": str(lots),
                 "LOTS_SEEN": str(seen)},
            capture_output=True,
            text=True,
            check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, sum(map(int, seen.read_text().split()))

    code, expected, once = sweep("untouched", 10**6)
    assert code == 0
    chance = random.Random(7)
    embedded = runs = 0
    while runs < 40:
        runs += 1
        code, rows, texts = sweep("killed", chance.randrange(2, 6))
        embedded += texts
        # Opening the file proves that it is whole; what it holds is used by the next run.
        VectorCache(tmp_path / "killed" / "chunkscope" / "embeddings.sqlite3").held()
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert code == 0
    assert json.loads(rows)["rows"] == json.loads(expected)["rows"]
    # Each run may embed its probe and lose the lot that was under way, and nothing else twice.
    assert runs > 2
    assert once < embedded <= once + runs
