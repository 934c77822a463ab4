"""`static` against each chunk's own text embedded by itself, and plain cosines."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retrieval_cases import chunk_set, chunk_sets, cut_at, texts, whole_documents, windows

from chunkscope.errors import MissingPackageError
from chunkscope.retrieval import dense_search, static
from chunkscope.retrieval.dense_search import DenseRetriever, same_rows
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.protocol import BlockRetriever
from chunkscope.retrieval.ranking import rank_block, rank_matches
from chunkscope.retrieval.registry import build_retriever, check_settings, warm_retriever
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.document import Document

pytest.importorskip("wordllama", reason="the extra 'static' is not installed")

from chunkscope.embedding.static import get_static_embedder

STATIC = RetrieverSettings(kind="static")


def build(chunks: ChunkSet) -> DenseRetriever:
    made = build_retriever(STATIC, chunks, WordIndex(chunks.corpus, "unicode"))
    assert isinstance(made, DenseRetriever)
    return made


def as_indexed(chunks: ChunkSet, chunk: int) -> str:
    text = chunks.text(chunk).removeprefix("\ufeff")
    prefix = chunks.prefixes.get(chunk)
    return f"{prefix}\n{text}" if prefix else text


def cosines(chunks: ChunkSet, question: str) -> list[float | None]:
    """The cosine of a question and each chunk's text, None where one of them has no vector."""
    embedder = get_static_embedder()
    asked = embedder.sums([question])[0]
    found: list[float | None] = []
    for chunk in range(len(chunks)):
        own = embedder.sums([as_indexed(chunks, chunk)])[0]
        lengths = np.linalg.norm(asked) * np.linalg.norm(own)
        found.append(float(asked @ own / lengths) if lengths else None)
    return found


@settings(max_examples=150)
@given(chunk_sets(), st.lists(texts, max_size=3), st.sampled_from([1, 7, 1 << 20]))
def test_scores_are_cosines_of_the_chunks_own_texts(
    chunks: ChunkSet, questions: list[str], cells: int
):
    retriever = build(chunks)
    assert isinstance(retriever, BlockRetriever)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense_search, "_BLOCK_CELLS", cells)
        found = list(retriever.match(questions))
    assert len(found) == len(questions)
    for question, matches in zip(questions, found, strict=True):
        expected = cosines(chunks, question)
        ranked = [chunk for chunk, score in enumerate(expected) if score is not None]
        assert matches.chunks.tolist() == ranked
        np.testing.assert_allclose(
            matches.scores, [expected[chunk] for chunk in ranked], atol=1e-12
        )


@given(st.data())
def test_equal_chunks_tie_exactly_and_the_rule_decides(data: st.DataObject):
    lines = data.draw(
        st.lists(
            st.sampled_from(["The tide is out.", "A lamp.", "tide tide"]), min_size=2, max_size=8
        )
    )
    chunks = whole_documents(lines)
    (matches,) = build(chunks).match(["When is the tide out?"])
    scores = dict(zip(lines, matches.scores.tolist(), strict=True))
    assert matches.scores.tolist() == [scores[line] for line in lines]
    for ties, sign in (("earlier", 1), ("later", -1)):
        order, _ = rank_matches(matches, len(lines), ties)
        expected = sorted(range(len(lines)), key=lambda n: (-scores[lines[n]], sign * n))
        assert order.tolist() == expected


def test_ranks_of_real_chunks_are_those_of_brute_force(shared_data: Callable[[str], Path]):
    folder = shared_data("chroma") / "docs"
    documents = [
        Document(path.name, path.read_text("utf-8")[:40_000])
        for path in sorted(folder.iterdir())
        if path.is_file()
    ]
    chunks = windows(documents, 400, 300)
    questions = ["What is the budget of the state?", "Who wrote about finance?", "unemployment"]
    retriever = build(chunks)
    (block,) = retriever.blocks(questions)
    order, scores, counts = rank_block(block, 20, "earlier")
    assert counts.tolist() == [20, 20, 20]
    embedder = get_static_embedder()
    own = embedder.sums([as_indexed(chunks, chunk) for chunk in range(len(chunks))])
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    for row, question in enumerate(questions):
        asked = embedder.sums([question])[0]
        expected = (own * (asked / np.linalg.norm(asked))).sum(axis=1)
        best = np.argsort(-np.round(expected, 12), kind="stable")[:20]
        assert order[row].tolist() == best.tolist()
        np.testing.assert_allclose(scores[row], expected[best], atol=1e-12)


def test_a_chunk_without_a_shared_word_is_retrieved_all_the_same():
    chunks = whole_documents(["The vessel sank.", "Bread is baked with flour."])
    (matches,) = build(chunks).match(["ship"])
    assert matches.chunks.tolist() == [0, 1]
    assert matches.scores[0] > matches.scores[1]


def test_what_has_no_vector_is_not_ranked():
    chunks = chunk_set([Document("a", "tide")], [cut_at("tide", (0, 4), (2, 2)).cuts[0]])
    tide, nothing = build(chunks).match(["tide", ""])
    assert tide.chunks.tolist() == [0]
    assert nothing.chunks.tolist() == []
    assert next(build(whole_documents([])).match(["tide"])).chunks.tolist() == []
    assert list(build(chunks).match([])) == []


def test_the_shares_of_words_make_up_the_score():
    chunks = whole_documents(["The tide is out, and the harbour is dry.", "A lamp is lit."])
    retriever = build(chunks)
    question = "Is the harbour (dry) at the  tide?"
    (matches,) = retriever.match([question])
    for chunk in (0, 1):
        parts = retriever.explain(question, chunk)
        assert {word for word, _ in parts} == {"Is", "the", "harbour", "dry", "at", "tide"}
        assert [share for _, share in parts] == sorted((share for _, share in parts), reverse=True)
        assert sum(share for _, share in parts) == pytest.approx(matches.scores[chunk], abs=1e-12)
    assert retriever.explain("", 0) == []


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_rows_that_differ_by_rounding_alone_are_one(seed: int, count: int):
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 3, count)
    base = np.array([[0.6, 0.8, 0.0], [0.6, 0.0, 0.8], [0.0, 0.6, 0.8]])
    units = base[kinds] * (1 + rng.choice([-1e-16, 0, 1e-16], (count, 1)))
    later, first = same_rows(units)
    expected = {n: kinds.tolist().index(kind) for n, kind in enumerate(kinds)}
    assert dict(zip(later.tolist(), first.tolist(), strict=True)) == {
        n: own for n, own in expected.items() if own != n
    }


def test_settings_it_does_not_use_are_warned_about(monkeypatch: pytest.MonkeyPatch):
    assert check_settings(STATIC) == []
    assert check_settings(STATIC, {"query_terms"}) == [
        "query_terms: not used by retriever 'static'"
    ]
    from chunkscope.embedding import static_model

    monkeypatch.setattr(static_model, "find_spec", lambda _name: None)
    with pytest.raises(MissingPackageError, match=r"pip install 'chunkscope\[static\]'"):
        check_settings(STATIC)


def test_what_is_worked_out_beforehand_is_used_by_every_chunk_set(
    monkeypatch: pytest.MonkeyPatch,
):
    chunks = cut_at("The tide is out. A lamp is lit.", (0, 16), (17, 31))
    (expected,) = build(chunks).match(["tide?"])
    index = WordIndex(chunks.corpus, "unicode")
    warm_retriever(STATIC, index, ["tide?"])
    # Nothing of the corpus is tokenised any more.
    monkeypatch.setattr(static, "StaticCorpus", None)
    for _ in range(2):
        (matches,) = build_retriever(STATIC, chunks, index).match(["tide?"])
        assert matches.scores.tolist() == expected.scores.tolist()
