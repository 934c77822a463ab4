"""Documents, golden set and folders that change on the disk are read again, the place kept."""

from pathlib import Path

from inspector_driver import HARBOUR, LIGHTS, Driver, Start, read_text

from chunkscope.tui.widgets.line_list import LineList

ADDED = "A notice, put in front.\n\n"


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


async def noticed(driver: Driver) -> None:
    """Look at the files, as the clock does, and wait for what follows."""
    before = driver.session.corpus, driver.session.golden
    driver.main.check_files()
    assert driver.main.reloading
    await driver.until(lambda: (driver.session.corpus, driver.session.golden) != before)
    await driver.settle()


async def test_a_document_that_is_not_open_is_noticed(start: Start, corpus_folder: Path) -> None:
    async with start() as driver:
        driver.main.document_view.scroll_to_offset(40)
        write(corpus_folder / "lights.txt", LIGHTS + "More.\n")
        await noticed(driver)
        assert driver.session.corpus.documents[1].text == LIGHTS + "More.\n"
        assert driver.session.open_document.id == "harbour.md"
        assert driver.main.document_view.cursor_offset == 40
        assert "lights.txt changed on the disk" in " ".join(driver.toasts())


async def test_the_place_moves_along_with_its_text(start: Start, corpus_folder: Path) -> None:
    async with start() as driver:
        driver.main.document_view.scroll_to_offset(HARBOUR.index("A berth"))
        write(corpus_folder / "harbour.md", ADDED + HARBOUR)
        await noticed(driver)
        view = driver.main.document_view
        assert view.page.text[view.cursor_offset :].startswith("A berth costs")
        assert "A berth costs" in driver.text("#document")


async def test_a_new_file_and_a_removed_one_are_noticed(start: Start, corpus_folder: Path) -> None:
    async with start() as driver:
        write(corpus_folder / "tides.txt", "High water at noon.\n")
        await noticed(driver)
        assert [d.id for d in driver.session.corpus.documents] == [
            "harbour.md", "lights.txt", "tides.txt",
        ]  # fmt: skip
        assert "1 new" in driver.toasts()[-1]
        assert "tides.txt" in driver.text("#documents")
        (corpus_folder / "tides.txt").unlink()
        await noticed(driver)
        assert "1 gone" in driver.toasts()[-1]
        assert "tides.txt" not in driver.text("#documents")


async def test_the_golden_set_is_noticed_and_chunks_stay(start: Start, corpus_folder: Path) -> None:
    golden = corpus_folder.parent / "golden.jsonl"
    async with start() as driver:
        driver.main.choose_question(1)
        corpus, cuts = driver.session.corpus, driver.session.visible_cuts["A"]
        write(golden, read_text(golden).replace("How many steps has", "How many stairs has"))
        await noticed(driver)
        assert driver.session.corpus is corpus
        assert driver.session.visible_cuts["A"].starts.tolist() == cuts.starts.tolist()
        assert driver.session.question == 1
        assert "How many stairs has the tower?" in driver.text("#questions")


async def test_a_file_only_touched_changes_nothing(start: Start, corpus_folder: Path) -> None:
    async with start() as driver:
        corpus, generation = driver.session.corpus, driver.session.generation
        write(corpus_folder / "lights.txt", LIGHTS)
        driver.main.check_files()
        await driver.until(lambda: not driver.main.reloading)
        assert driver.session.corpus is corpus
        assert driver.session.generation == generation
        assert "nothing changed" in driver.toasts()[-1]


async def test_settings_are_taken_back_across_a_reload(start: Start, corpus_folder: Path) -> None:
    async with start() as driver:
        before = driver.session.configurations["A"]
        await driver.press("l")
        write(corpus_folder / "lights.txt", LIGHTS + "More.\n")
        await noticed(driver)
        await driver.press("u")
        assert driver.session.configurations["A"] == before


async def test_a_reload_that_fails_says_so_above_the_text(
    start: Start, corpus_folder: Path
) -> None:
    golden = corpus_folder.parent / "golden.jsonl"
    before = read_text(golden)
    async with start(size=(80, 24)) as driver:
        write(golden, before + "{no json\n")
        driver.main.check_files()
        await driver.until(lambda: not driver.main.reloading)
        assert "golden.jsonl" in driver.words("#notice")
        assert "What is shown is what was read before." in driver.words("#notice")
        assert "# Harbour rules" in driver.text("#document")
        assert len(driver.session.questions) == 3
        write(golden, before)
        driver.main.check_files()
        await driver.until(lambda: not driver.main.reloading)
        assert not driver.app.screen.query_one("#notice").display


async def test_why_a_file_was_left_out_stands_in_its_place(
    start: Start, corpus_folder: Path
) -> None:
    (corpus_folder / "sealed[1].bin").write_bytes(bytes(range(256)) * 40)
    async with start() as driver:
        (skipped,) = driver.session.corpus.skipped
        documents = driver.app.screen.query_one("#documents", LineList)
        documents.focus()
        await driver.press("end")
        said = driver.words("#document-frame")
        assert f"sealed[1].bin is not among the documents: {skipped.reason}" in said
        assert "Harbour rules" not in said
        await driver.press("l")
        assert documents.cursor == documents.row_count - 1
        await driver.press("escape")
        assert "Harbour rules" in driver.text("#document-frame")


async def test_the_same_text_under_two_names_is_said(start: Start, corpus_folder: Path) -> None:
    write(corpus_folder / "lamps.txt", LIGHTS)
    async with start() as driver:
        assert "lamps.txt and lights.txt hold the same text" in " ".join(driver.toasts())
        driver.main.open_document(1)
        await driver.settle()
        assert "same text as lights.txt" in driver.text("#place")
