"""Retrievers of one's own: every form that they may have, and everything that goes wrong."""

import gc
import sys
from pathlib import Path

import numpy as np
import own_samples
import pytest
from onnx_models import write_model
from retrieval_cases import chunk_set, whole_documents

from chunkscope.errors import InputError
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.retrieval import own
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.protocol import Matches, Retriever
from chunkscope.retrieval.ranking import rank_matches
from chunkscope.retrieval.registry import build_retriever, check_settings
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import Cuts
from chunkscope.text.document import Document

TEXTS = ("the tide table", "a ferry and a tide", "harbour fees", "tide tide ferry fees")
QUESTION = "tide and ferry"
# Words shared with the question: 1, 3, 0, 2.
ORDER = [1, 3, 0, 2]


def built(name: str, texts: tuple[str, ...] = TEXTS, **settings: object) -> Retriever:
    chunks = whole_documents(texts)
    index = WordIndex(chunks.corpus, "unicode")
    made = RetrieverSettings(kind=f"own_samples:{name}", **settings)  # type: ignore[arg-type]
    return build_retriever(made, chunks, index)


def answer(retriever: Retriever, question: str = QUESTION) -> Matches:
    return next(iter(retriever.match([question])))


def order(matches: Matches) -> list[int]:
    return rank_matches(matches, 99, "earlier")[0].tolist()


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("ranked", [1 / 3, 1.0, 1 / 4, 1 / 2]),
        ("factory", [1.0, 3.0, 0.0, 2.0]),
        ("Store", [1.0, 3.0, 0.0, 2.0]),
        ("LangchainLike", [1 / 3, 1.0, 1 / 4, 1 / 2]),
        ("FromTexts", [1 / 3, 1.0, 1 / 4, 1 / 2]),
        ("nodes", [1 / 3, 1.0, 1 / 4, 1 / 2]),
        ("points", [1 / 3, 1.0, 1 / 4, 1 / 2]),
        ("pairs", [1.0, 3.0, 0.0, 2.0]),
        ("backwards", [1 / 3, 1.0, 1 / 4, 1 / 2]),
        ("twice", [1 / 3, 1.0, 1 / 4, 1 / 2]),
        ("infinite", [1 / 3, 1.0, 1 / 4, 1 / 2]),
    ],
)
def test_every_form_ranks_as_it_says(name: str, scores: list[float]) -> None:
    matches = answer(built(name))
    assert matches.chunks.tolist() == [0, 1, 2, 3]
    np.testing.assert_array_equal(matches.scores, scores)
    assert order(matches) == ORDER


def test_a_vector_store_of_langchain_is_filled_and_asked_for_all() -> None:
    # Its embeddings are drawn at random by text: the text itself is nearest to itself.
    retriever = built("langchain_store")
    for chunk, text in enumerate(TEXTS):
        found = answer(retriever, text)
        assert found.chunks.tolist() == [0, 1, 2, 3]
        assert order(found)[0] == chunk


def test_an_index_of_llama_index_gives_its_nodes() -> None:
    pytest.importorskip("llama_index.core")
    found = answer(built("llama_index_store"))
    # Every node has the same embedding: three of them come, all at one score.
    assert len(found.chunks) == 3
    assert set(found.chunks.tolist()) <= {0, 1, 2, 3}


def test_results_without_an_id_are_known_by_their_text() -> None:
    # Two chunks have one text: each result takes the first that is free.
    retriever = built("same_text", ("tide", "harbour", "tide"))
    assert order(answer(retriever, "tide")) == [0, 2, 1]


def test_prefixes_and_places_are_given_along() -> None:
    text = "one. two."
    cuts = Cuts(np.array([0, 5]), np.array([4, 9]))
    chunks = chunk_set([Document("a/b.txt", text)], [cuts], {1: "Head"})
    first, second = own.chunks_given(chunks)
    assert (first.chunk_id, first.text, first.doc, first.start, first.end) == (
        "0", "one.", "a/b.txt", 0, 4,
    )  # fmt: skip
    assert second.text == "Head\ntwo." == second.page_content
    assert second.metadata == {"chunk_id": "1", "doc": "a/b.txt", "start": 5, "end": 9}


def test_as_many_are_asked_for_as_rankings_need() -> None:
    texts = tuple(f"tide {number}" for number in range(300))
    assert len(answer(built("factory", texts)).chunks) == 100
    assert len(answer(built("factory", texts, k=(5, 150))).chunks) == 150
    # A retriever with a k of its own is asked for as many.
    assert len(answer(built("LangchainLike", texts)).chunks) == 100


def test_a_store_is_closed_when_it_is_let_go_of() -> None:
    own_samples.closed.clear()
    retriever = built("factory")
    assert isinstance(retriever, own.OwnRetriever)
    retriever.close()
    retriever.close()
    assert own_samples.closed == [4]
    dropped = built("factory", TEXTS[:2])
    assert order(answer(dropped)) == [1, 0]
    del dropped
    gc.collect()
    assert own_samples.closed == [4, 2]


def test_no_answer_retrieves_nothing() -> None:
    assert answer(built("nothing")).chunks.tolist() == []


def test_explained_by_its_own_score() -> None:
    retriever = built("factory")
    assert retriever.explain(QUESTION, 3) == [("score", 2.0)]
    assert built("nothing").explain(QUESTION, 3) == []


def test_a_question_is_asked_once_however_many_chunks_are_explained() -> None:
    settings = RetrieverSettings(kind="own_samples:factory")
    chunks = whole_documents(TEXTS)
    store = own_samples.Store(own.chunks_given(chunks))
    retriever = own.OwnRetriever(settings.kind, store, own.chunks_given(chunks), 100)
    list(retriever.match([QUESTION, "harbour"]))
    assert len(store.asked) == 2
    scores = [retriever.explain(QUESTION, chunk) for chunk in range(4)]
    assert scores == [[("score", score)] for score in (1.0, 3.0, 0.0, 2.0)]
    assert len(store.asked) == 3


@pytest.mark.parametrize(
    ("kind", "same"),
    [("bm25", True), ("hybrid", True), ("dense", True), ("own_samples:factory", False)],
)
def test_a_cut_off_builds_anew_only_what_is_asked_for_so_many(
    kind: str, same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if kind == "dense":
        write_model(tmp_path / "tiny")
        kind = f"dense:{tmp_path / 'tiny'}"
    chunks = whole_documents(TEXTS)
    index = CorpusIndex(chunks.corpus)
    few, many = (index.retriever(RetrieverSettings(kind=kind, k=(k,)), chunks) for k in (2, 150))
    assert (few is many) is same


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("unknown_id", "gave '7f3a', which is no chunk id; give the chunk_id of the chunks it got"),
        ("out_of_range", "gave '4', which is no chunk id"),
        ("negative", "gave '-1', which is no chunk id"),
        ("not_a_number", "gave chunk 1 the score NaN, from which no order follows; return finite"),
        ("not_a_number_of_numpy", "gave chunk 1 the score NaN, from which no order follows"),
        ("not_a_number_on_a_node", "gave chunk 1 the score NaN, from which no order follows"),
        ("failing", "retrieving failed: RuntimeError: the store is down"),
        ("no_list", "gave no list of results"),
        ("one_number", "gave no list of results"),
        ("awaited", "gave no list of results"),
    ],
)
def test_what_goes_wrong_is_named(name: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        answer(built(name))
    assert str(caught.value).startswith(f"retriever 'own_samples:{name}': ")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("own_samples:number", "is of type int, which does not retrieve"),
        ("own_samples:gone", "module 'own_samples' has no 'gone'"),
        ("no_such_module:x", "no module 'no_such_module' is found"),
        ("own_samples:", "is not known; write module:object"),
    ],
)
def test_what_cannot_be_had_is_named_before_anything_runs(kind: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        check_settings(RetrieverSettings(kind=kind))
    assert str(caught.value).startswith("retriever")
    assert said in str(caught.value)


def test_a_factory_must_give_a_retriever() -> None:
    with pytest.raises(InputError, match="gave an object of type int, which has no retrieve"):
        built("half_made")


def test_retrievers_that_packages_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint, EntryPoints

    entry = EntryPoint("by-words", "own_samples:ranked", own.GROUP)
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda group: EntryPoints([entry] if group == own.GROUP else []),
    )
    chunks = whole_documents(TEXTS)
    index = WordIndex(chunks.corpus, "unicode")
    settings = RetrieverSettings(kind="by-words")
    assert check_settings(settings) == []
    assert order(answer(build_retriever(settings, chunks, index))) == ORDER


def test_samples_are_this_folder_s() -> None:
    assert sys.modules["own_samples"].__file__ == own_samples.__file__
