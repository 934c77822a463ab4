"""Verdicts, ranks and the sentence that says why."""

import pytest
from evaluation_cases import make_chunks, make_corpus, make_question

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.cutting import boundary_name, cut_sentence, nearest_cut
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.model import Place
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.spans import Span


def lines(corpus, questions, *, size, k=(2,), budget=0):
    configuration = Configuration(
        SplitterSettings(kind="words", unit="words", size=size, overlap=0),
        retriever=RetrieverSettings(k=k, budget=budget),
    )
    return evaluate(CorpusIndex(corpus), configuration, tuple(questions)).questions


TEXT = "pump pump pump. pump oil level. pump seal kit. spare part list."


def test_hit_and_its_rank():
    question = make_question(0, [[("d0", 16, 31)]], text="oil level")
    (line,) = lines(make_corpus(TEXT), [question], size=3)
    assert (line.verdict, line.rank, line.context) == ("hit", 1, 1)
    assert line.reason == "whole in the chunk at rank 1"
    (outcome,) = line.outcomes
    assert (outcome.state, outcome.rank, outcome.chunk, outcome.coverage) == ("whole", 1, 1, 1.0)
    assert outcome.place == Place("d0", Span(16, 31), "given")
    assert [entry.chunk for entry in line.retrieved] == [1]


def test_outranked_with_the_rank_beyond_the_cut_off():
    question = make_question(0, [[("d0", 32, 46)]], text="pump")
    (line,) = lines(make_corpus(TEXT), [question], size=3, k=(1,))
    assert (line.verdict, line.rank) == ("missed", 3)
    assert line.reason == "outranked: first holder stands at rank 3, k is 1"
    assert (line.outcomes[0].state, line.outcomes[0].chunk) == ("not retrieved", 2)


def test_outranked_under_a_budget_names_it():
    question = make_question(0, [[("d0", 32, 46)]], text="pump")
    (line,) = lines(make_corpus(TEXT), [question], size=3, k=(1,), budget=5)
    assert line.reason == "outranked: first holder stands at rank 3, past the budget of 5 tokens"
    assert line.context == 1
    assert line.metrics["context_tokens"] <= 5


def test_no_word_in_the_holder_and_no_word_anywhere():
    holder = make_question(0, [[("d0", 47, 62)]], text="pump")
    nowhere = make_question(1, [[("d0", 47, 62)]], text="zebra")
    first, second = lines(make_corpus(TEXT), [holder, nowhere], size=3)
    assert (first.verdict, first.rank) == ("missed", None)
    assert first.reason == "no query word in the chunk that holds it"
    assert first.outcomes[0].chunk == 3
    assert second.reason == "no query word in the corpus"
    assert second.retrieved == ()


def test_partial_says_which_item_is_at_fault():
    question = make_question(0, [[("d0", 16, 31)], [("d0", 5, 20)]], text="oil level")
    (line,) = lines(make_corpus(TEXT), [question], size=3)
    assert line.verdict == "partial"
    assert line.reason == (
        "1 of 2 evidence items are whole; item 2: cut 10 characters in, by the end of a sentence, "
        "before “pump”; no retriever could return it whole"
    )
    assert line.outcomes[1].cuts == (15,)


def test_split_when_no_item_is_whole_anywhere_missed_when_one_is():
    cut = make_question(0, [[("d0", 5, 20)], [("d0", 25, 40)]], text="oil")
    either = make_question(1, [[("d0", 5, 20)], [("d0", 32, 46)]], text="oil")
    first, second = lines(make_corpus(TEXT), [cut, either], size=3)
    assert first.verdict == "split"
    assert first.reason.startswith("0 of 2 evidence items are whole; item 1: cut 10 characters in")
    assert second.verdict == "missed"


def test_an_alternative_that_is_whole_decides():
    question = make_question(0, [[("d0", 5, 20), ("d0", 16, 31)]], text="oil level")
    (line,) = lines(make_corpus(TEXT), [question], size=3)
    assert line.verdict == "hit"
    assert line.outcomes[0].place == Place("d0", Span(16, 31), "given")


def test_retrieved_goes_to_the_largest_cut_off_context_to_the_first():
    question = make_question(0, [[("d0", 0, 15)]], text="pump")
    (line,) = lines(make_corpus(TEXT), [question], size=3, k=(1, 3))
    assert len(line.retrieved) == 3
    assert line.context == 1
    assert line.metrics["recall"] == line.metrics["recall@1"] == 1.0
    scores = [entry.score for entry in line.retrieved]
    assert scores == sorted(scores, reverse=True)


def test_longer_than_every_chunk_is_said():
    question = make_question(0, [[("d0", 0, 46)]], text="pump")
    (line,) = lines(make_corpus(TEXT), [question], size=3)
    assert line.reason == (
        "46 characters long, and the longest chunk of its document has 16; "
        "no retriever could return it whole"
    )


def test_unmeasured_names_the_items():
    several = make_question(0, [[("d0", 0, 4)]], missing=2)
    (line,) = lines(make_corpus(TEXT), [several], size=3)
    assert line.verdict == "unmeasured"
    assert line.reason == "evidence items 2, 3 of 3 not found in the corpus"
    assert line.recall_range == (0.0, 0.0)
    assert [outcome.state for outcome in line.outcomes] == ["unmeasured"] * 3


def test_the_cut_of_the_chunk_that_holds_most():
    text = "0123456789 0123456789\n\nLimits 0123456789"
    corpus = make_corpus(text)
    chunks = make_chunks(corpus, [[(0, 21), (23, 40)]])
    place = Place("d0", Span(5, 29), "given")
    cut = nearest_cut(chunks, place)
    assert (cut.at, cut.boundaries, cut.longest) == (21, (21,), 21)
    sentence = cut_sentence(chunks, Place("d0", Span(8, 29), "given"), edge=False)
    assert sentence == (
        "cut 13 characters in, by the blank line before “Limits”; "
        "no retriever could return it whole"
    )
    tail = cut_sentence(chunks, Place("d0", Span(19, 36), "given"), edge=False)
    assert tail.startswith("cut 4 characters in, by the blank line before “Limits”")


def test_an_edge_cut_says_what_is_lost():
    chunks = make_chunks(make_corpus("The limit is 78 days. Ask."), [[(0, 20), (20, 26)]])
    sentence = cut_sentence(chunks, Place("d0", Span(0, 21), "given"), edge=True)
    assert (
        sentence == "cut 20 characters in, by a boundary before “.”; only white space or "
        "punctuation is lost"
    )


def test_text_that_no_chunk_holds():
    chunks = make_chunks(make_corpus(TEXT), [[(0, 10)]])
    sentence = cut_sentence(chunks, Place("d0", Span(20, 30), "given"), edge=False)
    assert sentence == "no chunk holds any of it: the splitter leaves that text out"


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("one\n\ntwo", 3, "the blank line before “two”"),
        ("one\r\n\r\ntwo", 7, "the blank line before “two”"),
        ("one\r\ntwo", 3, "the line end before “two”"),
        ("one\ntwo", 4, "the line end before “two”"),
        ("End. Next word", 5, "the end of a sentence, before “Next”"),
        ("one two", 3, "the space before “two”"),
        ("harbour", 4, "a boundary inside “harbour”"),
        ("one,two", 4, "a boundary before “two”"),
        ("one\n", 4, "the line end at the end of the document"),
        ("灯塔在闪光", 2, "a boundary inside “灯塔在闪光”"),
    ],
)
def test_names_of_boundaries(text, at, expected):
    assert boundary_name(text, at) == expected


def test_a_budget_that_no_chunk_fits_is_said():
    question = make_question(0, [[("d0", 16, 31)]], text="oil level")
    configuration = Configuration(
        SplitterSettings(kind="words", unit="words", size=3, overlap=0),
        retriever=RetrieverSettings(k=(2,), budget=1),
    )
    run = evaluate(CorpusIndex(make_corpus(TEXT)), configuration, (question,))
    [line] = run.questions
    assert (line.verdict, line.rank, line.context) == ("missed", 1, 0)
    assert line.reason == "first holder stands at rank 1, past the budget of 1 tokens"
    assert any(warning.startswith("budget: 1 tokens hold no chunk") for warning in run.warnings)


def test_a_budget_below_the_first_chunk_is_said_though_a_smaller_one_is_there():
    question = make_question(0, [[("d0", 16, 31)]], text="oil level")
    corpus = make_corpus(TEXT + " end")
    sizes = [len(text.split()) for text in (TEXT, TEXT + " end")]
    assert [size % 3 for size in sizes] == [0, 1]
    configuration = Configuration(
        SplitterSettings(kind="words", unit="words", size=3, overlap=0),
        retriever=RetrieverSettings(k=(2,), budget=1),
    )
    run = evaluate(CorpusIndex(corpus), configuration, (question,))
    assert int(run.chunks.tokens.min()) == 1
    assert run.questions[0].context == 0
    assert (
        "budget: not even the first chunk fits 1 tokens in 1 of 1 questions; nothing is retrieved "
        "for them" in run.warnings
    )


def test_a_cut_off_beyond_any_number_is_clamped():
    question = make_question(0, [[("d0", 16, 31)]], text="oil level")
    [line] = lines(make_corpus(TEXT), [question], size=3, k=(2**63, 10**30))
    assert (line.verdict, line.rank) == ("hit", 1)
    assert line.metrics["recall"] == 1.0
