"""The inspector, opened on a small corpus."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from inspector_driver import (
    GOLDEN,
    HARBOUR,
    LIGHTS,
    A,
    B,
    Driver,
    Start,
    driven,
    inline_engine,
)

from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.app import InspectorApp
from chunkscope.tui.engine import Engine
from chunkscope.tui.reading import Opening
from chunkscope.tui.screens.main.base import Options
from chunkscope.tui.session import Session


@pytest.fixture
def corpus_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two documents and a golden set; the working folder is another, empty one."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "harbour.md").write_text(HARBOUR, encoding="utf-8", newline="")
    (folder / "lights.txt").write_text(LIGHTS, encoding="utf-8", newline="")
    (tmp_path / "golden.jsonl").write_text(GOLDEN, encoding="utf-8", newline="")
    working = tmp_path / "working"
    working.mkdir()
    monkeypatch.chdir(working)
    return folder


@pytest.fixture
def start(corpus_folder: Path) -> Start:
    """Open the inspector: `async with start(golden=True) as driver`."""

    @asynccontextmanager
    async def open_inspector(
        *,
        paths: tuple[Path, ...] | None = None,
        golden: bool | Path = True,
        size: tuple[int, int] = (120, 40),
        a: Configuration = A,
        b: Configuration = B,
        engine: Engine | None = None,
        question: str | None = None,
        evidence: tuple[str, ...] = (),
        ascii_marks: bool = False,
        theme: str | None = None,
        options: Options | None = None,
        settle: bool = True,
    ) -> AsyncIterator[Driver]:
        path = corpus_folder.parent / "golden.jsonl" if golden is True else golden or None
        opening = Opening(paths or (corpus_folder,), path, None, question, evidence)
        session = Session(opening.paths, {"A": a, "B": b}, golden_path=path)
        options = options or Options(ascii_marks)
        app = InspectorApp(
            session, opening, engine=engine or inline_engine(), options=options, theme=theme
        )
        async with driven(app, size=size, settle=settle) as driver:
            yield driver

    return open_inspector
