"""Separators as a person reads and types them."""

import json

from chunkscope.errors import InputError
from chunkscope.tui.literal import literal

_SHOWN = {"\n": "↵", "\t": "⇥", " ": "␣", "\r": "←", "\f": "␌", "\u00a0": "⍽"}
_READ = {mark: character for character, mark in _SHOWN.items()}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "\\": "\\", "|": "|"}


def separators_text(separators: tuple[str, ...]) -> str:
    """Separators with a mark for what is not seen, parted by `|`."""
    shown = []
    for separator in separators:
        marks = []
        for character in separator:
            if character in _SHOWN:
                marks.append(_SHOWN[character])
            elif character in "|\\" or character in _READ or literal(character) != character:
                marks.append("\\" + character if character in "|\\" else _code(character))
            else:
                marks.append(character)
        shown.append("".join(marks))
    return "|".join(shown)


def parse_separators(text: str) -> tuple[str, ...]:
    r"""The separators that marks or escapes (`\n`, `\|`, `\u2026`) stand for.

    A JSON list is read as one.

    Raises:
        InputError: for an unfinished escape or list.
    """
    if text.lstrip().startswith('["'):
        return _json_list(text)
    separators: list[str] = []
    current = ""
    position = 0
    while position < len(text):
        character = text[position]
        position += 1
        if character == "|":
            separators.append(current)
            current = ""
        elif character != "\\":
            current += _READ.get(character, character)
        else:
            made, position = _escape(text, position)
            current += made
    separators.append(current)
    return tuple(separators)


def _json_list(text: str) -> tuple[str, ...]:
    try:
        values = json.loads(text)
    except ValueError:
        values = None
    if not (isinstance(values, list) and all(isinstance(value, str) for value in values)):
        raise InputError('separators: begins like a JSON list, but is none; close it: ["a", "b"]')
    return tuple(values)


def _escape(text: str, position: int) -> tuple[str, int]:
    letter = text[position : position + 1]
    if letter == "u":
        digits = text[position + 1 : position + 5]
        try:
            return chr(int(digits, 16)), position + 5
        except ValueError:
            raise InputError(f"separators: \\u{digits} is not a character") from None
    if letter not in _ESCAPES or not letter:
        # A regular expression's own escapes, such as \s or \d, are taken as they are typed.
        return "\\" + letter, position + 1
    return _ESCAPES[letter], position + 1


def _code(character: str) -> str:
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else character
