from dataclasses import replace

import numpy as np
from painting_texts import layer

from chunkscope.text.spans import Span
from chunkscope.tui.painting.describe import describe
from chunkscope.tui.painting.layers import EvidenceMark, Layers
from chunkscope.tui.painting.page import Page

CHUNKS = layer(
    [(0, 8), (6, 12), (14, 20)],
    tokens=np.array([2, 1, 1500]),
    altered=frozenset({1}),
    oversize=frozenset({2}),
    retrieved={1: 3},
)


def said(layers: Layers, offset: int, *, short: bool = False) -> str:
    page = Page("one\r\ntwo\rsix\n and\nmore")
    page.show(layers)
    return describe(page, offset, line=not short, short=short)


def test_line_chunk_tokens_and_real_overlap():
    layers = Layers(chunks=CHUNKS)
    assert said(layers, 0) == "line 1 · A: chunk 0 of 3 · 2 tokens · 8 characters"
    assert said(layers, 9) == (
        "line 3 · A: chunk 1 of 3 · 1 token · 6 characters · overlap 2 · retrieved #3 · altered ~"
    )
    assert said(layers, 15) == (
        "line 4 · A: chunk 2 of 3 · 1,500 tokens · 6 characters · overlap 0 · oversize !"
    )


def test_text_in_no_chunk():
    assert said(Layers(chunks=CHUNKS), 12) == "line 3 · A: in no chunk"
    assert said(Layers(chunks=layer([])), 12) == "line 3 · A: no chunks"
    assert said(Layers(), 12) == "line 3"


def test_the_other_variant_and_evidence():
    layers = Layers(
        chunks=CHUNKS,
        other=layer([(0, 5)], variant="B"),
        evidence=(EvidenceMark(Span(0, 2), "not retrieved"),),
    )
    assert said(layers, 1).endswith(" · B: chunk 0 of 1 · 5 characters · evidence not retrieved")
    assert said(layers, 5).endswith(" · B: in no chunk")


def test_stale_tokens_are_not_said():
    shown = said(replace(Layers(chunks=CHUNKS), stale=True), 0)
    assert shown == "line 1 · A: chunk 0 of 3 · being cut anew · 8 characters"


def test_the_short_form_leaves_the_line_out():
    layers = Layers(chunks=CHUNKS, other=layer([(0, 5)], variant="B"))
    assert said(layers, 9, short=True) == (
        "A 1/3 · 1 tok · 6 ch · overlap 2 · #3 · altered ~ · B: in no chunk"
    )
