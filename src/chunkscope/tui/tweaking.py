"""The next configuration after a key press: plain functions from one to another."""

from dataclasses import fields, replace
from typing import Any

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.settings import resolve_overlap

_STEPS = ((16, 1), (64, 4), (256, 16), (1024, 32))
_LARGEST_STEP = 64
_PERCENT_STEP = 5


def size_step(size: int) -> int:
    """How far one key press moves a size of this order."""
    for limit, step in _STEPS:
        if size < limit:
            return step
    return _LARGEST_STEP


def with_setting(
    configuration: Configuration, section: str, name: str, value: object
) -> Configuration:
    """The configuration with one setting changed; a splitter brings and takes a unit of its own."""
    part: Any = getattr(configuration, section)
    changed: Configuration = replace(configuration, **{section: replace(part, **{name: value})})
    if (section, name) == ("splitter", "kind"):
        from chunkscope.splitting.registry import get_splitter

        unit, before = get_splitter(str(value)).unit, get_splitter(configuration.splitter.kind).unit
        sentences = str(value).rpartition("+")[2] == "sentence"
        if unit is None and not sentences and changed.splitter.unit == "sentences":
            unit = "tokens"
        elif unit is None and before == changed.splitter.unit:
            # The unit was the other splitter's, nobody's choice.
            unit = "tokens"
        if unit is not None:
            changed = with_setting(changed, "splitter", "unit", unit)
    return changed


def check_change(configuration: Configuration, section: str) -> None:
    """Refuse at once what can be refused without reading a vocabulary or foreign code.

    Raises:
        InputError: naming the setting.
    """
    splitter = configuration.splitter
    if section == "retriever":
        from chunkscope.retrieval.registry import check_settings, is_own, parts_of

        if not any(map(is_own, parts_of(configuration.retriever))):
            check_settings(configuration.retriever)
    elif section == "enrich":
        from chunkscope.splitting.parents import check_parent
        from chunkscope.splitting.prefixes import check_enrich
        from chunkscope.text.headings import compile_heading_pattern

        compile_heading_pattern(configuration.enrich.heading_pattern)
        check_parent(configuration.enrich.parent, configuration.splitter)
        check_enrich(configuration.enrich)
    elif ":" not in splitter.kind or splitter.kind.startswith("code:"):
        from chunkscope.splitting.checking import check_choices, check_size
        from chunkscope.splitting.registry import get_splitter

        check_size(splitter)
        check_choices(splitter)
        get_splitter(splitter.kind).check(splitter)


def step_size(configuration: Configuration, direction: int) -> Configuration:
    """The size one step down (−1) or up (1), on a multiple of the step.

    Raises:
        InputError: when the overlap would no longer fit.
    """
    size = configuration.splitter.size
    if direction > 0:
        step = size_step(size)
        new = (size // step + 1) * step
    else:
        step = size_step(size - 1)
        new = max(1, (size - 1) // step * step)
    overlap = resolve_overlap(configuration.splitter.overlap, new)
    if overlap >= new:
        raise InputError(f"size: {new} would not hold the overlap {overlap}; lower it first (o)")
    return with_setting(configuration, "splitter", "size", new)


def step_overlap(configuration: Configuration, direction: int) -> Configuration:
    """The overlap one step down or up: 5 points of a percentage, a sixteenth of size else.

    Raises:
        InputError: when it would reach the size.
    """
    splitter = configuration.splitter
    if isinstance(splitter.overlap, str) and splitter.overlap.strip().endswith("%"):
        percent = float(splitter.overlap.strip()[:-1])
        new_percent = max(0, int(percent // _PERCENT_STEP + direction) * _PERCENT_STEP)
        overlap: int | str = f"{new_percent}%"
    else:
        step = max(1, splitter.size // 16)
        overlap = max(0, (splitter.overlap_size // step + direction) * step)
    resolved = resolve_overlap(overlap, splitter.size)
    if resolved >= splitter.size:
        raise InputError(f"overlap: {resolved} would reach the size {splitter.size}")
    return with_setting(configuration, "splitter", "overlap", overlap)


def doubled(configuration: Configuration) -> Configuration:
    """The same with double size: what B starts as."""
    return with_setting(configuration, "splitter", "size", configuration.splitter.size * 2)


def differing(a: Configuration, b: Configuration) -> list[str]:
    """Names of the settings in which two configurations differ."""
    names: list[str] = []
    for section in ("splitter", "enrich", "retriever"):
        left, right = getattr(a, section), getattr(b, section)
        names += [
            field.name
            for field in fields(left)
            if getattr(left, field.name) != getattr(right, field.name)
        ]
    return names


def default_sizes(size: int) -> tuple[int, ...]:
    """Sizes of a sweep around `size`: a quarter to four times."""
    sizes = (size // 4, size // 2, size * 3 // 4, size, size * 3 // 2, size * 2, size * 4)
    return tuple(sorted({each for each in sizes if each >= 1}))
