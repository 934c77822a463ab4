"""Texts with everything that breaks a drawing, layers over them, and slow ways to measure."""

import numpy as np
from hypothesis import strategies as st

from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import ChunkLayer, EvidenceMark, Layers

_PARTS = [
    "a", "b", "word", " ", "  ", "\n", "\r\n", "\r", "\t", "\x0c", "\x1b[31m", "\x00", "\x7f",
    "\x85", "\x9b", "\xad", "é", "e\u0301", "\u0301", "\u0308", "日", "本", "。", "、", "ｱ", "🇩🇪",
    "👩‍👩‍👧", "⚠\ufe0f", "\ufe0f", "👍🏽", "\u200b", "\u200d", "\u202e", "\u2028", "\ufeff",
    "\ud83d", "\ude00", "한", "\u1160", "ก\u0e33", "نص", "-", "0123456789", "[/x]",
]  # fmt: skip


def texts(max_parts: int = 60) -> st.SearchStrategy[str]:
    return st.lists(
        st.one_of(st.sampled_from(_PARTS), st.characters(exclude_categories=())),
        max_size=max_parts,
    ).map("".join)


def narrow_texts() -> st.SearchStrategy[str]:
    """Every code point one cell wide, no tab."""
    return st.text(st.sampled_from("abc  -.é\n"), max_size=300)


@st.composite
def spans(draw, length: int, max_size: int = 4, *, empty: bool = False):
    low = 0 if empty else 1
    found = []
    for _ in range(draw(st.integers(0, max_size))):
        start = draw(st.integers(0, length))
        end = draw(st.integers(start, length))
        if end - start >= low:
            found.append(Span(start, end))
    return found


@st.composite
def chunk_layers(draw, length: int, variant: str = "A"):
    """Chunks of a splitter: starts and ends never going back, gaps and overlap, empty ones."""
    count = draw(st.integers(0, 8))
    starts = sorted(draw(st.lists(st.integers(0, length), min_size=count, max_size=count)))
    ends = sorted(draw(st.lists(st.integers(0, length), min_size=count, max_size=count)))
    ends = [max(start, end) for start, end in zip(starts, ends, strict=True)]
    return layer(list(zip(starts, ends, strict=True)), variant=variant)


@st.composite
def wild_layers(draw, length: int):
    """Chunks in any order, nested or not."""
    return layer(draw(spans(length, 8, empty=True)))


def layer(ranges, **values) -> ChunkLayer:
    starts = np.array([start for start, _ in ranges], dtype=np.int64)
    ends = np.array([end for _, end in ranges], dtype=np.int64)
    return ChunkLayer(values.pop("variant", "A"), starts, ends, **values)


@st.composite
def drawings(draw):
    """A text, layers over it, the view's width and whether it wraps."""
    text = draw(texts())
    length = len(text)
    evidence = tuple(
        EvidenceMark(
            span,
            draw(st.sampled_from(["whole", "cut", "not retrieved", "unmeasured"])),
            tuple(draw(st.lists(st.integers(span.start, span.end), max_size=3))),
        )
        for span in draw(spans(length, 3))
    )
    found, at = [], 0
    for _ in range(draw(st.integers(0, 3))):
        if at >= length:
            break
        start = draw(st.integers(at, length - 1))
        end = draw(st.integers(start + 1, length))
        found.append(Span(start, end))
        at = end
    layers = Layers(
        chunks=draw(st.none() | chunk_layers(length)),
        other=draw(st.none() | chunk_layers(length, "B")),
        evidence=evidence,
        found=tuple(found),
    )
    return text, layers, draw(st.integers(20, 60)), draw(st.booleans())
