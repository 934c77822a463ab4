from hypothesis import given
from hypothesis import strategies as st
from painting_texts import drawings

from chunkscope.tui.painting.moves import in_row, next_character, previous_character
from chunkscope.tui.painting.page import Page


@st.composite
def pages(draw):
    text, layers, width, wrap = draw(drawings())
    page = Page(text)
    page.show(layers)
    page.lay_out(width, wrap=wrap)
    return page


@given(pages())
def test_the_way_back_is_the_way_there(page):
    there = [0]
    while there[-1] < len(page.text):
        there.append(next_character(page, there[-1]))
        assert there[-1] > there[-2]
    back = [there[-1]]
    while back[-1] > 0:
        back.append(previous_character(page, back[-1]))
        assert back[-1] < back[-2]
    assert back[::-1] == there


@given(pages(), st.integers(0, 50))
def test_a_place_in_a_row_is_in_that_row(page, column):
    for row in range(len(page.rows)):
        assert page.rows.row_of(in_row(page, row, column)) == row


def test_steps_take_a_character_with_what_joins_it():
    page = Page("e\u0301x\r\ny")
    page.lay_out(40, wrap=True)
    assert [next_character(page, offset) for offset in (0, 2, 3, 5)] == [2, 3, 5, 6]
    assert [previous_character(page, offset) for offset in (6, 5, 3, 2)] == [5, 3, 2, 0]
