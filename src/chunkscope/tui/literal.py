"""The one way by which outside text reaches the screen: literally, never as markup or codes."""

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from textual.content import Content
from textual.widget import Widget

from chunkscope.text.display import visible

ELLIPSIS = "…"


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


def ink(widget: Widget, component: str) -> Style:
    """A component's letters without its background, its colour mixed with the one behind."""
    style = widget.get_component_rich_style(component)
    return Style(
        color=style.color,
        bold=style.bold,
        italic=style.italic,
        underline=style.underline,
        reverse=style.reverse,
    )
