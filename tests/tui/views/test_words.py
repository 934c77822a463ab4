"""Numbers in words, and names that keep what tells them apart."""

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from chunkscope.evaluation.statistics import Difference, McNemar
from chunkscope.tui.literal import fitted_middle
from chunkscope.tui.views.comparison import hits_text, recall_text
from chunkscope.tui.views.diagnosis import mend_sentence
from chunkscope.tui.views.metrics import difference_of


def compared(gained: int, lost: int, p: float) -> SimpleNamespace:
    return SimpleNamespace(hits=McNemar(gained, lost, p))


@pytest.mark.parametrize(
    ("hits", "said"),
    [
        ((0, 0, 1.0), "hits: 0 won, 0 lost"),
        ((2, 1, 1.0), "hits: 2 won, 1 lost, p 1.000 (noise: chance does as much)"),
        ((19, 5, 0.0066), "hits: 19 won, 5 lost, p 0.007 (beyond chance)"),
        ((60, 0, 1e-12), "hits: 60 won, 0 lost, p < 0.001 (beyond chance)"),
        ((9, 1, 0.0215), "hits: 9 won, 1 lost, p 0.021 (beyond chance)"),
    ],
)
def test_hits_say_whether_they_are_chance(hits: tuple[int, int, float], said: str) -> None:
    assert hits_text(compared(*hits)) == said


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        (
            Difference(0.1, 0.05, 0.15, noise=False),
            "recall +0.100 (+0.050 to +0.150), beyond noise",
        ),
        (
            Difference(-0.1, -0.25, 0.05, noise=True),
            "recall −0.100 (−0.250 to +0.050), noise: the interval holds 0",
        ),
        (
            Difference(0.0, -0.01, 0.01, noise=True, equivalent=True),
            "recall +0.000 (−0.010 to +0.010), as good as the same",
        ),
    ],
)
def test_recall_says_whether_it_is_noise(difference: Difference, said: str) -> None:
    assert recall_text(difference) == said


@pytest.mark.parametrize(
    ("name", "difference", "said"),
    [
        ("recall", Difference(0.0, 0.0, 0.0, noise=True), ("=", "dim")),
        ("recall", Difference(0.12, 0.02, 0.22, noise=False), ("+0.12 ±0.10", "good")),
        ("split_rate", Difference(0.12, 0.02, 0.22, noise=False), ("+0.12 ±0.10", "bad")),
        ("recall", Difference(-0.004, -0.01, 0.002, noise=True), ("−0.004 noise", "dim")),
        ("context_tokens", Difference(-80.4, -90, -70, noise=False), ("−80 ±10", "good")),
        (
            "recall",
            Difference(1.0, float("-inf"), float("inf"), noise=True),
            ("+1.00 n=1", "dim"),
        ),
    ],
)
def test_a_difference_in_words(name: str, difference: Difference, said: tuple[str, str]) -> None:
    assert difference_of(name, difference) == said


def mend(change: str, after: float, won: int, lost: list[str]) -> SimpleNamespace:
    return SimpleNamespace(
        change=change, context_before=100.0, context_after=after, won=("w",) * won, lost=lost
    )


def test_a_mend_says_what_it_breaks_and_what_breaks_less() -> None:
    cheap, kind = mend("size 256 → 64", 40, 0, list("abcde")), mend("k 5 → 9", 180, 2, [])
    assert mend_sentence([cheap, kind], "missed") == (
        "B is size 256 → 64 now: a hit, 40 (−60) tokens sent; it breaks 5 (a, b, c and 2 more); "
        "k 5 → 9 breaks none, at 180 (+80) tokens; 2 in all: 5; u gives back the B before"
    )
    assert mend_sentence([kind], "missed") == (
        "B is k 5 → 9 now: a hit, 180 (+80) tokens sent, wins 2 others; it breaks no other "
        "question; 1 in all: 5; u gives back the B before"
    )


def test_both_ends_of_a_name_are_kept() -> None:
    assert fitted_middle("notices-2026-02.txt", 12) == "notice…2.txt"
    assert fitted_middle("short", 8) == "short   "
    assert fitted_middle("a long name", 5) == "a lo…"


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab港灯é́ 🙂"), max_size=30), st.integers(0, 30))
def test_a_fitted_name_has_exactly_its_width(text: str, width: int) -> None:
    assert cell_len(fitted_middle(text, width)) == width
