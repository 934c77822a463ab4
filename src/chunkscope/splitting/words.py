"""`words`: fixed windows of white-space words."""

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.splitting.chunks import Cuts, IntArray
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.whitespace import SpaceRuns


def windows(count: int, size: int, overlap: int, phase: int = 0) -> tuple[IntArray, IntArray]:
    """Windows over `count` units: first and one past the last unit of each.

    They step by `size - overlap` and end with the one that reaches the last unit. With a phase,
    the first holds that many units and the others follow from there.
    """
    if 0 < phase < count:
        first, last = windows(count - phase, size, overlap)
        return np.append(0, first + phase), np.append(phase, last + phase)
    if count <= size:
        only = np.zeros(min(count, 1), dtype=np.int64)
        return only, only + count
    step = size - overlap
    first = np.arange(-(-(count - size) // step) + 1, dtype=np.int64) * step
    return first, np.minimum(first + size, count)


class WordsText:
    """A text whose words are found once; a chunk runs from its first word to its last."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words: tuple[IntArray, IntArray] | None = None

    def cut(
        self, size: int, overlap: int, cancel: CancelToken | None = None, *, phase: int = 0
    ) -> Cuts:
        """The chunks at this size and overlap; see `PreparedText`, and `windows` for the phase."""
        if cancel is not None:
            cancel.check()
        if self._words is None:
            found = SpaceRuns(self._text).words()
            self._words = found[0].astype(np.int64), found[1].astype(np.int64)
        starts, ends = self._words
        first, last = windows(len(starts), size, overlap, phase)
        return Cuts(starts[first], ends[last - 1])


class WordsSplitter:
    """Windows of `size` words, each beginning `overlap` words before the last one's end."""

    unit: str | None = "words"
    uses = frozenset({"size", "overlap", "encoding", "dedupe"})

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings: none; see `Splitter`."""
        return []

    def prepare(self, text: str, settings: SplitterSettings) -> WordsText:
        """The text's words, yet to be found; see `Splitter`."""
        return WordsText(text)
