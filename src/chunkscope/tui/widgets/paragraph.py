"""Pieces of literal text in as many lines as they need."""

from collections.abc import Sequence

from rich.cells import cell_len

from chunkscope.tui.widgets.line_list import wrapped
from chunkscope.tui.widgets.one_line import OneLine, Piece


class Paragraph(OneLine):
    """Breaks at spaces to its width and is as high as that; a limit is set by `max-height`."""

    DEFAULT_CSS = """
    Paragraph { height: 0; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._pieces: tuple[Piece, ...] = ()

    def say(self, *pieces: Piece) -> None:
        """Replace the text."""
        self._pieces = pieces
        self._wrap()

    def on_resize(self) -> None:
        """Another width, other lines."""
        self._wrap()

    def _wrap(self) -> None:
        width = self.size.width or self.container_size.width
        lines = broken(self._pieces, max(8, width)) if self._pieces else []
        self.show(*lines)
        self.styles.height = len(lines)


def broken(pieces: Sequence[Piece], width: int) -> list[list[Piece]]:
    """Pieces in lines of at most `width` cells, broken at spaces; each begins with one."""
    lines: list[list[Piece]] = [[(" ", "")]]
    used = 1
    for text, role in pieces:
        for number, word in enumerate(text.split(" ")):
            space = 1 if number and used > 1 else 0
            if used + space + cell_len(word) > width and used > 1:
                lines.append([(" ", "")])
                used = 1
            elif space:
                lines[-1].append((" ", role))
                used += 1
            parts = wrapped(word, width - 1) if cell_len(word) > width - 1 else [word]
            for part in parts[:-1]:
                lines[-1].append((part, role))
                lines.append([(" ", "")])
                used = 1
            lines[-1].append((parts[-1], role))
            used += cell_len(parts[-1])
    return lines
