import pytest

from chunkscope.golden.locating import locate
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.golden.stats import EvidenceSizes, evidence_sizes, word_overlap
from chunkscope.golden.suspects import SharedWords, shared_words
from chunkscope.golden.validating import findings
from chunkscope.text.document import Corpus, Document
from chunkscope.text.tokens import get_token_counter

TEXT = "The north quay opens at six and closes at nine. The fee for a berth is 25 euros a night."
CORPUS = Corpus((Document("a.md", TEXT), Document("b.md", "word " * 600 + "end")))
FEE = "The fee for a berth is 25 euros a night."


def said(*questions: Question, counter=None) -> list[tuple[str, str]]:
    golden = GoldenSet(questions)
    found = findings(golden, locate(golden, CORPUS), CORPUS, counter)
    return [
        (one.question_id, one.message)
        for one in found
        if one.severity == "warning" and one.question_id
    ]


def said_of_set(*questions: Question) -> list[tuple[str, str]]:
    golden = GoldenSet(questions)
    found = findings(golden, locate(golden, CORPUS), CORPUS)
    return [(one.severity, one.message) for one in found if not one.question_id]


def asked(identity: str, question: str, evidence: str = FEE, doc: str = "a.md") -> Question:
    return Question(identity, question, doc, (Evidence(evidence),))


@pytest.mark.parametrize(
    ("question", "evidence", "expected"),
    [
        ("What does a berth cost?", [FEE], SharedWords(5, 2, 2)),
        ("The FEE for a berth", [FEE], SharedWords(5, 5, 5)),
        ("the fee for a berth is 25 euros", [FEE], SharedWords(8, 8, 6)),
        ("Fee? berth?", ["the fee", "a berth"], SharedWords(2, 2, 1)),
        ("奈良県", ["奈良に"], SharedWords(3, 2, 2)),
        ("?", [FEE], SharedWords(0, 0, 0)),
        ("Why?", [], SharedWords(1, 0, 0)),
    ],
)
def test_words_shared_with_the_evidence(question, evidence, expected):
    assert shared_words(question, evidence) == expected


def test_quoting_is_told_by_a_run_of_words_or_by_most_of_them():
    ((identity, message),) = said(asked("q", "Where is the fee for a berth is 25 found?"))
    assert identity == "q"
    assert message == (
        "quotes its evidence: 80% of its words (8 of 10) stand there, 6 or more in a row"
    )
    assert said(asked("q", "Is a berth a night 25 euros?"))[0][1].startswith("quotes")
    assert said(asked("q", "What does a berth cost?")) == []
    assert said(asked("q", "berth fee night euros?")) == []


def test_how_many_quote_their_evidence_is_said_once_with_what_to_do():
    quoting = asked("1", "Where is the fee for a berth is 25 found?")
    plain = asked("2", "What does a place cost?")
    assert said_of_set(quoting, plain, Question("3", "Who?", "a.md", ())) == [
        ("info", "1 of 3 questions is unanswerable on purpose"),
        ("warning", "1 of 2 questions with evidence quotes its evidence: retrieval by words looks "
         "better than it is; ask in a user's own words"),
    ]  # fmt: skip
    assert said_of_set(plain) == []


def typed(*types: str | None) -> list[Question]:
    return [
        Question(str(number), f"Number {number}?", "b.md", (Evidence("word end"),), type=kind)
        for number, kind in enumerate(types)
    ]


def test_a_type_that_is_most_of_the_set_is_said():
    lopsided = ("warning", '16 of 20 types are "fact": what suits this kind decides alone; add the '
                "other kinds that users ask")  # fmt: skip
    assert said_of_set(*typed(*["fact"] * 16, *["table"] * 4)) == [lopsided]
    assert said_of_set(*typed(*["fact"] * 15, *["table"] * 5)) == []
    assert said_of_set(*typed(*["fact"] * 19)) == []
    assert said_of_set(*typed(*[None] * 20)) == [
        ("info", "no question has a type: with one, sizes can be compared by kind of question")
    ]


def test_much_the_same_question_of_the_same_evidence():
    first = asked("1", "How much money does one berth cost per single night stay?")
    assert said(first, asked("2", "Per single night stay, one berth does cost how much?")) == [
        ("2", 'asks much the same as "1", of the same evidence; keep one of them')
    ]
    other = asked("2", "Per single night stay, one berth does cost how much?", "north quay")
    assert said(first, other) == []
    assert said(asked("1", "Cost of 2 berths today in total"),
                asked("2", "Today in total cost of 3 berths")) == []  # fmt: skip
    assert said(first, asked("2", "Which sum buys a place for the boat until tomorrow?")) == []


def test_evidence_longer_than_a_typical_chunk_is_said_where_tokens_are_counted():
    long = asked("q", "How many?", ("word " * 600).strip(), "b.md")
    counter = get_token_counter("cl100k_base")
    ((identity, message),) = said(long, counter=counter)
    assert (identity, message.partition(":")[2][:12]) == ("q", " 600 tokens,")
    assert said(long) == []
    assert said(asked("q", "What does a place cost?"), counter=counter) == []


def test_evidence_that_is_nowhere_shows_the_nearest_passage():
    golden = GoldenSet((asked("q", "?", "The berth fee is 25 euros each night"),))
    (first, *_) = findings(golden, locate(golden, CORPUS), CORPUS)
    assert first.severity == "error"
    assert '; the nearest passage, 48–87 of "a.md": "The fee for a berth is 25' in first.message


def test_lengths_in_tokens_and_the_size_floor():
    counter = get_token_counter("cl100k_base")
    questions = [asked(str(n), f"number {n}", "word " * n + "word", "b.md") for n in range(20)]
    whole = locate(GoldenSet(tuple(questions)), CORPUS)
    assert evidence_sizes(whole, CORPUS, counter.count) == EvidenceSizes(
        20, (10, 15, 18, 19, 20), 19
    )
    lost = locate(GoldenSet((asked("q", "?", "whale"),)), CORPUS)
    assert evidence_sizes(lost, CORPUS, counter.count) == EvidenceSizes(0, (), None)


def test_the_mean_share_of_words_leaves_unanswerable_questions_out():
    questions = (
        asked("1", "What does a berth cost?"),
        asked("2", "berth night fee euros?"),
        Question("3", "?", "a.md", ()),
    )
    overlap = word_overlap(locate(GoldenSet(questions), CORPUS))
    assert (overlap.questions, overlap.mean, overlap.quoting) == (2, 0.7, 0)
    assert word_overlap(()).mean is None
