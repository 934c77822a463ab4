"""Parts that are kept whole where they fit, packed into chunks up to a size.

The splitters that look for meaning (sentences, headings, elements) find the parts; how parts
become chunks is the same for all of them:

- a chunk takes parts of one section, in order, while they fit;
- a heading stays with the part below it;
- the next chunk of the section begins with the last parts that make no more than the overlap;
- a part that alone is too long is cut by separators, as `recursive` does.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple, Protocol

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.splitting.chunks import BoolArray, Cuts, IntArray
from chunkscope.splitting.protocol import PreparedText
from chunkscope.splitting.units import BatchLength
from chunkscope.splitting.whitespace import Offsets, SpaceRuns

_TEXTS_PER_BATCH = 1 << 14
_CHUNKS_PER_CHECK = 1 << 10


class Parts(NamedTuple):
    """A text laid out in parts without gaps.

    Attributes:
        bounds: where each part starts, and the text's end last, shape (n + 1,).
        sections: numbers of the parts with which a section begins, ascending, 0 among them.
        headings: which parts are headings, shape (n,).
    """

    bounds: IntArray
    sections: IntArray
    headings: BoolArray


def section_parts(text: str, blocks: Sequence[tuple[int, int]]) -> Parts:
    """The parts of a text with headings.

    A heading begins a section, unless nothing but higher headings stands right above it.

    Args:
        text: the text.
        blocks: start and level (0: no heading) of each block, the first at 0.
    """
    starts = [start for start, _ in blocks]
    levels = [level for _, level in blocks]
    sections = [
        number
        for number, level in enumerate(levels)
        if number == 0 or (level and not 0 < levels[number - 1] < level)
    ]
    return Parts(
        np.array([*starts, len(text)], dtype=np.int64),
        np.array(sections, dtype=np.int64),
        np.array(levels, dtype=np.int64) > 0,
    )


class FindParts(Protocol):
    """Finds the parts of a text."""

    def __call__(self, text: str, cancel: CancelToken | None) -> Parts:
        """The parts.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        ...


class _Measured(NamedTuple):
    """Parts joined into units (a heading and what it heads), with their lengths.

    Attributes:
        first: first part of each unit, and the number of parts last, shape (m + 1,).
        sums: lengths of all units before each, and of all last, shape (m + 1,).
        opens: the same with the white space added that a chunk beginning there would drop.
        sections: numbers of the units with which a section begins, and m last.
    """

    first: list[int]
    sums: list[int]
    opens: list[int]
    sections: list[int]


class PackedText:
    """A text whose parts are found once and packed at any size and overlap."""

    def __init__(
        self,
        text: str,
        find: FindParts,
        walk: Callable[[str], PreparedText],
        length: BatchLength | None,
        *,
        strip: bool,
    ) -> None:
        """Prepare a text of which nothing is known yet.

        Args:
            text: the text.
            find: finds its parts.
            walk: prepares a part that is too long.
            length: measures texts; None: every character counts one.
            strip: whether white space at a chunk's ends is dropped.
        """
        self._text = text
        self._find = find
        self._walk = walk
        self._length = length
        self._strip = strip
        self._found: tuple[Parts, _Measured, Offsets, Offsets] | None = None
        self._walks: dict[tuple[int, int], PreparedText] = {}

    def cut(self, size: int, overlap: int, cancel: CancelToken | None = None) -> Cuts:
        """The chunks at this size and overlap; see `PreparedText`."""
        if not self._text:
            empty = np.zeros(0, dtype=np.int64)
            return Cuts(empty, empty)
        if self._found is None:
            parts = self._find(self._text, cancel)
            spaces = SpaceRuns(self._text)
            bounds = parts.bounds.astype(np.int32)
            inner_starts, inner_ends = bounds[:-1], bounds[1:]
            if self._strip:
                inner_starts, inner_ends = spaces.strip(inner_starts, inner_ends)
            inner = inner_starts, inner_ends
            self._found = parts, self._measured(parts, inner, cancel), *inner
        planned = _plan(self._found[1], size, overlap, cancel)
        return self._finished(planned, size, overlap, cancel)

    def _measured(
        self, parts: Parts, inner: tuple[Offsets, Offsets], cancel: CancelToken | None
    ) -> _Measured:
        """The units of the parts, and their lengths."""
        count = len(parts.headings)
        opening = np.zeros(count, dtype=np.bool_)
        opening[parts.sections] = True
        begins = opening.copy()
        begins[1:] |= ~parts.headings[:-1]
        first = np.flatnonzero(begins)
        sections = np.append(np.flatnonzero(opening[first]), len(first))
        if self._length is None:
            # Characters are places: nothing is measured, and white space that is dropped is known.
            starts, ends = inner
            sums = np.append(0, np.maximum.accumulate(ends)[np.append(first[1:], count) - 1])
            opens = np.maximum(starts[first], sums[:-1])
            if not self._strip:
                sums = np.append(parts.bounds[first], len(self._text))
                opens = sums[:-1]
            return _Measured(
                [*first.tolist(), count], sums.tolist(), opens.tolist(), sections.tolist()
            )
        edges = [_measuring_edge(self._text, bound) for bound in parts.bounds[first].tolist()]
        edges.append(len(self._text))
        totals = [0]
        for begin in range(0, len(first), _TEXTS_PER_BATCH):
            if cancel is not None:
                cancel.check()
            end = min(len(first), begin + _TEXTS_PER_BATCH)
            texts = [self._text[edges[unit] : edges[unit + 1]] for unit in range(begin, end)]
            totals.extend(self._length(texts))
        totals = list(accumulate(totals))
        return _Measured([*first.tolist(), count], totals, totals, sections.tolist())

    def _finished(
        self, planned: list[tuple[int, int]], size: int, overlap: int, cancel: CancelToken | None
    ) -> Cuts:
        """The planned chunks (first unit and one past the last), each held to the size."""
        assert self._found is not None
        starts: list[int] = []
        ends: list[int] = []
        ranges = [self._range(first, last) for first, last in planned]
        lengths = self._lengths(ranges, cancel)
        least = 0
        for number, (begin, last) in enumerate(planned):
            if cancel is not None and number % _CHUNKS_PER_CHECK == 0:
                cancel.check()
            pieces, length = [ranges[number]], lengths[number]
            if begin < least:
                # The chunk before was divided: what is repeated begins after its last piece.
                pieces = [self._range(least, last)]
                length = self._measure(*pieces[0])
            least = max(begin, least)
            if length > size:
                pieces, least = self._divided(least, last, size, overlap, cancel)
            for start, end in pieces:
                if start < end:
                    starts.append(start)
                    ends.append(end)
        return Cuts(np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64))

    def _range(self, first: int, last: int) -> tuple[int, int]:
        """The source range of some units."""
        assert self._found is not None
        _, measured, _, _ = self._found
        return self._part_range(measured.first[first], measured.first[last])

    def _part_range(self, first: int, last: int) -> tuple[int, int]:
        assert self._found is not None
        parts, _, inner_starts, inner_ends = self._found
        if not self._strip:
            return int(parts.bounds[first]), int(parts.bounds[last])
        # Blank parts at either end are passed over.
        while first < last and inner_starts[first] >= inner_ends[first]:
            first += 1
        while first < last and inner_starts[last - 1] >= inner_ends[last - 1]:
            last -= 1
        return (int(inner_starts[first]), int(inner_ends[last - 1])) if first < last else (0, 0)

    def _divided(
        self, first: int, last: int, size: int, overlap: int, cancel: CancelToken | None
    ) -> tuple[list[tuple[int, int]], int]:
        """Ranges for units that are longer together than their lengths made believe.

        Returns:
            The ranges, and the first unit with which the next chunk may begin.
        """
        pieces: list[tuple[int, int]] = []
        least = first
        while first < last:
            end = last
            while end > first + 1 and self._measure(*self._range(first, end)) > size:
                end -= 1
            place = self._range(first, end)
            if self._measure(*place) <= size:
                pieces.append(place)
            else:
                pieces.extend(self._unit(first, size, overlap, cancel))
            least = first + 1
            first = end
        return pieces, least

    def _unit(
        self, unit: int, size: int, overlap: int, cancel: CancelToken | None
    ) -> list[tuple[int, int]]:
        """Ranges for a unit that is too long: the part below headings is whole where it fits."""
        assert self._found is not None
        measured = self._found[1]
        first, last = measured.first[unit], measured.first[unit + 1]
        kept = self._part_range(last - 1, last)
        if last - first > 1 and self._measure(*kept) <= size:
            above = self._part_range(first, last - 1)
            if self._measure(*above) <= size:
                return [above, kept]
            return [*self._walked(above, size, overlap, cancel), kept]
        return self._walked(self._part_range(first, last), size, overlap, cancel)

    def _walked(
        self, place: tuple[int, int], size: int, overlap: int, cancel: CancelToken | None
    ) -> list[tuple[int, int]]:
        start, end = place
        if place not in self._walks:
            self._walks[place] = self._walk(self._text[start:end])
        cuts = self._walks[place].cut(size, overlap, cancel)
        return list(zip((cuts.starts + start).tolist(), (cuts.ends + start).tolist(), strict=True))

    def _measure(self, start: int, end: int) -> int:
        return self._lengths([(start, end)], None)[0]

    def _lengths(self, ranges: list[tuple[int, int]], cancel: CancelToken | None) -> list[int]:
        if self._length is None:
            return [end - start for start, end in ranges]
        lengths: list[int] = []
        for begin in range(0, len(ranges), _TEXTS_PER_BATCH):
            if cancel is not None:
                cancel.check()
            batch = ranges[begin : begin + _TEXTS_PER_BATCH]
            lengths.extend(self._length([self._text[start:end] for start, end in batch]))
        return lengths


def _measuring_edge(text: str, bound: int) -> int:
    """Where to part two texts so that their tokens are most nearly those of the whole.

    Line ends go with the mark before them, spaces with the word after them.
    """
    start = bound
    while start > 0 and text[start - 1].isspace() and text[start - 1] not in "\r\n":
        start -= 1
    return start


def _plan(
    measured: _Measured, size: int, overlap: int, cancel: CancelToken | None
) -> list[tuple[int, int]]:
    """Chunks as units, first and one past the last, by the sums of their lengths."""
    planned: list[tuple[int, int]] = []
    sums, opens = measured.sums, measured.opens
    for begin, stop in pairwise(measured.sections):
        first = fresh = begin
        while fresh < stop:
            if cancel is not None and len(planned) % _CHUNKS_PER_CHECK == 0:
                cancel.check()
            # Units first…fresh-1 are repeated from the chunk before; unit fresh joins in any case.
            end = bisect_right(sums, opens[first] + size, fresh + 2, stop + 1) - 1
            planned.append((first, end))
            before = first
            first = fresh = end
            if end < stop and overlap and sums[end + 1] - opens[end] <= size:
                least = max(sums[end] - overlap, sums[end + 1] - size)
                first = bisect_left(opens, least, before + 1, end)
    return planned
