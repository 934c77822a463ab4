"""`module:object`, and the splitters that packages offer: what they return, put in its place."""

from collections.abc import Sequence

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.splitting.alignment import Certainty, Place, align
from chunkscope.splitting.checking import check_unit
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.foreign_code import call_splitter, taken_settings
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.units import UNITS
from chunkscope.text.spans import Span

_TEXTS = ("page_content", "text")
_BOUNDS = (("start_index", "end_index"), ("start_char_idx", "end_char_idx"))


class ForeignText:
    """A text that is split by foreign code, once for each size and overlap that it takes."""

    def __init__(self, text: str, kind: str, found: object, takes: frozenset[str]) -> None:
        self._text = text
        self._kind = kind
        self._found = found
        self._takes = takes
        self._last: tuple[tuple[int, int], Cuts] | None = None

    def cut(self, size: int, overlap: int, cancel: CancelToken | None = None) -> Cuts:
        """The chunks; see `PreparedText`. The foreign code itself cannot be called off.

        Raises:
            InputError: when the foreign code fails, or returns ranges that the text has not.
            CancelledError: when `cancel` was raised meanwhile.
        """
        key = (size if "size" in self._takes else 0, overlap if "overlap" in self._takes else 0)
        if self._last is None or self._last[0] != key:
            if cancel is not None:
                cancel.check()
            made = call_splitter(self._kind, self._found, self._text, size, overlap)
            self._last = key, self._placed(made, cancel)
        return self._last[1]

    def _placed(self, made: list[object], cancel: CancelToken | None) -> Cuts:
        ranges = [_pair(item) for item in made]
        if made and all(pair is not None for pair in ranges):
            spans = [self._checked(number, pair) for number, pair in enumerate(ranges) if pair]
            spans = sorted(span for span in spans if span.length)
            return Cuts(
                np.array([span.start for span in spans], dtype=np.int64),
                np.array([span.end for span in spans], dtype=np.int64),
            )
        texts = [self._text_of(number, item) for number, item in enumerate(made)]
        # An empty chunk holds nothing and stands nowhere.
        kept = [number for number, text in enumerate(texts) if text]
        chunks = [texts[number] for number in kept]
        places = align(self._text, chunks, cancel)
        claims = [_claim(made[number], self._text) for number in kept]
        return _cuts(self._text, chunks, _with_claims(places, claims, len(self._text)))

    def _checked(self, number: int, pair: tuple[int, int]) -> Span:
        start, end = pair
        if not 0 <= start <= end <= len(self._text):
            raise InputError(
                f"splitter {self._kind!r}: chunk {number} is {pair}, which is no range of a "
                f"text of {len(self._text)} characters; return code points, 0 <= start <= end"
            )
        return Span(start, end)

    def _text_of(self, number: int, item: object) -> str:
        if isinstance(item, str):
            return item
        for name in _TEXTS:
            text = getattr(item, name, None)
            if isinstance(text, str):
                return text
        raise InputError(
            f"splitter {self._kind!r}: chunk {number} is a {type(item).__name__}; return strings, "
            "(start, end) pairs or documents, all of one sort"
        )


class ForeignSplitter:
    """Foreign code as a splitter: it decides all, and is given the size where it takes one.

    Strings are placed by `align`; pairs are checked and put in order; of documents and chunk
    objects the text counts, and bounds that they give choose among several places at most.
    """

    unit: str | None = None

    def __init__(self, kind: str, found: object) -> None:
        """Wrap an object.

        Raises:
            InputError: when it is nothing that splits.
        """
        self._kind = kind
        self._found = found
        self._takes = taken_settings(kind, found)
        self.uses = self._takes | {"unit", "encoding", "dedupe"}

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings: none; see `Splitter`."""
        check_unit(settings, UNITS)
        return []

    def prepare(self, text: str, settings: SplitterSettings) -> ForeignText:
        """The text, yet to be split; see `Splitter`."""
        return ForeignText(text, self._kind, self._found, self._takes)


def _pair(item: object) -> tuple[int, int] | None:
    """The range that an item is, if it is one."""
    if isinstance(item, tuple | list) and len(item) == 2:
        start, end = item
        if _is_place(start) and _is_place(end):
            return int(start), int(end)
    return None


def _is_place(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _claim(item: object, text: str) -> Span | None:
    """The range that a chunk object says it has, if its text stands there."""
    for low, high in _BOUNDS:
        pair = _pair((getattr(item, low, None), getattr(item, high, None)))
        if pair is not None and 0 <= pair[0] < pair[1] <= len(text):
            stated = getattr(item, "text", None)
            if stated == text[pair[0] : pair[1]]:
                return Span(*pair)
    return None


def _with_claims(places: list[Place], claims: Sequence[Span | None], length: int) -> list[Place]:
    """Ambiguous places replaced by those that chunks say they have, where no order is broken.

    Chunks that say they follow each other from the text's start to its end, without a gap, do.
    """
    tiles = [claim for claim in claims if claim is not None]
    edges = [0, *(claim.end for claim in tiles)]
    if len(tiles) == len(places) and [*(claim.start for claim in tiles), length] == edges:
        return [Place((claim,), Certainty.SURE) for claim in tiles]
    finished: list[Place] = []
    start = 0
    for number, (place, claim) in enumerate(zip(places, claims, strict=True)):
        chosen = place
        following = places[number + 1].start if number + 1 < len(places) else None
        if (
            place.certainty is Certainty.AMBIGUOUS
            and claim is not None
            and claim.start >= start
            and (following is None or claim.start <= following or claims[number + 1] is not None)
        ):
            chosen = Place((claim,), Certainty.AMBIGUOUS)
        finished.append(chosen)
        start = max(start, chosen.start)
    return finished


def _cuts(text: str, chunks: list[str], places: list[Place]) -> Cuts:
    altered: dict[int, str] = {}
    spans: dict[int, tuple[Span, ...]] = {}
    for index, (chunk, place) in enumerate(zip(chunks, places, strict=True)):
        if len(place.spans) > 1:
            spans[index] = place.spans
        if text[place.start : place.end] != chunk:
            altered[index] = chunk
    by_certainty = {
        certainty: frozenset(
            index for index, place in enumerate(places) if place.certainty is certainty
        )
        for certainty in Certainty
    }
    return Cuts(
        np.array([place.start for place in places], dtype=np.int64),
        np.array([place.end for place in places], dtype=np.int64),
        altered,
        spans,
        ambiguous=by_certainty[Certainty.AMBIGUOUS],
        unplaced=by_certainty[Certainty.UNPLACED],
    )
