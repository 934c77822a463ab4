"""Lines of literal text in several styles, cut to the width."""

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from chunkscope.tui.literal import Inks, fitted

Piece = tuple[str, str]
"""Literal text and the role that styles it."""

ROLES = ("good", "bad", "warn", "dim", "strong", "a", "b", "key", "word")


class OneLine(Widget):
    """Some lines of pieces; what does not fit is cut with an ellipsis."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"one-line--{role}" for role in ROLES}
    DEFAULT_CSS = """
    OneLine {
        height: 1;
        width: 1fr;
        & .one-line--good { color: $text-success; }
        & .one-line--bad { color: $text-error; }
        & .one-line--warn { color: $text-warning; }
        & .one-line--dim { color: $text-muted; }
        & .one-line--strong { text-style: bold; }
        & .one-line--a { color: $text-primary; text-style: bold; }
        & .one-line--b { color: $text-secondary; text-style: bold italic; }
        & .one-line--word { text-style: bold underline; }
        & .one-line--key { color: $footer-key-foreground; text-style: bold; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._inks = Inks(self, "one-line")
        self._rows: tuple[tuple[Piece, ...], ...] = ()

    def show(self, *rows: Sequence[Piece]) -> None:
        """Replace the lines."""
        new = tuple(tuple(row) for row in rows)
        if new != self._rows:
            self._rows = new
            self.refresh()

    @property
    def texts(self) -> list[str]:
        """The lines whole, as text."""
        return ["".join(text for text, _role in row) for row in self._rows]

    def notify_style_update(self) -> None:
        """The theme changed."""
        super().notify_style_update()
        self._inks.forget()

    def render_line(self, y: int) -> Strip:
        """One line, in exactly the widget's width."""
        width = self.size.width
        base = self._inks.base
        row = self._rows[y] if y < len(self._rows) else ()
        return Strip(self._segments(row, width, base)).adjust_cell_length(width, base)

    def _segments(self, row: Sequence[Piece], width: int, base: Style) -> list[Segment]:
        segments: list[Segment] = []
        left = width
        for number, (text, role) in enumerate(row):
            cells = Segment(text).cell_length
            last = number == len(row) - 1
            if cells > left or (cells == left and not last):
                segments.append(
                    Segment(fitted(text + "…" * (cells <= left), left), self._style(base, role))
                )
                break
            segments.append(Segment(text, self._style(base, role)))
            left -= cells
        return segments

    def _style(self, base: Style, role: str) -> Style:
        if not role:
            return base
        return base + self._inks.of(role)
