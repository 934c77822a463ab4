"""Chunks that come as strings, placed in the text they were made of.

White space plays no part in finding a chunk. Chunks stand in order: none starts or ends before
the one before it does, and one of the same text starts later. A place is sure when the earliest
and the latest places that this allows are the same; else the chunk is ambiguous, and a place
that goes on from the one before is shown for it. A chunk found nowhere is looked for without its
first or last lines, or with lines left out in its middle (titles put before it, headings
dropped). What is still not found has no place.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.splitting.whitespace import is_space
from chunkscope.text.spans import Span

_NEAR = 20_000
"""Characters after the chunk before in which a chunk is looked for first."""

_LONG = 40
"""Characters that a chunk must have to be looked for farther away."""

_BUDGET = 50
"""How many times the text may be searched through for chunks that are not near."""

_ALIKE = 4
"""Characters that left-out text must have to be told for the source's own, changed."""

_BROKEN = "\ufffd"
_UNCUT = re.compile("[\x00-\x7f\ufffd\ud800-\udfff]")
_CHUNKS_PER_CHECK = 256


class Certainty(Enum):
    """What is known of a chunk's place."""

    SURE = "sure"
    AMBIGUOUS = "ambiguous"
    UNPLACED = "unplaced"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk stands.

    Attributes:
        spans: disjoint ascending source ranges; a single empty one when it is unplaced.
        certainty: whether the place is known.
    """

    spans: tuple[Span, ...]
    certainty: Certainty

    @property
    def start(self) -> int:
        """First code point."""
        return self.spans[0].start

    @property
    def end(self) -> int:
        """One past the last."""
        return self.spans[-1].end


@dataclass(slots=True)
class _Found:
    """A chunk's parts in the text without white space.

    Attributes:
        parts: stretches of the chunk that stand in the text as they are; none: not found.
        low: the earliest place of each.
        high: the latest.
        broken: whether a character is cut at its start, and at its end, and shown as U+FFFD.
        loose: whether what was left out looks like the text beside it, changed.
        repeats: whether it is the chunk before once more, which the text has once.
    """

    parts: list[str]
    low: list[int]
    high: list[int]
    broken: tuple[bool, bool] = (False, False)
    loose: bool = False
    repeats: bool = False


def align(text: str, chunks: Sequence[str], cancel: CancelToken | None = None) -> list[Place]:
    """The place of each chunk, in the order given; linear in the text but for long moves.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    packed = "".join(text.split())
    found = _Search(packed, chunks).forward(cancel)
    _backward(packed, chunks, found, cancel)
    return _places(text, packed, chunks, found)


class _Search:
    """The earliest place of each chunk."""

    def __init__(self, packed: str, chunks: Sequence[str]) -> None:
        self._text = packed
        self._chunks = chunks
        self._budget = _BUDGET * len(self._text)
        # Start and end of the last chunk found, and where the next may start at the earliest.
        self._start = self._least = 0
        self._end = 0
        # Characters of the chunks since then that were not found.
        self._missing = 0

    def forward(self, cancel: CancelToken | None) -> list[_Found]:
        """What is found of each chunk, from the first on."""
        found: list[_Found] = []
        packed = ["".join(chunk.split()) for chunk in self._chunks]
        last: str | None = None
        for number, (chunk, source) in enumerate(zip(packed, self._chunks, strict=True)):
            if cancel is not None and number % _CHUNKS_PER_CHECK == 0:
                cancel.check()
            self._least = self._start + (source == last)
            here = self._near(chunk, source) if chunk else None
            if here is None and chunk and source == last:
                # The same text again, and the source has it once: the same place, for want of one.
                before = next(one for one in reversed(found) if one.parts)
                found.append(_Found(before.parts, before.low, before.high, repeats=True))
                continue
            if here is None and len(chunk) >= _LONG:
                after = packed[number + 1] if number + 1 < len(packed) else ""
                here = self._far(chunk, after)
            if here is None:
                self._missing += len(chunk)
                found.append(_Found([], [], []))
                continue
            # A character cut in two stands in the chunks on both sides of the cut.
            self._start, self._missing = here.low[0] - here.broken[0], 0
            self._end = max(self._end, here.low[-1] + len(here.parts[-1]))
            found.append(here)
            last = source
        return found

    def _near(self, chunk: str, source: str) -> _Found | None:
        place = self._find(chunk)
        if place >= 0:
            return _Found([chunk], [place], [place])
        core = chunk.strip(_BROKEN)
        if core and core != chunk:
            broken = chunk.startswith(_BROKEN), chunk.endswith(_BROKEN)
            place = self._find(core, beyond=broken[1])
            if place >= 0:
                return _Found([core], [place], [place], broken)
        lines = ["".join(line.split()) for line in source.split("\n")]
        return self._trimmed([line for line in lines if line], len(chunk))

    def _find(self, part: str, *, beyond: bool = False) -> int:
        """The first place of `part` near the chunk before, or -1.

        With `beyond`, the chunk goes on for one more character.
        """
        return self._search(part, max(self._least, self._end - len(part) - beyond))

    def _trimmed(self, lines: list[str], length: int) -> _Found | None:
        """The chunk without lines at its start, at its end or in its middle; half must be left."""
        head, tail = self._longest_head(lines), self._longest_tail(lines)
        first, last = "".join(lines[:head]), "".join(lines[tail:])
        if head and tail < len(lines) and head <= tail:
            low = self._place_of(first, 0)
            high = self._place_of(last, max(low + len(first), self._end - len(last)))
            if high >= 0 and 2 * (len(first) + len(last)) >= length:
                middle = "".join(lines[head:tail])
                loose = self._goes_on(middle, low + len(first), high)
                return _Found([first, last], [low, high], [low, high], loose=loose)
        part = max(first, last, key=len)
        if part and 2 * len(part) >= length:
            place = self._find(part)
            if place >= 0:
                after = "".join(lines[head:]) if part == first else ""
                before = "".join(lines[:tail]) if part != first else ""
                loose = self._goes_on(after, place + len(part), len(self._text))
                loose = loose or self._goes_on(before, 0, place)
                return _Found([part], [place], [place], loose=loose)
        return None

    def _goes_on(self, left_out: str, start: int, end: int) -> bool:
        """Whether what was left out is likely the source beside its place, changed.

        So it is when half of it is how that begins or ends, or a character in it was replaced.
        """
        if _BROKEN in left_out:
            return True
        half = max(_ALIKE, (len(left_out) + 1) // 2)
        return len(left_out) >= half and (
            self._text[start : min(end, start + half)] == left_out[:half]
            or self._text[max(start, end - half) : end] == left_out[-half:]
        )

    def _place_of(self, part: str, low: int) -> int:
        return self._search(part, max(low, self._least))

    def _search(self, part: str, first: int) -> int:
        """The first place of `part` from `first` to somewhat after the chunk before, or -1.

        How far depends on how much was not found since, as long as the budget lasts.
        """
        reach = self._end + 2 * len(part) + _NEAR
        if self._budget > 0:
            reach += 2 * self._missing
        place = self._text.find(part, first, reach)
        if place < 0:
            self._budget -= max(0, min(reach, len(self._text)) - first - _NEAR)
        return place

    def _longest_head(self, lines: list[str]) -> int:
        """How many of the first lines are found together."""
        low, high = 0, len(lines)
        while low < high:
            middle = (low + high + 1) // 2
            if self._place_of("".join(lines[:middle]), 0) >= 0:
                low = middle
            else:
                high = middle - 1
        return low

    def _longest_tail(self, lines: list[str]) -> int:
        """From which line on the last ones are found together."""
        low, high = 0, len(lines)
        while low < high:
            middle = (low + high) // 2
            if self._place_of("".join(lines[middle:]), 0) >= 0:
                high = middle
            else:
                low = middle + 1
        return low

    def _far(self, chunk: str, after: str) -> _Found | None:
        """A chunk farther on, when the next one is not near either."""
        if self._budget <= 0 or (after and self._find(after) >= 0):
            return None
        place = self._text.find(chunk, max(self._least, self._end - len(chunk)))
        self._budget -= (len(self._text) if place < 0 else place) - self._start
        return None if place < 0 else _Found([chunk], [place], [place])


def _backward(
    packed: str, chunks: Sequence[str], found: list[_Found], cancel: CancelToken | None
) -> None:
    """Set the latest place of each chunk, from the last on."""
    start = end = len(packed)
    following: str | None = None
    for number in range(len(found) - 1, -1, -1):
        if cancel is not None and number % _CHUNKS_PER_CHECK == 0:
            cancel.check()
        here = found[number]
        if not here.parts or here.repeats:
            continue
        limit = end
        high: list[int] = []
        for index in range(len(here.parts) - 1, -1, -1):
            part = here.parts[index]
            if index == 0:
                latest = start - (chunks[number] == following) + here.broken[0]
                limit = min(limit, latest + len(part))
            place = max(here.low[index], packed.rfind(part, here.low[index], limit))
            high.insert(0, place)
            limit = place
        here.high = high
        start, end = high[0], high[-1] + len(here.parts[-1]) + here.broken[1]
        following = chunks[number]


def _places(text: str, packed: str, chunks: Sequence[str], found: list[_Found]) -> list[Place]:
    """The places in the text itself; what is ambiguous goes on from the chunk before."""
    offsets = np.flatnonzero(~is_space(text)).tolist()
    places: list[Place] = []
    chosen: list[int] = []
    end = 0
    for chunk, here in zip(chunks, found, strict=True):
        if not here.parts:
            places.append(Place((Span(-1, -1),), Certainty.UNPLACED))
            continue
        certain = not here.repeats and not here.loose and here.low == here.high
        chosen = chosen if here.repeats else here.low
        if here.low != here.high and not here.repeats and len(here.parts) == 1:
            part = here.parts[0]
            place = packed.find(part, max(here.low[0], end), here.high[0] + len(part))
            chosen = [place if place >= 0 else here.high[0]]
        end = chosen[-1] + len(here.parts[-1])
        spans = [
            Span(offsets[place], offsets[place + len(part) - 1] + 1)
            for part, place in zip(here.parts, chosen, strict=True)
        ]
        if len(spans) == 1:
            spans = [_with_margins(text, chunk, spans[0])]
        if any(here.broken):
            wider, whole = _with_broken(text, chunk, spans[0], here.broken)
            spans, certain = [wider], certain and whole
        certainty = Certainty.SURE if certain else Certainty.AMBIGUOUS
        places.append(Place(tuple(_joined(spans, text)), certainty))
    return _with_points(places)


def _with_margins(text: str, chunk: str, span: Span) -> Span:
    """The range with the white space at the chunk's ends, where the text has it too."""
    before = len(chunk) - len(chunk.lstrip())
    after = len(chunk) - len(chunk.rstrip())
    wider = Span(span.start - before, span.end + after)
    if wider.start >= 0 and text[wider.start : wider.end] == chunk:
        return wider
    return span


def _with_broken(text: str, chunk: str, span: Span, broken: tuple[bool, bool]) -> tuple[Span, bool]:
    """The range with the characters that are cut at its ends, and whether they can be those."""
    head, tail = chunk.lstrip(_BROKEN), chunk.rstrip(_BROKEN)
    before = head[: len(head) - len(head.lstrip())]
    after = tail[len(tail.rstrip()) :]
    start = span.start - len(before) - broken[0]
    end = span.end + len(after) + broken[1]
    if start < 0 or end > len(text):
        return span, False
    wider = text[start:end]
    # A character of one byte cannot be cut, and half a pair is replaced whole.
    beside = wider[:1] * broken[0] + wider[-1:] * broken[1]
    core = chunk.strip(_BROKEN)
    if wider[broken[0] : len(wider) - broken[1]] != core or _UNCUT.search(beside):
        return span, False
    return Span(start, end), True


def _joined(spans: list[Span], text: str) -> list[Span]:
    """Ranges with nothing but white space between them as one."""
    joined = spans[:1]
    for span in spans[1:]:
        if text[joined[-1].end : span.start].strip():
            joined.append(span)
        else:
            joined[-1] = Span(joined[-1].start, span.end)
    return joined


def _with_points(places: list[Place]) -> list[Place]:
    """Unplaced chunks given an empty range between their neighbours."""
    following = [0] * len(places)
    ahead = max((place.end for place in places), default=0)
    for number in range(len(places) - 1, -1, -1):
        following[number] = ahead
        if places[number].certainty is not Certainty.UNPLACED:
            ahead = places[number].start
    start = end = 0
    finished: list[Place] = []
    for place, next_start in zip(places, following, strict=True):
        if place.certainty is Certainty.UNPLACED:
            point = max(start, min(end, next_start))
            finished.append(Place((Span(point, point),), Certainty.UNPLACED))
        else:
            start, end = place.start, max(end, place.end)
            finished.append(place)
    return finished
