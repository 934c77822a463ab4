"""The running text around a piece of evidence, with the chunks and where they cut it."""

from itertools import pairwise

import numpy as np

from chunkscope.evaluation.results import EvidenceOutcome
from chunkscope.golden.model import Place
from chunkscope.report.markup import running
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.spans import Span

AROUND = 320
"""Characters shown before and after a piece of evidence."""

_LONGEST = 4_000
_STATES = {"whole": "whole", "cut": "cut", "not retrieved": "missed", "unmeasured": "missed"}


def passage(chunks: ChunkSet, place: Place, outcome: EvidenceOutcome) -> str:
    """The text around a place as HTML; empty where its document is not in the corpus."""
    position = chunks.corpus.position(place.doc)
    if position is None:
        return ""
    text = chunks.corpus.documents[position].text
    low = max(0, place.span.start - AROUND)
    high = min(len(text), place.span.end + AROUND, low + _LONGEST)
    ranges = _chunks_between(chunks, position, low, high)
    cuts = {at for at in outcome.cuts if place.span.start < at < place.span.end}
    state = _STATES[outcome.state]
    parts = ['<span class="mark">…</span>' if low else ""]
    bounds = sorted(
        {low, high, *_inside(low, high, (place.span.start, place.span.end)), *cuts}
        | {at for _index, span in ranges for at in _inside(low, high, span)}
    )
    for start, end in pairwise(bounds):
        begun = [index for index, span in ranges if span.start == start]
        parts += [f'<span class="begin">{index}</span>' for index in begun]
        if start in cuts:
            parts.append('<span class="scissors" title="a boundary cuts the evidence">✂</span>')
        holding = [index for index, span in ranges if span.start < end and span.end > start]
        css = "none" if not holding else f"c{holding[0] % 2}"
        if len(holding) > 1:
            css += " shared"
        inner = f'<span class="{css}">{running(text[start:end])}</span>'
        if place.span.start <= start and end <= place.span.end:
            inner = f'<mark class="{state}">{inner}</mark>'
        parts.append(inner)
    parts.append('<span class="mark">…</span>' if high < len(text) else "")
    return f'<pre class="passage">{"".join(parts)}</pre>'


def _chunks_between(chunks: ChunkSet, position: int, low: int, high: int) -> list[tuple[int, Span]]:
    """Source ranges of one document's chunks that touch `[low, high)`, by index in it."""
    cuts = chunks.cuts[position]
    found: list[tuple[int, Span]] = []
    for index in np.flatnonzero((cuts.starts < high) & (cuts.ends > low)).tolist():
        alone = (Span(int(cuts.starts[index]), int(cuts.ends[index])),)
        found += [(index, span) for span in cuts.spans.get(index, alone)]
    return found


def _inside(low: int, high: int, bounds: tuple[int, int]) -> list[int]:
    return [at for at in bounds if low < at < high]
