"""The configuration that file, preset and flags make together."""

import argparse
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from chunkscope.cli.flags import CONFIG_NAME
from chunkscope.cli.separators import parse_separators
from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import (
    PRESETS,
    check_configuration,
    read_configuration,
    read_given,
)
from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.registry import effective_unit, get_splitter
from chunkscope.text.display import visible_separator
from chunkscope.text.hf_tokens import pinned_encoding

_SPLITTER = ("size", "overlap", "unit", "encoding", "separators", "keep_separator", "regex",
             "strip", "dedupe", "breakpoint", "breakpoint_amount", "buffer",
             "embedder")  # fmt: skip
_ENRICH = ("prefix", "heading_pattern", "parent")
_RETRIEVER = ("k", "budget", "words", "query_terms", "ties", "stem", "stop_words", "fuse",
              "fuse_constant", "rerank", "rerank_depth", "base_url")  # fmt: skip


def given_settings(arguments: argparse.Namespace) -> frozenset[str]:
    """Names of the settings that stand as flags."""
    names = ("splitter", *_SPLITTER, *_ENRICH, "retriever", *_RETRIEVER)
    return frozenset(name for name in names if getattr(arguments, name, None) is not None)


def named_code(arguments: argparse.Namespace) -> frozenset[str]:
    """Kinds named as flags: a file that names the same may run their code."""
    named = (arguments.splitter, arguments.retriever, arguments.embedder, *(arguments.fuse or ()))
    return frozenset(value for value in named if value is not None)


def build_configuration(arguments: argparse.Namespace) -> tuple[Configuration, list[str]]:
    """The configuration from file or preset with the flags applied, and lines to show.

    Raises:
        InputError: for a bad file, preset or flag.
    """
    base, notes, given = _base_configuration(arguments)
    configuration = apply_flags(base, arguments)
    if arguments.separators is not None:
        notes.append(_echo_separators(configuration.splitter.separators))
    flags = given_settings(arguments)
    notes.extend(f"warning: {line}" for line in check_configuration(configuration, flags | given))
    return with_effective_unit(configuration), notes


def with_effective_unit(configuration: Configuration) -> Configuration:
    """The configuration under the unit that its splitter really counts, as labels must say.

    A tokenizer file is named with its hash from here on.
    """
    changes: dict[str, Any] = {
        "unit": effective_unit(configuration.splitter),
        "encoding": pinned_encoding(configuration.splitter.encoding),
    }
    return replace(configuration, splitter=replace(configuration.splitter, **changes))


def apply_flags(base: Configuration, arguments: argparse.Namespace) -> Configuration:
    """`base` with every given flag in place of its setting."""
    changes: dict[str, dict[str, Any]] = {}
    for section, names in (("splitter", _SPLITTER), ("enrich", _ENRICH), ("retriever", _RETRIEVER)):
        values = {name: getattr(arguments, name, None) for name in names}
        changes[section] = {name: value for name, value in values.items() if value is not None}
    if arguments.separators is not None:
        changes["splitter"]["separators"] = parse_separators(arguments.separators)
    if arguments.splitter is not None:
        changes["splitter"]["kind"] = arguments.splitter
        changes["splitter"] |= _fixed_unit(arguments)
    if arguments.retriever is not None:
        changes["retriever"]["kind"] = arguments.retriever
    return replace(
        base,
        splitter=replace(base.splitter, **changes["splitter"]),
        enrich=replace(base.enrich, **changes["enrich"]),
        retriever=replace(base.retriever, **changes["retriever"]),
    )


def _fixed_unit(arguments: argparse.Namespace) -> dict[str, Any]:
    """The unit that the named splitter fixes, unless another is given and to be warned about."""
    unit = get_splitter(arguments.splitter).unit
    return {} if unit is None or arguments.unit is not None else {"unit": unit}


def _base_configuration(
    arguments: argparse.Namespace,
) -> tuple[Configuration, list[str], frozenset[str]]:
    from chunkscope.evaluation.configuration import Configuration

    if arguments.preset is not None:
        if arguments.config is not None:
            raise InputError("--preset and --config: give one of them")
        if arguments.preset not in PRESETS:
            known = ", ".join(PRESETS)
            raise InputError(f"--preset: {arguments.preset!r} is not known; choose from {known}")
        return PRESETS[arguments.preset], [], frozenset()
    path = arguments.config
    notes = []
    if path is None and Path(CONFIG_NAME).is_file():
        path = Path(CONFIG_NAME)
        notes.append(f"configuration: ./{CONFIG_NAME}")
    if path is None:
        return Configuration(), [], frozenset()
    return read_configuration(path, flags=named_code(arguments)), notes, read_given(path)


def _echo_separators(separators: Collection[str]) -> str:
    shown = "  ".join(visible_separator(separator) for separator in separators)
    return f"separators: {shown}"
