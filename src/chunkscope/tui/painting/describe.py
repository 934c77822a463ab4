"""One line about one offset, for the status line."""

from chunkscope.tui.painting.bands import ChunkBands
from chunkscope.tui.painting.lane import name_of
from chunkscope.tui.painting.page import Page


def describe(page: Page, offset: int, *, line: bool = True, short: bool = False) -> str:
    """What stands at `offset`: line, chunk, its tokens, real overlap, what is odd about it.

    Args:
        page: the laid-out document.
        offset: a code point.
        line: begin with the line's number.
        short: in as few words as can be.
    """
    parts = [f"line {page.line_of(offset) + 1:,}"] if line else []
    for bands in (page.bands, page.other):
        if bands is not None:
            parts += chunk_parts(bands, offset, stale=page.layers.stale, short=short)
    if page.returned is not None:
        parts += [
            f"returned {name_of(mark)}" for mark in page.returned.touching(offset, offset + 1)
        ]
    state = page.evidence.state_in(offset, offset + 1)
    if state is not None:
        parts.append(f"evidence {state}")
    return " · ".join(parts)


def chunk_parts(bands: ChunkBands, offset: int, *, stale: bool, short: bool) -> list[str]:
    """What is known of the chunk at `offset`, a part each."""
    layer = bands.layer
    chunk = bands.chunk_at(offset)
    if chunk is None:
        return [f"{layer.variant}: in no chunk" if len(bands) else f"{layer.variant}: no chunks"]
    start, end = int(layer.starts[chunk]), int(layer.ends[chunk])
    named = f"{chunk}/{len(bands)}" if short else f": chunk {chunk} of {len(bands)}"
    parts = [f"{layer.variant}{' ' if short else ''}{named}"]
    if stale:
        parts.append("being cut anew")
    if layer.tokens is not None and not stale:
        count = int(layer.tokens[chunk])
        parts.append(f"{count:,} tok" if short else f"{count:,} token{'' if count == 1 else 's'}")
    parts.append(f"{end - start:,} ch" if short else f"{end - start:,} characters")
    if chunk > 0:
        shared = min(end, int(layer.ends[chunk - 1])) - max(start, int(layer.starts[chunk - 1]))
        parts.append(f"overlap {max(0, shared):,}")
    if chunk in layer.retrieved:
        parts.append(f"{'' if short else 'retrieved '}#{layer.retrieved[chunk]}")
    if chunk in layer.altered:
        parts.append("altered ~")
    if chunk in layer.oversize:
        parts.append("oversize !")
    return parts
