"""`golden generate`, killed again and again, ends as a run that never was."""

import json
import os

import pytest
from fake_endpoint import FakeEndpoint
from fake_model import plain_model

from chunkscope.cli.main import main
from chunkscope.llm.checkpoint import Checkpoint

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")

PLAIN = "Boats of every length lie there, and the pilot keeps the list of them all. "


def test_a_killed_generation_goes_on_and_ends_as_one_that_was_not(
    tmp_path, killer, monkeypatch, capfd
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    docs = tmp_path / "docs"
    docs.mkdir()
    sections = [
        f"## B{n}\n\nBerth {n} costs {n + 20} euros a night. {PLAIN * 9}" for n in range(24)
    ]
    (docs / "a.md").write_text("\n\n".join(sections))

    with FakeEndpoint(plain_model()) as server:

        def generate(name: str) -> int:
            return main(["golden", "generate", str(docs), "--out", str(tmp_path / name),
                         "--endpoint", server.url, "--model", "m", "--count", "12",
                         "--concurrency", "2", "--force", "--format", "json"])  # fmt: skip

        assert generate("whole.jsonl") == 0
        expected = (tmp_path / "whole.jsonl").read_bytes()
        once = len(server.requests)
        told = json.loads(capfd.readouterr().out)

        add = Checkpoint.add
        kills = 0
        for turn in range(12 * killer.times):
            name = f"{turn}.jsonl"
            out, progress = tmp_path / name, tmp_path / f"{name}.progress"
            asked, runs = len(server.requests), 0
            for _ in range(4):

                def run(report, name=name):
                    def added(self, outcome):
                        add(self, outcome)
                        report(outcome["passage"])

                    Checkpoint.add = added
                    assert generate(name) == 0

                kills += killer.killed(run, 4, 0.02).killed
                runs += 1
                # The golden set is written once, whole, and only then the record goes.
                assert not out.exists() or out.read_bytes() == expected
                if out.exists() and not progress.exists():
                    break
            else:
                capfd.readouterr()
                assert generate(name) == 0
                runs += 1
                again = json.loads(capfd.readouterr().out)
                assert again["reasons"] == told["reasons"]
                assert again["questions"] == told["questions"] == 12
            assert out.read_bytes() == expected
            assert not progress.exists()
            # Each kill may lose the two passages that were under way, each asked about twice.
            assert len(server.requests) - asked <= once + 4 * runs
    assert kills >= 30 * killer.times
