import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="descriptors of POSIX")

COMMAND = (sys.executable, "-m", "chunkscope")


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"The tug leaves at dawn.")
    golden = tmp_path / "golden.jsonl"
    golden.write_text(
        json.dumps({"id": "q", "question": "tug?", "doc": "a.txt", "evidence": [{"text": "no"}]})
    )
    return folder


def run(*arguments, stdout, cwd):
    return subprocess.run(
        [*COMMAND, *arguments], stdout=stdout, stderr=subprocess.PIPE, cwd=cwd, check=False
    )


@pytest.fixture
def left_pipe():
    """The writing end of a pipe whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_gate_fails_though_nobody_reads_its_table(docs, left_pipe, form):
    done = run("check", "docs", "--golden", "golden.jsonl", "--min-recall", "0.9",
               "--format", form, stdout=left_pipe, cwd=docs.parent)  # fmt: skip
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("form", ["table", "json", "jsonl"])
def test_a_reader_that_leaves_early_is_no_error(docs, left_pipe, form):
    done = run("chunks", "docs", "--format", form, stdout=left_pipe, cwd=docs.parent)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_a_run_is_saved_though_nobody_reads_it(docs, left_pipe):
    done = run("eval", "docs", "--golden", "golden.jsonl", "--save", "run.json",
               stdout=left_pipe, cwd=docs.parent)  # fmt: skip
    assert done.returncode == 0
    saved = json.loads((docs.parent / "run.json").read_bytes())
    assert saved["golden"]["unmeasured"] == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [("chunks", "docs"), ("chunks", "docs", "--format", "jsonl"), ("export", "--to", "toml")],
)
def test_a_full_disk_is_one_line(docs, arguments):
    with Path("/dev/full").open("wb") as full:
        done = run(*arguments, stdout=full, cwd=docs.parent)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1] == (
        "chunkscope: standard output: cannot be written (No space left on device); "
        "check where it leads and the space left"
    )
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(("closed", "code"), [("<&-", 0), (">&-", 0), ("2>&-", 0)])
def test_a_closed_stream_is_nothing_to_write_to(docs, closed, code):
    script = f'"$@" chunks docs --format json {closed}'
    done = subprocess.run(
        ["bash", "-c", script, "bash", *COMMAND], capture_output=True, cwd=docs.parent, check=False
    )
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    if closed != ">&-":
        assert [chunk["text"] for chunk in json.loads(done.stdout)] == ["The tug leaves at dawn."]


def test_without_stdin_the_inspector_refuses(docs):
    done = subprocess.run(
        ["bash", "-c", '"$@" docs <&-', "bash", *COMMAND],
        capture_output=True,
        cwd=docs.parent,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"chunkscope: the inspector needs a terminal; ")
    assert done.stderr.count(b"\n") == 1


def test_an_error_keeps_its_code_when_it_cannot_be_said(docs):
    done = subprocess.run(
        ["bash", "-c", '"$@" chunks nowhere 2>&-', "bash", *COMMAND],
        capture_output=True,
        cwd=docs.parent,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
