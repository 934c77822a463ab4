"""A baseline: A's numbers pinned, later ones shown against them, kept between two runs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from inspector_driver import A, Start

from chunkscope.tui.baseline import from_mapping, to_mapping
from chunkscope.tui.remembered import leaving, recall, remember
from chunkscope.tui.views.summary import summary


async def test_later_numbers_are_shown_against_the_pinned_ones(start: Start) -> None:
    async with start(size=(200, 60)) as driver:
        session = driver.session
        pinned = session.numbers.evaluations["A"]
        await driver.press("0")
        assert "P: recursive 40/0 pinned" in driver.lines("#metrics")[0]
        assert driver.lines("#metrics")[1].split()[1:6] == ["P", "A", "B", "A−P", "B−P"]
        await driver.press(*"llllllll")
        now = session.numbers.evaluations["A"]
        assert now.configuration.splitter.size == 96
        expected = now.metrics["recall"] - pinned.metrics["recall"]
        assert expected > 0
        assert session.numbers.against["A"]["recall"].mean == pytest.approx(expected)
        other = session.numbers.evaluations["B"].metrics["recall"] - pinned.metrics["recall"]
        assert session.numbers.against["B"]["recall"].mean == pytest.approx(other)
        line = next(text for text in driver.lines("#metrics") if " recall " in text)
        cells = line.strip("│ ").split()
        assert cells[1:3] == [f"{pinned.metrics['recall']:.3f}", f"{now.metrics['recall']:.3f}"]
        assert cells[4:6] == ["+0.50", "noise"]
        assert "against the baseline" in driver.text("#question")
        await driver.press("0")
        assert session.baseline is None
        assert "baseline" not in driver.text("#question")
        assert "Δ B−A" in driver.text("#metrics")


async def test_noise_is_half_the_interval_of_the_paired_difference(start: Start) -> None:
    async with start() as driver:
        session = driver.session
        before = session.numbers.evaluations["A"]
        await driver.press("0", *"llllllll")
        now = session.numbers.evaluations["A"]
        from chunkscope.evaluation.statistics import paired_difference

        for name in ("recall", "context_tokens", "mrr"):
            oracle = paired_difference(before, now, name)
            assert session.numbers.against["A"][name] == oracle


async def test_a_small_screen_says_how_far_recall_is(start: Start) -> None:
    async with start(size=(80, 24)) as driver:
        await driver.press("0", *"llllllll")
        assert "(P +0.50 noise)" in driver.text("#variant-A")
        assert "tok" in driver.text("#variant-A")


async def test_a_baseline_needs_a_measured_question(start: Start) -> None:
    async with start(golden=False) as driver:
        await driver.press("t", "f")
        assert driver.session.baseline is None
        assert "a baseline needs measured questions" in driver.toasts()[-1]


async def test_another_k_and_other_questions_are_said(start: Start) -> None:
    async with start() as driver:
        session = driver.session
        await driver.press("0")
        driver.main.change("A", replace(A, retriever=replace(A.retriever, k=(3,))))
        await driver.settle()
        driver.main.choose_question(0)
        await driver.press("t", "x")
        said = " ".join(str(line) for line in driver.lines("#settings"))
        warnings = driver.main.query_one("#warnings").content
        assert "baseline: pinned with k 2, which is not in use now" in str(warnings)
        assert "baseline: 1 questions are measured in both, of 2 then and 1 now" in str(warnings)
        assert said
        assert len(session.baseline.questions) == 2


async def test_the_summary_has_the_baseline(start: Start) -> None:
    async with start() as driver:
        await driver.press("0", "l")
        text = summary(driver.session, driver.main.opening)
        assert "P is the baseline: recursive 40/0 characters." in text
        assert "| metric | P | A | B | A−P | B−P |" in text


async def test_it_is_kept_in_the_session_file(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "sessions.json"
    async with start() as driver:
        await driver.press("0")
        pinned = driver.session.baseline
        assert remember(file, "k", leaving(driver.session, driver.app.theme))
    found = from_mapping(recall(file, "k").baseline)
    assert found.configuration == A
    assert (found.questions, found.corpus, found.chunks) == (
        pinned.questions,
        pinned.corpus,
        pinned.chunks,
    )
    for name, column in pinned.values.items():
        np.testing.assert_array_equal(found.values[name], column)


@pytest.mark.parametrize(
    "damage",
    [
        {"configuration": {"splitter": {"size": "big"}}},
        {"questions": ["one"]},
        {"values": {"recall": ["x"]}},
        {"metrics": []},
        {"corpus": "f", "chunks": "many"},
    ],
)
async def test_a_damaged_baseline_is_none(start: Start, damage: dict[str, object]) -> None:
    async with start() as driver:
        await driver.press("0")
        mapping = to_mapping(driver.session.baseline)
        assert from_mapping(mapping) is not None
        assert from_mapping({**mapping, **damage}) is None
    assert from_mapping(None) is None
