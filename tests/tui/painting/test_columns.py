from hypothesis import given
from hypothesis import strategies as st
from painting_texts import texts

from chunkscope.text.spans import Span
from chunkscope.tui.painting.cells import TextCells
from chunkscope.tui.painting.columns import Columns, Kind
from chunkscope.tui.painting.rows import RowIndex


def columns_of(text: str, width: int | None = None, cuts=()) -> Columns:
    rows = RowIndex(TextCells(text), width)
    rows.keep_room_for(cuts)
    return Columns(rows)


@st.composite
def laid_out(draw):
    text = draw(texts())
    width = draw(st.integers(4, 40) | st.none())
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=5)))
    return text, columns_of(text, width, cuts)


@given(laid_out())
def test_atoms_tile_every_row_and_its_columns(case):
    _, columns = case
    for row in range(len(columns.rows)):
        at, column = columns.rows.span(row).start, 0
        for atom in columns.atoms(row):
            assert atom.start == at
            assert atom.column == column
            assert atom.cells >= 0
            at, column = atom.end, column + atom.cells
        assert at == columns.rows.span(row).end


@given(laid_out())
def test_every_offset_comes_back_from_its_column(case):
    text, columns = case
    for offset in range(len(text)):
        row = columns.rows.row_of(offset)
        column = columns.column_of(row, offset)
        hit = columns.hit(row, column)
        if offset >= columns.rows.content(row).end:
            assert hit == (columns.rows.content(row).end,) * 2
        elif columns.rows.cells.zero_width(offset):
            assert hit.end > offset or hit.end == hit.start
        else:
            assert hit.start <= offset < hit.end


@given(laid_out())
def test_hits_in_a_row_tile_its_content(case):
    _, columns = case
    for row in range(len(columns.rows)):
        seen: list[Span] = []
        for column in range(columns.end_column(row)):
            hit = columns.hit(row, column)
            if hit.length and (not seen or seen[-1] != hit):
                seen.append(hit)
        at = columns.rows.content(row).start
        for hit in seen:
            assert hit.start == at
            at = hit.end
        assert at == columns.rows.content(row).end


@given(laid_out(), st.integers(0, 60), st.integers(1, 30))
def test_a_window_holds_what_the_whole_row_holds_there(case, first, size):
    _, columns = case
    for row in range(len(columns.rows)):
        whole = {column: columns.hit(row, column) for column in range(first, first + size)}
        atoms = columns.atoms(row, first, first + size)
        covered = [
            column
            for atom in atoms
            for column in range(atom.column, atom.column + atom.cells)
            if first <= column < first + size
        ]
        assert covered == sorted(set(covered))
        everything = columns.atoms(row)
        end = everything[-1].column + everything[-1].cells if everything else 0
        assert covered == list(range(first, min(first + size, end)))
        offsets = {offset for atom in atoms for offset in range(atom.start, atom.end)}
        for hit in whole.values():
            assert set(range(hit.start, min(hit.start + 1, hit.end))) <= offsets


def test_tabs_run_to_tab_stops():
    columns = columns_of("\tdock\tpier")
    assert [columns.column_of(0, offset) for offset in range(11)] == [
        0, 8, 9, 10, 11, 12, 16, 17, 18, 19, 20,
    ]  # fmt: skip
    assert [columns.hit(0, column) for column in (0, 7, 8, 12, 15, 16, 19)] == [
        (0, 1), (0, 1), (1, 2), (5, 6), (5, 6), (6, 7), (9, 10),
    ]  # fmt: skip
    assert columns.hit(0, 20) == (10, 10)


def test_wide_characters_answer_in_both_columns():
    columns = columns_of("a港b")
    assert [columns.hit(0, column) for column in range(4)] == [(0, 1), (1, 2), (1, 2), (2, 3)]


def test_a_character_is_hit_with_what_joins_it():
    columns = columns_of("e\u0301\u0308x")
    assert columns.hit(0, 0) == (0, 3)
    assert columns.hit(0, 1) == (3, 4)
    assert columns.column_of(0, 1) == 0


def test_a_scissors_is_a_column_of_no_character():
    columns = columns_of("abcd", cuts=[2])
    assert [atom.kind for atom in columns.atoms(0)] == [Kind.TEXT, Kind.SCISSORS, Kind.TEXT]
    assert [columns.hit(0, column) for column in range(5)] == [
        (0, 1), (1, 2), (2, 2), (2, 3), (3, 4),
    ]  # fmt: skip
    assert [columns.column_of(0, offset) for offset in range(5)] == [0, 1, 3, 4, 5]


def test_a_scissors_inside_a_character_gives_the_rest_a_base():
    columns = columns_of("e\u0301x", cuts=[1])
    assert [(atom.kind, atom.start, atom.end, atom.column) for atom in columns.atoms(0)] == [
        (Kind.TEXT, 0, 1, 0),
        (Kind.SCISSORS, 1, 1, 1),
        (Kind.BASE, 1, 2, 2),
        (Kind.TEXT, 2, 3, 3),
    ]


def test_a_scissors_before_a_tab_moves_it_and_not_its_stop():
    columns = columns_of("ab\tc", cuts=[2])
    assert columns.column_of(0, 2) == 3
    assert columns.column_of(0, 3) == 8


def test_a_long_line_with_tabs_is_found_in_its_middle():
    text = "ab\t" * 100_000
    columns = columns_of(text)
    assert columns.column_of(0, 240_001) == 640_001
    assert columns.hit(0, 640_001) == (240_001, 240_002)
    assert [atom.start for atom in columns.atoms(0, 640_000, 640_016)] == [
        240_000, 240_002, 240_003, 240_005,
    ]  # fmt: skip
