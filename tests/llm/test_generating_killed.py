"""A run killed at random moments loses at most the pairs that were under way."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from fake_endpoint import Answer, FakeEndpoint, Request
from fake_model import is_checking, is_grading, passage_of, plain_model

from chunkscope.golden.reading import read_golden

KEY = "sk-test-0123456789abcdef"
KILLS = 22
COUNT = 60
PLAIN = "Boats of every length lie there, and the pilot keeps the list of them all. "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    sections = [
        f"## B{n}\n\nBerth {n} costs {n + 20} euros a night. {PLAIN * 9}" for n in range(90)
    ]
    (docs / "a.md").write_text("\n\n".join(sections))
    return tmp_path


def start(folder: Path, out: str, url: str, workers: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "chunkscope", "golden", "generate", str(folder / "docs"),
               "--out", str(folder / out), "--endpoint", url, "--model", "m", "--format", "json",
               "--count", str(COUNT), "--alternatives", "1",
               "--concurrency", str(workers)]  # fmt: skip
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENAI_API_KEY": KEY},
    )


class Killer:
    """A model that has the process that asks it killed, around its nth answer."""

    def __init__(self, chance: random.Random) -> None:
        self.process: subprocess.Popen[str] | None = None
        self.after = 0
        self.begun: set[str] = set()
        self._chance = chance
        self._lock = threading.Lock()
        self._model = plain_model()

    def __call__(self, request: Request) -> Answer:
        with self._lock:
            if not is_grading(request) and not is_checking(request):
                self.begun.add(passage_of(request))
            self.after -= 1
            now = self.after == 0
        if now and self.process is not None:
            if self._chance.random() < 0.3:
                self._kill()
            else:
                # The answer is on its way; the kill meets whatever is being done with it.
                work = self._chance.randrange(400_000)
                threading.Thread(target=self._kill, args=(work,)).start()
        return self._model(request)

    def _kill(self, work: int = 0) -> None:
        process = self.process
        for _ in range(work):
            pass
        if process is not None:
            process.send_signal(signal.SIGKILL)


def on_disk(path: Path) -> dict[int, dict[str, Any]]:
    """What a record holds: every line that is whole."""
    if not path.exists():
        return {}
    lines = path.read_bytes().split(b"\n")[1:-1]
    return {outcome["passage"]: outcome for outcome in map(json.loads, lines)}


def test_killed_again_and_again_a_run_loses_only_what_was_under_way(folder: Path):
    chance = random.Random(20)
    killer = Killer(chance)
    record = folder / "golden.jsonl.progress"
    kills = 0
    lost = 0
    with FakeEndpoint(killer) as server:
        whole = start(folder, "whole.jsonl", server.url, 1)
        printed, errors = whole.communicate()
        assert whole.returncode == 0, errors
        expected = json.loads(printed)
        while kills < KILLS:
            workers = chance.choice([1, 1, 3])
            before = on_disk(record)
            killer.begun.clear()
            killer.after = chance.randrange(1, 8)
            killer.process = start(folder, "golden.jsonl", server.url, workers)
            _, errors = killer.process.communicate()
            assert killer.process.returncode == -signal.SIGKILL, errors
            assert KEY not in errors
            kills += 1
            after = on_disk(record)
            # Nothing that was on disk is lost or changed, and of what was begun only what was
            # being asked about at that moment.
            assert {number: after[number] for number in before} == before
            missing = len(killer.begun) - (len(after) - len(before))
            assert 0 <= missing <= workers
            lost += missing
            assert not (folder / "golden.jsonl").exists()
        killer.process = None
        last = start(folder, "golden.jsonl", server.url, 1)
        printed, errors = last.communicate()
    assert last.returncode == 0, errors
    made = json.loads(printed)
    assert lost >= 1
    assert made["questions"] == COUNT
    assert {key: made[key] for key in ("reasons", "alternatives", "usage")} == {
        key: expected[key] for key in ("reasons", "alternatives", "usage")
    }
    assert (folder / "golden.jsonl").read_bytes() == (folder / "whole.jsonl").read_bytes()
    assert len(read_golden(folder / "golden.jsonl").questions) == COUNT
    assert not record.exists()
    for path in folder.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()


def test_stopped_by_hand_it_says_how_to_go_on(folder: Path):
    process: list[subprocess.Popen[str]] = []
    model = plain_model()
    graded = [0]

    def reply(request: Request) -> Answer:
        graded[0] += is_grading(request)
        if graded[0] == 3 and process:
            process.pop().send_signal(signal.SIGINT)
        return model(request)

    with FakeEndpoint(reply) as server:
        running = start(folder, "golden.jsonl", server.url, 1)
        process.append(running)
        printed, errors = running.communicate()
    assert (running.returncode, printed) == (130, "")
    *_, done, stopped = errors.splitlines()
    assert stopped == "chunkscope: stopped"
    count = len(on_disk(folder / "golden.jsonl.progress"))
    assert count in (2, 3)
    assert done.startswith(f"{count} passages done; run again to go on: ")
