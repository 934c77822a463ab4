"""Sentences: where they begin, and how they are grouped."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from covering import assert_covers, assert_in_order
from hypothesis import given
from hypothesis import strategies as st
from langchain_oracle import LENGTHS, cut, texts

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError
from chunkscope.splitting.chunkset import build_chunk_set
from chunkscope.splitting.language import sentence_language
from chunkscope.splitting.registry import check_settings, get_splitter
from chunkscope.splitting.sentences import sentence_starts
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

ONE = SplitterSettings(kind="sentence", unit="sentences", size=1, overlap=0)


def sentences(text: str) -> list[str]:
    starts = [*sentence_starts(text), len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" \n", [" \n"]),
        ("Dr. Lee left at 5 p.m. on Friday. He paid.", [34]),
        ("  One. Two.", [7]),
        ("田中さんは港で働く。船は朝六時に出る。", [10]),
        ("港口很安静。船长在睡觉！灯塔在闪光？", [6, 12]),
        ("هل هذا صحيح؟ نعم. ذهب إلى البيت.", [13, 18]),
        ("Das ist der 3. Oktober und die Feier ist gut. Sie kam nicht.", [46]),
        ("Τι είναι αυτό; Δεν ξέρω.", [15]),
        ("यह पहला वाक्य है। यह दूसरा है।", [18]),
        ("A line\nthat goes on. \n\nNo mark here\r\n\r\nLast", [23, 39]),
        ("No. 5 Lot\r\rCarriage", [11]),
        ("Pier B\xa0. It\u2028is\x85free. So.", [9, 21]),
        ("half \ud83d. Two.", [8]),
    ],
)
def test_where_sentences_begin(text: str, found: list[object]) -> None:
    if found and isinstance(found[0], str):
        assert sentences(text) == found
    elif text:
        assert sentence_starts(text).tolist() == [0, *found]
    else:
        assert sentence_starts(text).tolist() == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"),
        ("12.5 %", "en"),
        ("The lamp is lit.", "en"),
        ("Die Lampe und der Hafen: das ist nicht weit von hier.", "de"),
        ("Le phare est dans une île, et les bateaux sont là.", "fr"),
        ("El faro y los barcos que están en la isla, por la noche.", "es"),
        ("Маяк не на острове, что это как для него.", "ru"),
        ("Маяк і що та не на острові, з яким це є.", "uk"),
        ("灯台は夜に光る。", "ja"),
        ("灯塔在闪光。", "zh"),
        ("المنارة مضاءة.", "ar"),
        ("दीपक यह है और हैं।", "hi"),
        ("등대가 빛난다.", "en"),
    ],
)
def test_the_language_is_told_by_script_and_common_words(text: str, language: str) -> None:
    assert sentence_language(text) == language


@given(texts)
def test_sentences_leave_no_gap(text: str) -> None:
    starts = sentence_starts(text).tolist()
    assert starts == sorted(set(starts))
    assert starts[:1] == ([0] if text else [])
    assert "".join(sentences(text)) == text
    # Blank only where the whole text is.
    assert not text.strip() or all(one.strip() for one in sentences(text))


def test_pieces_of_a_long_paragraph_join_where_they_were_parted() -> None:
    lines = [
        f"Berth {number} of {number * 7919} is free{' now' * (number % 50)}. "
        for number in range(900)
    ]
    text = "".join(lines)
    assert sentences(text) == lines
    long = "word " * 3000 + "end. "
    assert sentences(long + "Next one. " + long) == [long, "Next one. ", long]


def test_one_line_of_a_million_characters_without_an_end() -> None:
    assert sentence_starts("“a " * 350_000).tolist() == [0]


def test_finding_sentences_can_be_called_off() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        get_splitter("sentence").prepare("One. Two.", ONE).cut(1, 0, token)


def test_groups_of_sentences_and_their_sizes() -> None:
    text = "One is. Two is.  Three is. Four is. Five is. "
    cuts = cut(text, replace(ONE, size=3, overlap=1))
    assert cuts.texts(text) == ["One is. Two is.  Three is.", "Three is. Four is. Five is."]
    assert cuts.sizes is not None
    assert cuts.sizes.tolist() == [3, 3]
    whole = cut(text, replace(ONE, size=2, strip=False))
    assert whole.texts(text) == ["One is. Two is.  ", "Three is. Four is. ", "Five is. "]
    corpus = Corpus((Document("a", text), Document("b", "Six is. Six is.")))
    settings = replace(ONE, size=2, dedupe=True)
    each = [cut(document.text, settings) for document in corpus.documents]
    chunks = build_chunk_set(corpus, each, settings, EnrichSettings())
    assert chunks.sizes.tolist() == [2, 2, 1, 2]
    assert chunks.size_limit == 2
    assert not chunks.oversize.any()


def test_sentences_up_to_a_size() -> None:
    text = "One is. Two is. Three is here, and it, alone, is too long. Four is. Five is."
    settings = SplitterSettings(kind="sentence", unit="characters", size=16, overlap=0)
    assert cut(text, settings).texts(text) == [
        "One is. Two is.",
        "Three is here,",
        "and it, alone,",
        "is too long.",
        "Four is.",
        "Five is.",
    ]
    overlapping = replace(settings, size=25, overlap=9)
    assert cut("One is. Two is. Three is. Four is.", overlapping).texts(
        "One is. Two is. Three is. Four is."
    ) == ["One is. Two is. Three is.", "Three is. Four is."]


@given(texts, st.integers(1, 30), st.data())
@pytest.mark.parametrize("unit", ["tokens", "characters", "words"])
def test_no_sentence_is_cut_that_fits(unit: str, text: str, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    strip = data.draw(st.booleans())
    settings = SplitterSettings(
        kind="sentence",
        unit=unit,
        size=size,
        overlap=overlap,
        strip=strip,  # type: ignore[arg-type]
    )
    cuts = cut(text, settings)
    assert_covers(text, cuts)
    assert_in_order(text, cuts)
    length = LENGTHS[unit]
    bounds = [*sentence_starts(text), len(text)]
    for low, high in pairwise(bounds):
        sentence = text[low:high]
        left = low + len(sentence) - len(sentence.lstrip())
        right = low + len(sentence.rstrip())
        if length(text[left:right] if strip else sentence) <= size:
            inside = (cuts.starts > left) & (cuts.starts < right)
            assert not inside.any()
            assert not ((cuts.ends > left) & (cuts.ends < right)).any()
        else:
            continue
    if unit == "characters":
        assert (cuts.ends - cuts.starts <= size).all()


@given(
    st.lists(st.sampled_from(["One. ", "Two is. ", "Three is it. "]), max_size=40),
    st.integers(14, 60),
)
def test_a_chunk_takes_what_fits(parts: list[str], size: int) -> None:
    text = "".join(parts)
    found: list[str] = []
    for part in parts:
        if found and len(found[-1]) + 1 + len(part.rstrip()) <= size:
            found[-1] += " " + part.rstrip()
        else:
            found.append(part.rstrip())
    settings = SplitterSettings(kind="sentence", unit="words", size=size, overlap=0)
    words = cut(text, settings)
    assert (np.array([len(one.split()) for one in words.texts(text)]) <= size).all()
    characters = cut(text, replace(settings, unit="characters"))
    assert characters.texts(text) == found


def test_the_policy_set_has_a_sentence_a_line(shared_data: Callable[[str], Path]) -> None:
    text = (shared_data("toy_policy") / "docs" / "policy.txt").read_bytes().decode()
    lines = text.rstrip("\n").split("\n")
    assert cut(text, ONE).texts(text) == lines
    assert len(lines) == 320
    for size in (2, 4, 8, 16, 40):
        groups = ["\n".join(lines[first : first + size]) for first in range(0, 320, size)]
        assert cut(text, replace(ONE, size=size)).texts(text) == groups


def test_settings() -> None:
    assert check_settings(ONE, {"unit", "size", "strip"}) == []
    assert check_settings(replace(ONE, unit="tokens"), {"separators"}) == [
        "separators: not used by splitter 'sentence'"
    ]
    with pytest.raises(InputError, match="unit: 'bytes' does not go with splitter 'sentence'"):
        check_settings(replace(ONE, unit="bytes"))  # type: ignore[arg-type]
