"""Of many files the names and the first document are told before the others are read."""

import random
from pathlib import Path

import pytest
from inspector_driver import inline_engine

from chunkscope.text.document import Skipped
from chunkscope.text.loading.load import load_corpus
from chunkscope.tui import messages
from chunkscope.tui.aheadmessages import CorpusListed, DocumentAhead
from chunkscope.tui.reading import Opening
from chunkscope.tui.views.documents import DocumentLines, Line, corpus_lines


async def test_the_first_document_comes_before_the_others(tmp_path: Path) -> None:
    (tmp_path / "0.jsonl").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    for number in range(1000):
        (tmp_path / f"{number:04}.txt").write_bytes(b"lamp")
    heard: list[object] = []
    engine = inline_engine()
    engine.attach(heard.append)
    await engine.load(Opening((tmp_path,)))
    kinds = [type(one) for one in heard]
    assert kinds[:2] == [CorpusListed, messages.LoadProgress]
    listed, first, loaded = (
        next(one for one in heard if isinstance(one, kind))
        for kind in (CorpusListed, DocumentAhead, messages.CorpusLoaded)
    )
    assert heard.index(first) < heard.index(loaded)
    assert [listed.lines[row].name for row in range(3)] == ["0.jsonl", "0000.txt", "0001.txt"]
    assert listed.wanted == 0
    assert (first.position, first.found.id) == (1, "0000.txt")
    heard.clear()
    await engine.load(Opening((tmp_path,)))
    assert {type(one) for one in heard} == {messages.LoadProgress, messages.CorpusLoaded}


async def test_the_document_that_was_left_open_comes_first(tmp_path: Path) -> None:
    for number in range(1000):
        (tmp_path / f"{number:04}.txt").write_bytes(b"lamp")
    heard: list[object] = []
    engine = inline_engine()
    engine.attach(heard.append)
    await engine.load(Opening((tmp_path,), first="0321.txt"))
    listed, first = heard[0], heard[1]
    assert isinstance(listed, CorpusListed)
    assert listed.wanted == 321
    assert isinstance(first, DocumentAhead)
    assert (first.position, first.found.id) == (321, "0321.txt")
    loaded = next(one for one in heard if isinstance(one, messages.CorpusLoaded))
    # It is read once.
    assert loaded.corpus.documents[321] is first.found


async def test_few_files_are_read_at_once(corpus_folder: Path) -> None:
    heard: list[object] = []
    engine = inline_engine()
    engine.attach(heard.append)
    await engine.load(Opening((corpus_folder,)))
    assert {type(one) for one in heard} == {messages.LoadProgress, messages.CorpusLoaded}


IDS = ["a.md", "b/c.md", "b/d/e.md", "b/d/f.md", "b/g.md", "h/d/i.md"]
LINES = [
    Line(0, "a.md", 0),
    Line(0, "b", None),
    Line(1, "c.md", 1),
    Line(1, "d", None),
    Line(2, "e.md", 2),
    Line(2, "f.md", 3),
    Line(1, "g.md", 4),
    Line(0, "h", None),
    Line(1, "d", None),
    Line(2, "i.md", 5),
]


def test_every_folder_stands_once_above_its_documents(corpus_folder: Path) -> None:
    lines = DocumentLines(IDS)
    assert list(lines) == LINES
    assert [lines.row_of(position) for position in range(-1, 7)] == [None, 0, 2, 4, 5, 6, 9, None]
    assert list(DocumentLines(())) == []
    assert list(DocumentLines((), [Skipped("x", "why")])) == [
        Line(0, "skipped", None),
        Line(1, "x", None, "why"),
    ]
    (corpus_folder / ".hidden").write_bytes(b"")
    assert list(corpus_lines(load_corpus([corpus_folder]))) == [
        Line(0, "harbour.md", 0),
        Line(0, "lights.txt", 1),
        Line(0, "skipped", None),
        Line(1, ".hidden", None, "a hidden file"),
    ]


def plain_lines(ids: list[str]) -> list[Line]:
    """Folders and documents, every id taken apart."""
    lines: list[Line] = []
    above: list[str] = []
    for position, name in enumerate(ids):
        *folders, last = name.split("/")
        for depth, folder in enumerate(folders):
            if folders[: depth + 1] != above[: depth + 1]:
                lines.append(Line(depth, folder, None))
        above = folders
        lines.append(Line(len(folders), last, position))
    return lines


@pytest.mark.parametrize("seed", range(10))
def test_lines_made_when_looked_at_are_those_made_at_once(seed: int) -> None:
    chance = random.Random(seed)
    names = {"/".join(chance.choices("abc", k=chance.randint(1, 4))) + ".md" for _ in range(60)}
    ids = sorted(names)
    lines, expected = DocumentLines(ids), plain_lines(ids)
    assert len(lines) == len(expected)
    assert list(lines) == expected
    for row, line in enumerate(expected):
        if line.position is not None:
            assert lines.row_of(line.position) == row
