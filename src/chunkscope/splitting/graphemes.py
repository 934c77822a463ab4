"""Whether a cut falls inside what a reader sees as one character."""

import re
import unicodedata
from bisect import bisect_right

from chunkscope.splitting.chunks import Cuts

_FLAGS = re.compile("[\U0001f1e6-\U0001f1ff]{2,}")
_JOINER = "\u200d"
_VIRAMAS = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d")
_PREPEND = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2\U000110bd")


def inside_grapheme(text: str, offset: int) -> bool:
    """Whether `offset` parts a base from its marks, an emoji sequence, a flag, or CR from LF.

    The rules are those of Unicode's extended grapheme clusters, with `unicodedata`'s categories
    in place of its property tables.
    """
    if not 0 < offset < len(text):
        return False
    before, after = text[offset - 1], text[offset]
    if _is_control(before) or _is_control(after):
        return before == "\r" and after == "\n"
    if after == _JOINER or _extends(after) or before in _PREPEND:
        return True
    if before == _JOINER and _is_pictograph(after):
        return _is_pictograph(_base_before(text, offset - 1))
    if _is_flag_half(before) and _is_flag_half(after):
        return _flag_halves_before(text, offset) % 2 == 1
    return _hangul_joins(before, after) or _conjunct_joins(text, offset)


class Graphemes:
    """Questions about many places of one text: no row of flags is walked along twice."""

    def __init__(self, text: str) -> None:
        self._text = text
        runs = [match.span() for match in _FLAGS.finditer(text)]
        self._starts = [start for start, _ in runs]
        self._ends = [end for _, end in runs]

    def inside(self, offset: int) -> bool:
        """As `inside_grapheme`."""
        run = bisect_right(self._starts, offset) - 1
        if run >= 0 and self._starts[run] < offset < self._ends[run]:
            return (offset - self._starts[run]) % 2 == 1
        return inside_grapheme(self._text, offset)


def grapheme_cuts(text: str, cuts: Cuts) -> list[int]:
    """Chunks that begin or end inside a grapheme, by index."""
    graphemes = Graphemes(text)
    return [
        index
        for index, (start, end) in enumerate(
            zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True)
        )
        if graphemes.inside(start) or graphemes.inside(end)
    ]


def _is_control(character: str) -> bool:
    if (
        character in "\u200c\u200d"
        or character in _PREPEND
        or "\U000e0020" <= character < "\U000e0080"
    ):
        return False
    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs")


def _extends(character: str) -> bool:
    if character < "\u0300":
        return False
    return (
        unicodedata.category(character) in ("Mn", "Me", "Mc")
        or character in "\u200c\u0e33\u0eb3"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character < "\U000e0080"
        or "\uff9e" <= character <= "\uff9f"
    )


def _is_pictograph(character: str) -> bool:
    if not character or _is_flag_half(character):
        return False
    return "\U0001f000" <= character <= "\U0001faff" or unicodedata.category(character) == "So"


def _base_before(text: str, offset: int) -> str:
    """The character before `offset` that is no mark; empty when there is none."""
    while offset > 0 and _extends(text[offset - 1]):
        offset -= 1
    return text[offset - 1] if offset > 0 else ""


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_halves_before(text: str, offset: int) -> int:
    count = 0
    while offset > 0 and _is_flag_half(text[offset - 1]):
        count += 1
        offset -= 1
    return count


def _conjunct_joins(text: str, offset: int) -> bool:
    """Whether a virama ties the consonant before `offset` to the one after it."""
    if not _is_indic_letter(text[offset]):
        return False
    tied = False
    while offset > 0 and (text[offset - 1] == _JOINER or unicodedata.combining(text[offset - 1])):
        offset -= 1
        tied = tied or text[offset] in _VIRAMAS
    return tied and offset > 0 and _is_indic_letter(text[offset - 1])


def _is_indic_letter(character: str) -> bool:
    return "\u0900" <= character <= "\u0d7f" and unicodedata.category(character) == "Lo"


def _hangul_joins(before: str, after: str) -> bool:
    if not "\u1100" <= after <= "\ud7fb":
        return False
    leads = "\u1100" <= before <= "\u115f" or "\ua960" <= before <= "\ua97c"
    whole = "\uac00" <= before <= "\ud7a3"
    open_ended = whole and (ord(before) - 0xAC00) % 28 == 0
    vowel = "\u1160" <= before <= "\u11a7" or "\ud7b0" <= before <= "\ud7c6"
    tail = "\u11a8" <= before <= "\u11ff" or "\ud7cb" <= before <= "\ud7fb"
    after_leads = "\u1100" <= after <= "\u115f" or "\ua960" <= after <= "\ua97c"
    after_vowel = "\u1160" <= after <= "\u11a7" or "\ud7b0" <= after <= "\ud7c6"
    after_tail = "\u11a8" <= after <= "\u11ff" or "\ud7cb" <= after <= "\ud7fb"
    after_whole = "\uac00" <= after <= "\ud7a3"
    if leads:
        return after_leads or after_vowel or after_whole
    if vowel or open_ended:
        return after_vowel or after_tail
    return (tail or whole) and after_tail
