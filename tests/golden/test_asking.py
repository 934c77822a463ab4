import json

import pytest

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError
from chunkscope.golden.asking import ask
from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import Evidence
from chunkscope.golden.reading import parse_line
from chunkscope.golden.writing import format_line
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span

CORPUS = Corpus(
    (
        Document("berths.md", "# Berths\n\nBerth fees are\n  due on Monday.\n\nLamps are lit."),
        Document("lamps.md", "Lamps are lit. At dusk the lamps\nare lit again. Lamps are lit."),
        Document("tides.md", "The tide’s mark. Berth fees are low. Lamps are lit."),
    )
)


def test_offsets_are_filled_in_with_the_documents_own_text():
    one = ask("  When are fees due?\n", ["\nBerth fees are due on Monday.\n"], CORPUS)
    question = one.question
    assert (question.question, question.doc) == ("When are fees due?", "berths.md")
    assert question.evidence == (Evidence("Berth fees are\n  due on Monday.", 10, 41),)
    assert [(place.span, place.tier) for place in one.items[0].places] == [(Span(10, 41), "given")]
    assert one.measured


def test_several_places_in_one_document_stay_open():
    one = ask("?", ["at dusk", "lamps\nare lit"], CORPUS)
    assert one.question.doc == "lamps.md"
    assert one.question.evidence[0] == Evidence("At dusk", 15, 22)
    assert [place.span for place in one.items[1].places] == [Span(27, 40)]
    both = ask("?", ["Berth fees are", "Lamps are lit."], Corpus(CORPUS.documents[:2]))
    assert both.question.doc == "berths.md"
    assert both.question.evidence[1] == Evidence(
        "Lamps are lit.", 43, 57, alternatives=(Evidence("Lamps are lit.", doc="lamps.md"),)
    )


def test_other_documents_that_hold_it_become_alternatives():
    one = ask("?", ["Lamps are lit."], CORPUS)
    assert one.question.doc == "berths.md"
    assert one.question.evidence == (
        Evidence(
            "Lamps are lit.",
            43,
            57,
            alternatives=(
                Evidence("Lamps are lit.", doc="lamps.md"),
                Evidence("Lamps are lit.", 37, 51, doc="tides.md"),
            ),
        ),
    )
    assert [(place.doc, place.span.start) for place in one.items[0].places] == [
        ("berths.md", 43),
        ("lamps.md", 0),
        ("lamps.md", 48),
        ("tides.md", 37),
    ]
    assert one.items[0].ambiguous


def test_the_document_with_most_of_the_evidence_is_the_questions():
    one = ask("?", ["Berth fees are due", "Berth fees are low", "The tide's mark"], CORPUS)
    assert one.question.doc == "tides.md"
    assert one.question.evidence == (
        Evidence("Berth fees are\n  due", 10, 30, doc="berths.md"),
        Evidence("Berth fees are low", 17, 35),
        Evidence("The tide’s mark", 0, 15),
    )


def test_the_strictest_tier_of_any_document_counts():
    corpus = Corpus(
        (Document("a", "the  LAMP"), Document("b", "the lamp"), Document("c", "the lamps"))
    )
    (item,) = ask("?", ["the lamp"], corpus).question.evidence
    assert item == Evidence("the lamp", 0, 8)
    assert ask("?", ["the lamp"], corpus).question.doc == "b"


def test_what_stands_nowhere_stays_as_pasted_and_unmeasured():
    one = ask("?", ["Mooring fees are due on Monday."], CORPUS)
    assert one.question.evidence == (Evidence("Mooring fees are due on Monday."),)
    assert one.question.doc == "berths.md"
    assert not one.measured
    assert not one.unanswerable


def test_no_evidence_is_unanswerable():
    assert ask("?", [], CORPUS).unanswerable


def test_the_question_is_a_line_of_a_golden_set():
    one = ask("Wo?", ["Lamps are lit.", "gone \ud83d"], CORPUS)
    again = locate_question(parse_line(format_line(one.question)), CORPUS)
    assert again == one
    assert json.loads(format_line(one.question))["evidence"][0]["start"] == 43


def test_ids_are_free_and_the_same_for_the_same_question():
    first = ask("Wo?", ["x"], CORPUS).question.id
    assert first == ask(" Wo? ", ["x"], CORPUS).question.id
    assert first != ask("Wo?", ["y"], CORPUS).question.id
    second = ask("Wo?", ["x"], CORPUS, taken={first}).question.id
    assert second == f"{first}-2"
    assert ask("Wo?", ["x"], CORPUS, taken={first, second}).question.id == f"{first}-3"


@pytest.mark.parametrize(
    ("question", "evidence", "said"), [(" \n", ["x"], "question"), ("?", ["x", "\t"], "evidence")]
)
def test_what_is_blank_is_refused(question, evidence, said):
    with pytest.raises(InputError, match=f"{said}: blank"):
        ask(question, evidence, CORPUS)


def test_an_empty_corpus_is_refused():
    with pytest.raises(InputError, match="no documents"):
        ask("?", ["x"], Corpus(()))


def test_a_search_can_be_called_off():
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        ask("?", ["x"], CORPUS, cancel=token)
