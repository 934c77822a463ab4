"""What a fuzzer's bytes mean: choices first, one a byte, then the input in one of some shapes."""

from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from random import Random
from typing import Any, TypeVar

from format_files import docx, epub, paragraph, pdf_of
from fuzz_targets import IMPORTED, SUFFIXES

_Value = TypeVar("_Value")

CHOICES = 24
"""Bytes of an input that are choices; after the last one, choices are the first of each."""


class Steered(Random):
    """Choices taken from bytes one by one: a byte changed changes one of them."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._left: Iterator[int] = iter(data)

    def random(self) -> float:
        return next(self._left, 0) / 256

    def choice(self, seq: Sequence[_Value]) -> _Value:  # type: ignore[override]
        return seq[next(self._left, 0) % len(seq)]

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        first, end = (0, start) if stop is None else (start, stop)
        number = next(self._left, 0) * 256 + next(self._left, 0)
        return first + number % len(range(first, end, step)) * step

    def shuffle(self, x: MutableSequence[Any]) -> None:
        raise NotImplementedError


def _plain(data: bytes) -> bytes:
    return data


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


SHAPES: tuple[Callable[[bytes], bytes], ...] = (
    _plain,
    lambda data: docx(_text(data)),
    lambda data: docx(paragraph("One"), styles=_text(data)),
    lambda data: epub(_text(data)),
    pdf_of,
    lambda data: _text(data).encode("utf-16"),
)
"""What a file of `loading` is made of: checksums and tables that no mutation would get right."""


_ENDINGS = {"loading": (1, len(SUFFIXES)), "importing": (0, len(IMPORTED))}
"""Which byte chooses a file's ending, and how many endings there are."""


def seeds_of(
    name: str, seeds: Sequence[bytes], texts: Mapping[int, Sequence[bytes]]
) -> list[bytes]:
    """Inputs to begin with; files under every ending, those of `loading` in more shapes, too."""
    if name not in _ENDINGS:
        return [bytes(CHOICES) + seed for seed in seeds]
    place, count = _ENDINGS[name]
    plain = [
        bytes([*bytes(place), at]).ljust(CHOICES, b"\0") + seed
        for seed in seeds
        for at in range(count)
    ]
    if name != "loading":
        return plain
    return plain + [
        bytes([shape]).ljust(CHOICES, b"\0") + text for shape in texts for text in texts[shape]
    ]


def steered(data: bytes) -> tuple[Random, bytes]:
    """The choices and the rest of a fuzzer's bytes."""
    return Steered(data[:CHOICES]), data[CHOICES:]


def file_of(data: bytes) -> tuple[Random, bytes]:
    """The same for `loading`: the first byte is the shape."""
    return Steered(data[1:CHOICES]), SHAPES[data[0] % len(SHAPES)](data[CHOICES:]) if data else b""
