import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.text.lines import LineIndex
from chunkscope.text.spans import Span

TEXTS = st.text(st.sampled_from("ab\n\r\x0b\x0c\x1c\x85\u2028é"), max_size=40)


def lines_slowly(text):
    """(start, end, next start) of each line, character by character."""
    found = []
    start = position = 0
    while position < len(text):
        if text[position] == "\r" and text[position + 1 : position + 2] == "\n":
            found.append((start, position, position + 2))
            start = position = position + 2
        elif text[position] in "\r\n":
            found.append((start, position, position + 1))
            start = position = position + 1
        else:
            position += 1
    return [*found, (start, len(text), len(text) + 1)]


@given(TEXTS)
def test_lines_equal_a_walk_over_the_characters(text):
    index = LineIndex(text)
    expected = lines_slowly(text)
    assert index.count == len(expected)
    assert [index.span(line) for line in range(index.count)] == [
        Span(start, end) for start, end, _ in expected
    ]
    assert [index.start(line) for line in range(index.count)] == [start for start, _, _ in expected]
    for offset in range(len(text) + 1):
        line = index.line_of(offset)
        start, _, after = expected[line]
        assert start <= offset < after


def test_which_characters_end_a_line():
    index = LineIndex("one\ntwo\r\nthree\rfour\x0cstill\u2028four\n")
    assert [index.span(line) for line in range(index.count)] == [
        Span(0, 3),
        Span(4, 7),
        Span(9, 14),
        Span(15, 30),
        Span(31, 31),
    ]
    assert index.line_of(7) == index.line_of(8) == 1


def test_the_empty_text_is_one_empty_line():
    index = LineIndex("")
    assert (index.count, index.span(0), index.line_of(0)) == (1, Span(0, 0), 0)


@pytest.mark.parametrize("line", [-1, 2])
def test_a_line_that_is_not_there_raises(line):
    index = LineIndex("a\nb")
    with pytest.raises(IndexError, match=f"line {line} is not one of 2 lines"):
        index.span(line)
    with pytest.raises(IndexError, match=f"line {line} is not one of 2 lines"):
        index.start(line)


@pytest.mark.parametrize("offset", [-1, 4])
def test_an_offset_outside_the_text_raises(offset):
    with pytest.raises(IndexError, match=f"offset {offset} is outside a text of 3 characters"):
        LineIndex("a\nb").line_of(offset)
