r"""Where the sentences of a text begin.

The segmenter is sentencex, by its rules for the language that `sentence_language` finds. It is
given one paragraph at a time, in pieces, and never the text itself but a copy of the same
length: its time grows faster than a paragraph with many quotation marks, and white space of
several bytes can bring it down.
"""

import re
from array import array

import sentencex

from chunkscope.cancel import CancelToken
from chunkscope.splitting.language import sentence_language

_WINDOW = 4000
"""Characters of a paragraph that the segmenter sees at once."""

_CONTEXT = 400
"""Characters seen again where a piece holds no end of a sentence."""

_BLANK_LINES = re.compile(r"(?:\r\n|\r|\n)[^\S\r\n]*(?:\r\n|\r|\n)\s*")
_PARAGRAPHS_PER_CHECK = 256

# What `str.isspace` holds for, beyond tab and line ends, and half pairs, which have no UTF-8.
_SPACES = (
    *(0x0B, 0x0C, 0x1C, 0x1D, 0x1E, 0x1F, 0x85, 0xA0, 0x1680),
    *range(0x2000, 0x200B),
    *(0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
)
_PLAIN = dict.fromkeys(_SPACES, 0x20) | dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)


def sentence_starts(text: str, cancel: CancelToken | None = None) -> "array[int]":
    """Offsets at which sentences begin, ascending; the first is 0, none for an empty text.

    A sentence runs to the start of the next one: white space between two belongs to the one
    before it, that before the first sentence to the first. A blank line ends a sentence, a
    single line end does not.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    starts = array("q")
    if not text:
        return starts
    starts.append(0)
    paragraphs = _Paragraphs(text)
    position = len(text) - len(text.lstrip())
    number = 0
    while position < len(text):
        if cancel is not None and number % _PARAGRAPHS_PER_CHECK == 0:
            cancel.check()
        gap = _BLANK_LINES.search(text, position)
        end = gap.start() if gap else len(text)
        if number:
            starts.append(position)
        paragraphs.segment(position, end, starts, cancel)
        position = gap.end() if gap else len(text)
        number += 1
    return starts


class _Paragraphs:
    """A copy of a text that is fit for the segmenter, each character in its place."""

    def __init__(self, text: str) -> None:
        self._language = sentence_language(text)
        self._plain = text.translate(_PLAIN).replace("\r\n", " \n").replace("\r", "\n")

    def segment(
        self, start: int, end: int, starts: "array[int]", cancel: CancelToken | None
    ) -> None:
        """Append where the sentences of a paragraph begin, the first of them left out."""
        seen = start
        while seen < end:
            if cancel is not None and seen > start:
                cancel.check()
            limit = min(end, seen + _WINDOW)
            found = sentencex.get_sentence_boundaries(self._language, self._plain[seen:limit])
            for sentence in found:
                place = seen + int(sentence["end_index"])
                # What follows the last boundary may go on in the next piece.
                if starts[-1] < place < limit and self._plain[place:limit].strip():
                    starts.append(place)
            if limit == end:
                return
            seen = starts[-1] if starts[-1] > seen else limit - _CONTEXT
