"""Scores of tfidf against the cosine of two vectors written out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retrieval_cases import (
    RULES,
    chunk_sets,
    plain_cosines,
    texts,
    whole_documents,
    words_as_indexed,
)

from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.registry import build_retriever
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import ChunkSet


@given(chunk_sets(), st.sampled_from(RULES), st.lists(texts, max_size=3))
def test_scores_are_cosines(chunks: ChunkSet, rule: str, questions: list[str]) -> None:
    settings = RetrieverSettings(kind="tfidf", words=rule)
    retriever = build_retriever(settings, chunks, WordIndex(chunks.corpus, rule))
    words = words_as_indexed(chunks, rule)
    for question, match in zip(questions, retriever.match(questions), strict=True):
        expected = plain_cosines(words, tokenise(question, rule))
        assert match.chunks.tolist() == sorted(expected)
        assert match.scores.tolist() == pytest.approx(
            [expected[chunk] for chunk in match.chunks.tolist()], rel=1e-12
        )
        for chunk, score in zip(match.chunks.tolist(), match.scores.tolist(), strict=True):
            parts = retriever.explain(question, chunk)
            assert sum(value for _, value in parts) == pytest.approx(score, rel=1e-12)


def test_the_same_text_scores_one() -> None:
    chunks = whole_documents(["low tide at noon", "high tide", "fog"])
    settings = RetrieverSettings(kind="tfidf")
    retriever = build_retriever(settings, chunks, WordIndex(chunks.corpus, "unicode"))
    low, fog = retriever.match(["Low tide at noon", "fog and unknown words"])
    assert low.scores[0] == pytest.approx(1.0, abs=1e-15)
    # Words that no chunk holds are no part of the question's vector.
    assert fog.scores.tolist() == pytest.approx([1.0], abs=1e-15)
