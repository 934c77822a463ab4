"""Sweeps over worker processes: the same rows, errors, cancelling, nothing left behind."""

import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from evaluation_cases import make_corpus, make_question

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.pool import WorkerLostError, WorkerPool, sensible_workers
from chunkscope.evaluation.sweep import plan_sweep, run_sweep
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings

TEXT = ". ".join(f"Sentence {number} speaks of part {number % 7}" for number in range(120))
QUESTIONS = tuple(
    make_question(
        number,
        [[("d0", 40 * number, 40 * number + 45)]],
        text=f"Sentence {number} part",
        type="odd" if number % 2 else "even",
    )
    for number in range(20)
)


def sweep(workers, **arguments):
    base = Configuration(SplitterSettings(size=20), retriever=RetrieverSettings(k=(2, 4), budget=0))
    plan = plan_sweep(base, (8, 20, 40, 2000, 3000), (0, "25%"))
    index = CorpusIndex(make_corpus(TEXT, "Another document."))
    return run_sweep(index, plan, QUESTIONS, workers=workers, **arguments)


def assert_same(found, expected):
    assert [row.same_as for row in found.rows] == [row.same_as for row in expected.rows]
    for row, other in zip(found.rows, expected.rows, strict=True):
        assert row.evaluation.metrics == other.evaluation.metrics
        assert row.evaluation.sd == other.evaluation.sd
        assert row.evaluation.intervals == other.evaluation.intervals
        assert row.evaluation.by_type == other.evaluation.by_type
        assert row.evaluation.statistics == other.evaluation.statistics
        assert row.evaluation.warnings == other.evaluation.warnings
        assert row.evaluation.configuration == other.evaluation.configuration
        assert (row.luck is None) == (other.luck is None)
        if row.luck is not None:
            assert row.luck.phases == other.luck.phases
        assert len(row.evaluation.chunks.corpus.documents) == 2
    assert found.advice == expected.advice
    assert found.recall_budget == expected.recall_budget


def test_two_processes_give_the_rows_of_one():
    expected = sweep(1)
    seen = []
    assert_same(sweep(2, on_row=seen.append), expected)
    assert [row.configuration for row in seen] == [row.configuration for row in expected.rows]
    assert multiprocessing.active_children() == []


def test_away_from_the_main_thread_processes_start_afresh():
    found = []
    thread = threading.Thread(target=lambda: found.append(sweep(2)))
    thread.start()
    thread.join()
    assert_same(found[0], sweep(1))


def test_cancelling_keeps_rows_and_ends_the_processes():
    token = CancelToken()
    seen = []

    def on_row(row):
        seen.append(row)
        token.cancel()

    found = sweep(2, on_row=on_row, cancel=token)
    assert found.stopped
    assert 1 <= len(found.rows) < 10
    assert found.rows[0].evaluation.metrics["recall"] is not None
    assert multiprocessing.active_children() == []


def test_an_index_travels_as_its_documents():
    index = CorpusIndex(make_corpus(TEXT))
    index.words("unicode")
    again = pickle.loads(pickle.dumps(index))
    assert again.corpus == index.corpus
    assert len(pickle.dumps(index)) < 2 * len(TEXT)


def double(resident, task):
    if task == "refuse":
        raise InputError("size: not today")
    if task == "die":
        os._exit(3)
    return resident * task


def test_answers_bear_the_number_of_their_task():
    with WorkerPool(10, 2, double) as pool:
        assert dict(pool.answers([1, 2, 3, 4, 5])) == {0: 10, 1: 20, 2: 30, 3: 40, 4: 50}
        assert dict(pool.answers([7])) == {0: 70}
        assert list(pool.answers([])) == []


def test_an_error_of_a_task_reaches_the_caller():
    with WorkerPool(10, 2, double) as pool, pytest.raises(InputError, match="not today"):
        list(pool.answers([1, "refuse", 2]))


def test_a_process_that_ends_is_said():
    with WorkerPool(10, 1, double) as pool, pytest.raises(WorkerLostError, match="memory"):
        list(pool.answers(["die"]))


def test_a_cancelled_pool_stops():
    token = CancelToken()
    token.cancel()
    with WorkerPool(10, 1, double) as pool, pytest.raises(CancelledError):
        list(pool.answers([1], token))


def test_processes_start_where_a_screen_stands_in_for_the_error_stream():
    program = (
        "import io, sys, threading\n"
        "from test_worker_pool import double\n"
        "from chunkscope.evaluation.pool import WorkerPool\n"
        "class Screen(io.StringIO):\n"
        "    def fileno(self):\n"
        "        return -1\n"
        "def work():\n"
        "    with WorkerPool(10, 2, double) as pool:\n"
        "        print(sorted(answer for _, answer in pool.answers([1, 2, 3])))\n"
        "if __name__ == '__main__':\n"
        "    sys.stderr = Screen()\n"
        "    thread = threading.Thread(target=work)\n"
        "    thread.start()\n"
        "    thread.join()\n"
    )
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": here},
    )
    assert done.stdout == "[10, 20, 30]\n"


def test_little_work_stays_in_this_process():
    assert sensible_workers(1000) == 1
    counted = []

    def count():
        # Processes that are started afresh must be worth more than forked ones.
        counted.extend([sensible_workers(30_000_000), sensible_workers(10**12)])

    thread = threading.Thread(target=count)
    thread.start()
    thread.join()
    assert counted == [1, min(8, len(os.sched_getaffinity(0)))]
