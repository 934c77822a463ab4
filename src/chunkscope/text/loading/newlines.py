"""Line ends: named, and converted where a person asked for it."""

import re
from bisect import bisect_left
from dataclasses import replace

from chunkscope.text.origin import Origin, Part

_PAIR = re.compile("\r\n")


def newline_of(text: str) -> str:
    """The line ends that stand in `text`: `lf`, `crlf`, `cr`, `mixed` or `none`."""
    if "\r" not in text:
        return "lf" if "\n" in text else "none"
    pairs = text.count("\r\n")
    kinds = {
        "crlf": pairs,
        "lf": text.count("\n") - pairs,
        "cr": text.count("\r") - pairs,
    }
    present = [name for name, count in kinds.items() if count]
    return "mixed" if len(present) > 1 else present[0]


def with_lf(text: str, origin: Origin | None) -> tuple[str, Origin | None]:
    """`text` with each CRLF and each CR made an LF, and its origin moved along."""
    converted = text.replace("\r\n", "\n").replace("\r", "\n")
    if origin is None or len(converted) == len(text):
        return converted, origin
    pairs = [match.start() for match in _PAIR.finditer(text)]

    def moved(offset: int) -> int:
        return offset - bisect_left(pairs, offset)

    parts = tuple(Part(part.name, moved(part.start), moved(part.end)) for part in origin.parts)
    pieces = {moved(place): source for place, source in origin.pieces}
    headings = tuple(
        (level, title, moved(start), moved(end)) for level, title, start, end in origin.headings
    )
    for pair in pairs:
        # Behind a dropped CR the text is one step nearer to its source.
        source = origin.source_of(pair + 1)
        if source is not None:
            pieces[moved(pair + 1)] = source
    return converted, replace(
        origin, parts=parts, pieces=tuple(sorted(pieces.items())), headings=headings
    )
