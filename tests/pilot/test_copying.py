"""Copies of a part of the screen: to the clipboard, and into a file when asked."""

from pathlib import Path

from inspector_driver import HARBOUR, Start, list_files, read_text

from chunkscope.tui.screens.main.copying import COPY_FILE


async def test_the_chunk_under_the_cursor(start: Start) -> None:
    async with start() as driver:
        view = driver.main.document_view
        view.scroll_to_offset(HARBOUR.index("The largest"))
        await driver.press("t", "y", "c")
        index = view.cursor_chunk
        cuts = driver.session.visible_cuts["A"]
        expected = HARBOUR[int(cuts.starts[index]) : int(cuts.ends[index])]
        assert driver.app.clipboard == expected
        assert f"copied: chunk {index} of harbour.md in A (recursive 40/0" in driver.toasts()[-1]


async def test_the_selection(start: Start) -> None:
    async with start() as driver:
        await driver.press("t", "y", "s")
        assert "nothing is selected" in driver.toasts()[-1]
        view = driver.main.document_view
        view.focus()
        view.scroll_to_offset(2)
        view.begin_selection()
        view.scroll_to_offset(9)
        await driver.press("t", "y", "s")
        assert driver.app.clipboard == "Harbour"
        assert "copied: the selection, 7 characters" in driver.toasts()[-1]


async def test_the_chosen_question_with_its_verdicts(start: Start) -> None:
    async with start() as driver:
        driver.main.choose_question(0)
        await driver.press("t", "y", "n")
        text = driver.app.clipboard
        assert text.startswith("**What is the largest draught?**\n\n> The largest draught is nine")
        span = driver.session.questions[0].items[0].places[0].span
        assert f"— harbour.md {span.start}–{span.end}\n" in text
        result = driver.session.result("B")
        assert f"- B (recursive 80/0 characters): {result.verdict}" in text


async def test_the_table_that_is_shown(start: Start) -> None:
    async with start() as driver:
        await driver.press("t", "y", "t")
        lines = driver.app.clipboard.split("\n")
        assert lines[0].split("\t") == ["no.", "A", "rank", "B", "rank", "A → B", "question"]
        assert len(lines) == 1 + 3 + 1
        assert lines[2].split("\t")[6] == "How many steps has the tower?"
        driver.main.query_one("#metrics").focus()
        await driver.press("t", "y", "t")
        recall = driver.session.numbers.evaluations["A"].metrics["recall"]
        assert f"recall\t{recall:.3f}\t" in driver.app.clipboard


async def test_the_last_copy_goes_into_a_file(start: Start) -> None:
    async with start() as driver:
        await driver.press("t", "y", "f")
        assert "nothing was copied yet" in driver.toasts()[-1]
        assert list_files() == []
        await driver.press("t", "y", "c", "t", "y", "f")
        assert read_text(COPY_FILE) == driver.app.clipboard
        assert driver.app.clipboard


async def test_raw_characters_are_copied_and_shown_as_marks(
    start: Start, corpus_folder: Path
) -> None:
    (corpus_folder / "harbour.md").write_text("a\x1b[31mb \u202ec\n", encoding="utf-8")
    async with start(golden=False) as driver:
        await driver.press("t", "y", "c")
        assert driver.app.clipboard == "a\x1b[31mb \u202ec"
        await driver.press("t", "y", "f")
        assert read_text(COPY_FILE) == "a\x1b[31mb \u202ec"
