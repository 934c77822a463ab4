"""The whole program on a real terminal: what it is fed never acts on the terminal.

Every byte it writes is read. Nothing but what Textual itself draws with may be in it, and the
terminal is as it was before when the program has ended.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hostile import CLIPBOARD, ONE_LINE, write_corpus
from pseudo_terminal import PATIENCE, Terminal, foreign, tokens

SIZES = [(80, 24), (120, 40)]
SMALL = ("--size", "40", "--overlap", "10%", "--unit", "characters")
# A document's name may hold the bare words.
VERDICT = re.compile(r"[✓✗] (?:hit|missed)|\d unmeasured")
# A terminal that obeys what is pasted cannot be helped; those that exist take Escape out of it.
PROBE = "¤"
PASTED = re.sub(r"[\x1b\x00\u2028\u2029\x85\x0b-\x0f]", "", ONE_LINE)


def check_left_clean(terminal: Terminal) -> None:
    """The program has ended, and all that is left of it is what it was asked for."""
    assert terminal.exit_code() == 0
    output = terminal.output
    assert foreign(output) == []
    assert output.count("\x1b[?1049h") == output.count("\x1b[?1049l") == 1
    left = output.index("\x1b[?1049l")
    assert "".join(t.text for t in tokens(output[left:]) if t.kind != "csi").strip() == ""
    for mode in ("1000", "1003", "1004", "1006", "1015", "2004"):
        assert output.rindex(f"\x1b[?{mode}l") > output.rindex(f"\x1b[?{mode}h"), mode
    assert output.rindex("\x1b[?25h") > output.rindex("\x1b[?25l")
    assert output.rindex("\x1b[?7h") > output.rindex("\x1b[?7l")
    assert terminal.modes() == terminal.modes_before
    clipboard = [t.text for t in tokens(output) if t.text.startswith("\x1b]52")]
    assert clipboard
    assert not [text for text in clipboard if CLIPBOARD in text]


def visit_everything(terminal: Terminal) -> None:
    """Through every panel and dialog by keys, waiting for what each of them shows."""
    terminal.see("1 Questions")
    terminal.until("a verdict", lambda: VERDICT.search(terminal.screen))
    for _ in range(3):
        terminal.press("x")
    terminal.press("c", "b")
    for panel in ("2", "3", "4", "5", "6", "7", "1"):
        # Typed ahead, Enter would still be the document's.
        terminal.redrawn(panel)
        terminal.press("down", "down", "up", "end", "home", "enter", "z", "z")
    # Help was not opened on the way: once it stands there, every key typed ahead has done its work.
    terminal.insist("h", "Help")
    terminal.press("end", "escape")
    terminal.unsee("Help")
    terminal.press("g")
    terminal.see("Go to")
    paste(terminal, PASTED, label="Go to")
    terminal.press("enter")
    terminal.see("not a place")
    terminal.press("escape")
    terminal.unsee("Go to")
    terminal.press("f")
    terminal.see("Find  ")
    paste(terminal, PASTED, label="Find  ")
    terminal.see("not in this document")
    terminal.press("enter", "escape")
    terminal.unsee("Find  ")
    terminal.press("l", "o", "p", "v", "v", "v", "t")
    terminal.see("Tools")
    terminal.press("down", "end", "escape")
    terminal.unsee("Tools")
    terminal.press("e")
    terminal.see("Export")
    terminal.see("▸langchain", "langchain_text_splitters")
    terminal.press("right", "right", "left")
    terminal.see("▸llama-index")
    terminal.press("f")
    paste(terminal, PASTED, label="File ")
    leave(terminal, "Export")
    terminal.press("d", "down", "down", "up", "escape", "s", "down", "down", "escape")
    terminal.press("y")
    terminal.see("copied")


def paste(terminal: Terminal, text: str, label: str) -> None:
    """Paste into the field at or beneath a label, as soon as what is typed arrives there."""

    def typed() -> list[int]:
        lines = terminal.grid.lines
        return [y for y, line in enumerate(lines) for character in line if character == PROBE]

    def arrived() -> bool:
        labels = [y for y, line in enumerate(terminal.grid.lines) if label in line]
        # a low screen scrolls the label away when the field is typed into
        return bool(typed() and (not labels or typed()[-1] >= labels[-1]))

    while not arrived():
        before = len(terminal.raw)
        terminal.press(PROBE)
        terminal.until(f"the field {label!r}", lambda before=before: len(terminal.raw) > before)
    terminal.paste(text)


def leave(terminal: Terminal, dialog: str) -> None:
    """Escape, once out of the field and once out of the dialog."""
    while dialog in terminal.screen:
        terminal.redrawn("escape")


def ask(terminal: Terminal) -> None:
    """Ask with fields full of it, and get an answer."""
    terminal.press("a")
    terminal.see("What should have come back")
    paste(terminal, f"Asked? {PASTED}", label="Question")
    terminal.press("tab")
    paste(terminal, f"Expected {PASTED}", label="What should have")
    terminal.press("tab")
    paste(terminal, f"Returned {PASTED}", label="What did come")
    terminal.press("ctrl+r")
    terminal.see("golden line")
    terminal.press("escape")
    terminal.unsee("What should have come back")


def leave_without_writing(terminal: Terminal) -> None:
    terminal.press("q")
    terminal.see("not written yet")
    terminal.press("q")


@pytest.mark.parametrize("size", SIZES)
def test_what_is_fed_never_acts_on_the_terminal(
    open_terminal, tmp_path: Path, size: tuple[int, int]
) -> None:
    docs = write_corpus(tmp_path / "fed")
    golden = str(tmp_path / "fed" / "golden.jsonl")
    separators = '["\\u001b[31mEVIL", "\\u009b5m", "\\u202e", "[/b]", "\\r\\n", " ", ""]'
    terminal = open_terminal(
        str(docs), "--golden", golden, *SMALL, "--separators", separators, size=size
    )
    terminal.see("␛[31mEVIL␛[0m", "␛[2J␛[H␛[6n")
    visit_everything(terminal)
    # Typed ahead, Escape may have come before the settings had the focus, and 3 would be theirs.
    terminal.insist("escape 3", "Press r to sweep")
    terminal.press("r")
    terminal.see("◆")
    ask(terminal)
    leave_without_writing(terminal)
    check_left_clean(terminal)


@pytest.mark.parametrize("size", SIZES)
def test_awkward_documents(
    open_terminal, shared_data, tmp_path: Path, size: tuple[int, int]
) -> None:
    folder = shared_data("awkward")
    terminal = open_terminal(
        str(folder / "docs"), "--golden", str(folder / "golden.jsonl"), size=size
    )
    visit_everything(terminal)
    ask(terminal)
    leave_without_writing(terminal)
    check_left_clean(terminal)


def test_a_selection_goes_into_ask_and_acts_on_nothing(open_terminal, tmp_path: Path) -> None:
    docs = write_corpus(tmp_path / "fed")
    terminal = open_terminal(str(docs), *SMALL, size=(120, 40))
    terminal.see("Line 0: ␛[31mEVIL␛[0m", "Line 5:", "34 chunks")
    rows = terminal.grid.lines
    first = next(y for y, line in enumerate(rows) if "Line 0:" in line) + 1
    last = next(y for y, line in enumerate(rows) if "Line 5:" in line) + 1
    column = rows[first - 1].index("Line 0:") + 1
    terminal.send(f"\x1b[<0;{column};{first}M")
    for row in range(first, last + 1):
        # each row that joins the selection is drawn again; what is typed ahead would be too early
        drawn = len(terminal.raw)
        terminal.send(f"\x1b[<32;{column + 9};{row}M")
        terminal.until("the selection", lambda drawn=drawn: len(terminal.raw) > drawn)
    terminal.send(f"\x1b[<0;{column + 9};{last}m")
    terminal.press("a")
    terminal.see("What should have come back")
    terminal.until("the evidence", lambda: terminal.screen.count("Line 2: ␛]52;c;") == 1)
    terminal.press("ctrl+r")
    terminal.see("blank")
    leave(terminal, "What should have come back")
    terminal.press("q")
    assert terminal.exit_code() == 0
    assert foreign(terminal.output) == []


def test_asked_on_the_command_line(open_terminal, tmp_path: Path) -> None:
    docs = write_corpus(tmp_path / "fed")
    evidence = "Line 4: \x1b]0;EVIL title\x07\r\n\r\nLine 5: \x1b]8;;http://evil.example\x1b\\link"
    question = "asked \x1b[31mEVIL\x1b[0m \x9b5m [/b] \u202e?"
    terminal = open_terminal(
        str(docs), *SMALL, "-q", question, "--evidence", evidence, size=(120, 40)
    )
    terminal.see("asked ␛[31mEVIL␛[0m ␦5m [/b] ⇄?", "✂ split")
    leave_without_writing(terminal)
    assert terminal.exit_code() == 0
    assert foreign(terminal.output) == []


def test_no_color(open_terminal, tmp_path: Path) -> None:
    docs = write_corpus(tmp_path / "fed")
    terminal = open_terminal(str(docs), *SMALL, size=(80, 24), NO_COLOR="1")
    terminal.see("␛[31mEVIL␛[0m")
    terminal.press("q")
    assert terminal.exit_code() == 0
    assert foreign(terminal.output) == []
    for red, green, blue in re.findall(r"[34]8;2;(\d+);(\d+);(\d+)", terminal.output):
        assert red == green == blue


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
def test_quitting_waits_for_no_sweep(open_terminal, shared_data, key: str) -> None:
    folder = shared_data("awkward")
    terminal = open_terminal(
        str(folder / "docs"), "--golden", str(folder / "golden.jsonl"), size=(120, 40)
    )
    terminal.until("a verdict", lambda: VERDICT.search(terminal.screen))
    terminal.press("3", "r")
    terminal.see("r stops")
    terminal.press(key)
    assert terminal.exit_code() == 0
    assert "done: " not in terminal.screen
    assert terminal.output.count("\x1b[?1049l") == 1
    assert "Traceback" not in terminal.output
    assert foreign(terminal.output) == []


def test_quitting_while_documents_are_read(open_terminal, shared_data) -> None:
    terminal = open_terminal(str(shared_data("awkward") / "docs"), size=(120, 40))
    terminal.see("chunkscope")
    terminal.press("q")
    assert terminal.exit_code() == 0
    assert foreign(terminal.output) == []
    assert terminal.modes() == terminal.modes_before


def test_documents_that_cannot_be_opened(open_terminal, tmp_path: Path) -> None:
    folder = tmp_path / "empty [b] \x1b[31mEVIL\x9b5m"
    folder.mkdir()
    terminal = open_terminal(str(folder), size=(80, 24))
    assert terminal.exit_code(PATIENCE) == 2
    assert foreign(terminal.output) == []
    assert terminal.modes() == terminal.modes_before
    said = "".join(terminal.output.rpartition("\x1b[?1049l")[2].split())
    assert "empty[b]␛[31mEVIL␦5m" in said


def test_a_broken_golden_line(open_terminal, tmp_path: Path) -> None:
    docs = write_corpus(tmp_path / "fed")
    golden = tmp_path / "golden \x1b[31mEVIL [b].jsonl"
    golden.write_text('{"id": "\x1b[31mEVIL", "question": 7}\n', encoding="utf-8")
    terminal = open_terminal(str(docs), "--golden", str(golden), size=(80, 24))
    assert terminal.exit_code(PATIENCE) == 2
    assert foreign(terminal.output) == []
    said = "".join(terminal.output.rpartition("\x1b[?1049l")[2].split())
    assert "golden␛[31mEVIL[b].jsonl" in said


@pytest.mark.parametrize("which", ["stdin", "stdout", "stderr"])
def test_without_a_terminal(tmp_path: Path, which: str) -> None:
    """Any one of the three streams that is no terminal is enough to refuse."""
    docs = write_corpus(tmp_path / "fed")
    own, theirs = os.openpty()
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    streams[which] = subprocess.DEVNULL if which == "stdin" else subprocess.PIPE
    program = subprocess.Popen(
        [sys.executable, "-m", "chunkscope", str(docs)], cwd=tmp_path, **streams
    )
    os.close(theirs)
    taken = b"".join(part or b"" for part in program.communicate(timeout=PATIENCE))
    try:
        taken += os.read(own, 65536)
    except OSError:
        assert which == "stderr"
    os.close(own)
    said = taken.decode("utf-8")
    assert program.returncode == 2
    assert "needs a terminal" in said
    assert "chunkscope chunks" in said
    assert "chunkscope eval" in said
    assert said.strip().count("\n") == 0
    assert foreign(said.replace("\r\n", "\n")) == []
    assert "\x1b" not in said


def test_without_any_terminal(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chunkscope"],
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=False,
        timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"chunkscope chunks" in done.stderr
    assert b"\x1b" not in done.stderr
    assert done.stderr.count(b"\n") == 1
