"""Where an extracted text came from: its pages, cells, paragraphs or elements."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from chunkscope.text.shortplace import short_name, short_range


@dataclass(frozen=True, slots=True)
class Part:
    """A named stretch of an extracted text, half-open.

    Attributes:
        name: such as `page 3` or `cell 2 (code)`.
        start: its first code point.
        end: one past its last; what stands between two parts joins them.
    """

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Origin:
    """That a document's text was extracted, so that its offsets are not those of the file.

    Attributes:
        format: what the file is, such as `PDF`, `DOCX`, `notebook`, `HTML`, `JSON Lines`.
        parts: ascending and disjoint; empty where the format has none.
        pieces: (place in the text, place in the decoded source), ascending: from one to the next
            the text runs along with the source. Empty where no such map can be.
        headings: (level, title, start, end) of each heading that the file itself marks, ascending.
    """

    format: str
    parts: tuple[Part, ...] = ()
    pieces: tuple[tuple[int, int], ...] = ()
    headings: tuple[tuple[int, str, int, int], ...] = ()

    def part_at(self, offset: int) -> Part | None:
        """The part that holds a place; what joins two parts belongs to the first of them."""
        index = bisect_right(self._starts, offset) - 1
        return self.parts[index] if index >= 0 else None

    def place(self, start: int, end: int) -> str:
        """Where a span stands, such as `page 3` or `page 3 to page 5`.

        Without parts, the offsets in the file's own decoded text, such as `source 120–140`; empty
        where neither is known.
        """
        if not self.parts:
            source, last_source = self.source_of(start), self.source_of(max(start, end - 1))
            if source is None or last_source is None:
                return ""
            return f"source {source}–{last_source + 1}"
        first, last = self.part_at(start), self.part_at(max(start, end - 1))
        if first is None or last is None:
            return last.name if last is not None else ""
        if first == last:
            return first.name
        # Of two rows of one table only the rows are named twice.
        shared = first.name.rpartition(", row ")[0]
        inside = shared and last.name.startswith(f"{shared}, row ")
        return f"{first.name} to {last.name.removeprefix(f'{shared}, ') if inside else last.name}"

    def short_place(self, start: int, end: int) -> str:
        """`place` in few letters, such as `p. 3`, `p. 3–5` or `source 120`."""
        if not self.parts:
            source = self.source_of(start)
            return "" if source is None or not self.place(start, end) else f"source {source}"
        first, last = self.part_at(start), self.part_at(max(start, end - 1))
        if first is None or last is None:
            return short_name(last.name) if last is not None else ""
        return short_name(last.name) if first == last else short_range(first.name, last.name)

    def source_of(self, offset: int) -> int | None:
        """The place in the decoded source that a place in the text came from, or None."""
        index = bisect_right(self.pieces, offset, key=lambda piece: piece[0]) - 1
        if index < 0:
            return None
        text, source = self.pieces[index]
        return source + offset - text

    @cached_property
    def _starts(self) -> list[int]:
        return [part.start for part in self.parts]


def joined(parts: Sequence[tuple[str, str]], separator: str) -> tuple[str, tuple[Part, ...]]:
    """The text of (name, text) parts with `separator` between them, and where each stands."""
    places: list[Part] = []
    at = 0
    for name, text in parts:
        places.append(Part(name, at, at + len(text)))
        at += len(text) + len(separator)
    return separator.join(text for _, text in parts), tuple(places)
