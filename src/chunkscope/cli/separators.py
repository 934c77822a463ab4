"""Separators on the command line: a JSON list, or escapes between bars."""

import json

from chunkscope.errors import InputError

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "\\": "\\", "|": "|", '"': '"'}

RULE = (
    'a JSON list such as ["\\n\\n", " ", ""], or separators parted by bars such as '
    r"\n\n|\n| | (\n \t \r \f \\ \| \xHH \uHHHH are escapes, any other backslash stays; "
    "nothing after the last bar means: every character)"
)


def parse_separators(text: str) -> tuple[str, ...]:
    r"""The separators that `text` names, by `RULE`.

    Raises:
        InputError: for a broken JSON list or one that does not hold only strings.
    """
    if text.lstrip().startswith("["):
        parsed = _json_list(text)
        if parsed is not None:
            return parsed
    return tuple(map(_with_whole_pairs, _split_at_bars(text)))


def _json_list(text: str) -> tuple[str, ...] | None:
    """The JSON list in `text`; None when it is a character class such as `[,;]` instead."""
    stripped = text.strip()
    looks_like_json = stripped[1:].lstrip().startswith(('"', "]"))
    try:
        values = json.loads(stripped)
    except json.JSONDecodeError as error:
        if not looks_like_json:
            return None
        raise InputError(
            f"--separators: the JSON list is broken at character {error.pos}: {error.msg}; "
            f"give {RULE}"
        ) from None
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise InputError(f"--separators: a JSON list of strings is needed; give {RULE}")
    if not values:
        raise InputError(f"--separators: the list is empty; give {RULE}")
    return tuple(values)


def _split_at_bars(text: str) -> list[str]:
    separators = [""]
    position = 0
    while position < len(text):
        character = text[position]
        position += 1
        if character == "|":
            separators.append("")
        elif character == "\\" and position < len(text):
            unescaped, position = _unescape(text, position)
            separators[-1] += unescaped
        else:
            separators[-1] += character
    return separators


def _with_whole_pairs(text: str) -> str:
    r"""The text with the two halves of a character, as `\ud83d\ude00` names one, made one."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _unescape(text: str, position: int) -> tuple[str, int]:
    """The character that the escape at `position` (after its backslash) means, and the next."""
    letter = text[position]
    width = {"x": 2, "u": 4}.get(letter, 0)
    digits = text[position + 1 : position + 1 + width]
    if (
        width
        and len(digits) == width
        and all(digit in "0123456789abcdefABCDEF" for digit in digits)
    ):
        return chr(int(digits, 16)), position + 1 + width
    return _ESCAPES.get(letter, "\\" + letter), position + 1
