"""White space, graphemes and boundaries: small facts about places in a text."""

import sys
from dataclasses import replace

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from langchain_oracle import cut, texts

from chunkscope.splitting.boundary import boundary_reason
from chunkscope.splitting.graphemes import Graphemes, inside_grapheme
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.warnings import corpus_warnings
from chunkscope.splitting.whitespace import SpaceRuns, is_space
from chunkscope.text.document import Corpus, Document


def test_white_space_is_that_of_str_for_every_code_point() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    assert is_space(everything).tolist() == [character.isspace() for character in everything]


@given(texts, st.data())
def test_ranges_are_stripped_as_their_slices_are(text: str, data: st.DataObject) -> None:
    runs = SpaceRuns(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    starts, ends = runs.strip(np.array([start], np.int32), np.array([end], np.int32))
    wanted = text[start:end].strip()
    if wanted:
        assert text[int(starts[0]) : int(ends[0])] == wanted
        assert int(starts[0]) == start + len(text[start:end]) - len(text[start:end].lstrip())
    else:
        assert int(starts[0]) >= int(ends[0])


@given(st.lists(st.sampled_from(["a", "b", " ", "\n\u3000", " " * 15, "\t" * 40])).map("".join))
def test_words_are_those_of_split_and_long_runs_are_stripped(text: str) -> None:
    runs = SpaceRuns(text)
    starts, ends = (places.tolist() for places in runs.words())
    assert [text[start:end] for start, end in zip(starts, ends, strict=True)] == text.split()
    if text.strip():
        low, high = runs.strip(np.zeros(1, np.int32), np.array([len(text)], np.int32))
        assert text[int(low[0]) : int(high[0])] == text.strip()


_CLUSTERS = (
    *"ae \n\r1\x00",
    *("\u0301", "\u200d", "\u200c", "\ufe0f", "\u20e3", "\u00ad", "\u200b", "\u0600"),
    *("\U0001f468", "\U0001f3fd", "\u2764", "\U0001f1e9", "\U0001f1ea", "\U0001f3f4"),
    *("\uac01", "\uac00", "\u1100", "\u1161", "\u11a8", "\u0e01", "\u0e33", "\u65e5"),
)


@given(st.lists(st.sampled_from(_CLUSTERS), max_size=8).map("".join))
def test_graphemes_are_those_of_the_regex_package(text: str) -> None:
    borders = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    expected = [offset not in borders for offset in range(len(text) + 1)]
    assert [inside_grapheme(text, offset) for offset in range(len(text) + 1)] == expected
    graphemes = Graphemes(text)
    assert [graphemes.inside(offset) for offset in range(len(text) + 1)] == expected


def test_a_long_row_of_flags() -> None:
    text = "x" + "\U0001f1e9" * 200_001
    graphemes = Graphemes(text)
    odd = [offset for offset in range(len(text) + 1) if graphemes.inside(offset)]
    assert odd == list(range(2, 200_002, 2))


BASE = SplitterSettings(size=30, overlap=0, unit="characters")
PROSE = "The first berth is free.\n\nThe second is let today. It is long and wide and deep."


@pytest.mark.parametrize(
    ("changes", "index", "said"),
    [
        ({}, 0, "the document begins here"),
        ({}, 1, "cut after ↵↵, separator 1 of 5"),
        ({}, 2, "cut after .␣, separator 3 of 5"),
        ({"keep_separator": "start"}, 1, "cut before ↵↵, separator 1 of 5"),
        ({"keep_separator": "start"}, 2, "cut before .␣, separator 3 of 5"),
        ({"keep_separator": "none"}, 1, "cut at ↵↵, separator 1 of 5"),
        ({"separators": ("\\s{2}", " "), "regex": True}, 1, "cut after \\s{2}, separator 1 of 2"),
        ({"separators": ("",)}, 1, "no separator ends here: cut between two characters"),
        (
            {"overlap": 12, "separators": (" ",)},
            1,
            "cut after ␣, separator 1 of 1; 12 characters of overlap asked, 10 characters repeated",
        ),
        (
            {"kind": "words", "size": 4, "overlap": 1},
            1,
            "a window of 4 words ends here; 2 characters repeated",
        ),
        ({"kind": "token", "size": 4}, 1, "a window of 4 tokens ends here; nothing repeated"),
    ],
)
def test_reasons_for_a_boundary(changes: dict[str, object], index: int, said: str) -> None:
    settings = replace(BASE, **changes)  # type: ignore[arg-type]
    assert boundary_reason(PROSE, cut(PROSE, settings), index, settings) == said


@pytest.mark.parametrize(("keep", "length"), [("end", 11), ("start", 11), ("none", 10)])
def test_overlap_shorter_than_the_last_piece_is_explained(keep: str, length: int) -> None:
    settings = replace(BASE, overlap=9, separators=(" ",), keep_separator=keep)
    text = "The first berth is free.\n\nThe quay is long and wide"
    assert boundary_reason(text, cut(text, settings), 1, settings).endswith(
        f"9 characters of overlap asked, none came: the piece before the boundary, {length} "
        "characters, is longer than that, and only whole pieces are repeated"
    )


def test_overlap_that_has_no_room_is_explained() -> None:
    text = "one two\n\n" + "x" * 40
    settings = replace(BASE, overlap=12)
    reason = boundary_reason(text, cut(text, settings), 1, settings)
    assert reason.endswith(
        "none came: the next piece leaves no room, or was split further: no overlap reaches "
        "across that"
    )


def test_separators_that_occur_nowhere_are_named_and_the_empty_one_never() -> None:
    corpus = Corpus((Document("a", "one two"), Document("b", "one\ttwo")))
    settings = replace(BASE, separators=("\n\n", "\t", " ", "§", ""))
    assert corpus_warnings(corpus, settings) == [
        "separators: number 1, ↵↵, occurs nowhere",
        "separators: number 4, §, occurs nowhere",
    ]
    assert corpus_warnings(corpus, replace(settings, kind="words")) == []
    assert corpus_warnings(corpus, replace(settings, kind="character")) == [
        "separators: number 1, ↵↵, occurs nowhere"
    ]


def test_a_single_word_and_a_mark_alone_are_nothing_to_warn_of() -> None:
    corpus = Corpus(
        (Document("a", "\ufeff"), Document("b", "tide"), Document("c", "low\n\ntide. x"))
    )
    assert corpus_warnings(corpus, BASE) == []
    # Nothing can be said of separators where there is no text.
    assert corpus_warnings(Corpus(()), BASE) == []
    assert corpus_warnings(Corpus((Document("d", "x" * 90),)), replace(BASE, separators=("",))) == [
        "separators: none fits between the words or sentences of text that has hardly any white "
        "space, so that it is cut anywhere (d); add marks such as 。"
    ]


def test_documents_without_headings_are_named() -> None:
    corpus = Corpus(
        (Document("a.md", "# A\nx"), Document("b.md", "<h1>B</h1>"), Document("c", "c"))
    )
    markdown = SplitterSettings(kind="markdown")
    assert corpus_warnings(corpus, markdown) == [
        "splitter: markdown finds no heading and cuts at blocks and by size alone (b.md and 1 more)"
    ]
    assert corpus_warnings(corpus, replace(markdown, kind="html")) == [
        "splitter: html finds no heading and cuts at blocks and by size alone (a.md and 1 more)"
    ]
    assert corpus_warnings(Corpus(corpus.documents[:1]), markdown) == []


def test_why_splitters_that_look_for_meaning_cut() -> None:
    text = "# A\nOne. Two.\n# B\nThree."
    settings = SplitterSettings(kind="markdown", unit="characters", size=20, overlap=0)
    assert boundary_reason(text, cut(text, settings), 1, settings) == (
        "a section ends here; nothing repeated"
    )
    sentences = SplitterSettings(kind="sentence", unit="sentences", size=2, overlap=1)
    cuts = cut("One is. Two is. Three is.", sentences)
    assert boundary_reason("One is. Two is. Three is.", cuts, 1, sentences) == (
        "a window of 2 sentences ends here; 7 characters repeated"
    )
