"""Sections that another splitter cuts further: their text, and where each character stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from chunkscope.splitting.chunks import Cuts, IntArray
from chunkscope.splitting.packing import Parts
from chunkscope.splitting.whitespace import Offsets
from chunkscope.text.spans import Span


@dataclass(frozen=True)
class Section:
    """A section of a document.

    Attributes:
        text: its text; what the next splitter is given.
        spans: its disjoint ascending source ranges.
        offsets: where each character of `text` stands in the document, ascending, -1 for one
            that was put in, shape (len(text),); None: the text is the slice of its one span.
    """

    text: str
    spans: tuple[Span, ...]
    offsets: Offsets | None = None

    def placed(self, source: str, cuts: Cuts) -> Cuts:
        """The chunks of this section's text with their places in its document."""
        if self.offsets is None:
            start = self.spans[0].start
            spans = {
                index: tuple(Span(low + start, high + start) for low, high in joined)
                for index, joined in cuts.spans.items()
            }
            return Cuts(
                cuts.starts + start,
                cuts.ends + start,
                cuts.altered,
                spans,
                cuts.sizes,
                cuts.ambiguous,
                cuts.unplaced,
                cuts.divided,
            )
        first_from, last_before = self._edges
        starts = first_from[cuts.starts]
        # A chunk of nothing but characters that were put in holds none of the document.
        ends = np.maximum(last_before[cuts.ends], starts)
        spans = {index: self._mapped(joined) for index, joined in cuts.spans.items()}
        if len(self.spans) > 1:
            for index, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
                parts = _within(spans.get(index, self.spans), start, end)
                if len(parts) > 1:
                    spans[index] = parts
        altered = {
            index: text
            for index, text in enumerate(cuts.texts(self.text))
            if text != source[starts[index] : ends[index]]
        }
        return Cuts(
            starts, ends, altered, spans, cuts.sizes, cuts.ambiguous, cuts.unplaced, cuts.divided
        )

    @cached_property
    def _edges(self) -> tuple[IntArray, IntArray]:
        """For each place between characters: where the next stands, and where the last ends."""
        assert self.offsets is not None
        offsets = self.offsets.astype(np.int64)
        known = offsets >= 0
        ends = np.where(known, offsets + 1, self.spans[0].start)
        before = np.append(self.spans[0].start, np.maximum.accumulate(ends))
        starts = np.where(known, offsets, self.spans[-1].end)
        after = np.append(np.minimum.accumulate(starts[::-1])[::-1], self.spans[-1].end)
        return after, before

    def _mapped(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        first_from, last_before = self._edges
        return tuple(Span(int(first_from[low]), int(last_before[high])) for low, high in spans)


def _within(spans: Sequence[Span], start: int, end: int) -> tuple[Span, ...]:
    """What of the ranges lies between two places."""
    return tuple(
        Span(max(span.start, start), min(span.end, end))
        for span in spans
        if max(span.start, start) < min(span.end, end)
    )


def slice_sections(text: str, parts: Parts) -> list[Section]:
    """The sections of a text laid out in parts, each a slice of it."""
    if not text:
        return []
    bounds = [*parts.bounds[parts.sections].tolist(), len(text)]
    return [Section(text[start:end], (Span(start, end),)) for start, end in pairwise(bounds)]


def one_after_another(cuts: Sequence[Cuts]) -> Cuts:
    """The chunks of sections that follow each other, as those of one text."""
    empty = np.zeros(0, dtype=np.int64)
    altered: dict[int, str] = {}
    spans: dict[int, tuple[Span, ...]] = {}
    ambiguous: set[int] = set()
    unplaced: set[int] = set()
    sizes: list[IntArray] = []
    count = 0
    for one in cuts:
        altered |= {count + index: text for index, text in one.altered.items()}
        spans |= {count + index: joined for index, joined in one.spans.items()}
        ambiguous.update(count + index for index in one.ambiguous)
        unplaced.update(count + index for index in one.unplaced)
        if one.sizes is not None:
            sizes.append(one.sizes)
        count += len(one)
    return Cuts(
        np.concatenate([empty, *(one.starts for one in cuts)]),
        np.concatenate([empty, *(one.ends for one in cuts)]),
        altered,
        spans,
        np.concatenate(sizes) if sizes else None,
        frozenset(ambiguous),
        frozenset(unplaced),
        sum(one.divided for one in cuts),
    )
