"""Keys and fields that change a configuration: the cuts and the numbers follow."""

from dataclasses import replace

import pytest
from inspector_driver import A, Driver, Start


def chunk_rows(driver: Driver) -> list[str]:
    return [line for line in driver.lines("#chunks")[1:] if line.strip()]


async def test_larger_and_smaller_chunks_by_one_key_each(start: Start) -> None:
    async with start() as driver:
        before = len(driver.session.visible_cuts["A"])
        await driver.press("l")
        assert driver.session.configurations["A"].splitter.size == 44
        await driver.press(*"kkkkkk")
        assert driver.session.configurations["A"].splitter.size == 20
        after = driver.session.visible_cuts["A"]
        assert len(after) > before
        lengths = after.ends - after.starts
        assert int(lengths.max()) <= 20
        await driver.press("4")
        assert len(chunk_rows(driver)) == min(len(after), 9)
        assert f"A {len(after)} " in driver.lines("#document-frame")[0]


async def test_keys_change_the_variant_that_is_drawn(start: Start) -> None:
    async with start() as driver:
        await driver.press("v", "l")
        assert driver.session.configurations["A"].splitter.size == 40
        assert driver.session.configurations["B"].splitter.size == 96
        await driver.press("v", "l")
        assert driver.session.shown == "both"
        assert driver.session.configurations["B"].splitter.size == 112
        await driver.press("v", "k")
        assert driver.session.configurations["A"].splitter.size == 36


@pytest.mark.parametrize("key", ["plus", "equals_sign", "full_stop"])
async def test_other_keys_for_a_larger_size(start: Start, key: str) -> None:
    async with start() as driver:
        await driver.press(key)
        assert driver.session.configurations["A"].splitter.size == 44


async def test_overlap_steps_and_what_it_really_gives(start: Start) -> None:
    async with start() as driver:
        await driver.press("p", "p", "p", "p")
        assert driver.session.configurations["A"].splitter.overlap == 8
        await driver.press("o")
        assert driver.session.configurations["A"].splitter.overlap == 6


async def test_a_percentage_steps_by_five_points(start: Start) -> None:
    splitter = replace(A.splitter, overlap="10%")
    async with start(a=replace(A, splitter=splitter)) as driver:
        await driver.press("p")
        assert driver.session.configurations["A"].splitter.overlap == "15%"
        await driver.press("o", "o", "o", "o")
        assert driver.session.configurations["A"].splitter.overlap == "0%"


async def test_a_step_that_cannot_be_is_refused_beside_the_field(start: Start) -> None:
    async with start(a=replace(A, splitter=replace(A.splitter, overlap=39))) as driver:
        await driver.press("k")
        assert driver.session.configurations["A"].splitter.size == 40
        reason = "A: size: 36 would not hold the overlap 39; lower it first (o)"
        assert reason in driver.words("#settings")


async def test_typing_a_size_recuts_at_once(start: Start) -> None:
    async with start() as driver:
        await driver.press("s")
        assert driver.app.focused is driver.app.screen.query_one("#splitter-size-A")
        await driver.press("backspace", "backspace", "6", "0")
        assert driver.session.configurations["A"].splitter.size == 60
        assert "60" in driver.text("#settings")
        await driver.press("escape")
        assert driver.app.focused is driver.main.document_view


async def test_a_wrong_value_says_why_and_changes_nothing(start: Start) -> None:
    async with start() as driver:
        await driver.press("s", "down")
        await driver.type("99")
        await driver.settle()
        assert driver.session.configurations["A"].splitter.overlap == 9
        assert "A: overlap: 99 must be under the size 40" in driver.words("#settings")
        await driver.press("backspace", "backspace", "7")
        assert driver.session.configurations["A"].splitter.overlap == 7
        assert "must be under" not in driver.text("#settings")


async def test_a_choice_steps_by_arrow(start: Start) -> None:
    async with start() as driver:
        await driver.press("s", "up", "right")
        assert driver.session.configurations["A"].splitter.kind != "recursive"
        await driver.press("left")
        assert driver.session.configurations["A"].splitter.kind == "recursive"


async def test_words_bring_their_unit(start: Start) -> None:
    async with start() as driver:
        await driver.press("s", "up")
        field = driver.app.focused
        while field.value != "words":
            await driver.press("right")
        assert driver.session.configurations["A"].splitter.unit == "words"
        await driver.press("right")
        assert driver.session.configurations["A"].splitter.kind == "sentence"
        assert driver.session.configurations["A"].splitter.unit == "tokens"


async def test_separators_are_shown_and_read_back(start: Start) -> None:
    async with start() as driver:
        assert "↵↵|↵|.␣|␣|" in driver.text("#settings")
        field = driver.app.screen.query_one("#splitter-separators-A")
        field.focus()
        field.value = "\\n\\n|#|"
        await driver.settle()
        separators = driver.session.configurations["A"].splitter.separators
        assert separators == ("\n\n", "#", "")


async def test_an_encoding_that_is_not_there_is_refused_and_the_old_cuts_stay(
    start: Start,
) -> None:
    async with start() as driver:
        cuts = driver.session.visible_cuts["A"]
        field = driver.app.screen.query_one("#splitter-encoding-A")
        field.focus()
        field.value = "no_such_encoding"
        await driver.until(lambda: "no_such_encoding" in driver.text("#settings").split("unit")[1])
        await driver.pilot.pause()
        assert driver.session.visible_cuts["A"] is cuts
        assert driver.session.stale


async def test_metrics_follow_with_difference_and_noise(start: Start) -> None:
    async with start() as driver:
        lines = driver.lines("#metrics")
        recall = next(line for line in lines if "recall" in line)
        a = driver.session.numbers.evaluations["A"].metrics["recall"]
        b = driver.session.numbers.evaluations["B"].metrics["recall"]
        assert f"{a:.3f}" in recall
        assert f"{b:.3f}" in recall
        difference = driver.session.numbers.differences["recall"]
        assert difference.mean == pytest.approx(b - a)
        assert ("noise" in recall) == (difference.noise and difference.mean != 0)


async def test_settings_differing_in_two_ways_are_named(start: Start) -> None:
    async with start() as driver:
        assert "no single cause" not in driver.text("#caution")
        await driver.press("p")
        assert "A≠B in size, overlap: no single cause" in driver.text("#caution")
