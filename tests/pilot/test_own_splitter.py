"""A splitter of one's own whose file changes while the inspector runs."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from inspector_driver import HARBOUR, A, B, Driver, Start

from chunkscope.evaluation.configuration import Configuration

KIND = "harbour_cutter:split"
OWN = replace(A, splitter=replace(A.splitter, kind=KIND, unit="characters"))
LINES = "def split(text):\n    return [line for line in text.split('\\n') if line]\n"
HALVES = "def split(text):\n    half = len(text) // 2\n    return [text[:half], text[half:]]\n"
BROKEN = "def split(text):\n    return [\n"
FAILING = "def split(text):\n    parts = text.split('\\n')\n    return [parts[10_000]]\n"


@pytest.fixture
def module(corpus_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of the splitter, importable."""
    path = corpus_folder.parent / "working" / "harbour_cutter.py"
    write(path, LINES)
    monkeypatch.syspath_prepend(str(path.parent))
    yield path
    sys.modules.pop("harbour_cutter", None)


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")


def chunks(driver: Driver, variant: str = "A") -> list[str]:
    cuts = driver.session.visible_cuts[variant]
    return [HARBOUR[s:e] for s, e in zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True)]


async def looked(driver: Driver) -> None:
    """Look at the files, as the clock does, and wait for what follows."""
    driver.main.check_files()
    await driver.until(lambda: not driver.main.taking_in)


async def test_a_changed_splitter_is_imported_and_cuts_anew(start: Start, module: Path) -> None:
    async with start(a=OWN) as driver:
        assert chunks(driver) == [line for line in HARBOUR.split("\n") if line]
        before = driver.session.numbers
        write(module, HALVES)
        await looked(driver)
        await driver.settle()
        half = len(HARBOUR) // 2
        assert chunks(driver) == [HARBOUR[:half], HARBOUR[half:]]
        assert driver.session.numbers is not before
        assert driver.session.numbers.evaluations["A"].statistics.count == 4
        said = " ".join(driver.toasts())
        assert "harbour_cutter.py changed on the disk" in said
        assert f"{KIND} is imported again" in said
        assert " A 2 " in driver.text("#document-frame")


async def test_nothing_is_imported_while_nothing_changes(start: Start, module: Path) -> None:
    async with start(a=OWN) as driver:
        generation, code = driver.session.generation, sys.modules["harbour_cutter"]
        await looked(driver)
        await looked(driver)
        assert driver.session.generation == generation
        assert sys.modules["harbour_cutter"] is code


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_file_that_cannot_be_imported_is_named_with_its_line(
    start: Start, module: Path, size: tuple[int, int]
) -> None:
    async with start(a=OWN, size=size) as driver:
        before = chunks(driver)
        write(module, BROKEN)
        await looked(driver)
        await driver.settle()
        notice = driver.words("#notice")
        assert "SyntaxError" in notice
        assert "harbour_cutter.py,line2)" in notice.replace(" ", "")
        assert "reloading.py" not in notice
        assert "What is shown was cut before that." in notice
        assert chunks(driver) == before
        await looked(driver)
        await driver.press("v")
        assert "SyntaxError" in driver.words("#notice")
        write(module, HALVES)
        await looked(driver)
        await driver.settle()
        assert len(chunks(driver)) == 2
        assert not driver.app.screen.query_one("#notice").display


async def test_a_splitter_that_fails_is_a_line_and_is_taken_up_when_mended(
    start: Start, module: Path
) -> None:
    async with start(a=OWN, size=(80, 24)) as driver:
        before = chunks(driver)
        write(module, FAILING)
        await looked(driver)
        await driver.until(lambda: any("IndexError" in toast for toast in driver.toasts()))
        said = next(toast for toast in driver.toasts() if "IndexError" in toast)
        assert "harbour_cutter.py" in " ".join(said.split())
        assert "line 3" in " ".join(said.split())
        assert "IndexError" in driver.words("#notice")
        assert chunks(driver) == before
        write(module, HALVES)
        await looked(driver)
        await driver.settle()
        assert len(chunks(driver)) == 2
        assert not driver.app.screen.query_one("#notice").display


async def test_a_kind_used_before_is_watched_too(start: Start, module: Path) -> None:
    async with start(a=OWN) as driver:
        await driver.press("t", "s")
        driver.session.change("B", B)
        driver.main.request()
        await driver.settle()
        write(module, HALVES)
        await looked(driver)
        await driver.settle()
        driver.session.change("A", OWN)
        driver.main.request()
        await driver.settle()
        assert len(chunks(driver)) == 2


@pytest.mark.parametrize("kind", [f"markdown+{KIND}"])
async def test_the_second_of_two_stages(start: Start, module: Path, kind: str) -> None:
    staged: Configuration = replace(OWN, splitter=replace(OWN.splitter, kind=kind))
    async with start(a=staged) as driver:
        before = chunks(driver)
        write(module, HALVES)
        await looked(driver)
        await driver.settle()
        assert chunks(driver) != before
        assert len(chunks(driver)) == 6


async def test_ones_own_is_chosen_again_from_the_list(start: Start, module: Path) -> None:
    async with start(a=OWN) as driver:
        field = driver.app.screen.query_one("#splitter-kind-A")
        field.focus()
        await driver.press("enter")
        await driver.type("sentence")
        await driver.press("down", "up", "enter")
        assert driver.session.configurations["A"].splitter.kind == "sentence"
        for variant in ("A", "B"):
            driver.app.screen.query_one(f"#splitter-kind-{variant}").focus()
            await driver.press("enter")
            await driver.type("harbour")
            assert KIND in driver.text("#pick")
            await driver.press("enter")
            assert driver.session.configurations[variant].splitter.kind == KIND
        assert chunks(driver, "B") == [line for line in HARBOUR.split("\n") if line]


async def test_ones_own_is_typed_whole(start: Start, module: Path) -> None:
    async with start() as driver:
        field = driver.app.screen.query_one("#splitter-kind-A")
        field.focus()
        await driver.press("enter")
        assert "your own module:object" in driver.text("#pick")
        driver.app.screen.query_one("#pick Field").value = KIND
        await driver.settle()
        assert driver.text("#pick LineList").split() == [f"▸{KIND}"]
        await driver.press("enter")
        assert driver.session.configurations["A"].splitter.kind == KIND
        assert chunks(driver) == [line for line in HARBOUR.split("\n") if line]
        driver.app.screen.query_one("#splitter-kind-B").focus()
        await driver.press("enter")
        driver.app.screen.query_one("#pick Field").value = "no such kind"
        await driver.press("enter")
        assert driver.session.configurations["B"] == B
