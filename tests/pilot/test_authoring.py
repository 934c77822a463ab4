"""Golden lines written by hand: from a selection, with a type, edited, and taken back."""

import json
from pathlib import Path

from inspector_driver import HARBOUR, Driver, Start, read_text
from textual.widgets import Input, TextArea


def written(folder: Path) -> list[dict[str, object]]:
    lines = read_text(folder.parent / "golden.jsonl").split("\n")
    return [json.loads(line) for line in lines if line]


def select(driver: Driver, start: int, end: int) -> None:
    view = driver.main.document_view
    view.focus()
    view.scroll_to_offset(start)
    view.begin_selection()
    view.scroll_to_offset(end)


async def test_a_selection_becomes_a_question_with_a_type(
    start: Start, corpus_folder: Path
) -> None:
    (corpus_folder / "harbour.md").write_text("A berth.\n\nA berth.\n", encoding="utf-8")
    async with start() as driver:
        select(driver, 10, 17)
        await driver.press("a")
        screen = driver.app.screen
        assert screen.query_one(".evidence", TextArea).text == "A berth"
        screen.query_one(".question", TextArea).insert("Which one?")
        screen.query_one("#ask-type", Input).value = "fact"
        await driver.press("escape", "a")
        await driver.until(lambda: bool(driver.session.asked))
        await driver.press("escape", "w")
        line = written(corpus_folder)[-1]
        assert line["question"] == "Which one?"
        assert line["type"] == "fact"
        assert line["doc"] == "harbour.md"
        assert line["evidence"] == [{"text": "A berth", "start": 10, "end": 17}]


async def test_a_selection_keeps_its_place_whatever_its_line_ends(
    start: Start, corpus_folder: Path
) -> None:
    text = "One\r\ntwo.\x0cOne\r\ntwo.\x0cOne\ntwo.\n"
    (corpus_folder / "harbour.md").write_text(text, encoding="utf-8", newline="")
    async with start(golden=False) as driver:
        select(driver, 10, 19)
        await driver.press("a")
        driver.app.screen.query_one(".question", TextArea).insert("Which?")
        await driver.press("escape", "a")
        await driver.until(lambda: bool(driver.session.asked))
        (item,) = driver.session.asked[0].items
        assert item.evidence.text == "One\r\ntwo."
        assert [tuple(place.span) for place in item.places] == [(10, 19)]


async def test_words_type_and_evidence_of_a_question_are_edited(
    start: Start, corpus_folder: Path
) -> None:
    async with start() as driver:
        driver.main.choose_question(0)
        await driver.press("t", "g")
        screen = driver.app.screen
        assert screen.query_one(".question", TextArea).text == "What is the largest draught?"
        old = screen.query_one(".evidence", TextArea).text
        assert old == "The largest draught is nine metres. Above that the tide decides."
        screen.query_one(".question", TextArea).text = "How deep?"
        screen.query_one("#ask-type", Input).value = "number"
        screen.query_one(".evidence", TextArea).text = "Water is free of charge."
        before = driver.session.golden
        await driver.press("escape", "a")
        await driver.until(lambda: driver.session.golden is not before)
        await driver.settle()
        assert "changed; u takes it back" in driver.words("#ask")
        place = HARBOUR.index("Water is free")
        first, *others = written(corpus_folder)
        assert first == {
            "id": "draught",
            "question": "How deep?",
            "doc": "harbour.md",
            "evidence": [{"text": "Water is free of charge.", "start": place, "end": place + 24}],
            "type": "number",
        }
        assert [line["id"] for line in others] == ["steps", "moon"]
        assert driver.session.question == 0
        await driver.press("escape", "u")
        first = written(corpus_folder)[0]
        assert first["question"] == "What is the largest draught?"
        assert "type" not in first
        assert first["evidence"][0]["text"] == old
        await driver.press("t", "r")
        assert written(corpus_folder)[0]["question"] == "How deep?"


async def test_an_edited_question_keeps_what_is_not_edited(
    start: Start, corpus_folder: Path
) -> None:
    kept = {
        "id": "buoy",
        "question": "Where?",
        "doc": "harbour.md",
        "evidence": [
            {
                "text": "Pilots board at the outer buoy.",
                "start": 17,
                "end": 48,
                "alternatives": [{"text": "Lamps are lit at dusk.", "doc": "lights.txt"}],
                "page": 3,
            }
        ],
        "answer": "The outer buoy.",
        "author": "k",
    }
    (corpus_folder.parent / "golden.jsonl").write_text(json.dumps(kept) + "\n", encoding="utf-8")
    async with start() as driver:
        driver.main.choose_question(0)
        await driver.press("t", "g")
        driver.app.screen.query_one(".question", TextArea).text = "Where do pilots board?"
        before = driver.session.golden
        await driver.press("escape", "a")
        await driver.until(lambda: driver.session.golden is not before)
        assert written(corpus_folder) == [{**kept, "question": "Where do pilots board?"}]


async def test_an_unsaved_question_is_edited_in_its_place(start: Start) -> None:
    evidence = ("Pilots board at the outer buoy.",)
    async with start(golden=False, question="Where?", evidence=evidence) as driver:
        await driver.press("t", "g")
        driver.app.screen.query_one("#ask-type", Input).focus()
        await driver.type("place")
        before = driver.session.asked
        await driver.pilot.press("enter")
        await driver.until(lambda: driver.session.asked is not before)
        await driver.settle()
        (line,) = driver.session.asked
        assert (line.question.question, line.question.type) == ("Where?", "place")


async def test_escape_leaves_the_type_first(start: Start) -> None:
    async with start() as driver:
        await driver.press("a")
        driver.app.screen.query_one("#ask-type", Input).focus()
        await driver.type("fact")
        await driver.press("escape")
        assert driver.app.screen.query("#ask")
        assert driver.app.screen.query_one("#ask-type", Input).value == "fact"
        await driver.press("escape")
        assert not driver.app.screen.query("#ask")


async def test_nothing_to_edit_is_said(start: Start) -> None:
    async with start(golden=False) as driver:
        await driver.press("t", "g")
        assert "choose a question first" in driver.toasts()[-1]


async def test_an_edit_of_a_set_that_another_wrote_meanwhile_is_kept_aside(
    start: Start, corpus_folder: Path
) -> None:
    path = corpus_folder.parent / "golden.jsonl"
    async with start() as driver:
        driver.main.choose_question(0)
        await driver.press("t", "g")
        driver.app.screen.query_one(".question", TextArea).text = "How deep, as we ask it?"
        # Another inspector saves the same question, and adds one, while ours is being typed.
        theirs = written(corpus_folder)
        theirs[0]["question"] = "How deep, as they ask it?"
        theirs.append({"id": "new", "question": "Theirs?", "doc": "harbour.md", "evidence": []})
        path.write_text("".join(f"{json.dumps(line)}\n" for line in theirs), encoding="utf-8")
        on_disk = path.read_bytes()
        await driver.press("escape", "a")
        await driver.until(lambda: bool(driver.session.asked))
        await driver.settle()
        await driver.until(lambda: len(driver.session.located) == 4)
        assert "not written: kept as an unsaved question" in driver.words("#ask")
        said = " ".join(driver.toasts())
        assert "golden.jsonl: changed on the disk meanwhile; nothing was written" in said
        assert "your form is kept as draught-2, not written yet: w writes it" in said
        assert path.read_bytes() == on_disk
        assert driver.session.golden.questions[0].question == "How deep, as they ask it?"
        assert driver.session.golden.questions[3].id == "new"
        (ours,) = driver.session.asked
        assert ours.question.question == "How deep, as we ask it?"
        await driver.press("escape", "w")
        await driver.settle()
        lines = written(corpus_folder)
        assert [line["id"] for line in lines] == ["draught", "steps", "moon", "new", "draught-2"]
        assert lines[4]["question"] == "How deep, as we ask it?"
        assert lines[:4] == theirs


async def test_a_line_that_another_added_meanwhile_is_seen_after_writing(
    start: Start, corpus_folder: Path
) -> None:
    path = corpus_folder.parent / "golden.jsonl"
    async with start() as driver:
        select(driver, 10, 17)
        await driver.press("a")
        driver.app.screen.query_one(".question", TextArea).insert("Which one?")
        await driver.press("escape", "a")
        await driver.until(lambda: bool(driver.session.asked))
        with path.open("a", encoding="utf-8") as stream:
            line = {"id": "new", "question": "Theirs?", "doc": "harbour.md", "evidence": []}
            stream.write(f"{json.dumps(line)}\n")
        await driver.press("escape", "w")
        await driver.until(lambda: len(driver.session.located) == 5)
        ids = [line["id"] for line in written(corpus_folder)]
        assert ids[:4] == ["draught", "steps", "moon", "new"]
        assert [one.id for one in driver.session.golden.questions] == ids
        # What stands in both is known now: the next edit is written.
        driver.main.choose_question(3)
        driver.main.action_delete_question()
        await driver.settle()
        assert "new" not in [line["id"] for line in written(corpus_folder)]


async def test_an_edit_of_a_question_that_another_deleted_is_kept_aside(
    start: Start, corpus_folder: Path
) -> None:
    path = corpus_folder.parent / "golden.jsonl"
    async with start() as driver:
        driver.main.choose_question(0)
        await driver.press("t", "g")
        driver.app.screen.query_one(".question", TextArea).text = "How deep, as we ask it?"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in written(corpus_folder)[1:]))
        driver.main.check_files()
        await driver.until(lambda: len(driver.session.located) == 2)
        await driver.press("escape", "a")
        await driver.until(lambda: bool(driver.session.asked))
        await driver.settle()
        (ours,) = driver.session.asked
        assert ours.question.question == "How deep, as we ask it?"
        assert "not written: kept as an unsaved question" in driver.words("#ask")
        assert [line["id"] for line in written(corpus_folder)] == ["steps", "moon"]
