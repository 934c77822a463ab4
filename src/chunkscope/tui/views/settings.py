"""Settings as a person reads and types them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

from chunkscope.errors import ChunkscopeError, InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import PREFIXES, Breakpoint, resolve_overlap
from chunkscope.tui.views.separators import parse_separators, separators_text


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of the panel: where it stands, its label, and its choices if it has any."""

    section: str
    name: str
    label: str
    choices: tuple[str, ...] = ()


SETTINGS: tuple[Setting, ...] = (
    Setting("splitter", "kind", "splitter", ("kinds",)),
    Setting("splitter", "size", "size"),
    Setting("splitter", "overlap", "overlap"),
    Setting("splitter", "unit", "unit", ("tokens", "characters", "words", "sentences")),
    Setting("splitter", "encoding", "encoding"),
    Setting("splitter", "separators", "separators"),
    Setting("splitter", "keep_separator", "keep", ("end", "start", "none")),
    Setting("retriever", "kind", "retriever", ("kinds",)),
    Setting("retriever", "fuse", "fuse"),
    Setting("retriever", "fuse_constant", "constant"),
    Setting("retriever", "k", "k"),
    Setting("enrich", "prefix", "prefix", PREFIXES),
    Setting("enrich", "parent", "parent"),
    Setting("enrich", "heading_pattern", "headings"),
    Setting("splitter", "regex", "regex", ("no", "yes")),
    Setting("splitter", "strip", "strip", ("yes", "no")),
    Setting("splitter", "dedupe", "dedupe", ("no", "yes")),
    Setting("retriever", "budget", "budget"),
    Setting("retriever", "words", "words"),
    Setting("retriever", "query_terms", "query terms", ("bag", "set")),
    Setting("retriever", "ties", "ties", ("earlier", "later")),
    Setting("retriever", "stem", "stem"),
    Setting("retriever", "stop_words", "stop words"),
    Setting("retriever", "rerank", "rerank"),
    Setting("retriever", "rerank_depth", "depth"),
    Setting("retriever", "base_url", "base url"),
    Setting("splitter", "breakpoint", "breakpoint", get_args(Breakpoint)),
    Setting("splitter", "breakpoint_amount", "amount"),
    Setting("splitter", "buffer", "buffer"),
    Setting("splitter", "embedder", "embedder"),
)

_SEMANTIC = frozenset({"breakpoint", "breakpoint_amount", "buffer", "embedder"})


def choices(setting: Setting, kind: str = "") -> tuple[str, ...]:
    """What a setting can be chosen from with this kind of splitter; empty where it is typed."""
    if setting.name == "unit" and kind.rpartition("+")[2] != "sentence":
        return tuple(unit for unit in setting.choices if unit != "sentences")
    if setting.choices != ("kinds",):
        return setting.choices
    if setting.section == "splitter":
        from chunkscope.splitting.registry import splitter_kinds

        return splitter_kinds()
    from chunkscope.retrieval.registry import retriever_kinds

    return retriever_kinds()


def setting_text(configuration: Configuration, setting: Setting) -> str:
    """A setting's value as shown and typed."""
    value = getattr(getattr(configuration, setting.section), setting.name)
    if setting.name == "separators":
        return separators_text(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value)
    return str(value)


def parse_setting(configuration: Configuration, setting: Setting, text: str) -> object:
    """The value that `text` means.

    Raises:
        InputError: the reason, for the line beside the field.
    """
    if set(setting.choices) == {"no", "yes"}:
        return text == "yes"
    read: Callable[[], object] | None = {
        "separators": lambda: parse_separators(text),
        "size": lambda: _size(text.strip(), configuration),
        "overlap": lambda: _overlap(text.strip(), configuration.splitter.size),
        "k": lambda: _cut_offs(text),
        "budget": lambda: _whole("budget", text.strip(), least=0),
        "fuse": lambda: _fused(text),
        "fuse_constant": lambda: _whole("constant", text.strip(), least=0),
        "rerank_depth": lambda: _whole("depth", text.strip(), least=1),
        "buffer": lambda: _whole("buffer", text.strip(), least=0),
        "breakpoint_amount": lambda: _amount(text.strip()),
        "heading_pattern": text.strip,
    }.get(setting.name)
    if read is not None:
        return read()
    if not text.strip():
        raise InputError(f"{setting.label}: is empty")
    return text.strip()


def _whole(name: str, text: str, *, least: int) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) < least:
        raise InputError(f"{name}: {text or 'nothing'} is not a whole number from {least} up")
    return int(text)


def _size(text: str, configuration: Configuration) -> int:
    size = _whole("size", text, least=1)
    overlap = resolve_overlap(configuration.splitter.overlap, size)
    if overlap >= size:
        raise InputError(f"size: {size} must be over the overlap {overlap}")
    return size


def _overlap(text: str, size: int) -> int | str:
    number = text.removesuffix("%").strip()
    if not (number.isascii() and number.isdigit()) and not (
        text.endswith("%") and _is_share(number)
    ):
        shown = text or "nothing"
        raise InputError(f"overlap: {shown} is neither a number nor a share, such as 25 or 10%")
    overlap: int | str = text if text.endswith("%") else int(text)
    resolved = resolve_overlap(overlap, size)
    if resolved >= size:
        raise InputError(f"overlap: {resolved} must be under the size {size}")
    return overlap


def _amount(text: str) -> float | str:
    if text == "default":
        return text
    if not _is_share(text):
        raise InputError(
            f"amount: {text or 'nothing'} is no number from 0 up; give one, or default"
        )
    return float(text)


def _is_share(number: str) -> bool:
    whole, dot, rest = number.partition(".")
    parts = (whole, rest) if dot else (whole,)
    return all(part.isascii() and part.isdigit() for part in parts)


def _cut_offs(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not any(parts):
        raise InputError("k: give one or more numbers, such as 5, 10")
    # A comma at the end is the next number not typed yet.
    values = tuple(_whole("k", part, least=1) for part in (parts if parts[-1] else parts[:-1]))
    for value in values:
        if values.count(value) > 1:
            raise InputError(f"k: {value} stands there twice")
    return values


def _fused(text: str) -> tuple[str, ...]:
    kinds = tuple(part.strip() for part in text.split(",") if part.strip())
    if len(set(kinds)) < 2:
        raise InputError("fuse: give two retrievers, such as bm25, static")
    return kinds


def _used_by_retriever(settings: RetrieverSettings, name: str) -> bool:
    """Whether a setting of the retriever changes anything."""
    from chunkscope.retrieval.registry import is_billed, is_lexical, parts_of

    kinds = parts_of(settings)
    if name in {"query_terms", "stem", "stop_words"}:
        return any(map(is_lexical, kinds))
    if name in {"fuse", "fuse_constant"}:
        return settings.kind == "hybrid"
    if name == "rerank_depth":
        return settings.rerank != "none"
    if name == "base_url":
        return is_billed(settings)
    return True


def used(configuration: Configuration, setting: Setting) -> bool:
    """Whether the setting changes anything under this configuration."""
    if setting.name == "heading_pattern":
        return "headings" in configuration.enrich.prefix.split("+") or bool(
            configuration.enrich.heading_pattern
        )
    if setting.section == "retriever":
        return _used_by_retriever(configuration.retriever, setting.name)
    return setting.section == "enrich" or _used_by_splitter(configuration, setting)


def _used_by_splitter(configuration: Configuration, setting: Setting) -> bool:
    if setting.name == "kind":
        return True
    kind = configuration.splitter.kind
    if ":" in kind and not kind.startswith("code:"):
        # Foreign code is not read for the sake of a form.
        return setting.name not in _SEMANTIC
    from chunkscope.splitting.registry import get_splitter

    try:
        splitter = get_splitter(kind)
    except ChunkscopeError:
        return True
    if setting.name == "unit" and splitter.unit is not None:
        return False
    return setting.name in splitter.uses
