"""Ask, the golden lines that come of it, and leaving without losing them."""

import json
from pathlib import Path

from inspector_driver import HARBOUR, Driver, Start, list_files, read_text
from textual.widgets import TextArea

from chunkscope.text.spans import Span
from chunkscope.tui.widgets.field import Field

EVIDENCE = "Pilots board at the outer buoy. The pilot boat leaves every hour."


async def ask(driver: Driver, question: str, evidence: str, returned: str = "") -> None:
    await driver.press("a")
    screen = driver.app.screen
    for kind, text in (("question", question), ("evidence", evidence), ("returned", returned)):
        screen.query_one(f".{kind}", TextArea).insert(text)
    await driver.press("escape", "a")
    await driver.until(lambda: bool(driver.session.asked))
    await driver.settle()


async def test_the_answer_stands_there_in_one_sentence(start: Start) -> None:
    async with start(golden=False) as driver:
        await ask(driver, "Where do pilots board?", EVIDENCE)
        result = driver.session.result("A")
        assert result.verdict == "split"
        assert f"A: split: {result.reason}" in driver.words("#ask")
        assert "B: hit:" in driver.words("#ask")


async def test_fields_take_several_lines_as_they_are(start: Start) -> None:
    async with start(golden=False) as driver:
        await driver.press("a")
        await driver.type("Which rules?")
        await driver.press("tab")
        await driver.type("# Harbour rules\n\nPilots board")
        await driver.press("escape", "a")
        await driver.until(lambda: bool(driver.session.asked))
        question = driver.session.asked[0]
        assert question.question.question == "Which rules?"
        place = question.items[0].places[0]
        assert HARBOUR[place.span.start : place.span.end] == "# Harbour rules\n\nPilots board"


async def test_letters_type_in_fields(start: Start) -> None:
    async with start(golden=False) as driver:
        await driver.press("a")
        await driver.type("quwahk")
        assert driver.app.screen.query_one(".question", TextArea).text == "quwahk"


async def test_what_came_back_is_held_against_the_evidence(start: Start) -> None:
    async with start(golden=False) as driver:
        await ask(driver, "Where do pilots board?", EVIDENCE, "Pilots board at the outer buoy.")
        said = driver.words("#ask")
        assert "of 1 passage that came back, 0 hold evidence whole, 1 only a part of it" in said


async def test_several_evidence_fields_are_all_needed(start: Start) -> None:
    async with start(golden=False) as driver:
        await driver.press("a")
        screen = driver.app.screen
        screen.query_one(".question", TextArea).insert("Two things?")
        screen.query_one(".evidence", TextArea).insert("Pilots board")
        await driver.press("escape", "n")
        await driver.pilot.pause()
        await driver.type("Lamps are lit")
        await driver.press("escape", "a")
        await driver.until(lambda: bool(driver.session.asked))
        assert [item.evidence.text for item in driver.session.asked[0].items] == [
            "Pilots board",
            "Lamps are lit",
        ]


async def test_a_blank_question_is_refused(start: Start) -> None:
    async with start(golden=False) as driver:
        await driver.press("a", "escape", "a")
        assert "question: blank; type what is asked" in driver.words("#ask")
        assert driver.session.asked == ()


async def test_one_key_makes_it_a_golden_line(start: Start, corpus_folder: Path) -> None:
    async with start() as driver:
        await ask(driver, "Where do pilots board?", EVIDENCE)
        await driver.press("escape")
        assert "(1 not written)" in driver.text("#title")
        await driver.press("w")
        path = corpus_folder.parent / "golden.jsonl"
        lines = read_text(path).split("\n")[:-1]
        assert len(lines) == 4
        written = json.loads(lines[3])
        assert written["question"] == "Where do pilots board?"
        assert written["doc"] == "harbour.md"
        start_offset = HARBOUR.index(EVIDENCE)
        assert written["evidence"] == [
            {"text": EVIDENCE, "start": start_offset, "end": start_offset + len(EVIDENCE)}
        ]
        assert driver.session.asked == ()
        assert "not written" not in driver.text("#title")
        assert driver.session.question == 3


async def test_without_a_set_the_line_goes_into_the_working_folder(start: Start) -> None:
    async with start(golden=False) as driver:
        await ask(driver, "Where do pilots board?", EVIDENCE)
        await driver.press("escape", "w")
        written = json.loads(read_text("golden.jsonl"))
        assert written["evidence"][0]["text"] == EVIDENCE


async def test_undo_takes_back_an_unsaved_question(start: Start) -> None:
    async with start() as driver:
        await ask(driver, "Where do pilots board?", EVIDENCE)
        await driver.press("escape", "u")
        assert driver.session.asked == ()
        assert len(driver.session.questions) == 3
        await driver.press("u")
        assert "there is nothing to take back" in driver.toasts()[-1]


async def test_evidence_that_stands_nowhere_shows_what_is_near(start: Start) -> None:
    async with start(golden=False) as driver:
        await ask(driver, "Who leaves?", "The pilot ship leaves every single hour.")
        said = driver.words("#ask")
        assert "unmeasured" in said
        assert "pilot boat leaves every hour" in said
        passage = driver.app.screen.query_one("#ask-passages")
        assert "harbour.md" in passage.lines[0]
        await driver.pilot.press("enter")
        await driver.until(lambda: driver.session.questions[0].measured)
        await driver.settle()
        assert len(driver.session.asked) == 1
        assert "pilot boat leaves every hour" in driver.session.asked[0].items[0].evidence.text


async def test_the_selection_is_the_evidence(start: Start) -> None:
    async with start(golden=False) as driver:
        begin = HARBOUR.index(EVIDENCE)
        driver.main.document_view.select(Span(begin, begin + len(EVIDENCE)))
        await driver.press("a")
        assert driver.app.screen.query_one(".evidence", TextArea).text == EVIDENCE


async def test_control_q_offers_to_write_too(start: Start) -> None:
    async with start(golden=False) as driver:
        await ask(driver, "Where do pilots board?", EVIDENCE)
        await driver.pilot.press("ctrl+q")
        await driver.pilot.pause()
        assert "1 question asked here is not written yet." in driver.words("#confirm")


async def test_a_question_from_the_command_line_is_asked_at_the_start(start: Start) -> None:
    async with start(
        golden=False, question="Where do pilots board?", evidence=(EVIDENCE,)
    ) as driver:
        assert driver.session.question == 0
        assert driver.session.result("A").verdict == "split"
        assert "Where do pilots board?" in driver.text("#question")
        assert "✂" in driver.text("#document")


async def test_quitting_offers_to_write(start: Start) -> None:
    async with start(golden=False) as driver:
        await ask(driver, "Where do pilots board?", EVIDENCE)
        await driver.pilot.press("escape", "q")
        await driver.pilot.pause()
        assert "1 question asked here is not written yet." in driver.words("#confirm")
        await driver.pilot.press("s")
        await driver.pilot.pause()
        assert driver.app.screen is driver.main
        await driver.pilot.press("q")
        await driver.pilot.press("w")
        await driver.pilot.pause()
        assert json.loads(read_text("golden.jsonl"))["doc"] == "harbour.md"
    assert driver.app.return_code == 0


async def test_quitting_without_writing_leaves_no_file(start: Start) -> None:
    async with start(golden=False) as driver:
        await ask(driver, "Where do pilots board?", EVIDENCE)
        await driver.pilot.press("escape", "q", "q")
        await driver.pilot.pause()
    assert driver.app.return_code == 0
    assert list_files() == []


async def test_a_set_that_cannot_be_written_keeps_the_question(
    start: Start, tmp_path: Path
) -> None:
    async with start(golden=False) as driver:
        await ask(driver, "Where do pilots board?", EVIDENCE)
        driver.session.golden_path = tmp_path / "missing" / "golden.jsonl"
        await driver.press("escape", "w")
        assert len(driver.session.asked) == 1
        assert "golden.jsonl" in driver.toasts()[-1]


async def test_one_question_is_said_as_one_not_as_noise(start: Start) -> None:
    evidence = ("Pilots board at the outer buoy.",)
    async with start(golden=False, question="Where?", evidence=evidence) as driver:
        await driver.until(lambda: driver.session.numbers is not None)
        await driver.until(lambda: "context tokens" in driver.text("#metrics"))
        assert "noise" not in driver.text("#metrics")
        assert "n=1" in driver.text("#metrics")


async def test_every_pasted_character_is_seen(start: Start) -> None:
    async with start(golden=False) as driver:
        await driver.press("a")
        pasted = "a\x07b\x08c\x1b[31mf\u202eg"
        driver.app.screen.query_one(".evidence", TextArea).insert(pasted)
        driver.app.screen.query_one("#ask-type", Field).value = "x\x07\x08\x0b\x0c\x1by"
        await driver.pilot.pause()
        shown = driver.text("#ask")
        assert "a␇b␈c␛[31mf" in shown
        assert "x␇␈␋␌␛y" in shown
        assert not set(shown).intersection("\x07\x08\x0b\x0c\x1b\u202e")
