"""The menu of tools, undo, variants as wholes, boundary differences, the place line, back."""

from pathlib import Path
from string import ascii_lowercase

import pytest
from inspector_driver import HARBOUR, LIGHTS, A, B, Start, list_files, read_text

from chunkscope.golden.reading import read_golden
from chunkscope.splitting.boundary import boundary_reason
from chunkscope.text.spans import Span
from chunkscope.tui.keymap import KEYS, TOOLS
from chunkscope.tui.presets import language_of
from chunkscope.tui.screens.main.placing import editor_command
from chunkscope.tui.views.place import boundary_differences


def test_no_two_actions_share_a_key() -> None:
    direct = [key for each in (*KEYS, *TOOLS) if each.keys for key in each.keys.split(",")]
    assert len(direct) == len(set(direct))
    letters = [tool.letter for tool in TOOLS]
    assert len(letters) == len(set(letters))
    # Every letter but that of leaving is taken: what came last has a digit, and the palette.
    assert set(letters) - set(ascii_lowercase) == {"9"}
    assert not {"q"} & set(letters)


async def test_the_menu_names_every_tool(start: Start) -> None:
    async with start(size=(80, 24)) as driver:
        await driver.press("t")
        shown = driver.words("#menu")
        await driver.press("end")
        shown += driver.words("#menu")
        for tool in TOOLS:
            assert tool.help[:24] in shown
        await driver.press("escape")
        assert driver.app.screen is driver.main


async def test_settings_are_undone_and_done_again(start: Start) -> None:
    async with start() as driver:
        await driver.press("l", "l", "v", "k")
        changed = dict(driver.session.configurations)
        await driver.press("u", "u")
        assert driver.session.configurations["A"].splitter.size == 44
        assert driver.session.configurations["B"] == B
        assert "44" in driver.text("#settings")
        await driver.press("t", "r", "t", "r")
        assert driver.session.configurations == changed
        await driver.press("t", "r")
        assert "there is nothing to do again" in driver.toasts()[-1]


async def test_swap_and_copy(start: Start) -> None:
    async with start() as driver:
        await driver.press("t", "s")
        assert driver.session.configurations == {"A": B, "B": A}
        assert driver.text("#question").index("80/0") < driver.text("#question").index("40/0")
        await driver.press("t", "c")
        assert driver.session.configurations == {"A": B, "B": B}
        await driver.press("u", "u")
        assert driver.session.configurations == {"A": A, "B": B}


async def test_presets_set_the_active_variant(start: Start) -> None:
    async with start() as driver:
        await driver.press("t", "p", "j")
        assert "。" in driver.session.configurations["A"].splitter.separators
        assert driver.session.configurations["A"].splitter.size == 40
        await driver.press("t", "p", "m")
        assert driver.session.configurations["A"].splitter.kind == "markdown"
        await driver.press("t", "p", "p")
        assert driver.session.configurations["A"] == A


@pytest.mark.parametrize(
    ("name", "language"), [("a/b.py", "python"), ("x.TS", "ts"), ("noending", "python")]
)
def test_the_language_follows_the_ending(name: str, language: str) -> None:
    assert language_of(name) == language


async def test_boundary_differences_one_by_one(start: Start) -> None:
    async with start() as driver:
        cuts = driver.session.visible_cuts
        alone = sorted(set(cuts["A"].starts.tolist()) ^ set(cuts["B"].starts.tolist()))
        assert boundary_differences(driver.session) == alone
        await driver.press("t", "d")
        assert driver.session.shown == "both"
        assert driver.main.document_view.cursor_offset == alone[0]
        side = "A" if alone[0] in cuts["A"].starts else "B"
        assert (
            f"difference 1 of {len(alone)}: a chunk begins here in {side} alone"
            in (driver.toasts()[-1])
        )
        await driver.press("right_square_bracket")
        assert driver.main.document_view.cursor_offset == alone[1]
        await driver.press("left_square_bracket", "t", "a")
        assert driver.main.document_view.cursor_offset == alone[-1]


async def test_the_place_line_names_chunk_section_and_boundary(start: Start) -> None:
    async with start(size=(200, 60)) as driver:
        driver.main.document_view.scroll_to_offset(HARBOUR.index("The largest"))
        await driver.pilot.pause()
        said = driver.words("#place")
        chunk = driver.main.document_view.cursor_chunk
        cuts = driver.session.visible_cuts["A"]
        assert "§ Harbour rules › Limits" in said
        assert f"A: chunk {chunk} of {len(cuts)}" in said
        assert "tokens" in said
        reason = boundary_reason(HARBOUR, cuts, chunk, A.splitter)
        assert f"begins here: {reason}" in said


async def test_one_line_is_enough_on_a_small_screen(start: Start) -> None:
    async with start(size=(80, 24)) as driver:
        await driver.press("down")
        assert "harbour.md:2 · A: in no chunk" in driver.text("#place")
        assert len(driver.lines("#place")) == 1


async def test_back_to_where_one_was(start: Start) -> None:
    async with start() as driver:
        await driver.press("down", "down")
        before = driver.main.document_view.cursor_offset
        driver.main.choose_question(1)
        await driver.settle()
        assert driver.session.document == 1
        await driver.press("t", "b")
        assert driver.session.document == 0
        assert driver.main.document_view.cursor_offset == before
        await driver.press("backspace")
        assert "there is nowhere to go back to" in driver.toasts()[-1]


async def test_a_won_chunk_opens_and_one_key_goes_back(start: Start) -> None:
    async with start() as driver:
        await driver.press("x")
        place = driver.main.document_view.cursor_offset
        rows = driver.session.result("A").retrieved
        chunks = driver.session.numbers.evaluations["A"].chunks
        await driver.press("2", "enter")
        document, _index = chunks.locate(rows[0].chunk)
        assert driver.session.document == document
        assert driver.main.document_view.cursor_offset == chunks.starts[rows[0].chunk]
        await driver.press("backspace")
        assert (driver.session.document, driver.main.document_view.cursor_offset) == (0, place)


async def test_evidence_from_a_selection_made_by_keys(start: Start, corpus_folder: Path) -> None:
    golden = corpus_folder.parent / "golden.jsonl"
    before = read_text(golden)
    async with start() as driver:
        driver.main.choose_question(1)
        view = driver.main.document_view
        view.focus()
        view.scroll_to_offset(0)
        await driver.press("t", "m", *["right"] * 4)
        assert view.selected_text == "Lamp"
        await driver.press("t", "n")
        question = driver.session.questions[1].question
        assert [item.text for item in question.evidence] == ["The tower has ninety steps.", "Lamp"]
        assert read_golden(golden).questions[1].evidence[1].start == 0
        assert "changed: How many steps has the tower?" in driver.toasts()[-1]
        await driver.press("u")
        assert read_text(golden) == before
        assert len(driver.session.questions[1].question.evidence) == 1
        await driver.press("t", "r")
        assert len(read_golden(golden).questions[1].evidence) == 2


async def test_an_alternative_serves_as_well(start: Start, corpus_folder: Path) -> None:
    async with start() as driver:
        driver.main.choose_question(2)
        assert driver.session.result("A").verdict == "unmeasured"
        view = driver.main.document_view
        view.select(Span(0, 23))
        await driver.press("t", "o")
        evidence = read_golden(corpus_folder.parent / "golden.jsonl").questions[2].evidence
        assert [other.text for other in evidence[0].alternatives] == [LIGHTS[:23]]
        assert driver.session.result("A").verdict != "unmeasured"


async def test_a_deleted_question_comes_back(start: Start, corpus_folder: Path) -> None:
    golden = corpus_folder.parent / "golden.jsonl"
    before = read_text(golden)
    async with start() as driver:
        driver.main.choose_question(1)
        await driver.press("t", "x")
        assert [q.question.id for q in driver.session.questions] == ["draught", "moon"]
        assert "How many steps" not in read_text(golden)
        assert "How many steps" not in driver.text("#questions")
        await driver.press("u")
        assert read_text(golden) == before
        assert "How many steps" in driver.text("#questions")


async def test_a_screenshot_is_saved_under_a_free_name(start: Start) -> None:
    async with start() as driver:
        await driver.press("t", "i", "t", "i")
        assert list_files() == ["chunkscope-2.svg", "chunkscope.svg"]
        assert read_text("chunkscope.svg").startswith("<svg")


async def test_panels_grow_and_shrink(start: Start) -> None:
    async with start() as driver:
        bottom = driver.app.screen.query_one("#bottom")
        before = bottom.outer_size.height
        await driver.press("t", "k")
        assert bottom.outer_size.height == before + 2
        await driver.press(*["ctrl+down"] * 20)
        assert bottom.outer_size.height == 4


async def test_long_lines_run_on_by_one_tool(start: Start) -> None:
    async with start() as driver:
        await driver.press("t", "w")
        assert not driver.main.document_view.wrap
        assert "long lines run on" in driver.toasts()[-1]


async def test_an_editor_must_be_named(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    async with start() as driver:
        await driver.press("t", "e")
        assert "no editor is named" in driver.toasts()[-1]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("vi", ["vi", "+7", "a b.md"]),
        ("/usr/bin/nano -w", ["/usr/bin/nano", "-w", "+7", "a b.md"]),
        ("code", ["code", "--wait", "--goto", "a b.md:7"]),
        ("hx", ["hx", "a b.md:7"]),
    ],
)
def test_editors_open_at_the_line(command: str, words: list[str]) -> None:
    assert editor_command(command, Path("a b.md"), 7) == words


async def test_the_prefix_is_a_setting(start: Start) -> None:
    async with start(size=(200, 60)) as driver:
        field = driver.app.screen.query_one("#enrich-prefix-A")
        field.focus()
        await driver.press("right", "right")
        assert driver.session.configurations["A"].enrich.prefix == "headings"
        assert "prefix" in driver.text("#settings")
        indexed = driver.session.chunk_sets["A"].indexed_text(1)
        assert indexed.startswith("Harbour rules")
