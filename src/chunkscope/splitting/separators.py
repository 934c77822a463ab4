"""Separators as they are given, checked and compiled before any text is split."""

import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chunkscope.errors import InputError
from chunkscope.splitting.settings import KeepSeparator

PATTERN_TEXT = (
    "regex with keep_separator none: the pattern's own text, not what it matched, is put "
    "between the pieces of a chunk; such chunks are marked altered"
)


_SHOWN = 60
"""Characters of a pattern that an error repeats."""


@dataclass(frozen=True, slots=True)
class Separator:
    """One separator, ready to be looked for.

    Attributes:
        text: as given; empty means between any two characters.
        pattern: the compiled regular expression, or None: `text` is literal.
    """

    text: str
    pattern: re.Pattern[str] | None = None

    def occurs(self, text: str, start: int, end: int) -> bool:
        """Whether it is found in `text[start:end]`, taken as a text of its own."""
        if not self.text:
            return True
        if self.pattern is None:
            return text.find(self.text, start, end) >= 0
        return self.pattern.search(text[start:end]) is not None

    def parts(self, text: str, starts: list[int], ends: list[int]) -> int:
        """Append where the parts of `text` between its occurrences start and end; how many."""
        if self.pattern is None:
            parts = text.split(self.text)
            position = 0
            for part in parts:
                starts.append(position)
                position += len(part)
                ends.append(position)
                position += len(self.text)
            return len(parts)
        spans = [match.span() for match in self.pattern.finditer(text)]
        starts.append(0)
        starts.extend([end for _, end in spans])
        ends.extend([start for start, _ in spans])
        ends.append(len(text))
        return len(spans) + 1


def compile_separators(
    separators: Iterable[str], *, regex: bool, keep: KeepSeparator
) -> tuple[Separator, ...]:
    """The separators in order.

    Raises:
        InputError: for an invalid pattern or one with a capturing group, by its position.
    """
    return tuple(
        Separator(text, _compile(text, number, keep) if regex and text else None)
        for number, text in enumerate(separators, start=1)
    )


def check_separators(separators: Sequence[str], *, regex: bool, keep: KeepSeparator) -> None:
    """Refuse separators that cannot work.

    Raises:
        InputError: naming the separator by its position.
    """
    if isinstance(separators, str) or not separators:
        raise InputError('separators: give a list of at least one, such as ["\\n\\n", "\\n", " "]')
    for number, text in enumerate(separators, start=1):
        if not isinstance(text, str):
            raise InputError(f"separators: number {number} is {text!r}; give text in quotes")
    compile_separators(separators, regex=regex, keep=keep)


def is_lookaround(separator: str) -> bool:
    """Whether a pattern begins with a look-ahead or look-behind (and is never re-inserted)."""
    return separator.startswith(("(?=", "(?<!", "(?<=", "(?!"))


def _compile(text: str, number: int, keep: KeepSeparator) -> re.Pattern[str]:
    where = f"separators: number {number}, {_shortened(text)},"
    pattern = _compiled(text, where)
    if pattern.groups:
        raise InputError(
            f"{where} has a capturing group at character {_first_group(text)}, which would put "
            "separators into the chunks twice; write (?:…) instead of (…)"
        )
    if keep != "none":
        # A kept separator is matched inside a group, where flags such as (?i) may not stand.
        _compiled(f"({text})", f"{where} cannot be kept: write flags as (?i:…);")
    return pattern


def _shortened(text: str) -> str:
    """A pattern as an error names it."""
    if len(text) <= _SHOWN:
        return repr(text)
    return f"{text[:_SHOWN]!r}… ({len(text):,} characters)"


def _compiled(text: str, where: str) -> re.Pattern[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(text)
    except re.error as error:
        place = "" if error.pos is None else f" at character {error.pos}"
        raise InputError(f"{where} is not a regular expression: {error.msg}{place}") from None
    except (OverflowError, RecursionError) as error:
        raise InputError(f"{where} is too large a regular expression: {error}") from None


def _first_group(text: str) -> int:
    """Where the first capturing parenthesis stands, escapes and [sets] passed over."""
    position = 0
    in_set = False
    while position < len(text):
        character = text[position]
        if character == "\\":
            position += 1
        elif in_set:
            in_set = character != "]"
        elif character == "[":
            in_set = True
            # A ] right after [ or [^ is a member of the set.
            position += len(re.match(r"\^?\]?", text[position + 1 :])[0])  # type: ignore[index]
        elif character == "(" and (
            text[position + 1 : position + 2] != "?" or text[position + 1 : position + 4] == "?P<"
        ):
            return position
        position += 1
    return 0
