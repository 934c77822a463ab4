"""The form of settings: reasons beside fields, what is not used, words on the focused one."""

from dataclasses import replace

from inspector_driver import A, Driver, Start
from textual.widgets import Input

SMALL = (80, 24)


def field(driver: Driver, name: str) -> Input:
    return driver.app.screen.query_one(f"#{name}", Input)


async def enter(driver: Driver, name: str) -> Input:
    await driver.press("s")
    found = field(driver, name)
    found.focus()
    await driver.pilot.pause()
    return found


async def test_every_reason_is_visible_on_a_small_screen(start: Start) -> None:
    wrong = {
        "splitter-size-A": ("0", "A: size: 0 is not a whole number from 1 up"),
        "splitter-overlap-B": ("10%9", "B: overlap: 10%9 is neither a number nor a share"),
        "splitter-separators-A": ('["a', "A: separators: begins like a JSON list"),
        "retriever-k-A": ("5,5", "A: k: 5 stands there twice"),
        "enrich-heading-pattern-A": ("(", "A: heading"),
        "retriever-budget-B": ("x", "B: budget: x is not a whole number from 0 up"),
        "retriever-words-A": ("(", "A: words: "),
    }
    prefix = replace(A.enrich, prefix="headings")
    async with start(size=SMALL, a=replace(A, enrich=prefix)) as driver:
        await driver.press("s")
        for name, (text, reason) in wrong.items():
            typed = field(driver, name)
            typed.focus()
            before = dict(driver.session.configurations)
            typed.value = text
            await driver.pilot.pause()
            await driver.pilot.pause()
            assert reason in driver.words("#settings"), name
            assert driver.session.configurations == before, name
            await driver.press("down")
            assert reason not in driver.words("#settings"), name
            assert typed.value != text, name


async def test_bad_text_goes_when_the_field_is_left(start: Start) -> None:
    async with start() as driver:
        await driver.press("s")
        await driver.type("x")
        assert "size: 40x is not" in driver.words("#settings")
        await driver.press("escape")
        assert field(driver, "splitter-size-A").value == "40"
        assert "is not a whole" not in driver.words("#settings")


async def test_what_the_splitter_does_not_use_is_crossed_out_and_skipped(start: Start) -> None:
    words = replace(A, splitter=replace(A.splitter, kind="words", unit="words", size=9))
    async with start(a=words) as driver:
        separators = field(driver, "splitter-separators-A")
        assert (separators.value, separators.disabled) == ("–", True)
        assert not field(driver, "splitter-separators-B").disabled
        assert "separators" in driver.words("#settings")
        assert not driver.app.screen.query_one("#splitter-embedder-A").parent.display
        driver.main.change("B", words)
        await driver.settle()
        assert "separators" not in driver.words("#settings")
        await driver.press("u")
        await driver.press("s", "down", "down", "down")
        assert driver.app.focused is driver.app.screen.query_one("#retriever-kind-A")
        await driver.press("escape", "t", "p", "p")
        assert field(driver, "splitter-separators-A").value == "↵↵|↵|.␣|␣|"
        assert not separators.disabled


async def test_the_focused_field_has_a_word_on_it(start: Start) -> None:
    overlap = replace(A, splitter=replace(A.splitter, size=60, overlap=3))
    async with start(size=SMALL, a=overlap) as driver:
        await enter(driver, "splitter-overlap-A")
        assert "A: 3 characters asked for, and it does nothing" in driver.words("#setting-hint")
        await driver.press("down", "down")
        assert "gpt2" in driver.words("#setting-hint")
        await driver.press("escape")
        assert driver.words("#setting-hint") == ""


async def test_a_kind_is_picked_from_the_list(start: Start) -> None:
    async with start(size=SMALL) as driver:
        await driver.press("s", "up", "enter")
        assert driver.app.screen.query("#pick")
        await driver.type("rust")
        assert driver.words("#pick").count("code:") == 1
        await driver.pilot.press("enter")
        await driver.settle()
        assert driver.session.configurations["A"].splitter.kind == "code:rust"
        await driver.press("enter", "escape")
        assert driver.session.configurations["A"].splitter.kind == "code:rust"
        assert not driver.app.screen.query("#pick")


async def test_leaving_sentences_leaves_their_unit(start: Start) -> None:
    sentence = replace(A, splitter=replace(A.splitter, kind="sentence", unit="sentences", size=2))
    async with start(a=sentence) as driver:
        await driver.press("t", "p", "p")
        assert driver.session.configurations["A"].splitter.unit == "tokens"
