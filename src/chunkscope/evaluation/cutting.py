"""Where a piece of evidence is cut, and by what, in words."""

import re
from dataclasses import dataclass

import numpy as np

from chunkscope.golden.model import Place
from chunkscope.splitting.chunks import ChunkSet, IntArray
from chunkscope.text.spans import Span

_LINE_END = re.compile(r"\r\n|\r|\n")
_SENTENCE_END = frozenset(".!?…。！？")
_SHOWN = 24


@dataclass(frozen=True)
class CutPlace:
    """How boundaries cut a place that no chunk holds whole.

    Attributes:
        at: offset of the boundary that takes least of it away, or None: no chunk touches it.
        boundaries: offsets of all boundaries inside it, ascending.
        longest: code points of the longest chunk of its document.
    """

    at: int | None
    boundaries: tuple[int, ...]
    longest: int


def nearest_cut(chunks: ChunkSet, place: Place) -> CutPlace:
    """The boundaries inside a place, and the one that the best chunk is cut at."""
    starts, ends = _ranges(chunks, place.doc)
    longest = int((ends - starts).max(initial=0))
    low, high = place.span
    touching = (starts < high) & (ends > low) & (ends > starts)
    starts, ends = starts[touching], ends[touching]
    if not len(starts):
        return CutPlace(None, (), longest)
    inner = ends[(ends > low) & (ends < high)]
    if not len(inner):
        inner = starts[(starts > low) & (starts < high)]
    shared = np.minimum(ends, high) - np.maximum(starts, low)
    best = int(np.argmax(shared))
    at = int(ends[best]) if ends[best] < high else int(starts[best])
    return CutPlace(at, tuple(np.unique(inner).tolist()), longest)


def cut_sentence(chunks: ChunkSet, place: Place, *, edge: bool) -> str:
    """Why no retriever could return this place whole, in one sentence."""
    cut = nearest_cut(chunks, place)
    if cut.at is None:
        return "no chunk holds any of it: the splitter leaves that text out"
    length = place.span.length
    if length > cut.longest and not edge:
        return (
            f"{length} characters long, and the longest chunk of its document has {cut.longest}; "
            "no retriever could return it whole"
        )
    position = chunks.corpus.position(place.doc)
    assert position is not None
    text = chunks.corpus.documents[position].text
    inside = cut.at - place.span.start
    sentence = f"cut {inside} character{'s' * (inside != 1)} in, by {boundary_name(text, cut.at)}"
    if edge:
        return f"{sentence}; only white space or punctuation is lost"
    return f"{sentence}; no retriever could return it whole"


def boundary_name(text: str, at: int) -> str:
    """What stands at an offset: a blank line, a line end, a space, or nothing at all."""
    first = at
    while first > 0 and text[first - 1].isspace():
        first -= 1
    last = at
    while last < len(text) and text[last].isspace():
        last += 1
    following = _word_from(text, last)
    before = f"before “{following}”" if following else "at the end of the document"
    line_ends = len(_LINE_END.findall(text[first:last]))
    if line_ends > 1:
        return f"the blank line {before}"
    if line_ends == 1:
        return f"the line end {before}"
    if first < last:
        ended = first > 0 and text[first - 1] in _SENTENCE_END
        return f"the end of a sentence, {before}" if ended else f"the space {before}"
    if 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum():
        return f"a boundary inside “{_word_around(text, at)}”"
    return f"a boundary {before}"


def _word_from(text: str, start: int) -> str:
    end = start
    while end < len(text) and end - start < _SHOWN and not text[end].isspace():
        end += 1
    return text[start:end]


def _word_around(text: str, at: int) -> str:
    start = at
    while start > 0 and at - start < _SHOWN and text[start - 1].isalnum():
        start -= 1
    end = at
    while end < len(text) and end - at < _SHOWN and text[end].isalnum():
        end += 1
    return text[start:end]


def _ranges(chunks: ChunkSet, document_id: str) -> tuple[IntArray, IntArray]:
    """Source ranges of one document's chunks; several of a chunk stand by themselves."""
    position = chunks.corpus.position(document_id)
    if position is None:
        empty = np.zeros(0, np.int64)
        return empty, empty
    cuts = chunks.cuts[position]
    if not cuts.spans:
        return cuts.starts, cuts.ends
    spans: list[Span] = []
    for index in range(len(cuts)):
        alone = Span(int(cuts.starts[index]), int(cuts.ends[index]))
        spans.extend(cuts.spans.get(index, (alone,)))
    return (
        np.array([span.start for span in spans], np.int64),
        np.array([span.end for span in spans], np.int64),
    )
