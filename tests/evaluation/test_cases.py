"""Cases: kept whole, read strictly, tried again with every change said."""

import copy
import json
from dataclasses import replace

import pytest
from evaluation_cases import make_corpus

from chunkscope.errors import InputError
from chunkscope.evaluation.case import case_file_name, make_case, relative_paths
from chunkscope.evaluation.casefile import case_from_json, case_to_json, read_case, write_case
from chunkscope.evaluation.casereplay import check_cases, replay_case
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import Evidence, Question
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.document import Corpus, Document
from chunkscope.text.loading.reading import Reading

TEXT = "The tug leaves at dawn.\n\nThe ferry leaves at noon.\n\nThe pilot boards at dusk.\n"
OTHER = "Fees are due in May.\n\nThe tug leaves at dawn.\n"


def configuration(size):
    return Configuration(
        SplitterSettings(size=size, overlap=0, unit="characters"),
        retriever=RetrieverSettings(k=(1,)),
    )


def question(start=0, text="The tug leaves at dawn.", doc="d0"):
    item = Evidence(text, start, start + len(text)) if start is not None else Evidence(text)
    return Question("tug", "When does the tug leave?", doc, (item,), answer="At dawn.")


def run(corpus, asked, size):
    return evaluate(CorpusIndex(corpus), configuration(size), (locate_question(asked, corpus),))


@pytest.fixture
def corpus():
    return make_corpus(TEXT, OTHER)


@pytest.fixture
def case(corpus):
    a, b = (run(corpus, question(), size) for size in (10, 30))
    return make_case("tug", a, b, paths=("../docs",))


def test_a_case_holds_what_was_seen(case):
    assert case.question == "When does the tug leave?"
    (item,) = case.evidence
    (place,) = item.places
    assert (place.doc, place.start, place.end, place.tier) == ("d0", 0, 23, "given")
    assert place.text == "The tug leaves at dawn."
    assert (place.before, place.after) == ("", TEXT[23:])
    assert (case.a.verdict, case.a.recall) == ("split", 0.0)
    assert (case.b.verdict, case.b.rank, case.b.recall) == ("hit", 1, 1.0)
    (chunk,) = case.b.retrieved
    assert (chunk.doc, chunk.start, chunk.end, chunk.sent) == ("d0", 0, 23, True)
    assert chunk.text == "The tug leaves at dawn."
    assert "d0" in [document.id for document in case.documents]
    assert case.a.configuration.splitter.size == 10


def test_what_is_written_is_read_again(case, tmp_path):
    file = tmp_path / "tug.case.json"
    write_case(case, file)
    assert file.read_bytes().isascii()
    assert read_case(file) == case


def test_a_percentage_of_overlap_stays_one(corpus):
    settings = Configuration(SplitterSettings(size=30, overlap="10%", unit="characters"))
    asked = locate_question(question(), corpus)
    case = make_case("tug", evaluate(CorpusIndex(corpus), settings, (asked,)))
    again = case_from_json(json.loads(json.dumps(case_to_json(case))), "file")
    assert again == case
    assert again.a.configuration.splitter.overlap == "10%"


def test_how_files_were_read_is_kept_without_passwords(corpus, tmp_path):
    reading = Reading({"a.txt": "cp1252"}, "lf", True, ("title",), "key", True, ("secret",))
    case = make_case("tug", run(corpus, question(), 30), reading=reading)
    write_case(case, tmp_path / "x.json")
    assert "secret" not in (tmp_path / "x.json").read_text()
    assert read_case(tmp_path / "x.json").reading == replace(reading, passwords=())


def test_half_a_pair_and_controls_survive(tmp_path):
    text = "a\ud83d b\x1b[31m \u202e c. The end."
    corpus = make_corpus(text)
    asked = Question("odd", "Which end?", "d0", (Evidence(text[:9], 0, 9),))
    case = make_case("odd", run(corpus, asked, 50))
    write_case(case, tmp_path / "odd.json")
    again = read_case(tmp_path / "odd.json")
    assert again == case
    assert again.evidence[0].places[0].text == text[:9]
    assert replay_case(again, CorpusIndex(corpus)).as_seen


def test_without_texts_no_word_of_the_documents_is_kept(corpus):
    a, b = (run(corpus, question(), size) for size in (10, 30))
    case = make_case("tug", a, b, texts=False)
    text = json.dumps(case_to_json(case))
    for word in ("dawn", "ferry", "pilot", "leaves at"):
        assert word not in text
    again = case_from_json(json.loads(text), "file")
    assert again == case
    assert replay_case(again, CorpusIndex(corpus)).changes == ()


@pytest.mark.parametrize("texts", [True, False])
def test_tried_again_on_the_same_documents_nothing_has_changed(corpus, texts):
    a, b = (run(corpus, question(), size) for size in (10, 30))
    case = make_case("tug", a, b, texts=texts)
    replayed = replay_case(case, CorpusIndex(corpus))
    assert replayed.as_seen
    assert replayed.changes == ()
    assert [one.questions[0].verdict for one in replayed.now] == ["split", "hit"]


def kinds(replayed):
    return [change.kind for change in replayed.changes]


def test_evidence_that_moved_is_found_and_said(case):
    moved = make_corpus("Notice.\n\n" + TEXT, OTHER)
    replayed = replay_case(case, CorpusIndex(moved))
    assert not replayed.as_seen
    assert kinds(replayed)[:2] == ["document", "evidence"]
    length = len(TEXT)
    assert replayed.changes[0].sentence == (
        f"d0 has changed: {length} characters then, {length + 9} now"
    )
    assert replayed.changes[1].sentence == "evidence 1 has moved from d0 0–23 to d0 9–32"
    assert replayed.now[1].questions[0].verdict == "hit"


def test_evidence_that_moved_cannot_be_looked_for_without_its_text(corpus):
    case = make_case("tug", run(corpus, question(), 30), texts=False)
    replayed = replay_case(case, CorpusIndex(make_corpus("Notice.\n\n" + TEXT, OTHER)))
    assert "evidence 1 is no longer at its place; without its text it cannot be looked for" in [
        change.sentence for change in replayed.changes
    ]
    assert replayed.now[0].questions[0].verdict == "unmeasured"


def test_a_missing_document_and_a_missing_passage(case):
    gone = replay_case(case, CorpusIndex(Corpus((Document("d1", OTHER),))))
    sentences = [change.sentence for change in gone.changes]
    assert sentences[0] == "d0 is missing from the documents"
    assert "evidence 1 is not found any more" in sentences
    assert "A: the verdict was split and is unmeasured" in sentences[2]
    cut = replay_case(case, CorpusIndex(make_corpus(TEXT.replace("dawn", "six"), OTHER)))
    assert [change.kind for change in cut.changes][:2] == ["document", "evidence"]


def test_other_documents_that_changed_are_named_as_the_cause():
    corpus = make_corpus(TEXT, "Nothing here.")
    case = make_case("tug", run(corpus, question(), 30))
    more = make_corpus(TEXT, "Nothing here at all.")
    assert kinds(replay_case(case, CorpusIndex(more))) == ["corpus"]


def test_another_version_is_said_and_changes_nothing_seen(case, corpus):
    mapping = case_to_json(case)
    mapping["versions"]["tiktoken"] = "0.0.1"
    replayed = replay_case(case_from_json(mapping, "file"), CorpusIndex(corpus))
    assert kinds(replayed) == ["version"]
    assert replayed.changes[0].sentence.startswith("tiktoken was 0.0.1, is ")
    assert replayed.as_seen


def test_chunks_that_came_back_in_another_way_are_counted(case, corpus):
    mapping = case_to_json(case)
    mapping["b"]["retrieved"][0]["start"] = 1
    replayed = replay_case(case_from_json(mapping, "file"), CorpusIndex(corpus))
    assert [change.sentence for change in replayed.changes] == [
        "B: of 1 chunks that came back 1 no longer do and 1 are new, from rank 1 on"
    ]


def test_any_of_several_places_serves_again(corpus):
    asked = Question(
        "tug",
        "When does the tug leave?",
        "d0",
        (Evidence("The tug leaves at dawn.", alternatives=(
            Evidence("The tug leaves at dawn.", doc="d1"),)),),
    )  # fmt: skip
    case = make_case("tug", run(corpus, asked, 30))
    assert [place.doc for place in case.evidence[0].places] == ["d0", "d1"]
    replayed = replay_case(case, CorpusIndex(corpus))
    assert replayed.as_seen
    assert len(replayed.located.items[0].places) == 2


def test_a_question_that_is_not_there_is_refused(corpus):
    with pytest.raises(InputError, match="question 'x' is not in the run"):
        make_case("x", run(corpus, question(), 30))


def test_check_looks_at_b_or_at_what_is_in_use(case, corpus):
    index = CorpusIndex(corpus)
    alone = make_case("tug", run(corpus, question(), 10))
    found = check_cases({"both": case, "alone": alone}, index)
    assert [(check.name, check.passed) for check in found] == [
        ("case both", True), ("case alone", False),
    ]  # fmt: skip
    assert found[1].message.startswith("split: 23 characters long, and the longest chunk")
    assert found[1].message.endswith("saved as split")
    assert [check.passed for check in check_cases({"a": alone}, index, configuration(30))] == [True]
    assert [check.passed for check in check_cases({"a": case}, index, configuration(10))] == [False]


def test_a_check_that_fails_for_its_documents_says_so(case):
    (check,) = check_cases({"tug": case}, CorpusIndex(Corpus((Document("d1", OTHER),))))
    assert not check.passed
    assert "d0 is missing from the documents" in check.message


WRONG = [
    (("id",), 3, "field id: a number, not text"),
    (("question",), " ", "field question: blank"),
    (("texts",), "yes", "field texts: “yes” is neither true nor false"),
    (("chunkscope_case",), 2, "field chunkscope_case: another version"),
    (("evidence",), {}, "field evidence: an object, not a list"),
    (
        ("evidence", 0, "places", 0, "start"),
        23,
        r"field evidence\[0\].places\[0\].start: 23 is not",
    ),
    (("evidence", 0, "places", 0, "start"), -1, r"places\[0\].start: -1 is less than 0"),
    (("evidence", 0, "places", 0, "end"), True, r"places\[0\].end: true is not a whole number"),
    (("evidence", 0, "places", 0, "sha256"), "ab", r"places\[0\].sha256: not a SHA-256"),
    (("evidence", 0, "places", 0, "text"), "x", r"places\[0\].text: not the text that sha256"),
    (("a",), None, "field a: missing"),
    (("a", "verdict"), "lost", "field a.verdict: “lost” is not one of hit, partial"),
    (("a", "rank"), 0, "field a.rank: 0 is less than 1"),
    (("a", "recall"), 1.5, "field a.recall: 1.5 is not a finite number from 0 to 1"),
    (("b", "retrieved", 0, "score"), "high", r"field b.retrieved\[0\].score: “high” is not a num"),
    (("b", "retrieved", 0, "score"), 10**400, r"b.retrieved\[0\].score"),
    (("b", "retrieved", 0, "sent"), 1, r"b.retrieved\[0\].sent: 1 is neither"),
    (("b", "retrieved", 0, "text"), "y", r"b.retrieved\[0\].text: not the text"),
    (("b", "config", "splitter", "size"), 0, "field b.config.*size"),
    (("b", "config", "splitter", "kind"), "os:system", "field b.config.*os:system"),
    (("documents", 0, "sha256"), None, r"field documents\[0\].sha256: missing"),
    (("corpus", "fingerprint"), "z" * 64, "field corpus.fingerprint: not a SHA-256"),
    (("reading", "newline"), "crlf", "field reading.newline: “crlf” is not one of keep, lf"),
    (("reading", "html"), None, "field reading.html: missing"),
    (("versions", "python"), 3, "field versions.python: a number, not text"),
    (("paths",), [1], r"field paths\[0\]: not a name"),
]


@pytest.mark.parametrize(("place", "value", "message"), WRONG, ids=lambda part: str(part)[:40])
def test_every_field_is_checked_and_named(case, place, value, message):
    mapping = copy.deepcopy(case_to_json(case))
    inner = mapping
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    with pytest.raises(InputError, match=message) as error:
        case_from_json(mapping, "tug.case.json")
    assert str(error.value).startswith("tug.case.json: ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON"),
        (b"[1]", "a list, not an object"),
        (b"{}", "field chunkscope_case is missing"),
        (b"\xff\xfe", "not JSON"),
        (b'{"chunkscope_case": NaN}', "NaN is no JSON number"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_case_is_one_clear_error(tmp_path, content, message):
    file = tmp_path / "x.json"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message) as error:
        read_case(file)
    assert str(file) in str(error.value)


def test_names_of_files():
    assert case_file_name("q-1") == "q-1.case.json"
    odd = case_file_name("../../etc/passwd")
    assert odd.startswith("etc-passwd-")
    assert "/" not in odd
    assert case_file_name("a b") != case_file_name("a/b")


def test_paths_are_named_from_the_folder_of_the_case(tmp_path):
    assert relative_paths([tmp_path / "docs"], tmp_path / "cases") == ("../docs",)
    assert relative_paths([tmp_path], tmp_path) == (".",)
