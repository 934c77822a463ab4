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


@pytest.fixture
def reading(open_terminal, tmp_path: Path) -> Terminal:
    """An inspector that never comes to the end of its first file."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("Lamps are lit at dusk.\n")
    before = tmp_path / "before"
    before.mkdir()
    # The interpreter imports it when it starts.
    (before / "sitecustomize.py").write_text(HOLD)
    terminal: Terminal = open_terminal(str(docs), size=(120, 40), PYTHONPATH=str(before))
    terminal.see("reading 0 of 1 documents", "Questions and numbers come when all documents are")
    return terminal


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
