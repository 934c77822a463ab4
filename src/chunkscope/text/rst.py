"""The section titles of reStructuredText, found in its source.

The text stays the file's own: its offsets are those a person sees in an editor, and no markup is
rendered away.
"""

import re
from collections.abc import Iterator

from chunkscope.text.lines import LineIndex

_LINE = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*\Z")
_SHORT = 4
"""From this length on a line makes a title of what is longer than itself, too."""

_ROLE = re.compile(r":[A-Za-z][\w.:+-]*:(?=`)")
_QUOTED = re.compile(r"(``?)([^`]+)\1_{0,2}")
_TARGET = re.compile(r"[ \t]*<[^<>`]*>\Z")


def rst_headings(text: str) -> Iterator[tuple[int, str, int, int]]:
    """(level, title, start, end) of each section title, underlined or between two lines.

    A style of line has the level at which it first came up. What is indented, such as code, holds
    no titles; nor do paragraphs of several lines, tables and comments.
    """
    lines = LineIndex(text)
    styles: list[tuple[str, bool]] = []
    number = 0
    while number < lines.count:
        found = _title(text, lines, number)
        if found is None:
            number += 1
            continue
        style, title, start, end, after = found
        if style not in styles:
            styles.append(style)
        yield styles.index(style) + 1, _plain(title), start, end
        number = after


def _title(
    text: str, lines: LineIndex, number: int
) -> tuple[tuple[str, bool], str, int, int, int] | None:
    """Style, title, start, end and next line of the title that begins in a line."""
    first, second = _line(text, lines, number), _line(text, lines, number + 1)
    if _LINE.match(first):
        third = _line(text, lines, number + 2)
        framed = _LINE.match(third) and first.rstrip() == third.rstrip()
        if framed and _titled(second.strip(), first):
            return _found(text, lines, number, number + 2, (first[0], True))
        return None
    # The last line of a paragraph is no title.
    if number and _line(text, lines, number - 1).strip():
        return None
    if first[:1].isspace() or first.startswith(".. ") or not _LINE.match(second):
        return None
    return (
        _found(text, lines, number, number + 1, (second[0], False))
        if _titled(first.strip(), second)
        else None
    )


def _titled(title: str, line: str) -> bool:
    """Whether a line of punctuation is long enough for this title, and it is one."""
    length = len(line.rstrip())
    return bool(title) and not _LINE.match(title) and length >= min(len(title), _SHORT)


def _found(
    text: str, lines: LineIndex, first: int, last: int, style: tuple[str, bool]
) -> tuple[tuple[str, bool], str, int, int, int]:
    """The title whose lines are these; its text stands in the one before the last."""
    start, _ = lines.span(first)
    if start == 0 and text.startswith("\ufeff"):
        start = 1
    return style, _line(text, lines, last - 1), start, lines.span(last)[1], last + 1


def _line(text: str, lines: LineIndex, number: int) -> str:
    if not 0 <= number < lines.count:
        return ""
    start, end = lines.span(number)
    return text[start:end].removeprefix("\ufeff") if start == 0 else text[start:end]


def _plain(title: str) -> str:
    """A title without its roles, back quotes and link targets."""
    shown = _QUOTED.sub(lambda match: _TARGET.sub("", match[2]), _ROLE.sub("", title))
    return " ".join(shown.replace("\\", "").split())
