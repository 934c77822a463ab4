"""One visible code point for every code point, so that offsets survive the drawing."""

import re

_ZERO_WIDTH = "\u205e"  # ⁞
_DIRECTION = "\u21c4"  # ⇄
_BROKEN = "\ufffd"  # �

# First and last code point, and the mark of them all. Variation selectors are not here: they
# change the character before them, which is drawn.
_HIDDEN: tuple[tuple[int, int, str], ...] = (
    (0x7F, 0x7F, "\u2421"),  # ␡
    (0x80, 0x9F, "\u2426"),  # C1: ␦
    (0xAD, 0xAD, "\u00ac"),  # soft hyphen: ¬
    # Bidirectional controls reorder what stands around them.
    (0x061C, 0x061C, _DIRECTION),
    (0x200E, 0x200F, _DIRECTION),
    (0x202A, 0x202E, _DIRECTION),
    (0x2066, 0x206F, _DIRECTION),
    # Characters that take no room, so that nobody sees them.
    (0x034F, 0x034F, _ZERO_WIDTH),
    (0x17B4, 0x17B5, _ZERO_WIDTH),
    (0x180E, 0x180E, _ZERO_WIDTH),
    (0x200B, 0x200D, _ZERO_WIDTH),
    (0x2060, 0x2065, _ZERO_WIDTH),
    (0xFEFF, 0xFEFF, _ZERO_WIDTH),
    (0xFFF0, 0xFFFB, _ZERO_WIDTH),
    (0x13430, 0x1343F, _ZERO_WIDTH),
    (0x1BCA0, 0x1BCA3, _ZERO_WIDTH),
    (0x1D173, 0x1D17A, _ZERO_WIDTH),
    (0xE0000, 0xE00FF, _ZERO_WIDTH),
    (0xE01F0, 0xE0FFF, _ZERO_WIDTH),
    (0x2028, 0x2028, "\u2424"),  # line separator: ␤
    (0x2029, 0x2029, "\u00b6"),  # paragraph separator: ¶
    # Half of a pair cannot be written to a terminal; the last two are no characters.
    (0xD800, 0xDFFF, _BROKEN),
    (0xFFFE, 0xFFFF, _BROKEN),
)

_MARKS: dict[int, str] = {code: chr(0x2400 + code) for code in range(0x20)}
for _first, _last, _mark in _HIDDEN:
    _MARKS.update(dict.fromkeys(range(_first, _last + 1), _mark))

_SEPARATOR_MARKS: dict[int, str] = {
    **_MARKS,
    0x09: "\u21e5",  # ⇥
    0x0A: "\u21b5",  # ↵
    0x20: "\u2423",  # ␣
    0xA0: "\u237d",  # no-break space: ⍽
    **dict.fromkeys((0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), "\u25a1"),  # □
}

_HIDDEN_CLASS = re.compile(
    "[\\x00-\\x1f" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last, _ in _HIDDEN) + "]"
)


def visible(text: str) -> str:
    r"""`text` with each code point that a screen hides or obeys replaced by one mark.

    Controls (`\n` and `\t` too), bidirectional and zero-width characters, line and paragraph
    separators and lone surrogates each become exactly one printable code point; all others stay.
    """
    return text if _HIDDEN_CLASS.search(text) is None else text.translate(_MARKS)


def visible_separator(text: str) -> str:
    """A separator as a person can read it: `↵` `⇥` `␣` for white space; all else as `visible`."""
    return text.translate(_SEPARATOR_MARKS) if text else "(every character)"
