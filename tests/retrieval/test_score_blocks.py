"""Scores of many questions at once, against sums written out, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retrieval_cases import chunk_sets, texts

from chunkscope.retrieval import lexical
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.protocol import BlockRetriever
from chunkscope.retrieval.registry import build_retriever
from chunkscope.retrieval.settings import RetrieverSettings


@given(
    chunk_sets(),
    st.lists(texts, max_size=4),
    st.builds(
        RetrieverSettings,
        kind=st.sampled_from(["bm25", "rank-bm25", "tfidf"]),
        words=st.sampled_from(["unicode", "whitespace", "s+|\\w"]),
        query_terms=st.sampled_from(["bag", "set"]),
    ),
    st.sampled_from([(1, 0), (1, 1 << 20), (7, 0), (1 << 20, 0), (1 << 20, 1 << 20)]),
)
def test_scores_are_sums_in_the_order_of_the_questions_words(chunks, questions, settings, cells):
    index = WordIndex(chunks.corpus, settings.words)
    retriever = build_retriever(settings, chunks, index)
    assert isinstance(retriever, BlockRetriever)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexical, "_BLOCK_CELLS", cells[0])
        patch.setattr(lexical, "_FEW_CELLS", cells[1])
        found = list(retriever.match(questions))
    assert len(found) == len(questions)
    for question, matches in zip(questions, found, strict=True):
        numbers = [n for n in retriever.words.numbers(retriever.query_words(question)) if n >= 0]
        wanted = np.unique(np.array(numbers, np.int64))
        postings = retriever.words.postings(wanted)
        weights = retriever._weighting.weigh(postings)
        scale = retriever._weighting.scale(numbers)
        scores: dict[int, float] = {}
        for number in numbers:
            slot = int(np.searchsorted(wanted, number))
            for place in range(int(postings.first[slot]), int(postings.first[slot + 1])):
                chunk = int(postings.chunks[place])
                scores[chunk] = scores.get(chunk, 0.0) + float(weights[place])
        assert matches.chunks.tolist() == sorted(scores)
        assert matches.scores.tolist() == [scores[chunk] * scale for chunk in sorted(scores)]
