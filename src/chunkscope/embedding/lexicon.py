"""The tokens of segments, each worked out once."""

from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.protocol import IntArray

_MOST_CHARACTERS = 1 << 25
_SEGMENTS_PER_CHECK = 1 << 10


class Lexicon:
    """Remembers the tokens of segments; the same few come again and again. Thread-safe."""

    def __init__(self, encode: Callable[[str], list[int]]) -> None:
        """An empty one; `encode` gives the token numbers of a text."""
        self._encode = encode
        self._lock = Lock()
        self._numbers: dict[str, int] = {}
        self._characters = 0
        self._first: IntArray = np.zeros(1, dtype=np.int64)
        self._ids: IntArray = np.zeros(0, dtype=np.int64)

    def tokens_of(
        self, segments: Sequence[str], cancel: CancelToken | None = None
    ) -> tuple[IntArray, IntArray]:
        """Token numbers of the segments one after another, and how many each has.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        with self._lock:
            self._learn(segments, cancel)
            numbers = np.fromiter(
                map(self._numbers.__getitem__, segments), dtype=np.int64, count=len(segments)
            )
            first, ids = self._first, self._ids
        counts = first[numbers + 1] - first[numbers]
        return ids[expanded(first[numbers], counts)], counts

    def _learn(self, segments: Sequence[str], cancel: CancelToken | None) -> None:
        new = [segment for segment in dict.fromkeys(segments) if segment not in self._numbers]
        if not new:
            return
        if self._characters > _MOST_CHARACTERS:
            self._forget()
            new = list(dict.fromkeys(segments))
        found: list[int] = []
        counts = []
        for number, segment in enumerate(new):
            if cancel is not None and number % _SEGMENTS_PER_CHECK == 0:
                cancel.check()
            ids = self._encode(segment)
            found.extend(ids)
            counts.append(len(ids))
        base = len(self._numbers)
        self._numbers.update((segment, base + place) for place, segment in enumerate(new))
        self._characters += sum(map(len, new))
        self._first = np.append(self._first, self._first[-1] + np.cumsum(counts, dtype=np.int64))
        self._ids = np.append(self._ids, np.array(found, dtype=np.int64))

    def _forget(self) -> None:
        self._numbers = {}
        self._characters = 0
        self._first, self._ids = self._first[:1], self._ids[:0]


def expanded(starts: IntArray, counts: IntArray) -> IntArray:
    """The numbers `start … start + count - 1` of each pair, one after another."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    places: IntArray = np.arange(total) + np.repeat(starts - (ends - counts), counts)
    return places
