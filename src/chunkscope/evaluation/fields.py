"""JSON objects read field by field: every value checked, every complaint names its field."""

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from chunkscope.errors import InputError
from chunkscope.text.display import visible

T = TypeVar("T")

_SHA256 = re.compile("[0-9a-f]{64}", re.ASCII)
_SHOWN = 40


@dataclass(frozen=True)
class Fields:
    """One JSON object of a file.

    Attributes:
        values: the object.
        where: the file, and the line where there are lines.
        path: the object's own place in it, such as `a.retrieved[2]`; empty: the whole.
    """

    values: Mapping[str, Any]
    where: str
    path: str = ""

    def refuse(self, key: str, problem: str) -> InputError:
        """The error that names this field."""
        return InputError(f"{self.where}: field {self.name(key)}: {problem}")

    def name(self, key: str) -> str:
        """A field's name with that of its object before it."""
        return f"{self.path}.{key}" if self.path else key

    def has(self, key: str) -> bool:
        """Whether the field is there and not null."""
        return self.values.get(key) is not None

    def text(self, key: str, *, blank: bool = False) -> str:
        """Text; with `blank`, it may be empty or white space.

        Raises:
            InputError: when it is missing or anything else.
        """
        value = self._required(key)
        if not isinstance(value, str):
            raise self.refuse(key, f"{kind_of(value)}, not text; put it in quotes")
        if not blank and not value.strip():
            raise self.refuse(key, "blank; fill it in")
        return value

    def one_of(self, key: str, allowed: Collection[str]) -> str:
        """One of the names in `allowed`.

        Raises:
            InputError: when it is missing or anything else.
        """
        value = self.text(key)
        if value not in allowed:
            raise self.refuse(key, f"{shown(value)} is not one of {', '.join(allowed)}")
        return value

    def sha256(self, key: str) -> str:
        """A SHA-256 in lower-case hex.

        Raises:
            InputError: when it is missing or anything else.
        """
        value = self.text(key)
        if not _SHA256.fullmatch(value):
            raise self.refuse(key, "not a SHA-256: 64 digits 0-9 and a-f")
        return value

    def whole(self, key: str, least: int = 0) -> int:
        """A whole number of at least `least`.

        Raises:
            InputError: when it is missing or anything else.
        """
        value = self._required(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.refuse(key, f"{shown(value)} is not a whole number")
        if value < least:
            raise self.refuse(key, f"{value} is less than {least}")
        return value

    def number(self, key: str, low: float = -math.inf, high: float = math.inf) -> float:
        """A finite number from `low` to `high`.

        Raises:
            InputError: when it is missing or anything else.
        """
        value = self._required(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refuse(key, f"{shown(value)} is not a number")
        number = float(value) if abs(value) < 1e300 else math.inf
        if not math.isfinite(number) or not low <= number <= high:
            between = f" from {low:g} to {high:g}" if math.isfinite(low) else ""
            raise self.refuse(key, f"{shown(value)} is not a finite number{between}")
        return number

    def truth(self, key: str) -> bool:
        """True or false.

        Raises:
            InputError: when it is missing or anything else.
        """
        value = self._required(key)
        if not isinstance(value, bool):
            raise self.refuse(key, f"{shown(value)} is neither true nor false")
        return value

    def optional(self, key: str, read: Callable[[str], T]) -> T | None:
        """The field by one of the methods here; None where it is missing or null."""
        return read(key) if self.has(key) else None

    def inner(self, key: str) -> "Fields":
        """The object in a field.

        Raises:
            InputError: when it is missing or anything else.
        """
        return as_fields(self._required(key), self.where, self.name(key))

    def listed(self, key: str, read: Callable[[Any, str], T]) -> tuple[T, ...]:
        """Every entry of a list, each read with its place in the file.

        Raises:
            InputError: when it is missing or anything else.
        """
        value = self._required(key)
        if not isinstance(value, list):
            raise self.refuse(key, f"{kind_of(value)}, not a list")
        return tuple(read(entry, f"{self.name(key)}[{at}]") for at, entry in enumerate(value))

    def objects(self, key: str, read: Callable[["Fields"], T]) -> tuple[T, ...]:
        """Every object of a list of objects.

        Raises:
            InputError: when it is missing or anything else.
        """
        return self.listed(key, lambda entry, path: read(as_fields(entry, self.where, path)))

    def texts(self, key: str) -> dict[str, str]:
        """The object in a field, each value of it text.

        Raises:
            InputError: when it is missing or anything else.
        """
        inner = self.inner(key)
        return {name: inner.text(name, blank=True) for name in inner.values}

    def _required(self, key: str) -> Any:
        if not self.has(key):
            raise self.refuse(key, "missing; add it")
        return self.values[key]


def as_fields(value: object, where: str, path: str = "") -> Fields:
    """`value` as an object to be read.

    Raises:
        InputError: when it is no object.
    """
    if not isinstance(value, dict):
        place = f"field {path}: " if path else ""
        raise InputError(f"{where}: {place}{kind_of(value)}, not an object")
    return Fields(value, where, path)


def kind_of(value: object) -> str:
    """What sort of JSON value it is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "an object"


def shown(value: object) -> str:
    """A value as a message may quote it."""
    if isinstance(value, list | dict):
        return kind_of(value)
    text = f"“{visible(value)}”" if isinstance(value, str) else str(value).lower()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
