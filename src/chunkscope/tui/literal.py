"""The one way by which outside text reaches the screen: literally, never as markup or codes."""

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from textual.content import Content
from textual.widget import Widget

from chunkscope.text.display import visible

ELLIPSIS = "…"
_LEAST_BOTH_ENDS = 8
"""Cells from which it is worth to keep both ends of a text."""


def literal(text: str) -> str:
    """`text` with a visible mark for every character a terminal would act on."""
    return visible(text)


def flattened(text: str) -> str:
    """`text` on one line: runs of white space become one space, the rest visible marks."""
    return visible(" ".join(text.split()))


def content(text: str) -> Content:
    """`text` for a widget that would otherwise read markup in it; line ends are kept."""
    return Content("\n".join(visible(line) for line in text.split("\n")))


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """`text` in exactly `width` cells: cut with an ellipsis, or padded."""
    if width <= 0:
        return ""
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, width - 1) + ELLIPSIS
    pad = " " * (width - length)
    return pad + text if right else text + pad


def fitted_middle(text: str, width: int) -> str:
    """`text` in exactly `width` cells; what does not fit is left out in the middle.

    Two texts that differ in their ends alone stay apart so.
    """
    length = cell_len(text)
    if length <= width or width < _LEAST_BOTH_ENDS:
        return fitted(text, width)
    right = (width - 1) // 2
    left = set_cell_size(text, width - 1 - right)
    tail = text[-right:]
    while cell_len(tail) > right:
        tail = tail[1:]
    return set_cell_size(f"{left}{ELLIPSIS}{tail}", width)


class Inks:
    """The styles of a widget's parts, looked up once until the theme or the focus changes.

    Args:
        widget: has the component classes.
        prefix: what their names begin with.
    """

    def __init__(self, widget: Widget, prefix: str) -> None:
        self._widget = widget
        self._prefix = prefix
        self._known: dict[str, Style] = {}

    def forget(self) -> None:
        """The styles may be others now."""
        self._known.clear()

    @property
    def base(self) -> Style:
        """The widget's own style."""
        if "" not in self._known:
            self._known[""] = self._widget.rich_style
        return self._known[""]

    def of(self, name: str) -> Style:
        """A component's letters, its colour mixed with what is behind, without a background."""
        if name not in self._known:
            style = self._widget.get_component_rich_style(f"{self._prefix}--{name}")
            self._known[name] = Style(
                color=style.color,
                bold=style.bold,
                italic=style.italic,
                underline=style.underline,
                reverse=style.reverse,
            )
        return self._known[name]

    def block(self, name: str) -> Style:
        """A component's letters and background."""
        key = f"block {name}"
        if key not in self._known:
            component = f"{self._prefix}--{name}"
            self._known[key] = self._widget.get_component_rich_style(component, partial=True)
        return self._known[key]

    def full(self, name: str) -> Style:
        """A component's letters and background, both mixed with what is behind."""
        key = f"full {name}"
        if key not in self._known:
            self._known[key] = self._widget.get_component_rich_style(f"{self._prefix}--{name}")
        return self._known[key]
