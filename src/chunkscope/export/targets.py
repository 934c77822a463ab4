"""The targets a configuration can be exported to: one function of one file each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import check_configuration
from chunkscope.evaluation.configuration import Configuration
from chunkscope.export import autorag, chonkie, haystack, langchain, llama_index, toml
from chunkscope.export import json as json_target
from chunkscope.export.refusals import no_parents


@dataclass(frozen=True, slots=True)
class Target:
    """What a configuration can be exported to.

    Attributes:
        make: from a configuration and a note (which may be empty) to the text of a file.
        file: what the file is called, where no other name is given.
        code: from that text to Python code that defines `split(text) -> list[str]`, or None:
            the text is a configuration file of chunkscope.
        utf8: whether its documents must have a UTF-8 form: no half of a surrogate pair.
    """

    make: Callable[[Configuration, str], str]
    file: str
    code: Callable[[str], str] | None = None
    utf8: bool = False


def _itself(text: str) -> str:
    return text


_TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        "langchain": Target(langchain.export, "chunks.py", _itself),
        "llama-index": Target(llama_index.export, "chunks.py", _itself),
        "haystack": Target(haystack.export, "chunks.py", _itself, utf8=True),
        "chonkie": Target(chonkie.export, "chunks.py", _itself),
        "autorag": Target(autorag.export, "chunk.yaml", autorag.proof_code, utf8=True),
        "toml": Target(toml.export, "chunkscope.toml"),
        "json": Target(json_target.export, "chunkscope.json"),
    }
)


def target_names() -> tuple[str, ...]:
    """The names `export` takes."""
    return tuple(_TARGETS)


def get_target(name: str) -> Target:
    """What a name stands for.

    Raises:
        InputError: for one that is not known.
    """
    target = _TARGETS.get(name)
    if target is None:
        raise InputError(f"target: {name!r} is not known; give one of {', '.join(_TARGETS)}")
    return target


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
    found = get_target(target)
    check_configuration(configuration)
    if found.code is not None and configuration.enrich.parent != "none":
        raise no_parents(target, configuration.enrich.parent)
    return found.make(configuration, note)
