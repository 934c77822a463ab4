"""Texts as literals that a reader can tell apart and that are read back the same."""

import unicodedata

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def literal(text: str) -> str:
    """`text` as a string literal in double quotes, or single ones where that saves escapes.

    What does not show (white space but the plain one, controls, marks that join to another
    character, lone surrogates) is escaped.
    """
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + "".join(_escaped(character, quote) for character in text) + quote


def double_quoted(text: str) -> str:
    """`text` in double quotes, with escapes that Python and YAML read alike."""
    return '"' + "".join(_escaped(character, '"') for character in text) + '"'


def _escaped(character: str, quote: str) -> str:
    if character == quote:
        return f"\\{quote}"
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable() and not unicodedata.category(character).startswith("M"):
        return character
    number = ord(character)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
