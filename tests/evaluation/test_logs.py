"""Logs of a real system: read strictly, placed, told apart, their chunking inferred."""

import json
from pathlib import Path

import pytest
from evaluation_cases import make_corpus
from langchain_text_splitters import RecursiveCharacterTextSplitter

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.logagreement import agreement, usual_depth
from chunkscope.evaluation.logdiagnosis import diagnose_log, log_to_json
from chunkscope.evaluation.logfile import LogChunk, LogEntry, read_log
from chunkscope.evaluation.loginference import infer_chunking
from chunkscope.evaluation.logoutcomes import failure_totals, log_outcomes
from chunkscope.evaluation.logplaces import WITHOUT_FIRST_LINE, lane_of, place_log
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.model import Evidence
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.loading.load import load_corpus

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
TEXT = "The tug leaves at dawn. Bring a coat.\n\nThe ferry leaves at noon.\n\nBring a coat.\n"


def entry(*retrieved, expected=("The tug leaves at dawn.",), ok=None, question="When?", number=1):
    chunks = tuple(LogChunk(one) if isinstance(one, str) else one for one in retrieved)
    items = None if expected is None else tuple(Evidence(text) for text in expected)
    return LogEntry(number, f"line-{number}", question, chunks, expected=items, ok=ok)


def place(*entries, text=TEXT):
    return place_log(entries, make_corpus(text))


# --- reading -------------------------------------------------------------------------------------


def test_every_form_of_a_line_is_read(tmp_path):
    lines = [
        {"question": "a", "retrieved": ["one", {"text": "two", "score": 3},
                                        {"doc": "d", "start": 1, "end": 4}]},
        {"id": "x", "question": "b", "retrieved": [], "answer": "", "ok": False, "expected": "e"},
        {"question": "c", "retrieved": [], "expected": [], "ok": True, "other": 1},
        {"question": "d", "retrieved": [], "expected": {"text": "e", "doc": "d"}},
        {"question": "e", "retrieved": [],
         "expected": ["f", {"text": "gh", "doc": "d", "start": 0, "end": 2}]},
    ]  # fmt: skip
    file = tmp_path / "log.jsonl"
    file.write_bytes(
        b"\xef\xbb\xbf" + "\n\n".join(json.dumps(line) for line in lines).encode() + b"\n"
    )
    found = read_log(file)
    assert [one.id for one in found] == ["line-1", "x", "line-5", "line-7", "line-9"]
    assert found[0].retrieved == (
        LogChunk("one"), LogChunk("two", score=3.0), LogChunk(None, "d", 1, 4),
    )  # fmt: skip
    assert (found[0].expected, found[0].ok, found[0].answer) == (None, None, None)
    assert (found[1].expected, found[1].ok, found[1].answer) == ((Evidence("e"),), False, "")
    assert found[2].expected == ()
    assert found[3].expected == (Evidence("e", doc="d"),)
    assert found[4].expected == (Evidence("f"), Evidence("gh", 0, 2, "d"))


BAD = [
    (b"nope", "line 2: not JSON"),
    (b"[1]", "line 2: a list, not an object"),
    (b"{}", "line 2: field question: missing"),
    (b'{"question": " ", "retrieved": []}', "line 2: field question: blank"),
    (b'{"question": "a"}', "line 2: field retrieved: missing"),
    (b'{"question": "a", "retrieved": "x"}', "line 2: field retrieved: text, not a list"),
    (b'{"question": "a", "retrieved": [1]}', r"line 2: field retrieved\[0\]: a number"),
    (b'{"question": "a", "retrieved": [""]}', r"line 2: field retrieved\[0\]: blank"),
    (b'{"question": "a", "retrieved": [{}]}', r"line 2: field retrieved\[0\].text: missing"),
    (
        b'{"question": "a", "retrieved": ["x", {"doc": "d", "start": 4, "end": 4}]}',
        r"line 2: field retrieved\[1\].start: 4 is not before end 4",
    ),
    (
        b'{"question": "a", "retrieved": [{"start": 1, "end": 4}]}',
        r"line 2: field retrieved\[0\].doc: missing",
    ),
    (
        b'{"question": "a", "retrieved": [{"text": "b", "score": "high"}]}',
        r"line 2: field retrieved\[0\].score: “high” is not a number",
    ),
    (b'{"question": "a", "retrieved": [], "ok": 1}', "line 2: field ok: 1 is neither true"),
    (b'{"question": "a", "retrieved": [], "expected": 3}', "field expected: a number, not an obj"),
    (
        b'{"question": "a", "retrieved": [], "expected": {"text": "b", "start": 1, "end": 2}}',
        "field expected.doc: missing beside start and end",
    ),
    (b'{"question": "a", "retrieved": [], "ok": NaN}', "NaN is no JSON number"),
    (b'{"id": "one", "question": "a", "retrieved": []}', "field id: “one” stands in line 1"),
    (b'{"question": "\xff", "retrieved": []}', "line 2: not UTF-8"),
    (b"[" * 100_000, "line 2: nested too deeply"),
]


@pytest.mark.parametrize(("line", "message"), BAD, ids=[message for _, message in BAD])
def test_a_bad_line_names_file_line_and_field(tmp_path, line, message):
    file = tmp_path / "log.jsonl"
    file.write_bytes(b'{"id": "one", "question": "a", "retrieved": []}\n' + line + b"\n")
    with pytest.raises(InputError, match=message) as error:
        read_log(file)
    assert str(file) in str(error.value)


def test_an_empty_log_and_a_missing_one_are_errors(tmp_path):
    (tmp_path / "log.jsonl").write_bytes(b"\n\n")
    with pytest.raises(InputError, match="no question in it"):
        read_log(tmp_path / "log.jsonl")
    with pytest.raises(InputError, match="cannot be read"):
        read_log(tmp_path / "other.jsonl")


# --- placing -------------------------------------------------------------------------------------


def test_what_repeats_is_ambiguous_and_nothing_is_guessed():
    (placed,) = place(entry("The ferry leaves at noon.", "Bring a coat.", "Nowhere at all."))
    once, twice, never = placed.chunks
    assert (once.certain, [tuple(one.span) for one in once.places]) == (True, [(39, 64)])
    assert (twice.certain, len(twice.places)) == (False, 2)
    assert twice.place is None
    assert never.places == ()
    lane = lane_of(placed)
    assert [(one.rank, one.span.start, one.certain) for one in lane] == [
        (1, 39, True), (2, 24, False), (2, 66, False),
    ]  # fmt: skip


def test_a_chunk_may_part_words_overlap_itself_and_differ_in_white_space():
    (placed,) = place_log([entry("tug leaves at da", "aXaXa", "The  ferry\nleaves at noon.")],
                          make_corpus(TEXT + "aXaXaXa"))  # fmt: skip
    parted, repeated, loose = placed.chunks
    assert [tuple(one.span) for one in parted.places] == [(4, 20)]
    assert len(repeated.places) == 2
    assert [one.tier for one in loose.places] == ["whitespace"]


def test_a_title_put_before_a_chunk_is_passed_over():
    (placed,) = place(entry("Timetable > Ferries\nThe ferry leaves at noon."))
    (chunk,) = placed.chunks
    assert [(one.tier, tuple(one.span)) for one in chunk.places] == [(WITHOUT_FIRST_LINE, (39, 64))]


def test_ranges_are_taken_where_the_document_has_them():
    (placed,) = place(
        entry(LogChunk(None, "d0", 0, 23), LogChunk(None, "d9", 0, 2), LogChunk(None, "d0", 0, 999))
    )
    assert [len(chunk.places) for chunk in placed.chunks] == [1, 0, 0]
    assert placed.chunks[0].place.tier == "given"


# --- telling failures apart ----------------------------------------------------------------------

OUTCOMES = [
    (entry("The tug leaves at dawn. Bring a coat.", ok=False), "hit", "generation", 1),
    (entry("The tug leaves at dawn. Bring a coat.", ok=True), "hit", "none", 1),
    (entry("The tug leaves at dawn. Bring a coat."), "hit", "unknown", 1),
    (entry("The ferry leaves at noon.", ok=False), "missed", "retrieval", None),
    (entry("The ferry leaves at noon.", ok=True), "missed", "none", None),
    (entry("The ferry leaves at noon."), "missed", "retrieval", None),
    (entry("Nope.", "The tug leaves", "at dawn. Bring a coat."), "split", "retrieval", None),
    (entry("The ferry leaves at noon.", ok=False, expected=("Not there.",)), "unmeasured",
     "unknown", None),
    (entry("The ferry leaves at noon.", ok=False, expected=None), "not said", "unknown", None),
    (entry("The ferry leaves at noon.", ok=True, expected=None), "not said", "none", None),
    (entry("The ferry leaves at noon.", ok=False, expected=()), "unanswerable", "generation", None),
    (entry("Bring a coat.", expected=("Bring a coat.",), ok=False), "hit", "generation", 1),
    (entry("x The tug leaves at dawn. y", ok=False), "hit", "generation", 1),
    (entry("The ferry leaves at noon.", ok=False,
           expected=("The ferry leaves at noon.", "The tug leaves at dawn.")),
     "partial", "retrieval", 1),
]  # fmt: skip


@pytest.mark.parametrize(("given", "verdict", "failure", "rank"), OUTCOMES)
def test_retrieval_and_generation_are_told_apart(given, verdict, failure, rank):
    (outcome,) = log_outcomes(place(given))
    assert (outcome.verdict, outcome.failure, outcome.rank) == (verdict, failure, rank)


def test_words_that_stand_elsewhere_too_are_not_taken_for_given_offsets():
    evidence = (Evidence("Bring a coat.", 24, 37, "d0"),)
    chunks = (LogChunk("x Bring a coat. y"),)
    given = LogEntry(1, "line-1", "What to bring?", chunks, expected=evidence)
    (outcome,) = log_outcomes(place(given))
    assert outcome.verdict == "missed"
    unplaced = entry("unbring a coats", expected=("ring a coat",), ok=False)
    (outcome,) = log_outcomes(place(unplaced))
    assert outcome.verdict == "missed"


def test_a_cut_seen_in_what_came_back_is_named():
    (outcome,) = log_outcomes(place(entry("The tug leaves", "at dawn. Bring a coat.")))
    assert outcome.cuts == (("d0", 14), ("d0", 15))
    assert outcome.coverage == pytest.approx(22 / 23)
    assert outcome.sentence == "96% of it came back, cut by a boundary at d0 14"


def test_totals_name_every_kind():
    assert failure_totals(log_outcomes(place(OUTCOMES[0][0], OUTCOMES[3][0]))) == {
        "retrieval": 1, "generation": 1, "none": 0, "unknown": 0,
    }  # fmt: skip


# --- the chunking in use -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def samples():
    return CorpusIndex(load_corpus([SAMPLES / "policy", SAMPLES / "guides"]))


def logged(index, splitter, step=1, take=40):
    chunks = [chunk for document in index.corpus.documents
              for chunk in splitter.split_text(document.text)]  # fmt: skip
    return place_log(
        [entry(*chunks[at : at + 5], expected=None, number=at + 1)
         for at in range(0, min(take * step, len(chunks)), 5 * step)],
        index.corpus,
    )  # fmt: skip


@pytest.mark.parametrize(("size", "overlap"), [(500, 100), (1000, 0)])
def test_langchains_own_settings_are_recognised(samples, size, overlap):
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap)
    found = infer_chunking(samples, logged(samples, splitter))
    assert found.certainty == "certain"
    assert found.best.matched == found.observed >= 10
    best = found.best.splitter
    assert (best.kind, best.size, best.unit) == ("recursive", size, "characters")
    assert best.separators == ("\n\n", "\n", " ", "")
    if overlap:
        assert best.overlap == overlap
    assert f"certainly recursive {size}/" in found.sentence


def test_lengths_in_tokens_are_recognised(samples, tiktoken_cache):
    splitter = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
        "cl100k_base", chunk_size=200, chunk_overlap=20
    )
    best = infer_chunking(samples, logged(samples, splitter)).best.splitter
    assert (best.size, best.overlap, best.unit, best.encoding) == (200, 20, "tokens", "cl100k_base")


def test_few_chunks_are_not_enough_to_be_certain(samples):
    splitter = RecursiveCharacterTextSplitter(chunk_size=500, chunk_overlap=100)
    found = infer_chunking(samples, logged(samples, splitter, take=5))
    assert found.observed == 5
    assert found.certainty == "likely"


def test_what_no_usual_chunking_makes_is_not_known(samples):
    text = samples.corpus.documents[0].text
    odd = [entry(text[at : at + 211 + at % 7], expected=None, number=at + 1)
           for at in range(0, 9_000, 307)]  # fmt: skip
    found = infer_chunking(samples, place_log(odd, samples.corpus))
    assert found.certainty == "unknown"
    assert "is not known" in found.sentence
    nothing = infer_chunking(samples, place_log([entry("zzz")], samples.corpus))
    assert (nothing.best, nothing.observed, nothing.certainty) == (None, 0, "unknown")


# --- agreement and what carries over -------------------------------------------------------------


def test_agreement_is_the_share_of_what_came_back():
    text = "alpha one.\n\nbeta two.\n\ngamma three.\n\ndelta four.\n"
    corpus = make_corpus(text)
    entries = [
        entry("alpha one.", "beta two.", question="alpha", number=1, expected=None),
        entry("gamma three.", question="gamma", number=2, expected=None),
        entry("nowhere", question="delta", number=3, expected=None),
    ]
    placed = place_log(entries, corpus)
    found = diagnose_log(
        CorpusIndex(corpus), placed,
        Configuration(SplitterSettings(size=16, overlap=0, unit="characters")), infer=False,
    )  # fmt: skip
    assert found.agreement.per_question == {"line-1": 0.5, "line-2": 1.0}
    assert found.agreement.mean == 0.75
    assert not found.agreement.agrees
    assert found.carries("split") is False
    assert usual_depth(placed) == 1


def real_log(index, configuration, ids):
    """A log as the stand-in itself would have made it."""
    from chunkscope.golden.locating import locate
    from chunkscope.golden.reading import read_golden

    golden = [question for question in locate(read_golden(SAMPLES / "golden.jsonl"), index.corpus)
              if question.measured][:ids]  # fmt: skip
    run = evaluate(index, configuration, golden)
    entries = []
    for number, line in enumerate(run.questions, start=1):
        texts = [run.chunks.text(one.chunk) for one in line.retrieved[: line.context]]
        expected = tuple(item.evidence.text for item in line.located.items)
        entries.append(
            entry(*texts, expected=expected, ok=line.verdict == "hit", number=number,
                  question=line.located.question.question)
        )  # fmt: skip
    return run, entries


def test_a_stand_in_that_is_the_real_one_agrees_and_all_findings_carry_over():
    index = CorpusIndex(load_corpus([SAMPLES / "policy", SAMPLES / "guides"]))
    configuration = Configuration(
        SplitterSettings(size=64, overlap=0), retriever=RetrieverSettings(k=(3,))
    )
    run, entries = real_log(index, configuration, 30)
    found = diagnose_log(index, place_log(entries, index.corpus), Configuration())
    assert found.inferred
    assert found.configuration.splitter.size == 64
    assert found.configuration.retriever.k[0] == 3
    assert found.agreement.agrees
    assert found.agreement.mean > 0.95
    real = [line.verdict == "hit" for line in run.questions]
    assert [outcome.verdict == "hit" for outcome in found.outcomes] == real
    assert [outcome.failure == "retrieval" for outcome in found.outcomes] == [
        not hit for hit in real
    ]
    assert all(found.carries(one.signature) for one in found.diagnosis.questions)
    report = json.loads(json.dumps(log_to_json(found), allow_nan=False))
    assert [entry["holds"] for entry in report["carries_over"]] == [True, True, True]
    failed = [entry for entry in report["questions"] if entry["failure"] == "retrieval"]
    assert len(failed) == real.count(False) > 0
    assert all(entry["stand_in"]["carries_over"] for entry in failed)


def test_of_several_stand_ins_the_one_that_agrees_most_is_taken():
    index = CorpusIndex(load_corpus([SAMPLES / "policy", SAMPLES / "guides"]))
    real = RetrieverSettings(kind="rank-bm25", words="whitespace", k=(3,))
    configuration = Configuration(SplitterSettings(size=64, overlap=0), retriever=real)
    _run, entries = real_log(index, configuration, 30)
    placed = place_log(entries, index.corpus)
    alone = diagnose_log(index, placed, Configuration())
    both = diagnose_log(index, placed, Configuration(), stand_ins=[real])
    assert alone.agreement.stand_in == "bm25"
    assert both.agreement.stand_in == "rank-bm25"
    assert both.agreement.mean > alone.agreement.mean
    assert agreement(placed, both.run).mean == both.agreement.mean
