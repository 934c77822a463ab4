"""Where words begin and end: evidence found by a looser tier must not stand inside a word."""

import unicodedata

IGNORABLE = frozenset(
    "\u00ad\u034f\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"
)
"""Characters without a shape of their own: soft hyphen, zero width, direction, variation."""

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035"
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
"""Scripts written without spaces between words, as ranges of a regular expression's class."""

_UNSPACED_RANGES = tuple(
    (ord(part[0]), ord(part[2]))
    for part in (UNSPACED[index : index + 3] for index in range(0, len(UNSPACED), 3))
)
_LONGEST_SKIP = 8


def inside_word(text: str, offset: int) -> bool:
    """Whether a cut at `offset` would part a word, or a number with its decimals.

    Characters without a shape are looked through. Between characters of a script that puts
    no spaces between words every place is a border.
    """
    before, after = _skip(text, offset - 1, -1), _skip(text, offset, 1)
    if before < 0 or after >= len(text):
        return False
    left, right = text[before], text[after]
    if _is_word(left) and _is_word(right):
        return unicodedata.combining(right) > 0 or not (_is_unspaced(left) or _is_unspaced(right))
    if left in ".," and right.isdigit():
        return before > 0 and text[before - 1].isdigit()
    if left.isdigit() and right in ".,":
        return after + 1 < len(text) and text[after + 1].isdigit()
    return False


def _skip(text: str, offset: int, step: int) -> int:
    for _ in range(_LONGEST_SKIP):
        if not 0 <= offset < len(text) or text[offset] not in IGNORABLE:
            break
        offset += step
    return offset


def _is_word(character: str) -> bool:
    return (
        character == "_"
        or character.isalnum()
        or unicodedata.category(character) in ("Mn", "Mc", "Me")
    )


def _is_unspaced(character: str) -> bool:
    code = ord(character)
    return any(low <= code <= high for low, high in _UNSPACED_RANGES)
