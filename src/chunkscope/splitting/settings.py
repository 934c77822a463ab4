"""What a splitter is asked to do: frozen, hashable, named as in files and flags."""

import math
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from chunkscope.errors import InputError

Unit = Literal["tokens", "characters", "words", "sentences"]
KeepSeparator = Literal["end", "start", "none"]
Breakpoint = Literal["percentile", "standard_deviation", "interquartile", "gradient", "cluster"]

# Short enough that no number in a file can keep the machine busy.
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_PERCENTAGE = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?\s*%")

PREFIXES = ("none", "title", "headings", "table", "definition",
            "title+table", "headings+table", "title+definition", "headings+definition",
            "table+definition", "title+table+definition", "headings+table+definition")  # fmt: skip
"""What may be put before a chunk; its parts in this order."""

DEFAULT_SEPARATORS = ("\n\n", "\n", ". ", " ", "")


def resolve_overlap(overlap: int | str, size: int) -> int:
    """Overlap in the unit of `size`; a percentage is of `size`, rounded down.

    Raises:
        InputError: when it is neither a whole number nor a percentage.
    """
    if isinstance(overlap, int) and not isinstance(overlap, bool):
        return overlap
    if isinstance(overlap, str):
        text = overlap.strip()
        if _NUMBER.fullmatch(text):
            return int(text)
        if _PERCENTAGE.fullmatch(text):
            return _percentage_of(text[:-1].rstrip(), size)
    raise InputError(
        f"overlap: {overlap!r} is neither a whole number nor a percentage; give 25 or 10%"
    )


@lru_cache(maxsize=256)
def _percentage_of(percentage: str, size: int) -> int:
    # Asked for with every document.
    return math.floor(Fraction(percentage) * size / 100)


@dataclass(frozen=True, slots=True)
class SplitterSettings:
    """Settings of one splitter (section `[splitter]` of a configuration file).

    Attributes:
        kind: name in the registry: recursive, character, token, words, …
        size: largest chunk, in `unit`.
        overlap: a number in `unit`, or a percentage of `size` as text (`"10%"`).
        unit: what `size` and `overlap` count; `words` and `token` splitters fix their own.
        encoding: name of the token vocabulary.
        separators: tried in order; `character` uses the first.
        keep_separator: side of the cut a separator stays on, or `none`: it is dropped.
        regex: separators are regular expressions, not literal text.
        strip: white space at a chunk's ends is dropped.
        dedupe: chunks whose text already stands in an earlier chunk are dropped.
        breakpoint: how `semantic` finds where the subject changes.
        breakpoint_amount: the percentile or factor of it; `default`: as published.
        buffer: sentences on either side that `semantic` embeds a sentence with.
        embedder: what `semantic` embeds by: `static`, or `module:object`.
    """

    kind: str = "recursive"
    size: int = 256
    overlap: int | str = "10%"
    unit: Unit = "tokens"
    encoding: str = "cl100k_base"
    separators: tuple[str, ...] = DEFAULT_SEPARATORS
    keep_separator: KeepSeparator = "end"
    regex: bool = False
    strip: bool = True
    dedupe: bool = False
    breakpoint: Breakpoint = "percentile"
    breakpoint_amount: float | str = "default"
    buffer: int = 1
    embedder: str = "static"

    @property
    def overlap_size(self) -> int:
        """The requested overlap in `unit`, percentage resolved."""
        return resolve_overlap(self.overlap, self.size)


def second_stage(settings: SplitterSettings) -> SplitterSettings:
    """The settings of what cuts the sections of `FIRST+SECOND`; of one stage, themselves."""
    _, plus, second = settings.kind.partition("+")
    return replace(settings, kind=second) if plus else settings


@dataclass(frozen=True, slots=True)
class EnrichSettings:
    """What is added to a chunk before it is indexed (section `[enrich]`).

    Attributes:
        prefix: `none`, or `title` or `headings` (the path of section titles, title first) and
            `table` (its header row) and `definition` (what encloses code), joined by plus signs.
        heading_pattern: a regular expression for headings of plain text; empty: none there.
        parent: `none`, `section`, or a size as text: match on chunks, return their parent.
    """

    prefix: str = "none"
    heading_pattern: str = ""
    parent: str = "none"
