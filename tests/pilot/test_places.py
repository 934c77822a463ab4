"""Evidence that moved, stands in several places, or nowhere: places are offered, and taken."""

from pathlib import Path

from inspector_driver import HARBOUR, LIGHTS, Start, list_files, read_text

from chunkscope.golden.reading import read_golden
from chunkscope.tui.screens.places import PlacesScreen
from chunkscope.tui.widgets.line_list import LineList

STEPS = "The tower has ninety steps."
PILOTS = "Pilots board at the outer buoy."


def golden_with_offsets(folder: Path) -> Path:
    """Two questions whose offsets hold their text, and one that stands in no document."""
    path = folder.parent / "given.jsonl"
    lines = []
    for name, doc, text, whole in (
        ("steps", "lights.txt", STEPS, LIGHTS), ("pilots", "harbour.md", PILOTS, HARBOUR),
    ):  # fmt: skip
        start = whole.index(text)
        lines.append(
            f'{{"id": "{name}", "question": "{name}?", "doc": "{doc}", "evidence": '
            f'[{{"text": "{text}", "start": {start}, "end": {start + len(text)}}}], "k": 1}}\n'
        )
    path.write_text("".join(lines), encoding="utf-8", newline="")
    return path


def put_before(path: Path, text: str) -> None:
    path.write_text(text + path.read_text(encoding="utf-8"), encoding="utf-8", newline="")


async def test_moved_evidence_is_taken_by_one_key_and_taken_back(
    start: Start, corpus_folder: Path
) -> None:
    golden = golden_with_offsets(corpus_folder)
    before = read_text(golden)
    async with start(golden=golden) as driver:
        put_before(corpus_folder / "lights.txt", "Note. ")
        put_before(corpus_folder / "harbour.md", "Note.\n\n")
        driver.main.check_files()
        await driver.until(lambda: driver.session.corpus.documents[1].text[:5] == "Note.")
        await driver.settle()
        assert "evidence of 2 questions is not where it was: t v" in " ".join(driver.toasts())
        await driver.pilot.press("t", "v")
        await driver.until(lambda: isinstance(driver.app.screen, PlacesScreen))
        shown = driver.words("#places")
        assert "was: The tower has ninety steps." in shown
        assert "lights.txt:3" in shown
        assert read_text(golden) == before
        await driver.press("a")
        assert driver.app.screen is driver.main
        questions = read_golden(golden).questions
        assert [question.evidence[0].start for question in questions] == [
            LIGHTS.index(STEPS) + 6, HARBOUR.index(PILOTS) + 7,
        ]  # fmt: skip
        assert '"k": 1' in read_text(golden)
        assert "2 places taken" in driver.toasts()[-1]
        assert not any(item.drifted for line in driver.session.questions for item in line.items)
        assert list_files(golden.parent) == ["docs", "given.jsonl", "golden.jsonl", "working"]
        await driver.press("u")
        assert read_text(golden) == before


async def test_what_resembles_changed_evidence_is_marked_and_taken(
    start: Start, corpus_folder: Path
) -> None:
    golden = golden_with_offsets(corpus_folder)
    async with start(golden=golden, size=(80, 24)) as driver:
        path = corpus_folder / "lights.txt"
        path.write_text(LIGHTS.replace("ninety", "eighty"), encoding="utf-8", newline="")
        driver.main.check_files()
        await driver.until(lambda: "eighty" in driver.session.corpus.documents[1].text)
        await driver.settle()
        driver.main.choose_question(0)
        assert driver.session.result("A").verdict == "unmeasured"
        await driver.pilot.press("t", "v")
        await driver.until(lambda: isinstance(driver.app.screen, PlacesScreen))
        rows = driver.app.screen.query_one(LineList)
        assert "resembles" in rows.lines[2]
        await driver.press("a")
        assert isinstance(driver.app.screen, PlacesScreen)
        await driver.press("enter", "escape")
        evidence = read_golden(golden).questions[0].evidence[0]
        assert "eighty" in evidence.text
        assert (
            evidence.text == driver.session.corpus.documents[1].text[evidence.start : evidence.end]
        )
        assert driver.session.result("A").verdict != "unmeasured"


async def test_a_passage_in_several_documents_is_listed_and_asked_about(
    start: Start, corpus_folder: Path
) -> None:
    (corpus_folder / "copy.txt").write_text("Oh. " + STEPS, encoding="utf-8", newline="")
    async with start(golden=False, question="Steps?", evidence=(STEPS,)) as driver:
        await driver.pilot.press("t", "v")
        await driver.until(lambda: isinstance(driver.app.screen, PlacesScreen))
        shown = driver.words("#places")
        assert "copy.txt:1" in shown
        assert "lights.txt:3" in shown
        assert "any of which serves" in shown
        await driver.press("down", "enter")
        (item,) = driver.session.asked[0].items
        assert [(place.doc, place.span.start) for place in item.places] == [
            ("lights.txt", LIGHTS.index(STEPS))
        ]
        assert item.evidence.alternatives == ()
        await driver.press("u")
        assert len(driver.session.asked[0].items[0].places) == 2


async def test_evidence_in_its_place_is_said_to_be(start: Start, corpus_folder: Path) -> None:
    async with start(golden=golden_with_offsets(corpus_folder)) as driver:
        await driver.press("t", "v")
        await driver.until(lambda: "exactly one place" in " ".join(driver.toasts()))
        assert driver.app.screen is driver.main
