"""Lengths in the unit that `size` and `overlap` count, for whole batches of texts."""

from collections.abc import Callable, Sequence

from chunkscope.errors import InputError
from chunkscope.text.tokens import get_token_counter

BatchLength = Callable[[Sequence[str]], list[int]]

UNITS = ("tokens", "characters", "words")


def length_function(unit: str, encoding: str) -> BatchLength:
    """A function from texts to their lengths: tokens, code points, or `len(text.split())`.

    Raises:
        InputError: for another unit, or (in tokens) an encoding that cannot be had.
    """
    if unit == "tokens":
        return get_token_counter(encoding).count
    if unit == "characters":
        return _characters
    if unit == "words":
        return _words
    raise InputError(f"unit: {unit!r} is not known here; give one of {', '.join(UNITS)}")


def _characters(texts: Sequence[str]) -> list[int]:
    return [len(text) for text in texts]


def _words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]
