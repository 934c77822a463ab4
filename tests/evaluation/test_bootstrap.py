"""Intervals, tests and rankings of rows, against plain loops and known values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.evaluation import statistics
from chunkscope.evaluation.statistics import (
    binomial_p,
    bootstrap_intervals,
    compare_rows,
    differences,
    holm,
    mcnemar,
)
from chunkscope.evaluation.student import t_quantile


def plain_bootstrap(values, seed, tail):
    """Resample one by one from the same draws."""
    generator = np.random.default_rng(seed)
    drawn = generator.integers(0, len(values), (10_000, len(values)), dtype=np.int32)
    means = [float(np.mean(values[row])) for row in drawn]
    return np.quantile(means, [tail, 1 - tail])


def test_intervals_equal_a_loop_over_resamples():
    values = np.random.default_rng(7).random(40)
    tail = statistics._tail(40)
    low, high = bootstrap_intervals({"recall": values}, seed=3)["recall"]
    expected = plain_bootstrap(values, 3, tail)
    assert (low, high) == pytest.approx(expected, abs=2e-6)


def test_no_context_at_all_has_no_interval_of_a_share():
    nothing = np.zeros(40)
    found = bootstrap_intervals({"recall": nothing, "context_tokens": nothing})
    assert found["context_tokens"] == (0.0, 0.0)
    assert found["recall"] == (0.0, pytest.approx(0.0876, abs=1e-4))


def test_the_same_seed_gives_the_same_interval_and_another_another():
    values = {"recall": np.random.default_rng(7).random(30)}
    assert bootstrap_intervals(values, seed=1) == bootstrap_intervals(values, seed=1)
    assert bootstrap_intervals(values, seed=1) != bootstrap_intervals(values, seed=2)


def test_blocks_draw_the_same_resamples_as_all_at_once(monkeypatch):
    values = np.random.default_rng(5).random((30, 2))
    whole = statistics._replicates(values, 0)
    monkeypatch.setattr(statistics, "_KEPT_CELLS", 0)
    monkeypatch.setattr(statistics, "_BLOCK_CELLS", 30 * 999)
    blocks = statistics._replicates(values, 0)
    np.testing.assert_allclose(blocks, whole, rtol=1e-5)


def test_small_sets_get_wider_intervals():
    # Shares of resamples outside each end, from Student's t with n - 1 degrees of freedom.
    assert statistics._tail(5) == pytest.approx(0.000952, abs=2e-5)
    assert statistics._tail(1000) == pytest.approx(0.025, abs=2e-4)


@pytest.mark.parametrize(
    ("freedom", "expected"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (10, 2.22814), (100, 1.98397)],
)
def test_t_quantile(freedom, expected):
    assert t_quantile(0.975, freedom) == pytest.approx(expected, rel=2e-5)


def test_one_question_has_no_interval_and_its_difference_is_noise():
    assert bootstrap_intervals({"recall": np.array([1.0])}) == {}
    (found,) = differences(np.array([[1.0]]))
    assert found.mean == 1.0
    assert found.noise
    assert not found.equivalent


def test_questions_without_a_value_are_left_out():
    values = {"all": np.array([400.0, np.nan, 400.0, np.nan, 400.0])}
    assert bootstrap_intervals(values)["all"] == (400.0, 400.0)


def test_no_difference_at_all_is_noise_and_equivalent():
    (found,) = differences(np.zeros((20, 1)))
    assert (found.mean, found.low, found.high) == (0.0, 0.0, 0.0)
    assert found.noise
    assert found.equivalent


def test_five_questions_that_differ_cannot_be_told_from_noise_and_many_can():
    few = np.zeros((40, 1))
    few[:5] = 1.0
    (found,) = differences(few)
    assert found.low <= 0.0
    assert found.noise
    many = np.zeros((40, 1))
    many[:12] = 1.0
    (found,) = differences(many)
    assert found.low > 0.1
    assert not found.noise


def test_mcnemar_by_hand():
    a = np.array([True] * 8 + [False] * 12)
    b = np.array([True] * 7 + [False] + [True] * 6 + [False] * 6)
    found = mcnemar(a, b)
    assert (found.gained, found.lost) == (6, 1)
    assert found.p == pytest.approx(2 * (1 + 7) / 2**7)
    assert mcnemar(a, a).p == 1.0


@given(st.integers(0, 12), st.integers(0, 12))
def test_binomial_p_equals_counting_every_outcome(first, second):
    both = first + second
    extreme = min(first, second)
    outcomes = [bin(number).count("1") for number in range(2**both)] if both < 13 else None
    if outcomes is None:
        assert 0 < binomial_p(first, second) <= 1
        return
    tail = sum(ones <= extreme for ones in outcomes) / 2**both
    assert binomial_p(first, second) == pytest.approx(min(1.0, 2 * tail))


def test_binomial_p_of_thousands_does_not_overflow():
    assert binomial_p(2000, 2000) == 1.0
    assert 0 <= binomial_p(0, 3000) < 1e-300


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_rows_are_ruled_out_or_stay():
    generator = np.random.default_rng(1)
    best = (generator.random(200) < 0.9).astype(float)
    same = best.copy()
    same[:3] = 1 - same[:3]
    worse = best * (generator.random(200) < 0.6)
    found = compare_rows(np.column_stack([worse, best, same]))
    assert found.best in (1, 2)
    assert found.ruled_out == (True, False, False)
    assert found.p_best[0] == 0.0
    assert sum(found.p_best) == pytest.approx(1.0)
    assert found.against_best[0].high < 0


def test_equal_rows_share_the_chance_of_being_best():
    values = np.random.default_rng(2).random(30)
    found = compare_rows(np.column_stack([values, values]))
    assert found.p_best == (0.5, 0.5)
    assert found.detectable is None
    assert found.questions_for == {}


def test_smallest_detectable_difference_by_formula():
    a = np.zeros(100)
    b = np.tile([0.0, 1.0], 50)
    found = compare_rows(np.column_stack([a, b]))
    spread = np.std(b, ddof=1)
    z = 1.959964 + 0.841621
    assert found.detectable == pytest.approx(z * spread / 10, rel=1e-5)
    assert found.questions_for[0.05] == math.ceil((z * spread / 0.05) ** 2)
    assert min(found.questions_for.values()) > 100


def test_few_questions_never_claim_to_detect_what_six_changes_cannot_show():
    """Two rows that part on one question of eight: a small spread is not a fine instrument."""
    values = np.ones((8, 2))
    values[0, 1] = 0.9
    comparison = compare_rows(values)
    assert comparison.detectable == pytest.approx(6 / 8)
    assert comparison.questions_for == {0.1: 60, 0.05: 120, 0.02: 300}
