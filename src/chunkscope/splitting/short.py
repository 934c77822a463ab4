"""A short text cut by separators piece by piece: no tree is worth its while.

The rule is LangChain's own, as the split tree keeps it, for separators that stay in the text.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.cutting import TreeText
from chunkscope.splitting.units import BatchLength

SHORT = 4_000
"""Characters up to which a text is short."""

MOST_SEPARATORS = 20
"""Separators up to which they are looked for one inside the other."""

Range = tuple[int, int]


class ShortText:
    """A short text whose first cut needs no tree; with a second one the tree is built.

    Args:
        text: the text.
        separators: literal ones, tried in order.
        at_end: whether a separator stays at the end of a piece, or at its beginning.
        length: measures texts: nothing counts 0, and ASCII no more than a character each.
        strip: whether white space at a chunk's ends is dropped.
        tree: prepares the text for further cuts.
    """

    def __init__(
        self,
        text: str,
        separators: Sequence[str],
        *,
        at_end: bool,
        length: BatchLength,
        strip: bool,
        tree: Callable[[], TreeText],
    ) -> None:
        self._text, self._separators, self._at_end = text, separators, at_end
        self._length, self._strip = length, strip
        self._new_tree = tree
        self._first: tuple[tuple[int, int], Cuts] | None = None
        self._tree: TreeText | None = None

    @property
    def tree(self) -> TreeText:
        """The text prepared with a tree."""
        if self._tree is None:
            self._tree = self._new_tree()
        return self._tree

    def cut(self, size: int, overlap: int, cancel: CancelToken | None = None) -> Cuts:
        """The chunks at this size and overlap; see `PreparedText`."""
        if self._first is None:
            if cancel is not None:
                cancel.check()
            self._first = (size, overlap), self._cut(size, overlap)
        if self._first[0] == (size, overlap):
            return self._first[1]
        return self.tree.cut(size, overlap, cancel)

    def _cut(self, size: int, overlap: int) -> Cuts:
        text = self._text
        found: list[Range] = []
        if text.isascii() and len(text) < size:
            # No unit counts more than one for a character of ASCII: everything fits.
            self._add(found, 0, len(text))
        elif text:
            self._split((0, len(text)), 0, (size, overlap), found)
        return Cuts(
            np.array([start for start, _ in found], dtype=np.int64),
            np.array([end for _, end in found], dtype=np.int64),
        )

    def _split(self, node: Range, number: int, limits: tuple[int, int], found: list[Range]) -> None:
        """Add the chunks of a part of the text, split by the separators from `number` on."""
        size, _ = limits
        separator, number = self._next(node, number)
        pieces = [node] if separator is None else self._pieces(node, separator)
        lengths = self._length([self._text[start:end] for start, end in pieces])
        run = 0
        for place, length in enumerate(lengths):
            if length < size:
                continue
            self._merge(pieces[run:place], lengths[run:place], limits, found)
            run = place + 1
            if separator and self._next(pieces[place], number)[0] is not None:
                self._split(pieces[place], number, limits, found)
            else:
                found.append(pieces[place])
        self._merge(pieces[run:], lengths[run:], limits, found)

    def _next(self, node: Range, number: int) -> tuple[str | None, int]:
        """The first separator from `number` on that occurs, and the number behind its own."""
        for place in range(number, len(self._separators)):
            separator = self._separators[place]
            if not separator or self._text.find(separator, *node) >= 0:
                return separator, place + 1
        return None, len(self._separators)

    def _pieces(self, node: Range, separator: str) -> list[Range]:
        start, end = node
        if not separator:
            return [(place, place + 1) for place in range(start, end)]
        borders = [start]
        for part in self._text[start:end].split(separator)[:-1]:
            start += len(part) + len(separator)
            borders.append(start if self._at_end else start - len(separator))
        borders.append(end)
        pairs = pairwise(borders)
        return [pair for pair in pairs if pair[0] < pair[1]]

    def _merge(
        self,
        pieces: Sequence[Range],
        lengths: Sequence[int],
        limits: tuple[int, int],
        found: list[Range],
    ) -> None:
        """Add the chunks that pieces which follow each other make."""
        size, overlap = limits
        first = total = 0
        for place, length in enumerate(lengths):
            if total + length > size and first < place:
                self._add(found, pieces[first][0], pieces[place - 1][1])
                while total > overlap or (total + length > size and total > 0):
                    total -= lengths[first]
                    first += 1
            total += length
        if first < len(pieces):
            self._add(found, pieces[first][0], pieces[-1][1])

    def _add(self, found: list[Range], start: int, end: int) -> None:
        if self._strip:
            text = self._text[start:end]
            end = start + len(text.rstrip())
            start += len(text) - len(text.lstrip())
        if start < end:
            found.append((start, end))
