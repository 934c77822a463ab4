"""Why a boundary stands where it does, in words."""

from bisect import bisect_right
from functools import lru_cache

from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.code import as_recursive
from chunkscope.splitting.registry import effective_unit
from chunkscope.splitting.separators import Separator, compile_separators
from chunkscope.splitting.settings import SplitterSettings, second_stage
from chunkscope.splitting.staged import first_stage
from chunkscope.splitting.units import length_function
from chunkscope.text.display import visible_separator

_CONTEXT = 200
"""Characters around a boundary in which a pattern is looked for."""

_UNIT_NAMES = {"tokens": "token", "characters": "character", "words": "word"}


_SECTIONS_SOUGHT = 300_000
"""Characters of a text beyond which its sections are not sought for the sake of one sentence."""

_SECTION_ENDS = "a section ends here"
_BLOCK_ENDS = "a block ends here, or a part of one that alone is too long"
_LONG_ENDS = f"{_SECTION_ENDS}, or a block of one that is too long"
_ENDS = {
    "sentence": "a sentence ends here, or a part of one that alone is too long",
    "markdown": _BLOCK_ENDS,
    "html": _BLOCK_ENDS,
    "semantic": "the subject changes here by the embedder, or the size is reached",
}


def boundary_reason(text: str, cuts: Cuts, index: int, settings: SplitterSettings) -> str:
    """What made the boundary before chunk `index`, and what became of the requested overlap.

    Args:
        text: the document's text.
        cuts: its chunks under `settings`.
        index: a chunk; the first has no boundary before it.
        settings: what the chunks were made with.
    """
    if index == 0:
        return "the document begins here"
    if _ends_section(text, cuts, index, settings):
        return f"{_SECTION_ENDS}; {_overlap(cuts, index)}"
    settings = second_stage(settings)
    if settings.kind.startswith("code:"):
        settings = as_recursive(settings)
    if settings.kind not in ("recursive", "character"):
        ended = _end_of(settings)
        if ended == _BLOCK_ENDS and len(text) > _SECTIONS_SOUGHT:
            ended = _LONG_ENDS
        return f"{ended}; {_overlap(cuts, index)}"
    number, separator = _separator_at(text, cuts, index, settings)
    if separator is None:
        reason = "no separator ends here: cut between two characters"
    else:
        of = len(settings.separators) if settings.kind == "recursive" else 1
        shown = visible_separator(separator.text)
        side = {"end": "after", "start": "before", "none": "at"}[settings.keep_separator]
        reason = f"cut {side} {shown}, separator {number} of {of}"
    requested = settings.overlap_size
    if requested == 0:
        return reason
    unit = _UNIT_NAMES[effective_unit(settings)]
    asked = f"{_counted(requested, unit)} of overlap asked"
    if _shared(cuts, index):
        return f"{reason}; {asked}, {_overlap(cuts, index)}"
    cause = _why_none(text, cuts, index, settings, separator)
    return f"{reason}; {asked}, none came: {cause}"


def _end_of(settings: SplitterSettings) -> str:
    """What a chunk ends with under a splitter that looks for no separators."""
    if settings.kind in ("words", "token", "sentence-transformers"):
        unit = "word" if settings.kind == "words" else "token"
        return f"a window of {_counted(settings.size, unit)} ends here"
    if settings.unit == "sentences":
        return f"a window of {_counted(settings.size, 'sentence')} ends here"
    return _ENDS.get(settings.kind, f"splitter {settings.kind!r} cut here")


def _ends_section(text: str, cuts: Cuts, index: int, settings: SplitterSettings) -> bool:
    """Whether chunk `index` begins a section of the first stage."""
    if settings.kind.startswith("langchain-markdown") and "+" not in settings.kind:
        return True
    if "+" not in settings.kind and settings.kind not in ("markdown", "html"):
        return False
    if len(text) > _SECTIONS_SOUGHT:
        return False
    start = int(cuts.starts[index])
    starts = _section_starts(text, settings.kind)
    number = bisect_right(starts, start) - 1
    if number < 0 or starts[number] <= int(cuts.starts[index - 1]):
        return False
    return not text[starts[number] : start].strip()


@lru_cache(maxsize=8)
def _section_starts(text: str, kind: str) -> tuple[int, ...]:
    """Where the sections of a text begin; remembered, because one place after another is asked."""
    sections = first_stage(text, SplitterSettings(kind=kind)) or ()
    return tuple(spans[0].start for spans in sections)


def _separator_at(
    text: str, cuts: Cuts, index: int, settings: SplitterSettings
) -> tuple[int, Separator | None]:
    """The first separator that stands at the boundary, and its number from 1."""
    zone = _zone(text, cuts, index, settings)
    of_kind = settings.separators if settings.kind == "recursive" else settings.separators[:1]
    separators = compile_separators(of_kind, regex=settings.regex, keep=settings.keep_separator)
    for number, separator in enumerate(separators, start=1):
        if not separator.text:
            break
        if _stands_between(text, separator, zone, settings.keep_separator):
            return number, separator
    return 0, None


def _zone(text: str, cuts: Cuts, index: int, settings: SplitterSettings) -> tuple[int, int]:
    """First and last place at which the text may have been cut: within white space dropped."""
    end = limit = int(cuts.ends[index - 1])
    if settings.strip:
        while limit < len(text) and text[limit].isspace():
            limit += 1
    return end, limit


def _stands_between(text: str, separator: Separator, zone: tuple[int, int], keep: str) -> bool:
    """Whether an occurrence ends (a kept one at its piece's end) or begins within the zone."""
    end, limit = zone
    if separator.pattern is None:
        reach = len(separator.text)
        first = max(0, end - reach) if keep == "end" else end
        last = limit if keep == "end" else limit + reach
        return text.find(separator.text, first, last) >= 0
    first = max(0, end - _CONTEXT)
    for match in separator.pattern.finditer(text[first : limit + _CONTEXT]):
        place = first + (match.end() if keep == "end" else match.start())
        if end <= place <= limit:
            return True
    return False


def _why_none(
    text: str, cuts: Cuts, index: int, settings: SplitterSettings, separator: Separator | None
) -> str:
    unit = effective_unit(settings)
    piece = _last_piece(text, cuts, index, settings, separator)
    length = length_function(unit, settings.encoding)([piece])[0]
    if length > settings.overlap_size:
        return (
            f"the piece before the boundary, {_counted(length, _UNIT_NAMES[unit])}, is longer than "
            "that, and only whole pieces are repeated"
        )
    return "the next piece leaves no room, or was split further: no overlap reaches across that"


def _last_piece(
    text: str, cuts: Cuts, index: int, settings: SplitterSettings, separator: Separator | None
) -> str:
    """The piece that ends at the boundary, with the separator it keeps."""
    start = int(cuts.starts[index - 1])
    end, limit = _zone(text, cuts, index, settings)
    if separator is None:
        return text[end - 1 : end]
    starts: list[int] = []
    ends: list[int] = []
    count = separator.parts(text[start:end], starts, ends)
    last = count - 1
    while last > 0 and starts[last] == ends[last]:
        last -= 1
    first = start + starts[last]
    if settings.keep_separator == "start" and last > 0:
        first = start + ends[last - 1]
    if settings.keep_separator == "end" and separator.pattern is None:
        end = min(limit, end + len(separator.text))
    return text[first:end]


def _overlap(cuts: Cuts, index: int) -> str:
    shared = _shared(cuts, index)
    return f"{_counted(shared, 'character')} repeated" if shared else "nothing repeated"


def _shared(cuts: Cuts, index: int) -> int:
    return max(0, int(cuts.ends[index - 1]) - int(cuts.starts[index]))


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"
