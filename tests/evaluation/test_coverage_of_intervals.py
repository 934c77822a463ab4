"""How often intervals hold the truth, over 1,000 synthetic sets each; and tests beside scipy's."""

import numpy as np
import pytest

from chunkscope.evaluation.statistics import (
    bootstrap_intervals,
    compare_rows,
    differences,
    mcnemar,
)
from chunkscope.evaluation.statistics_rare import wilson

SETS = 1_000


def yes_or_no(p):
    return lambda rng, shape: (rng.random(shape) < p).astype(float), p


def of_items(p):
    """Recall of questions with one to four evidence items, each found with chance `p`."""

    def draw(rng, shape):
        items = rng.integers(1, 5, shape)
        return rng.binomial(items, p) / items

    return draw, p


def changes(lost, gained):
    """Differences of hits between two configurations."""

    def draw(rng, shape):
        return rng.choice([-1.0, 0.0, 1.0], p=[lost, 1 - lost - gained, gained], size=shape)

    return draw, gained - lost


def coverages(rng, shape):
    """A fifth 0, half 1, the rest between."""
    kind = rng.random(shape)
    return np.where(kind < 0.2, 0.0, np.where(kind < 0.7, 1.0, rng.random(shape)))


def chunks_sent(rng, shape):
    """Tokens of five chunks of skewed sizes."""
    return rng.lognormal(5, 0.4, (5, *shape)).sum(axis=0)


KINDS = {
    "items": of_items(0.7),
    "skewed shares": (lambda rng, shape: rng.beta(2, 1, shape), 2 / 3),
    "coverage": (coverages, 0.65),
    "tokens": (chunks_sent, 5 * float(np.exp(5.08))),
    "hits": yes_or_no(0.8),
    "changes": changes(0.1, 0.15),
}


def share_held(name, questions, interval):
    draw, truth = KINDS[name] if isinstance(name, str) else name
    values = draw(np.random.default_rng(questions), (questions, SETS))
    low, high = interval(values)
    return float(np.mean((low <= truth + 1e-9) & (truth - 1e-9 <= high)))


def of_means(values):
    found = bootstrap_intervals({at: values[:, at].copy() for at in range(values.shape[1])})
    return np.array([found[at] for at in range(values.shape[1])]).T


def of_differences(values):
    found = differences(values)
    return np.array([(one.low, one.high) for one in found]).T


@pytest.mark.parametrize(
    ("name", "questions"),
    [("items", 30), ("skewed shares", 30), ("coverage", 30), ("tokens", 30), ("hits", 100),
     ("items", 100), ("skewed shares", 100), ("coverage", 100), ("tokens", 100), ("hits", 300)],
)  # fmt: skip
def test_intervals_of_means_hold_the_truth_in_93_to_97_of_100_sets(name, questions):
    assert 0.93 <= share_held(name, questions, of_means) <= 0.97


@pytest.mark.parametrize("questions", [50, 100, 300])
def test_intervals_of_differences_hold_the_truth_in_93_to_97_of_100_sets(questions):
    assert 0.93 <= share_held("changes", questions, of_differences) <= 0.97


@pytest.mark.parametrize("p", [0.9, 0.95, 0.98])
@pytest.mark.parametrize("questions", [10, 30, 50])
def test_where_nearly_all_are_hits_intervals_are_rather_too_wide(p, questions):
    """A bootstrap alone holds 41 to 96 of 100: sets without a miss have intervals of no width."""
    assert share_held(yes_or_no(p), questions, of_means) >= 0.93


@pytest.mark.parametrize("questions", [50, 100])
def test_rare_changes_are_held_too(questions):
    assert share_held(changes(0.02, 0.06), questions, of_differences) >= 0.93


@pytest.mark.parametrize("questions", [8, 30, 100])
def test_two_equal_configurations_are_seldom_told_apart(questions):
    """At most 7 of 100 pairs that do not differ are called better or worse."""
    values = changes(0.1, 0.1)[0](np.random.default_rng(questions), (questions, SETS))
    found = differences(values)
    assert np.mean([not one.noise for one in found]) <= 0.07


def test_no_row_of_equals_is_ruled_out_too_often():
    """Five rows, the best picked from the same numbers: at most 5 of 60 sweeps rule one out."""
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(60):
        hits = (rng.random((80, 5)) < 0.7).astype(float)
        wrong += any(compare_rows(hits).ruled_out)
    assert wrong <= 5


def test_all_hits_of_thirty_leave_room_below_and_none_above():
    low, high = bootstrap_intervals({"recall": np.ones(30)})["recall"]
    assert high == 1.0
    assert low == pytest.approx(30 / (30 + 1.959964**2), abs=1e-6)


def test_wilson_by_hand():
    # Agresti and Coull's example: no success of 10 gives 0 to 0.2775.
    low, high = wilson(np.array([0.0]), np.array([10]))
    assert low[0] == pytest.approx(0.0, abs=1e-12)
    assert high[0] == pytest.approx(0.27754, abs=1e-5)


def test_mcnemar_equals_scipys_binomial_test():
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    rng = np.random.default_rng(3)
    for _ in range(60):
        a, b = rng.random((2, 120)) < rng.random((2, 1))
        found = mcnemar(a, b)
        both = found.gained + found.lost
        expected = stats.binomtest(found.gained, both, 0.5).pvalue if both else 1.0
        assert found.p == pytest.approx(expected, rel=1e-12)


def test_wilson_equals_scipys():
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    for count, of in ((0, 8), (3, 10), (29, 30), (472, 472)):
        expected = stats.binomtest(count, of).proportion_ci(method="wilson")
        low, high = wilson(np.array([count / of]), np.array([of]))
        assert (low[0], high[0]) == pytest.approx((expected.low, expected.high), abs=1e-12)
