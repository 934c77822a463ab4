"""Text that acts on a terminal, reads as markup, or is no text at all; and a corpus full of it."""

import json
from pathlib import Path

CLIPBOARD = "RVZJTA=="
"""What a foreign OSC 52 would put on the clipboard."""

ATTACKS = (
    "\x1b[31mEVIL\x1b[0m",
    "\x1b[2J\x1b[H\x1b[6n",
    f"\x1b]52;c;{CLIPBOARD}\x07",
    f"\x1b]52;c;{CLIPBOARD}\x1b\\",
    "\x1b]0;EVIL title\x07",
    "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\",
    "\x1bP$qm\x1b\\",
    "\x1b_EVIL\x1b\\",
    "\x1bc",
    "\x1b[?1049l",
    "\x9b31mEVIL",
    f"\x9d52;c;{CLIPBOARD}\x9c",
    "\x85\x8d\x90",
    "\x07\x08\x0b\x0c\x0e\x0f",
    "nul\x00del\x7f",
    "\u202eflip\u202c \u2066iso\u2069 \u200f\u061c",
    "line\u2028para\u2029",
)
BRACKETS = (
    "[/etc/motd] [/ [[wiki]] [bold]b[/bold] a[i] = b[j] [link=x]y[/link] [@click=app.quit]q[/]"
)
WIDE = "港口很安静 🚢 👩‍👩‍👧 e\u0301"
ALL = " ".join((*ATTACKS, BRACKETS, WIDE))
ONE_LINE = ALL.replace("\x0b", "").replace("\x0c", "")

NAME = "a[/b] [bold]\x1b[31mEVIL\x9b5m\u202e\x7f\r\n港.txt"
BROKEN = "\ud83d broken \udc1b"


def write_corpus(folder: Path) -> Path:
    """A folder of documents made of all this; the golden set's file beside it."""
    docs = folder / "docs"
    (docs / NAME).parent.mkdir(parents=True)
    lines = [f"Line {number}: {text}" for number, text in enumerate((*ATTACKS, BRACKETS, WIDE))]
    text = "\r\n\r\n".join((*lines, "tab\tand\tcolumns", "The last line holds the answer."))
    (docs / NAME).write_bytes(text.encode())
    (docs / "plain.md").write_text(f"# {BRACKETS}\n\n{ALL}\n", encoding="utf-8", newline="")
    (docs / "\x1b]0;EVIL title\x07.bin").write_bytes(b"\x00\x01\x02\xff" * 300)
    (docs / "not text \x1b[5m.md").write_bytes(bytes(range(256)) * 4)
    golden = folder / "golden.jsonl"
    rows = [
        _row(f"id {ALL}", f"Question {ALL}", NAME, "The last line holds the answer."),
        _row(f"cut {BROKEN}", f"{BROKEN} {ALL}", NAME, "\r\n\r\n".join(lines[:6])),
        _row("nowhere", f"Nowhere {ONE_LINE}", NAME, f"nowhere {ALL} {BROKEN}"),
        _row("elsewhere", "In the other?", "plain.md", ALL[:60]),
        _row("no doc", BRACKETS, f"gone {ALL}", f"gone {ALL}"),
    ]
    golden.write_text("".join(rows), encoding="ascii")
    return docs


def _row(id: str, question: str, doc: str, evidence: str) -> str:
    line = {"id": id, "question": question, "doc": doc, "evidence": [{"text": evidence}]}
    return json.dumps(line) + "\n"
