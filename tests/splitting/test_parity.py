"""The chunks are LangChain's, text for text, and each knows where it came from."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_oracle import (
    EXAMPLES,
    assert_true_spans,
    cut,
    dense_texts,
    langchain_texts,
    split_settings,
    texts,
)

from chunkscope.splitting.registry import check_settings, get_splitter
from chunkscope.splitting.settings import SplitterSettings


def assert_same(text: str, wanted: SplitterSettings) -> None:
    check_settings(wanted)
    cuts = cut(text, wanted)
    assert cuts.texts(text) == langchain_texts(text, wanted)
    assert_true_spans(text, cuts)


@settings(max_examples=EXAMPLES)
@given(texts, split_settings("recursive", regex=False))
def test_recursive_with_literal_separators(text: str, wanted: SplitterSettings) -> None:
    assert_same(text, wanted)


@settings(max_examples=EXAMPLES)
@given(texts, split_settings("recursive", regex=True))
def test_recursive_with_patterns(text: str, wanted: SplitterSettings) -> None:
    assert_same(text, wanted)


@settings(max_examples=EXAMPLES)
@given(texts, split_settings("character", regex=False))
def test_character_with_a_literal_separator(text: str, wanted: SplitterSettings) -> None:
    assert_same(text, wanted)


@settings(max_examples=EXAMPLES)
@given(texts, split_settings("character", regex=True))
def test_character_with_a_pattern(text: str, wanted: SplitterSettings) -> None:
    assert_same(text, wanted)


@settings(max_examples=EXAMPLES)
@given(texts, st.integers(1, 20), st.data())
def test_token(text: str, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    assert_same(text, SplitterSettings(kind="token", size=size, overlap=overlap))


@given(dense_texts, split_settings("recursive", regex=False), st.lists(st.integers(1, 40)))
def test_a_tree_cut_before_at_other_sizes_cuts_the_same(
    text: str, wanted: SplitterSettings, sizes: list[int]
) -> None:
    prepared = get_splitter("recursive").prepare(text, wanted)
    for size in sizes:
        prepared.cut(size, 0)
    cuts = prepared.cut(wanted.size, wanted.overlap_size)
    assert cuts.texts(text) == langchain_texts(text, wanted)
    assert_true_spans(text, cuts)


@given(dense_texts, split_settings("recursive", regex=False, keep=("end", "start")))
def test_kept_separators_never_alter_a_chunk(text: str, wanted: SplitterSettings) -> None:
    assert cut(text, wanted).altered == {}


@pytest.mark.parametrize("keep", ["end", "start", "none"])
@pytest.mark.parametrize("unit", ["tokens", "characters", "words"])
@pytest.mark.parametrize(("size", "overlap"), [(256, 25), (64, 6), (16, 15), (5, 0)])
def test_a_document_of_some_length(keep: str, unit: str, size: int, overlap: int) -> None:
    paragraphs = [
        f"Berth {number} lies north of the lamp. " * (number % 7 + 1)
        + ("\n" if number % 3 else "  ")
        + f"Its depth is {number}.5 m; ask the harbour master, {'x' * (number % 90)}."
        for number in range(120)
    ]
    wanted = SplitterSettings(size=size, overlap=overlap, unit=unit, keep_separator=keep)
    assert_same("\n\n".join(paragraphs), wanted)
