"""Ends of a range move from word to word, as a search for words finds them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.golden.borders import UNSPACED
from chunkscope.tui.painting.edges import edge_after, edge_before

WORD = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}])\w)+")
TEXT = "One two_2, 港口 \r\n(three)"


@pytest.mark.parametrize(
    ("offset", "ends", "after", "before"),
    [
        (0, True, 3, 0),
        (1, True, 3, 0),
        (3, True, 9, 0),
        (4, False, 11, 0),
        (11, True, 12, 9),
        (12, False, 17, 11),
        (22, True, 23, 13),
        (23, False, 23, 17),
    ],
)
def test_known_edges(offset: int, ends: bool, after: int, before: int) -> None:
    assert len(TEXT) == 23
    assert edge_after(TEXT, offset, ends=ends) == after
    assert edge_before(TEXT, offset, ends=ends) == before


@given(st.text("ab_1 \r\n.港口\u0301é", max_size=20), st.integers(0, 20), st.booleans())
def test_edges_are_those_of_words(text: str, offset: int, ends: bool) -> None:
    offset = min(offset, len(text))
    edges = [match.end() if ends else match.start() for match in WORD.finditer(text)]
    inner = [edge for edge in edges if 0 < edge < len(text)]
    assert edge_after(text, offset, ends=ends) == next((e for e in inner if e > offset), len(text))
    earlier = [edge for edge in inner if edge < offset]
    assert edge_before(text, offset, ends=ends) == (earlier[-1] if earlier else 0)
