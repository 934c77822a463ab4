"""Fields that show what is typed or pasted with every character visible."""

from rich.segment import Segment
from textual.strip import Strip
from textual.widgets import Input

from chunkscope.text.display import visible


class Field(Input):
    """An `Input` that never sends a control character of its text to the terminal."""

    def render_line(self, y: int) -> Strip:
        """One row, hidden characters as marks."""
        return literal_strip(super().render_line(y))


def literal_strip(strip: Strip) -> Strip:
    """The strip with each hidden character as its visible mark, as wide as before."""
    segments = list(strip)
    shown = [
        segment if segment.control else Segment(visible(segment.text), segment.style)
        for segment in segments
    ]
    if all(new.text == old.text for new, old in zip(shown, segments, strict=True)):
        return strip
    return Strip(shown).adjust_cell_length(strip.cell_length)
