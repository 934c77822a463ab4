from dataclasses import replace

import numpy as np
from painting_texts import layer

from chunkscope.text.spans import Span
from chunkscope.tui.painting.gutter import plan_gutter
from chunkscope.tui.painting.layers import EvidenceMark, Layers
from chunkscope.tui.painting.marks import ASCII, BOX
from chunkscope.tui.painting.page import Page


def gutters(text: str, layers: Layers, *, width: int = 80, marks=BOX, top: int = -1) -> list[str]:
    page = Page(text)
    page.show(layers)
    page.lay_out(width, wrap=True)
    rows = []
    for row in range(len(page.rows)):
        shown = "".join(cell.text for cell in page.gutter(row, marks, top=row == top))
        assert len(shown) == page.plan.width
        rows.append(shown)
    return rows


def test_number_and_tokens_stand_at_the_first_row_and_a_line_runs_on():
    chunks = layer([(0, 11), (12, 16)], tokens=np.array([7, 120]))
    assert gutters("one\ntwo\nsix\nlast", Layers(chunks=chunks)) == [
        "  0    7 ┌  ",
        "         │  ",
        "         └  ",
        "  1  120 ╶  ",
    ]


def test_a_chunk_that_ends_where_another_begins():
    chunks = layer([(0, 5), (5, 11)])
    assert [row[9] for row in gutters("one\ntwo\nsix", Layers(chunks=chunks))] == ["┌", "├", "└"]


def test_shared_text_has_a_double_line():
    chunks = layer([(0, 7), (4, 11)])
    assert [row[9] for row in gutters("one\ntwo\nsix", Layers(chunks=chunks))] == ["┌", "╟", "└"]


def test_retrieved_chunks_have_a_heavy_line_and_their_rank():
    chunks = layer([(0, 7), (8, 11)], retrieved={0: 2})
    assert gutters("one\ntwo\nsix", Layers(chunks=chunks), width=120) == [
        "  1   0    …   #2┏  ",
        "  2              ┗  ",
        "  3   1    …     ╶  ",
    ]


def test_altered_and_oversize_are_marked():
    chunks = layer([(0, 3), (4, 7), (8, 11)], altered=frozenset({0, 2}), oversize=frozenset({1, 2}))
    narrow = gutters("one\ntwo\nsix", Layers(chunks=chunks))
    assert [row[8] for row in narrow] == ["~", "!", "!"]
    wide = gutters("one\ntwo\nsix", Layers(chunks=chunks), width=120)
    assert [row[12:14] for row in wide] == [" ~", "! ", "!~"]


def test_several_chunks_in_a_row_are_counted():
    chunks = layer([(0, 2), (2, 4), (4, 6)], tokens=np.array([1, 1, 1]))
    assert gutters("abcdef", Layers(chunks=chunks)) == ["  0   +2 ╶  "]


def test_evidence_has_a_glyph_for_each_state_beside_every_row_it_touches():
    evidence = (
        EvidenceMark(Span(0, 5), "whole"),
        EvidenceMark(Span(8, 9), "cut", (9,)),
        EvidenceMark(Span(12, 13), "not retrieved"),
        EvidenceMark(Span(16, 17), "unmeasured"),
    )
    text = "one\ntwo\nsix\nten\nend"
    assert [row[-2] for row in gutters(text, Layers(evidence=evidence))] == list("●●◖○?")
    assert [row[-2] for row in gutters(text, Layers(evidence=evidence), marks=ASCII)] == list(
        "**(o?"
    )


def test_the_other_variant_has_its_own_line():
    layers = Layers(chunks=layer([(0, 11)]), other=layer([(0, 3), (4, 11)], variant="B"))
    assert gutters("one\ntwo\nsix", layers) == [
        "  0    … ┌  0╌=  ",
        "         │  1╭B  ",
        "         └   ╰   ",
    ]


def test_the_other_variant_has_its_tokens_where_there_is_room():
    a = layer([(0, 3), (4, 11)], tokens=np.array([1, 2]))
    b = layer([(0, 11)], variant="B", tokens=np.array([30]))
    assert gutters("one\ntwo\nsix", Layers(chunks=a, other=b), width=120) == [
        "  1   0    1     ╶  0   30╭=  ",
        "  2   1    2     ┌        ┊A  ",
        "  3              └        ╰   ",
    ]


def test_a_row_tells_whose_boundaries_stand_in_it():
    text = "abcdef\nghijkl"
    a, b = layer([(0, 3), (3, 13)]), layer([(0, 4), (4, 8), (8, 13)], variant="B")
    rows = gutters(text, Layers(chunks=a, other=b))
    assert [row[-3] for row in rows] == ["≠", "B"]
    rows = gutters(text, Layers(chunks=a, other=b), marks=ASCII)
    assert [row[-3] for row in rows] == ["#", "B"]
    rows = gutters(text, Layers(chunks=a, other=layer([(0, 3), (3, 13)], variant="B")))
    assert [row[-3] for row in rows] == ["=", " "]


def test_wrapped_rows_of_a_line_have_one_line_number():
    rows = gutters("word " * 30 + "\r\nnext", Layers(), width=120)
    assert [row[:4] for row in rows] == ["  1 ", "    ", "  2 "]


def test_the_first_visible_row_names_the_chunk_that_began_above():
    layers = Layers(chunks=layer([(0, 3), (4, 11)]))
    assert [row[:3] for row in gutters("one\ntwo\nsix", layers, top=2)] == ["  0", "  1", " ↑1"]


def test_stale_tokens_are_not_shown_as_current():
    layers = Layers(chunks=layer([(0, 3)], tokens=np.array([7])), stale=True)
    assert gutters("one", layers) == ["  0    … ╶  "]
    assert gutters("one", replace(layers, stale=False)) == ["  0    7 ╶  "]


def test_everything_has_an_ascii_form():
    layers = Layers(
        chunks=layer([(0, 5), (4, 11), (12, 15)], retrieved={2: 1}),
        other=layer([(0, 7)], variant="B"),
        evidence=(EvidenceMark(Span(0, 11), "cut", (4,)),),
        stale=True,
    )
    for row in gutters("one\ntwo\nsix\nten", layers, marks=ASCII, top=2, width=120):
        assert row.isascii()


def test_a_growing_gutter_does_not_shrink_again():
    few, many = Layers(chunks=layer([(0, 1)])), Layers(chunks=layer([(0, 1)] * 12_345))
    first = plan_gutter(80, few, None)
    grown = plan_gutter(80, many, first)
    assert (first.number, grown.number) == (3, 5)
    assert plan_gutter(80, few, grown) == grown
    assert plan_gutter(80, few, None) == first


def test_each_variant_has_its_own_line_style():
    a, b = layer([(0, 7), (8, 11)]), layer([(0, 7), (8, 11)], variant="B")
    text = "one\ntwo\nsix"
    assert [row[9] for row in gutters(text, Layers(chunks=b))] == ["╭", "╰", "╌"]
    assert [row[9] + row[13] for row in gutters(text, Layers(chunks=b, other=a))] == [
        "╭┌", "╰└", "╌╶",
    ]  # fmt: skip
