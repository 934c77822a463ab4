"""Small cases with numbers worked out by hand."""

import numpy as np
import pytest
from evaluation_cases import make_chunks, make_corpus, make_question, measure_ranked

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import GoldenCounts
from chunkscope.evaluation.run import evaluate
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings

LETTERS = "abcdefghij" * 30


def values(measured, row=0):
    return {name: float(value[row]) for name, value in measured.per_question.items()}


def test_a_chunk_that_only_touches_the_evidence_does_not_count():
    chunks = make_chunks(make_corpus(LETTERS), [[(10, 20)]])
    found = values(measure_ranked(chunks, [make_question(0, [[("d0", 0, 10)]])], [[0]]))
    assert found["recall"] == 0.0
    assert found["coverage"] == 0.0
    assert found["precision_omega"] == 0.0
    assert found["distractors"] == 1.0


def test_nothing_retrieved_is_nought_and_no_error():
    chunks = make_chunks(make_corpus(LETTERS), [[(0, 20)]])
    found = values(measure_ranked(chunks, [make_question(0, [[("d0", 0, 10)]])], [[]]))
    for name in ("recall", "coverage", "precision", "iou", "ndcg", "mrr", "redundancy",
                 "distractors", "context_tokens", "context_words"):  # fmt: skip
        assert found[name] == 0.0
    assert found["precision_omega"] == 0.5
    assert found["split_rate"] == 0.0


def test_no_chunks_at_all():
    chunks = make_chunks(make_corpus(LETTERS), [[]])
    found = values(measure_ranked(chunks, [make_question(0, [[("d0", 0, 10)]])], [[]]))
    assert found["recall"] == 0.0
    assert found["split_rate"] == 1.0
    assert found["precision_omega"] == 0.0


def test_evidence_longer_than_every_chunk_three_numbers_apart():
    chunks = make_chunks(make_corpus(LETTERS), [[(0, 100), (100, 200), (200, 300)]])
    question = make_question(0, [[("d0", 0, 300)]])
    two = values(measure_ranked(chunks, [question], [[0, 1]]))
    assert (two["recall"], two["joint_recall"]) == (0.0, 0.0)
    assert two["coverage"] == pytest.approx(2 / 3)
    three = values(measure_ranked(chunks, [question], [[0, 2, 1]]))
    assert (three["recall"], three["joint_recall"], three["coverage"]) == (0.0, 1.0, 1.0)
    assert three["split_rate"] == 1.0


def test_an_item_held_by_one_chunk_is_not_also_joint():
    chunks = make_chunks(make_corpus(LETTERS), [[(0, 50), (40, 100)]])
    question = make_question(0, [[("d0", 41, 48)], [("d0", 30, 60)]])
    found = values(measure_ranked(chunks, [question], [[0, 1]]))
    assert found["recall"] == 0.5
    assert found["joint_recall"] == 0.5


def test_precision_iou_and_redundancy_by_hand():
    # Evidence 20..40; chunks 0..30 and 20..50: 60 characters sent, 50 different, 20 covered.
    chunks = make_chunks(make_corpus(LETTERS), [[(0, 30), (20, 50), (100, 200)]])
    question = make_question(0, [[("d0", 20, 40)]])
    found = values(measure_ranked(chunks, [question], [[0, 1]]))
    assert found["recall"] == 1.0
    assert found["coverage"] == 1.0
    assert found["precision"] == pytest.approx(20 / 60)
    assert found["iou"] == pytest.approx(20 / 60)
    assert found["redundancy"] == pytest.approx(10 / 60)
    one = values(measure_ranked(chunks, [question], [[0]]))
    assert one["precision"] == pytest.approx(10 / 30)
    assert one["iou"] == pytest.approx(10 / 40)
    assert one["precision_omega"] == pytest.approx(20 / 50)


def test_overlapping_evidence_is_merged_before_it_is_covered():
    chunks = make_chunks(make_corpus(LETTERS), [[(0, 25)]])
    question = make_question(0, [[("d0", 0, 20)], [("d0", 10, 30)]])
    found = values(measure_ranked(chunks, [question], [[0]]))
    assert found["coverage"] == pytest.approx(25 / 30)
    assert found["recall"] == 0.5


def test_ndcg_with_the_ideal_of_all_relevant_chunks():
    chunks = make_chunks(make_corpus(LETTERS), [[(0, 50), (10, 60), (20, 70), (100, 200)]])
    question = make_question(0, [[("d0", 25, 40)]])
    found = values(measure_ranked(chunks, [question], [[3, 0]], k=(2,)))
    assert found["mrr"] == 0.5
    assert found["ndcg"] == pytest.approx((1 / np.log2(3)) / (1 + 1 / np.log2(3)))


def test_alternatives_any_place_serves():
    # The first place is cut; the second stands whole in the second chunk.
    chunks = make_chunks(make_corpus(LETTERS, LETTERS), [[(0, 50), (50, 100)], [(0, 300)]])
    question = make_question(0, [[("d0", 40, 60), ("d1", 10, 30)]])
    found = values(measure_ranked(chunks, [question], [[0, 2]]))
    assert (found["recall"], found["mrr"], found["coverage"]) == (1.0, 0.5, 1.0)
    assert found["distractors"] == 0.0
    assert found["split_rate"] == 0.0
    assert found["precision"] == pytest.approx(20 / 350)


def test_alternatives_first_place_on_a_tie():
    # Both places half covered; the longer second one would give other numbers.
    chunks = make_chunks(make_corpus(LETTERS), [[(0, 10), (100, 120)]])
    question = make_question(0, [[("d0", 5, 15), ("d0", 110, 130)]])
    found = values(measure_ranked(chunks, [question], [[0, 1]]))
    assert found["coverage"] == 0.5
    assert found["precision"] == pytest.approx(5 / 30)
    assert found["iou"] == pytest.approx(5 / 35)


def test_a_joined_chunk_holds_only_what_lies_inside_one_of_its_ranges():
    chunks = make_chunks(make_corpus(LETTERS), [[[(0, 20), (40, 60)]]])
    inside = values(measure_ranked(chunks, [make_question(0, [[("d0", 45, 60)]])], [[0]]))
    between = values(measure_ranked(chunks, [make_question(0, [[("d0", 15, 45)]])], [[0]]))
    assert inside["recall"] == 1.0
    assert inside["precision"] == pytest.approx(15 / 40)
    assert between["recall"] == 0.0
    assert between["coverage"] == pytest.approx(10 / 30)


def test_edge_cuts_lose_only_white_space_or_punctuation():
    text = "The limit is 78 days. The fee is nil."
    chunks = make_chunks(make_corpus(text), [[(0, 20), (20, 37)]])
    edge = make_question(0, [[("d0", 0, 21)]])
    deep = make_question(1, [[("d0", 13, 25)]])
    measured = measure_ranked(chunks, [edge, deep], [[0], [0]])
    assert measured.per_question["split_rate"].tolist() == [1.0, 1.0]
    assert measured.per_question["edge_cuts"].tolist() == [1.0, 0.0]
    assert measured.per_question["recall"].tolist() == [0.0, 0.0]


def test_unique_tokens_count_shared_text_once():
    text = "one two three four five six seven eight"
    corpus = make_corpus(text, text)
    chunks = make_chunks(corpus, [[(0, 13), (4, 23), (24, 39)], [(0, 39)]])
    question = make_question(0, [[("d0", 0, 3)]])
    tokens = chunks.tokens.tolist()
    assert tokens == [3, 4, 3, 8]
    apart = values(measure_ranked(chunks, [question], [[0, 2, 3]]))
    assert apart["context_unique_tokens"] == apart["context_tokens"] == 14
    shared = values(measure_ranked(chunks, [question], [[1, 0, 3]]))
    # "one two three four five" is 5 tokens, the whole other document 8.
    assert shared["context_tokens"] == 15
    assert shared["context_unique_tokens"] == 13


def test_altered_chunks_send_their_own_words():
    corpus = make_corpus("red,  green;;blue")
    chunks = make_chunks(corpus, [[(0, 17)]], altered={(0, 0): "red [,;] green [,;] blue"})
    found = values(measure_ranked(chunks, [make_question(0, [[("d0", 0, 3)]])], [[0]]))
    assert found["context_words"] == 5


def test_budget_takes_chunks_until_the_next_would_exceed_it():
    text = "one two three four five six seven eight nine ten"
    chunks = make_chunks(make_corpus(text), [[(0, 13), (14, 18), (19, 39), (40, 48)]])
    assert chunks.tokens.tolist() == [3, 1, 4, 2]
    question = make_question(0, [[("d0", 14, 18)]])
    # 3 fit, 4 more would exceed 6, so that the chunk of 1 behind it is not taken either.
    blocked = values(measure_ranked(chunks, [question], [[0, 2, 1]], k=(1, 3), budget=6))
    assert blocked["context_tokens"] == 3
    assert blocked["recall"] == 0.0
    assert blocked["recall@3"] == 1.0
    enough = values(measure_ranked(chunks, [question], [[0, 2, 1]], budget=8))
    assert enough["context_tokens"] == 8
    assert enough["recall"] == 1.0
    assert values(measure_ranked(chunks, [question], [[0, 2, 1]], budget=2))["recall"] == 0.0


def test_recall_at_budget_is_empty_where_nothing_fits():
    text = "one two three four five six seven eight nine ten"
    chunks = make_chunks(make_corpus(text), [[(0, 13), (14, 18)]])
    questions = [
        make_question(0, [[("d0", 14, 18)]]),
        make_question(1, [[("d0", 14, 18)]]),
        make_question(2, [[("d0", 14, 18)]]),
    ]
    measured = measure_ranked(chunks, questions, [[0, 1], [1, 0], []])
    curve = measured.curve
    table = measured.subject.table
    np.testing.assert_array_equal(curve.recall(table, 2), [np.nan, 1.0, 0.0])
    np.testing.assert_array_equal(curve.recall(table, 4), [1.0, 1.0, 0.0])


def configured(**splitter):
    return Configuration(
        SplitterSettings(kind="words", unit="words", overlap=0, **splitter),
        retriever=RetrieverSettings(k=(2, 10)),
    )


def test_unmeasured_and_unanswerable_are_in_no_mean():
    corpus = make_corpus("alpha beta gamma delta")
    questions = (
        make_question(0, [[("d0", 0, 5)]], text="alpha", type="fact"),
        make_question(1, [], text="alpha"),
        make_question(2, [[("d0", 0, 5)]], text="alpha", missing=1, type="fact"),
        make_question(3, [[("d0", 6, 16)]], text="beta", type="table"),
    )
    run = evaluate(CorpusIndex(corpus), configured(size=2), questions)
    assert [line.verdict for line in run.questions] == [
        "hit",
        "unanswerable",
        "unmeasured",
        "split",
    ]
    assert run.metrics["recall"] == 0.5
    assert run.sd["recall"] == 0.5
    assert {name: found["recall"] for name, found in run.by_type.items()} == {
        "fact": 1.0,
        "table": 0.0,
    }
    expected = GoldenCounts(questions=4, measured=2, unmeasured=1, unanswerable=1)
    assert run.counts == expected
    assert run.questions[2].metrics == {}
    assert run.measured == ("q0", "q3")
    assert any("1 of 4 questions unmeasured" in warning for warning in run.warnings)


def test_nothing_measured_leaves_every_metric_empty():
    corpus = make_corpus("alpha beta")
    run = evaluate(CorpusIndex(corpus), configured(size=2), (make_question(0, [], missing=1),))
    assert set(run.metrics.values()) == {None}
    assert set(run.sd.values()) == {None}
    assert run.recall_range == (None, None)
    assert run.questions[0].reason == "its evidence was not found in the corpus"


def test_k_beyond_the_chunks_is_clamped_and_said():
    corpus = make_corpus("alpha beta gamma delta")
    question = make_question(0, [[("d0", 0, 5)]], text="alpha beta gamma delta")
    run = evaluate(CorpusIndex(corpus), configured(size=2), (question,))
    assert "k: 10 clamped to 2, the number of chunks there are" in run.warnings
    assert len(run.questions[0].retrieved) == 2


def test_overhead_nominal_context_and_chunk_counts():
    corpus = make_corpus("one two three four five six seven eight")
    question = make_question(0, [[("d0", 0, 3)]], text="one")
    settings = Configuration(
        SplitterSettings(kind="words", unit="words", size=4, overlap=2),
        retriever=RetrieverSettings(k=(3,)),
    )
    run = evaluate(CorpusIndex(corpus), settings, (question,))
    assert run.statistics.count == 3
    assert run.statistics.total_tokens == 12
    assert run.metrics["index_overhead"] == 12 / 8
    assert run.metrics["context_nominal"] == 12
    assert run.statistics.uncovered_characters == 0
