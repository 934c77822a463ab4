"""Scores of rank-bm25 against the package itself, on the texts of the chunks."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi
from retrieval_cases import (
    RULES,
    chunk_sets,
    texts,
    whole_documents,
    windows,
    words_as_indexed,
)

from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.ranking import rank_matches
from chunkscope.retrieval.registry import build_retriever
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import ChunkSet, Cuts
from chunkscope.text.document import Document


def assert_scores_are_the_packages(
    chunks: ChunkSet,
    questions: list[str],
    rule: str,
    query_terms: Literal["bag", "set"] = "bag",
) -> None:
    words = words_as_indexed(chunks, rule)
    settings = RetrieverSettings(kind="rank-bm25", words=rule, query_terms=query_terms)
    retriever = build_retriever(settings, chunks, WordIndex(chunks.corpus, rule))
    # The package divides by the number of chunks and of terms, and fails where that is none.
    package = BM25Okapi(words) if any(words) else None
    for question, match in zip(questions, retriever.match(questions), strict=True):
        query = tokenise(question, rule)
        if query_terms == "set":
            query = list(dict.fromkeys(query))
        shared = [chunk for chunk, each in enumerate(words) if set(query) & set(each)]
        assert match.chunks.tolist() == shared
        if package is None:
            continue
        scores = package.get_scores(query)
        assert match.scores.tolist() == scores[shared].tolist()
        order = sorted(shared, key=lambda chunk: (-scores[chunk], chunk))
        assert rank_matches(match, len(shared), "earlier")[0].tolist() == order


@given(
    chunk_sets(),
    st.sampled_from(RULES),
    st.lists(texts, max_size=3),
    st.sampled_from(["bag", "set"]),
)
def test_scores_and_ranks_are_the_packages(
    chunks: ChunkSet, rule: str, questions: list[str], query_terms: Literal["bag", "set"]
) -> None:
    assert_scores_are_the_packages(chunks, questions, rule, query_terms)


@given(
    st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6).map(" ".join), max_size=7),
    st.lists(st.sampled_from("abcdefgh"), max_size=6).map(" ".join),
)
def test_words_in_more_than_half_of_the_chunks(chunk_texts: list[str], question: str) -> None:
    assert_scores_are_the_packages(whole_documents(chunk_texts), [question], "unicode")


@pytest.mark.parametrize("seed", range(8))
def test_the_mean_idf_is_summed_in_the_packages_order(seed: int) -> None:
    # Frequent words, whose scores hang on the mean, beside words that boundaries make.
    generator = random.Random(seed)
    words = ["of", "the", *(f"{name}{name}" for name in ("ab", "abc", "bcd", "cda", "dab", "bad"))]
    text = " ".join(generator.choices(words, weights=[12, 12, 3, 3, 2, 2, 1, 1], k=400))
    chunks = windows([Document("a.txt", text)], 61, 47)
    backwards = ChunkSet(
        chunks.corpus,
        [Cuts(chunks.starts[::-1], chunks.ends[::-1])],
        chunks.tokens,
        chunks.sizes,
        chunks.size_limit,
    )
    for each in (chunks, backwards):
        assert_scores_are_the_packages(each, ["the of", "of abab the", "abcabc"], "unicode")


def test_a_frequent_word_gets_a_share_of_the_mean_idf() -> None:
    chunks = whole_documents(["a b", "a c", "a d", "e f"])
    settings = RetrieverSettings(kind="rank-bm25")
    retriever = build_retriever(settings, chunks, WordIndex(chunks.corpus, "unicode"))
    (match,) = retriever.match(["a"])
    rare = np.log(3.5) - np.log(1.5)
    frequent = np.log(1.5) - np.log(3.5)
    mean = (5 * rare + frequent) / 6
    assert match.scores.tolist() == pytest.approx([0.25 * mean] * 3, abs=1e-15)


def test_a_chunk_that_shares_a_word_is_retrieved_whatever_its_score() -> None:
    # Each word stands in one of two chunks: every idf is 0. In both: the floor is negative.
    for texts_of, question, expected in (
        (["a", "b"], "a", [0]),
        (["a", "a"], "a", [0, 1]),
    ):
        chunks = whole_documents(texts_of)
        settings = RetrieverSettings(kind="rank-bm25")
        retriever = build_retriever(settings, chunks, WordIndex(chunks.corpus, "unicode"))
        (match,) = retriever.match([question])
        assert match.chunks.tolist() == expected
        assert (match.scores <= 0).all()


@pytest.mark.parametrize("rule", ["unicode", "whitespace"])
def test_public_questions_on_text_cut_inside_words(
    shared_data: Callable[[str], Path], rule: str
) -> None:
    folder = shared_data("chroma")
    documents = [
        Document(path.name, path.read_bytes().decode("utf-8"))
        for path in sorted((folder / "docs").iterdir())
    ]
    lines = (folder / "golden.jsonl").read_text("utf-8").split("\n")
    questions = [json.loads(line)["question"] for line in lines if line][::8]
    assert len(questions) == 59
    assert_scores_are_the_packages(windows(documents, 1500, 1350), questions, rule)


@pytest.mark.parametrize("name", ["xquad_zh", "xquad_ar", "jaquad"])
def test_public_questions_in_other_scripts(shared_data: Callable[[str], Path], name: str) -> None:
    folder = shared_data(name)
    documents = [
        Document(path.name, path.read_bytes().decode("utf-8"))
        for path in sorted((folder / "docs").iterdir())[:12]
    ]
    lines = (folder / "golden.jsonl").read_text("utf-8").split("\n")
    questions = [json.loads(line)["question"] for line in lines if line][:40]
    assert_scores_are_the_packages(windows(documents, 150, 120), questions, "unicode")


def test_a_hundred_thousand_chunks() -> None:
    names = [f"{number * 7919 % 911} w{number % 13} tide{number % 3}" for number in range(100_000)]
    question = "w1 w2 w3 w4 w5 tide0 tide1 7 8 910"
    text = "".join(name.ljust(20) for name in names)
    assert_scores_are_the_packages(
        windows([Document("many.txt", text)], 20, 20), [question], "unicode"
    )
