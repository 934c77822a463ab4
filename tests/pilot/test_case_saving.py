"""The chosen question saved as a case, and the inspector opened on it again."""

import json
from pathlib import Path

import pytest
from inspector_driver import GOLDEN, A, B, Start, driven, inline_engine, list_files, read_text

from chunkscope.evaluation.casefile import read_case
from chunkscope.evaluation.casereplay import replay_case
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.text.loading.load import load_corpus
from chunkscope.tui.app import InspectorApp
from chunkscope.tui.palette import commands
from chunkscope.tui.reading import Opening
from chunkscope.tui.screens.case import CaseScreen
from chunkscope.tui.screens.main.base import Options
from chunkscope.tui.session import Session


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_chosen_failure_is_one_file(
    start: Start, corpus_folder: Path, size: tuple[int, int]
) -> None:
    async with start(size=size) as driver:
        await driver.press("x", "t", "h")
        shown = driver.words("#case")
        assert "What is the largest draught?" in shown
        assert "cases/draught.case.json" in shown
        assert "[x] with text" in shown
        assert "[ ] without" in shown
        await driver.press("s")
        assert driver.app.screen is driver.main
        assert list_files("cases") == ["draught.case.json"]
        said = driver.toasts()[-1]
        assert "case saved to cases/draught.case.json" in said
        assert "chunkscope case cases/draught.case.json" in said
        case = read_case(Path("cases/draught.case.json"))
        assert (case.a.configuration, case.b.configuration) == (A, B)
        lines = [driver.session.result(variant) for variant in ("A", "B")]
        assert [v.verdict for _letter, v in case.variants] == [line.verdict for line in lines]
        assert case.a.verdict == "split"
        assert [(c.doc, c.start, c.end) for c in case.a.retrieved] == [
            (
                driver.session.corpus.documents[int(chunks.documents[entry.chunk])].id,
                int(chunks.starts[entry.chunk]),
                int(chunks.ends[entry.chunk]),
            )
            for chunks in [driver.session.numbers.evaluations["A"].chunks]
            for entry in lines[0].retrieved
        ]
        assert case.evidence[0].places[0].text.startswith("The largest draught is nine metres.")
        assert case.corpus == driver.session.corpus.fingerprint
    folder = corpus_folder.parent / "working" / "cases"
    corpus = load_corpus([folder / name for name in case.paths], exclude=[folder / case.golden])
    assert read_text(folder / case.golden) == GOLDEN
    assert replay_case(case, CorpusIndex(corpus)).as_seen


async def test_without_text_nothing_of_the_documents_is_in_the_file(start: Start) -> None:
    async with start() as driver:
        await driver.press("x", "t", "h", "x")
        assert "[x] without" in driver.words("#case")
        await driver.press("enter")
        written = read_text("cases/draught.case.json")
        assert json.loads(written)["texts"] is False
        assert "nine metres" not in written
        assert "tide decides" not in written


async def test_a_file_that_is_there_is_replaced_only_when_asked_twice(start: Start) -> None:
    path = Path("kept.json")
    write(path, "mine")
    async with start() as driver:
        await driver.press("x", "t", "h", "f")
        field = driver.app.screen.query_one("#case-file")
        field.value = ""
        await driver.type("kept.json")
        await driver.press("enter")
        assert read_text(path) == "mine"
        assert "kept.json is there already: s again replaces it" in driver.toasts()[-1]
        assert isinstance(driver.app.screen, CaseScreen)
        await driver.press("s")
        assert read_case(path).id == "draught"
        assert list_files() == ["kept.json"]


async def test_a_file_that_cannot_be_written_is_said_and_the_screen_stays(start: Start) -> None:
    write(Path("taken"), "a file, no folder")
    async with start() as driver:
        await driver.press("x", "t", "h")
        driver.app.screen.query_one("#case-file").value = "taken/x.json"
        await driver.press("s")
        assert "taken" in driver.toasts()[-1]
        assert "name another folder" in driver.toasts()[-1]
        assert isinstance(driver.app.screen, CaseScreen)
        await driver.press("escape")
        assert driver.app.screen is driver.main


async def test_nothing_chosen_or_nothing_measured_is_said(start: Start) -> None:
    async with start() as driver:
        await driver.press("t", "h")
        assert "choose a question first" in driver.toasts()[-1]
        assert driver.app.screen is driver.main


async def test_a_case_among_the_documents_does_not_become_one(
    start: Start, corpus_folder: Path
) -> None:
    async with start() as driver:
        before = driver.session.corpus
        await driver.press("x", "t", "h")
        driver.app.screen.query_one("#case-file").value = str(corpus_folder / "one.case.json")
        await driver.press("s")
        assert "one.case.json" in list_files(corpus_folder)
        driver.main.check_files()
        assert not driver.main.reloading
        driver.main.action_reload()
        await driver.until(lambda: not driver.main.reloading)
        assert driver.session.corpus is before


async def test_a_reopened_case_is_saved_and_read_again_as_it_was(
    corpus_folder: Path, start: Start
) -> None:
    """Its golden set stands among the documents and is none of them."""
    golden = corpus_folder / "golden.jsonl"
    write(golden, GOLDEN)
    async with start(golden=golden) as driver:
        await driver.press("x", "t", "h", "s")
    file = Path("cases/draught.case.json")
    case = read_case(file)
    assert case.golden == "../../docs/golden.jsonl"
    corpus = load_corpus([corpus_folder], exclude=[golden])
    found = replay_case(case, CorpusIndex(corpus))
    opening = Opening(
        (corpus_folder,), None, corpus, brought=found.located, exclude=(file,), case_golden=golden
    )
    session = Session((corpus_folder,), {"A": A, "B": B})
    app = InspectorApp(session, opening, engine=inline_engine(), options=Options())
    async with driven(app) as driver:
        assert driver.session.chosen.question.id == "draught"
        driver.main.action_reload()
        await driver.until(lambda: not driver.main.reloading)
        assert "nothing changed" in driver.toasts()[-1]
        await driver.press("t", "h")
        driver.app.screen.query_one("#case-file").value = "again.json"
        await driver.press("s")
    assert read_case(Path("again.json")).a == case.a
    assert read_case(Path("again.json")).golden == "../docs/golden.jsonl"


async def test_the_palette_offers_it(start: Start) -> None:
    async with start() as driver:
        found = commands(driver.session, driver.main.options.keys, ())
        assert [each.action for each in found if "save a case" in each.title] == ["save_case"]
