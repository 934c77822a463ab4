"""Evidence whose place is in doubt, the places offered for it, and what taking one writes."""

from chunkscope.golden.asking import ask
from chunkscope.golden.locating import locate, locate_question
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.golden.places import RESEMBLES, offers, taken
from chunkscope.text.document import Corpus, Document

A = "The quay opens at six. The lamp is lit at dusk. The lamp is lit at dusk."
B = "Boats wait. The quay opens at six."


def corpus(a: str = A, b: str = B) -> Corpus:
    return Corpus((Document("a.txt", a), Document("b.txt", b)))


def question(*evidence: Evidence, doc: str = "a.txt", line: int = 1, name: str = "q") -> Question:
    return Question(name, "When?", doc, evidence, line=line)


def test_evidence_with_its_place_is_not_offered():
    held = question(Evidence("The quay opens at six.", 0, 22))
    once = question(Evidence("The quay opens at six."), name="r")
    assert offers(locate(GoldenSet((held, once)), corpus()), corpus()) == ()


def test_moved_evidence_is_offered_its_new_place_and_taken():
    new = corpus("Notice. " + A)
    asked = question(Evidence("The quay opens at six.", 0, 22))
    (offer,) = offers([locate_question(asked, new)], new)
    assert (offer.doubt, offer.sure, offer.doc) == ("moved", True, "a.txt")
    (choice,) = offer.choices
    assert (choice.doc, tuple(choice.span), choice.text) == (
        "a.txt", (8, 30), "The quay opens at six.",
    )  # fmt: skip
    after = taken(asked, offer, choice)
    assert after.evidence == (Evidence("The quay opens at six.", 8, 30),)
    assert offers([locate_question(after, new)], new) == ()


def test_moved_evidence_found_loosely_takes_the_text_that_stands_there():
    new = corpus(A.replace("quay opens", "quay\nopens") + " End.")
    asked = question(Evidence("The quay opens at six.", 40, 62))
    (offer,) = offers([locate_question(asked, new)], new)
    after = taken(asked, offer, offer.choices[0])
    assert after.evidence == (Evidence("The quay\nopens at six.", 0, 22),)


def test_evidence_changed_in_its_document_is_offered_what_resembles_it():
    new = corpus(A.replace("opens at six", "opens at seven"), "Nothing.")
    asked = question(Evidence("The quay opens at six.", 0, 22))
    (offer,) = offers([locate_question(asked, new)], new)
    assert (offer.doubt, offer.sure) == ("moved", False)
    assert offer.choices[0].tier == RESEMBLES
    assert offer.choices[0].text.startswith("The quay opens at")


def test_evidence_that_went_to_another_document_is_found_there():
    new = corpus("Nothing.")
    asked = question(Evidence("The quay opens at six.", 0, 22, alternatives=(Evidence("x"),)))
    (offer,) = offers([locate_question(asked, new)], new)
    (choice,) = offer.choices
    assert (choice.doc, choice.tier) == ("b.txt", "exact")
    after = taken(asked, offer, choice)
    assert after.evidence == (
        Evidence("The quay opens at six.", 12, 34, "b.txt", (Evidence("x", doc="a.txt"),)),
    )


def test_evidence_in_several_places_is_asked_about():
    asked = question(Evidence("The lamp is lit at dusk."))
    (offer,) = offers([locate_question(asked, corpus())], corpus())
    assert offer.doubt == "several"
    assert [tuple(choice.span) for choice in offer.choices] == [(23, 47), (48, 72)]
    after = taken(asked, offer, offer.choices[1])
    assert after.evidence == (Evidence("The lamp is lit at dusk.", 48, 72),)


def test_an_asked_passage_of_several_documents_is_asked_about():
    located = ask("When?", ["The quay opens at six."], corpus())
    (offer,) = offers([located], corpus())
    assert (offer.doubt, [choice.doc for choice in offer.choices]) == (
        "several", ["a.txt", "b.txt"],
    )  # fmt: skip
    after = taken(located.question, offer, offer.choices[1])
    assert after.evidence == (Evidence("The quay opens at six.", 12, 34, "b.txt"),)


def test_a_moved_alternative_is_taken_by_itself():
    new = corpus(b="Oh. " + B)
    asked = question(
        Evidence("The quay opens at six.", 0, 22,
                 alternatives=(Evidence("Boats wait.", 0, 11, "b.txt"),))
    )  # fmt: skip
    (offer,) = offers([locate_question(asked, new)], new)
    assert (offer.alternative, offer.doubt) == (1, "moved")
    after = taken(asked, offer, offer.choices[0])
    assert after.evidence[0].alternatives == (Evidence("Boats wait.", 4, 15, "b.txt"),)
    assert after.evidence[0].start == 0


def test_the_chosen_question_comes_first_then_what_moved():
    new = corpus("Notice. " + A)
    several = question(Evidence("The lamp is lit at dusk."), name="s")
    moved = question(Evidence("The quay opens at six.", 0, 22), name="m")
    gone = question(Evidence("Zebra zebra."), name="g")
    lines = locate(GoldenSet((several, gone, moved)), new)
    assert [offer.doubt for offer in offers(lines, new)] == ["several", "moved", "nowhere"]
    assert [offer.doubt for offer in offers(lines, new, first=1)] == [
        "nowhere", "moved", "several",
    ]  # fmt: skip
    assert offers(lines, new, first=1)[0].choices == ()
