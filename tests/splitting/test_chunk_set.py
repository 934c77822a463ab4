"""Chunk sets: counted as they are, without duplicates, with their prefixes."""

from dataclasses import replace

import pytest
from hypothesis import given
from langchain_oracle import LENGTHS, cut, dense_texts, split_settings, token_count

from chunkscope.errors import InputError
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.chunkset import (
    build_chunk_set,
    uncovered_characters,
    uncovered_text_characters,
)
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.splitting.warnings import place_warnings
from chunkscope.text.document import Corpus, Document

WORDS = SplitterSettings(kind="words", size=3, overlap=0)


def chunk_set(
    texts: dict[str, str], settings: SplitterSettings, enrich: EnrichSettings | None = None
) -> ChunkSet:
    corpus = Corpus(tuple(Document(name, text) for name, text in texts.items()))
    cuts = [cut(text, settings) for text in texts.values()]
    return build_chunk_set(corpus, cuts, settings, enrich or EnrichSettings())


@given(dense_texts, dense_texts, split_settings("recursive", regex=False))
def test_lengths_are_those_of_the_finished_texts(
    first: str, second: str, settings: SplitterSettings
) -> None:
    chunks = chunk_set({"a": first, "b": second}, settings)
    assert chunks.sizes.tolist() == [LENGTHS[settings.unit](text) for text in chunks.texts()]
    assert chunks.tokens.tolist() == [token_count(text) for text in chunks.texts()]
    assert chunks.size_limit == settings.size


@given(dense_texts, dense_texts, split_settings("recursive", regex=False))
def test_uncovered_characters_are_those_in_no_range(
    first: str, second: str, settings: SplitterSettings
) -> None:
    chunks = chunk_set({"a": first, "b": second}, settings)
    outside = []
    for document, cuts in zip(chunks.corpus.documents, chunks.cuts, strict=True):
        held: set[int] = set()
        for start, end in zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True):
            held.update(range(start, end))
        outside += [text for at, text in enumerate(document.text) if at not in held]
    assert uncovered_characters(chunks) == len(outside)
    assert uncovered_text_characters(chunks) == sum(not text.isspace() for text in outside)


def test_units_that_a_splitter_fixes_are_the_ones_counted() -> None:
    chunks = chunk_set({"a": "low tide is at six this morning"}, WORDS)
    assert chunks.sizes.tolist() == [3, 3, 1]
    assert not chunks.oversize.any()
    tokens = chunk_set(
        {"a": "low tide is at six"},
        SplitterSettings(kind="token", size=2, overlap=0, unit="characters"),
    )
    assert tokens.sizes.tolist() == [2, 2, 1]


def test_a_chunk_whose_text_stood_before_is_dropped_across_documents() -> None:
    texts = {"a": "one two three four five six one two three", "b": "four five six seven"}
    settings = SplitterSettings(kind="words", size=3, overlap=0, dedupe=True)
    chunks = chunk_set(texts, settings)
    assert chunks.texts() == ["one two three", "four five six", "seven"]
    assert [chunks.locate(chunk) for chunk in range(3)] == [(0, 0), (0, 1), (1, 0)]
    assert chunks.starts.tolist() == [0, 14, 14]
    assert chunks.duplicates == ((0, (28, 41), 0), (1, (0, 13), 1))
    assert place_warnings(chunks) == [
        "dedupe: 2 of 5 chunks dropped, because their text stands in an earlier one: "
        "a 28–41 as in chunk 0 of a; b 0–13 as in chunk 1 of a"
    ]
    assert chunk_set(texts, replace(settings, dedupe=False)).duplicates == ()
    # The text of a dropped chunk is held by none: that of its second place.
    assert uncovered_text_characters(chunks) == len("onetwothree") + len("fourfivesix")


def test_altered_texts_stay_with_their_chunks_when_others_are_dropped() -> None:
    text = "a\n\n\n\nb|a\n\n\n\nb|c\n\n\n\nd"
    settings = SplitterSettings(
        size=6,
        overlap=0,
        unit="characters",
        separators=("|", "\n\n"),
        keep_separator="none",
        dedupe=True,
    )
    chunks = chunk_set({"a": text}, settings)
    assert chunks.texts() == ["a\n\nb", "c\n\nd"]
    assert chunks.cuts[0].altered == {0: "a\n\nb", 1: "c\n\nd"}
    assert chunks.starts.tolist() == [0, 14]


HEADED = (
    "Preface words\n\n# Harbour\n\nrules apply\n\n## Berths\n\nnorth side\n\n# Tides\n\nlow tide\n"
)


def test_prefixes_are_the_title_or_the_path_of_headings() -> None:
    settings = SplitterSettings(size=3, overlap=0, unit="words")
    titled = chunk_set({"guide.md": HEADED}, settings, EnrichSettings(prefix="title"))
    assert set(titled.prefixes.values()) == {"Harbour"}
    headed = chunk_set({"guide.md": HEADED}, settings, EnrichSettings(prefix="headings"))
    by_text = {headed.text(chunk): headed.prefixes[chunk] for chunk in range(len(headed))}
    assert by_text["Preface words"] == "Harbour"
    assert by_text["rules apply"] == "Harbour"
    assert by_text["north side"] == "Harbour > Berths"
    assert by_text["low tide"] == "Harbour > Tides"
    assert headed.tokens.tolist() == [
        token_count(headed.indexed_text(chunk)) for chunk in range(len(headed))
    ]
    assert headed.sizes.tolist() == [len(text.split()) for text in headed.texts()]


def test_a_document_without_headings_is_named_by_its_file() -> None:
    chunks = chunk_set({"notes/spring tide.txt": "low"}, WORDS, EnrichSettings(prefix="headings"))
    assert chunks.prefixes == {0: "spring tide"}
    assert chunks.indexed_text(0) == "spring tide\nlow"


def test_headings_that_stand_side_by_side_are_no_title() -> None:
    enrich = EnrichSettings(prefix="headings", heading_pattern="^Section: .*$")
    text = "before\nSection: dues\nlow\nSection: tides\nhigh\n"
    settings = replace(WORDS, size=1, overlap=0)
    chunks = chunk_set({"policy.txt": text}, settings, enrich)
    by_text = {chunks.text(chunk): chunks.prefixes[chunk] for chunk in range(len(chunks))}
    assert by_text["before"] == "policy"
    assert by_text["low"] == "policy > Section: dues"
    assert by_text["high"] == "policy > Section: tides"


def test_an_unknown_prefix_is_refused() -> None:
    with pytest.raises(InputError, match="prefix: 'footer' is not known"):
        chunk_set({"a": "low"}, WORDS, EnrichSettings(prefix="footer"))  # type: ignore[arg-type]


def test_a_corpus_without_chunks() -> None:
    chunks = chunk_set({"a": " ", "b": ""}, SplitterSettings(size=5, overlap=0))
    assert len(chunks) == 0
    assert chunks.tokens.tolist() == chunks.sizes.tolist() == []
    assert uncovered_characters(chunks) == 1
