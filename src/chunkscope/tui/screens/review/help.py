"""Every key of the review, or of setting a span."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from chunkscope.tui.keymap import Key
from chunkscope.tui.widgets.line_list import Cell, Column, LineList, Row, wrapped

_COLUMNS = (
    Column("key", 6, role="strong"),
    Column("also", 8, role="dim"),
    Column("what it does"),
)
_BESIDE = 22
"""Cells of the keys, the scroll bar and the frame."""

MARKS = (
    ("bold", "", "In the text: the evidence that is chosen, underlined."),
    ("dots", "", "Other evidence of the question, and its alternatives."),
    ("mouse", "", "Drag over the text to select; s begins with what is selected."),
)


class ReviewHelp(ModalScreen[None]):
    """The list of keys; any way out closes it."""

    CSS_PATH = "review.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,h,q", "close", "close", id="review-help.close")
    ]

    def __init__(self, title: str, keys: Sequence[Key]) -> None:
        super().__init__()
        self._title = title
        self._keys = tuple(keys)

    def compose(self) -> ComposeResult:
        """The list."""
        with Vertical(id="review-help"):
            yield LineList(_COLUMNS)

    def on_mount(self) -> None:
        """Fill it to the width."""
        box = self.query_one("#review-help")
        box.border_title = self._title
        box.border_subtitle = "Escape closes"
        width = max(20, min(96, round(self.app.size.width * 0.9)) - _BESIDE)
        rows: list[Row] = []
        for group in dict.fromkeys(key.group for key in self._keys):
            entries = [
                (key.display, key.others, key.help) for key in self._keys if key.group == group
            ]
            rows += _rows(group, entries, width)
        rows += _rows("The text", MARKS, width)
        table = self.query_one(LineList)
        table.styles.height = len(rows) + 1
        table.show(rows)
        table.focus()

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)


def _rows(title: str, entries: Sequence[tuple[str, str, str]], width: int) -> list[Row]:
    rows: list[Row] = [(Cell(""), Cell(""), Cell(title, "a"))]
    for key, also, sentence in entries:
        for number, line in enumerate(wrapped(sentence, width)):
            first = number == 0
            rows.append((Cell(key if first else ""), Cell(also if first else ""), Cell(line)))
    return rows
