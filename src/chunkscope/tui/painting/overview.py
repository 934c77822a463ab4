"""A whole document on a few lines: chunks, evidence, cuts, matches and the visible part."""

from bisect import bisect_left
from enum import Enum
from typing import NamedTuple

from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import EvidenceState
from chunkscope.tui.painting.page import Page


class Sight(Enum):
    """What a line of the overview is marked with, weightiest first."""

    CUT = "cut"
    NOT_RETRIEVED = "not retrieved"
    WHOLE = "whole"
    UNMEASURED = "unmeasured"
    FOUND = "found"
    BOUNDARY = "boundary"
    NOTHING = "nothing"


class OverviewLine(NamedTuple):
    """One line: its rows `[first, last)`, what it shows, whether any of it is in view.

    `odd`: the chunk its first row begins in has an odd index.
    """

    first: int
    last: int
    sight: Sight
    odd: bool
    in_view: bool


def overview_line(page: Page, line: int, height: int, visible: range) -> OverviewLine:
    """Line `line` of an overview of `height` lines; `visible` are the rows in view.

    A document with fewer rows than lines takes a line a row, and the rest stays empty.
    """
    count = len(page.rows)
    if count <= height:
        first, last = line, min(line + 1, count)
    else:
        first, last = line * count // height, (line + 1) * count // height
    if first >= count:
        return OverviewLine(count, count, Sight.NOTHING, odd=False, in_view=False)
    span = Span(page.rows.span(first).start, page.rows.span(last - 1).end)
    chunk = page.bands.chunk_at(span.start) if page.bands is not None else None
    return OverviewLine(
        first,
        last,
        _sight(page, span),
        odd=chunk is not None and chunk % 2 == 1,
        in_view=first < visible.stop and last > visible.start,
    )


def _sight(page: Page, span: Span) -> Sight:
    cuts = page.evidence.cuts
    at = bisect_left(cuts, span.start)
    if at < len(cuts) and cuts[at] < span.end:
        return Sight.CUT
    state: EvidenceState | None = page.evidence.state_in(*span)
    if state is not None:
        return Sight(state)
    if page.found.any_in(*span):
        return Sight.FOUND
    if page.bands is not None and page.bands.starts_within(*span):
        return Sight.BOUNDARY
    return Sight.NOTHING
