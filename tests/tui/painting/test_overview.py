from painting_texts import layer

from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import EvidenceMark, Layers
from chunkscope.tui.painting.overview import Sight, overview_line
from chunkscope.tui.painting.page import Page


def overview(layers: Layers, height: int, visible: range = range(0)):
    page = Page("line\n" * 20)
    page.show(layers)
    page.lay_out(60, wrap=True)
    return [overview_line(page, line, height, visible) for line in range(height)]


def test_lines_tile_the_rows():
    lines = overview(Layers(), 6)
    assert [line.first for line in lines[1:]] == [line.last for line in lines[:-1]]
    assert (lines[0].first, lines[-1].last) == (0, 21)


def test_a_short_document_takes_a_line_a_row():
    lines = overview(Layers(), 30)
    assert [(line.first, line.last) for line in lines[:21]] == [(n, n + 1) for n in range(21)]
    assert all(line.first == line.last and line.sight is Sight.NOTHING for line in lines[21:])


def test_the_weightiest_sight_wins():
    layers = Layers(
        chunks=layer([(0, 30), (30, 100)]),
        evidence=(
            EvidenceMark(Span(52, 58), "cut", (56,)),
            EvidenceMark(Span(50, 60), "whole"),
            EvidenceMark(Span(75, 78), "not retrieved"),
        ),
        found=(Span(81, 83), Span(51, 52)),
    )
    found = tuple(sorted(layers.found))
    lines = overview(Layers(chunks=layers.chunks, evidence=layers.evidence, found=found), 21)
    sights = {n: line.sight for n, line in enumerate(lines) if line.sight is not Sight.NOTHING}
    assert sights == {
        0: Sight.BOUNDARY,
        6: Sight.BOUNDARY,
        10: Sight.CUT,
        11: Sight.CUT,
        15: Sight.NOT_RETRIEVED,
        16: Sight.FOUND,
    }
    assert [line.odd for line in lines] == [False] * 6 + [True] * 14 + [False]


def test_the_visible_part_is_marked():
    lines = overview(Layers(), 7, range(4, 8))
    assert [line.in_view for line in lines] == [False, True, True, False, False, False, False]
