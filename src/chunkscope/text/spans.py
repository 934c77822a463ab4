"""Half-open ranges of code points, and their arithmetic."""

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """`[start, end)` in code points of one document's text."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """Code points in the range."""
        return self.end - self.start

    def contains(self, other: "Span") -> bool:
        """Whether `other` lies whole inside this range."""
        return self.start <= other.start and other.end <= self.end

    def overlap(self, other: "Span") -> int:
        """Code points in both ranges; ranges that only touch share none."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))


def merge(spans: Iterable[Span]) -> list[Span]:
    """The union of `spans` as disjoint ascending ranges; touching ranges become one."""
    merged: list[Span] = []
    for span in sorted(spans):
        if span.end <= span.start:
            continue
        if merged and span.start <= merged[-1].end:
            if span.end > merged[-1].end:
                merged[-1] = Span(merged[-1].start, span.end)
        else:
            merged.append(Span(span.start, span.end))
    return merged


def union_length(spans: Iterable[Span]) -> int:
    """Code points in the union of `spans`."""
    return sum(span.length for span in merge(spans))


def covered_length(spans: Iterable[Span], by: Iterable[Span]) -> int:
    """Code points of the union of `spans` that also lie in the union of `by`."""
    total = 0
    covers = merge(by)
    position = 0
    for span in merge(spans):
        while position < len(covers) and covers[position].end <= span.start:
            position += 1
        ahead = position
        while ahead < len(covers) and covers[ahead].start < span.end:
            total += span.overlap(covers[ahead])
            ahead += 1
    return total
