"""Recall over the orders of tied chunks, against trying every order."""

from itertools import permutations

import numpy as np
from evaluation_cases import make_chunks, make_corpus, make_question
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.evidence import evidence_table
from chunkscope.evaluation.geometry import chunk_geometry
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.rankings import Demand, Tie, rank_questions
from chunkscope.evaluation.run import evaluate
from chunkscope.evaluation.ties import gain_range, recall_ranges
from chunkscope.retrieval.protocol import Matches
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings


def every_order(gains, weights, room):
    found = []
    for order in permutations(range(len(gains))):
        left, held = room, set()
        for number in order:
            if weights[number] > left:
                break
            left -= weights[number]
            held |= gains[number]
        found.append(len(held))
    return min(found), max(found)


@given(
    st.lists(
        st.tuples(st.frozensets(st.integers(0, 3), max_size=2), st.integers(1, 4)),
        min_size=1,
        max_size=6,
    ),
    st.integers(0, 12),
)
def test_gain_range_equals_every_order(chunks, room):
    gains = [gain for gain, _ in chunks]
    weights = [weight for _, weight in chunks]
    if sum(weights) <= room:
        room = sum(weights) - 1
    assert gain_range(gains, weights, room) == every_order(gains, weights, room)


@given(
    st.lists(st.frozensets(st.integers(0, 3), max_size=2), min_size=2, max_size=6),
    st.integers(0, 5),
)
def test_gain_range_with_every_chunk_the_same_weight(gains, room):
    room = min(room, len(gains) - 1)
    weights = [1] * len(gains)
    assert gain_range(gains, weights, room) == every_order(gains, weights, room)


def test_many_items_are_bounded():
    gains = [frozenset({number}) for number in range(20)]
    low, high = gain_range(gains, [1] * 20, 5)
    assert low <= 5 <= high


def test_only_a_tie_across_the_cut_off_gives_a_range():
    match = Matches(np.array([0, 1, 2, 3]), np.array([5.0, 2.0, 2.0, 1.0]))
    tokens = np.array([1, 1, 1, 1])

    def ranked(cut, budget=0):
        return rank_questions(
            [match], count=1, tokens=tokens, demand=Demand(cut, budget=budget), ties="earlier"
        ).ties

    assert ranked(1) == {}
    assert ranked(3) == {}
    tie = ranked(2)[0]
    assert (tie.certain.tolist(), tie.tied.tolist(), tie.room) == ([0], [1, 2], 1)
    under_budget = ranked(5, budget=2)[0]
    assert (under_budget.certain.tolist(), under_budget.tied.tolist()) == ([0], [1, 2])
    assert under_budget.room == 1


def test_a_budget_that_stops_before_the_tie_still_has_a_range():
    # Nothing of the tie is taken in this order, yet the lighter chunk would fit.
    match = Matches(np.array([0, 1]), np.array([2.0, 2.0]))
    ties = rank_questions(
        [match], count=1, tokens=np.array([9, 2]), demand=Demand(5, budget=3), ties="earlier"
    ).ties
    assert ties[0].tied.tolist() == [0, 1]
    chunks = make_chunks(make_corpus("abcdefghij"), [[(0, 5), (5, 10)]])
    questions = [make_question(0, [[("d0", 6, 8)]])]
    table = evidence_table(chunks.corpus, questions)
    low, high = recall_ranges(
        table, chunk_geometry(chunks), ties, np.array([0.0]), np.array([9, 2])
    )
    assert (low[0], high[0]) == (0.0, 1.0)


def test_certain_chunks_keep_what_they_hold():
    chunks = make_chunks(make_corpus("abcdefghij"), [[(0, 5), (5, 10), (0, 5)]])
    questions = [make_question(0, [[("d0", 0, 5)], [("d0", 5, 10)]])]
    table = evidence_table(chunks.corpus, questions)
    tie = Tie(np.array([0]), np.array([1, 2]), 1)
    low, high = recall_ranges(table, chunk_geometry(chunks), {0: tie}, np.array([1.0]))
    assert (low[0], high[0]) == (0.5, 1.0)


def test_the_run_carries_the_range_both_ways():
    corpus = make_corpus("same word here. same word there. other text only")
    question = make_question(0, [[("d0", 16, 31)]], text="same word")
    for ties, recall in (("earlier", 0.0), ("later", 1.0)):
        configuration = Configuration(
            SplitterSettings(kind="words", unit="words", size=3, overlap=0),
            retriever=RetrieverSettings(k=(1,), ties=ties),
        )
        run = evaluate(CorpusIndex(corpus), configuration, (question,))
        assert run.metrics["recall"] == recall
        assert run.recall_range == (0.0, 1.0)
        assert run.questions[0].recall_range == (0.0, 1.0)
        assert any("a tie crosses the cut-off in 1 question" in line for line in run.warnings)
