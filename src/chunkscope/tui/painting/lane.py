"""What stands beside the chunks of A and B: what really came back, and the first stage's sections.

Both are a narrow column of the gutter with glyphs of their own, never told by colour alone.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import ReturnedLayer, ReturnedMark
from chunkscope.tui.painting.marks import Marks


class SpanIndex:
    """Ranges in order of their starts, asked by rows."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.spans = sorted(spans)
        self._starts = [span.start for span in self.spans]
        self._reach = list(accumulate((span.end for span in self.spans), max))

    def __len__(self) -> int:
        return len(self.spans)

    def starting(self, start: int, end: int) -> range:
        """Positions of those that begin in `[start, end)`."""
        return range(bisect_left(self._starts, start), bisect_left(self._starts, end))

    def touching(self, start: int, end: int) -> list[int]:
        """Positions of those that have a character in `[start, end)`."""
        first, last = bisect_right(self._reach, start), bisect_left(self._starts, end)
        return [at for at in range(first, last) if self.spans[at].end > start]


class ReturnedIndex:
    """What really came back, asked by rows."""

    def __init__(self, layer: ReturnedLayer) -> None:
        self.layer = layer
        self._marks = sorted(layer.marks, key=lambda mark: (mark.span, mark.rank))
        self._index = SpanIndex([mark.span for mark in self._marks])

    def touching(self, start: int, end: int) -> list[ReturnedMark]:
        """Those that have a character in `[start, end)`, best first."""
        found = [self._marks[at] for at in self._index.touching(start, end)]
        return sorted(found, key=lambda mark: mark.rank)

    def text(self, span: Span, marks: Marks, width: int) -> str:
        """The column in a row: letter and rank where one begins, a line where one runs on."""
        starting = [self._marks[at] for at in self._index.starting(*span)]
        if starting:
            best = min(starting, key=lambda mark: mark.rank)
            return name_of(best)[:width].rjust(width)
        return (marks.returned if self._index.touching(*span) else "").rjust(width)


def name_of(mark: ReturnedMark) -> str:
    """`R` and the rank; `r` where the same text stands elsewhere, too."""
    return f"{'R' if mark.certain else 'r'}{mark.rank}"


def section_text(sections: SpanIndex, span: Span, marks: Marks) -> str:
    """One cell: where a section of the first stage begins, and where it runs on."""
    if len(sections.starting(*span)):
        return marks.section_start
    return marks.section if sections.touching(*span) else " "
