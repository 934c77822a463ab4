"""A list drawn line by line: any number of rows, literal text, one cursor."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len, chop_cells
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from chunkscope.tui.literal import Inks, fitted, fitted_middle


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title and width in cells; width 0 shares what is left.

    Attributes:
        middle: what does not fit is left out in the middle, not at the end.
    """

    title: str
    width: int = 0
    right: bool = False
    role: str = ""
    middle: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell's text, already literal, and its role, which names a style.

    Attributes:
        words: ranges of the text that stand out in it, ascending.
    """

    text: str
    role: str = ""
    words: tuple[tuple[int, int], ...] = ()


Row = Sequence[Cell]

_LEAST_SHARE = 4

ROLES = ("good", "bad", "warn", "dim", "strong", "a", "b", "head", "word")


class LineList(ScrollView, can_focus=True):
    """Rows under fixed column titles; only the visible ones are ever asked for."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line-list--cursor",
        *(f"line-list--{role}" for role in ROLES),
    }
    DEFAULT_CSS = """
    LineList {
        background: $surface;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 0;
        overflow-x: hidden;
        & .line-list--good { color: $text-success; }
        & .line-list--bad { color: $text-error; }
        & .line-list--warn { color: $text-warning; }
        & .line-list--dim { color: $text-muted; }
        & .line-list--strong { text-style: bold; }
        & .line-list--a { color: $text-primary; }
        & .line-list--b { color: $text-secondary; text-style: italic; }
        & .line-list--word { text-style: bold underline; }
        & .line-list--head { color: $text-muted; text-style: underline; }
        & .line-list--cursor {
            background: $block-cursor-blurred-background;
            color: $block-cursor-blurred-foreground;
        }
        &:focus .line-list--cursor {
            background: $block-cursor-background;
            color: $block-cursor-foreground;
            text-style: bold;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "up", show=False),
        Binding("down", "move(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "ends(-1)", "first", show=False),
        Binding("end", "ends(1)", "last", show=False),
        Binding("enter", "choose", "choose", show=False),
    ]

    cursor: reactive[int] = reactive(0, repaint=False)

    @dataclass
    class Highlighted(Message):
        """The cursor stands on another row, moved by a person."""

        list: "LineList"
        index: int

        @property
        def control(self) -> "LineList":
            """The list."""
            return self.list

    @dataclass
    class Chosen(Message):
        """Enter or a second click on a row."""

        list: "LineList"
        index: int

        @property
        def control(self) -> "LineList":
            """The list."""
            return self.list

    def __init__(
        self,
        columns: Sequence[Column] = (),
        *,
        empty: str = "",
        heading: bool = True,
        cursor: bool = True,
        quiet: bool = False,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._inks = Inks(self, "line-list")
        self._columns = tuple(columns)
        self._source: Sequence[Row] = ()
        self._empty = empty
        self._heading = heading
        self._with_cursor = cursor
        self._quiet = quiet
        self._dimmed = False

    # --- what it shows -------------------------------------------------------------------

    def show(
        self,
        rows: Sequence[Row],
        *,
        columns: Sequence[Column] | None = None,
        cursor: int | None = None,
        empty: str | None = None,
        dimmed: bool = False,
    ) -> None:
        """Replace everything; the cursor stays on its row number unless another is given."""
        self._source = rows
        self._dimmed = dimmed
        if columns is not None:
            self._columns = tuple(columns)
        if empty is not None:
            self._empty = empty
        self._measure()
        self.place_cursor(self.cursor if cursor is None else cursor)
        self.refresh()

    def place_cursor(self, index: int) -> None:
        """Stand on a row without telling anyone; the row becomes visible."""
        index = max(0, min(index, len(self._source) - 1))
        if index != self.cursor:
            self.cursor = index
        self._reveal()

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._source)

    @property
    def lines(self) -> list[str]:
        """Every visible line as text, titles included."""
        return [self.render_line(y).text for y in range(self.size.height)]

    @property
    def table(self) -> str:
        """Titles and every row, cells parted by tabs."""
        rows = [self._titles()] if self._heading else []
        lines = [[cell.text for cell in row] for row in (*rows, *self._source)]
        return "".join("\t".join(line) + "\n" for line in lines)

    # --- moving --------------------------------------------------------------------------

    def action_move(self, by: int) -> None:
        """Cursor up or down."""
        self._go(self.cursor + by)

    def action_page(self, by: int) -> None:
        """Cursor one page up or down."""
        self._go(self.cursor + by * max(1, self._page))

    def action_ends(self, side: int) -> None:
        """Cursor to the first or last row."""
        self._go(0 if side < 0 else len(self._source) - 1)

    def action_choose(self) -> None:
        """Choose the row under the cursor."""
        if self._source:
            self.post_message(self.Chosen(self, self.cursor))

    def on_click(self, event: Click) -> None:
        """A click moves the cursor; a click on the cursor's row, or a double one, chooses."""
        row = event.y - self._heading_rows + self.scroll_offset.y
        if not self._with_cursor or event.y < self._heading_rows or row >= len(self._source):
            return
        if row == self.cursor or event.chain > 1:
            self.cursor = row
            self.action_choose()
        else:
            self._go(row)

    def _go(self, index: int) -> None:
        if not self._source:
            return
        index = max(0, min(index, len(self._source) - 1))
        if index != self.cursor:
            self.cursor = index
            self._reveal()
            self.post_message(self.Highlighted(self, index))

    def watch_cursor(self) -> None:
        """The marked row changed."""
        self.refresh()

    def on_focus(self) -> None:
        """The cursor is drawn stronger."""
        self._inks.forget()
        self.refresh()

    def on_blur(self) -> None:
        """The cursor is drawn weaker."""
        self._inks.forget()
        self.refresh()

    def on_resize(self) -> None:
        """Columns share another width."""
        self._measure()
        self._reveal()

    def notify_style_update(self) -> None:
        """The theme changed."""
        super().notify_style_update()
        self._inks.forget()
        self.refresh()

    @property
    def _cursor_shown(self) -> bool:
        return self._with_cursor and (self.has_focus or not self._quiet)

    @property
    def _mark(self) -> str:
        return ">" if self.app.has_class("-ascii") else "▸"

    @property
    def _heading_rows(self) -> int:
        return 1 if self._heading and self._columns else 0

    @property
    def _page(self) -> int:
        return self.scrollable_content_region.height - self._heading_rows

    def on_show(self) -> None:
        """What was given meanwhile gets its room."""
        self._measure()
        self._reveal()

    def _measure(self) -> None:
        # A new size lays the whole screen out anew: not for what nobody sees.
        if not all(node.display for node in self.ancestors_with_self if isinstance(node, Widget)):
            return
        height = len(self._source) + self._heading_rows
        self.virtual_size = Size(self.scrollable_content_region.width, height)

    def _reveal(self) -> None:
        if self._with_cursor and self._source and self.size.height:
            self.scroll_to_region(
                Region(0, self.cursor, 1, 1 + self._heading_rows), animate=False, force=True
            )

    # --- drawing -------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """One line of the widget: the titles, or a row."""
        width = self.scrollable_content_region.width
        base = self._inks.base
        if y < self._heading_rows:
            return self._draw(self._titles(), width, base + self._role("head"), " ")
        index = y - self._heading_rows + self.scroll_offset.y
        if not self._source:
            text = self._empty_line(y - self._heading_rows, width)
            return Strip([Segment(fitted(text, width), base + self._role("dim"))], width)
        if index >= len(self._source):
            return Strip.blank(width, base)
        marked = index == self.cursor and self._cursor_shown
        style = base + self._cursor_style() if marked else base
        mark = self._mark if marked and self._with_cursor else " "
        return self._draw(self._source[index], width, style, mark, marked=marked)

    def _empty_line(self, row: int, width: int) -> str:
        lines = wrapped(self._empty, max(8, width - 2))
        return f" {lines[row]}" if row < len(lines) else ""

    def _titles(self) -> Row:
        return [Cell(column.title) for column in self._columns]

    def _draw(
        self, row: Row, width: int, style: Style, mark: str, *, marked: bool = False
    ) -> Strip:
        segments = [Segment(mark, style)]
        left = width - 1
        widths = self._widths(left)
        for column, cell, cells in zip(self._columns, row, widths, strict=False):
            if cells <= 0:
                continue
            role = cell.role or column.role
            painted = style
            if role and not marked:
                painted = style + self._role(role)
            if self._dimmed and not marked:
                painted = style + self._role("dim")
            if column.middle and not cell.words:
                text = fitted_middle(cell.text, cells)
            else:
                text = fitted(cell.text, cells, right=column.right)
            segments += self._with_words(text, cell.words, painted)
            segments.append(Segment(" ", style))
        return Strip(segments).adjust_cell_length(width, style)

    def _with_words(
        self, text: str, words: Sequence[tuple[int, int]], style: Style
    ) -> list[Segment]:
        segments, at = [], 0
        for start, end in words:
            segments.append(Segment(text[at:start], style))
            segments.append(Segment(text[start:end], style + self._role("word")))
            at = end
        return [segment for segment in (*segments, Segment(text[at:], style)) if segment.text]

    def _widths(self, width: int) -> list[int]:
        fixed = sum(column.width for column in self._columns) + len(self._columns)
        flexible = [column for column in self._columns if column.width == 0]
        share, rest = divmod(max(0, width - fixed), max(1, len(flexible)))
        if share < _LEAST_SHARE:
            share, rest = 0, 0
        widths = []
        for column in self._columns:
            if column.width:
                widths.append(column.width)
            else:
                widths.append(share + (1 if rest > 0 else 0))
                rest -= 1
        return widths

    def _role(self, role: str) -> Style:
        return self._inks.of(role)

    def _cursor_style(self) -> Style:
        return self._inks.block("cursor")


def wrapped(text: str, width: int) -> list[str]:
    """`text` broken at spaces into lines of at most `width` cells; longer words are cut."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, used = "", 0
        for number, word in enumerate(paragraph.split(" ")):
            for part in chop_cells(word, width) or [""]:
                cells = cell_len(part)
                if number and used + 1 + cells <= width:
                    line, used = f"{line} {part}", used + 1 + cells
                elif not number and not line:
                    line, used = part, cells
                else:
                    lines.append(line)
                    line, used = part, cells
        lines.append(line)
    return lines
