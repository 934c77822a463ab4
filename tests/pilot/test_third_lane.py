"""What a real system returned, drawn beside A and B, and how far the stand-in agrees with it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from inspector_driver import HARBOUR, LIGHTS, A, B, Driver, driven, inline_engine, read_text

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.logagreement import agreement, usual_depth
from chunkscope.evaluation.run import evaluate
from chunkscope.tui.app import InspectorApp
from chunkscope.tui.reading import Opening
from chunkscope.tui.screens.main.base import Options
from chunkscope.tui.session import Session

LIMIT = HARBOUR.index("The largest")
FREE = HARBOUR.index("Water is free")
ENTRIES = [
    {
        "question": "What is the  largest draught?",
        "retrieved": [
            {"doc": "harbour.md", "start": FREE, "end": FREE + 25},
            {"doc": "harbour.md", "start": LIMIT, "end": LIMIT + 35},
        ],
    },
    {
        "id": "moon",
        "question": "When are lamps lit?",
        "retrieved": ["Lamps are lit at dusk.", "stands nowhere at all"],
        "expected": "Lamps are lit at dusk.",
    },
    {"question": "Who keeps the tower?", "retrieved": ["The keeper climbs the tower"]},
]

Open = Callable[..., InspectorApp]


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


@pytest.fixture
def opened(corpus_folder: Path) -> Open:
    """An inspector over a log, with the golden set or without."""
    log = corpus_folder / "real.jsonl"
    log.write_text("".join(json.dumps(entry) + "\n" for entry in ENTRIES), encoding="utf-8")

    def make(
        *, golden: bool = True, ascii_marks: bool = False, a: Configuration = A
    ) -> InspectorApp:
        path = corpus_folder.parent / "golden.jsonl" if golden else None
        opening = Opening((corpus_folder,), path, log=log)
        session = Session(opening.paths, {"A": a, "B": B}, golden_path=path)
        return InspectorApp(session, opening, engine=inline_engine(), options=Options(ascii_marks))

    return make


def lane(driver: Driver, text: str) -> str:
    """The gutter's lane column in the row that shows `text`."""
    page = driver.main.document_view.page
    line = next(line for line in driver.lines("#document") if text in line)
    end = page.plan.width - 2
    return line[end - page.plan.returned : end].strip()


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_what_came_back_stands_beside_the_text(opened: Open, size: tuple[int, int]) -> None:
    async with driven(opened(), size=size) as driver:
        assert [document.id for document in driver.session.corpus.documents] == [
            "harbour.md", "lights.txt",
        ]  # fmt: skip
        driver.main.choose_question(0)
        await driver.settle()
        assert lane(driver, "The largest draught") == "R2"
        driver.main.document_view.scroll_to_offset(LIMIT + 3)
        await driver.settle()
        assert "returned R2" in driver.main.document_view.describe()
        driver.main.document_view.scroll_to_offset(FREE)
        await driver.settle()
        assert lane(driver, "Water") == "R1"
        assert lane(driver, "## Fees") == ""


async def test_another_question_has_another_lane(opened: Open) -> None:
    async with driven(opened()) as driver:
        driver.main.choose_question(0)
        await driver.settle()
        before = driver.main.document_view.page.plan.width
        driver.main.choose_question(1)
        await driver.settle()
        assert driver.main.document_view.page.plan.width == before
        assert lane(driver, "The keeper climbs") == ""


async def test_marks_of_plain_ascii(opened: Open) -> None:
    async with driven(opened(ascii_marks=True)) as driver:
        driver.main.choose_question(0)
        await driver.settle()
        assert lane(driver, "The largest draught") == "R2"
        assert driver.text("#document").isascii()


async def test_a_text_that_stands_twice_is_a_small_r(opened: Open, corpus_folder: Path) -> None:
    write(corpus_folder / "again.txt", "Lamps are lit at dusk.\n")
    async with driven(opened()) as driver:
        driver.main.choose_question(3)
        await driver.settle()
        assert lane(driver, "Lamps are lit") == "r1"


async def test_the_logs_questions_join_and_are_never_golden_lines(
    opened: Open, corpus_folder: Path
) -> None:
    golden = read_text(corpus_folder.parent / "golden.jsonl")
    async with driven(opened()) as driver:
        shown = [line.question.question for line in driver.session.questions]
        assert shown[3:] == ["When are lamps lit?", "Who keeps the tower?"]
        assert len({line.question.id for line in driver.session.questions}) == 5
        rows = driver.text("#questions").splitlines()
        row = next(row for row in rows if "When are lamps lit?" in row)
        assert "✓ hit" in row
        assert "not written" not in row
        row = next(row for row in rows if "Who keeps the tower?" in row)
        assert "not said" in row
        assert "unanswerable" not in row
        driver.main.choose_question(4)
        await driver.settle()
        assert "the log does not say what should have come back" in driver.words("#question")
        assert lane(driver, "The keeper climbs") == "R1"
        await driver.press("w")
        assert "every question is written already" in driver.toasts()[-1]
        await driver.press("t", "x")
        assert "it is no golden line" in driver.toasts()[-1]
    assert read_text(corpus_folder.parent / "golden.jsonl") == golden


async def test_evidence_given_to_a_logs_question_makes_it_an_unsaved_line(opened: Open) -> None:
    async with driven(opened()) as driver:
        driver.main.choose_question(4)
        await driver.settle()
        view = driver.main.document_view
        await driver.press("t", "m", "right", "right", "right", "right", "right", "right")
        assert view.selected_text
        await driver.press("t", "n")
        (line,) = driver.session.asked
        assert line.question.question == "Who keeps the tower?"
        assert line.measured
        assert driver.session.chosen is driver.session.questions[3]
        assert driver.session.chosen.question.question == "Who keeps the tower?"
        assert len(driver.session.questions) == 5
        assert driver.session.result("A").verdict != "unanswerable"


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_the_agreement_is_stated(opened: Open, size: tuple[int, int]) -> None:
    async with driven(opened(), size=size) as driver:
        await driver.until(lambda: driver.session.agreement is not None)
        await driver.settle()
        log, corpus = driver.session.log, driver.session.corpus
        depth = tuple(dict.fromkeys([usual_depth(log.placed), 2]))
        settings = replace(A, retriever=replace(A.retriever, k=depth))
        found = agreement(log.placed, evaluate(CorpusIndex(corpus), settings, log.questions))
        said = driver.words("#caution")
        assert f"bm25 returns {found.mean:.0%}" in said
        assert "ranks do not carry over" in said
        if size[0] == 200:
            assert found.sentence in said
        before = driver.session.agreement
        await driver.press("l", "l", "l")
        await driver.until(lambda: driver.session.agreement is not before)
        assert driver.session.agreement[0] == driver.session.configurations["A"]


async def test_a_log_alone_is_enough(opened: Open) -> None:
    async with driven(opened(golden=False)) as driver:
        assert len(driver.session.questions) == 3
        assert driver.session.unsaid(0)
        await driver.press("q")
        assert not driver.app.is_running or driver.app.return_code == 0


async def test_a_log_that_changes_is_read_again(opened: Open, corpus_folder: Path) -> None:
    async with driven(opened()) as driver:
        driver.main.choose_question(0)
        await driver.settle()
        assert lane(driver, "The largest draught") == "R2"
        log = corpus_folder / "real.jsonl"
        write(log, json.dumps({**ENTRIES[0], "retrieved": [LIGHTS[:22]]}) + "\n")
        before = driver.session.log
        driver.main.check_files()
        await driver.until(lambda: driver.session.log is not before)
        await driver.settle()
        assert driver.session.chosen.question.id == "draught"
        assert lane(driver, "The largest draught") == ""
