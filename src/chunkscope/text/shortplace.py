"""A place in few letters, where there is no room for its words: `p. 3`, `Fees!B4`, `row 5–9`."""

import re

_SHEET = re.compile(
    r"sheet (?P<name>'.*'|\".*\")(?:, row (?P<row>[0-9]+)(?:, column (?P<column>[A-Z]+))?)?",
    re.DOTALL,
)
_NAMED = re.compile(r"(?:section|(?P<row>row [0-9]+), column) ['\"](?P<name>.*)['\"]", re.DOTALL)
_SHORTER = (
    (re.compile(r"page (.+)", re.DOTALL), r"p. \1"),
    (re.compile(r"paragraph ([0-9]+)"), r"par. \1"),
    (re.compile(r"(cell [0-9]+) \([a-z]+\)"), r"\1"),
)
_SHOWN = 12
"""Characters of a name that are shown: of a sheet, a section, a column."""

_NUMBERED = re.compile(r"(?P<head>.*?)(?P<number>[0-9]+)", re.DOTALL)


def is_row(name: str) -> bool:
    """Whether a part is a row of a sheet."""
    match = _SHEET.fullmatch(name)
    return match is not None and match["row"] is not None


def short_name(name: str) -> str:
    """One part's name in few letters; what has no shorter form stays as it is."""
    if match := _SHEET.fullmatch(name):
        sheet = _bare(match["name"])
        return f"{sheet}!{match['column'] or ''}{match['row']}" if match["row"] else sheet
    if match := _NAMED.fullmatch(name):
        head = f"{match['row']}, " if match["row"] else "§ "
        return head + _cut(match["name"])
    for pattern, shorter in _SHORTER:
        if match := pattern.fullmatch(name):
            return match.expand(shorter)
    return name


def short_range(first: str, last: str) -> str:
    """Where a span stands that begins in one part and ends in another, such as `p. 3–5`."""
    low, high = short_name(first), short_name(last)
    begins, ends = _NUMBERED.fullmatch(low), _NUMBERED.fullmatch(high)
    if begins and ends and begins["head"] == ends["head"]:
        # As a workbook writes rows.
        between = ":" if begins["head"].endswith("!") else "–"
        return f"{low}{between}{ends['number']}"
    if high.startswith(f"{low}!"):
        # From a sheet's name into its rows.
        return f"{low} to row {high.removeprefix(low + '!')}"
    return low if low == high else f"{low} – {high}"


def _bare(quoted: str) -> str:
    """A sheet's name as a workbook writes it: quoted only where it is more than letters."""
    name = _cut(quoted[1:-1])
    return name if re.fullmatch(r"\w+…?", name) else quoted[0] + name + quoted[-1]


def _cut(name: str) -> str:
    return name if len(name) <= _SHOWN else f"{name[: _SHOWN - 1]}…"
