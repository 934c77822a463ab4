"""Ranks against a plain sort."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.retrieval.protocol import Matches
from chunkscope.retrieval.ranking import Ties, rank_matches, rank_of, tie_at_cutoff

scores = st.one_of(
    st.lists(st.sampled_from([-1.0, -0.0, 0.0, 0.5, 0.75, 2.0]), max_size=12),
    st.lists(st.floats(-5, 5, allow_nan=False), max_size=12),
)


def matched(values: list[float], step: int = 3) -> Matches:
    """Chunks 0, step, 2 · step, … with these scores."""
    chunks = np.arange(len(values), dtype=np.int64) * step
    return Matches(chunks, np.array(values, dtype=np.float64))


def sorted_plainly(match: Matches, ties: Ties) -> list[tuple[int, float]]:
    pairs = list(zip(match.chunks.tolist(), match.scores.tolist(), strict=True))
    sign = 1 if ties == "earlier" else -1
    return sorted(pairs, key=lambda pair: (-pair[1], sign * pair[0]))


@given(scores, st.integers(0, 14), st.sampled_from(["earlier", "later"]))
def test_the_first_k_are_those_of_a_sort(values: list[float], k: int, ties: Ties) -> None:
    match = matched(values)
    chunks, found = rank_matches(match, k, ties)
    assert (
        list(zip(chunks.tolist(), found.tolist(), strict=True)) == sorted_plainly(match, ties)[:k]
    )


@pytest.mark.parametrize("distinct", [2, 7, 40, 3000])
@pytest.mark.parametrize("size", [255, 256, 257, 1000, 5003])
def test_the_first_k_of_many(size: int, distinct: int) -> None:
    generator = np.random.default_rng(size + distinct)
    match = matched((generator.integers(0, distinct, size) / 8 - 1).tolist())
    for ties in ("earlier", "later"):
        expected = sorted_plainly(match, ties)
        for k in (1, 2, 10, 63, 64, 65, 250, size - 1, size, size + 1):
            chunks, found = rank_matches(match, k, ties)
            assert list(zip(chunks.tolist(), found.tolist(), strict=True)) == expected[:k]


@given(scores, st.sampled_from(["earlier", "later"]))
def test_a_rank_is_the_place_in_the_full_ranking(values: list[float], ties: Ties) -> None:
    match = matched(values)
    order = [chunk for chunk, _ in sorted_plainly(match, ties)]
    asked = list(range(-1, 3 * len(values) + 2))
    expected = [order.index(chunk) + 1 if chunk in order else None for chunk in asked]
    assert rank_of(match, asked, ties) == expected


@given(scores, st.integers(0, 14))
def test_a_tie_at_the_cut_off(values: list[float], k: int) -> None:
    match = matched(values)
    certain, tied = (each.tolist() for each in tie_at_cutoff(match, k))
    earlier = {chunk for chunk, _ in sorted_plainly(match, "earlier")[:k]}
    later = {chunk for chunk, _ in sorted_plainly(match, "later")[:k]}
    assert (tied == []) == (earlier == later)
    assert set(certain) == earlier & later or tied
    assert len(certain) == min(k, len(values)) or len(certain) < k < len(certain) + len(tied)
    by_chunk = dict(sorted_plainly(match, "earlier"))
    if tied:
        (value,) = {by_chunk[chunk] for chunk in tied}
        assert tied == [chunk for chunk in match.chunks.tolist() if by_chunk[chunk] == value]
        assert certain == [chunk for chunk in match.chunks.tolist() if by_chunk[chunk] > value]


def test_a_tie_at_the_cut_off_of_many() -> None:
    values = [1.0, *[0.5] * 600, 0.25, 2.0]
    certain, tied = tie_at_cutoff(matched(values, step=1), 5)
    assert certain.tolist() == [0, 602]
    assert tied.tolist() == list(range(1, 601))


def test_nothing_matches() -> None:
    match = matched([])
    assert rank_matches(match, 5, "earlier")[0].tolist() == []
    assert rank_of(match, [0, 1], "earlier") == [None, None]
    assert [each.tolist() for each in tie_at_cutoff(match, 5)] == [[], []]
