"""Every key, by what it is for."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from chunkscope.tui.keymap import Key
from chunkscope.tui.literal import literal
from chunkscope.tui.userkeys import user_keys_file
from chunkscope.tui.views.helping import Entry
from chunkscope.tui.widgets.line_list import Cell, Column, LineList, Row, wrapped

_KEY = 6
_COLUMNS = (
    Column("key", _KEY, role="strong"),
    Column("also", 8, role="dim"),
    Column("what it does"),
)
_ELSEWHERE = (
    ("arrows", "", "Move in the document or the list; Page Up and Page Down by pages."),
    ("tab", "", "To the next pane; Enter on a row chooses it and goes to the document."),
    ("escape", "", "Leave a field, close a drawer or what is open, back to the document."),
    ("mouse", "", "Click rows, tabs, fields and the keys below; the wheel scrolls."),
)
_MARKS = (
    ("✂", "X", "In the text: a boundary cuts the evidence exactly here."),
    ("✂ ◖", "%", "Split: no chunk holds the evidence whole; ◖ marks its rows."),
    ("● ○", "* o", "Rows of evidence whole in a retrieved chunk; held, but not retrieved."),
    ("✓ ✗", "+ x", "Hit; missed: a chunk holds the evidence, but it was not retrieved."),
    ("◐ ?", "~ ?", "Partly retrieved; unmeasured: the evidence stands in no open document."),
    ("▸ ◆", "> *", "The active variant or row; the sweep's advised row."),
)


def help_rows(
    keys: Sequence[Key], width: int, here: tuple[str, Sequence[Entry]] | None = None
) -> list[Row]:
    """Headings and keys, long sentences on several lines; first what is for `here`."""
    rows: list[Row] = []
    groups = list(dict.fromkeys(key.group for key in keys))
    sections = []
    if here is not None:
        where, own = here
        sections.append((f"Here: {where}", [(key, "", said) for key, said in own]))
    sections += [
        (
            group,
            [(key.display, key.others, key.help) for key in keys if key.group == group],
        )
        for group in groups
    ]
    sections += [("Everywhere", list(_ELSEWHERE)), ("Marks", list(_MARKS))]
    sections.append(("Keys of your own", _own_keys(keys)))
    for title, entries in sections:
        if rows:
            rows.append((Cell(""), Cell(""), Cell("")))
        rows.append((Cell(""), Cell(""), Cell(title, "a")))
        for key, also, sentence in entries:
            names = wrapped(key, _KEY)
            lines = wrapped(sentence, width)
            for number in range(max(len(names), len(lines))):
                name = names[number] if number < len(names) else ""
                line = lines[number] if number < len(lines) else ""
                rows.append((Cell(name), Cell(also if number == 0 else ""), Cell(line)))
    return rows


def _own_keys(keys: Sequence[Key]) -> list[tuple[str, str, str]]:
    """Where another key is given to an action, and what the actions are called there."""
    file = literal(str(user_keys_file()))
    return [
        ("file", "", f'{file}, a table [keys]: find = ["f", "ctrl+f"]. Clashes are said.'),
        ("names", "", ", ".join(key.id for key in keys)),
    ]


class HelpScreen(ModalScreen[None]):
    """The list of keys; any way out closes it."""

    CSS = """
    HelpScreen { align: center middle; }
    HelpScreen #help {
        width: 96%; max-width: 100; height: 92%; border: round $primary; background: $surface;
    }
    HelpScreen LineList { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,h,q", "close", "close", id="help.close")
    ]

    def __init__(
        self, keys: Sequence[Key], here: tuple[str, Sequence[Entry]] | None = None
    ) -> None:
        super().__init__()
        self._keys = tuple(keys)
        self._here = here

    def compose(self) -> ComposeResult:
        """The list."""
        with Vertical(id="help"):
            yield LineList(_COLUMNS, id="help-rows", cursor=True)

    def on_mount(self) -> None:
        """Fill it to the width."""
        box = self.query_one("#help")
        box.border_title = "Help: every key"
        box.border_subtitle = "Escape closes"
        rows = self.query_one(LineList)
        width = min(96, round(self.app.size.width * 0.96)) - 23
        rows.show(help_rows(self._keys, max(20, width), self._here))
        rows.focus()

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)
