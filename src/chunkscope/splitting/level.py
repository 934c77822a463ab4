"""The pieces that one separator makes, as flat arrays: one level of a split tree."""

from array import array

import numpy as np
import numpy.typing as npt

from chunkscope.splitting.whitespace import Offsets

RAW = -1
"""Child level of a piece that no further separator can split."""


class Level:
    """Pieces of every node split by one separator; each node's pieces stand side by side.

    Attributes:
        joiner: text put back between two pieces of a chunk when separators are dropped.
        joiner_length: its length in the tree's unit.
        sums: `sums[j] - sums[i]` is the length of pieces i…j-1, a joiner after each counted.
        expanded: pieces whose own pieces are known, in no order, shape (m,).
        expanded_lengths: their lengths, shape (m,).
        longest: length of its longest piece.
        child_level: number of the level that holds their pieces, or `RAW`, shape (m,).
        child_first: first of these pieces there, shape (m,).
        child_last: one past the last, shape (m,).
    """

    def __init__(self, joiner: str, joiner_length: int) -> None:
        none = np.zeros(0, dtype=np.int32)
        self.joiner = joiner
        self.joiner_length = joiner_length
        self.longest = 0
        self.sums = array("i", [0])
        self.expanded: Offsets = none
        self.expanded_lengths: npt.NDArray[np.int64] = none.astype(np.int64)
        self.child_level: Offsets = none
        self.child_first: Offsets = none
        self.child_last: Offsets = none
        self._starts: Offsets = none
        self._ends: Offsets = none
        self._swallowed: Offsets = none

    def __len__(self) -> int:
        return len(self.sums) - 1

    @property
    def sums_array(self) -> npt.NDArray[np.signedinteger]:
        """`sums` as an array that shares its memory."""
        return np.frombuffer(self.sums, dtype=np.dtype(self.sums.typecode))

    def lengths(self) -> npt.NDArray[np.int64]:
        """Length of each piece, shape (pieces,)."""
        return np.diff(self.sums_array).astype(np.int64) - self.joiner_length

    def starts(self, pieces: Offsets) -> Offsets:
        """First code point of each of these pieces."""
        return self._starts[pieces]

    def ends(self, pieces: Offsets) -> Offsets:
        """One past the last code point of each of these pieces."""
        return self._ends[pieces]

    def altered(self, first: Offsets, last: Offsets) -> npt.NDArray[np.bool_]:
        """Whether pieces first…last-1, joined, differ from the source between their ends."""
        if not len(self._swallowed):
            return np.zeros(len(first), dtype=np.bool_)
        return self._swallowed[last - 1] > self._swallowed[first]

    def extended(
        self, text: str, starts: Offsets, ends: Offsets, lengths: npt.NDArray[np.int64]
    ) -> "Level":
        """This level with more pieces after its own, whose numbers stay."""
        level = self._copy()
        level._append_sums(lengths)
        level._starts = np.concatenate((self._starts, starts))
        level._ends = np.concatenate((self._ends, ends))
        gaps = level._starts[1:] - level._ends[:-1]
        if self.joiner or (gaps > 0).any():
            changed = gaps != len(self.joiner)
            for piece in np.flatnonzero(~changed).tolist() if self.joiner else ():
                gap = text[level._ends[piece] : level._starts[piece + 1]]
                changed[piece] = gap != self.joiner
            level._swallowed = np.concatenate(([0], np.cumsum(changed))).astype(np.int32)
        return level

    def with_expanded(self, pieces: Offsets, child_level: Offsets) -> "Level":
        """This level with more expanded pieces, their child ranges still to be filled in."""
        level = self._copy()
        empty = np.zeros(len(pieces), dtype=np.int32)
        level.expanded = np.concatenate((self.expanded, pieces))
        level.expanded_lengths = np.concatenate((self.expanded_lengths, self.lengths()[pieces]))
        level.child_level = np.concatenate((self.child_level, child_level))
        level.child_first = np.concatenate((self.child_first, empty))
        level.child_last = np.concatenate((self.child_last, empty))
        return level

    def long_pieces(self, size: int) -> tuple[Offsets, Offsets, Offsets, Offsets]:
        """Pieces at least this long: number, child level, first and last child of each."""
        if len(self.expanded):
            long = self.expanded_lengths >= size
            return (
                self.expanded[long],
                self.child_level[long],
                self.child_first[long],
                self.child_last[long],
            )
        if self.longest < size:
            return self.expanded, self.child_level, self.child_first, self.child_last
        pieces = np.flatnonzero(self.lengths() >= size).astype(np.int32)
        raw = np.full(len(pieces), RAW, dtype=np.int32)
        return pieces, raw, raw, raw

    def unexpanded(self, threshold: int) -> Offsets:
        """Pieces at least this long that are not expanded yet, ascending."""
        long = self.lengths() >= threshold
        long[self.expanded] = False
        return np.flatnonzero(long).astype(np.int32)

    def _append_sums(self, lengths: npt.NDArray[np.int64]) -> None:
        self.longest = max(self.longest, int(lengths.max(initial=0)))
        sums = self.sums_array
        more = int(sums[-1]) + np.cumsum(lengths + self.joiner_length)
        joined = np.concatenate((sums, more))
        # Half-wide numbers mostly suffice, and there is one a piece.
        code = "i" if joined[-1] < 2**31 else "q"
        self.sums = array(code, joined.astype(code).tobytes())

    def _copy(self) -> "Level":
        level = type(self)(self.joiner, self.joiner_length)
        level.__dict__.update(self.__dict__)
        return level


class CharacterLevel(Level):
    """Pieces of one character each: where they stand follows from their node."""

    def __init__(self, joiner: str, joiner_length: int) -> None:
        super().__init__(joiner, joiner_length)
        none = np.zeros(0, dtype=np.int32)
        self._node_first: Offsets = none
        self._node_start: Offsets = none

    def starts(self, pieces: Offsets) -> Offsets:
        """First code point of each of these pieces."""
        node = np.searchsorted(self._node_first, pieces, side="right") - 1
        return self._node_start[node] + (pieces - self._node_first[node])

    def ends(self, pieces: Offsets) -> Offsets:
        """One past the code point of each of these pieces."""
        return self.starts(pieces) + np.int32(1)

    def extended_by_nodes(
        self, starts: Offsets, begins: Offsets, lengths: npt.NDArray[np.int64]
    ) -> "CharacterLevel":
        """This level with the characters of more nodes.

        Args:
            starts: first code point of each node, shape (nodes,).
            begins: where its characters begin among the new ones, shape (nodes,).
            lengths: length of each new character.
        """
        level = self._copy()
        assert isinstance(level, CharacterLevel)
        level._append_sums(lengths)
        level._node_first = np.concatenate((self._node_first, begins + np.int32(len(self))))
        level._node_start = np.concatenate((self._node_start, starts))
        return level
