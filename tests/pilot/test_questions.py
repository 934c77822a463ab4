"""Questions: their table, the next of a kind, evidence in the text, what is retrieved."""

from dataclasses import replace

import pytest
from inspector_driver import HARBOUR, A, B, Start

from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.tui.views.retrieved import words_in
from chunkscope.tui.widgets.line_list import LineList

EVIDENCE = "The largest draught is nine metres. Above that the tide decides."


async def test_the_table_shows_verdict_and_rank_of_a_and_b(start: Start) -> None:
    async with start() as driver:
        rows = driver.lines("#questions")
        assert rows[0].split()[:3] == ["no.", "A", "rank"]
        assert "✂ split" in rows[1]
        assert "✓ hit" in rows[1]
        assert "+1.00 won" in rows[1]
        assert "What is the largest draught?" in rows[1]
        assert rows[2].count("✓ hit") == 2
        assert rows[3].count("? unmeasured") == 2


async def test_the_next_cut_opens_its_document_and_shows_the_cut(start: Start) -> None:
    async with start() as driver:
        await driver.press("c")
        assert driver.session.question == 0
        assert driver.session.open_document.id == "harbour.md"
        result = driver.session.result("A")
        assert result.verdict == "split"
        lines = driver.lines("#question")
        assert "What is the largest draught?" in lines[0]
        said = " ".join(driver.words("#question").split())
        assert f"✂ split · {result.reason}" in said
        assert "✓ hit rank 1" in lines[-1]
        document = driver.text("#document")
        assert "✂" in document
        start_of_evidence = HARBOUR.index(EVIDENCE)
        cursor = driver.main.document_view.cursor_offset
        assert start_of_evidence < cursor < start_of_evidence + len(EVIDENCE)
        assert cursor in driver.session.visible_cuts["A"].ends.tolist()


async def test_next_miss_goes_around(start: Start) -> None:
    async with start() as driver:
        await driver.press("x")
        assert driver.session.question == 0
        await driver.press("x")
        assert driver.session.question == 0


async def test_next_difference_between_a_and_b(start: Start) -> None:
    async with start() as driver:
        await driver.press("b")
        assert driver.session.question == 0
        await driver.press("v", "v", "v")
        assert "A → B" in driver.lines("#questions")[0]


async def test_nothing_of_a_kind_is_said(start: Start) -> None:
    async with start() as driver:
        await driver.press("v", "c")
        assert driver.session.question is None
        assert "no evidence is cut in B" in driver.toasts()[-1]


async def test_moving_in_the_table_chooses_and_enter_goes_to_the_text(start: Start) -> None:
    async with start() as driver:
        await driver.press("1", "down")
        assert driver.session.question == 1
        assert driver.session.open_document.id == "lights.txt"
        assert driver.lines("#document-frame")[0].startswith("╭─ lights.txt · A ")
        await driver.press("enter")
        assert driver.app.focused is driver.main.document_view


async def test_retrieved_chunks_stand_side_by_side_with_scores(start: Start) -> None:
    async with start() as driver:
        await driver.press("x", "2")
        for variant in ("A", "B"):
            result = driver.session.result(variant)
            rows = driver.lines(f"#retrieved-{variant}")
            for row, found in zip(rows, result.retrieved, strict=False):
                assert f"{found.score:.2f}" in row
        assert "holds" in driver.lines("#retrieved-B")[0]
        assert "touches" in driver.lines("#retrieved-A")[0]
        assert "holds" not in driver.text("#retrieved-A")


async def test_why_a_chunk_ranks_is_explained_by_its_words(start: Start) -> None:
    async with start() as driver:
        await driver.press("x", "2")
        await driver.until(lambda: bool(driver.main.terms))
        first = driver.session.result("B").retrieved[0].chunk
        term, share = driver.main.terms["B", first][0]
        assert f"first: {term} {share:.2f}"[:16] in driver.text("#retrieved-verdict-B")


async def test_enter_on_a_retrieved_chunk_goes_to_it(start: Start) -> None:
    async with start() as driver:
        await driver.press("x", "2", "down", "enter")
        result = driver.session.result("A")
        chunks = driver.session.numbers.evaluations["A"].chunks
        chunk = result.retrieved[1].chunk
        document, _index = chunks.locate(chunk)
        assert driver.session.document == document
        assert driver.main.document_view.cursor_offset == int(chunks.starts[chunk])


async def test_documents_count_chunks_and_misses(start: Start) -> None:
    async with start() as driver:
        rows = driver.lines("#documents")
        sets = driver.session.chunk_sets["A"]
        harbour = next(row for row in rows if "harbour.md" in row)
        assert harbour.split()[-3:-1] == [str(len(sets.cuts[0])), "✗1"]
        await driver.press("v")
        harbour = next(row for row in driver.lines("#documents") if "harbour.md" in row)
        assert "✗" not in harbour


async def test_opening_a_document_shows_its_chunks(start: Start) -> None:
    async with start() as driver:
        await driver.press("d", "down", "escape", "4")
        assert driver.session.open_document.id == "lights.txt"
        rows = [row for row in driver.lines("#chunks")[1:] if row.strip()]
        cuts = driver.session.visible_cuts["A"]
        assert len(rows) == len(cuts)
        assert rows[0].split()[1:4] == ["0", "0", str(int(cuts.ends[0]))]


async def test_without_a_golden_set_there_is_a_hint_and_no_number(start: Start) -> None:
    async with start(golden=False) as driver:
        assert "Press a to ask a question" in driver.words("#questions")
        metrics = driver.lines("#metrics")
        recall = next((line for line in metrics if "recall" in line), "")
        assert "0." not in recall
        assert "no golden set: a asks" in driver.text("#question")


async def test_mend_previews_the_cheapest_setting_that_hits_in_b(start: Start) -> None:
    async with start() as driver:
        await driver.press("x", "m")
        await driver.settle()
        b = driver.session.configurations["B"]
        assert driver.session.result("B").verdict == "hit"
        assert b == replace(A, enrich=replace(A.enrich, parent="80"))
        assert "B is parent none → 80 now: a hit" in driver.toasts()[-1]
        assert driver.session.configurations["A"].splitter.size == 40


@pytest.mark.parametrize(("size", "rows"), [((120, 40), 4), ((80, 24), 1)])
async def test_the_chosen_question_has_its_lines_at_every_size(
    start: Start, size: tuple[int, int], rows: int
) -> None:
    async with start(size=size) as driver:
        await driver.press("x")
        lines = driver.lines("#question")
        assert len(lines) == rows
        assert any("✂ split" in line for line in lines)


async def test_the_questions_words_stand_out_in_what_is_retrieved(start: Start) -> None:
    async with start(size=(200, 60)) as driver:
        await driver.press("x", "2")
        await driver.until(lambda: bool(driver.main.terms))
        await driver.pilot.pause()
        rows = driver.app.screen.query_one("#retrieved-B", LineList)
        strip = rows.render_line(0)
        marked = [s.text for s in strip if s.style is not None and s.style.underline]
        terms = driver.main.terms["B", driver.session.result("B").retrieved[0].chunk]
        assert marked
        assert {word.casefold() for word in marked} <= {term for term, _share in terms}
        assert f"on: {terms[0][0]} {terms[0][1]:.2f}" in driver.text("#retrieved-text-B")


async def test_the_chunk_with_the_evidence_is_listed_when_others_won(start: Start) -> None:
    one = replace(A, splitter=B.splitter, retriever=RetrieverSettings(k=(1,)))
    asked = "lamps and the tower the keeper climbs twice, ninety steps"
    evidence = ("Lamps are lit at dusk.",)
    async with start(
        a=one, b=one, size=(120, 40), golden=False, question=asked, evidence=evidence
    ) as driver:
        await driver.press("2")
        await driver.until(lambda: bool(driver.main.terms))
        await driver.pilot.pause()
        result = driver.session.result("A")
        (outcome,) = result.outcomes
        rows = [line.split() for line in driver.lines("#retrieved-A") if line.strip()]
        assert rows[1][0] == str(outcome.rank)
        assert rows[1][2] == "holds"
        await driver.press("down", "enter")
        chunks = driver.session.numbers.evaluations["A"].chunks
        assert driver.main.document_view.cursor_offset == chunks.starts[outcome.chunk]


def test_words_are_whole_and_of_any_case() -> None:
    text = "The tower, a TOWER; towers. 港口の塔"
    found = [text[start:end] for start, end in words_in(text, ["tower", "塔", "a"])]
    assert found == ["tower", "a", "TOWER", "塔"]
    assert words_in("(a+b)* a.c", ["a.c"]) == ((7, 10),)
    assert words_in("text", []) == ()
    found = [text[start:end] for start, end in words_in(text, ["tower, towers → tower"])]
    assert found == ["tower", "TOWER", "towers"]
