"""A terminal for a program under test: what it wrote, what stands on the screen, keys to press.

The program runs on a pseudo-terminal of a fixed size. Everything it writes is kept as it came
and drawn on a grid by the few sequences that Textual uses, so that a test waits for what a
person would wait for: until a text stands on the screen.
"""

import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.cells import cell_len

PATIENCE = 60.0
"""Seconds until a wait is given up: never reached by a program that works."""

ESCAPE = "\x1b[27u"
"""The Escape key as a sequence of its own, which no later key can be mistaken for a part of."""

KEYS = {
    "escape": ESCAPE,
    "enter": "\r",
    "tab": "\t",
    "space": " ",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "ctrl+q": "\x11",
    "ctrl+r": "\x12",
}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of output: `text`, a sequence (`csi`, `osc`, `string`, `escape`) or a `control`."""

    kind: str
    text: str


_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # control sequence
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # operating system command
    r"|\x1b[PX^_][^\x1b]*\x1b\\"  # device control and other strings
    r"|\x1b[ -/]*[0-Z\\`-~]"  # the rest
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def tokens(output: str) -> Iterator[Token]:
    """The output in pieces; what is no whole sequence is a single `control`."""
    at = 0
    while at < len(output):
        control = _CONTROL.search(output, at)
        end = control.start() if control is not None else len(output)
        if end > at:
            yield Token("text", output[at:end])
            at = end
            continue
        sequence = _SEQUENCE.match(output, at)
        if sequence is None:
            yield Token("control", output[at])
            at += 1
        else:
            second = sequence.group()[1]
            kinds = {"[": "csi", "]": "osc", "P": "string", "X": "string", "^": "string"}
            kind = "string" if second == "_" else kinds.get(second, "escape")
            yield Token(kind, sequence.group())
            at = sequence.end()


# Modes that Textual sets and takes back: cursor, wrapping, mouse, focus, alternate screen, paste,
# synchronised output, size reports.
_MODES = {7, 25, 1000, 1003, 1004, 1006, 1015, 1016, 1049, 2004, 2026, 2048}
_OWN = re.compile(
    r"\x1b\[\d+;\d+H"
    r"|\x1b\[\?(?:2026|2048)\$p"
    r"|\x1b\[>\d+u|\x1b\[<u"
    r"|\x1b\]22;[a-z-]+\x07"  # shape of the pointer
    r"|\x1b\]52;c;[A-Za-z0-9+/]*=*\x07"  # the clipboard, when a copy was asked for
)
_FRAME_BEGINS, _FRAME_ENDS = "\x1b[?2026h", "\x1b[?2026l"
_CAN_FRAME, _YES = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
_MODE = re.compile(r"\x1b\[\?(\d+)[hl]")
_STYLE = re.compile(r"\x1b\[([\d;]*)m")
_PLAIN_STYLES = {"0", "1", "2", "3", "4", "7", "9"}
_ACTING = re.compile("[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u206f\ufffe\uffff]")


def foreign(output: str) -> list[str]:
    """What in `output` a program drawn by Textual never writes of itself.

    Controls other than the line feed between rows, characters that turn the direction of what
    stands around them, and sequences of any kind that Textual has no use for. Colours are
    always written as red, green and blue, so that `31m` is somebody else's.
    """
    wrong = []
    for token in tokens(output):
        if token.kind == "text":
            wrong += _ACTING.findall(token.text)
        elif token.text != "\n" and not _is_own(token.text):
            wrong.append(token.text)
    return wrong


def _is_own(sequence: str) -> bool:
    if _OWN.fullmatch(sequence):
        return True
    mode = _MODE.fullmatch(sequence)
    if mode is not None:
        return int(mode[1]) in _MODES
    style = _STYLE.fullmatch(sequence)
    if style is None:
        return False
    parts = style[1].split(";")
    while parts:
        if parts[0] in {"38", "48"} and parts[1:2] == ["2"] and len(parts) >= 5:
            parts = parts[5:]
        elif parts[0] in _PLAIN_STYLES:
            parts = parts[1:]
        else:
            return False
    return True


class Grid:
    """The cells of the screen, as moved about and written by the program."""

    _MOVE = re.compile(r"\x1b\[(?:(\d+)(?:;(\d+))?)?H")

    def __init__(self, width: int, height: int) -> None:
        self._width, self._height = width, height
        self._rest = ""
        self.half_drawn = False
        self.clear()

    def clear(self) -> None:
        """An empty screen."""
        self._rows = [[" "] * self._width for _ in range(self._height)]
        self._x = self._y = 0

    def feed(self, output: str) -> None:
        """Draw what came; the beginning of a sequence is kept until its end comes."""
        output = self._rest + output
        cut = output.rfind("\x1b")
        self._rest = ""
        if cut >= 0 and _SEQUENCE.match(output, cut) is None:
            output, self._rest = output[:cut], output[cut:]
        for token in tokens(output):
            if token.kind == "text":
                self._write(token.text)
            elif token.kind == "csi":
                self._obey(token.text)
            elif token.text == "\n":
                self._x = 0
                self._y = min(self._y + 1, self._height - 1)

    def _obey(self, sequence: str) -> None:
        move = self._MOVE.fullmatch(sequence)
        if move is not None:
            self._y = min(int(move[1] or 1), self._height) - 1
            self._x = min(int(move[2] or 1), self._width) - 1
        elif sequence in {_FRAME_BEGINS, _FRAME_ENDS}:
            self.half_drawn = sequence == _FRAME_BEGINS
        elif sequence in {"\x1b[?1049h", "\x1b[?1049l", "\x1b[2J"}:
            self.clear()

    def _write(self, text: str) -> None:
        for character in text:
            if unicodedata.combining(character):
                continue
            cells = cell_len(character)
            if self._x + max(cells, 1) > self._width:
                continue  # lines are not wrapped while the program draws
            row = self._rows[self._y]
            row[self._x] = character
            for extra in range(1, cells):
                row[self._x + extra] = ""
            self._x += cells

    @property
    def lines(self) -> list[str]:
        """A string a row."""
        return ["".join(row) for row in self._rows]


class Terminal:
    """A program on a pseudo-terminal; leaving the context ends it, however it stands."""

    def __init__(
        self, arguments: Sequence[str], *, size: tuple[int, int], cwd: Path, **environment: str
    ) -> None:
        self._own, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (size[1], size[0]))
        # Line ends stay as they are written: a carriage return can only be the program's own.
        modes = termios.tcgetattr(theirs)
        modes[1] &= ~termios.ONLCR
        termios.tcsetattr(theirs, termios.TCSANOW, modes)
        self.modes_before = termios.tcgetattr(self._own)
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "ESCDELAY"}
            and not name.startswith(("TEXTUAL", "COVERAGE"))
        }
        kept |= {
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "PYTHONUTF8": "1",
            "TEXTUAL_ANIMATIONS": "none",
            "HOME": str(cwd),
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "chunkscope", *arguments],
            stdin=theirs, stdout=theirs, stderr=theirs,
            cwd=cwd, env=kept | environment, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self.grid = Grid(*size)
        self.raw = bytearray()
        self._undecoded = b""
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._own)

    # --- what it writes --------------------------------------------------------------------------

    @property
    def output(self) -> str:
        """Everything written until now; not UTF-8 is an error."""
        return bytes(self.raw).decode("utf-8")

    @property
    def screen(self) -> str:
        """What stands on the screen."""
        return "\n".join(self.grid.lines)

    def _read(self, seconds: float) -> bool:
        """Take what comes within `seconds`; False when nothing did."""
        ready, _, _ = select.select([self._own], [], [], max(0.0, seconds))
        if not ready:
            return False
        try:
            data = os.read(self._own, 65536)
        except OSError:  # nobody is left who could write
            data = b""
        if not data:
            self._ended = True
            return True
        self.raw += data
        if _CAN_FRAME in data:
            os.write(self._own, _YES)  # so that a frame is known to be whole
        data = self._undecoded + data
        text = data.decode("utf-8", errors="ignore")
        whole = len(data)
        while whole and len(data) - whole < 4:
            try:
                text = data[:whole].decode("utf-8")
                break
            except UnicodeDecodeError:
                whole -= 1
        self._undecoded = data[whole:] if len(data) - whole < 4 else b""
        self.grid.feed(text)
        return True

    def until(self, what: str, condition: Callable[[], bool]) -> None:
        """Read until `condition` holds, or fail with the screen as it stands."""
        deadline = time.monotonic() + PATIENCE
        while self.grid.half_drawn or not condition():
            left = deadline - time.monotonic()
            if self._ended or left <= 0:
                how = "the program ended" if self._ended else f"{PATIENCE:.0f} s have passed"
                raise AssertionError(f"waited for {what}, but {how}; the screen:\n{self.screen}")
            self._read(left)

    def redrawn(self, *keys: str) -> None:
        """Press keys and read until the screen was drawn anew."""
        before = len(self.raw)
        self.press(*keys)
        self.until("another frame", lambda: len(self.raw) > before)

    def see(self, *texts: str) -> None:
        """Read until all of `texts` stand on the screen together."""
        self.until(repr(texts), lambda: all(text in self.screen for text in texts))

    def insist(self, keys: str, text: str) -> None:
        """Press keys, again when nothing comes of it, until `text` stands on the screen."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.screen and time.monotonic() < deadline:
            self.press(*keys.split())
            # Long enough that a slow machine has not merely yet to answer.
            again = time.monotonic() + 5
            while text not in self.screen and time.monotonic() < again and not self._ended:
                self._read(again - time.monotonic())
        self.see(text)

    def unsee(self, text: str) -> None:
        """Read until `text` stands on the screen no more."""
        self.until(f"no {text!r}", lambda: text not in self.screen)

    # --- what is typed ---------------------------------------------------------------------------

    def press(self, *keys: str) -> None:
        """Press keys: a name of `KEYS`, or a character."""
        self.send("".join(KEYS.get(key, key) for key in keys))

    def paste(self, text: str) -> None:
        """Paste as a terminal does that knows the brackets around it."""
        self.send(f"\x1b[200~{text}\x1b[201~")

    def send(self, text: str) -> None:
        """Write to the program, reading meanwhile, so that neither waits for the other."""
        data = text.encode("utf-8", errors="surrogatepass")
        while data:
            ready, writable, _ = select.select([self._own], [self._own], [], PATIENCE)
            if ready and not self._ended:
                self._read(0)
            if writable:
                data = data[os.write(self._own, data[:512]) :]

    # --- the end ---------------------------------------------------------------------------------

    def signal(self, number: int) -> None:
        """Send the program a signal."""
        self._process.send_signal(number)

    def exit_code(self, patience: float = 10.0) -> int:
        """Read until the program has ended, which it must within `patience` seconds."""
        deadline = time.monotonic() + patience
        while not self._ended:
            left = deadline - time.monotonic()
            if left <= 0:
                raise AssertionError(
                    f"the program still runs after {patience:.0f} s; the screen:\n{self.screen}"
                )
            self._read(left)
        return self._process.wait(timeout=max(0.1, deadline - time.monotonic()))

    def modes(self) -> list[object]:
        """The terminal's modes now; as `modes_before` once it is restored."""
        return termios.tcgetattr(self._own)
