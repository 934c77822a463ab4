import pytest

from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.golden.reading import read_golden
from chunkscope.golden.validating import Finding, validate
from chunkscope.text.document import Corpus, Document

CORPUS = Corpus(
    (
        Document("a.md", "one lamp, one boat, two  boats. It’s late."),
        Document("b.md", "a quay"),
    )
)


def said(*questions: Question) -> list[tuple[str, str, str]]:
    found = validate(GoldenSet(questions), CORPUS)
    return [(one.severity, one.question_id, one.message) for one in found]


def of(*items: Evidence, identity: str = "q", question: str = "Where?") -> Question:
    return Question(identity, question, "a.md", items)


GOOD = of(Evidence("lamp"), identity="good", question="What is lit at dusk?")


def test_a_good_set_has_nothing_to_say():
    assert said(GOOD) == []


def test_evidence_found_nowhere_is_an_error():
    assert said(GOOD, of(Evidence("whale"))) == [
        ("error", "q", 'evidence[0]: not found in "a.md": correct its text or its doc'),
        ("info", "", "1 of 2 questions cannot be measured"),
    ]


def test_evidence_of_another_document_says_which():
    assert said(GOOD, of(Evidence("lamp"), Evidence("quay")))[0] == (
        "error",
        "q",
        'evidence[1]: not found in "a.md", but in "b.md": correct its doc',
    )


def test_a_missing_document_is_named():
    (first, *_) = said(GOOD, Question("q", "?", "docs/b.md", (Evidence("quay"),)))
    assert first == (
        "error",
        "q",
        'evidence[0]: document "docs/b.md" is not in the corpus; did you mean "b.md"?',
    )


def test_ambiguous_drifted_and_loosely_found_evidence():
    assert said(
        of(Evidence("one"), Evidence("lamp", 0, 4), Evidence("two boats"), Evidence("It's"))
    ) == [
        (
            "warning",
            "q",
            "evidence[0]: ambiguous: its text stands in 2 places, any of which serves; "
            "give start and end to choose one",
        ),
        (
            "warning",
            "q",
            "evidence[1]: drifted: its offsets hold other text; located anew at 4–8 of "
            '"a.md": rewrite its offsets',
        ),
        (
            "info",
            "q",
            "evidence[2]: found when runs of white space are not told apart, not letter by letter",
        ),
        (
            "info",
            "q",
            "evidence[3]: found when quotes, dashes, ligatures, accents' forms and case are "
            "not told apart, not letter by letter",
        ),
    ]


def test_an_alternatives_missing_document_is_a_warning():
    (only,) = said(of(Evidence("lamp", alternatives=(Evidence("x", doc="c.md"),))))
    assert only[0] == "warning"
    assert '"c.md" is not in the corpus' in only[2]


def test_overlapping_evidence_is_a_warning():
    found = said(of(Evidence("boat, two"), Evidence("lamp, one boat"), Evidence("two  boats")))
    assert [one[2] for one in found] == [
        "evidence[0] and evidence[1] share 4 characters; join them or part them",
        "evidence[0] and evidence[2] share 3 characters; join them or part them",
    ]
    nested = said(of(Evidence("lamp, one boat"), Evidence("lamp"), Evidence("boat")))
    assert [one[2][:31] for one in nested] == [
        "evidence[0] and evidence[1] sha",
        "evidence[0] and evidence[2] sha",
    ]
    assert said(of(Evidence("one lamp"), Evidence(", one boat"))) == []


def test_blank_text_of_a_set_that_was_never_a_file():
    found = said(GOOD, of(Evidence(" "), question=" "))
    assert found[0] == ("error", "q", "question: blank; fill it in")
    assert found[1][2].startswith("evidence[0]: blank")


@pytest.mark.parametrize(
    ("other", "similar"),
    [
        ("what is lit, at dusk", True),
        ("What lamp is lit at dusk?", True),
        ("What is lit at?", True),
        ("What is lit at dawn?", False),
        ("What is lit?", False),
    ],
)
def test_near_identical_questions(other, similar):
    found = said(GOOD, of(Evidence("lamp"), question=other))
    expected = ("warning", "q", 'nearly the same question as "good"; keep one of them')
    assert found == ([expected] if similar else [])


def test_the_same_question_of_another_document_is_another():
    other = Question("q", GOOD.question, "b.md", (Evidence("quay"),))
    assert said(GOOD, other) == []


def test_unanswerable_questions_are_counted_apart():
    assert said(GOOD, of()) == [
        ("info", "", "1 of 2 questions is unanswerable on purpose"),
    ]


def test_a_set_of_which_nothing_can_be_measured_is_an_error():
    assert said(of())[-1][0] == "error"
    assert said(of(Evidence("whale")))[-1] == (
        "error",
        "",
        "no question can be measured; add questions whose evidence is in the corpus",
    )
    assert validate(GoldenSet(()), CORPUS) == (
        Finding("error", "", 0, "no questions; add at least one"),
    )


def test_lines_are_those_of_the_file(tmp_path):
    path = tmp_path / "golden.jsonl"
    path.write_text('\n{"id":"q","question":"?","doc":"a.md","evidence":[{"text":"whale"}]}\n')
    assert [one.line for one in validate(read_golden(path), CORPUS)] == [2, 0, 0]


def test_a_public_set_has_only_its_known_ambiguities(shared_data):
    folder = shared_data("cuad")
    corpus = Corpus(
        tuple(
            Document(file.name, file.read_bytes().decode())
            for file in sorted((folder / "docs").iterdir(), key=lambda file: file.name)
        )
    )
    found = validate(read_golden(folder / "golden.jsonl"), corpus)
    assert {one.severity for one in found} == {"warning"}
    assert sum("ambiguous" in one.message for one in found) == 268


def test_one_is_said_as_one():
    messages = [one[2] for one in said(of(Evidence("whale")))]
    assert "1 of 1 question cannot be measured" in messages
    found = said(of(Evidence("one lamp,"), Evidence(", one boat")))
    assert [one[2] for one in found] == [
        "evidence[0] and evidence[1] share 1 character; join them or part them"
    ]
