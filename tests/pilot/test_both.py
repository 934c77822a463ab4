"""Both variants in one text, whose numbers stand where, and how far the work is."""

import json
import re
from pathlib import Path

import pytest
from inspector_driver import Start

from chunkscope.tui import messages
from chunkscope.tui.painting.bands import ChunkBands


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_each_variant_has_its_gutter_and_differences_are_marked(
    start: Start, size: tuple[int, int]
) -> None:
    async with start(size=size) as driver:
        await driver.press("v", "v")
        assert driver.session.shown == "both"
        view = driver.main.document_view
        page = view.page
        a, b = page.bands, page.other
        assert isinstance(a, ChunkBands)
        assert isinstance(b, ChunkBands)
        seen = set()
        for y, line in enumerate(driver.lines("#document")[: len(page.rows)]):
            span = page.rows.span(view.top_row + y)
            own, other = a.start_offsets(*span), b.start_offsets(*span)
            sign = line[page.plan.width - 3]
            if own or other:
                expected = "=" if own == other else "≠" if own and other else "AB"[not own]
                assert sign == expected
                seen.add(sign)
            if other:
                number = str(b.starting(*span)[0])
                gutter = line[: page.plan.width]
                assert number in re.findall(r"\d+", gutter)
        assert "A" in seen
        assert seen & {"=", "≠"}


async def test_the_list_says_whose_chunks_it_counts(start: Start) -> None:
    async with start() as driver:
        for shown, variant in (("A", "A"), ("B", "B"), ("both", "B")):
            assert driver.session.shown == shown
            assert f"documents · in {variant}" in driver.lines("#documents")[0]
            counts = [len(cuts) for cuts in driver.session.chunk_sets[variant].cuts]
            assert all(str(count) in driver.text("#documents") for count in counts)
            await driver.press("v")


async def test_numbers_say_how_much_they_cover(start: Start, corpus_folder: Path) -> None:
    for number in range(14):
        (corpus_folder / f"more{number:02}.txt").write_text(f"More {number}.", encoding="utf-8")
    for size, place in (((200, 60), "#side"), ((80, 24), "#caution")):
        async with start(size=size) as driver:
            assert "documents" not in driver.text(place)
            driver.session.generation += 1
            driver.main.show_numbers()
            driver.main.post_message(messages.CutProgress(0, 1, 16))
            await driver.pilot.pause()
            assert "cut 1 of" not in driver.text(place)
            progress = messages.CutProgress(driver.session.generation, 8, 16)
            driver.main.post_message(progress)
            await driver.pilot.pause()
            assert "cut 8 of 16 documents" in driver.text(place)
            driver.main.request()
            await driver.settle()
            assert "documents" not in driver.text(place)


async def test_the_cell_of_a_notebook_is_named(start: Start, corpus_folder: Path) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["First cell."]},
        {"cell_type": "code", "metadata": {}, "source": ["second = 2"], "outputs": []},
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (corpus_folder / "book.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    async with start(size=(80, 24)) as driver:
        driver.main.open_document(0)
        await driver.settle()
        document = driver.session.open_document
        assert document.id == "book.ipynb"
        offset = document.text.index("second")
        driver.main.document_view.scroll_to_offset(offset)
        await driver.pilot.pause()
        # One line beneath the text has room for few letters.
        assert " · cell 2" in driver.text("#place")
        assert "(code)" not in driver.text("#place")
        await driver.press("enter")
        assert "cell 2 (code)" in driver.words("#here")
