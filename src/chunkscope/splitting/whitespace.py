"""White space as `str.isspace`, `str.strip` and `str.split` know it, for whole texts at once."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from chunkscope.splitting.chunks import BoolArray

Offsets = npt.NDArray[np.int32]
"""Code points within one text: half the memory of the arrays that leave this room."""

# Every code point for which `str.isspace` holds; all lie below _BEYOND.
_SPACE_RANGES = (
    (0x09, 0x0D),
    (0x1C, 0x20),
    (0x85, 0x85),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)
_BEYOND = 0x3001


@lru_cache(maxsize=1)
def _space_table() -> BoolArray:
    table = np.zeros(_BEYOND + 1, dtype=np.bool_)
    for first, last in _SPACE_RANGES:
        table[first : last + 1] = True
    table.setflags(write=False)
    return table


def code_points(text: str) -> npt.NDArray[np.uint32]:
    """The text's code points, lone surrogates included, shape (len(text),)."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def is_space(text: str) -> BoolArray:
    """Which characters are white space, shape (len(text),)."""
    return _space_table()[np.minimum(code_points(text), _BEYOND)]


class SpaceRuns:
    """The runs of white space in one text: where they start and end.

    Attributes:
        starts: first code point of each run, ascending, shape (n,).
        ends: one past its last, shape (n,).
    """

    def __init__(self, text: str) -> None:
        space = is_space(text)
        edges = np.flatnonzero(np.diff(space, prepend=False, append=False))
        self._length = len(text)
        self.starts: Offsets = edges[0::2].astype(np.int32)
        self.ends: Offsets = edges[1::2].astype(np.int32)

    def words(self) -> tuple[Offsets, Offsets]:
        """Starts and ends of the words between the runs, as `str.split` finds them."""
        starts = np.concatenate((np.zeros(1, dtype=np.int32), self.ends))
        ends = np.concatenate((self.starts, np.full(1, self._length, dtype=np.int32)))
        whole = starts < ends
        return starts[whole], ends[whole]

    def strip(self, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
        """The ranges without the white space at their ends; a blank one has start >= end."""
        if not len(self.starts) or not len(starts):
            return starts, ends
        run = np.searchsorted(self.starts, starts, side="right") - 1
        inside = (run >= 0) & (self.ends[run] > starts)
        stripped_starts = np.where(inside, self.ends[run], starts)
        run = np.searchsorted(self.starts, ends, side="left") - 1
        inside = (run >= 0) & (self.ends[run] >= ends)
        stripped_ends = np.where(inside, self.starts[run], ends)
        return stripped_starts, stripped_ends
