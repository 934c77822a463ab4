"""Paragraphs of literal text, each broken to the width, as high as they are together."""

from collections.abc import Sequence

from chunkscope.tui.widgets.one_line import OneLine, Piece
from chunkscope.tui.widgets.paragraph import broken

_LEAST = 12


class Facts(OneLine):
    """Several paragraphs one after the other."""

    DEFAULT_CSS = """
    Facts { height: 0; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._paragraphs: tuple[Sequence[Piece], ...] = ()

    def say(self, *paragraphs: Sequence[Piece]) -> None:
        """Replace the paragraphs."""
        self._paragraphs = paragraphs
        self._wrap()

    def on_resize(self) -> None:
        """Another width, other lines."""
        self._wrap()

    def _wrap(self) -> None:
        width = max(_LEAST, self.size.width or self.container_size.width)
        lines = [line for pieces in self._paragraphs for line in broken(pieces, width)]
        self.show(*lines)
        self.styles.height = len(lines)
