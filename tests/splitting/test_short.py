"""A short text cut without a tree is cut as with one, and as LangChain cuts it."""

from collections.abc import Sequence
from unittest.mock import patch

import pytest
from hypothesis import assume, example, given
from langchain_oracle import assert_true_spans, langchain_texts, split_settings, texts

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.splitting import recursive
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.cutting import TreeText
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.short import SHORT, ShortText


def listed(cuts: Cuts) -> tuple[list[int], list[int], dict[int, str]]:
    return cuts.starts.tolist(), cuts.ends.tolist(), dict(cuts.altered)


def by_tree(text: str, settings: SplitterSettings) -> TreeText:
    with patch.object(recursive, "SHORT", -1):
        prepared = get_splitter("recursive").prepare(text, settings)
    assert isinstance(prepared, TreeText)
    return prepared


@given(texts, split_settings("recursive", regex=False))
@example("a\n\nb", SplitterSettings(size=1, overlap=0, unit="words", separators=("\n\n", "")))
@example(" \n ", SplitterSettings(size=9, overlap=0, unit="characters", strip=False))
@example("\u65e5" * 4, SplitterSettings(size=1, overlap=0, strip=False))
def test_the_chunks_are_those_of_the_tree(text: str, settings: SplitterSettings) -> None:
    assume(settings.keep_separator != "none")
    prepared = get_splitter("recursive").prepare(text, settings)
    assert isinstance(prepared, ShortText)
    cuts = prepared.cut(settings.size, settings.overlap_size)
    tree = by_tree(text, settings)
    assert listed(cuts) == listed(tree.cut(settings.size, settings.overlap_size))
    assert cuts.texts(text) == langchain_texts(text, settings)
    assert_true_spans(text, cuts)
    for size, overlap in ((settings.size + 2, 1), (settings.size, settings.overlap_size)):
        assert listed(prepared.cut(size, overlap)) == listed(tree.cut(size, overlap))


@pytest.mark.parametrize(
    "settings",
    [
        SplitterSettings(keep_separator="none"),
        SplitterSettings(regex=True),
        SplitterSettings(separators=tuple(map(str, range(21)))),
    ],
)
def test_what_is_not_simple_has_a_tree(settings: SplitterSettings) -> None:
    assert isinstance(get_splitter("recursive").prepare("lamp", settings), TreeText)
    long = "lamp " * SHORT
    assert isinstance(get_splitter("recursive").prepare(long, SplitterSettings()), TreeText)


def test_a_text_that_surely_fits_is_not_measured() -> None:
    def never(_texts: Sequence[str]) -> list[int]:
        raise AssertionError

    with patch.object(recursive, "length_function", return_value=never):
        prepared = get_splitter("recursive").prepare(" lamp\n\noil\n", SplitterSettings(size=12))
        assert listed(prepared.cut(12, 0)) == ([1], [10], {})


def test_a_token_called_off_stops_it() -> None:
    token = CancelToken()
    token.cancel()
    prepared = get_splitter("recursive").prepare("lamp oil", SplitterSettings())
    with pytest.raises(CancelledError):
        prepared.cut(1, 0, token)
    assert listed(prepared.cut(1, 0)) == listed(by_tree("lamp oil", SplitterSettings()).cut(1, 0))
