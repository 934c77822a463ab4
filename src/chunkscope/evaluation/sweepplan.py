"""What a sweep runs: the values it varies, every valid combination, and what is left out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import check_configuration, configuration_from_mapping
from chunkscope.evaluation.configuration import Configuration, varied_settings
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings

_MOST_VALUES = 10_000

_SECTION_OF: Mapping[str, tuple[str, str]] = {
    **{name: ("splitter", name) for name in SplitterSettings.__dataclass_fields__},
    **{name: ("enrich", name) for name in EnrichSettings.__dataclass_fields__},
    **{name: ("retriever", name) for name in RetrieverSettings.__dataclass_fields__},
    "splitter": ("splitter", "kind"),
    "retriever": ("retriever", "kind"),
}
"""Section and key of each setting by the name of its flag."""

_LISTS = {("splitter", "separators"), ("retriever", "k")}
"""Settings whose value is itself a list: a list of no lists is one value of theirs."""

_TRUTH = {"true": True, "false": False}


@dataclass(frozen=True)
class SkippedConfiguration:
    """A combination that cannot run, and why."""

    configuration: Configuration
    reason: str


@dataclass(frozen=True)
class SweepPlan:
    """Configurations to run, in order, and those left out."""

    rows: tuple[Configuration, ...]
    skipped: tuple[SkippedConfiguration, ...] = ()

    @property
    def varied(self) -> tuple[str, ...]:
        """Settings, as `section.key`, that differ between the combinations and no label tells."""
        return varied_settings([*self.rows, *(left.configuration for left in self.skipped)])


def parse_sizes(text: str) -> tuple[int, ...]:
    """Sizes such as `64,128,256..512:64`: numbers, and ranges `LO..HI:STEP` with both ends.

    Raises:
        InputError: for anything else; the part at fault is named.
    """
    sizes: list[int] = []
    for part in _parts(text, "sizes", "64,128 or 64..512:64"):
        for value in _values(part, "sizes"):
            if value < 1:
                raise InputError(f"sizes: {part!r} holds {value}; a size is at least 1")
            sizes.append(value)
    return tuple(dict.fromkeys(sizes))


def parse_overlaps(text: str) -> tuple[int | str, ...]:
    """Overlaps such as `0,10%,20..60:20` or `0..45:5%`: numbers or percentages, and ranges.

    Raises:
        InputError: for anything else; the part at fault is named.
    """
    overlaps: list[int | str] = []
    for part in _parts(text, "overlaps", "0,10% or 0..40:10%"):
        if "%" not in part:
            numbers: Iterable[int | str] = _values(part, "overlaps")
        elif ".." in part:
            numbers = [f"{value}%" for value in _values(part.replace("%", ""), "overlaps")]
        else:
            numbers = [_percentage(part)]
        for value in numbers:
            if isinstance(value, int) and value < 0:
                raise InputError(f"overlaps: {part!r} holds {value}; an overlap is at least 0")
            overlaps.append(value)
    return tuple(dict.fromkeys(overlaps))


def parse_vary(text: str) -> tuple[str, tuple[Any, ...]]:
    """The setting and the values of `NAME=VALUE,VALUE`, such as `splitter=recursive,words`.

    Values that are lists themselves, or hold commas, stand in a JSON list of them, such as
    `separators=[[". ", ""], [" ", ""]]`.

    Raises:
        InputError: when it is no such list, or the setting is not known.
    """
    name, mark, values = text.partition("=")
    name = name.strip().replace("-", "_")
    listed = _listed(values)
    found = tuple(value.strip() for value in values.split(",")) if listed is None else listed
    if not mark or not all(found):
        raise InputError(
            f"vary: {text!r} is not NAME=VALUE,VALUE, such as splitter=recursive,words, or "
            'NAME=[VALUE, VALUE] in JSON, such as separators=[["\\n\\n", ""], ["\\n", ""]]'
        )
    section, key = _place(name)
    if listed is not None and (section, key) in _LISTS and not isinstance(found[0], list):
        found = (list(found),)
    distinct = {json.dumps(value): value for value in found}
    return name, tuple(distinct.values())


def _listed(values: str) -> tuple[Any, ...] | None:
    """The values of a JSON list; None where it is none."""
    try:
        made = json.loads(values)
    except (ValueError, RecursionError):
        return None
    return tuple(made) if isinstance(made, list) and made else None


def default_sizes(configuration: Configuration) -> tuple[int, ...]:
    """Half the configured size, the same, and double."""
    size = configuration.splitter.size
    return tuple(dict.fromkeys((max(1, size // 2), size, size * 2)))


def default_overlaps(configuration: Configuration) -> tuple[int | str, ...]:
    """No overlap, and the configured one."""
    return tuple(dict.fromkeys((0, configuration.splitter.overlap)))


def plan_sweep(
    configuration: Configuration,
    sizes: Sequence[int] | None = None,
    overlaps: Sequence[int | str] | None = None,
    vary: Mapping[str, Sequence[Any]] | None = None,
) -> SweepPlan:
    """Every combination of the values, the first setting of `vary` slowest, overlaps fastest.

    Args:
        configuration: what does not vary.
        sizes: None: half, the same and double.
        overlaps: None: 0 and the configured one.
        vary: values by the name of a setting's flag (`splitter`, `retriever`, `prefix`, …).

    Raises:
        InputError: when a setting is not known, or no combination can run.
    """
    sizes = default_sizes(configuration) if sizes is None else sizes
    overlaps = default_overlaps(configuration) if overlaps is None else overlaps
    varied = dict(vary or {})
    rows: dict[str, Configuration] = {}
    skipped: list[SkippedConfiguration] = []
    for values in product(*varied.values()):
        base = _with(configuration, dict(zip(varied, values, strict=True)))
        for size, overlap in product(sizes, overlaps):
            row = replace(base, splitter=replace(base.splitter, size=size, overlap=overlap))
            try:
                check_configuration(row)
                key = row.hash
            except InputError as error:
                skipped.append(SkippedConfiguration(row, str(error)))
                continue
            if key in rows:
                reason = f"overlap {overlap} of size {size} is already in the sweep"
                skipped.append(SkippedConfiguration(row, reason))
            else:
                rows[key] = row
    if not rows:
        reason = skipped[0].reason if skipped else "no sizes or no overlaps are given"
        raise InputError(f"sweep: nothing can run: {reason}")
    return SweepPlan(tuple(rows.values()), tuple(skipped))


def unused_settings(plan: SweepPlan, varied: Iterable[str]) -> list[str]:
    """What is said of varied settings that a row does not use, each sentence once.

    Args:
        plan: the rows.
        varied: names of flags.
    """
    names = frozenset(varied)
    said: dict[str, None] = {}
    for row in plan.rows:
        always = check_configuration(row)
        said |= dict.fromkeys(
            line for line in check_configuration(row, names) if line not in always
        )
    return list(said)


def _with(configuration: Configuration, values: Mapping[str, Any]) -> Configuration:
    """The configuration with the varied settings, checked as those of a file are."""
    mapping = configuration.to_mapping()
    for name, value in values.items():
        section, key = _place(name)
        mapping[section][key] = _typed(value)
    kind = mapping["splitter"]["kind"]
    # A unit that the splitter fixes stands in every label, whatever is asked for.
    asked = values.get("unit", configuration.splitter.unit)
    mapping["splitter"]["unit"] = get_splitter(kind).unit or asked
    # What the configuration itself names was allowed when it was made.
    own = (
        configuration.splitter.kind,
        configuration.splitter.embedder,
        configuration.retriever.kind,
    )
    made = configuration_from_mapping(mapping, "vary", flags=[*own, *map(str, values.values())])
    return replace(made, splitter=replace(made.splitter, overlap=configuration.splitter.overlap))


def _place(name: str) -> tuple[str, str]:
    if name not in _SECTION_OF or name == "kind":
        known = ", ".join(sorted(set(_SECTION_OF) - {"kind", "size", "overlap"}))
        raise InputError(f"vary: {name!r} is not a setting; give one of {known}")
    if name in {"size", "overlap"}:
        raise InputError(f"vary: give {name}s by --{name}s")
    return _SECTION_OF[name]


def _typed(value: object) -> object:
    """A value as a file would hold it: texts of numbers and truths become those."""
    if not isinstance(value, str):
        return value
    if value in _TRUTH:
        return _TRUTH[value]
    return int(value) if value.isdecimal() else value


def _parts(text: str, name: str, example: str) -> list[str]:
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise InputError(f"{name}: {text!r} holds an empty part; give {example}")
    return parts


def _values(part: str, name: str) -> list[int]:
    """One number, or every number of `LO..HI:STEP`, both ends counted."""
    try:
        if ".." not in part:
            return [int(part)]
        bounds, _, step_text = part.partition(":")
        low_text, _, high_text = bounds.partition("..")
        low, high, step = int(low_text), int(high_text), int(step_text)
    except ValueError:
        raise InputError(
            f"{name}: {part!r} is neither a whole number nor a range LO..HI:STEP"
        ) from None
    if step < 1 or high < low:
        raise InputError(f"{name}: {part!r} holds nothing; give LO..HI:STEP with LO up to HI")
    if (high - low) // step >= _MOST_VALUES:
        raise InputError(f"{name}: {part!r} holds more than {_MOST_VALUES} values; widen the step")
    return list(range(low, high + 1, step))


def _percentage(part: str) -> str:
    number = part.removesuffix("%").strip()
    try:
        value = Fraction(number)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if not part.endswith("%") or value < 0:
        raise InputError(f"overlaps: {part!r} is not a percentage; give 10%")
    return f"{number}%"
