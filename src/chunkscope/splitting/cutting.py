"""A split tree cut at a size and an overlap: chunks with their source ranges."""

from typing import NamedTuple

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.splitting.chunks import BoolArray, Cuts
from chunkscope.splitting.joined import joined_chunk
from chunkscope.splitting.level import Level
from chunkscope.splitting.merge import Frontier, Runs, frontier, merge
from chunkscope.splitting.tree import SplitTree
from chunkscope.splitting.whitespace import Offsets, SpaceRuns

_LARGEST = 1 << 40
_CHUNKS_PER_CHECK = 1 << 10


class _Windows(NamedTuple):
    """Chunks as pieces of one level: first and one past the last, and their source ranges."""

    level: Level
    first: Offsets
    last: Offsets
    starts: Offsets
    ends: Offsets
    altered: BoolArray


class TreeText:
    """A text prepared for the splitters that look for separators.

    Attributes:
        tree: its split tree.
    """

    def __init__(self, tree: SplitTree, *, strip: bool, recursive: bool) -> None:
        """Prepare a text of which nothing is split yet.

        Args:
            tree: the split tree.
            strip: whether white space at a chunk's ends is dropped.
            recursive: whether long pieces are split by the next separators.
        """
        self.tree = tree
        self._strip = strip
        self._recursive = recursive
        self._spaces: SpaceRuns | None = None

    def cut(self, size: int, overlap: int, cancel: CancelToken | None = None) -> Cuts:
        """The chunks at this size and overlap; see `PreparedText`."""
        if not self.tree.text:
            empty = np.zeros(0, dtype=np.int64)
            return Cuts(empty, empty)
        size, overlap = min(size, _LARGEST), min(overlap, _LARGEST)
        fallen = self._frontier(size, cancel)
        windows = [self._merge(runs, size, overlap, cancel) for runs in fallen.runs]
        return self._assemble(windows, fallen, cancel)

    def _frontier(self, size: int, cancel: CancelToken | None) -> Frontier:
        tree = self.tree
        if self._recursive:
            tree.grow(size, cancel)
            return frontier(tree.levels, tree.root, tree.root_pieces, size)
        tree.plant(cancel)
        first = np.zeros(1, dtype=np.int32)
        last = np.full(1, tree.root_pieces, dtype=np.int32)
        filled = first < last
        return Frontier([Runs(tree.root, first[filled], last[filled])], first[:0], first[:0])

    def _merge(self, runs: Runs, size: int, overlap: int, cancel: CancelToken | None) -> _Windows:
        level = self.tree.levels[runs.level]
        first, last = merge(level, runs, size, overlap, cancel)
        return _Windows(
            level,
            first,
            last,
            level.starts(first),
            level.ends(last - np.int32(1)),
            level.altered(first, last),
        )

    def _assemble(
        self, windows: list[_Windows], fallen: Frontier, cancel: CancelToken | None
    ) -> Cuts:
        merged_starts = np.concatenate([part.starts for part in windows])
        merged_ends = np.concatenate([part.ends for part in windows])
        # Where a chunk's own pieces begin and end orders the chunks of all levels.
        keys = np.concatenate((merged_starts, fallen.raw_starts)).astype(np.int64)
        keys *= len(self.tree.text) + 1
        keys += np.concatenate((merged_ends, fallen.raw_ends))
        starts, ends = merged_starts, merged_ends
        if self._strip:
            if self._spaces is None:
                self._spaces = SpaceRuns(self.tree.text)
            starts, ends = self._spaces.strip(starts, ends)
        starts = np.concatenate((starts, fallen.raw_starts))
        ends = np.concatenate((ends, fallen.raw_ends))
        held = starts < ends
        texts = self._altered_texts(windows, starts, ends, held, cancel)
        order = np.argsort(keys, kind="stable")
        order = order[held[order]]
        altered: dict[int, str] = {}
        if texts:
            place = np.full(len(starts), -1, dtype=np.int64)
            place[order] = np.arange(len(order))
            found = sorted((int(place[chunk]), text) for chunk, text in texts.items())
            altered = {index: text for index, text in found if index >= 0}
        return Cuts(starts[order].astype(np.int64), ends[order].astype(np.int64), altered)

    def _altered_texts(
        self,
        windows: list[_Windows],
        starts: Offsets,
        ends: Offsets,
        held: BoolArray,
        cancel: CancelToken | None,
    ) -> dict[int, str]:
        """Texts of chunks that are no slice, by place in `starts`.

        Their ranges, and whether there is such a chunk at all, are set here: one of white space
        around a pattern's own text has text but no source character.
        """
        texts: dict[int, str] = {}
        offset = 0
        source = self.tree.text
        for part in windows:
            for number, chunk in enumerate(np.flatnonzero(part.altered).tolist()):
                if cancel is not None and number % _CHUNKS_PER_CHECK == 0:
                    cancel.check()
                pieces = np.arange(part.first[chunk], part.last[chunk], dtype=np.int32)
                spans = zip(
                    part.level.starts(pieces).tolist(),
                    part.level.ends(pieces).tolist(),
                    strict=True,
                )
                text, start, end = joined_chunk(
                    source, list(spans), part.level.joiner, strip=self._strip
                )
                starts[offset + chunk], ends[offset + chunk] = start, end
                held[offset + chunk] = bool(text)
                if text != source[start:end]:
                    texts[offset + chunk] = text
            offset += len(part.first)
        return texts
