"""Answers that can be used, and all the others."""

import math

import pytest
from fake_embeddings import packed
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.endpoint.answers import read_scores, read_usage, read_vectors
from chunkscope.endpoint.cost import Usage
from chunkscope.endpoint.errors import PassingError


def entry(vector: object, **more: object) -> dict[str, object]:
    return {"embedding": vector, **more}


@pytest.mark.parametrize(
    "data",
    [
        [entry([1, 2.5], index=0), entry([3, 4], index=1)],
        [entry([3, 4], index=1), entry([1, 2.5], index=0)],
        [entry([1, 2.5]), entry([3, 4])],
        [entry(packed([1, 2.5]), index=0), entry([3, 4], index=1)],
    ],
)
def test_vectors_come_in_the_order_of_the_texts(data: object):
    assert read_vectors({"data": data}, 2) == [[1.0, 2.5], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (None, "does not hold 2 vectors"),
        ([], "does not hold 2 vectors"),
        ({"data": {}}, "does not hold 2 vectors"),
        ({"data": [entry([1.0])]}, "does not hold 2 vectors"),
        ({"data": [entry([1.0])] * 3}, "does not hold 2 vectors"),
        ({"data": [entry([1.0]), None]}, "not a list of numbers"),
        ({"data": [entry([1.0]), {}]}, "not a list of numbers"),
        ({"data": [entry([1.0]), entry([])]}, "not a list of numbers"),
        ({"data": [entry([1.0]), entry([math.nan])]}, "not a list of numbers"),
        ({"data": [entry([1.0]), entry([math.inf])]}, "not a list of numbers"),
        ({"data": [entry([1.0]), entry([10**400])]}, "not a list of numbers"),
        ({"data": [entry([1.0]), entry([True])]}, "not a list of numbers"),
        ({"data": [entry([1.0]), entry(["1"])]}, "not a list of numbers"),
        ({"data": [entry([1.0]), entry([[1.0]])]}, "not a list of numbers"),
        ({"data": [entry([1.0]), entry("AAAA")]}, "not a list of numbers"),
        ({"data": [entry([1.0]), entry("")]}, "not a list of numbers"),
        ({"data": [entry([1.0]), entry("no base64!")]}, "not a list of numbers"),
        ({"data": [entry([1.0]), entry(packed([math.nan]))]}, "not a list of numbers"),
        ({"data": [entry([1.0], index=0), entry([1.0], index=0)]}, "not hold one vector a text"),
        ({"data": [entry([1.0], index=0), entry([1.0], index=2)]}, "not hold one vector a text"),
        ({"data": [entry([1.0], index=-1), entry([1.0], index=0)]}, "not hold one vector a text"),
        ({"data": [entry([1.0], index="0"), entry([1.0], index=1)]}, "not a whole number"),
        ({"data": [entry([1.0], index=False), entry([1.0], index=1)]}, "not a whole number"),
        ({"data": [entry([1.0], index=None), entry([1.0], index=1)]}, "not a whole number"),
        ({"data": [entry([1.0]), entry([1.0, 2.0])]}, r"differ in length \(1 and 2 numbers\)"),
    ],
)
def test_what_is_no_vector_a_text_is_refused(answer: object, told: str):
    with pytest.raises(PassingError, match=told) as raised:
        read_vectors(answer, 2)
    assert raised.value.billed


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_packed_vectors_are_exact(vector: list[float]):
    assert read_vectors({"data": [entry(packed(vector))]}, 1) == [vector]


@pytest.mark.parametrize(
    "answer",
    [
        {"results": [{"index": 1, "relevance_score": 0.5}, {"index": 0, "relevance_score": -2}]},
        {"results": [{"index": 0, "score": -2, "text": "a"}, {"index": 1, "score": 0.5}]},
        {"data": [{"index": 1, "relevance_score": 0.5}, {"index": 0, "relevance_score": -2.0}]},
        [{"index": 1, "score": 0.5}, {"index": 0, "score": -2.0}],
    ],
)
def test_scores_come_in_the_order_of_the_texts(answer: object):
    assert read_scores(answer, 2) == [-2.0, 0.5]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({}, "does not hold 2 scores"),
        ({"results": [{"index": 0, "score": 1}]}, "does not hold 2 scores"),
        ([{"index": 0, "score": 1}, 2], "without an index"),
        ([{"index": 0, "score": 1}, {"score": 2}], "not a whole number"),
        ([{"index": 0, "score": 1}, {"index": 1.0, "score": 2}], "not a whole number"),
        ([{"index": 0, "score": 1}, {"index": 0, "score": 2}], "not hold one score a text"),
        ([{"index": 0, "score": 1}, {"index": 2, "score": 2}], "not hold one score a text"),
        ([{"index": 0, "score": 1}, {"index": 1}], "not a number"),
        ([{"index": 0, "score": 1}, {"index": 1, "score": "2"}], "not a number"),
        ([{"index": 0, "score": 1}, {"index": 1, "score": math.nan}], "not a number"),
        ([{"index": 0, "score": 1}, {"index": 1, "relevance_score": None, "score": 2}],
         "not a number"),
    ],
)  # fmt: skip
def test_what_is_no_score_a_text_is_refused(answer: object, told: str):
    with pytest.raises(PassingError, match=told):
        read_scores(answer, 2)


@pytest.mark.parametrize(
    ("answer", "usage"),
    [
        ({"usage": {"prompt_tokens": 7, "total_tokens": 7}}, Usage(1, 7)),
        ({"usage": {"prompt_tokens": 7, "completion_tokens": 2}}, Usage(1, 7, 2)),
        ({"usage": {"total_tokens": 7}}, Usage(1, 7)),
        ({"usage": {"prompt_tokens": -7}}, Usage(1)),
        ({"usage": {"prompt_tokens": "7"}}, Usage(1)),
        ({"usage": {"prompt_tokens": True}}, Usage(1)),
        ({"usage": None}, Usage(1)),
        ([], Usage(1)),
    ],
)
def test_usage_is_what_is_reported(answer: object, usage: Usage):
    assert read_usage(answer) == usage
