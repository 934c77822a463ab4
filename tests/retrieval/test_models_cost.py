"""The most that calls may cost holds for all models of an endpoint together."""

from pathlib import Path

import pytest
from fake_embeddings import FakeEmbeddings, score_of
from fake_endpoint import FakeEndpoint

from chunkscope.endpoint.errors import CostLimitError
from chunkscope.retrieval.models import Access, Models


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
