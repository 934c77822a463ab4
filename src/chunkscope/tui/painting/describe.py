"""One line about one offset, for the status line."""

from chunkscope.tui.painting.bands import ChunkBands
from chunkscope.tui.painting.page import Page


def describe(page: Page, offset: int) -> str:
    """What stands at `offset`: line, chunk, its tokens, real overlap, what is odd about it.

    Args:
        page: the laid-out document.
        offset: a code point.
    """
    parts = [f"line {page.line_of(offset) + 1:,}"]
    if page.bands is not None:
        parts += _chunk(page.bands, offset, stale=page.layers.stale)
    if page.other is not None:
        chunk = page.other.chunk_at(offset)
        variant = page.other.layer.variant
        parts.append(f"{variant}: no chunk" if chunk is None else f"{variant}: chunk {chunk}")
    state = page.evidence.state_in(offset, offset + 1)
    if state is not None:
        parts.append(f"evidence {state}")
    return " · ".join(parts)


def _chunk(bands: ChunkBands, offset: int, *, stale: bool) -> list[str]:
    layer = bands.layer
    chunk = bands.chunk_at(offset)
    if chunk is None:
        return ["in no chunk" if len(bands) else "no chunks"]
    start, end = int(layer.starts[chunk]), int(layer.ends[chunk])
    parts = [f"{layer.variant}: chunk {chunk} of {len(bands)}"]
    if stale:
        parts.append("being cut anew")
    if layer.tokens is not None and not stale:
        count = int(layer.tokens[chunk])
        parts.append(f"{count:,} token{'' if count == 1 else 's'}")
    parts.append(f"{end - start:,} characters")
    if chunk > 0:
        shared = min(end, int(layer.ends[chunk - 1])) - max(start, int(layer.starts[chunk - 1]))
        parts.append(f"overlap {max(0, shared):,}")
    if chunk in layer.retrieved:
        parts.append(f"retrieved #{layer.retrieved[chunk]}")
    if chunk in layer.altered:
        parts.append("altered ~")
    if chunk in layer.oversize:
        parts.append("oversize !")
    return parts
