"""Chunks against headings and tables: parted, mixed, without their header."""

import numpy as np

from chunkscope.evaluation.health_structure import Structure
from chunkscope.splitting.chunks import Cuts, IntArray
from chunkscope.splitting.whitespace import SpaceRuns

Fault = tuple[int, int]
"""A chunk's index in its document, and the offset of the fault."""


def parted_headings(
    structure: Structure, cuts: Cuts, spaces: SpaceRuns, length: int
) -> list[Fault]:
    """Headings that no chunk holds together with the beginning of what follows them."""
    found: list[Fault] = []
    if not len(cuts):
        return found
    starts = np.array([heading.span.start for heading in structure.headings], np.int64)
    ends = np.array([heading.span.end for heading in structure.headings], np.int64)
    follows = _next_text(spaces, ends)
    chunk = np.searchsorted(cuts.starts, starts, "right") - 1
    for heading, index in enumerate(chunk.tolist()):
        if follows[heading] >= length or index < 0:
            continue
        reach = int(cuts.ends[index])
        if starts[heading] < reach <= follows[heading]:
            found.append((index, int(ends[heading])))
    return found


def mixed_sections(structure: Structure, cuts: Cuts, spaces: SpaceRuns) -> list[Fault]:
    """Chunks in which a heading stands behind text of another section."""
    starts = np.array([heading.span.start for heading in structure.headings], np.int64)
    ends = np.array([heading.span.end for heading in structure.headings], np.int64)
    if not len(starts):
        return []
    before = _last_text(spaces, starts)
    # A heading right below another begins no second section: the one above has no text.
    fresh = np.ones(len(starts), np.bool_)
    fresh[1:] = before[1:] > ends[:-1]
    fresh[0] = before[0] > 0
    starts, before = starts[fresh], before[fresh]
    first = np.searchsorted(before, cuts.starts, "right")
    there = np.append(starts, np.iinfo(np.int64).max)[first]
    return [(index, int(there[index])) for index in np.flatnonzero(there < cuts.ends).tolist()]


def rows_without_header(structure: Structure, cuts: Cuts) -> list[Fault]:
    """Chunks that hold rows of a table but not its whole header."""
    found: dict[int, int] = {}
    for table in structure.tables:
        first = int(np.searchsorted(cuts.ends, table.body_start, "right"))
        last = int(np.searchsorted(cuts.starts, table.body_end, "left"))
        for index in range(first, last):
            start, end = int(cuts.starts[index]), int(cuts.ends[index])
            if start <= table.header_start and end >= table.header_end:
                continue
            found.setdefault(index, max(start, table.body_start))
    return sorted(found.items())


def _next_text(spaces: SpaceRuns, offsets: IntArray) -> IntArray:
    """The first offset at or behind each that is no white space."""
    starts, ends = (places.astype(np.int64) for places in spaces.runs())
    if not len(starts):
        return offsets
    run = np.searchsorted(starts, offsets, "right") - 1
    return np.where((run >= 0) & (ends[run] > offsets), ends[run], offsets)


def _last_text(spaces: SpaceRuns, offsets: IntArray) -> IntArray:
    """One past the last character before each that is no white space."""
    starts, ends = (places.astype(np.int64) for places in spaces.runs())
    if not len(starts):
        return offsets
    run = np.searchsorted(starts, offsets, "left") - 1
    return np.where((run >= 0) & (ends[run] >= offsets), starts[run], offsets)
