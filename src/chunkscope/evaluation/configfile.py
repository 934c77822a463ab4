"""Configuration files: TOML in, TOML out, presets, and the check before anything runs."""

import math
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.retrieval import registry as retrievers
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting import registry as splitters
from chunkscope.splitting.parents import check_parent
from chunkscope.splitting.prefixes import check_enrich
from chunkscope.splitting.settings import (
    PREFIXES,
    Breakpoint,
    EnrichSettings,
    SplitterSettings,
    resolve_overlap,
)
from chunkscope.text.headings import compile_heading_pattern

PRESETS: Mapping[str, Configuration] = MappingProxyType(
    {
        "default": Configuration(),
        "cookbook": Configuration(
            splitter=SplitterSettings(
                separators=("\n\n", "\n", ".", " ", ""), keep_separator="start", dedupe=True
            )
        ),
    }
)
"""Named configurations: the defaults, and the settings of a common published recipe."""

_SECTIONS: Mapping[str, type] = MappingProxyType(
    {"splitter": SplitterSettings, "enrich": EnrichSettings, "retriever": RetrieverSettings}
)

_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "splitter.unit": ("tokens", "characters", "words", "sentences"),
        "splitter.keep_separator": ("end", "start", "none"),
        "splitter.breakpoint": get_args(Breakpoint),
        "enrich.prefix": PREFIXES,
        "retriever.query_terms": ("bag", "set"),
        "retriever.ties": ("earlier", "later"),
    }
)

_FAMILIES = frozenset(
    {"code", "chonkie", "llama-index", "langchain-markdown", "dense", "late", "openai"}
)
"""What may stand before the colon of a kind that is not `module:object`."""


def read_configuration(path: Path, *, flags: Collection[str] = ()) -> Configuration:
    """The configuration that a TOML file holds, defaults filled.

    Args:
        path: the file.
        flags: values given on the command line; a `module:object` kind of the file must be
            among them, so that no code runs because of a file alone.

    Raises:
        InputError: naming the file and the key that cannot be used, and what is allowed.
    """
    return configuration_from_mapping(_read_toml(path), str(path), flags=flags)


def read_given(path: Path) -> frozenset[str]:
    """Names of the settings that the file changes (a kind under its section's name).

    One that stands there at its default, as in a file with every setting, was not chosen.

    Raises:
        InputError: when the file cannot be read.
    """
    mapping = _read_toml(path)
    plain = Configuration().to_mapping()
    changed = {
        section: {
            key: value
            for key, value in values.items()
            if key in _ALWAYS_MEANT or value != plain.get(section, {}).get(key)
        }
        for section, values in mapping.items()
        if isinstance(values, Mapping)
    }
    return settings_given(changed)


_ALWAYS_MEANT = frozenset({"kind", "size", "overlap", "unit"})
"""Settings that are given to be used, whatever their value."""


def settings_given(mapping: Mapping[str, Any]) -> frozenset[str]:
    """Names of the settings that `mapping` holds, as flags name them."""
    return frozenset(
        section if key == "kind" else key
        for section, values in mapping.items()
        if isinstance(values, Mapping)
        for key in values
    )


def configuration_from_mapping(
    mapping: Mapping[str, Any], where: str, *, flags: Collection[str] = ()
) -> Configuration:
    """The configuration of nested sections, as a file or a report's `config` holds them.

    Args:
        mapping: sections by name, settings by name in each.
        where: what error messages call the source.
        flags: see `read_configuration`.

    Raises:
        InputError: for an unknown section or key, a wrong type or a value out of range.
    """
    made: dict[str, Any] = {}
    for section, values in mapping.items():
        if section not in _SECTIONS:
            known = ", ".join(f"[{name}]" for name in _SECTIONS)
            raise InputError(f"{where}: section [{section}] is not known; use {known}")
        if not isinstance(values, Mapping):
            raise InputError(f"{where}: {section} must be a section; write [{section}]")
        made[section] = _section(section, values, where, flags)
    return Configuration(**made)


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
        return tomllib.loads(text)
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise InputError(f"{path}: cannot be read ({reason}); check the path") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        # numbers of thousands of digits and endless nesting are no TOMLDecodeError
        raise InputError(f"{path}: not valid TOML: {error}") from None


def _section(
    section: str, values: Mapping[str, Any], where: str, flags: Collection[str]
) -> SplitterSettings | EnrichSettings | RetrieverSettings:
    names = [field.name for field in fields(_SECTIONS[section])]
    settings: dict[str, Any] = {}
    for key, value in values.items():
        if key not in names:
            raise InputError(
                f"{where}: [{section}] {key} is not known; allowed: {', '.join(names)}"
            )
        settings[key] = _value(section, key, value, where)
    kind = settings.get("kind")
    for name, flag, value in (
        ("kind", section, kind),
        ("embedder", "embedder", settings.get("embedder")),
        *(("fuse", "fuse", one) for one in settings.get("fuse", ())),
    ):
        if value is not None and is_code(value) and value not in flags:
            raise InputError(
                f"{where}: [{section}] {name} {value!r} would run code named by a file; "
                f"to allow it give --{flag} {value} as well"
            )
    if section == "splitter":
        _check_overlap(settings, where)
        if kind is not None and "unit" not in settings:
            unit = _fixed_unit(kind, where)
            if unit is not None:
                settings["unit"] = unit
    made: SplitterSettings | EnrichSettings | RetrieverSettings = _SECTIONS[section](**settings)
    return made


def is_code(kind: str) -> bool:
    """Whether a kind, or one of its stages, is `module:object`, which would run code."""
    families = [stage.partition(":") for stage in kind.split("+")]
    return any(colon and family not in _FAMILIES for family, colon, _ in families)


def _fixed_unit(kind: str, where: str) -> str | None:
    try:
        return splitters.get_splitter(kind).unit
    except InputError as error:
        raise InputError(f"{where}: [splitter] {error}") from None


def _check_overlap(settings: Mapping[str, Any], where: str) -> None:
    if "overlap" in settings:
        try:
            resolve_overlap(settings["overlap"], settings.get("size", SplitterSettings().size))
        except InputError as error:
            raise InputError(f"{where}: [splitter] {error}") from None


def _value(section: str, key: str, value: object, where: str) -> object:
    """One setting as the dataclass holds it."""
    name = f"{section}.{key}"
    convert = _CONVERTERS.get(name, _text)
    converted = convert(value)
    if converted is None:
        raise InputError(
            f"{where}: [{section}] {key} = {value!r} is not allowed; give {_allowed(name)}"
        )
    choices = _CHOICES.get(name)
    if choices is not None and converted not in choices:
        raise InputError(
            f"{where}: [{section}] {key} = {value!r} is not allowed; give {_allowed(name)}"
        )
    return converted


def _allowed(name: str) -> str:
    if name in _CHOICES:
        return " or ".join(f'"{choice}"' for choice in _CHOICES[name])
    return _ALLOWED.get(name, "text in quotes")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _positive(value: object) -> int | None:
    number = _whole(value)
    return number if number is not None and number >= 1 else None


def _not_negative(value: object) -> int | None:
    number = _whole(value)
    return number if number is not None and number >= 0 else None


def _truth(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _overlap(value: object) -> int | str | None:
    return _text(value) if isinstance(value, str) else _not_negative(value)


def _amount(value: object) -> float | str | None:
    if value == "default":
        return "default"
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number < math.inf else None


def _texts(value: object) -> tuple[str, ...] | None:
    if isinstance(value, list | tuple) and value and all(isinstance(item, str) for item in value):
        return tuple(value)
    return None


def _cut_offs(value: object) -> tuple[int, ...] | None:
    values = value if isinstance(value, list | tuple) else [value]
    numbers = tuple(number for number in map(_positive, values) if number is not None)
    return numbers if numbers and len(numbers) == len(values) else None


def _parent(value: object) -> str | None:
    if isinstance(value, str):
        return value if value in {"none", "section"} or value.isdecimal() else None
    number = _positive(value)
    return None if number is None else str(number)


_CONVERTERS: Mapping[str, Callable[[object], object]] = MappingProxyType(
    {
        "splitter.size": _positive,
        "splitter.overlap": _overlap,
        "splitter.separators": _texts,
        "splitter.breakpoint_amount": _amount,
        "splitter.buffer": _not_negative,
        "splitter.regex": _truth,
        "splitter.strip": _truth,
        "splitter.dedupe": _truth,
        "enrich.parent": _parent,
        "retriever.k": _cut_offs,
        "retriever.budget": _not_negative,
        "retriever.fuse": _texts,
        "retriever.fuse_constant": _not_negative,
        "retriever.rerank_depth": _positive,
    }
)

_ALLOWED: Mapping[str, str] = MappingProxyType(
    {
        "splitter.size": "a whole number of at least 1",
        "splitter.overlap": 'a whole number of at least 0, or a percentage such as "10%"',
        "splitter.separators": "a list of texts with at least one in it",
        "splitter.breakpoint_amount": 'a number from 0 up, or "default"',
        "splitter.buffer": "a whole number of at least 0",
        "splitter.regex": "true or false",
        "splitter.strip": "true or false",
        "splitter.dedupe": "true or false",
        "enrich.parent": '"none", "section" or a size',
        "retriever.k": "a list of whole numbers of at least 1, such as [5, 10]",
        "retriever.budget": "a whole number of tokens; 0 uses k",
        "retriever.fuse": 'a list of two retrievers, such as ["bm25", "static"]',
        "retriever.fuse_constant": "a whole number of at least 0",
        "retriever.rerank_depth": "a whole number of at least 1",
    }
)


def check_configuration(configuration: Configuration, given: Collection[str] = ()) -> list[str]:
    """Warnings for a configuration; nothing is split yet.

    Args:
        configuration: what is to run.
        given: settings that the user named, so that unused ones are warned about.

    Raises:
        InputError: when it cannot run; the message names the setting.
    """
    names = {field.name for field in fields(SplitterSettings)}
    warnings = splitters.check_settings(configuration.splitter, names.intersection(given))
    check_parent(configuration.enrich.parent, configuration.splitter)
    warnings += _check_enrich(configuration.enrich, given)
    warnings += retrievers.check_settings(configuration.retriever, given)
    kinds = retrievers.parts_of(configuration.retriever)
    if configuration.enrich.prefix != "none" and any(map(retrievers.is_late, kinds)):
        warnings.append("prefix: not used by retriever 'late', which pools the chunk's own text")
    return warnings


def _check_enrich(enrich: EnrichSettings, given: Collection[str]) -> list[str]:
    warnings = []
    compile_heading_pattern(enrich.heading_pattern)
    check_enrich(enrich)
    paths = "headings" in enrich.prefix.split("+") or enrich.parent == "section"
    if "heading_pattern" in given and not paths:
        warnings.append("heading_pattern is not used: prefix is not headings, parent no section")
    return warnings


def to_toml(configuration: Configuration) -> str:
    """The configuration as a file; read back it is equal.

    Raises:
        InputError: when a text holds a lone surrogate, which TOML cannot carry.
    """
    lines: list[str] = []
    for section in _SECTIONS:
        settings = getattr(configuration, section)
        lines.append(f"[{section}]")
        for field in fields(settings):
            name = f"{section}.{field.name}"
            lines.append(f"{field.name} = {_toml(getattr(settings, field.name), name)}")
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def _toml(value: object, name: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return '"' + "".join(_toml_character(character, name) for character in value) + '"'
    assert isinstance(value, tuple)
    return "[" + ", ".join(_toml(item, name) for item in value) + "]"


_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\f": "\\f", '"': '\\"', "\\": "\\\\"}


def _toml_character(character: str, name: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    number = ord(character)
    if 0xD800 <= number <= 0xDFFF:
        raise InputError(f"{name}: holds a lone surrogate, which TOML cannot carry; use JSON")
    if character.isprintable():
        return character
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
