"""Places at which a text can be parted without changing its tokens."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from chunkscope.embedding.protocol import IntArray

_CODE_POINTS = 0x110000


class Borders:
    """Finds the borders of a vocabulary whose tokens are made by merging neighbours (BPE).

    Between two characters that stand side by side in no token of the vocabulary nothing is ever
    merged, and merges on either side know nothing of each other. The tokens of a text are
    therefore those of its *segments*, the stretches from one such place to the next, one after
    another.
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        """The borders of the vocabulary of these tokens."""
        pairs = {pair for token in tokens for pair in pairwise(token)}
        alphabet = sorted({character for pair in pairs for character in pair})
        number = {character: place for place, character in enumerate(alphabet, start=1)}
        # Number 0 is every character that is merged with nothing.
        self._numbers = np.zeros(_CODE_POINTS, dtype=np.int32)
        self._numbers[[ord(character) for character in alphabet]] = np.arange(1, len(number) + 1)
        self._merged = np.zeros((len(number) + 1, len(number) + 1), dtype=np.bool_)
        for left, right in pairs:
            self._merged[number[left], number[right]] = True

    def segment_starts(self, text: str) -> IntArray:
        """Where the segments of a text start, ascending, 0 first; none for an empty text."""
        if not text:
            return np.zeros(0, dtype=np.int64)
        code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        numbers: npt.NDArray[np.int32] = self._numbers[code_points]
        parted = ~self._merged[numbers[:-1], numbers[1:]]
        return np.append(0, np.flatnonzero(parted) + 1)
