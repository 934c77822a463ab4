"""Reading on a real terminal: tooltips by the mouse, the document beside, $EDITOR at the line."""

import json
import re
import sys
from pathlib import Path

from hostile import ALL, ATTACKS, write_corpus
from pseudo_terminal import Terminal, foreign

SMALL = ("--size", "60", "--overlap", "0", "--unit", "characters")

EDITOR = """
import json, pathlib, sys
pathlib.Path("told.json").write_text(json.dumps(sys.argv[1:]))
path = pathlib.Path(sys.argv[-1])
path.write_bytes(b"Put in front.\\n\\n" + path.read_bytes())
"""


def quit_clean(terminal: Terminal) -> None:
    terminal.press("q")
    assert terminal.exit_code() == 0
    assert foreign(terminal.output) == []


def tool(terminal: Terminal, letter: str) -> None:
    terminal.press("t")
    terminal.see("Tools")
    terminal.press(letter)


def hover(terminal: Terminal, text: str, by: int = 0) -> None:
    """Move the mouse, no button held, onto the first character of `text` on the screen."""
    y = next(y for y, line in enumerate(terminal.grid.lines) if text in line)
    x = terminal.grid.lines[y].index(text) + by
    terminal.send(f"\x1b[<35;{x + 1};{y + 1}M")


def test_a_boundary_is_explained_under_the_mouse(open_terminal, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    attack = f"{ATTACKS[0]}[/b]\x9b5m\u202e"
    text = f"First one here. {attack}{'Second paragraph. ' * 4}\n\nThird."
    (docs / "a.txt").write_text(text, encoding="utf-8", newline="")
    terminal = open_terminal(
        str(docs), *SMALL, "--separators", json.dumps([attack, "\n\n", " ", ""]), size=(120, 40)
    )
    terminal.see("Third.", "4 chunks")
    hover(terminal, "Third.")
    terminal.see("begins here: cut after", "separator 2 of 4")
    hover(terminal, "First one", by=4)
    terminal.unsee("separator 2 of 4")
    hover(terminal, "Second")
    terminal.see("A: chunk 1 begins here", "separator 1")
    quit_clean(terminal)


def test_places_that_show_what_they_are_fed(open_terminal, tmp_path: Path) -> None:
    """The line here, why a file was left out, the document beside, places of evidence."""
    docs = write_corpus(tmp_path / "fed")
    beside = docs / "won \x1b[31mEVIL.txt"
    beside.write_text(f"Zanzibar zanzibar {ALL}.\n", encoding="utf-8", newline="")
    golden = tmp_path / "fed" / "asked.jsonl"
    row = {
        "id": "z", "question": f"zanzibar {ATTACKS[0]}", "doc": "plain.md",
        "evidence": [{"text": ALL, "start": 3, "end": 3 + len(ALL)}],
    }  # fmt: skip
    golden.write_text(json.dumps(row) + "\n", encoding="ascii")
    terminal = open_terminal(str(docs), "--golden", str(golden), *SMALL, size=(120, 40))
    terminal.until("a verdict", lambda: re.search("✂ split|✗ missed", terminal.screen))
    terminal.press("x", "enter")
    terminal.see("Here", "plain.md · line")
    terminal.press("escape")
    terminal.unsee("any key closes")
    terminal.press("2")
    terminal.see("Zanzibar zanzibar")
    terminal.press("enter")
    terminal.see("won ␛[31mEVIL.txt", "Backspace: back")
    terminal.send("\x7f")
    terminal.unsee("Backspace: back")
    tool(terminal, "v")
    terminal.see("Places of evidence", "moved", "Escape leaves")
    terminal.press("escape")
    terminal.unsee("Places of evidence")
    terminal.redrawn("d")
    # The list may not have the focus yet when the first frame comes.
    terminal.insist("end", "is not among the documents")
    terminal.press("escape")
    terminal.unsee("is not among the documents")
    quit_clean(terminal)


def test_the_editor_opens_at_the_line_and_what_it_wrote_is_read(
    open_terminal, tmp_path: Path
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    path = docs / "a b.txt"
    path.write_bytes(b"".join(b"Line %d stands here.\r\n" % n for n in range(1, 40)))
    script = tmp_path / "editor.py"
    script.write_text(EDITOR, encoding="utf-8")
    editor = f"{sys.executable} '{script}' -w"
    terminal = open_terminal(str(docs), *SMALL, size=(120, 40), EDITOR=editor, VISUAL="")
    terminal.see("Line 1 stands", "chunks")
    terminal.press("g")
    terminal.see("Go to")
    terminal.press("7", "enter")
    terminal.see("line 7")
    tool(terminal, "e")
    terminal.see("read again")
    terminal.see("line 9", "Line 7 stands here.")
    told = json.loads((tmp_path / "working" / "told.json").read_text())
    assert told == ["-w", "+7", str(path)]
    quit_clean(terminal)
