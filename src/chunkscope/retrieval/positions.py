"""Where the words of one text stand, found with array operations."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chunkscope.retrieval.words import WordRule
from chunkscope.splitting.chunks import BoolArray, IntArray


@dataclass(frozen=True)
class WordPositions:
    """Words and stretches of one folded text, as half-open ranges of its code points.

    A stretch is what a cut shortens: a word, or the run of characters whose neighbours pair up
    to bigrams.

    Attributes:
        starts: where each word starts, ascending, shape (w,).
        ends: one past its last character, ascending, shape (w,).
        stretch_starts: where each stretch starts, shape (s,).
        stretch_ends: one past its last character, shape (s,).
        bigrams: which stretches give bigrams, shape (s,).
    """

    starts: IntArray
    ends: IntArray
    stretch_starts: IntArray
    stretch_ends: IntArray
    bigrams: BoolArray


def find_words(folded: str, rule: WordRule) -> WordPositions:
    """The words of a text that `rule.prepared` gave, for a rule with an atom."""
    codes = _code_points(folded)
    kinds = np.zeros(len(codes) + 2, dtype=np.uint8)
    if len(codes):
        kinds[1:-1] = _kind_table(codes, rule)[codes]
    edges = np.flatnonzero(kinds[1:] != kinds[:-1])
    kind = kinds[1:][edges[:-1]]
    inside = kind != 0
    starts, ends, kind = edges[:-1][inside], edges[1:][inside], kind[inside]
    if rule.least > 1:
        long = ends - starts >= rule.least
        starts, ends, kind = starts[long], ends[long], kind[long]
    bigrams = kind == 2
    if not bigrams.any():
        return WordPositions(starts, ends, starts, ends, bigrams)
    words = np.where(bigrams, np.maximum(ends - starts - 1, 1), 1)
    stretch = np.repeat(np.arange(len(starts)), words)
    word_starts = starts[stretch] + (np.arange(len(stretch)) - (np.cumsum(words) - words)[stretch])
    word_ends = np.where(words[stretch] > 1, word_starts + 2, ends[stretch])
    return WordPositions(word_starts, word_ends, starts, ends, bigrams)


def grown_characters(text: str, folded: str) -> tuple[IntArray, IntArray] | None:
    """Where casefolding makes a text longer; None where it does not.

    Returns:
        Positions in `text`, ascending, of the characters that fold to more than one; and the
        number of characters added before each position and after the last: (n,), (n + 1,).
    """
    if len(text) == len(folded):
        return None
    codes = _code_points(text)
    extra = np.zeros(int(codes.max()) + 1, dtype=np.int64)
    for code in _distinct(codes):
        extra[code] = len(chr(code).casefold()) - 1
    added = extra[codes]
    positions = np.flatnonzero(added)
    return positions, np.concatenate([np.zeros(1, np.int64), np.cumsum(added[positions])])


def _kind_table(codes: npt.NDArray[np.integer], rule: WordRule) -> npt.NDArray[np.uint8]:
    table = np.zeros(int(codes.max()) + 1, dtype=np.uint8)
    for code in _distinct(codes):
        table[code] = rule.kind(chr(code))
    return table


def _distinct(codes: npt.NDArray[np.integer]) -> list[int]:
    present = np.zeros(int(codes.max()) + 1, dtype=np.bool_)
    present[codes] = True
    return np.flatnonzero(present).tolist()


def _code_points(text: str) -> npt.NDArray[np.integer]:
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.dtype("<u4"))
