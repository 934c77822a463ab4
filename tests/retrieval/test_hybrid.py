"""Reciprocal rank fusion against the formula written down plainly, and reranking."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retrieval_cases import chunk_sets, whole_documents

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.retrieval.hybrid import HybridRetriever, ranks
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.protocol import Matches, Retriever
from chunkscope.retrieval.ranking import rank_matches
from chunkscope.retrieval.registry import build_retriever, check_settings
from chunkscope.retrieval.rerank import RerankedRetriever
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet


def retriever(chunks: ChunkSet, kind: str, **settings: object) -> Retriever:
    made = RetrieverSettings(kind=kind, **settings)  # type: ignore[arg-type]
    return build_retriever(made, chunks, WordIndex(chunks.corpus, "unicode"))


def fused_plainly(rankings: Sequence[Matches], constant: int) -> dict[int, float]:
    """The formula, chunk by chunk; tied chunks share the best of their ranks."""
    scores: dict[int, float] = {}
    for matches in rankings:
        pairs = list(zip(matches.chunks.tolist(), matches.scores.tolist(), strict=True))
        for chunk, score in pairs:
            rank = 1 + sum(other > score for _, other in pairs)
            scores[chunk] = scores.get(chunk, 0.0) + 1 / (constant + rank)
    return scores


@given(chunks=chunk_sets(), constant=st.integers(0, 100), data=st.data())
def test_fused_as_the_formula_says(chunks: ChunkSet, constant: int, data: st.DataObject) -> None:
    words = [word for document in chunks.corpus.documents for word in document.text.split()]
    question = " ".join(data.draw(st.lists(st.sampled_from(words or ["tide"]), max_size=4)))
    both = [next(iter(retriever(chunks, kind).match([question]))) for kind in ("bm25", "tfidf")]
    wanted = fused_plainly(both, constant)
    hybrid = retriever(chunks, "hybrid", fuse=("bm25", "tfidf"), fuse_constant=constant)
    found = next(iter(hybrid.match([question])))
    assert dict(zip(found.chunks.tolist(), found.scores.tolist(), strict=True)) == wanted
    for chunk, score in wanted.items():
        parts = hybrid.explain(question, chunk)
        assert sum(part for _, part in parts) == pytest.approx(score, abs=1e-15)


def test_ranks_are_explained_by_retriever() -> None:
    chunks = whole_documents(["tide tide", "tide and ferry", "ferry", "harbour"])
    hybrid = retriever(chunks, "hybrid", fuse=("bm25", "static"))
    assert isinstance(hybrid, HybridRetriever)
    parts = dict(hybrid.explain("ferry", 2))
    assert parts["bm25 rank 1"] == 1 / 61
    assert [name for name in parts if name.startswith("static rank ")] == ["static rank 1"]
    # No word is shared: only the other retriever ranks it.
    assert [name.split(" ")[0] for name, _ in hybrid.explain("ferry", 3)] == ["static"]


def test_tied_chunks_stay_tied() -> None:
    matches = Matches(np.array([2, 5, 7, 9]), np.array([1.0, 3.0, 1.0, 0.5]))
    assert ranks(matches).tolist() == [2, 1, 2, 4]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"fuse": ("bm25", "bm25")}, "fuse: ['bm25', 'bm25'] does not name two retrievers"),
        ({"fuse": ("bm25",)}, "fuse: ['bm25'] does not name two retrievers"),
        ({"fuse": ("bm25", "hybrid")}, "fuse: hybrid cannot be a part of itself"),
        ({"fuse": ("bm25", "bm42")}, "retriever: 'bm42' is unknown"),
        ({"fuse_constant": -1}, "fuse_constant: -1 is not 0 or more"),
    ],
)
def test_fusions_that_cannot_work(settings: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        check_settings(RetrieverSettings(kind="hybrid", **settings))  # type: ignore[arg-type]
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("settings", "given_names", "warned"),
    [
        (RetrieverSettings(), ("fuse",), ["fuse: not used by retriever 'bm25'"]),
        (RetrieverSettings(), ("rerank_depth",), ["rerank_depth: not used without rerank"]),
        (RetrieverSettings(kind="hybrid"), ("fuse", "query_terms"), []),
        (
            RetrieverSettings(kind="static"),
            ("query_terms",),
            ["query_terms: not used by retriever 'static'"],
        ),
        (
            RetrieverSettings(),
            ("base_url",),
            ["base_url: not used, no retriever or rerank of openai:MODEL is named"],
        ),
    ],
)
def test_settings_that_play_no_part_are_warned_about(
    settings: RetrieverSettings, given_names: tuple[str, ...], warned: list[str]
) -> None:
    assert check_settings(settings, given_names) == warned


class ByLength:
    """A cross-encoder that likes short texts; it remembers what it was shown."""

    name = "by-length"
    revision = "1"
    context_limit: int | None = None

    def __init__(self) -> None:
        self.shown: list[tuple[str, tuple[str, ...]]] = []

    def score(
        self, question: str, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        self.shown.append((question, tuple(texts)))
        return np.array([-float(len(text)) for text in texts])


def test_the_first_chunks_are_ranked_anew_and_the_others_not_retrieved() -> None:
    texts = ["tide tide tide", "tide tide", "tide", "a tide in the harbour", "ferry"]
    chunks = whole_documents(texts)
    first = retriever(chunks, "bm25")
    cross_encoder = ByLength()
    reranked = RerankedRetriever(first, cross_encoder, chunks, 3)
    plain = next(iter(first.match(["tide"])))
    best = sorted(rank_matches(plain, 3, "earlier")[0].tolist())
    found = next(iter(reranked.match(["tide"])))
    assert found.chunks.tolist() == best
    assert found.scores.tolist() == [-float(len(texts[chunk])) for chunk in best]
    assert cross_encoder.shown == [("tide", tuple(texts[chunk] for chunk in best))]
    assert reranked.explain("tide", best[0]) == [
        ("score of by-length", -float(len(texts[best[0]])))
    ]
    assert reranked.explain("tide", 4) == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"rerank_depth": 5}, "rerank_depth: 5 is less than k 10"),
        ({"rerank_depth": 0}, "rerank_depth: 0 is not a whole number of 1 or more"),
        ({"rerank": "openai: "}, "rerank: openai: names no model"),
        ({"base_url": "ftp://x"}, "endpoint: not a usable address"),
    ],
)
def test_reranking_that_cannot_work(settings: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        check_settings(RetrieverSettings(**{"rerank": "openai:rank", **settings}))  # type: ignore[arg-type]
    assert str(caught.value).startswith(said)
