"""A run through an endpoint, killed again and again: each text is billed once, or was under way."""

import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from fake_embeddings import LENGTH, FakeEmbeddings, units_of
from fake_endpoint import Answer, FakeEndpoint, Request

from chunkscope.embedding.cache import VectorCache

_BATCH, _AT_ONCE = 7, 3
_TEXTS = [f"Berth {number} costs {3 * number} euros a night." for number in range(400)]

_RUN = """
import sys
from pathlib import Path

import numpy as np

from chunkscope.embedding.cache import VectorCache
from chunkscope.embedding.cached import CachedEmbedder
from chunkscope.embedding.endpoint import EndpointEmbedder
from chunkscope.endpoint.client import Client
from chunkscope.endpoint.settings import EndpointSettings

url, cache, out, batch, at_once = sys.argv[1:]
texts = sys.stdin.read().split("\\n")
client = Client(EndpointSettings(url, "m", batch=int(batch), concurrency=int(at_once)))
np.save(out, CachedEmbedder(EndpointEmbedder(client), VectorCache(Path(cache))).embed(texts))
"""


class Watched:
    """The fake, telling when it has so many requests."""

    def __init__(self) -> None:
        self.fake = FakeEmbeddings()
        self._lock = threading.Lock()
        self._left = 0
        self.reached = threading.Event()

    def __call__(self, request: Request) -> Answer:
        answer = self.fake(request)
        with self._lock:
            self._left -= 1
            if self._left == 0:
                self.reached.set()
        return answer

    def expect(self, requests: int) -> None:
        with self._lock:
            self._left = requests
            self.reached.clear()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_killed_run_pays_again_for_no_more_than_was_under_way(tmp_path: Path):
    path, out = tmp_path / "v.sqlite3", tmp_path / "vectors.npy"
    watched = Watched()
    chance = random.Random(11)
    kills = 0

    with FakeEndpoint(watched) as server:

        def start() -> "subprocess.Popen[str]":
            arguments = (server.url, str(path), str(out), str(_BATCH), str(_AT_ONCE))
            process = subprocess.Popen(
                [sys.executable, "-c", _RUN, *arguments],
                stdin=subprocess.PIPE,
                text=True,
                env={**os.environ, "OPENAI_API_KEY": "q7-verysecret"},
            )
            assert process.stdin is not None
            process.stdin.write("\n".join(_TEXTS))
            process.stdin.close()
            return process

        def kept() -> set[str]:
            cache = VectorCache(path)
            held = cache.holds("openai:m", server.url, LENGTH, _TEXTS).tolist()
            cache.close()
            return {text for text, there in zip(_TEXTS, held, strict=True) if there}

        for _trial in range(8):
            before, billed = kept(), watched.fake.billed.copy()
            watched.expect(chance.randrange(1, 9))
            with start() as process:
                assert watched.reached.wait(60)
                # Somewhere in what follows: how far it gets is the processor's to say.
                for _ in range(chance.randrange(100_000)):
                    pass
                process.send_signal(signal.SIGKILL)
                killed = process.wait() == -signal.SIGKILL
            kills += killed
            # What was kept is not asked for, and nothing that was kept is gone.
            assert not before & set(watched.fake.billed - billed)
            assert before <= kept()
        with start() as process:
            assert process.wait() == 0
    assert kills >= 4
    assert set(watched.fake.billed) == set(_TEXTS)
    again = watched.fake.billed - Counter(_TEXTS)
    assert again.total() <= kills * _BATCH * _AT_ONCE
    np.testing.assert_allclose(np.load(out), units_of(_TEXTS), atol=1e-6)
    assert b"q7-verysecret" not in b"".join(one.read_bytes() for one in tmp_path.iterdir())
