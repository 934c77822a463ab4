"""Whether a chunk begins or ends inside something that belongs together."""

import re
from bisect import bisect_right

import numpy as np

from chunkscope.evaluation.health_structure import Structure
from chunkscope.splitting.chunks import BoolArray, IntArray
from chunkscope.splitting.graphemes import inside_grapheme
from chunkscope.splitting.whitespace import SpaceRuns

EDGE_CHECKS = ("sentence", "word", "grapheme", "code_fence", "table_row", "list")
"""What an edge may stand inside of, by name."""

_SENTENCE_ENDS = frozenset(".!?…。！？")
_FULL_WIDTH_ENDS = frozenset("。！？")
_CLOSERS = "\"'”’»)]}*_`」』）"
_LINE_END = re.compile(r"\r\n|\r|\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|approx|Dr|Mr|Mrs|Ms|Prof|St|Fig|Eq|z\.B|d\.h|bzw|ca)|\b[A-Z])\.$"
)
_LONGEST_ABBREVIATION = 8
_FLAGS = re.compile("[\U0001f1e6-\U0001f1ff]{2,}")
_LONGEST_TAG = 400
_MOST_TAGS = 8
_TAG_BEFORE = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)[^<>]*>\Z")
_TAG_AFTER = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)[^<>]*>|<!")
_INLINE_TAGS = frozenset(
    ("a", "abbr", "b", "code", "em", "i", "kbd", "mark", "q", "s", "small", "span", "strong",
     "sub", "sup", "tt", "u", "var")
)  # fmt: skip

# Scripts that put no white space between words: a cut between two letters need not cut a word.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00016fe0-\U000323af]"
)


class EdgeExaminer:
    """Looks at offsets of one text."""

    def __init__(self, text: str, structure: Structure) -> None:
        self._text = text
        self._structure = structure
        self._spaces = SpaceRuns(text)
        flags = [] if text.isascii() else [match.span() for match in _FLAGS.finditer(text)]
        self._flag_starts = [start for start, _ in flags]
        self._flag_ends = [end for _, end in flags]

    def inside(self, offsets: IntArray) -> dict[str, BoolArray]:
        """For each check, which offsets stand inside of one such thing."""
        structure = self._structure
        fences = structure.fences.inside(offsets)
        places = offsets.tolist()
        sentence = np.zeros(len(offsets), np.bool_)
        if structure.prose:
            low, high = self._gaps(offsets)
            sentence = np.array(
                [
                    not fenced and self._inside_sentence(a, b)
                    for a, b, fenced in zip(low, high, fences.tolist(), strict=True)
                ],
                np.bool_,
            )
        return {
            "sentence": sentence,
            "word": np.array([inside_word(self._text, at) for at in places], np.bool_),
            "grapheme": np.array([self._inside_grapheme(at) for at in places], np.bool_),
            "code_fence": fences,
            "table_row": structure.rows.inside(offsets),
            "list": structure.lists.inside(offsets),
        }

    def _inside_grapheme(self, offset: int) -> bool:
        """As `inside_grapheme`, with the start of a long row of flags looked up, not walked to."""
        run = bisect_right(self._flag_starts, offset) - 1
        if run >= 0 and self._flag_starts[run] < offset < self._flag_ends[run]:
            return (offset - self._flag_starts[run]) % 2 == 1
        return inside_grapheme(self._text, offset)

    def _gaps(self, offsets: IntArray) -> tuple[list[int], list[int]]:
        """The white space around each offset: where it begins and ends."""
        starts, ends = (places.astype(np.int64) for places in self._spaces.runs())
        if not len(starts):
            return offsets.tolist(), offsets.tolist()
        run = np.searchsorted(starts, offsets, "right") - 1
        touched = (run >= 0) & (ends[run] >= offsets)
        low = np.where(touched, starts[run], offsets)
        high = np.where(touched, ends[run], offsets)
        return low.tolist(), high.tolist()

    def _inside_sentence(self, low: int, high: int) -> bool:
        """Whether the white space `[low, high)`, or the offset itself, parts no two sentences."""
        text, structure = self._text, self._structure
        if low <= 0 or high >= len(text) or (low == 1 and text[0] == "\ufeff"):
            return False
        # Blank lines end what came before; no more than two line ends need be seen.
        line_ends = len(_LINE_END.findall(text[low : min(high, low + _LONGEST_TAG)]))
        if line_ends > 1 or high - low > _LONGEST_TAG:
            return False
        if line_ends and (high in structure.block_starts or low in structure.block_ends):
            return False
        if structure.html:
            after_block, low = self._before_tags(low)
            before_block, high = self._behind_tags(high)
            if after_block or before_block:
                return False
        return not self._ends_sentence(low, high)

    def _ends_sentence(self, low: int, high: int) -> bool:
        text = self._text
        at = low
        while at > 0 and low - at < _MOST_TAGS and text[at - 1] in _CLOSERS:
            at -= 1
        if at == 0 or text[at - 1] not in _SENTENCE_ENDS:
            return False
        if text[at - 1] in _FULL_WIDTH_ENDS:
            return True
        if low == high:
            return False
        return not (
            text[high].islower()
            or (
                text[at - 1] == "."
                and _ABBREVIATION.search(text[max(0, at - _LONGEST_ABBREVIATION) : at])
            )
        )

    def _before_tags(self, at: int) -> tuple[bool, int]:
        """Whether a block's tag stands right before, and the offset before any inline tags."""
        text = self._text
        for _ in range(_MOST_TAGS):
            if at == 0 or text[at - 1] != ">":
                break
            tag = _TAG_BEFORE.search(text[max(0, at - _LONGEST_TAG) : at])
            if tag is None or tag[1].lower() not in _INLINE_TAGS:
                return True, at
            at -= len(tag[0])
        return False, at

    def _behind_tags(self, at: int) -> tuple[bool, int]:
        """The same behind an offset."""
        text = self._text
        for _ in range(_MOST_TAGS):
            if at >= len(text) - 1 or text[at] != "<":
                break
            tag = _TAG_AFTER.match(text, at, at + _LONGEST_TAG)
            if tag is None or tag[1] is None or tag[1].lower() not in _INLINE_TAGS:
                return True, at
            at = tag.end()
        return False, min(at, len(text) - 1)


def inside_word(text: str, offset: int) -> bool:
    """Whether letters or digits stand on both sides, of a script that spaces its words."""
    if not 0 < offset < len(text):
        return False
    pair = text[offset - 1 : offset + 1]
    if not (_is_word(pair[0]) and _is_word(pair[1])):
        return False
    return _UNSPACED.search(pair) is None


def _is_word(character: str) -> bool:
    return character == "_" or character.isalnum()
