"""The review of generated questions: verdicts, edits and spans, all of it in the file at once."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspector_driver import HARBOUR, LIGHTS, list_files, read_text
from review_driver import (
    AT,
    BUOY,
    DEEP,
    LINES,
    generated,
    held,
    ids,
    question,
    reviewed,
    spans,
    write_lines,
)
from textual.widgets import Input, TextArea

from chunkscope.golden.locating import locate_question
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span
from chunkscope.tui.screens.review import base as review_base
from chunkscope.tui.screens.review.help import ReviewHelp
from chunkscope.tui.screens.review.keys import REVIEW_KEYS, SPAN_KEYS
from chunkscope.tui.widgets.document_view import DocumentView

REVIEW = f'"review": {{"by": "ada", "at": "{AT}", "verdict": '


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A golden set of three generated questions and one written by hand."""
    file = tmp_path / "golden.jsonl"
    write_lines(file)
    monkeypatch.chdir(tmp_path)
    return file


def judged(line: str, verdict: str) -> str:
    """A line of the file with a verdict."""
    return line.replace('"reviewed": false', '"reviewed": true')[:-1] + f', {REVIEW}"{verdict}"}}}}'


# --- verdicts -------------------------------------------------------------------------------------


async def test_verdicts_go_through_the_queue_and_into_the_files(path: Path) -> None:
    before = read_text(path).split("\n")
    async with reviewed(path) as review:
        assert "Review 1 of 3 · 0 accepted, 0 rejected · 3 to review" in review.text(
            "#review-progress"
        )
        await review.press("a")
        assert read_text(path).split("\n") == [judged(before[0], "accepted"), *before[1:]]
        assert review.shown == "g2"
        await review.press("r")
        assert read_text(path).split("\n") == [
            judged(before[0], "accepted"), before[1], before[3], "",
        ]  # fmt: skip
        assert read_text(path.with_name("golden.rejected.jsonl")) == (
            judged(before[2], "rejected") + "\n"
        )
        assert review.shown == "g3"
        assert "3 of 3 · 1 accepted, 1 rejected · 1 to review" in review.text("#review-progress")
        await review.press("a")
        assert "all reviewed" in review.text("#review-progress")
        assert "all are reviewed" in review.toasts()[-1]
        await review.pilot.press("q")
    assert review.app.return_value == 0
    assert ids(path) == ["g1", "own", "g3"]


async def test_undo_gives_back_every_byte(path: Path) -> None:
    before = held(path)
    async with reviewed(path) as review:
        await review.press("r", "a", "r", "b", "b")
        assert ids(path) == ["own", "g2"]
        await review.press("u")
        assert (review.shown, ids(path)) == ("g3", ["own", "g2", "g3"])
        await review.press("u", "u")
        assert held(path) == before
        assert list_files(path.parent) == ["golden.jsonl"]
        assert review.shown == "g1"
        await review.press("u")
        assert "there is nothing to take back" in review.toasts()[-1]


async def test_skipped_questions_stay_new_and_come_again(path: Path) -> None:
    before = held(path)
    async with reviewed(path) as review:
        await review.press("n", "right")
        assert (review.shown, held(path)) == ("g3", before)
        await review.press("n")
        assert "this is the last question" in review.toasts()[-1]
        await review.press("left")
        assert review.shown == "g2"
        await review.press("a")
        assert review.shown == "g3"
        await review.press("a")
        assert review.shown == "g1"
        await review.press("b")
        assert "this is the first question" in review.toasts()[-1]
        await review.press("n")
        assert review.shown == "g2"
        assert f"accepted by ada at {AT}" in review.words("#review-facts")
        await review.press("o")
        assert review.shown == "g1"


async def test_what_was_rejected_can_be_accepted_on_second_thought(path: Path) -> None:
    async with reviewed(path) as review:
        await review.press("r", "b")
        assert (review.shown, ids(path)) == ("g1", ["own", "g2", "g3"])
        assert f"rejected by ada at {AT}" in review.words("#review-facts")
        await review.press("a")
        assert ids(path) == ["g1", "own", "g2", "g3"]
        assert question(path, "g1").extra["review"]["verdict"] == "accepted"
        assert list_files(path.parent) == ["golden.jsonl"]


async def test_all_has_those_written_by_hand_and_rejected(path: Path) -> None:
    async with reviewed(path) as review:
        await review.press("r")
    async with reviewed(path, everything=True) as review:
        assert "1 of 4 · 0 accepted, 1 rejected" in review.text("#review-progress")
        assert "written by hand" in review.words("#review-facts")
        assert "found: exact" in review.text("#review-place")
        await review.press("n", "n", "n")
        assert review.shown == "g1"


# --- what is shown --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_question_and_evidence_are_seen_at_every_size(
    path: Path, size: tuple[int, int]
) -> None:
    async with reviewed(path, size=size) as review:
        facts = review.words("#review-facts")
        assert "Q How deep may a ship lie?" in facts
        assert "A Nine metres." in facts
        assert "new · fact · groundedness 5 · relevance 4 · quality 3 · m-1 · g1" in facts
        assert "grader Asked as a captain would." in facts
        start = HARBOUR.index(DEEP)
        place = review.text("#review-place")
        assert f"harbour.md · evidence 1 of 1 · {start}–{start + len(DEEP)}" in place
        rows = review.lines("#review-document")
        assert len(rows) >= 12
        assert any("●" in row and DEEP in row for row in rows)
        keys = review.text("#review-keys")
        for key in REVIEW_KEYS:
            if key.shown:
                assert f"{key.display} {key.label}" in keys


async def test_flags_follow_the_set(path: Path) -> None:
    copied = generated("g4", "Pilots board at the outer buoy?", [BUOY])
    twin = generated("g5", "Where do the pilots board now?", [BUOY])
    write_lines(path, [*LINES, copied, twin])
    async with reviewed(path, everything=False) as review:
        assert "⚑" not in review.words("#review-facts")
        await review.press("n", "n", "n")
        assert review.shown == "g4"
        assert "⚑ quotes its evidence: " in review.words("#review-facts")
        await review.press("n")
        said = review.words("#review-facts")
        assert 'nearly the same question as "g2"; keep one of them' in said
        await review.press("b", "b", "b", "r", "n", "n", "n")
        assert review.shown == "g5"
        assert "nearly the same" not in review.words("#review-facts")


async def test_marks_of_ascii(path: Path) -> None:
    copied = generated("g4", "Pilots board at the outer buoy?", [BUOY])
    write_lines(path, [copied])
    async with reviewed(path, ascii_marks=True) as review:
        assert "! quotes its evidence" in review.words("#review-facts")
        assert any(row.strip().startswith("* Pilots") for row in review.lines("#review-document"))


async def test_hostile_text_is_shown_and_not_sent(path: Path) -> None:
    text = "A\r\n\x1b]52;c;aGk=\x07b\u202ec [b]d[/b]\ttail\r\nend\n"
    corpus = Corpus((Document("x\x1b[31m.txt", text),))
    evil = "\x1b[2J[red]what\u202e\x07"
    line = generated(evil, evil, ["b\u202ec"], doc="x\x1b[31m.txt", text=text, answer=evil,
                     reason=evil, model=evil)  # fmt: skip
    write_lines(path, [line])
    async with reviewed(path, corpus=corpus) as review:
        await review.press("s")
        for selector in ("#span-question", "#span-piece", "#span-text"):
            assert not set("\x1b\x07\u202e\r") & set(review.text(selector))
        await review.press("escape")
        drawn = review.text("#review-body") + review.text("#review-progress")
        assert not set("\x1b\x07\u202e\r") & set(drawn)
        assert "␛[2J[red]what⇄␇" in drawn
        await review.press("a")
        assert question(path, evil).question == evil
        await review.press("u")
        assert not set("\x1b\x07\u202e") & set(review.toasts()[-1])


async def test_one_question_is_located_however_many_there_are(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [generated(f"g{n}", f"Where is berth {n} of {n * 7}?", [BUOY]) for n in range(2000)]
    write_lines(path, many)
    located: list[str] = []

    def told(found, corpus):
        located.append(found.id)
        return locate_question(found, corpus)

    monkeypatch.setattr(review_base, "locate_question", told)
    monkeypatch.setattr(review_base, "_find", lambda *_arguments: {})
    async with reviewed(path) as review:
        assert "1 of 2000" in review.text("#review-progress")
        assert located == ["g0"]
        await review.press("a")
        assert (review.shown, located) == ("g1", ["g0", "g1"])
        assert "1 accepted, 0 rejected · 1999 to review" in review.text("#review-progress")


async def test_text_is_scrolled_and_evidence_stepped_through(path: Path) -> None:
    text = "".join(f"Line {n}.\n" for n in range(200))
    corpus = Corpus((Document("harbour.md", text), Document("lights.txt", LIGHTS)))
    both = generated("g1", "Which lines?", ["Line 50.", "Line 150."], text=text)
    write_lines(path, [both])
    async with reviewed(path, corpus=corpus, size=(80, 24)) as review:
        view = review.screen.query_one("#review-document", DocumentView)
        top = 50 - view.row_count // 3
        assert view.top_row == top
        await review.press("down", "down", "up")
        assert view.top_row == top + 1
        await review.press("pagedown")
        assert view.top_row == top + view.row_count
        await review.press("i")
        assert "evidence 2 of 2" in review.text("#review-place")
        assert view.top_row == 150 - view.row_count // 3
        await review.press("i")
        assert view.top_row == top


async def test_facts_that_do_not_fit_take_the_screen(path: Path) -> None:
    long = " ".join(f"word{n}" for n in range(300))
    write_lines(path, [generated("g1", "Which?", [BUOY], answer=long)])
    async with reviewed(path, size=(80, 24)) as review:
        assert "word299" not in review.words("#review-facts")
        assert len(review.lines("#review-document")) >= 10
        await review.press("z")
        await review.press(*["down"] * 40)
        assert "word299" in review.words("#review-facts")
        await review.press("z")
        assert len(review.lines("#review-document")) >= 10


async def test_a_click_in_the_queue_goes_to_that_question(path: Path) -> None:
    async with reviewed(path) as review:
        queue = review.lines("#review-queue")
        assert "▸" in next(row for row in queue if "How deep" in row)
        row = next(number for number, line in enumerate(queue) if "How many steps" in line)
        await review.press("a")
        assert "✓" in review.lines("#review-queue")[row - 2]
        await review.pilot.click("#review-queue", offset=(10, row))
        await review.press()
        assert review.shown == "g3"
        assert "lights.txt" in review.text("#review-place")


# --- spans ----------------------------------------------------------------------------------------


async def test_ends_move_by_words_and_characters(path: Path) -> None:
    start = HARBOUR.index(DEEP)
    async with reviewed(path) as review:
        await review.press("s")
        assert review.span.span == Span(start, start + len(DEEP))
        await review.press("left", "b", "o", "w", "w", "left", "right")
        wanted = "draught is nine"
        at = HARBOUR.index(wanted)
        assert review.span.span == Span(at, at + len(wanted))
        view = review.span.query_one(DocumentView)
        assert view.selected_text == wanted
        assert f"{at}–{at + len(wanted)} · {len(wanted)} characters · the start is active" in (
            review.text("#span-place")
        )
        await review.press("enter")
        (item,) = question(path, "g1").evidence
        assert (item.text, item.start, item.end) == (wanted, at, at + len(wanted))
        assert json.loads(read_text(path).split("\n")[0])["review"]["verdict"] == "edited"
        assert f"edited by ada at {AT}" in review.words("#review-facts")
        assert f"{at}–{at + len(wanted)}" in review.text("#review-place")
        before = held(path)
        await review.press("a")
        assert question(path, "g1").extra["review"] == {
            "by": "ada", "at": AT, "verdict": "accepted", "edited": True,
        }  # fmt: skip
        await review.press("u")
        assert held(path) == before
        await review.press("u")
        assert spans(question(path, "g1")) == [Span(start, start + len(DEEP))]
        assert "review" not in question(path, "g1").extra


async def test_ends_pass_each_other_and_stop_at_the_texts_ends(path: Path) -> None:
    async with reviewed(path) as review:
        await review.press("n", "n", "s")
        at = LIGHTS.index("ninety")
        assert review.span.span == Span(at, at + 6)
        await review.press("b")
        assert review.span.span == Span(at - 1, at)
        await review.press("b")
        assert review.span.span == Span(LIGHTS.index("has ninety"), at)
        await review.press("pageup", "up")
        assert review.span.span == Span(0, at)
        await review.press("left", "b", "up")
        assert review.span.span == Span(0, at)
        await review.press("pagedown", "down", "down", "right", "w")
        assert review.span.span == Span(at, len(LIGHTS))
        await review.press("up", "home", "c", "end", "enter")
        last = LIGHTS.rindex("The keeper")
        assert spans(question(path, "g3")) == [Span(last, len(LIGHTS) - 1)]


async def test_offsets_are_true_whatever_the_line_ends(path: Path) -> None:
    text = "\ufeffOne\r\n\U0001f6a2\ttwo\u0301 three.\x0cfour\r\n\r\nfive\n"
    corpus = Corpus((Document("harbour.md", text),))
    write_lines(path, [generated("g1", "Which?", ["three"], text=text)])
    async with reviewed(path, corpus=corpus) as review:
        await review.press("s", "w", "o", "b", "left", "left")
        span = review.span.span
        assert text[slice(*span)] == "\U0001f6a2\ttwo\u0301 three.\x0cfour"
        await review.press("enter")
        (item,) = question(path, "g1").evidence
        assert item.text == text[item.start : item.end] == text[slice(*span)]
        assert locate_question(question(path, "g1"), corpus).items[0].places[0].tier == "given"


async def test_the_mouse_selects_a_span(path: Path) -> None:
    async with reviewed(path) as review:
        await review.press("s")
        view = review.span.query_one(DocumentView)
        row = next(n for n, line in enumerate(review.lines(view)) if "Pilots board" in line)
        column = review.lines(view)[row].index("Pilots board")
        await review.pilot.mouse_down(view, offset=(column, row))
        await review.pilot.hover(view, offset=(column + 11, row))
        await review.pilot.mouse_up(view, offset=(column + 11, row))
        await review.press()
        await review.until(lambda: review.span.span.length == 12)
        at = HARBOUR.index("Pilots board")
        assert review.span.span == Span(at, at + 12)
        await review.press("w", "enter")
        assert question(path, "g1").evidence[0].text == "Pilots board at"
        assert spans(question(path, "g1")) == [Span(at, at + 15)]


async def test_what_the_mouse_selected_is_where_a_span_begins(path: Path) -> None:
    async with reviewed(path) as review:
        view = review.screen.query_one("#review-document", DocumentView)
        row = next(n for n, line in enumerate(review.lines(view)) if "Pilots board" in line)
        column = review.lines(view)[row].index("outer")
        await review.pilot.mouse_down(view, offset=(column, row))
        await review.pilot.hover(view, offset=(column + 9, row))
        await review.pilot.mouse_up(view, offset=(column + 9, row))
        await review.press("s")
        at = HARBOUR.index("outer buoy")
        assert review.span.span == Span(at, at + 10)
        await review.press("enter")
        assert question(path, "g1").evidence[0].text == "outer buoy"


async def test_evidence_and_alternatives_are_added_and_deleted(path: Path) -> None:
    deep, before = HARBOUR.index(DEEP), held(path)
    async with reviewed(path) as review:
        await review.press("s", "right", "c", "w", "w", "n")
        one = question(path, "g1")
        assert [item.text for item in one.evidence] == [DEEP, "Above that"]
        await review.press("s", "right", "right", "v")
        two = question(path, "g1")
        assert [other.text for other in two.evidence[0].alternatives] == [f"{DEEP} A"]
        assert two.evidence[0].alternatives[0].start == deep
        assert two.evidence[1:] == one.evidence[1:]
        assert "evidence 1 of 2 (+1 alternative)" in review.text("#review-place")
        await review.press("i", "s", "left", "left", "left", "left", "enter")
        three = question(path, "g1")
        assert three.evidence[0].text == DEEP
        assert three.evidence[0].alternatives[0].text == DEEP[:-2]
        await review.press("i", "i", "s", "d")
        assert question(path, "g1").evidence == three.evidence[1:]
        await review.press("u", "u", "u", "u")
        assert held(path) == before


async def test_what_stands_nowhere_begins_at_what_resembles_it(path: Path) -> None:
    line = generated("g1", "Who decides?", [BUOY])
    line["evidence"] = [{"text": "Above it, the tide will decide.", "page": 4}]
    write_lines(path, [line])
    async with reviewed(path) as review:
        assert "stands nowhere" in review.text("#review-place")
        await review.press("s")
        assert "this only resembles it" in review.text("#span-place")
        assert HARBOUR[slice(*review.span.span)].endswith("the tide")
        await review.press("w", "enter")
        (item,) = question(path, "g1").evidence
        assert item.text.endswith("the tide decides")
        assert HARBOUR[item.start : item.end] == item.text
        assert item.extra == {"page": 4}


async def test_an_unanswerable_question_gets_evidence(path: Path) -> None:
    line = generated("g1", "Which?", [])
    write_lines(path, [line])
    async with reviewed(path) as review:
        assert "no evidence: unanswerable" in review.text("#review-place")
        await review.press("s", "enter")
        assert "the span holds no text" in review.toasts()[-1]
        await review.press("right", "right", "w", "enter")
        assert question(path, "g1").evidence[0].text == "# Harbour"


async def test_leaving_the_text_changes_nothing(path: Path) -> None:
    before = held(path)
    async with reviewed(path) as review:
        await review.press("s", "w", "w", "escape")
        assert review.app.screen is review.screen
        await review.press("s", "enter")
        assert "nothing was changed" in review.toasts()[-1]
        assert held(path) == before
        assert review.screen.file.steps == 0


async def test_text_that_stands_elsewhere_too_is_said(path: Path) -> None:
    text = "cat dog. cat."
    corpus = Corpus((Document("harbour.md", text), Document("lights.txt", "A cat.")))
    write_lines(path, [generated("g1", "Which?", ["cat dog"], text=text)])
    async with reviewed(path, corpus=corpus) as review:
        await review.press("s", "b", "enter")
        assert spans(question(path, "g1")) == [Span(0, 3)]
        assert "its text also stands in 2 other places" in review.toasts()[-1]
        await review.press("s", "w", "enter")
        assert review.toasts()[-1] == "changed (u takes it back); a accepts it"


# --- the form -------------------------------------------------------------------------------------


async def test_words_are_edited_and_the_rest_is_kept(path: Path) -> None:
    line = generated("g1", "How deep?", [DEEP], answer="Nine.", page=[1, 2])
    line["evidence"][0]["page"] = 3
    write_lines(path, [line])
    async with reviewed(path) as review:
        await review.press("e")
        await review.fill(".question", "How deep may a ship lie?")
        await review.fill(".answer", "  ")
        review.app.screen.query_one("#edit-type", Input).value = "limit"
        await review.fill(".evidence", "nine  metres")
        await review.press("escape", "s")
        at = HARBOUR.index("nine metres")
        wanted: dict[str, Any] = {
            **line,
            "question": "How deep may a ship lie?",
            "evidence": [{"text": "nine metres", "start": at, "end": at + 11, "page": 3}],
            "answer": None,
            "type": "limit",
            "review": {"by": "ada", "at": AT, "verdict": "edited"},
        }
        assert json.loads(read_text(path)) == wanted
        assert "How deep may a ship lie?" in review.words("#review-facts")
        await review.press("u")
        assert json.loads(read_text(path)) == line


async def test_what_was_not_edited_is_the_same_to_the_letter(path: Path) -> None:
    text = "One\r\ntwo\rthree\x0cfour\u2028five\n"
    corpus = Corpus((Document("harbour.md", text),))
    line = generated("g1", "What\r\nnow?", [text[:-1]], text=text, answer="a\rb")
    write_lines(path, [line])
    async with reviewed(path, corpus=corpus) as review:
        await review.press("e", "escape", "s")
        assert "nothing was changed" in review.toasts()[-1]
        assert json.loads(read_text(path)) == line
        await review.press("e")
        review.app.screen.query_one("#edit-type", Input).value = "odd"
        await review.press("escape", "s")
        made = json.loads(read_text(path))
        assert made.pop("review")["verdict"] == "edited"
        assert made == {**line, "type": "odd"}


async def test_evidence_is_added_and_dropped_in_the_form(path: Path) -> None:
    async with reviewed(path) as review:
        await review.press("e", "escape", "n")
        first, second = review.app.screen.query(".evidence").results(TextArea)
        assert review.app.focused is second
        first.text = ""
        second.text = BUOY
        await review.press("escape", "s")
        at = HARBOUR.index(BUOY)
        assert spans(question(path, "g1")) == [Span(at, at + len(BUOY))]


async def test_what_cannot_be_used_is_said_in_the_form(path: Path) -> None:
    before = held(path)
    async with reviewed(path, size=(80, 24)) as review:
        await review.press("e")
        await review.fill(".evidence", "Nobody wrote this.")
        await review.press("ctrl+r")
        assert "evidence 1: stands nowhere in 'harbour.md'" in review.words("#edit")
        await review.fill(".question", " ")
        await review.press("ctrl+r")
        assert "question: blank; type what is asked" in review.words("#edit")
        await review.press("escape", "escape")
        assert "not saved: s saves, Escape drops what you typed" in review.words("#edit")
        assert held(path) == before
        await review.press("escape")
        assert review.app.screen is review.screen
        assert held(path) == before


# --- other programs -------------------------------------------------------------------------------


async def test_a_file_changed_meanwhile_is_read_again_and_not_overwritten(path: Path) -> None:
    async with reviewed(path) as review:
        await review.press("a")
        more = generated("g4", "Is there more?", [BUOY])
        other = write_lines(path, [LINES[1], LINES[2], more])
        await review.press("r")
        assert held(path) == other
        assert list_files(path.parent) == ["golden.jsonl"]
        assert "another program changed it" in review.toasts()[-1]
        assert (review.shown, "1 of 2" in review.text("#review-progress")) == ("g2", True)
        await review.press("u")
        assert held(path) == other
        await review.press("r", "r")
        assert ids(path) == ["own"]


async def test_a_file_that_cannot_be_written_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chunkscope.errors import InputError
    from chunkscope.golden import reviewfile

    def full(*_arguments: object, **_named: object) -> None:
        raise InputError("golden.jsonl: cannot be written (No space left on device)")

    before = held(path)
    async with reviewed(path) as review:
        monkeypatch.setattr(reviewfile, "write_golden", full)
        await review.press("a")
        assert "No space left" in review.toasts()[-1]
        assert review.shown == "g1"
        monkeypatch.undo()
        await review.press("a")
        assert review.shown == "g2"
        await review.press("u")
        assert held(path) == before


async def edited_while_another_writes(path: Path, lines: list[dict[str, Any]]) -> str:
    """What is said when g1 is edited in the form while another program writes `lines`."""
    async with reviewed(path) as review:
        await review.press("e")
        await review.fill(".question", "How deep?")
        write_lines(path, lines)
        await review.press("escape", "s")
        assert question(path, review.shown).question == "How deep?"
        return review.toasts()[-1]


async def test_an_edit_goes_on_top_of_what_another_program_wrote(path: Path) -> None:
    more = generated("g0", "Is there more?", [BUOY])
    said = await edited_while_another_writes(path, [more, *LINES[:2]])
    assert "your form is kept" in said
    assert ids(path) == ["g0", "g1", "own"]
    assert question(path, "g1").question == "How deep?"
    assert question(path, "g0").question == "Is there more?"


async def test_two_edits_of_one_question_are_both_kept(path: Path) -> None:
    theirs = {**LINES[0], "answer": "Theirs."}
    said = await edited_while_another_writes(path, [theirs, *LINES[1:]])
    assert "your form is kept as g1-2" in said
    assert ids(path) == ["g1", "own", "g2", "g3", "g1-2"]
    assert question(path, "g1").answer == "Theirs."
    assert question(path, "g1").question == "How deep may a ship lie?"


async def test_an_edit_of_what_another_program_took_away_is_kept(path: Path) -> None:
    await edited_while_another_writes(path, [*LINES[1:]])
    assert ids(path) == ["own", "g2", "g3", "g1"]
    assert question(path, "g1").extra["review"]["verdict"] == "edited"


async def test_an_edit_that_cannot_be_written_is_not_lost(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chunkscope.errors import InputError
    from chunkscope.golden import reviewfile

    def full(*_arguments: object, **_named: object) -> None:
        raise InputError("golden.jsonl: cannot be written (No space left on device)")

    before = held(path)
    async with reviewed(path) as review:
        await review.press("s", "b")
        wanted = review.span.span
        monkeypatch.setattr(reviewfile, "write_golden", full)
        await review.press("enter")
        assert "No space left" in review.toasts()[-1]
        assert "Try again to write the change." in review.words("#menu")
        await review.press("escape")
        assert review.screen is not review.app.screen
        assert held(path) == before
        monkeypatch.undo()
        await review.press("r")
        assert review.app.screen is review.screen
        assert spans(question(path, "g1")) == [wanted]
        monkeypatch.setattr(reviewfile, "write_golden", full)
        await review.press("s", "b", "enter", "d")
        assert review.app.screen is review.screen
        assert spans(question(path, "g1")) == [wanted]


# --- keys -----------------------------------------------------------------------------------------


def test_no_key_needs_shift_or_a_function_key() -> None:
    plain = {"left", "right", "up", "down", "enter", "escape"}
    for keys in (REVIEW_KEYS, SPAN_KEYS):
        shown = [key.display for key in keys]
        assert len(set(shown)) == len(shown)
        for key in keys:
            first = key.display
            assert first in plain or (len(first) == 1 and first.islower())


async def test_the_help_names_every_key(path: Path) -> None:
    async with reviewed(path, size=(80, 24)) as review:
        await review.press("h")
        assert isinstance(review.app.screen, ReviewHelp)
        said = review.words("#review-help")
        await review.press("end")
        said += review.words("#review-help")
        for key in REVIEW_KEYS:
            assert key.help.split(";")[0].split(",")[0] in said
        await review.press("escape", "s", "h", "pagedown")
        assert isinstance(review.app.screen, ReviewHelp)
        await review.press("escape", "escape")
        assert review.app.screen is review.screen
