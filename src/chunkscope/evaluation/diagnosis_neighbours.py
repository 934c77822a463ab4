"""The settings near a configuration, one change at a time and two."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import check_configuration
from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.document import Corpus

_SIZES = (0.25, 0.5, 0.75, 1.25, 1.5, 2.0, 3.0, 4.0)
_OVERLAPS: tuple[int | str, ...] = (0, "10%", "20%", "30%", "50%")
_PARENT_FACTORS = (2, 4)
_PAIRED_OVERLAPS: tuple[int | str, ...] = (0, "20%")
_SENTENCE_ENDS = (". ", "? ", "! ")
_CJK_SENTENCE_ENDS = ("。", "？", "！")
_CRLF = ("\r\n\r\n", "\r\n")


@dataclass(frozen=True, slots=True)
class Untried:
    """A setting that was left out, and why."""

    setting: str
    value: Any
    reason: str


@dataclass(frozen=True)
class Neighbours:
    """Configurations near one.

    Attributes:
        single: each with one setting changed.
        pairs: each with two: a size with an overlap, or with a prefix.
        untried: what was left out.
    """

    single: tuple[Configuration, ...]
    pairs: tuple[Configuration, ...]
    untried: tuple[Untried, ...]


def neighbours(configuration: Configuration, corpus: Corpus) -> Neighbours:
    """The configurations to try; those that come to the same are tried once.

    Sizes from a quarter to four times, overlaps from none to half, the other side for the
    separator, sentence ends among the separators, no duplicates, prefixes, and parents. Cut-offs
    are not among them: they need no other chunks.
    """
    splitter = configuration.splitter
    uses = get_splitter(splitter.kind).uses
    untried: list[Untried] = []
    sizes = [_with(configuration, size=size) for size in _sizes(splitter.size)]
    overlaps = [_with(configuration, overlap=overlap) for overlap in _OVERLAPS]
    if "overlap" not in uses:
        untried.append(Untried("overlap", None, f"splitter {splitter.kind!r} has none"))
        overlaps = []
    others: list[Configuration] = []
    if "keep_separator" in uses:
        others += [_with(configuration, keep_separator=side) for side in ("end", "start")]
    if splitter.kind == "recursive":
        finer = _with_sentence_ends(splitter, corpus)
        if finer is None:
            reason = "they are regular expressions, which are not guessed at"
            untried.append(Untried("separators", list(splitter.separators), reason))
        else:
            others.append(_with(configuration, separators=finer))
    others.append(_with(configuration, dedupe=True))
    prefixes = [_with_prefix(configuration, prefix) for prefix in ("title", "headings")]
    parents = [_with_parent(configuration, parent) for parent in _parents(splitter)]
    single = _valid(configuration, [*sizes, *overlaps, *others, *prefixes, *parents], untried)
    paired = [_with(sized, overlap=overlap) for sized in sizes for overlap in _PAIRED_OVERLAPS]
    paired = paired if "overlap" in uses else []
    paired += [_with_prefix(sized, "headings") for sized in sizes]
    known = {same.hash for same in (configuration, *single)}
    pairs = [pair for pair in _valid(configuration, paired, None) if pair.hash not in known]
    return Neighbours(tuple(single), tuple(pairs), tuple(untried))


def _sizes(size: int) -> list[int]:
    found = {max(1, round(size * factor)) for factor in _SIZES} | {size + 1}
    # One more is a step of its own only where units are few: sentences, short windows.
    return sorted(value for value in found if value != size and (value != size + 1 or size < 8))


def _parents(splitter: SplitterSettings) -> list[str]:
    """Sections, and sizes that hold a few chunks."""
    sized = "size" in get_splitter(splitter.kind).uses
    return ["section", *(str(splitter.size * factor) for factor in _PARENT_FACTORS if sized)]


def _with_sentence_ends(splitter: SplitterSettings, corpus: Corpus) -> tuple[str, ...] | None:
    """The separators with blank lines and sentence ends among them; None for patterns."""
    if splitter.regex:
        return None
    wanted = [*_SENTENCE_ENDS]
    if any("。" in document.text for document in corpus.documents):
        wanted += _CJK_SENTENCE_ENDS
    front = ["\n\n", "\n"]
    if any("\r\n" in document.text for document in corpus.documents):
        front = [*_CRLF, *front]
    kept = list(splitter.separators)
    at = next((kept.index(fine) for fine in (" ", "") if fine in kept), len(kept))
    kept[at:at] = [separator for separator in wanted if separator not in kept]
    return (*(separator for separator in front if separator not in kept), *kept)


def _with(configuration: Configuration, **settings: Any) -> Configuration:
    return replace(configuration, splitter=replace(configuration.splitter, **settings))


def _with_prefix(configuration: Configuration, prefix: Any) -> Configuration:
    return replace(configuration, enrich=replace(configuration.enrich, prefix=prefix))


def _with_parent(configuration: Configuration, parent: str) -> Configuration:
    return replace(configuration, enrich=replace(configuration.enrich, parent=parent))


def _valid(
    configuration: Configuration,
    candidates: Iterable[Configuration],
    untried: list[Untried] | None,
) -> list[Configuration]:
    """Those that can work, each once and none the same as `configuration`."""
    found: list[Configuration] = []
    seen: set[str] = {configuration.hash}
    for candidate in candidates:
        try:
            check_configuration(candidate)
        except InputError as error:
            if untried is not None:
                untried.append(Untried("size", candidate.splitter.size, str(error)))
            continue
        if candidate.hash not in seen:
            seen.add(candidate.hash)
            found.append(candidate)
    return found
