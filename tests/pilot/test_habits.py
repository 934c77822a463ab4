"""What is kept and noticed: files that change, sessions, keys of one's own."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from inspector_driver import HARBOUR, A, B, Start

from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.keymap import KEYS, TOOLS
from chunkscope.tui.remembered import Remembered, leaving, recall, remember, session_key
from chunkscope.tui.screens.main.base import Options
from chunkscope.tui.userkeys import read_user_keys, remapped

PLAIN = (*KEYS, *TOOLS)


def keys_of(keys, name: str) -> str:
    return next(key.keys for key in keys if key.id == name)


async def test_a_changed_document_is_read_again_with_the_place_kept(
    start: Start, corpus_folder: Path
) -> None:
    async with start() as driver:
        driver.main.choose_question(0)
        view = driver.main.document_view
        view.focus()
        view.scroll_to_offset(HARBOUR.index("## Fees"))
        offset = view.cursor_offset
        new = HARBOUR.replace("nine metres", "ten metres!") + "\nNew line.\n"
        (corpus_folder / "harbour.md").write_text(new, encoding="utf-8", newline="")
        driver.main.check_files()
        await driver.until(lambda: driver.session.open_document.text == new)
        await driver.settle()
        assert "harbour.md changed on the disk" in " ".join(driver.toasts())
        assert "stands nowhere" in driver.toasts()[-1]
        assert view.cursor_offset == offset
        assert driver.session.question == 0
        assert driver.session.result("A").verdict == "unmeasured"
        assert view.page.text == new


async def test_nothing_is_read_again_where_nothing_changed(start: Start) -> None:
    async with start() as driver:
        corpus = driver.session.corpus
        driver.main.check_files()
        await driver.pilot.pause()
        assert driver.session.corpus is corpus


async def test_reload_keeps_questions_that_are_not_written(
    start: Start, corpus_folder: Path
) -> None:
    evidence = ("Pilots board at the outer buoy.",)
    async with start(golden=False, question="Where?", evidence=evidence) as driver:
        (corpus_folder / "harbour.md").write_text("> " + HARBOUR, encoding="utf-8", newline="")
        await driver.press("t", "l")
        await driver.until(lambda: driver.session.open_document.text.startswith("> "))
        await driver.settle()
        (asked,) = driver.session.asked
        assert asked.items[0].places[0].span.start == HARBOUR.index("Pilots") + 2


async def test_own_writing_is_not_noticed_as_a_change(start: Start) -> None:
    async with start() as driver:
        driver.main.choose_question(1)
        await driver.press("t", "x")
        corpus = driver.session.corpus
        driver.main.check_files()
        await driver.pilot.pause()
        assert driver.session.corpus is corpus


async def test_a_session_is_taken_up_again(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "state" / "sessions.json"
    async with start() as driver:
        await driver.press("l", "v", "5")
        driver.main.choose_question(1)
        driver.main.document_view.scroll_to_offset(30)
        await driver.pilot.pause()
        key = session_key(driver.session.paths, driver.session.golden_path)
        assert remember(file, key, leaving(driver.session, driver.app.theme))
        changed = dict(driver.session.configurations)
    left = recall(file, key)
    options = Options(left=left, restore_settings=True)
    async with start(options=options) as driver:
        session = driver.session
        assert session.configurations == changed
        assert (session.document, session.question, session.shown) == (1, 1, "B")
        assert driver.main.document_view.cursor_offset == 30
        assert "A and B are as you left them" in " ".join(driver.toasts())
        await driver.press("u")
        assert session.configurations == {"A": A, "B": B}
    async with start(options=replace(options, restore_settings=False)) as driver:
        assert driver.session.configurations == {"A": A, "B": B}
        assert driver.session.document == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"version": 9, "sessions": {}}',
        b'{"version": 1, "sessions": 3}',
        b'{"version": 1, "sessions": {"k": {"a": 1}}}',
        b"[" * 100_000,
    ],
)
def test_a_state_file_of_no_use_is_tolerated(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "sessions.json"
    file.write_bytes(content)
    assert recall(file, "k") is None
    mapping = Configuration().to_mapping()
    session = Remembered(mapping, mapping, "a.md", 3, "", "questions", "A", "chunkscope-dark")
    assert remember(file, "k", session)
    assert recall(file, "k") == session


def test_settings_of_another_version_are_left() -> None:
    session = Remembered({"splitter": {"size": "big"}}, {}, "", 0, "", "", "A", "")
    assert session.configurations() is None


def test_only_the_newest_sessions_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "sessions.json"
    mapping = Configuration().to_mapping()
    session = Remembered(mapping, mapping, "a.md", 3, "", "questions", "A", "chunkscope-dark")
    for number in range(60):
        remember(file, f"k{number}", session)
    assert len(json.loads(file.read_text())["sessions"]) == 50
    assert recall(file, "k9") is None
    assert recall(file, "k59") == session


def test_keys_are_remapped_and_clashes_named() -> None:
    made, problems = remapped(PLAIN, {"find": ["/", "ctrl+f"], "swap": "ctrl+s"}, "keys.toml")
    assert keys_of(made, "find") == "slash,ctrl+f"
    assert keys_of(made, "swap") == "ctrl+s"
    assert problems == ()
    made, problems = remapped(PLAIN, {"find": "g", "nothing": "x", "ask": 3}, "keys.toml")
    assert keys_of(made, "find") == keys_of(PLAIN, "find")
    assert sorted(problems) == [
        "keys.toml: ask: give a key, or a list of keys",
        "keys.toml: find: g is the key of goto already; left as it was",
        "keys.toml: nothing is no action; the help names them",
    ]


def test_ways_out_cannot_be_taken() -> None:
    made, problems = remapped(PLAIN, {"find": "escape", "swap": ["N"]}, "keys.toml")
    assert keys_of(made, "find") == keys_of(PLAIN, "find")
    assert keys_of(made, "swap") == keys_of(PLAIN, "swap")
    assert problems == (
        "keys.toml: find: Escape, N and Ctrl+Q are fixed; left as it was",
        "keys.toml: swap: Escape, N and Ctrl+Q are fixed; left as it was",
    )


def test_no_key_and_no_letter_of_the_menu_is_given_twice() -> None:
    keys = [key for action in PLAIN for key in action.keys.split(",") if key]
    assert len(keys) == len(set(keys))
    letters = [action.letter for action in TOOLS]
    assert len(letters) == len(set(letters))


def test_two_actions_may_exchange_keys() -> None:
    made, problems = remapped(PLAIN, {"find": "g", "goto": "f"}, "keys.toml")
    assert (keys_of(made, "find"), keys_of(made, "goto")) == ("g", "f")
    assert problems == ()


def test_a_keys_file_of_no_use_is_named(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    assert read_user_keys(file) == (PLAIN, ())
    file.write_text("[keys", encoding="utf-8")
    keys, problems = read_user_keys(file)
    assert keys == PLAIN
    assert problems[0].startswith(f"{file}: not used: ")


async def test_remapped_keys_work_and_are_shown(start: Start) -> None:
    keys, problems = remapped(PLAIN, {"size-up": "8", "swap": "ctrl+s", "goto": "l"}, "keys.toml")
    assert problems == ()
    async with start(options=Options(keys=keys)) as driver:
        await driver.press("8")
        assert driver.session.configurations["A"].splitter.size == 44
        assert "8 size +" in driver.text("#keys")
        await driver.press("l")
        assert driver.app.screen.query("#goto")
        await driver.press("escape", "ctrl+s")
        assert driver.session.configurations["B"].splitter.size == 44
        await driver.press("h")
        assert "Make the chunks of the active variant larger." in driver.words("#help")
