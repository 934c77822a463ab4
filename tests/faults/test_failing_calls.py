"""Each call of the system fails in turn: the old file stands, and one clear line says so."""

import errno
import io
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest
from fake_endpoint import FakeEndpoint
from fake_model import plain_model

from chunkscope.cli.main import main
from chunkscope.embedding.cache import VectorCache
from chunkscope.errors import InputError
from chunkscope.golden.atomic import replace_file, update_file
from chunkscope.golden.model import GoldenSet, Question
from chunkscope.golden.reading import read_golden
from chunkscope.golden.writing import append_question, write_golden
from chunkscope.llm.checkpoint import Checkpoint
from chunkscope.tui.remembered import Remembered, recall, remember

resource = pytest.importorskip("resource", reason="limits are a matter of POSIX")
CODES = [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EIO]
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")


def one_line(text: str) -> bool:
    return "\n" not in text and "Traceback" not in text and text.strip() != ""


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("old", [None, b"before"])
def test_a_file_is_the_old_one_or_the_new_one(tmp_path, each_failure, code, old):
    path = tmp_path / "f"
    failed = []

    def prepare():
        path.unlink(missing_ok=True)
        if old is not None:
            path.write_bytes(old)

    def add():
        return update_file(path, lambda before: (before or b"") + b" and after")

    for name, outcome in each_failure(code, add, prepare):
        if isinstance(outcome, Exception):
            assert isinstance(outcome, InputError)
            assert one_line(str(outcome))
            assert os.strerror(code) in str(outcome)
            assert (path.read_bytes() if path.exists() else None) == old
            failed.append(name)
        else:
            assert path.read_bytes() == (old or b"") + b" and after"
        left = [entry for entry in tmp_path.iterdir() if entry != path]
        # Only what could not be removed is left, and the next save removes it.
        assert all(entry.suffix in (".tmp", ".lock") for entry in left)
        replace_file(path, b"next")
        assert list(tmp_path.iterdir()) == [path]
    assert [name for name in failed if name != "unlink"] == [
        "open", *(["chmod"] if old is not None else []), "write", "fsync", "replace"
    ]  # fmt: skip


@pytest.mark.parametrize("most", [1, 7])
def test_a_write_that_takes_a_part_is_gone_on_with(tmp_path, monkeypatch, most):
    write = os.write
    monkeypatch.setattr(os, "write", lambda to, data: write(to, bytes(data)[:most]))
    replace_file(tmp_path / "f", b"one and two and three")
    assert (tmp_path / "f").read_bytes() == b"one and two and three"
    record = Checkpoint(tmp_path / "p", {"count": 1})
    record.add({"passage": 0, "text": "one and two"})
    record.close()
    assert Checkpoint(tmp_path / "p", {"count": 1}).outcomes[0]["text"] == "one and two"


@pytest.mark.parametrize("code", CODES)
def test_a_question_is_added_or_the_set_is_as_it_was(tmp_path, each_failure, code):
    path = tmp_path / "golden.jsonl"
    first = GoldenSet((Question("one", "1?", "d", ()),))

    def append():
        return append_question(path, Question("two", "2?", "d", ()))

    for _name, outcome in each_failure(code, append, lambda: write_golden(first, path)):
        ids = [one.id for one in read_golden(path).questions]
        if isinstance(outcome, Exception):
            assert isinstance(outcome, InputError)
            assert one_line(str(outcome))
            assert ids == ["one"]
        else:
            assert ids == ["one", "two"]


@pytest.mark.parametrize("code", CODES)
def test_a_record_keeps_whole_lines_and_goes_on_after_the_fault(tmp_path, each_failure, code):
    path = tmp_path / "golden.jsonl.progress"

    said = []

    def generate():
        record = Checkpoint(path, {"count": 3})
        try:
            for number in range(3):
                try:
                    record.add({"passage": number})
                except InputError as error:
                    said.append(str(error))
                    # There is room again: nothing of the line that failed stands in the way.
                    record.add({"passage": number})
        finally:
            record.close()
        return record

    for _name, outcome in each_failure(code, generate, lambda: path.unlink(missing_ok=True)):
        if isinstance(outcome, Exception):
            assert isinstance(outcome, InputError)
            assert one_line(str(outcome))
        else:
            lines = path.read_bytes().decode().splitlines()
            assert [json.loads(line) for line in lines] == [
                {"count": 3}, *({"passage": number} for number in range(3))
            ]  # fmt: skip
    assert said
    assert all(map(one_line, said))
    for entry in tmp_path.iterdir():
        assert entry == path


@pytest.mark.parametrize("code", CODES)
def test_sessions_that_cannot_be_kept_are_not_lost(tmp_path, each_failure, code):
    file = tmp_path / "state" / "sessions.json"

    def left(offset: int) -> Remembered:
        return Remembered({}, {}, "a.md", offset, "", "questions", "A", "dark")

    remember(file, "before", left(1))
    for _name, outcome in each_failure(code, lambda: remember(file, "now", left(2))):
        assert isinstance(outcome, bool)
        assert recall(file, "before") == left(1)
        assert (recall(file, "now") == left(2)) or not outcome


TEXT = "".join(f"Boat {n} leaves quay {n % 5} at dawn.\n\n" for n in range(30))


@pytest.fixture
def harbour(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "docs").mkdir()
    Path("docs/a.txt").write_text(TEXT)
    lines = [
        {"id": f"q{n}", "question": f"When does boat {n} leave?", "doc": "a.txt",
         "evidence": [{"text": f"Boat {n} leaves quay {n % 5} at dawn."}]}
        for n in range(0, 30, 6)
    ]  # fmt: skip
    Path("golden.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    Path("import.csv").write_text("question,evidence,doc\nWhen?,Boat 3 leaves quay 3,a.txt\n")
    return tmp_path


GOLDEN = ["docs", "--golden", "golden.jsonl"]
WRITING = {
    "eval --save": (["eval", *GOLDEN, "--save", "out"], "out"),
    "sweep --save": (["sweep", *GOLDEN, "--sizes", "10,20", "--overlaps", "0", "--save", "out"],
                     "out"),
    "check --junit": (["check", *GOLDEN, "--min-recall", "0", "--junit", "out"], "out"),
    "check --summary": (["check", *GOLDEN, "--min-recall", "0", "--summary", "out"], "out"),
    "diagnose --save": (["diagnose", *GOLDEN, "--k", "1", "--save", "out"], "out"),
    "diagnose --save-cases": (["diagnose", *GOLDEN, "--k", "1", "--splitter", "words", "--size",
                               "2", "--save-cases", "cases"], "cases"),
    "export --save": (["export", "--to", "langchain", "--save", "out"], "out"),
    "report --out": (["report", *GOLDEN, "--out", "out.html"], "out.html"),
    "golden import --out": (["golden", "import", "import.csv", "docs", "--out", "out", "--force"],
                            "out"),
}  # fmt: skip


@pytest.mark.parametrize("command", WRITING)
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_every_command_that_writes_says_so_in_one_line(
    harbour, each_failure, capsys, command, code
):
    arguments, name = WRITING[command]
    out = harbour / name
    assert main(arguments) in (0, 1)
    folder = out.is_dir()
    old = {} if folder else {out: out.read_bytes()}
    capsys.readouterr()
    refused = 0

    def prepare() -> None:
        shutil.rmtree(out, ignore_errors=True)
        for path, data in old.items():
            path.write_bytes(data)

    for _call, outcome in each_failure(code, lambda: main(arguments), prepare):
        said = capsys.readouterr().err.splitlines()
        assert isinstance(outcome, int), outcome
        if outcome == 2:
            refused += 1
            assert said[-1].startswith("chunkscope: ")
            assert os.strerror(code).lower() in said[-1].lower()
            assert not any("Traceback" in line for line in said)
            assert {path: path.read_bytes() for path in old} == old
        for file in out.iterdir() if folder and out.exists() else ():
            if file.suffix == ".json":
                json.loads(file.read_bytes())
    assert refused >= 4


@pytest.mark.parametrize("code", [errno.ENOSPC])
def test_a_generation_that_finds_no_room_is_gone_on_with(
    tmp_path, each_failure, capsys, monkeypatch, code
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    (tmp_path / "docs").mkdir()
    plain = "Boats of every length lie there, and the pilot keeps the list of them all. "
    parts = [f"## B{n}\n\nBerth {n} costs {n + 20} euros a night. {plain * 9}" for n in range(9)]
    (tmp_path / "docs" / "a.md").write_text("\n\n".join(parts))
    with FakeEndpoint(plain_model()) as server:

        def generate() -> int:
            return main(["golden", "generate", str(tmp_path / "docs"), "--out",
                         str(tmp_path / "out.jsonl"), "--endpoint", server.url, "--model", "m",
                         "--count", "3", "--concurrency", "1", "--force"])  # fmt: skip

        assert generate() == 0
        expected = (tmp_path / "out.jsonl").read_bytes()
        refused = 0
        for _call, outcome in each_failure(code, generate):
            assert outcome in (0, 2)
            refused += outcome == 2
            said = capsys.readouterr().err.splitlines()
            assert not any("Traceback" in line for line in said)
            assert (tmp_path / "out.jsonl").read_bytes() == expected
    assert refused >= 8


@needs_fork
@pytest.mark.parametrize("command", WRITING)
def test_a_quota_on_files_leaves_the_old_one(harbour, in_child, capfd, command):
    """The system's own limit on a file's size, as a quota is felt: real writes, real errors."""
    arguments, name = WRITING[command]
    out = harbour / name
    assert main(arguments) in (0, 1)
    old = {} if out.is_dir() else {out: out.read_bytes()}
    shutil.rmtree(out, ignore_errors=True)
    capfd.readouterr()

    def run() -> None:
        # What the command says is no file: the limit is for those that it writes.
        sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
        unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, unlimited[1]))
        code = main(arguments)
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
        said, sys.stderr = sys.stderr.getvalue(), sys.__stderr__
        assert code == 2, said
        assert "Traceback" not in said
        assert said.splitlines()[-1].startswith("chunkscope: "), said
        assert "File too large" in said.splitlines()[-1], said

    in_child(run)
    assert {path: path.read_bytes() for path in old} == old
    assert not list(harbour.glob(".chunkscope-*"))


@needs_fork
def test_a_folder_that_may_not_be_written_is_one_line(in_child):
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    try:
        path = folder / "golden.jsonl"
        write_golden(GoldenSet((Question("one", "1?", "d", ()),)), path)
        old = path.read_bytes()
        folder.chmod(0o555)

        def run() -> None:
            if os.geteuid() == 0:
                # To whom everything is allowed, nothing is read-only.
                os.setuid(65534)
            for act in (
                lambda: write_golden(GoldenSet(()), path),
                lambda: append_question(path, Question("two", "2?", "d", ())),
                lambda: replace_file(folder / "new", b"x"),
                lambda: Checkpoint(folder / "p", {"count": 1}),
                lambda: VectorCache(folder / "v.sqlite3"),
                lambda: VectorCache(folder / "deeper" / "v.sqlite3"),
            ):
                with pytest.raises(InputError) as raised:
                    act()
                assert one_line(str(raised.value))
                assert str(folder) in str(raised.value)

        in_child(run)
        assert path.read_bytes() == old
        assert list(folder.iterdir()) == [path]
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@needs_fork
def test_a_cache_on_a_full_disk_keeps_what_it_has(tmp_path, in_child):
    import numpy as np

    path = tmp_path / "v.sqlite3"
    cache = VectorCache(path)
    kept = np.ones((50, 64), np.float32)
    cache.put("m", "1", [f"{row}" for row in range(50)], kept)
    cache.close()
    limit = path.stat().st_size + 20_000

    def run() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        full = VectorCache(path)

        def fill():
            for lot in range(1000):
                texts = [f"{lot} {row}" for row in range(50)]
                full.put("m", "1", texts, np.zeros((50, 64), np.float32))

        with pytest.raises(InputError) as raised:
            fill()
        assert one_line(str(raised.value))
        assert str(path) in str(raised.value)
        found = full.get("m", "1", 64, [f"{row}" for row in range(50)])
        np.testing.assert_array_equal(found, kept)

    in_child(run)
    found = VectorCache(path).get("m", "1", 64, [f"{row}" for row in range(50)])
    np.testing.assert_array_equal(found, kept)


def test_a_record_cut_off_at_any_byte_holds_the_lines_before(tmp_path):
    path = tmp_path / "p"
    settings = {"kind": "test", "count": 3}
    record = Checkpoint(path, settings)
    for number in range(3):
        record.add({"passage": number, "text": "é" * number})
    record.close()
    whole = path.read_bytes()
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        record = Checkpoint(path, settings)
        done = max(0, whole[:size].count(b"\n") - 1)
        assert list(record.outcomes) == list(range(done))
        # And what comes next stands in a line of its own.
        record.add({"passage": done, "text": "next"})
        record.close()
        assert list(Checkpoint(path, settings).outcomes) == list(range(done + 1))


def test_a_proof_that_finds_no_room_is_one_line(harbour, each_failure, capsys):
    arguments = ["export", "--to", "toml", "--verify", "docs"]
    refused = 0
    for call, outcome in each_failure(errno.ENOSPC, lambda: main(arguments)):
        said = capsys.readouterr().err.splitlines()
        assert outcome in (0, 2), (call, outcome)
        assert not any("Traceback" in line for line in said)
        if outcome == 2:
            refused += 1
            assert "no space left on device" in said[-1].lower()
    assert refused >= 2
