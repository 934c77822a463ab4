"""The split tree of one text: which separator applies where, and how long each piece is.

Neither depends on chunk size or overlap, so the tree is built once and cut many times. It is
lazy: only pieces at least half as long as the smallest size asked for are split further.
"""

import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.splitting.level import RAW, CharacterLevel, Level
from chunkscope.splitting.pieces import split_nodes
from chunkscope.splitting.separators import Separator
from chunkscope.splitting.settings import KeepSeparator
from chunkscope.splitting.units import BatchLength
from chunkscope.splitting.whitespace import Offsets, code_points

_TEXTS_PER_BATCH = 1 << 15
_PIECES_PER_CHECK = 1 << 12

Lengths = npt.NDArray[np.int64]


class _Waiting(NamedTuple):
    """Ranges to be split at one level, and whose they are.

    `owners` names a level and places in its `expanded` arrays, in the order of `nodes`.
    """

    nodes: list[tuple[int, int]]
    owners: list[tuple[int, Offsets]]


class SplitTree:
    """Pieces of one text under a list of separators, one level a separator.

    Used by one thread at a time.

    Attributes:
        text: the text.
        levels: one a separator, and a last one for a text in which none occurs. Replaced when
            the tree grows; a level itself never changes.
        root: number of the level whose first pieces are those of the whole text.
        root_pieces: how many these are.
    """

    def __init__(
        self,
        text: str,
        separators: Sequence[Separator],
        keep: KeepSeparator,
        joiners: Sequence[str],
        length: BatchLength | None,
    ) -> None:
        """A tree of which nothing is built yet.

        Args:
            text: the text.
            separators: tried in order; none after an empty one is ever reached.
            keep: the side of a cut on which a separator stays.
            joiners: for each separator, what is put back between the pieces of a chunk.
            length: measures texts; None: every character counts one.
        """
        self.text = text
        self._separators = separators
        self._keep: KeepSeparator = keep
        self._length = length
        joiner_lengths = [len(joiner) for joiner in joiners] if length is None else length(joiners)
        # Even an empty text has a length where what a tokenizer puts around it counts.
        nothing = 0 if length is None else length([""])[0]
        self.levels: tuple[Level, ...] = (
            *(
                Level(joiner, joiner_length) if separator.text else CharacterLevel("", nothing)
                for separator, joiner, joiner_length in zip(
                    separators, joiners, joiner_lengths, strict=True
                )
            ),
            Level("", nothing),
        )
        self.root = 0
        self.root_pieces = 0
        self._planted = False
        self._threshold = sys.maxsize

    def plant(self, cancel: CancelToken | None = None) -> None:
        """Split the whole text by the first separator that occurs in it."""
        if self._planted:
            return
        levels = list(self.levels)
        root = self._next_separator(0, 0, len(self.text))
        if root == RAW:
            root = len(self._separators)
        self._split(levels, root, [(0, len(self.text))], cancel)
        self.levels = tuple(levels)
        self.root = root
        self.root_pieces = len(levels[root])
        self._planted = True

    def grow(self, size: int, cancel: CancelToken | None = None) -> None:
        """Split every piece that a cut at `size` needs split, and the next smaller ones.

        A call that is cancelled leaves the tree as it was.
        """
        self.plant(cancel)
        if size >= self._threshold:
            return
        # Halving means that a sweep over many sizes grows the tree only a few times.
        threshold = max(1, size // 2)
        levels = list(self.levels)
        waiting = [_Waiting([], []) for _ in levels]
        for number in range(len(self._separators)):
            if waiting[number].nodes:
                begins = self._split(levels, number, waiting[number].nodes, cancel)
                _adopt(levels, waiting[number].owners, begins)
            if number < len(self._separators) - 1 and self._separators[number].text:
                pieces = levels[number].unexpanded(threshold)
                if len(pieces):
                    levels[number] = self._expand(
                        number, levels[number], pieces, waiting, cancel=cancel
                    )
        self.levels = tuple(levels)
        self._threshold = threshold

    def _expand(
        self,
        number: int,
        level: Level,
        pieces: Offsets,
        waiting: list["_Waiting"],
        *,
        cancel: CancelToken | None,
    ) -> Level:
        """The level with `pieces` expanded; each is put with those its next separator splits."""
        children = np.empty(len(pieces), dtype=np.int32)
        starts = level.starts(pieces).tolist()
        ends = level.ends(pieces).tolist()
        for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if cancel is not None and place % _PIECES_PER_CHECK == 0:
                cancel.check()
            child = self._next_separator(number + 1, start, end)
            children[place] = child
            if child != RAW:
                waiting[child].nodes.append((start, end))
        for child in set(children.tolist()) - {RAW}:
            places = np.flatnonzero(children == child) + len(level.expanded)
            waiting[child].owners.append((number, places.astype(np.int32)))
        return level.with_expanded(pieces, children)

    def _split(
        self,
        levels: list[Level],
        number: int,
        nodes: list[tuple[int, int]],
        cancel: CancelToken | None,
    ) -> Offsets:
        """Append the pieces of `nodes` to a level; where each node's begin there, total last."""
        level = levels[number]
        count = len(level)
        if isinstance(level, CharacterLevel):
            node_starts = np.array([start for start, _ in nodes], dtype=np.int32)
            sizes = np.array([end - start for start, end in nodes], dtype=np.int64)
            begins = np.concatenate(([0], np.cumsum(sizes))).astype(np.int32)
            characters = "".join([self.text[start:end] for start, end in nodes])
            lengths = self._character_lengths(characters)
            levels[number] = level.extended_by_nodes(node_starts, begins[:-1], lengths)
        else:
            separator = self._separators[number] if number < len(self._separators) else None
            starts, ends, begins = split_nodes(self.text, nodes, separator, self._keep, cancel)
            lengths = self._lengths(starts, ends, cancel)
            levels[number] = level.extended(self.text, starts, ends, lengths)
        return begins + np.int32(count)

    def _next_separator(self, number: int, start: int, end: int) -> int:
        """The first separator from `number` on that occurs in the range, or `RAW`."""
        for candidate in range(number, len(self._separators)):
            if self._separators[candidate].occurs(self.text, start, end):
                return candidate
        return RAW

    def _lengths(self, starts: Offsets, ends: Offsets, cancel: CancelToken | None) -> Lengths:
        if self._length is None:
            return (ends - starts).astype(np.int64)
        lengths = np.empty(len(starts), dtype=np.int64)
        for first in range(0, len(starts), _TEXTS_PER_BATCH):
            if cancel is not None:
                cancel.check()
            batch = slice(first, first + _TEXTS_PER_BATCH)
            spans = zip(starts[batch].tolist(), ends[batch].tolist(), strict=True)
            lengths[batch] = self._length([self.text[start:end] for start, end in spans])
        return lengths

    def _character_lengths(self, characters: str) -> Lengths:
        if self._length is None:
            return np.ones(len(characters), dtype=np.int64)
        # Each different character is measured once, however long the text.
        codes = code_points(characters)
        present = np.bincount(codes) > 0
        different = np.flatnonzero(present)
        table = np.zeros(len(present), dtype=np.int64)
        table[different] = self._length([chr(code) for code in different.tolist()])
        return table[codes]


def _adopt(levels: list[Level], owners: Iterable[tuple[int, Offsets]], begins: Offsets) -> None:
    """Tell expanded pieces where their own pieces stand, in the order they were split."""
    node = 0
    for parent, places in owners:
        after = node + len(places)
        levels[parent].child_first[places] = begins[node:after]
        levels[parent].child_last[places] = begins[node + 1 : after + 1]
        node = after
