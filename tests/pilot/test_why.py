"""Why questions fail: mending, the panels Diagnosis, Health and Compare."""

from inspector_driver import B, Driver, Start
from textual.content import Content

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.compare import compare
from chunkscope.evaluation.diagnosis import diagnose
from chunkscope.evaluation.health import check_health
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.mending import mend
from chunkscope.tui.widgets.line_list import LineList
from chunkscope.tui.widgets.paragraph import broken


def cells(driver: Driver, selector: str) -> list[str]:
    rows = (line.replace("▸", " ").replace("▕", " ").split() for line in driver.lines(selector)[1:])
    return [" ".join(row) for row in rows if row]


async def test_mend_previews_the_cheapest_in_b_and_lists_the_others(start: Start) -> None:
    async with start(size=(120, 40)) as driver:
        await driver.press("x")
        a, questions = driver.session.configurations["A"], driver.session.questions
        mends = mend(CorpusIndex(driver.session.corpus), a, questions, "draught", CancelToken())
        await driver.press("m")
        await driver.until(lambda: driver.main.mends is not None)
        await driver.settle()
        assert driver.session.configurations["B"] == mends[0].configuration
        assert driver.session.shown == "B"
        said = driver.toasts()[-1]
        assert f"B is {mends[0].change} now: a hit, {mends[0].context_after:.0f} (" in said
        broken = mends[0].lost
        assert (f"it breaks {len(broken)} ({broken[0]}" if broken else "breaks no other") in said
        assert "u gives back the B before" in said
        shown = cells(driver, "#mends")
        assert shown[0].startswith(f"B {mends[0].change} {mends[0].context_after:.0f} (")
        driver.app.screen.query_one("#mends", LineList).focus()
        await driver.press("down", "enter")
        assert driver.session.configurations["B"] == mends[1].configuration
        assert f"B is {mends[1].sentence} now" in driver.toasts()[-1]


async def test_mend_says_what_cannot_be_mended(start: Start) -> None:
    async with start() as driver:
        await driver.press("m")
        assert "choose a question first" in driver.toasts()[-1]
        before = driver.session.configurations["B"]
        driver.main.choose_question(2)
        await driver.press("m")
        await driver.until(lambda: driver.main.mends is not None)
        assert "its evidence stands in no open document" in driver.toasts()[-1]
        assert driver.session.configurations["B"] == before


async def test_diagnosis_counts_signatures_and_filters_by_them(start: Start) -> None:
    async with start() as driver:
        await driver.press("5")
        await driver.until(lambda: driver.main.diagnosed is not None)
        await driver.pilot.pause()
        index, runs = CorpusIndex(driver.session.corpus), driver.session.numbers.evaluations
        a, b = (diagnose(index, runs[variant]) for variant in ("A", "B"))
        rows = cells(driver, "#signatures")
        assert rows[0] == f"all {len(a.questions)} {len(b.questions)}"
        for name in ("unmeasured", "split"):
            assert f"{name} {a.totals[name]} {b.totals[name]}" in rows
        assert len(cells(driver, "#diagnosed")) == len(a.questions) == 2
        driver.app.screen.query_one("#signatures", LineList).focus()
        at = next(number for number, row in enumerate(rows) if row.startswith("split"))
        await driver.press(*["down"] * at)
        assert cells(driver, "#diagnosed") == ["✂ split split What is the largest draught?"]
        assert a.questions[0].sentence[:30] in driver.words("#proof")
        assert "m: what would mend it" in driver.words("#proof")
        await driver.press("enter", "enter")
        assert driver.session.question == 0
        assert driver.app.focused is driver.main.document_view


async def test_diagnosis_follows_a_change(start: Start) -> None:
    async with start() as driver:
        await driver.press("5")
        await driver.until(lambda: driver.main.diagnosed is not None)
        first = driver.main.diagnosed
        await driver.press("l", "l", "l")
        await driver.until(lambda: driver.main.diagnosed.generation == driver.session.generation)
        assert driver.main.diagnosed is not first


async def test_health_counts_both_and_goes_to_examples(start: Start) -> None:
    async with start() as driver:
        await driver.press("6")
        await driver.until(lambda: driver.main.checked is not None)
        await driver.pilot.pause()
        chunks, configurations = driver.session.chunk_sets, driver.session.configurations
        a, b = (check_health(chunks[v], configurations[v]) for v in ("A", "B"))
        name = next(f.name for f in a.findings if f.count or b.finding(f.name).count)
        finding = a.finding(name)
        row = cells(driver, "#findings")[0]
        assert row.endswith(f"{finding.count} {b.finding(name).count}")
        assert f"A: {finding.count} of {finding.of} chunks" in driver.words("#health-mend")
        await driver.press("enter")
        first, second = finding.examples[:2]
        assert driver.session.open_document.id == first.doc
        assert driver.main.document_view.cursor_offset == first.at
        await driver.press("enter")
        assert driver.main.document_view.cursor_offset == second.at
        assert driver.app.focused is driver.app.screen.query_one("#findings")


async def test_compare_names_the_cost_and_the_steps(start: Start) -> None:
    async with start() as driver:
        await driver.press("7")
        await driver.until(lambda: driver.main.compared is not None)
        await driver.pilot.pause()
        assert "what differs comes of this one setting" in driver.words("#compared")
        assert len(cells(driver, "#steps")) == 2
        await driver.press("v", "p")
        await driver.until(lambda: driver.main.compared.generation == driver.session.generation)
        await driver.pilot.pause()
        runs = driver.session.numbers.evaluations
        made = compare(runs["A"], runs["B"])
        said = driver.words("#compared")
        assert "2 settings differ, so no difference can be put down to one of them" in said
        moved = made.migration
        assert f"{moved.kept:,} chunks kept, {moved.changed:,} changed, {moved.new:,} new" in said
        assert f"{moved.tokens_to_embed:,} tokens to embed" in said
        assert [row.split()[0] for row in cells(driver, "#steps")] == ["A", "1", "B"]
        await driver.press("down", "enter")
        assert driver.session.configurations["B"] == made.steps[0] == B


async def test_compare_says_why_it_cannot(start: Start) -> None:
    async with start() as driver:
        field = driver.app.screen.query_one("#retriever-k-B")
        field.focus()
        field.value = "3"
        await driver.settle()
        await driver.press("escape", "7")
        await driver.until(lambda: driver.main.refused is not None)
        await driver.pilot.pause()
        assert "A and B have not the same k" in driver.words("#steps")


async def test_panels_of_nothing_say_so(start: Start) -> None:
    async with start(golden=False, size=(80, 24)) as driver:
        await driver.press("5", "z")
        await driver.until(lambda: driver.main.diagnosed is not None)
        await driver.pilot.pause()
        assert "No question failed in A." in driver.text("#diagnosed")


def test_a_paragraph_breaks_at_spaces_and_keeps_roles() -> None:
    lines = broken([("one two ", "a"), ("three fourfourfour", "b")], 8)
    texts = ["".join(text for text, _role in line) for line in lines]
    assert [text.rstrip() for text in texts] == [" one two", " three", " fourfou", " rfour"]
    assert all(Content(text).cell_length <= 8 for text in texts)
    assert ("two", "a") in lines[0]
    assert ("three", "b") in lines[1]
