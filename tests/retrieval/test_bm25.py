"""Scores of bm25 against its formula written out for one chunk and one word at a time."""

import math
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retrieval_cases import (
    RULES,
    chunk_sets,
    cut_at,
    plain_bm25,
    texts,
    whole_documents,
    words_as_indexed,
)

from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.protocol import Matches
from chunkscope.retrieval.ranking import rank_matches
from chunkscope.retrieval.registry import build_retriever
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import ChunkSet

QueryTerms = Literal["bag", "set"]


def matches(chunks: ChunkSet, questions: list[str], settings: RetrieverSettings) -> list[Matches]:
    index = WordIndex(chunks.corpus, settings.words)
    return list(build_retriever(settings, chunks, index).match(questions))


@given(
    chunk_sets(),
    st.sampled_from(RULES),
    st.lists(texts, max_size=3),
    st.sampled_from(["bag", "set"]),
)
def test_scores_are_the_formula(
    chunks: ChunkSet, rule: str, questions: list[str], query_terms: QueryTerms
) -> None:
    settings = RetrieverSettings(words=rule, query_terms=query_terms)
    words = words_as_indexed(chunks, rule)
    found = matches(chunks, questions, settings)
    assert len(found) == len(questions)
    for question, match in zip(questions, found, strict=True):
        query = tokenise(question, rule)
        if query_terms == "set":
            query = list(dict.fromkeys(query))
        expected = plain_bm25(words, query)
        assert match.chunks.tolist() == sorted(expected)
        assert match.scores.tolist() == pytest.approx(
            [expected[chunk] for chunk in match.chunks.tolist()], rel=1e-12
        )


@given(chunk_sets(), st.lists(texts, min_size=1, max_size=3))
def test_the_parts_of_a_score_add_up_to_it(chunks: ChunkSet, questions: list[str]) -> None:
    settings = RetrieverSettings()
    retriever = build_retriever(settings, chunks, WordIndex(chunks.corpus, settings.words))
    for question, match in zip(questions, retriever.match(questions), strict=True):
        for chunk, score in zip(match.chunks.tolist(), match.scores.tolist(), strict=True):
            parts = retriever.explain(question, chunk)
            values = [value for _, value in parts]
            assert sum(values) == pytest.approx(score, rel=1e-12)
            assert values == sorted(values, reverse=True)
            held = set(words_as_indexed(chunks, "unicode")[chunk])
            asked = dict.fromkeys(tokenise(question, "unicode"))
            assert {word for word, _ in parts} == held & set(asked)


def test_one_score_to_the_digit() -> None:
    chunks = whole_documents(["The tug left at dawn.", "The pier is closed.", "Fog until noon."])
    (match,) = matches(chunks, ["When did the tug leave?"], RetrieverSettings())
    assert match.chunks.tolist() == [0, 1]
    # Of 3 chunks with 4 words on average: "the" stands in 2, "tug" in 1.
    long = 1.2 * (0.25 + 0.75 * 5 / 4)
    short = 1.2 * (0.25 + 0.75 * 4 / 4)
    the, tug = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    assert match.scores.tolist() == pytest.approx(
        [the / (1 + long) + tug / (1 + long), the / (1 + short)], rel=1e-14
    )


def test_a_repeated_query_word_counts_each_time_or_once() -> None:
    chunks = whole_documents(["tide table", "mooring"])
    once, twice = "tide", "tide, tide!"
    bag = matches(chunks, [once, twice], RetrieverSettings())
    assert bag[1].scores.tolist() == [2 * bag[0].scores[0]]
    only = matches(chunks, [once, twice], RetrieverSettings(query_terms="set"))
    assert only[1].scores.tolist() == only[0].scores.tolist() == bag[0].scores.tolist()


def test_equal_texts_tie_exactly() -> None:
    text = "the buoy marks the deep channel"
    noise = ["the deep", "a buoy and a lamp", "channel channel channel the"]
    chunks = whole_documents([text, *noise, text, *noise, text])
    question = "which buoy is the mark of the deep channel in the bay"
    for kind in ("bm25", "rank-bm25", "tfidf"):
        (match,) = matches(chunks, [question], RetrieverSettings(kind=kind))
        scores = dict(zip(match.chunks.tolist(), match.scores.tolist(), strict=True))
        assert scores[0] == scores[4] == scores[8]


@pytest.mark.parametrize("kind", ["bm25", "rank-bm25", "tfidf"])
@pytest.mark.parametrize("texts", [[], [""], ["", "\n\n"], ["…", "—"]])
def test_no_chunk_or_none_with_a_word_gives_no_match(kind: str, texts: list[str]) -> None:
    chunks = whole_documents(texts)
    found = matches(chunks, ["any tide?", "", "…"], RetrieverSettings(kind=kind))
    assert [(match.chunks.tolist(), match.scores.tolist()) for match in found] == [([], [])] * 3


@pytest.mark.parametrize("kind", ["bm25", "rank-bm25", "tfidf"])
def test_chunks_without_a_word_are_never_retrieved_beside_others(kind: str) -> None:
    chunks = whole_documents(["", "low tide", "…", "high tide at noon"])
    (match,) = matches(chunks, ["tide"], RetrieverSettings(kind=kind))
    assert match.chunks.tolist() == [1, 3]
    assert all(math.isfinite(score) for score in match.scores.tolist())


@pytest.mark.parametrize("kind", ["bm25", "rank-bm25", "tfidf"])
def test_a_chinese_word_is_found_inside_text_without_spaces(kind: str) -> None:
    chunks = whole_documents(["港口很安静", "船长在睡觉", "灯塔在闪光"])
    (match,) = matches(chunks, ["灯塔"], RetrieverSettings(kind=kind))
    assert match.chunks.tolist() == [2]
    assert match.scores[0] > 0


@pytest.mark.parametrize("kind", ["bm25", "rank-bm25", "tfidf"])
def test_punctuation_stays_on_a_word_only_by_white_space(kind: str) -> None:
    chunks = whole_documents(["The tug left at dawn.", "Fog until noon.", "Pier closed."])
    bare = RetrieverSettings(kind=kind)
    assert matches(chunks, ["dawn"], bare)[0].chunks.tolist() == [0]
    split = RetrieverSettings(kind=kind, words="whitespace")
    assert matches(chunks, ["dawn"], split)[0].chunks.tolist() == []
    assert matches(chunks, ["dawn."], split)[0].chunks.tolist() == [0]
    assert matches(chunks, ["fog"], split)[0].chunks.tolist() == []


@pytest.mark.parametrize("kind", ["bm25", "rank-bm25", "tfidf"])
def test_more_is_asked_for_than_there_are_chunks(kind: str) -> None:
    chunks = whole_documents(["low tide", "high tide", "the tide the tide"])
    found = matches(chunks, ["tide", "of an and"], RetrieverSettings(kind=kind, k=(10,)))
    ranked, _ = rank_matches(found[0], 10, "earlier")
    assert sorted(ranked.tolist()) == [0, 1, 2]
    assert rank_matches(found[1], 10, "earlier")[0].tolist() == []


def test_a_word_cut_by_a_boundary_is_not_found_whole() -> None:
    chunks = cut_at("the lighthouse", (0, 9), (9, 14))
    found = matches(chunks, ["lighthouse", "light", "house"], RetrieverSettings())
    assert [match.chunks.tolist() for match in found] == [[], [0], [1]]


def test_a_word_of_uncovered_text_is_in_no_match() -> None:
    chunks = cut_at("alpha beta gamma", (0, 5), (11, 16))
    found = matches(chunks, ["beta", "beta gamma"], RetrieverSettings())
    assert [match.chunks.tolist() for match in found] == [[], [1]]


def test_no_question_no_match() -> None:
    assert matches(whole_documents(["tide"]), [], RetrieverSettings()) == []
