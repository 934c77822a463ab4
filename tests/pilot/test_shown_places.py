"""Pages, rows and the like of evidence and of chunks, in the lists of questions and chunks."""

import json
from pathlib import Path

import pytest
from inspector_driver import Start

ROWS = "Berth,Fee\n" + "".join(f"Berth {name},{40 + name} euros\n" for name in range(1, 9))


@pytest.fixture
def placed(corpus_folder: Path) -> Path:
    """A golden set with evidence in a table, in two rows of it, and in running text."""
    (corpus_folder / "fees.csv").write_text(ROWS, encoding="utf-8", newline="")
    lines = [
        ("fee", "What does berth 6 cost a night?", "fees.csv", ["46 euros"]),
        ("two", "What do berths 2 and 3 cost?", "fees.csv", ["42 euros", "43 euros"]),
        ("steps", "How many steps has the tower?", "lights.txt", ["The tower has ninety steps."]),
    ]
    golden = corpus_folder.parent / "placed.jsonl"
    golden.write_text(
        "".join(
            json.dumps({"id": name, "question": asked, "doc": doc,
                        "evidence": [{"text": text} for text in texts]}) + "\n"
            for name, asked, doc, texts in lines
        )
    )  # fmt: skip
    return golden


async def test_the_places_of_evidence_are_a_column_where_there_is_room(
    start: Start, placed: Path
) -> None:
    async with start(golden=placed, size=(160, 40)) as driver:
        rows = driver.lines("#questions")
        assert rows[0].split()[-3:] == ["B", "place", "question"]
        at = rows[0].index("place")
        assert [row[at : at + 14].rstrip() for row in rows[1:4]] == [
            "row 7, Fee", "row 3, Fee +1", "",
        ]  # fmt: skip
        assert rows[1][at + 15 :].strip() == "What does berth 6 cost a night?"


async def test_the_chosen_question_says_where_its_evidence_stands(
    start: Start, placed: Path
) -> None:
    async with start(golden=placed) as driver:
        driver.main.choose_question(0)
        await driver.settle()
        assert driver.lines("#question")[0].strip() == (
            "1 What does berth 6 cost a night? · row 7, Fee"
        )
        driver.main.choose_question(2)
        await driver.settle()
        assert driver.lines("#question")[0].strip() == "3 How many steps has the tower?"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_where_there_is_no_room_a_place_stands_behind_its_question(
    start: Start, placed: Path, size: tuple[int, int]
) -> None:
    async with start(golden=placed, size=size) as driver:
        rows = driver.lines("#questions")
        assert "place" not in rows[0]
        assert rows[0].split()[-1] == "question"
        assert rows[1].rstrip().startswith("What does berth", rows[0].index("question"))
        assert rows[1].rstrip().endswith("t?  (row 7, Fee)")
        assert rows[3].rstrip().endswith("How many steps has the tower?")


async def test_without_places_nothing_is_said_of_them(start: Start) -> None:
    async with start() as driver:
        assert "place" not in driver.lines("#questions")[0]
        await driver.press("x", "2")
        assert "row" not in driver.text("#retrieved-A")


async def test_what_is_retrieved_says_its_place(start: Start, placed: Path) -> None:
    async with start(golden=placed, size=(160, 40)) as driver:
        driver.main.choose_question(0)
        await driver.press("2")
        await driver.settle()
        # A cuts two rows to a chunk; the other document has no places.
        assert [row.split()[3:6] for row in driver.lines("#retrieved-A")[:2]] == [
            ["·", "A", "berth"], ["row", "7–8", "Berth"],
        ]  # fmt: skip
        await driver.press("down", "z")
        await driver.settle()
        head, place = driver.lines("#retrieved-text-A")[1:3]
        assert head.strip() == "2 · fees.csv 95–128"
        assert (ROWS.index("Berth 6"), ROWS.index("\nBerth 8")) == (95, 128)
        assert place.split(" · ")[0].strip() == "row 7–8"
    async with start(golden=placed, size=(80, 24)) as driver:
        driver.main.choose_question(0)
        await driver.press("2")
        await driver.settle()
        rows = driver.lines("#retrieved-A")
        assert rows[1].split()[3:5] == ["Berth", "6,46"]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_chunks_of_a_table_name_their_rows(
    start: Start, placed: Path, size: tuple[int, int]
) -> None:
    async with start(golden=placed, size=size) as driver:
        await driver.press("4")
        await driver.settle()
        assert driver.session.open_document.id == "fees.csv"
        rows = driver.lines("#chunks")
        at = rows[0].index("place")
        assert [row[at:].split()[:2] for row in rows[1:4]] == [
            ["row", "1–2"], ["row", "3–4"], ["row", "5–6"],
        ]  # fmt: skip
        driver.main.open_document(1)
        await driver.settle()
        assert driver.session.open_document.id == "harbour.md"
        assert "place" not in driver.lines("#chunks")[0]
