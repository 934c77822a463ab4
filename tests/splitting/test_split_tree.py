"""The split tree: lazy, safe to call off, and flat whatever the text."""

import numpy as np
import pytest
from langchain_oracle import cut, langchain_texts

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.settings import SplitterSettings

TEXT = "\n\n".join(
    "\n".join(f"Pier {row}.{line} is long. " * (line % 5 + 1) for line in range(row % 4 + 1))
    for row in range(60)
)


class CancelledAtCheck(CancelToken):
    """Called off at its nth check."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.left = number

    def check(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.cancel()
        super().check()


def test_a_cut_called_off_anywhere_leaves_the_tree_whole() -> None:
    settings = SplitterSettings(size=12, overlap=3)
    expected = cut(TEXT, settings).texts(TEXT)
    for number in range(1, 100):
        prepared = get_splitter("recursive").prepare(TEXT, settings)
        prepared.cut(200, 0)
        token = CancelledAtCheck(number)
        try:
            prepared.cut(12, 3, token)
        except CancelledError:
            assert prepared.cut(12, 3).texts(TEXT) == expected
        else:
            break
    # Every level that grows looks at the token at least once.
    assert 5 < number < 99


@pytest.mark.parametrize("kind", ["recursive", "character", "token", "words"])
def test_a_token_already_called_off_stops_every_kind(kind: str) -> None:
    token = CancelToken()
    token.cancel()
    settings = SplitterSettings(kind=kind, size=4, overlap=0)
    with pytest.raises(CancelledError):
        get_splitter(kind).prepare(TEXT, settings).cut(4, 0, token)


def test_nothing_is_split_that_no_size_needs() -> None:
    prepared = get_splitter("recursive").prepare(TEXT, SplitterSettings())
    prepared.cut(100_000, 0)
    assert [len(level) for level in prepared.tree.levels] == [60, 0, 0, 0, 0, 0]
    prepared.cut(24, 0)
    split = [len(level) for level in prepared.tree.levels]
    assert split[0] == 60
    assert split[1] > 60
    assert split[4] == 0
    prepared.cut(40, 0)
    assert [len(level) for level in prepared.tree.levels] == split


def test_thousands_of_separators_need_no_deep_stack() -> None:
    separators = tuple(f"<{number}>" for number in range(4000))
    text = "".join(f"{mark}{'x' * 5}" for mark in separators[::200])
    settings = SplitterSettings(
        size=6, overlap=0, unit="characters", separators=separators, keep_separator="none"
    )
    assert cut(text, settings).texts(text) == ["xxxxx"] * 20


@pytest.mark.parametrize("unit", ["characters", "tokens", "words"])
def test_a_word_of_half_a_million_characters(unit: str) -> None:
    text = "z" * 500_000
    cuts = cut(text, SplitterSettings(size=100, overlap=10, unit=unit))
    assert cuts.starts.tolist() == list(range(0, 499_990, 90))
    assert cuts.ends.tolist() == [*range(100, 500_000, 90), 500_000]
    assert cuts.altered == {}


def test_eighty_thousand_paragraphs_in_one_run() -> None:
    text = "# T" + "\n\nlow tide" * 80_000
    settings = SplitterSettings(size=100, overlap=0, unit="characters")
    cuts = cut(text, settings)
    # Ten paragraphs fill a chunk to the character; the title takes room in the first alone.
    assert cuts.texts(text)[0] == "# T\n\n" + "\n\n".join(["low tide"] * 9)
    assert cuts.texts(text)[1] == "\n\n".join(["low tide"] * 10)
    assert len(cuts) == 8_001
    assert (cuts.starts[1:] - cuts.ends[:-1] == 2).all()


def test_a_pattern_that_matches_everywhere() -> None:
    text = "tide" * 20_000
    settings = SplitterSettings(
        size=7, overlap=0, unit="characters", separators=("x*",), regex=True, strip=False
    )
    cuts = cut(text, settings)
    assert np.array_equal(cuts.starts, np.arange(0, 80_000, 7))
    small = text[:200]
    assert cut(small, settings).texts(small) == langchain_texts(small, settings)


def test_a_line_of_a_megabyte() -> None:
    text = "harbour " * 125_000
    cuts = cut(text, SplitterSettings(size=64, overlap=8))
    # "harbour " is three tokens: 21 words a chunk, of which 2 are repeated.
    assert cuts.starts.tolist() == [word * 8 for word in range(0, 125_000 - 2, 19)]
    assert cuts.ends.tolist() == [word * 8 - 1 for word in (*range(21, 125_000, 19), 125_000)]


def test_sizes_beyond_any_text_are_harmless() -> None:
    for kind in ("recursive", "character", "token", "words"):
        settings = SplitterSettings(kind=kind, size=10**30, overlap=10**29, unit="tokens")
        cuts = cut("low tide", settings)
        assert cuts.texts("low tide") == ["low tide"]
