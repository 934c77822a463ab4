"""Fields that show what is typed or pasted with every character visible."""

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widgets import Input

from chunkscope.text.display import visible


class Field(Input):
    """An `Input` that never sends a control character of its text to the terminal."""

    def render_line(self, y: int) -> Strip:
        """One row, hidden characters as marks."""
        shown = visible(self.value)
        if y or shown == self.value:
            return literal_strip(super().render_line(y))
        # Rich leaves some control characters out, and counts no cells for others.
        return self._drawn(shown)

    def _drawn(self, shown: str) -> Strip:
        """The text with its marks, so far to the left that the cursor is seen."""
        width, cursor = self.size.width, self.cursor_position
        base = self.rich_style
        text = f"{shown} "
        first, used = cursor, cell_len(text[cursor : cursor + 1])
        while first and used + cell_len(text[first - 1]) <= width:
            first -= 1
            used += cell_len(text[first])
        low, high = sorted(self.selection)
        segments = []
        for number in range(first, min(len(text), first + width)):
            style = base
            if self.has_focus and low <= number < high:
                style = base + self._part("input--selection")
            if self.has_focus and number == cursor:
                style = base + self._part("input--cursor")
            segments.append(Segment(text[number], style))
        return Strip(segments).simplify().adjust_cell_length(width, base)

    def _part(self, name: str) -> Style:
        return self.get_component_rich_style(name, partial=True)


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
