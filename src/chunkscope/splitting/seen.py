"""Which texts were there before, in few bytes a text."""

import struct
from hashlib import blake2b
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

_RECENT = 1 << 15
"""Texts that are held one by one before they are packed."""

_HALVES = struct.Struct("<QQ")


class Seen(Protocol):
    """Numbers by the digests of texts; a dictionary is one."""

    def __len__(self) -> int: ...

    def get(self, key: bytes, /) -> int | None:
        """The number of a digest, or None."""

    def __setitem__(self, key: bytes, value: int, /) -> None: ...


def number_of(seen: Seen, text: str) -> int | None:
    """The number of the first text that is this one; None where it is new, and takes the next."""
    # A digest stands for the text, so that the corpus is not held twice. Of 10^9 texts, two that
    # differ have the same 16 bytes once in 10^20 times.
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    known = seen.get(digest)
    if known is None:
        seen[digest] = len(seen)
    return known


class _Packed(NamedTuple):
    """Digests in the order of their first halves, and their numbers."""

    first: npt.NDArray[np.uint64]
    second: npt.NDArray[np.uint64]
    numbers: npt.NDArray[np.int64]

    def find(self, first: np.uint64, second: int) -> int | None:
        place = int(self.first.searchsorted(first))
        while place < len(self.first) and self.first[place] == first:
            if int(self.second[place]) == second:
                return int(self.numbers[place])
            place += 1
        return None


class SeenTexts:
    """Numbers by digests of 16 bytes, each set once: 24 bytes a digest.

    The latest ones are in a dictionary, those before in sorted arrays. Of these no two are of
    about the same length, so that there are few, and each digest was moved few times.
    """

    def __init__(self) -> None:
        self._recent: dict[bytes, int] = {}
        self._packed: list[_Packed] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def get(self, key: bytes, /) -> int | None:
        """The number of a digest, or None."""
        known = self._recent.get(key)
        if known is not None or not self._packed:
            return known
        first, second = _HALVES.unpack(key)
        wanted = np.uint64(first)
        for packed in self._packed:
            known = packed.find(wanted, second)
            if known is not None:
                return known
        return None

    def __setitem__(self, key: bytes, value: int, /) -> None:
        self._recent[key] = value
        self._count += 1
        if len(self._recent) >= _RECENT:
            self._pack()

    def _pack(self) -> None:
        halves = np.frombuffer(b"".join(self._recent), dtype="<u8").reshape(-1, 2)
        numbers = np.fromiter(self._recent.values(), np.int64, len(self._recent))
        self._packed.append(_sorted(halves[:, 0], halves[:, 1], numbers))
        self._recent = {}
        while len(self._packed) > 1 and (
            len(self._packed[-2].first) < 2 * len(self._packed[-1].first)
        ):
            later, earlier = self._packed.pop(), self._packed.pop()
            pairs = zip(earlier, later, strict=True)
            self._packed.append(_sorted(*(np.concatenate(pair) for pair in pairs)))


def _sorted(
    first: npt.NDArray[np.uint64], second: npt.NDArray[np.uint64], numbers: npt.NDArray[np.int64]
) -> _Packed:
    order = np.argsort(first, kind="stable")
    return _Packed(first[order], second[order], numbers[order])
