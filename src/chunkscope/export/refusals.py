"""Why a target cannot cut as a configuration does, in one line."""

from collections.abc import Mapping
from types import MappingProxyType

from chunkscope.errors import InputError
from chunkscope.text.display import visible

_INSTEAD = "export to toml or json"

# What makes a kind chunkscope's own.
_OWN: Mapping[str, str] = MappingProxyType(
    {
        "sentence": "its sentences are those that sentencex finds, grouped by chunkscope",
        "markdown": "chunkscope keeps headings, fences and tables whole; langchain-markdown is "
        "LangChain's way",
        "html": "chunkscope cuts the source at its headings and moves no text",
        "sentence-transformers": "LangChain's splitter of that name loads the model itself",
        "chonkie": "it is a chunker of chonkie's, for --to chonkie",
        "llama-index": "it is a parser of LlamaIndex's, for --to llama-index",
        "semantic": "its boundaries come from an embedding",
    }
)


def refused(target: str, reason: str, *, instead: str = _INSTEAD) -> InputError:
    """The error for a configuration that a target cannot express."""
    return InputError(f"target: {target} {reason}; {instead}")


def no_such_splitter(target: str, kind: str) -> InputError:
    """The error for a kind of splitter that a target has no code for."""
    if any(":" in stage and not stage.startswith(_KNOWN) for stage in kind.split("+")):
        return refused(
            target,
            f"has no splitter that cuts as {visible(kind)!r} does: it is code of its own",
            instead=f"use it as it is, or {_INSTEAD}",
        )
    own = next((_OWN[name] for stage in kind.split("+") if (name := _family(stage)) in _OWN), "")
    reason = f"has no splitter that cuts as {visible(kind)!r} does"
    return refused(target, f"{reason}: {own}" if own else reason)


def other_encoding(target: str, encoding: str) -> InputError:
    """The error for windows of tokens that are not those of tiktoken."""
    return refused(
        target,
        f"has no splitter that makes windows of the tokens of {visible(encoding)!r}: its own are "
        "tiktoken's",
        instead=f"choose another splitter or encoding, or {_INSTEAD}",
    )


def no_parents(target: str, parent: str) -> InputError:
    """The error for chunks that are cut inside their parents."""
    return refused(target, f"does not cut chunks inside their parents (parent {parent!r})")


_KNOWN = ("chonkie:", "code:", "langchain-markdown:", "llama-index:")


def _family(stage: str) -> str:
    return stage.partition(":")[0]
