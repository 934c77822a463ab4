"""Sweeps that go on where an earlier run of them stopped."""

import json

import numpy as np
import pytest
from evaluation_cases import make_corpus, make_question

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError, NotComparableError
from chunkscope.evaluation import sweeptasks
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.report import sweep_to_json
from chunkscope.evaluation.sweep import plan_sweep, run_sweep
from chunkscope.evaluation.sweepstore import (
    SweepStore,
    read_store,
    store_to_json,
    unfinished,
)
from chunkscope.golden.model import GoldenSet
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
    for number in range(60)
)
GOLDEN = GoldenSet(tuple(located.question for located in QUESTIONS))
CORPUS = make_corpus(TEXT, "Another document.")
BASE = Configuration(SplitterSettings(size=20), retriever=RetrieverSettings(k=(2, 4)))
# Sizes 2000 and 3000 leave the document whole: their rows share a chunk set.
PLAN = plan_sweep(BASE, (8, 20, 40, 2000, 3000), (0, "25%"))


@pytest.fixture
def work(monkeypatch):
    """What was really worked on: sizes of rows measured, (size, phase) of phases ranked."""
    done = []
    row, recall = sweeptasks.measure_row, sweeptasks.recall_only

    def measure_row(index, configuration, *arguments, **options):
        done.append(configuration.splitter.size)
        return row(index, configuration, *arguments, **options)

    def recall_only(index, configuration, *arguments):
        done.append("phase")
        return recall(index, configuration, *arguments)

    monkeypatch.setattr(sweeptasks, "measure_row", measure_row)
    monkeypatch.setattr(sweeptasks, "recall_only", recall_only)
    return done


def run(store=None, plan=PLAN, **options):
    return run_sweep(CorpusIndex(CORPUS), plan, QUESTIONS, store=store, workers=1, **options)


def saved(store, sweep, seed=0):
    return json.dumps(store_to_json(store, sweep, GOLDEN, QUESTIONS, seed)).encode()


def read(data, corpus=CORPUS, golden=GOLDEN, questions=QUESTIONS, seed=0):
    table = CorpusIndex(corpus).evidence(questions)
    return read_store(
        data, "s.json", corpus=corpus, golden=golden, questions=questions, table=table, seed=seed
    )


def stopped_after(rows):
    """The file of a sweep that was called off after so many rows."""
    store, token, seen = SweepStore(), CancelToken(), []

    def on_row(row):
        seen.append(row)
        if len(seen) == rows:
            token.cancel()

    sweep = run(store, on_row=on_row, cancel=token)
    assert sweep.stopped
    return saved(store, sweep)


def test_the_rows_of_a_finished_sweep_are_not_run_again(work):
    store = SweepStore()
    first = run(store)
    assert work.count("phase") > 0
    work.clear()
    again = read(saved(store, first))
    assert again.taken == len(PLAN.rows)
    second = run(again)
    assert work == []
    assert sweep_to_json(second, GOLDEN) == sweep_to_json(first, GOLDEN)
    for row, other in zip(second.rows, first.rows, strict=True):
        assert row.evaluation.configuration == other.evaluation.configuration
        assert row.evaluation.measured == other.evaluation.measured
        np.testing.assert_array_equal(row.judged_recall, other.judged_recall)


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_an_interrupted_sweep_goes_on_to_the_same_end(work, rows):
    whole = sweep_to_json(run(), GOLDEN)
    work.clear()
    half = stopped_after(rows)
    store = read(half)
    assert store.taken == rows
    second = run(store)
    assert sweep_to_json(second, GOLDEN) == whole
    # Each chunk set once in both runs together: small sizes leave no room for an overlap.
    assert [size for size in work if size != "phase"] == [8, 20, 40, 40, 2000]


def test_more_sizes_take_over_the_rows_that_are_there(work):
    small = plan_sweep(BASE, (8, 20), (0, "25%"))
    store = SweepStore()
    first = run(store, small)
    work.clear()
    again = run(read(saved(store, first)), PLAN)
    assert [size for size in work if size != "phase"] == [40, 40, 2000]
    assert sweep_to_json(again, GOLDEN) == sweep_to_json(run(), GOLDEN)


def test_two_processes_go_on_as_one_does():
    store = read(stopped_after(2))
    found = run_sweep(CorpusIndex(CORPUS), PLAN, QUESTIONS, store=store, workers=2)
    assert sweep_to_json(found, GOLDEN) == sweep_to_json(run(), GOLDEN)


def test_boundary_phases_that_were_tried_are_not_tried_again(work):
    store, token = SweepStore(), CancelToken()

    def on_phase(done, total):
        if done == 3:
            token.cancel()

    sweep = run(store, on_phase=on_phase, cancel=token)
    assert sweep.stopped
    work.clear()
    heard = []
    second = run(read(saved(store, sweep)), on_phase=lambda done, total: heard.append(total))
    tried = work.count("phase")
    assert len(heard) == heard[0] == tried
    work.clear()
    assert sweep_to_json(second, GOLDEN) == sweep_to_json(run(), GOLDEN)
    assert work.count("phase") == tried + 3


def test_an_unfinished_sweep_says_so():
    store = SweepStore()
    rows = []
    run(store, on_row=rows.append)
    report = store_to_json(store, unfinished(rows[:2]), GOLDEN, QUESTIONS, 0)
    assert report["stopped"] is True
    assert report["advice"]["pick"] is None
    assert "not finished" in report["advice"]["reasons"][0]
    assert read(json.dumps(report).encode()).taken == 2


def test_another_seed_or_other_types_are_measured_anew():
    data = stopped_after(2)
    assert read(data, seed=1).taken == 0
    other = (make_question(0, [[("d0", 0, 45)]], text="Sentence 0 part", type="new"),)
    assert read(data, questions=(*other, *QUESTIONS[1:])).taken == 0


def test_another_version_is_measured_anew():
    report = json.loads(stopped_after(2))
    report["rows"][0]["versions"]["numpy"] = "0.1"
    assert read(json.dumps(report).encode()).taken == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("recall", [2.0] * 60),
        ("recall", [0.5]),
        ("sizes", "many"),
        ("budget", {}),
        ("chunk_set", "xyz"),
        ("phases", {"a": []}),
    ],
)
def test_a_row_that_was_tampered_with_is_measured_anew(name, value):
    report = json.loads(stopped_after(2))
    report["rows"][1]["resume"][name] = value
    assert read(json.dumps(report).encode()).taken == 1


def test_another_corpus_or_golden_set_is_not_comparable():
    data = stopped_after(1)
    with pytest.raises(NotComparableError, match=r"s\.json: holds a sweep of another corpus"):
        read(data, corpus=make_corpus(TEXT, "Another text."))
    with pytest.raises(NotComparableError, match="another golden set"):
        read(data, golden=GoldenSet(GOLDEN.questions[1:]))


@pytest.mark.parametrize(
    "data", [b"no json", b"[]", b'{"rows": 3}', b'{"rows": [{}]}', b'{"rows": [7]}', b"\xff", b"7"]
)
def test_a_file_that_is_no_saved_sweep_is_refused(data):
    with pytest.raises(InputError, match="is no saved sweep"):
        read(data)
