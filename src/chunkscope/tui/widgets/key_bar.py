"""The footer: keys and what they do, as many as fit, each a target for the mouse."""

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from chunkscope.tui.keymap import Key
from chunkscope.tui.literal import Inks


class KeyBar(Widget):
    """Keys in as many lines as the widget has; where they do not all fit, the main ones."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"key-bar--key", "key-bar--label"}
    DEFAULT_CSS = """
    KeyBar {
        height: 1;
        background: $panel;
        & .key-bar--key { color: $footer-key-foreground; text-style: bold; }
        & .key-bar--label { color: $text-muted; }
    }
    """

    def __init__(self, keys: Sequence[Key], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._inks = Inks(self, "key-bar")
        self._keys = tuple(keys)

    def notify_style_update(self) -> None:
        """The theme changed."""
        super().notify_style_update()
        self._inks.forget()

    def render_line(self, y: int) -> Strip:
        """One line of keys."""
        width, height = self.size
        lines = _packed(self._keys, width, height)
        if lines is None:
            main = sorted((key for key in self._keys if key.shown), key=_first)
            lines = _packed_some(main, width, height)
        base = self._inks.base
        segments = [Segment(" ", base)]
        strong = base + self._inks.of("key")
        label = base + self._inks.of("label")
        for key in lines[y] if y < len(lines) else ():
            click = Style(meta={"@click": f"screen.{key.action}"})
            segments.append(Segment(key.display, strong + click))
            segments.append(Segment(f" {key.label}", label + click))
            segments.append(Segment("  ", base))
        return Strip(segments).adjust_cell_length(width, base)


def _first(key: Key) -> int:
    """Help and quit stand where they are never cut off."""
    return 0 if key.id in {"help", "quit"} else 1


def _width(key: Key) -> int:
    return cell_len(key.display) + 1 + cell_len(key.label) + 2


def _packed(keys: Sequence[Key], width: int, height: int) -> list[list[Key]] | None:
    """All keys in lines of `width`, or None when `height` lines do not hold them."""
    lines = _packed_some(keys, width, height)
    return lines if sum(map(len, lines)) == len(keys) else None


def _packed_some(keys: Sequence[Key], width: int, height: int) -> list[list[Key]]:
    lines: list[list[Key]] = [[]]
    used = 1
    for key in keys:
        if used + _width(key) > width + 2:
            if len(lines) == height:
                break
            lines.append([])
            used = 1
        lines[-1].append(key)
        used += _width(key)
    return lines
