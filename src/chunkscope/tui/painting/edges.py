"""Where words begin and end, for an end of a range that moves word by word."""

import re

from chunkscope.golden.borders import UNSPACED

_ALONE = re.compile(f"[{UNSPACED}]")


def edge_after(text: str, offset: int, *, ends: bool) -> int:
    """The next offset at which a word begins (`ends`: ends); the text's end when none does."""
    is_edge = _ends if ends else _begins
    for at in range(offset + 1, len(text)):
        if is_edge(text, at):
            return at
    return len(text)


def edge_before(text: str, offset: int, *, ends: bool) -> int:
    """The last offset before it at which a word begins (`ends`: ends); 0 when none does."""
    is_edge = _ends if ends else _begins
    for at in range(offset - 1, 0, -1):
        if is_edge(text, at):
            return at
    return 0


def _begins(text: str, at: int) -> bool:
    return _is_word(text[at]) and not (_goes_on(text[at]) and _goes_on(text[at - 1]))


def _ends(text: str, at: int) -> bool:
    return _is_word(text[at - 1]) and not (_goes_on(text[at]) and _goes_on(text[at - 1]))


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_" or _ALONE.match(character) is not None


def _goes_on(character: str) -> bool:
    """Whether it is part of a word of several; where no spaces are written each is its own."""
    return (character.isalnum() or character == "_") and _ALONE.match(character) is None
