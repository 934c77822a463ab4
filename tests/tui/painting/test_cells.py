import re
import unicodedata
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from painting_texts import narrow_texts, texts
from rich.cells import cell_len

from chunkscope.tui.painting.cells import TextCells, drawn


@given(texts())
def test_one_code_point_is_drawn_for_each(text):
    assert len(drawn(text)) == len(text)


@given(texts())
def test_nothing_drawn_is_a_control_or_half_a_pair(text):
    for character in drawn(text):
        assert unicodedata.category(character) not in {"Cc", "Cs", "Zl", "Zp"}
        assert unicodedata.bidirectional(character) not in {
            "LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
        }  # fmt: skip


@given(texts())
def test_lines_end_at_lf_crlf_and_lone_cr_only(text):
    expected = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    assert TextCells(text).line_starts.tolist() == expected


@given(texts(), st.data())
def test_widths_are_what_the_terminal_library_counts(text, data):
    cells = TextCells(text)
    line = data.draw(st.sampled_from(re.split(r"\r\n|\r|\n|\t", text)))
    start = text.find(line)
    end = start + len(line)
    inside = [offset for offset in cells.unbased if start <= offset < end]
    assert cells.cells(start, end) == cell_len(drawn(line)) + len(inside)


@given(narrow_texts())
def test_narrow_text_needs_no_table(text):
    cells = TextCells(text)
    assert cells.one_cell
    assert cells.cells(0, len(text)) == len(text)


@given(texts(), st.integers(0, 30), st.data())
def test_fit_is_the_largest_that_fits(text, limit, data):
    cells = TextCells(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    expected = max(
        offset for offset in range(start, end + 1) if cells.cells(start, offset) <= limit
    )
    assert cells.fit(start, end, limit) == expected


def test_an_emoji_selector_never_widens_what_stands_before_it():
    text = "⚠\ufe0f!"
    cells = TextCells(text)
    assert cells.cells(0, 3) == cell_len(drawn(text)) == 2
    assert cells.zero_width(1)


def test_a_combining_mark_alone_gets_a_cell():
    cells = TextCells("a\u0301\n\u0301b")
    assert cells.unbased == {3}
    assert cells.cells(0, 2) == 1
    assert cells.cells(3, 5) == 2


@given(texts())
def test_line_widths_are_never_too_small(text):
    cells = TextCells(text, tab_size=4)
    bounds = [*cells.line_starts.tolist(), len(text)]
    widths = cells.line_widths().tolist()
    for line, (start, end) in enumerate(pairwise(bounds)):
        column = 0
        for offset in range(start, end):
            if text[offset] == "\t":
                column += 4 - column % 4
            else:
                column += cells.cells(offset, offset + 1)
        assert column <= widths[line]
        if "\t" not in text[start:end]:
            assert column == widths[line]
