"""Checks that every splitter makes of its settings."""

from chunkscope.errors import InputError
from chunkscope.splitting.settings import KeepSeparator, SplitterSettings

SEPARATOR_SETTINGS = frozenset(
    {"size", "overlap", "unit", "encoding", "separators", "keep_separator", "regex", "strip",
     "dedupe"}
)  # fmt: skip
"""What splitters that look for separators use."""

_KEEP: tuple[KeepSeparator, ...] = ("end", "start", "none")


def check_size(settings: SplitterSettings) -> None:
    """Refuse a size or an overlap that no splitter can work with.

    Raises:
        InputError: naming the setting.
    """
    size = settings.size
    if isinstance(size, bool) or not isinstance(size, int):
        raise InputError(f"size: {size!r} is not a whole number; give one such as 256")
    if size < 1:
        raise InputError(f"size: {size} holds nothing; give 1 or more")
    overlap = settings.overlap_size
    if overlap < 0:
        raise InputError(f"overlap: {overlap} is negative; give 0 or more")
    if overlap >= size:
        raise InputError(f"overlap: {overlap} is not less than size {size}; give a smaller overlap")


def check_unit(settings: SplitterSettings, units: tuple[str, ...]) -> None:
    """Refuse a unit in which this splitter cannot count.

    Raises:
        InputError: naming the units it can.
    """
    if settings.unit not in units:
        raise InputError(
            f"unit: {settings.unit!r} does not go with splitter {settings.kind!r}; "
            f"give one of {', '.join(units)}"
        )


def check_choices(settings: SplitterSettings) -> None:
    """Refuse a keep_separator that is no choice, and switches that are no switches.

    Raises:
        InputError: naming the setting.
    """
    if settings.keep_separator not in _KEEP:
        raise InputError(
            f"keep_separator: {settings.keep_separator!r} is not known; "
            f"give one of {', '.join(_KEEP)}"
        )
    for name in ("regex", "strip", "dedupe"):
        if not isinstance(getattr(settings, name), bool):
            raise InputError(f"{name}: {getattr(settings, name)!r} is neither true nor false")
