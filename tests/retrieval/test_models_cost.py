"""Models behind an endpoint: one cap for all of them, several questions reranked at once."""

import threading
from pathlib import Path

import pytest
from fake_embeddings import FakeEmbeddings, score_of
from fake_endpoint import Answer, FakeEndpoint, Request
from retrieval_cases import whole_documents

from chunkscope.endpoint.errors import CostLimitError
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.models import Access, Models
from chunkscope.retrieval.registry import build_retriever
from chunkscope.retrieval.rerank import RerankedRetriever
from chunkscope.retrieval.settings import RetrieverSettings


def test_an_embedder_and_a_reranker_share_the_cap(tmp_path: Path):
    fake = FakeEmbeddings()
    # A million a token: the fake reports three tokens a text.
    access = Access(cache=tmp_path / "v.sqlite3", price=1e6, max_cost=14.0)
    with FakeEndpoint(fake) as server:
        models = Models(access)
        embedder = models.embedder("openai:one", server.url)
        reranker = models.cross_encoder("openai:two", server.url)
        embedder.embed(["a", "b"])
        assert reranker.score("q", ["a"]).tolist() == [score_of("q", "a")]
        # Nine are spent; each of them alone would have room for three texts more.
        with pytest.raises(CostLimitError, match="max cost: 9 is spent"):
            embedder.embed(["a", "c", "d", "e"])
        assert len(server.requests) == 2
        # What is kept costs nothing.
        assert reranker.score("q", ["a", "a"]).tolist() == [score_of("q", "a")] * 2
        assert embedder.embed(["b", "a"]).shape == (2, 8)


def test_reranking_asks_for_several_questions_at_once(tmp_path: Path):
    fake = FakeEmbeddings()
    together = threading.Barrier(2, timeout=10)
    texts = ["tide and rope", "rope", "a tide in the harbour", "ferry"]
    chunks = whole_documents(texts)

    def reply(request: Request) -> Answer:
        # Two questions at once, then the one that is left.
        if request.body["query"] != "ferry":
            together.wait()
        return fake(request)

    with FakeEndpoint(reply) as server:
        models = Models(Access(cache=tmp_path / "v.sqlite3", concurrency=2))
        first = build_retriever(RetrieverSettings(), chunks, WordIndex(chunks.corpus, "unicode"))
        cross_encoder = models.cross_encoder("openai:m", server.url)
        reranked = RerankedRetriever(first, cross_encoder, chunks, 3)
        found = list(reranked.match(["rope", "tide", "ferry"]))
        assert [matches.chunks.tolist() for matches in found] == [[0, 1], [0, 2], [3]]
        for question, matches in zip(["rope", "tide", "ferry"], found, strict=True):
            assert matches.scores.tolist() == [
                score_of(question, texts[chunk]) for chunk in matches.chunks.tolist()
            ]
        assert next(iter(reranked.match(["none of them"]))).scores.shape == (0,)
        assert len(server.requests) == 3
