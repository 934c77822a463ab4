"""The golden set's commands ask the network for nothing but the model's answers."""

import json
import socket

import pytest

from chunkscope.cli.main import main

TEXT = "The quay opens at six. A berth is 25 euros a night. " + (
    "Boats of every length lie there, and the pilot keeps the list of them all. " * 4
)


@pytest.fixture
def offline(monkeypatch):
    tried = []

    def refuse(_self, address, *_more):
        tried.append(address)
        raise OSError("no network here")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return tried


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text(TEXT)
    (tmp_path / "q.csv").write_text("question,evidence\nFee?,A berth is 25 euros a night.\n")
    return tmp_path


def test_import_validate_stats_and_an_estimate_call_nothing(offline, folder, capsys):
    docs, golden = str(folder / "docs"), str(folder / "g.jsonl")
    assert main(["golden", "import", str(folder / "q.csv"), docs, "--out", golden]) == 0
    assert main(["golden", "validate", docs, "--golden", golden]) == 0
    assert main(["golden", "stats", docs, "--golden", golden]) == 0
    estimate = ["golden", "generate", docs, "--out", str(folder / "x.jsonl"), "--count", "1",
                "--endpoint", "http://127.0.0.1:9/v1", "--model", "m"]  # fmt: skip
    assert main([*estimate, "--estimate"]) == 0
    assert offline == []
    capsys.readouterr()


def test_generate_without_a_network_is_one_line_and_keeps_its_place(
    offline, folder, capsys, monkeypatch
):
    monkeypatch.setattr("chunkscope.endpoint.client.backoff", lambda *_: 0.0)
    out = folder / "x.jsonl"
    code = main(["golden", "generate", str(folder / "docs"), "--out", str(out), "--count", "1",
                 "--endpoint", "http://127.0.0.1:9/v1", "--model", "m"])  # fmt: skip
    printed, errors = capsys.readouterr()
    assert (code, printed, out.exists()) == (2, "", False)
    assert offline
    assert "Traceback" not in errors
    assert errors.splitlines()[-1] == (
        "chunkscope: endpoint http://127.0.0.1:9/v1, model m: cannot be reached "
        "(no network here) (tried 6 times)"
    )
    header = (folder / "x.jsonl.progress").read_text().splitlines()[0]
    assert json.loads(header)["model"] == "m"
