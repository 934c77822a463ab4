import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from painting_texts import drawings, layer
from rich.cells import cell_len

from chunkscope.text.display import visible
from chunkscope.text.spans import Span
from chunkscope.tui.painting.bands import Band
from chunkscope.tui.painting.layers import EvidenceMark, Layers
from chunkscope.tui.painting.looks import Ink
from chunkscope.tui.painting.marks import ASCII, BOX
from chunkscope.tui.painting.page import Page


def page_of(text: str, layers: Layers | None = None, width: int = 60, *, wrap: bool = True):
    page = Page(text)
    if layers is not None:
        page.show(layers)
    page.lay_out(width, wrap=wrap)
    return page


def pieces_of(page: Page):
    for row in range(len(page.rows)):
        yield from page.paint(row, BOX).pieces


@given(drawings())
def test_every_code_point_of_a_line_is_drawn_once(case):
    text, layers, _, _ = case
    page = page_of(text, layers, 100_000, wrap=False)
    drawn = [offset for piece in pieces_of(page) for offset in range(piece.start, piece.end)]
    assert drawn == list(range(len(text)))


@given(drawings())
def test_every_code_point_of_wrapped_text_is_drawn_once(case):
    text, layers, width, _ = case
    page = page_of(text, layers, width)
    drawn = [offset for piece in pieces_of(page) for offset in range(piece.start, piece.end)]
    # Line ends stand right of the text and may lie outside the view.
    assert sorted({*drawn, *_line_ends(text)}) == list(range(len(text)))
    assert len(drawn) == len(set(drawn))


def _line_ends(text: str) -> set[int]:
    return {offset for offset, character in enumerate(text) if character in "\r\n"}


@given(drawings())
def test_evidence_is_drawn_on_exactly_its_code_points(case):
    text, layers, _, _ = case
    page = page_of(text, layers, 100_000, wrap=False)
    drawn = {
        offset
        for piece in pieces_of(page)
        if piece.look.evidence is not None
        for offset in range(piece.start, piece.end)
    }
    expected = {offset for mark in layers.evidence for offset in range(*mark.span)}
    assert drawn == expected


@given(drawings())
def test_highlighted_characters_are_those_of_the_text(case):
    """What is drawn for a range reads as the range: each character itself or its mark."""
    text, layers, _, _ = case
    page = page_of(text, layers, 100_000, wrap=False)
    shown = {}
    for piece in pieces_of(page):
        if piece.end - piece.start == len(piece.text) and not piece.text.isspace():
            shown |= dict(zip(range(piece.start, piece.end), piece.text, strict=True))
    for span in (*layers.found, *(mark.span for mark in layers.evidence)):
        for offset in range(*span):
            if offset not in shown:
                # Room, which is drawn as spaces.
                assert text[offset].isspace()
            elif shown[offset] == BOX.base != text[offset]:
                assert cell_len(text[offset]) == 0
            elif text[offset] == "\ufe0f":
                # Emoji are drawn as text: terminals disagree on how wide the others are.
                assert shown[offset] == "\ufe0e"
            else:
                assert shown[offset] == visible(text[offset])


@given(drawings())
def test_boundaries_of_both_variants_are_drawn_apart(case):
    text, layers, _, _ = case
    page = page_of(text, layers, 100_000, wrap=False)
    for name, drawn_layer in (("boundary", layers.chunks), ("other", layers.other)):
        starts = set(drawn_layer.starts.tolist()) if drawn_layer is not None else set()
        first = {page.rows.content(row).start for row in range(len(page.rows))}
        drawn = [piece for piece in pieces_of(page) if getattr(piece.look, name)]
        covered = {offset for piece in drawn for offset in range(piece.start, piece.end)}
        assert {offset for offset in starts - first if offset < len(text)} <= covered


@given(drawings())
def test_matches_are_drawn_on_exactly_their_code_points(case):
    text, layers, _, _ = case
    page = page_of(text, layers, 100_000, wrap=False)
    drawn = {
        offset
        for piece in pieces_of(page)
        if piece.look.found
        for offset in range(piece.start, piece.end)
    }
    assert drawn == {offset for span in layers.found for offset in range(*span)}


@given(drawings())
def test_bands_are_drawn_on_exactly_their_code_points(case):
    text, layers, _, _ = case
    page = page_of(text, layers, 100_000, wrap=False)
    ends = _line_ends(text)
    for piece in pieces_of(page):
        for offset in range(piece.start, piece.end):
            if offset in ends:
                continue
            holders = 0
            if layers.chunks is not None:
                ranges = zip(
                    layers.chunks.starts.tolist(), layers.chunks.ends.tolist(), strict=True
                )
                holders = sum(low <= offset < high for low, high in ranges)
            assert (piece.look.band is Band.GAP) is (holders == 0)
            assert piece.look.band.shared is (holders > 1)


@given(drawings())
def test_a_chunk_that_begins_in_a_row_begins_with_a_mark(case):
    text, layers, width, wrap = case
    page = page_of(text, layers, width if wrap else 100_000, wrap=wrap)
    starts = set() if layers.chunks is None else set(layers.chunks.starts.tolist())
    for row in range(len(page.rows)):
        content = page.rows.content(row)
        pieces = [piece for piece in page.paint(row, BOX).pieces if piece.start < piece.end]
        begun = {
            piece.start
            for before, piece in zip([None, *pieces], pieces, strict=False)
            if piece.look.boundary and (piece.start in starts or not before.look.boundary)
        }
        expected = {start for start in starts if content.start < start < content.end}
        assert {offset for offset in begun if offset < content.end} == expected


@given(drawings())
def test_scissors_stand_where_evidence_is_cut(case):
    text, layers, _, _ = case
    page = page_of(text, layers, 100_000, wrap=False)
    found = [piece.start for piece in pieces_of(page) if piece.look.ink is Ink.SCISSORS]
    cuts = {cut for mark in layers.evidence for cut in mark.cuts if cut < len(text)}
    # A cut between the two characters of a line end is drawn before them.
    expected = {cut - 1 if text[cut - 1 : cut + 1] == "\r\n" else cut for cut in cuts}
    assert found == sorted(expected)


@given(drawings())
def test_columns_drawn_are_columns_counted(case):
    text, layers, width, wrap = case
    page = page_of(text, layers, width, wrap=wrap)
    for row in range(len(page.rows)):
        painted = page.paint(row, BOX)
        column = painted.column
        for piece in painted.pieces:
            inside = piece.start < min(piece.end, page.rows.content(row).end)
            if inside and not page.rows.cells.zero_width(piece.start):
                assert page.columns.column_of(row, piece.start) == column
            column += cell_len(piece.text)


@given(drawings())
def test_nothing_drawn_reaches_the_terminal_as_a_code(case):
    text, layers, width, wrap = case
    page = page_of(text, layers, width, wrap=wrap)
    for row in range(len(page.rows)):
        shown = [piece.text for piece in page.paint(row, BOX).pieces]
        shown += [cell.text for cell in page.gutter(row, BOX, top=row == 0)]
        for character in "".join(shown):
            assert unicodedata.category(character) not in {"Cc", "Cs", "Zl", "Zp"}


@given(drawings(), st.integers(0, 80))
def test_a_window_is_a_part_of_the_row(case, first):
    text, layers, width, _ = case
    narrow = page_of(text, layers, width, wrap=False)
    wide = page_of(text, layers, 100_000, wrap=False)
    for row in range(len(narrow.rows)):
        columns = _cells_of(wide.paint(row, BOX))
        window = _cells_of(narrow.paint(row, BOX, first=first))
        for column in range(first, first + narrow.text_width):
            assert window.get(column) == columns.get(column)


def _cells_of(painted):
    """Offset and look by column; a wide character stands in both of its columns."""
    cells, column = {}, painted.column
    for piece in painted.pieces:
        if piece.end - piece.start == len(piece.text):
            for index, character in enumerate(piece.text):
                for _ in range(cell_len(character)):
                    cells[column] = (piece.start + index, piece.look)
                    column += 1
        else:
            for _ in piece.text:
                cells[column] = (piece.start, piece.look)
                column += 1
    return cells


def test_a_highlight_after_carriage_returns_does_not_slide():
    text = "ab\r\ncd\r\nef"
    layers = Layers(evidence=(EvidenceMark(Span(4, 6), "whole"),), found=(Span(4, 6),))
    page = page_of(text, layers)
    marked = [piece for piece in pieces_of(page) if piece.look.evidence or piece.look.found]
    assert [(piece.text, piece.start, piece.end) for piece in marked] == [("cd", 4, 6)]


def test_markup_in_the_text_is_text():
    text = "see [/etc/motd] now [/ a[i] = b[j] [[wiki]] [bold]x[/bold]"
    page = page_of(text, width=100)
    assert "".join(piece.text for piece in pieces_of(page)) == text


def test_hidden_characters_are_marks_and_their_neighbours_are_not():
    page = page_of("a\x1b[1m\x0cb\ud83d")
    pieces = list(pieces_of(page))
    assert [(piece.text, piece.look.ink) for piece in pieces] == [
        ("a", Ink.TEXT),
        ("␛", Ink.MARK),
        ("[1m", Ink.TEXT),
        ("␌", Ink.MARK),
        ("b", Ink.TEXT),
        ("\ufffd", Ink.MARK),
    ]


def test_a_lone_carriage_return_is_shown_and_a_line_feed_is_room():
    page = page_of("a\rb\n")
    assert [piece.text for piece in pieces_of(page)] == ["a", "␍", "b", " "]


def test_the_band_goes_on_right_of_the_text():
    page = page_of("one\n\ntwo", Layers(chunks=layer([(0, 3), (5, 8)])))
    assert [page.paint(row, BOX).rest.band for row in range(3)] == [Band.EVEN, Band.GAP, Band.ODD]


def test_scissors_have_an_ascii_form():
    layers = Layers(evidence=(EvidenceMark(Span(0, 4), "cut", (2,)),))
    page = page_of("abcd", layers)
    assert "".join(piece.text for piece in page.paint(0, BOX).pieces) == "ab✂cd"
    assert "".join(piece.text for piece in page.paint(0, ASCII).pieces) == "ab%cd"


def test_the_selection_and_the_cursor_are_drawn_where_they_are():
    page = page_of("e\u0301 港 x")
    page.selection, page.cursor = Span(2, 4), 0
    drawn = {
        (piece.look.selected, piece.look.cursor): (piece.start, piece.end)
        for piece in pieces_of(page)
    }
    assert drawn == {(False, True): (0, 2), (True, False): (2, 4), (False, False): (4, 6)}


def test_of_a_long_line_only_the_window_is_drawn():
    text = "港 word\t" * 150_000
    page = page_of(text, Layers(chunks=layer([(0, 500_000), (500_000, len(text))])), wrap=False)
    column = page.columns.column_of(0, 500_000)
    painted = page.paint(0, BOX, first=column - 10)
    assert sum(piece.end - piece.start for piece in painted.pieces) <= page.text_width
    assert [piece.start for piece in painted.pieces if piece.look.boundary] == [500_000]


def test_layers_of_a_longer_text_are_cut_to_this_one():
    layers = Layers(
        chunks=layer([(0, 100), (50, 200)]),
        evidence=(EvidenceMark(Span(1, 90), "cut", (2, 60)),),
        found=(Span(2, 80),),
    )
    page = page_of("ab\ncd", layers)
    assert "".join(piece.text for piece in pieces_of(page)) == "ab✂ cd"
    shown = ["".join(cell.text for cell in page.gutter(row, BOX, top=True)) for row in range(2)]
    assert shown == ["  0    … ┌◖ ", " ↑0      │◖ "]
