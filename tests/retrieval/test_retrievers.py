"""Retrievers by name, their settings, and a published table of a small corpus."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from retrieval_cases import cut_at, word_windows

from chunkscope.errors import InputError
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.ranking import Ties, rank_matches
from chunkscope.retrieval.registry import (
    build_retriever,
    check_settings,
    is_lexical,
    retriever_kinds,
)
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.text.document import Document


def test_known_kinds() -> None:
    lexical = ("bm25", "rank-bm25", "tfidf")
    assert retriever_kinds()[:4] == (*lexical, "static")
    assert not is_lexical("static")
    for kind in lexical:
        assert is_lexical(kind)
        assert check_settings(RetrieverSettings(kind=kind)) == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"kind": "bm42"}, "retriever: 'bm42' is unknown; give one of bm25, rank-bm25, tfidf"),
        ({"k": ()}, "k: at least one cut-off"),
        ({"k": (5, 0)}, "k: 0 is not a whole number of 1 or more"),
        ({"k": (True,)}, "k: True is not a whole number"),
        ({"k": (2.5,)}, "k: 2.5 is not a whole number"),
        ({"budget": -1}, "budget: -1 is not a number of tokens"),
        ({"budget": False}, "budget: False is not a number of tokens"),
        ({"words": "(a)"}, "words: '(a)' has a capturing group"),
        ({"query_terms": "list"}, "query_terms: 'list' is unknown; give bag or set"),
        ({"ties": "random"}, "ties: 'random' is unknown; give earlier or later"),
    ],
)
def test_settings_that_cannot_work(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        check_settings(RetrieverSettings(**settings))
    assert str(caught.value).startswith(said)


def test_a_cut_off_named_twice_is_warned_about() -> None:
    (warning,) = check_settings(RetrieverSettings(k=(5, 5)))
    assert "[5, 5]" in warning


def test_unknown_kinds_and_foreign_indexes_are_refused() -> None:
    chunks = cut_at("tide", (0, 4))
    index = WordIndex(chunks.corpus, "unicode")
    with pytest.raises(InputError, match="'bm42' is unknown"):
        build_retriever(RetrieverSettings(kind="bm42"), chunks, index)
    with pytest.raises(InputError, match="built for 'unicode', not 'whitespace'"):
        build_retriever(RetrieverSettings(words="whitespace"), chunks, index)


RULE = "[a-z0-9_.~/-]+"


def recall_and_term_coverage(folder: Path, row: dict[str, Any], ties: Ties) -> tuple[float, float]:
    """Means over the questions at the first two ranks, rounded half to even."""
    documents = [
        Document(path.name, path.read_bytes().decode("utf-8"))
        for path in sorted((folder / "docs").iterdir())
    ]
    lines = (folder / "golden.jsonl").read_text("utf-8").split("\n")
    golden = [json.loads(line) for line in lines if line]
    positions = {document.id: position for position, document in enumerate(documents)}
    chunks = word_windows(documents, row["size"], row["overlap"])
    assert len(chunks) == row["chunks"]
    index = WordIndex(chunks.corpus, RULE)
    settings = RetrieverSettings(words=RULE, query_terms="set", ties=ties, k=(2,))
    matches = build_retriever(settings, chunks, index).match([each["question"] for each in golden])
    words = index.chunk_words(chunks)
    recall = coverage = 0.0
    for entry, match in zip(golden, matches, strict=True):
        (evidence,) = entry["evidence"]
        retrieved = rank_matches(match, 2, ties)[0].tolist()
        held = any(
            chunks.documents[chunk] == positions[entry["doc"]]
            and chunks.starts[chunk] <= evidence["start"]
            and evidence["end"] <= chunks.ends[chunk]
            for chunk in retrieved
        )
        asked = index.words_of(evidence["text"])
        recall += held
        coverage += 1 if held else words.standing(asked, retrieved) / len(asked)
    return round(recall / len(golden), 2), round(coverage / len(golden), 2)


def test_a_published_table_comes_out_to_the_digit(shared_data: Callable[[str], Path]) -> None:
    folder = shared_data("toy_cli")
    rows = json.loads((folder / "expected.json").read_text("utf-8"))["rows"]
    assert [row["size"] for row in rows] == [8, 12, 16, 24, 32, 48, 64]
    for row in rows:
        found = recall_and_term_coverage(folder, row, "later")
        assert found == (row["recall"], row["term_coverage"])


def test_a_tie_that_crosses_the_cut_off_changes_the_table(
    shared_data: Callable[[str], Path],
) -> None:
    row = {"size": 16, "overlap": 4, "chunks": 20}
    assert recall_and_term_coverage(shared_data("toy_cli"), row, "earlier") == (0.62, 0.84)
