"""Texts with parts left out or replaced, each with a map back to the original's offsets."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chunkscope.text.spans import Span

_Offsets = npt.NDArray[np.int32]

Edit = tuple[int, int, str]
"""Start and end of a range that is not empty, and what stands in its place."""


@dataclass(frozen=True)
class Mapped:
    """A text made from an original and, per character, the range of the original behind it.

    Attributes:
        text: the text.
        starts: first original code point behind each character, shape (len(text),).
        ends: one past the last, shape (len(text),).
    """

    text: str
    starts: _Offsets
    ends: _Offsets

    def original(self, span: Span) -> Span | None:
        """The original range of `span`; None where it holds half of a replacement."""
        first, last = span.start, span.end - 1
        if first > 0 and self.starts[first - 1] == self.starts[first]:
            return None
        if last + 1 < len(self.ends) and self.ends[last + 1] == self.ends[last]:
            return None
        return Span(int(self.starts[first]), int(self.ends[last]))


def unchanged(text: str) -> Mapped:
    """`text` as it is."""
    offsets = np.arange(len(text), dtype=np.int32)
    return Mapped(text, offsets, offsets + 1)


def edited(before: Mapped, edits: Iterable[Edit]) -> Mapped:
    """`before` with each edit made; an edit that begins inside an earlier one is left out."""
    parts: list[str] = []
    starts: list[_Offsets] = []
    ends: list[_Offsets] = []
    at = 0
    for start, end, new in sorted(edits):
        if start < at:
            continue
        parts.append(before.text[at:start])
        starts.append(before.starts[at:start])
        ends.append(before.ends[at:start])
        if new:
            parts.append(new)
            starts.append(np.full(len(new), before.starts[start], np.int32))
            ends.append(np.full(len(new), before.ends[end - 1], np.int32))
        at = end
    if not at:
        return before
    parts.append(before.text[at:])
    starts.append(before.starts[at:])
    ends.append(before.ends[at:])
    return Mapped("".join(parts), np.concatenate(starts), np.concatenate(ends))
