"""Fixed windows, of words and of tokens."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_oracle import assert_true_spans, cut, encoding, texts

from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.words import WordsText, windows


def plain_windows(count: int, size: int, overlap: int) -> list[tuple[int, int]]:
    found = []
    first = 0
    while first < count:
        found.append((first, min(first + size, count)))
        if first + size >= count:
            break
        first += size - overlap
    return found


@given(st.integers(0, 60), st.integers(1, 20), st.data())
def test_windows_step_until_one_reaches_the_last_unit(
    count: int, size: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    first, last = windows(count, size, overlap)
    assert list(zip(first.tolist(), last.tolist(), strict=True)) == plain_windows(
        count, size, overlap
    )


def test_a_phase_makes_the_first_window_shorter() -> None:
    first, last = windows(10, 4, 1, phase=2)
    assert list(zip(first.tolist(), last.tolist(), strict=True)) == [
        (0, 2),
        (2, 6),
        (5, 9),
        (8, 10),
    ]
    for phase in (0, 10, 11):
        assert windows(10, 4, 1, phase=phase)[0].tolist() == [0, 3, 6]
    prepared = WordsText("a b c d e f")
    assert prepared.cut(3, 0, phase=1).texts("a b c d e f") == ["a", "b c d", "e f"]


@given(texts, st.integers(1, 12), st.data())
def test_words_are_those_of_str_split(text: str, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    cuts = cut(text, SplitterSettings(kind="words", size=size, overlap=overlap))
    words = text.split()
    assert [chunk.split() for chunk in cuts.texts(text)] == [
        words[first:last] for first, last in plain_windows(len(words), size, overlap)
    ]
    assert all(chunk == chunk.strip() for chunk in cuts.texts(text))
    assert cuts.altered == {}
    assert_true_spans(text, cuts)


def test_a_character_broken_by_a_window_is_marked_and_its_range_whole() -> None:
    text = "a\U0001f9ff b"
    tokens = [encoding().decode_single_token_bytes(i) for i in encoding().encode(text)]
    assert [len(token) for token in tokens] == [1, 2, 1, 1, 2]
    cuts = cut(text, SplitterSettings(kind="token", size=2, overlap=0))
    assert cuts.texts(text) == ["a\ufffd", "\ufffd\ufffd", " b"]
    assert cuts.starts.tolist() == [0, 1, 2]
    assert cuts.ends.tolist() == [2, 2, 4]
    assert set(cuts.altered) == {0, 1}


def test_a_half_pair_is_decoded_as_a_replacement() -> None:
    text = "quay\ud83d end"
    cuts = cut(text, SplitterSettings(kind="token", size=50, overlap=0))
    assert cuts.altered == {0: "quay\ufffd end"}
    assert (cuts.starts.tolist(), cuts.ends.tolist()) == ([0], [len(text)])


@pytest.mark.parametrize(
    ("size", "count"), [(8, 40), (12, 26), (16, 20), (24, 14), (32, 10), (48, 6), (64, 6)]
)
def test_published_counts_of_word_windows(
    shared_data: Callable[[str], Path], size: int, count: int
) -> None:
    found = 0
    for path in sorted((shared_data("toy_cli") / "docs").iterdir()):
        text = path.read_bytes().decode()
        found += len(cut(text, SplitterSettings(kind="words", size=size, overlap="25%")))
    assert found == count


@pytest.mark.parametrize(
    ("kind", "size", "overlap", "count"),
    [
        ("recursive", 800, 400, 704),
        ("recursive", 400, 200, 1412),
        ("recursive", 400, 0, 1187),
        ("recursive", 200, 0, 2386),
        ("token", 800, 400, 819),
        ("token", 400, 200, 1639),
        ("token", 400, 0, 824),
        ("token", 200, 0, 1644),
    ],
)
def test_published_counts_of_the_chunking_report(
    shared_data: Callable[[str], Path], kind: str, size: int, overlap: int, count: int
) -> None:
    settings = SplitterSettings(
        kind=kind,
        size=size,
        overlap=overlap,
        separators=("\n\n", "\n", ".", "?", "!", " ", ""),
        keep_separator="start",
    )
    found = 0
    for path in sorted((shared_data("chroma") / "docs").iterdir()):
        found += len(cut(path.read_bytes().decode(), settings))
    assert found == count
