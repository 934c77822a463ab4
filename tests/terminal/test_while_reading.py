"""Leaving while documents are read: at once, with its code, the terminal as it was before."""

import signal
from pathlib import Path

import pytest
from pseudo_terminal import Terminal, foreign

HOLD = """
from threading import Event
from chunkscope.text.loading import reader

reader.read_parts = lambda *_arguments: Event().wait()
"""


SAID = ("reading 0 of 1 documents", "Questions and numbers come when all documents are")


@pytest.fixture
def held(tmp_path: Path) -> Path:
    """A folder whose one file is never read to its end, and what sees to that beside it."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.jsonl").write_text('{"text": "Lamps are lit at dusk."}\n')
    before = tmp_path / "before"
    before.mkdir()
    # The interpreter imports it when it starts.
    (before / "sitecustomize.py").write_text(HOLD)
    return docs


@pytest.fixture
def reading(open_terminal, held: Path) -> Terminal:
    """An inspector that is reading."""
    before = str(held.with_name("before"))
    terminal: Terminal = open_terminal(str(held), size=(120, 40), PYTHONPATH=before)
    terminal.see(*SAID)
    return terminal


def test_records_too_are_read_behind_the_first_paint(open_terminal, held: Path) -> None:
    before = str(held.with_name("before"))
    flags = ("--records", "text", "--newline", "lf")
    terminal = open_terminal(str(held), *flags, size=(120, 40), PYTHONPATH=before)
    terminal.see(*SAID)
    terminal.press("q")
    assert terminal.exit_code() == 0


def left(terminal: Terminal) -> str:
    """What is written when the screen is given back."""
    assert terminal.modes() == terminal.modes_before
    assert foreign(terminal.output) == []
    return terminal.output.rpartition("\x1b[?1049l")[2]


def test_q_leaves_while_documents_are_read(reading: Terminal) -> None:
    reading.press("q")
    assert reading.exit_code() == 0
    assert "stopped" not in left(reading)


def test_ctrl_c_stops_the_program_while_documents_are_read(reading: Terminal) -> None:
    reading.send("\x03")
    assert reading.exit_code() == 130
    said = left(reading)
    assert "chunkscope: stopped\n" in said
    assert "Traceback" not in said


def test_a_signal_stops_the_program_while_documents_are_read(reading: Terminal) -> None:
    reading.signal(signal.SIGINT)
    assert reading.exit_code() == 130
    said = left(reading)
    assert "chunkscope: stopped\n" in said
    assert "Traceback" not in said
