"""The targets a configuration can be exported to: one function of one file each."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import check_configuration
from chunkscope.evaluation.configuration import Configuration
from chunkscope.export import json as json_target
from chunkscope.export import langchain, toml

Target = Callable[[Configuration, str], str]
"""From a configuration and a note (which may be empty) to the text of a file."""

_TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        "langchain": langchain.export,
        "toml": toml.export,
        "json": json_target.export,
    }
)

CODE_TARGETS = frozenset({"langchain"})
"""Targets that give Python code which defines `split(text) -> list[str]`."""


def target_names() -> tuple[str, ...]:
    """The names `export` takes."""
    return tuple(_TARGETS)


def export(configuration: Configuration, target: str, *, note: str = "") -> str:
    """The configuration as the text of a file: code, or a configuration file.

    Args:
        configuration: what to export.
        target: one of `target_names`.
        note: what a reader of the file must know, such as "chosen on 1 question".

    Raises:
        InputError: for a target that is not known or cannot express the configuration, or a
            configuration that cannot run.
    """
    make = _TARGETS.get(target)
    if make is None:
        raise InputError(f"target: {target!r} is not known; give one of {', '.join(_TARGETS)}")
    check_configuration(configuration)
    return make(configuration, note)
