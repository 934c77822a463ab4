"""The key of an endpoint stands in no output, no file and no traceback, whatever is run."""

import io
import json
import os
import sys
import traceback
from pathlib import Path

import pytest
from fake_endpoint import Answer, FakeEndpoint
from fake_model import plain_model
from rich.console import Console
from rich.traceback import Traceback

from chunkscope.cli.main import main
from chunkscope.endpoint.client import Client
from chunkscope.endpoint.errors import EndpointError
from chunkscope.endpoint.settings import EndpointSettings, Secret, key_of
from chunkscope.endpoint.transport import post_json

KEY = "sk-marker-4f1c9d2e77aa"
PLAIN = "Boats of every length lie there, and the pilot keeps the list of them all. "


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with documents, a golden set and two configurations; the key is set."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in ("STATE", "CONFIG", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "home" / name.lower()))
    Path("docs").mkdir()
    parts = [f"## B{n}\n\nBerth {n} costs {n + 20} euros a night. {PLAIN * 9}" for n in range(9)]
    Path("docs/a.md").write_text("\n\n".join(parts))
    lines = [
        {"id": f"q{n}", "question": f"What does berth {n} cost?", "doc": "a.md",
         "evidence": [{"text": f"Berth {n} costs {n + 20} euros a night."}]}
        for n in range(6)
    ]  # fmt: skip
    Path("golden.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    Path("a.toml").write_text("[splitter]\nsize = 60\n")
    Path("b.toml").write_text("[splitter]\nsize = 20\n")
    Path("import.csv").write_text("question,evidence,doc\nWhen?,Berth 3 costs 23,a.md\n")
    return tmp_path


def files_with(folder: Path, text: str) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path for path in files if text.encode() in path.read_bytes() or text in path.name]


def commands(url: str) -> list[list[str]]:
    golden = ["docs", "--golden", "golden.jsonl"]
    asked = ["--endpoint", url, "--model", "m"]
    return [
        ["chunks", "docs", "--format", "json"],
        ["eval", *golden, "--save", "eval.json", "--format", "json"],
        ["sweep", *golden, "--sizes", "20,40", "--overlaps", "0", "--save", "sweep.json"],
        ["compare", *golden, "--a", "a.toml", "--b", "b.toml", "--save", "compare.json"],
        ["check", *golden, "--min-recall", "0.5", "--junit", "junit.xml", "--summary", "sum.md"],
        ["check", *golden, "--baseline", "eval.json"],
        ["health", "docs"],
        ["diagnose", *golden, "--k", "1", "--size", "10", "--save", "d.json", "--save-cases",
         "cases"],
        ["report", *golden, "--out", "report.html", "--sizes", "20,40"],
        *(["export", "--to", to, "--save", f"export-{to}"]
          for to in ("langchain", "toml", "json", "autorag")),
        ["golden", "validate", *golden],
        ["golden", "stats", *golden],
        ["golden", "import", "import.csv", "docs", "--out", "imported.jsonl"],
        ["golden", "generate", "docs", "--out", "made.jsonl", *asked, "--count", "2"],
        # Left unfinished: what was done so far is in a file of its own.
        ["golden", "generate", "docs", "--out", "more.jsonl", *asked, "--count", "500"],
        ["eval", *golden, "--retriever", "openai:m", "--base-url", url, "--save", "dense.json"],
        ["judge", *golden, *asked, "--sizes", "20,40", "--save", "judged.json"],
        ["cache"],
    ]  # fmt: skip


def test_the_key_is_in_no_output_and_no_file(folder, capfd):
    chat = plain_model()

    def reply(request):
        if not request.path.endswith("/embeddings"):
            return chat(request)
        texts = request.body["input"]
        listed = [{"index": n, "embedding": [1.0, len(one)]} for n, one in enumerate(texts)]
        return Answer({"data": listed, "usage": {"prompt_tokens": 1}, "model": "m"})

    with FakeEndpoint(reply) as server:
        for command in commands(server.url):
            assert main(command) in (0, 1, 2), command
        assert any(
            request.headers.get("Authorization") == f"Bearer {KEY}" for request in server.requests
        )
    said = "".join(capfd.readouterr())
    assert "Traceback" not in said
    assert KEY not in said
    assert "Berth 3 costs" in said
    assert {request.path.rpartition("/")[2] for request in server.requests} == {
        "completions", "embeddings"
    }  # fmt: skip
    assert files_with(folder, KEY) == []
    assert files_with(folder, KEY[3:]) == []
    assert (folder / "more.jsonl").exists()


def echo(status):
    def reply(request):
        return Answer(
            {"error": {"message": f"{KEY} is wrong: {request.headers}"}, "id": KEY}, status
        )

    return reply


@pytest.mark.parametrize("status", [200, 400, 401, 404, 429, 500])
def test_an_endpoint_that_says_the_key_back_is_not_quoted(monkeypatch, status):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FakeEndpoint(echo(status)) as server:
        client = Client(EndpointSettings(server.url, "m", retries=0))
        with pytest.raises(EndpointError) as raised:
            client.chat([{"role": "user", "content": "Hello?"}], max_tokens=5, seed=0)
    assert KEY not in "".join(traceback.format_exception(raised.value))


def test_a_refused_key_is_not_quoted(folder, capfd):
    with FakeEndpoint(echo(401)) as server:
        settings = ["--endpoint", server.url, "--model", "m"]
        code = main(
            ["golden", "generate", "docs", "--out", "made.jsonl", "--count", "1", *settings]
        )
    assert code == 2
    said = "".join(capfd.readouterr())
    assert "[key] is wrong" in said
    assert KEY not in said
    assert files_with(folder, KEY) == []


def test_a_traceback_with_its_variables_does_not_show_the_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    settings = EndpointSettings("http://127.0.0.1:9/v1", "m")
    client = Client(settings)

    def broken() -> float:
        raise RuntimeError("a fault of our own")

    try:
        post_json(settings.url, {}, key=key_of(settings), timeout=1, direct=True, clock=broken)
    except RuntimeError:
        kind, error, trace = sys.exc_info()
    out = io.StringIO()
    shown = Traceback.from_exception(kind, error, trace, show_locals=True, width=300)
    Console(file=out, width=300).print(shown)
    assert "Authorization" in out.getvalue()
    assert KEY not in out.getvalue()
    assert KEY not in repr(client) + repr(settings) + repr(vars(client))
    assert repr(Secret(KEY)) == "'[key]'"
    assert f"{Secret(KEY)}" == KEY


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a matter of POSIX")
def test_the_key_is_in_no_session_and_not_on_the_screen(folder):
    from pseudo_terminal import Terminal

    environment = {name: os.environ[name] for name in os.environ if name.startswith("XDG_")}
    arguments = ["docs", "--golden", "golden.jsonl"]
    with Terminal(arguments, size=(100, 30), cwd=folder, OPENAI_API_KEY=KEY, **environment) as seen:
        seen.see("berth 0 cost")
        seen.press("ctrl+q")
        assert seen.exit_code() == 0, seen.output[-4000:]
        assert KEY not in seen.output
    assert (folder / "home" / "state" / "chunkscope" / "sessions.json").exists()
    assert files_with(folder, KEY) == []
