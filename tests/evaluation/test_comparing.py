"""Two runs side by side, and the values written for scripts."""

import json
from dataclasses import replace

import pytest
from evaluation_cases import make_chunks, make_corpus, make_question

from chunkscope.errors import NotComparableError
from chunkscope.evaluation.compare import CHANGES, Migration, compare, migration, setting_changes
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.report import comparison_to_json, evaluation_to_json, sweep_to_json
from chunkscope.evaluation.run import evaluate
from chunkscope.evaluation.sweep import plan_sweep, run_sweep
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.model import GoldenSet
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings

TEXT = "pump pump pump. pump oil level. pump seal kit. spare part list."
QUESTIONS = (
    make_question(0, [[("d0", 16, 31)]], text="oil level", type="fact"),
    make_question(1, [[("d0", 5, 20)]], text="pump pump"),
    make_question(2, [[("d0", 0, 15)]], text="pump"),
    make_question(3, [], missing=1),
    make_question(4, []),
)
GOLDEN = GoldenSet(tuple(located.question for located in QUESTIONS))


def configuration(size, **retriever):
    return Configuration(
        SplitterSettings(kind="words", unit="words", size=size, overlap=0),
        retriever=RetrieverSettings(**{"k": (1, 2), **retriever}),
    )


def run(size, **retriever):
    return evaluate(CorpusIndex(make_corpus(TEXT)), configuration(size, **retriever), QUESTIONS)


def test_won_lost_same_unmeasured_and_unanswerable():
    found = compare(run(3), run(6))
    assert [question.change for question in found.questions] == [
        "same",
        "won",
        "same",
        "unmeasured",
        "unanswerable",
    ]
    assert {name: found.count(name) for name in CHANGES} == {
        "won": 1, "lost": 0, "same": 2, "unmeasured": 1, "unanswerable": 1,
    }  # fmt: skip
    assert (found.count("won"), found.count("lost")) == (1, 0)
    back = compare(run(6), run(3))
    assert (back.count("won"), back.count("lost")) == (0, 1)
    assert found.differences["recall"].mean == pytest.approx(1 / 3)
    assert found.differences["recall"].noise
    assert (found.hits.gained, found.hits.lost) == (1, 0)
    assert found.attributable
    assert [(change.key, change.a, change.b) for change in found.settings] == [("size", 3, 6)]
    assert found.steps == ()


def test_several_settings_and_the_steps_between():
    a, b = configuration(6), configuration(8, ties="later")
    b = replace(b, splitter=replace(b.splitter, overlap=2))
    names = [f"{change.section}.{change.key}" for change in setting_changes(a, b)]
    assert names == ["splitter.size", "splitter.overlap", "retriever.ties"]
    index = CorpusIndex(make_corpus(TEXT))
    found = compare(evaluate(index, a, QUESTIONS), evaluate(index, b, QUESTIONS))
    assert not found.attributable
    steps = [(step.splitter.size, step.splitter.overlap) for step in found.steps]
    assert steps == [(8, 0), (8, 2)]
    assert all(step.retriever.ties == "earlier" for step in found.steps)


def test_an_overlap_that_comes_to_the_same_number_is_the_same():
    a = Configuration(SplitterSettings(size=100, overlap="10%"))
    b = Configuration(SplitterSettings(size=100, overlap=10))
    assert setting_changes(a, b) == ()


def test_other_questions_corpus_or_cut_offs_do_not_compare():
    with pytest.raises(NotComparableError, match="same k"):
        compare(run(3), run(3, k=(2,)))
    with pytest.raises(NotComparableError, match="same budget"):
        compare(run(3), run(3, budget=100))
    other = evaluate(CorpusIndex(make_corpus(TEXT + "!")), configuration(3), QUESTIONS)
    with pytest.raises(NotComparableError, match="same corpus"):
        compare(run(3), other)
    fewer = evaluate(CorpusIndex(make_corpus(TEXT)), configuration(3), QUESTIONS[:2])
    with pytest.raises(NotComparableError, match="same golden set"):
        compare(run(3), fewer)
    assert NotComparableError.exit_code == 3


def test_migration_kept_changed_new_dropped():
    corpus = make_corpus("aaaa bbbb cccc dddd", "xx yy")
    before = make_chunks(corpus, [[(0, 4), (5, 9), (10, 14)], [(0, 2)]])
    after = make_chunks(corpus, [[(0, 4), (5, 14), (15, 19)], [(0, 2), (3, 5)]])
    found = migration(before, after)
    assert (found.kept, found.changed, found.new, found.dropped) == (2, 1, 2, 2)
    tokens = after.tokens.tolist()
    assert found.tokens_to_embed == tokens[1] + tokens[2] + tokens[4]
    same = migration(before, before)
    assert same == Migration(kept=4, changed=0, new=0, dropped=0, tokens_to_embed=0)


def test_repeated_texts_are_kept_as_often_as_they_stood():
    corpus = make_corpus("aa aa aa")
    before = make_chunks(corpus, [[(0, 2)]])
    after = make_chunks(corpus, [[(0, 2), (3, 5), (6, 8)]])
    found = migration(before, after)
    assert (found.kept, found.changed, found.new) == (1, 0, 2)


EVAL_KEYS = ["config", "versions", "corpus", "golden", "chunks", "metrics", "sd", "intervals",
             "recall_range", "by_type", "questions", "warnings"]  # fmt: skip


def test_the_report_of_a_run():
    evaluation = evaluate(
        CorpusIndex(make_corpus(TEXT)), configuration(3), QUESTIONS, intervals=True
    )
    report = json.loads(json.dumps(evaluation_to_json(evaluation, GOLDEN), allow_nan=False))
    assert list(report) == EVAL_KEYS
    assert report["config"]["splitter"]["size"] == 3
    assert report["config"]["retriever"]["k"] == [1, 2]
    assert {"chunkscope", "python", "langchain-text-splitters", "tiktoken", "toktok-rs",
            "snowballstemmer", "numpy"} <= set(report["versions"])  # fmt: skip
    assert report["corpus"] == {
        "documents": 1,
        "characters": len(TEXT),
        "tokens": 17,
        "fingerprint": make_corpus(TEXT).fingerprint,
    }
    assert report["golden"] == {
        "questions": 5,
        "measured": 3,
        "unmeasured": 1,
        "unanswerable": 1,
        "fingerprint": fingerprint(GOLDEN),
    }
    assert list(report["chunks"]) == ["count", "mean_tokens", "max_tokens", "total_tokens",
                                      "oversize", "altered", "uncovered_characters"]  # fmt: skip
    assert report["metrics"]["recall"] == pytest.approx(2 / 3)
    assert report["metrics"]["recall@2"] == pytest.approx(2 / 3)
    assert report["metrics"]["recall_at_budget"] is None
    assert report["sd"]["recall"] == pytest.approx((2 / 9) ** 0.5)
    low, high = report["intervals"]["recall"]
    assert 0.0 <= low < 2 / 3 < high <= 1.0
    assert report["by_type"]["fact"]["recall"] == 1.0
    assert report["questions"][0] == {
        "id": "q0",
        "verdict": "hit",
        "reason": "whole in the chunk at rank 1",
        "rank": 1,
        "recall": 1.0,
        "coverage": 1.0,
        "retrieved": [
            {
                "doc": "d0",
                "start": 16,
                "end": 31,
                "score": evaluation.questions[0].retrieved[0].score,
            }
        ],
    }
    unmeasured = report["questions"][3]
    assert (unmeasured["verdict"], unmeasured["recall"], unmeasured["rank"]) == (
        "unmeasured",
        None,
        None,
    )


def test_nothing_measured_writes_null_for_every_metric():
    questions = QUESTIONS[3:]
    evaluation = evaluate(
        CorpusIndex(make_corpus(TEXT)), configuration(3), questions, intervals=True
    )
    golden = GoldenSet(tuple(located.question for located in questions))
    report = json.loads(json.dumps(evaluation_to_json(evaluation, golden), allow_nan=False))
    assert set(report["metrics"].values()) == {None}
    assert report["recall_range"] == [None, None]
    assert report["intervals"] == {}
    assert report["golden"]["measured"] == 0


def test_the_report_of_a_sweep():
    plan = plan_sweep(configuration(3), (3, 6, 40), (0, 5))
    sweep = run_sweep(CorpusIndex(make_corpus(TEXT)), plan, QUESTIONS)
    report = json.loads(json.dumps(sweep_to_json(sweep, GOLDEN), allow_nan=False))
    assert [row["config"]["splitter"]["size"] for row in report["rows"]] == [3, 6, 6, 40, 40]
    assert [row["same_as"] for row in report["rows"]] == [None, None, None, None, 3]
    for row in report["rows"]:
        assert set(EVAL_KEYS) - {"questions"} <= set(row)
        assert "questions" not in row
        assert row["chunks"]["count"] > 0
    (skipped,) = report["skipped"]
    assert skipped["config"]["splitter"]["overlap"] == 5
    assert set(report["advice"]) >= {"pick", "reasons", "rules"}
    names = [rule["name"] for rule in report["advice"]["rules"]]
    assert "provisional" in names
    assert "identical chunk sets" in names


def test_the_report_of_a_comparison():
    found = compare(run(3), run(6))
    report = json.loads(json.dumps(comparison_to_json(found, GOLDEN), allow_nan=False))
    assert (report["won"], report["lost"], report["same"]) == (1, 0, 2)
    assert (report["unmeasured"], report["unanswerable"]) == (1, 1)
    assert report["settings"] == [{"setting": "splitter.size", "a": 3, "b": 6}]
    assert report["differences"]["recall"]["noise"] is True
    assert [question["change"] for question in report["questions"]][:2] == ["same", "won"]
