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

_STEPS = 16
"""White space at a chunk's end is mostly short."""


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
    """The white space of one text, a bit a character."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        # A character that is none on either side saves asking whether a place lies outside.
        self._bits = np.packbits(np.pad(is_space(text), 1))

    def words(self) -> tuple[Offsets, Offsets]:
        """Starts and ends of the words between the runs, as `str.split` finds them."""
        first, last = self.runs()
        starts = np.concatenate((np.zeros(1, dtype=np.int32), last))
        ends = np.concatenate((first, np.full(1, self._length, dtype=np.int32)))
        whole = starts < ends
        return starts[whole], ends[whole]

    def strip(self, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
        """The ranges without the white space at their ends; a blank one has start >= end."""
        starts, ends = starts.copy(), ends.copy()
        self._move(starts, 0, 1)
        self._move(ends, -1, -1)
        return starts, ends

    def _move(self, places: Offsets, beside: int, step: int) -> None:
        """Move each place by `step` for as long as the character `beside` it is white space."""
        moving = np.arange(len(places))
        for _ in range(_STEPS):
            moving = moving[self._is_space(places[moving] + beside)]
            if not len(moving):
                return
            places[moving] += step
        # Long runs are left in one go.
        first, last = self.runs()
        moving = moving[self._is_space(places[moving] + beside)]
        run = np.searchsorted(first, places[moving] + beside, side="right") - 1
        places[moving] = last[run] if step > 0 else first[run]

    def _is_space(self, places: Offsets) -> BoolArray:
        """Whether white space stands there; not so before the text, nor behind it."""
        places = places + 1
        bits: Offsets = self._bits[places >> 3] >> (7 - (places & 7)) & 1
        return bits > 0

    def runs(self) -> tuple[Offsets, Offsets]:
        """First code point of each run of white space, and one past its last: each (n,).

        Made anew each time.
        """
        space = np.unpackbits(self._bits, count=self._length + 2).astype(np.int8)
        edges = np.flatnonzero(np.diff(space))
        return edges[0::2].astype(np.int32), edges[1::2].astype(np.int32)
