"""Evidence given another place: offsets always hold the text, alternatives stay true."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.errors import InputError
from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import Evidence, Question
from chunkscope.golden.respanning import (
    Piece,
    document_of,
    evidence_of,
    others_with_text,
    pieces,
    with_alternative,
    with_item,
    with_span,
    with_texts,
    without,
)
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span

D = Document("d.md", "A berth costs forty euros.\r\n\r\nA berth is long. \U0001f6a2 A berth costs.")
E = Document("e.md", "Elsewhere a berth costs forty euros. A berth costs nothing.")
CORPUS = Corpus((D, E))
FIRST = Evidence("A berth costs forty euros.", 0, 26, extra={"page": 3})
OTHER = Evidence("a berth costs forty euros.", 10, 36, "e.md", extra={"by": "hand"})


def asked(*items: Evidence) -> Question:
    return Question("q", "Q?", "d.md", items)


def at(span: Span, doc: Document = D) -> Evidence:
    return Evidence(doc.text[slice(*span)], *span)


def test_pieces_are_items_and_their_alternatives() -> None:
    question = asked(Evidence("x", doc="e.md", alternatives=(OTHER, FIRST)), FIRST)
    assert pieces(question) == (Piece(0), Piece(0, 1), Piece(0, 2), Piece(1))
    assert [document_of(question, piece) for piece in pieces(question)] == [
        "e.md", "e.md", "e.md", "d.md",
    ]  # fmt: skip
    assert evidence_of(question, Piece(0, 1)) is OTHER


def test_another_span_keeps_what_the_item_says_besides() -> None:
    moved = with_span(asked(FIRST), Piece(0), Span(2, 19), D, CORPUS)
    assert moved.evidence == (Evidence("berth costs forty", 2, 19, extra={"page": 3}),)


def test_alternatives_of_the_old_text_go_and_those_of_the_new_come() -> None:
    old = Evidence("A berth", 0, 7, alternatives=(Evidence("A berth", 30, 37), OTHER))
    moved = with_span(asked(old), Piece(0), Span(0, 13), D, CORPUS)
    assert moved.evidence[0].alternatives == (
        OTHER,
        Evidence("A berth costs", 49, 62),
        Evidence("A berth costs", 37, 50, "e.md"),
    )
    assert D.text[49:62] == E.text[37:50] == "A berth costs"
    assert locate_question(moved, CORPUS).items[0].drifted is False


def test_where_there_were_no_alternatives_none_come_by_themselves() -> None:
    moved = with_span(asked(FIRST), Piece(0), Span(0, 13), D, CORPUS)
    assert moved.evidence[0].alternatives == ()
    assert others_with_text(moved, Piece(0), CORPUS) == 2
    assert others_with_text(asked(FIRST), Piece(0), CORPUS) == 0


def test_an_alternative_takes_another_span() -> None:
    old = asked(Evidence("x", alternatives=(OTHER, Evidence("y", 1, 2))))
    moved = with_span(old, Piece(0, 1), Span(12, 36), E, CORPUS)
    assert moved.evidence[0].alternatives[0] == Evidence(
        "berth costs forty euros.", 12, 36, "e.md", extra={"by": "hand"}
    )
    assert moved.evidence[0].alternatives[1] == Evidence("y", 1, 2)
    assert moved.evidence[0].text == "x"


def test_items_and_alternatives_are_added_and_taken_away() -> None:
    question = with_item(asked(FIRST), Span(30, 46), D)
    assert question.evidence == (FIRST, at(Span(30, 46)))
    question = with_alternative(question, 1, Span(0, 9), E)
    assert question.evidence[1].alternatives == (Evidence("Elsewhere", 0, 9, "e.md"),)
    assert without(question, Piece(1, 1)).evidence == (FIRST, at(Span(30, 46)))
    assert without(question, Piece(0)).evidence == (question.evidence[1],)
    assert with_item(asked(), Span(0, 1), D).evidence == (at(Span(0, 1)),)
    with pytest.raises(InputError, match="no evidence it could stand for"):
        with_alternative(asked(), 0, Span(0, 1), D)


def test_an_alternative_in_the_items_own_document_names_none() -> None:
    question = with_alternative(asked(Evidence("x", doc="e.md")), 0, Span(0, 9), E)
    assert question.evidence[0].alternatives == (Evidence("Elsewhere", 0, 9),)


@pytest.mark.parametrize("span", [Span(3, 3), Span(26, 30)])
def test_a_span_without_text_is_refused(span: Span) -> None:
    with pytest.raises(InputError, match="holds no text"):
        with_span(asked(FIRST), Piece(0), span, D, CORPUS)


# --- typed texts ----------------------------------------------------------------------------------


def test_typed_text_is_found_as_it_stands() -> None:
    second = Evidence("A berth is long.", 30, 46)
    made = with_texts(asked(FIRST, second), ["costs  FORTY", None], CORPUS)
    assert made.evidence == (Evidence("costs forty", 8, 19, extra={"page": 3}), second)
    assert with_texts(asked(FIRST, second), [None, " "], CORPUS).evidence == (FIRST,)
    assert with_texts(asked(FIRST), [None, "A berth is long."], CORPUS).evidence == (FIRST, second)


def test_of_several_places_the_old_one_is_taken() -> None:
    made = with_texts(asked(Evidence("A berth costs.", 49, 63)), ["A berth"], CORPUS)
    assert made.evidence == (Evidence("A berth", 49, 56),)


@pytest.mark.parametrize(
    ("old", "text", "said"),
    [
        (FIRST, "Nobody says so.", "evidence 1: stands nowhere in 'd.md'; nothing was changed"),
        (Evidence("x"), "A berth", "evidence 1: stands in 3 places of 'd.md'"),
        (Evidence("A berth is long.", 30, 46), "costs", "evidence 1: stands in 2 places"),
        (Evidence("x", doc="gone.md"), "costs", "'gone.md' is none of the documents"),
    ],
)
def test_what_cannot_be_placed_is_said(old: Evidence, text: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        with_texts(asked(old), [text], CORPUS)
    assert said in str(raised.value)


@given(st.text("ab \r\n\u0301\U0001f6a2", min_size=1, max_size=30), st.data())
def test_offsets_hold_the_text_and_alternatives_theirs(text: str, data: st.DataObject) -> None:
    document = Document("d.md", text)
    corpus = Corpus((document,))
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    old = Evidence("b", 0, 1, alternatives=(Evidence("b", 5, 6),))
    if not text[start:end].strip():
        return
    (item,) = with_span(asked(old), Piece(0), Span(start, end), document, corpus).evidence
    for place in (item, *item.alternatives):
        assert text[place.start : place.end] == place.text == text[start:end]
    spans = [(place.start, place.end) for place in (item, *item.alternatives)]
    assert len(set(spans)) == len(spans)
