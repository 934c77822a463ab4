"""Two processes with one file: who is second is told, and loses nothing."""

import errno
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

from chunkscope.cli.main import main
from chunkscope.embedding.cache import VectorCache
from chunkscope.errors import InputError
from chunkscope.golden import lock
from chunkscope.golden.atomic import ChangedError, replace_file, update_file
from chunkscope.golden.lock import holding
from chunkscope.golden.model import GoldenSet, Question
from chunkscope.golden.reading import read_golden
from chunkscope.golden.writing import append_question, write_golden
from chunkscope.llm.checkpoint import Checkpoint
from chunkscope.tui.remembered import Remembered, recall, remember

ONE, TWO = Question("one", "1?", "d", ()), Question("two", "2?", "d", ())
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")


class Clock:
    """Time that passes when somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def __call__(self) -> float:
        return self.now


@needs_fork
def test_who_waits_in_vain_is_told_who_holds_the_lock(tmp_path, killer):
    path = tmp_path / "golden.jsonl"
    replace_file(path, b"before")

    def hold(report):
        with holding(path):
            report(0)
            os.read(os.pipe()[0], 1)

    child = killer.start(hold)
    child.wait_for(1, 0)
    clock = Clock()
    with (
        pytest.raises(InputError) as raised,
        holding(path, seconds=10, clock=clock, sleep=clock.sleep),
    ):
        pass
    assert clock.now == pytest.approx(10, abs=0.1)
    assert re.fullmatch(
        rf"{re.escape(str(path))}: is being written by process {child.process} on \S+ since "
        r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d; nothing was changed: wait until it is done or end it, "
        r"or give another file",
        str(raised.value),
    )
    child.kill()
    # The lock of a dead process is no lock, though its file is there.
    assert sorted(entry.name for entry in tmp_path.iterdir())[0].endswith(".lock")
    replace_file(path, b"after")
    assert path.read_bytes() == b"after"
    assert [entry.name for entry in tmp_path.iterdir()] == ["golden.jsonl"]


def test_a_note_of_no_use_does_not_hide_that_the_lock_is_held(tmp_path):
    path = tmp_path / "f"
    with holding(path):
        (note,) = tmp_path.iterdir()
        note.write_bytes(b"\xff{")
        with (
            pytest.raises(InputError, match="being written by another process;"),
            holding(path, seconds=0),
        ):
            pass


def test_threads_of_one_process_take_turns(tmp_path):
    path = tmp_path / "f"
    with (
        holding(path),
        pytest.raises(InputError, match=f"process {os.getpid()} on"),
        holding(path, seconds=0),
    ):
        pass
    with holding(path) as held:
        assert held is True
    assert list(tmp_path.iterdir()) == []


def test_a_lock_file_removed_by_the_one_before_is_taken_anew(tmp_path, monkeypatch):
    path = tmp_path / "f"
    take, tries = lock._lock, []

    def removed_meanwhile(descriptor):
        got = take(descriptor)
        if not tries:
            (file,) = tmp_path.iterdir()
            file.unlink()
        tries.append(got)
        return got

    monkeypatch.setattr(lock, "_lock", removed_meanwhile)
    with holding(path, sleep=lambda _seconds: None) as held:
        assert held is True
        assert tries == [True, True]
        assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
def test_a_folder_without_locks_is_written_all_the_same(tmp_path, monkeypatch, code):
    def no_locks(_descriptor):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(lock, "_lock", no_locks)
    path = tmp_path / "golden.jsonl"
    append_question(path, ONE)
    append_question(path, TWO)
    assert [one.id for one in read_golden(path).questions] == ["one", "two"]
    with pytest.raises(ChangedError):
        write_golden(GoldenSet(()), path, known="0" * 64)
    assert [entry.suffix for entry in tmp_path.iterdir() if entry != path] == [".lock"]


def test_the_second_to_save_a_golden_set_is_told_and_can_save_elsewhere(tmp_path):
    path = tmp_path / "golden.jsonl"
    write_golden(GoldenSet((ONE, TWO)), path)
    first, second = read_golden(path), read_golden(path)
    ours = GoldenSet((ONE, Question("two", "2 as we say it?", "d", ())))
    theirs = GoldenSet((Question("one", "1 as they say it?", "d", ()), TWO))
    replaced = write_golden(theirs, path, known=first.digest)
    assert replaced.before == second.digest
    with pytest.raises(ChangedError) as raised:
        write_golden(ours, path, known=second.digest)
    assert str(raised.value) == (
        f"{path}: changed on the disk meanwhile; nothing was written: read it again, or save to "
        "another file"
    )
    assert raised.value.exit_code == 2
    assert read_golden(path).questions[0].question == "1 as they say it?"
    write_golden(ours, tmp_path / "elsewhere.jsonl", known=second.digest)
    assert read_golden(tmp_path / "elsewhere.jsonl").questions[1].question == "2 as we say it?"
    # The first goes on from what it wrote itself.
    write_golden(GoldenSet((ONE,)), path, known=replaced.after)
    assert len(read_golden(path).questions) == 1


def test_a_set_that_was_removed_is_written_again(tmp_path):
    path = tmp_path / "golden.jsonl"
    write_golden(GoldenSet((ONE,)), path)
    known = read_golden(path).digest
    path.unlink()
    assert write_golden(GoldenSet((ONE, TWO)), path, known=known).before == ""
    assert len(read_golden(path).questions) == 2


def test_a_file_that_came_meanwhile_is_not_replaced(tmp_path):
    path = tmp_path / "golden.jsonl"
    path.write_text("theirs\n")
    with pytest.raises(ChangedError):
        write_golden(GoldenSet((ONE,)), path, known="")
    assert path.read_text() == "theirs\n"


def test_a_change_that_raises_writes_nothing(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"before")

    def change(before):
        assert before == b"before"
        raise KeyError("no")

    with pytest.raises(KeyError):
        update_file(path, change)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_process_left_is_swept_up(tmp_path):
    path = tmp_path / "f"
    mark = lock.mark_of(path)
    (tmp_path / f"{mark}.tmp").write_bytes(b"half a fi")
    (tmp_path / f"{mark}.lock").write_bytes(b'{"process": 1}')
    replace_file(path, b"whole")
    assert path.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [path]


def test_a_temporary_file_that_is_a_link_is_not_followed(tmp_path):
    victim, path = tmp_path / "victim", tmp_path / "f"
    victim.write_bytes(b"mine")
    (tmp_path / f"{lock.mark_of(path)}.tmp").symlink_to(victim)
    replace_file(path, b"whole")
    assert (victim.read_bytes(), path.read_bytes()) == (b"mine", b"whole")


def test_the_longest_name_a_folder_takes_can_be_written(tmp_path):
    path = tmp_path / ("n" * 250 + ".json")
    replace_file(path, b"whole")
    assert path.read_bytes() == b"whole"


@needs_fork
def test_a_run_in_progress_is_not_joined_by_a_second(tmp_path, killer):
    path = tmp_path / "golden.jsonl.progress"

    def generate(report):
        record = Checkpoint(path, {"count": 1})
        record.add({"passage": 0})
        report(0)
        os.read(os.pipe()[0], 1)

    child = killer.start(generate)
    child.wait_for(1, 0)
    held = path.read_bytes()
    for restart in (False, True):
        with pytest.raises(InputError, match=f"is being written by process {child.process} on"):
            Checkpoint(path, {"count": 1}, restart=restart)
    assert path.read_bytes() == held
    child.kill()
    record = Checkpoint(path, {"count": 1})
    assert record.outcomes == {0: {"passage": 0}}
    record.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def harbour(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "".join(f"Boat {n} leaves quay {n % 5} at dawn.\n\n" for n in range(30))
    Path("a.txt").write_text(text)
    Path("b.txt").write_text(f"{text}The last one.")
    for name in ("a", "b"):
        line = {"id": "q", "question": "When does boat 3 leave?", "doc": f"{name}.txt",
                "evidence": [{"text": "Boat 3 leaves quay 3 at dawn."}]}  # fmt: skip
        Path(f"{name}.jsonl").write_text(f"{json.dumps(line)}\n")
    return tmp_path


def sweep(name: str, *flags: str) -> int:
    return main(["sweep", f"{name}.txt", "--golden", f"{name}.jsonl", "--sizes", "10,20",
                 "--overlaps", "0", "--save", "s.json", *flags])  # fmt: skip


def rows(file: Path) -> list[tuple[int, int]]:
    report = json.loads(file.read_bytes())
    every = [*report["rows"], *report.get("other_rows", [])]
    return sorted((row["resume"]["seed"], row["config"]["splitter"]["size"]) for row in every)


def test_a_sweep_of_another_corpus_begun_meanwhile_is_refused_by_name(harbour, capsys, monkeypatch):
    from chunkscope.evaluation import sweeptasks

    measure_row = sweeptasks.measure_row

    def while_another_ends(*given, **named):
        monkeypatch.setattr(sweeptasks, "measure_row", measure_row)
        assert sweep("a") == 0
        return measure_row(*given, **named)

    monkeypatch.setattr(sweeptasks, "measure_row", while_another_ends)
    assert sweep("b") == 3
    assert capsys.readouterr().err.splitlines()[-1] == (
        "chunkscope: --save s.json: holds a sweep of another corpus; name another file"
    )
    assert rows(harbour / "s.json") == [(0, 10), (0, 20)]
    assert json.loads((harbour / "s.json").read_bytes())["stopped"] is False


def test_what_became_something_else_meanwhile_is_left_alone(harbour, capsys, monkeypatch):
    from chunkscope.evaluation import sweeptasks

    measure_row = sweeptasks.measure_row

    def while_a_person_writes(*given, **named):
        (harbour / "s.json").write_text("dear diary")
        return measure_row(*given, **named)

    monkeypatch.setattr(sweeptasks, "measure_row", while_a_person_writes)
    assert sweep("a", "--format", "json") == 2
    said = capsys.readouterr()
    # The rows are not lost: they were printed before the file was refused.
    assert len(json.loads(said.out)["rows"]) == 2
    assert "s.json: is there and is no saved sweep" in said.err.splitlines()[-1]
    assert (harbour / "s.json").read_text() == "dear diary"


def test_rows_of_another_seed_stay(harbour):
    assert sweep("a") == 0
    assert sweep("a", "--seed", "1") == 0
    assert rows(harbour / "s.json") == [(0, 10), (0, 20), (1, 10), (1, 20)]
    assert sweep("a") == 0
    assert rows(harbour / "s.json") == [(0, 10), (0, 20), (1, 10), (1, 20)]


def test_unsaved_questions_of_another_inspector_stay(tmp_path):
    file = tmp_path / "sessions.json"

    def left(*asked: str) -> Remembered:
        return Remembered({}, {}, "a.md", 0, "", "questions", "A", "dark", asked=list(asked))

    ours: set[str] = set()
    theirs: set[str] = set()
    remember(file, "k", left("ours 1"), ours)
    remember(file, "k", left("theirs"), theirs)
    remember(file, "k", left("ours 1", "ours 2"), ours)
    assert recall(file, "k").asked == ["ours 1", "ours 2", "theirs"]
    # Written to the golden set, it is unsaved no more; the other's still is.
    remember(file, "k", left("ours 2"), ours)
    assert recall(file, "k").asked == ["ours 2", "theirs"]
    remember(file, "k", left(), theirs)
    assert recall(file, "k").asked == ["ours 2"]


@needs_fork
def test_processes_that_begin_one_cache_at_once_all_keep_their_vectors(tmp_path, killer):
    for turn in range(10):
        path = tmp_path / f"{turn}" / "vectors.sqlite3"
        gate, opened = os.pipe()

        def put(_report, who, path=path, gate=gate, opened=opened):
            os.close(opened)
            # Until the parent lets all of them go at the same moment.
            os.read(gate, 1)
            VectorCache(path).put("m", "1", [who], np.full((1, 4), ord(who), np.float32))

        children = [killer.start(lambda report, who=who: put(report, who)) for who in "abcde"]
        os.close(gate)
        os.close(opened)
        for child in children:
            assert not child.ended().killed
        found = VectorCache(path).get("m", "1", 4, list("abcde"))
        assert found[:, 0].tolist() == [ord(who) for who in "abcde"]
