"""Processes killed at random moments: files are whole, what was said to be done is there."""

import json
import os
import select
import signal
from pathlib import Path

import numpy as np
import pytest
from format_files import docx, paragraph

from chunkscope.cli import sweepsave
from chunkscope.cli.main import main
from chunkscope.embedding.cache import VectorCache
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.pool import WorkerPool
from chunkscope.golden.atomic import ChangedError
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.golden.reading import read_golden
from chunkscope.golden.writing import append_question, write_golden
from chunkscope.llm.checkpoint import Checkpoint
from chunkscope.text.loading.extractions import ExtractionCache
from chunkscope.text.loading.load import load_corpus
from chunkscope.tui.remembered import Remembered, recall, remember

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")


def question(number: int, version: int) -> Question:
    text = f"Which quay does boat {number} leave from? Version {version}. {'x' * 200}"
    return Question(f"q{number}", text, "a.md", (Evidence(f"quay {version}", 3, 9),))


def version(number: int) -> GoldenSet:
    return GoldenSet(tuple(question(one, number) for one in range(20)))


def version_in(path: Path) -> int:
    """The version that the file holds, every line of it; -1 where there is no file."""
    if not path.exists():
        return -1
    golden = read_golden(path)
    (number,) = {int(one.question.split("Version ")[1].split(".")[0]) for one in golden.questions}
    assert [one.question for one in golden.questions] == [
        one.question for one in version(number).questions
    ]
    return number


def test_a_golden_set_is_one_of_the_versions_saved(tmp_path, killer):
    path = tmp_path / "golden.jsonl"
    known, kills = -1, 0
    while kills < 60 * killer.times:

        def save(report, after=known):
            for number in range(after + 1, after + 1000):
                write_golden(version(number), path)
                report(number)

        ended = killer.killed(save, 6)
        kills += ended.killed
        last = max(known, ended.last)
        known = version_in(path)
        assert known in (last, last + 1)
    write_golden(version(known + 1), path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["golden.jsonl"]


def test_two_processes_that_append_lose_no_question(tmp_path, killer):
    path = tmp_path / "golden.jsonl"
    written: set[str] = set()
    for turn in range(30 * killer.times):

        def append(report, who, most, turn=turn):
            for number in range(most):
                append_question(path, Question(f"{turn}-{who}-{number}", "Which?", "a.md", ()))
                report(number)

        other = killer.start(lambda report: append(report, "stays", 6))
        ended = killer.killed(lambda report: append(report, "killed", 1000), 5)
        stayed = other.ended()
        assert stayed.last == 5
        ids = [one.id for one in read_golden(path).questions]
        assert len(set(ids)) == len(ids)
        written |= {f"{turn}-stays-{number}" for number in stayed.reported}
        written |= {f"{turn}-killed-{number}" for number in ended.reported}
        # One more may be on the disk, of which the killed process had not heard yet.
        assert set(ids) - written <= {f"{turn}-killed-{ended.last + 1}"}
        assert written <= set(ids)
        written = set(ids)


def test_two_processes_that_edit_one_set_keep_both_edits(tmp_path, killer):
    path = tmp_path / "golden.jsonl"
    write_golden(version(0), path)

    def numbers() -> list[int]:
        found = read_golden(path).questions[:2]
        return [int(one.question.split("Version ")[1].split(".")[0]) for one in found]

    def edit(report, which, most):
        for _ in range(most):
            while True:
                golden = read_golden(path)
                questions = list(golden.questions)
                was = int(questions[which].question.split("Version ")[1].split(".")[0])
                questions[which] = question(which, was + 1)
                try:
                    write_golden(GoldenSet(tuple(questions)), path, known=golden.digest)
                except ChangedError:
                    continue
                break
            report(was + 1)

    for _ in range(25 * killer.times):
        before = numbers()
        other = killer.start(lambda report: edit(report, 1, 5))
        ended = killer.killed(lambda report: edit(report, 0, 1000), 4)
        other.ended()
        after = numbers()
        last = max(before[0], ended.last)
        assert after[0] in (last, last + 1)
        assert after[1] == before[1] + 5


def test_sessions_of_other_documents_stay(tmp_path, killer):
    file = tmp_path / "sessions.json"
    mapping = Configuration().to_mapping()

    def left(offset: int) -> Remembered:
        return Remembered(mapping, mapping, "a.md", offset, "", "questions", "A", "dark")

    remember(file, "other", left(7))
    known = -1
    for _ in range(20 * killer.times):

        def keep(report, after=known):
            for number in range(after + 1, after + 1000):
                assert remember(file, "k", left(number))
                report(number)

        ended = killer.killed(keep, 5)
        last = max(known, ended.last)
        found = recall(file, "k")
        known = found.offset if found is not None else -1
        assert known in (last, last + 1)
        assert recall(file, "other") == left(7)


def vectors(number: int) -> np.ndarray:
    return np.random.default_rng(number).random((4, 8), np.float32)


def texts(number: int) -> list[str]:
    return [f"{number} {row}" for row in range(4)]


def test_vectors_that_were_put_are_kept(tmp_path, killer):
    path = tmp_path / "vectors.sqlite3"
    kept = 0
    for _ in range(50 * killer.times):

        def put(report, first=kept):
            cache = VectorCache(path)
            for number in range(first, first + 1000):
                cache.put("m", "1", texts(number), vectors(number))
                report(number)

        ended = killer.killed(put, 20)
        kept = max(kept, ended.last + 1)
        cache = VectorCache(path)
        for number in range(kept):
            found = cache.get("m", "1", 8, texts(number))
            np.testing.assert_array_equal(found, vectors(number))
        # A lot is kept whole or not at all.
        under_way = np.isnan(cache.get("m", "1", 8, texts(kept)))
        assert under_way.all() or not under_way.any()
        cache.close()


def test_a_checkpoint_holds_what_was_added(tmp_path, killer):
    path = tmp_path / "golden.jsonl.progress"
    settings = {"kind": "test", "count": 3, "long": "s" * 300}
    known = -1
    for _ in range(50 * killer.times):

        def add(report):
            record = Checkpoint(path, settings)
            for number in range(len(record.outcomes), 100_000):
                record.add({"passage": number, "text": "t" * 500})
                report(number)

        ended = killer.killed(add, 12)
        last = max(known, ended.last)
        record = Checkpoint(path, settings)
        known = len(record.outcomes) - 1
        assert known in (last, last + 1)
        expected = {one: {"passage": one, "text": "t" * 500} for one in range(known + 1)}
        assert record.outcomes == expected
        record.close()


def test_a_folder_read_with_extractions_kept_is_read_as_without(tmp_path, killer):
    docs, kept = tmp_path / "docs", tmp_path / "kept"
    docs.mkdir()
    for number in range(12):
        body = paragraph(f"Boat {number} leaves at dawn.") * 20
        (docs / f"{number}.docx").write_bytes(docx(body))
    expected = load_corpus([docs])
    put = ExtractionCache.put

    for _ in range(15 * killer.times):

        def read(report):
            def told(self, key, extracted):
                put(self, key, extracted)
                report(1)

            ExtractionCache.put = told
            for _ in range(1000):
                load_corpus([docs], extractions=ExtractionCache(kept))
                # Every turn extracts anew.
                for path in kept.glob("*.json"):
                    path.unlink()

        killer.killed(read, 30)
        again = load_corpus([docs], extractions=ExtractionCache(kept))
        assert again.fingerprint == expected.fingerprint
        assert [one.origin for one in again.documents] == [one.origin for one in expected.documents]
    ExtractionCache(kept, now=lambda: 1e12).prune(0)
    assert list(kept.iterdir()) == []


TEXT = "".join(f"Boat number {n} leaves quay {n % 5} at dawn.\n\n" for n in range(60))


@pytest.fixture
def harbour(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_bytes(TEXT.encode())
    lines = [
        {"id": f"q{n}", "question": f"When does boat number {n} leave?", "doc": "a.txt",
         "evidence": [{"text": f"Boat number {n} leaves quay {n % 5} at dawn."}]}
        for n in range(0, 60, 4)
    ]  # fmt: skip
    (tmp_path / "golden.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return tmp_path


def sweep(sizes: str, file: str) -> int:
    return main(["sweep", "a.txt", "--golden", "golden.jsonl", "--sizes", sizes, "--overlaps",
                 "0,25%", "--format", "json", "--save", file])  # fmt: skip


def saved(file: Path) -> dict[str, object]:
    """The file's rows by configuration, those it keeps of other sweeps included."""
    if not file.exists():
        return {}
    report = json.loads(file.read_bytes())
    rows = [*report["rows"], *report.get("other_rows", [])]
    for row in rows:
        # What follows from the other rows, or from how far the sweep came.
        for name in ("recall_at_budget", "recall_luck"):
            row["metrics"].pop(name, None)
    return {json.dumps(row["config"], sort_keys=True): row["metrics"] for row in rows}


def quick_saves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A write of the file after every row, not one a second."""
    monkeypatch.setattr(sweepsave, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(sweepsave, "_PAUSE_WRITES", 0)


def test_a_killed_sweep_goes_on_and_ends_as_one_that_was_not(harbour, killer, capfd, monkeypatch):
    sizes = "6,10,14,20,30,40"
    assert sweep(sizes, "whole.json") == 0
    expected, whole = saved(harbour / "whole.json"), json.loads(capfd.readouterr().out)
    quick_saves(monkeypatch)
    update = sweepsave.update_file
    kills = 0
    for turn in range(15 * killer.times):
        file = harbour / f"{turn}.json"
        rows = 0
        for _ in range(4):

            def run(report, file=file):
                def told(path, change):
                    replaced = update(path, change)
                    report(1)
                    return replaced

                sweepsave.update_file = told
                assert sweep(sizes, file.name) == 0

            ended = killer.killed(run, 6, 0.02)
            kills += ended.killed
            found = saved(file)
            assert found.items() <= expected.items()
            assert len(found) >= max(rows, min(len(ended.reported), len(expected)))
            rows = len(found)
        capfd.readouterr()
        assert sweep(sizes, file.name) == 0
        assert json.loads(capfd.readouterr().out) == whole
        assert saved(file) == expected
    assert kills >= 30 * killer.times


def test_two_sweeps_with_one_file_keep_the_rows_of_both(harbour, killer, capfd, monkeypatch):
    assert sweep("6,14,30", "one.json") == 0
    assert sweep("10,20,40", "other.json") == 0
    expected = {**saved(harbour / "one.json"), **saved(harbour / "other.json")}
    quick_saves(monkeypatch)
    for turn in range(10 * killer.times):
        file = harbour / f"{turn}.json"

        def run(_report, sizes, file=file):
            assert sweep(sizes, file.name) == 0

        other = killer.start(lambda report: run(report, "10,20,40"))
        killer.killed(lambda report: run(report, "6,14,30"), 0, 0.3)
        other.ended()
        assert saved(file).items() >= saved(harbour / "other.json").items()
        assert saved(file).items() <= expected.items()
        assert sweep("6,14,30", file.name) == 0
        assert saved(file) == expected
    capfd.readouterr()


def echo(_resident: None, task: int) -> int:
    return task


def test_workers_of_a_killed_process_end(killer):
    for _ in range(8):

        def share_out(report):
            with WorkerPool(None, 3, echo) as pool:
                for number in range(10_000):
                    for _found, _answer in pool.answers(range(3)):
                        pass
                    report(number)

        child = killer.start(share_out)
        child.wait_for(killer.chance.randrange(1, 10), 0.002)
        os.kill(child.process, signal.SIGKILL)
        # The workers hold the pipe too: its end is the end of the last of them.
        while child.open:
            assert select.select([child.pipe], [], [], 60)[0], "a worker is left"
            child.read()
        assert child.ended().killed
