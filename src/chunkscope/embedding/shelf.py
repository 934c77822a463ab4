"""The part of a cache that belongs to one model: what it holds, and how it is filled."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.cache import VectorCache
from chunkscope.embedding.protocol import Vectors
from chunkscope.errors import InputError

Progress = Callable[[int, int], None]
"""Told how many are done, of how many that the cache does not hold."""

Maker = Callable[[list[int]], Iterator[tuple[list[int], Vectors]]]
"""Given places, gives lots: numbers within these places, and a row each."""

_SLICE = 0.1


@dataclass(frozen=True)
class Shelf:
    """One model's rows in a cache, by key.

    Attributes:
        cache: the cache.
        name: the model.
        revision: its revision.
    """

    cache: VectorCache
    name: str
    revision: str

    @property
    def dimensions(self) -> int:
        """Length of the rows kept; 0: none are."""
        return self.cache.dimensions(self.name, self.revision) or 0

    def missing(self, keys: Sequence[str], dimensions: int) -> list[str]:
        """Those of `keys` that have no row, each once."""
        once = list(dict.fromkeys(keys))
        held = self.cache.holds(self.name, self.revision, dimensions, once)
        return [key for key, there in zip(once, held.tolist(), strict=True) if not there]

    def get(self, keys: Sequence[str], dimensions: int) -> Vectors:
        """The rows of `keys`, shape (n, dimensions); NaN where there is none."""
        return self.cache.get(self.name, self.revision, dimensions, keys)

    @staticmethod
    def lacking(rows: Vectors) -> list[int]:
        """The places that have no row."""
        if not rows.shape[1]:
            return list(range(len(rows)))
        # One number tells: rows are kept whole, and none holds a NaN.
        return [int(place) for place in np.flatnonzero(np.isnan(rows[:, 0]))]

    @contextmanager
    def turn(self, cancel: CancelToken | None) -> Iterator[None]:
        """The one thread of this process that makes rows of this model.

        Raises:
            CancelledError: when `cancel` was raised while waiting.
        """
        lock = self.cache.filling(self.name, self.revision)
        while not lock.acquire(timeout=_SLICE):
            if cancel is not None:
                cancel.check()
        try:
            yield
        finally:
            lock.release()

    def fill(
        self,
        rows: Vectors,
        keys: Sequence[str],
        lacking: Sequence[int],
        make: Maker,
        on_progress: Progress | None = None,
    ) -> int:
        """Make what is lacking, keep each lot at once, and write it into `rows`.

        Returns:
            Length of the rows made; where it is not that of `rows`, these are left as they are.
        """
        places: dict[str, list[int]] = {}
        for place in lacking:
            places.setdefault(keys[place], []).append(place)
        # Some may have been made while this thread waited for its turn.
        late = self.get(list(places), rows.shape[1])
        for key, row in zip(list(places), late, strict=True):
            if row.size and not np.isnan(row[0]):
                rows[places.pop(key)] = row
        new = list(places)
        length = int(rows.shape[1])
        done = 0
        if on_progress is not None and new:
            on_progress(0, len(new))
        for numbers, made in make([places[key][0] for key in new]) if new else ():
            lot = [new[number] for number in numbers]
            self._put(lot, made)
            length = int(made.shape[1])
            if length == rows.shape[1]:
                for key, row in zip(lot, made, strict=True):
                    rows[places[key]] = row
            done += len(lot)
            if on_progress is not None:
                on_progress(done, len(new))
        return length

    def _put(self, keys: list[str], made: Vectors) -> None:
        if len(made) != len(keys) or not np.isfinite(made).all():
            raise InputError(
                f"model {self.name!r}: gave {len(made)} rows for {len(keys)} texts, or one that "
                "holds no finite number; check it"
            )
        if made.shape[1]:
            self.cache.put(self.name, self.revision, keys, made)
