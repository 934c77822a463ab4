from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from painting_texts import narrow_texts, texts

from chunkscope.tui.painting.cells import TextCells
from chunkscope.tui.painting.rows import SLACK, RowIndex
from chunkscope.tui.painting.wrap import row_cells, wrap_line, wrap_measured


def slow_rows(text: str, width: int) -> list[int]:
    """Greedy wrapping of one-cell text, a character at a time."""
    starts, start = [0], 0
    column = 0
    space = -1
    for offset, character in enumerate(text):
        if character == "\n":
            start, column, space = offset + 1, 0, -1
            starts.append(start)
            continue
        if column == width:
            if character == " ":
                nothing_left = offset + 1 == len(text) or text[offset + 1] == "\n"
                start, column, space = offset + 1, 0, -1
                if not nothing_left:
                    starts.append(start)
                continue
            start = space + 1 if space >= 0 else offset
            starts.append(start)
            column = offset - start
            inside = text.rfind(" ", start, offset)
            space = inside if inside >= 0 else -1
        if character == " ":
            space = offset
        column += 1
    return starts


@given(texts(), st.integers(4, 40) | st.none())
def test_rows_tile_the_text(text, width):
    rows = RowIndex(TextCells(text), width)
    assert rows.span(0).start == 0
    assert rows.span(len(rows) - 1).end == len(text)
    for row in range(1, len(rows)):
        assert rows.span(row - 1).end == rows.span(row).start
        assert rows.span(row).start > rows.span(row - 1).start


@given(texts(), st.integers(4, 40))
def test_no_row_is_wider_than_the_view(text, width):
    cells = TextCells(text)
    rows = RowIndex(cells, width)
    for row in range(len(rows)):
        assert row_cells(cells, *rows.content(row)) <= max(width, 8) + SLACK


@given(texts(), st.integers(4, 40))
def test_no_row_begins_with_what_joins_the_character_before(text, width):
    cells = TextCells(text)
    rows = RowIndex(cells, width)
    for row in range(len(rows)):
        start = rows.span(row).start
        if start < len(text):
            assert not cells.zero_width(start)


@given(texts(), st.integers(4, 40) | st.none(), st.data())
def test_row_of_finds_the_row_that_holds_the_offset(text, width, data):
    rows = RowIndex(TextCells(text), width)
    offset = data.draw(st.integers(0, len(text)))
    span = rows.span(rows.row_of(offset))
    assert span.start <= offset
    assert offset < span.end or offset == len(text)


@given(narrow_texts(), st.integers(4, 40))
def test_narrow_text_wraps_as_a_plain_loop_wraps_it(text, width):
    rows = RowIndex(TextCells(text), width)
    assert [rows.span(row).start for row in range(len(rows))] == slow_rows(text, width)


@given(narrow_texts(), st.integers(4, 40))
def test_the_fast_path_wraps_like_the_measured_one(text, width):
    line = text.replace("\n", "")
    cells = TextCells(line)
    fast, measured = array("q"), array("q")
    wrap_line(cells, 0, len(line), width, fast)
    wrap_measured(cells, 0, len(line), width, measured)
    assert fast == measured


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("one two three", 8, ["one two ", "three"]),
        ("one two", 7, ["one two"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("ab\r\ncd\r\nef", 8, ["ab\r\n", "cd\r\n", "ef"]),
        ("a\x0cb\u2028c", 8, ["a\x0cb\u2028c"]),
        ("lone\rreturn", 8, ["lone\r", "return"]),
        ("", 8, [""]),
        ("end\n", 8, ["end\n", ""]),
        ("港口很安静船长在睡觉", 8, ["港口很安", "静船长在", "睡觉"]),
        ("田中港働。船", 8, ["田中港働。", "船"]),
        ("\tdock\tpier", 12, ["\tdock", "\tpier"]),
        ("e\u0301" * 10, 4, ["e\u0301" * 4, "e\u0301" * 4, "e\u0301" * 2]),
    ],
)
def test_where_rows_end(text, width, expected):
    rows = RowIndex(TextCells(text), width)
    assert [text[slice(*rows.span(row))] for row in range(len(rows))] == expected


def test_a_row_that_scissors_make_too_long_is_broken_and_no_other():
    text = "one two three four\nfive six seven"
    rows = RowIndex(TextCells(text), 10)
    before = [text[slice(*rows.span(row))] for row in range(len(rows))]
    assert before == ["one two ", "three four\n", "five six ", "seven"]
    assert rows.keep_room_for([1, 9, 10, 11, 12, 30])
    after = [text[slice(*rows.span(row))] for row in range(len(rows))]
    assert after == ["one two ", "three ", "four\n", "five six ", "seven"]
    assert rows.keep_room_for([])
    assert [text[slice(*rows.span(row))] for row in range(len(rows))] == before


@given(texts(), st.integers(8, 40), st.data())
def test_scissors_find_room(text, width, data):
    cells = TextCells(text)
    rows = RowIndex(cells, width)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=12)))
    rows.keep_room_for(cuts)
    assert rows.span(0).start == 0
    assert rows.span(len(rows) - 1).end == len(text)
    for row in range(len(rows)):
        span, content = rows.span(row), rows.content(row)
        assert span.end > span.start or row == len(rows) - 1
        inside = [cut for cut in cuts if span.start <= cut < content.end]
        at_end = any(content.end <= cut < span.end for cut in cuts)
        needed = row_cells(cells, *content, inside) + at_end
        assert needed <= width + SLACK or content.length == 1


@given(texts())
def test_the_longest_row_is_never_underestimated(text):
    cells = TextCells(text)
    rows = RowIndex(cells, None)
    widest = max(row_cells(cells, *rows.content(row)) for row in range(len(rows)))
    assert widest <= rows.longest() <= widest + 2
