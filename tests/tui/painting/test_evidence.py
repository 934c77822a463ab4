from hypothesis import given
from hypothesis import strategies as st

from chunkscope.text.spans import Span
from chunkscope.tui.painting.evidence import (
    EvidenceIndex,
    EvidencePiece,
    FoundIndex,
    underline_runs,
)
from chunkscope.tui.painting.layers import EvidenceMark

STATES = ["cut", "not retrieved", "whole", "unmeasured"]


@st.composite
def marks(draw):
    made = []
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, 30))
        made.append(
            EvidenceMark(Span(start, draw(st.integers(start, 30))), draw(st.sampled_from(STATES)))
        )
    return made


@given(marks(), st.integers(0, 30), st.integers(0, 30))
def test_the_most_urgent_state_is_drawn(given_marks, start, end):
    start, end = min(start, end), max(start, end)
    drawn = {}
    for piece in EvidenceIndex(given_marks).pieces(start, end):
        for offset in range(piece.start, piece.end):
            assert offset not in drawn
            drawn[offset] = piece.state
    expected = {}
    for offset in range(start, end):
        over = {mark.state for mark in given_marks if mark.span.start <= offset < mark.span.end}
        if over:
            expected[offset] = min(over, key=STATES.index)
    assert drawn == expected


@given(marks(), st.integers(0, 30), st.integers(1, 30))
def test_the_state_of_a_range(given_marks, start, size):
    over = {mark.state for mark in given_marks if mark.span.overlap(Span(start, start + size)) > 0}
    expected = min(over, key=STATES.index) if over else None
    assert EvidenceIndex(given_marks).state_in(start, start + size) == expected


def underlined(text: str, state) -> str:
    piece = EvidencePiece(0, len(text), state, 0)
    return "".join(
        ("_" if on else " ") * (end - start) for start, end, on in underline_runs(piece, text)
    )


def test_each_state_has_its_own_underline():
    text = "the harbourmaster signs"
    assert underlined(text, "whole") == "_" * len(text)
    assert underlined(text, "cut") == "___ ________ ____ _____"
    assert underlined(text, "not retrieved") == "__    " * 3 + "__   "
    assert underlined(text, "unmeasured") == " " * len(text)


def test_text_without_spaces_is_dashed_too():
    assert underlined("港" * 20, "cut") == "________ ________ __"


def test_letters_that_join_are_not_parted():
    assert underlined("نص عربي", "cut") == "_______"
    assert underlined("نص عربي", "not retrieved") == "_______"
    assert underlined("порт закрыт", "cut") == "____ ______"


@given(st.text(), st.sampled_from(STATES))
def test_runs_tile_the_piece(text, state):
    at = 0
    for start, end, _ in underline_runs(EvidencePiece(0, len(text), state, 0), text):
        assert start == at
        assert end > start or not text
        at = end
    assert at == len(text)


@given(
    st.text(st.sampled_from("ab  港ن\t"), min_size=1, max_size=600),
    st.sampled_from(STATES),
    st.data(),
)
def test_the_underline_does_not_depend_on_the_part_that_is_drawn(text, state, data):
    def drawn(start, end):
        runs = underline_runs(EvidencePiece(start, end, state, 0), text)
        return {offset: on for low, high, on in runs for offset in range(low, high)}

    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    whole = drawn(0, len(text))
    assert drawn(start, end) == {offset: whole[offset] for offset in range(start, end)}


def test_matches_are_cut_to_the_range():
    found = FoundIndex([Span(0, 3), Span(5, 9), Span(20, 22)])
    assert found.pieces(2, 6) == [(2, 3), (5, 6)]
    assert found.pieces(9, 20) == []
    assert found.any_in(8, 9)
    assert not found.any_in(9, 20)
