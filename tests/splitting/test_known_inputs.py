"""Inputs on which splitters are known to go wrong, with the right value of each."""

import logging
from dataclasses import replace

import pytest
from langchain_oracle import cut, langchain_texts, token_count

from chunkscope.errors import InputError
from chunkscope.splitting.boundary import boundary_reason
from chunkscope.splitting.chunkset import (
    build_chunk_set,
    uncovered_characters,
    uncovered_text_characters,
)
from chunkscope.splitting.graphemes import grapheme_cuts
from chunkscope.splitting.registry import check_settings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.splitting.warnings import corpus_warnings
from chunkscope.text.document import Corpus, Document

CHARACTERS = SplitterSettings(size=50, overlap=0, unit="characters")


def corpus_of(text: str, name: str = "a.txt") -> Corpus:
    return Corpus((Document(name, text),))


def spans(text: str, settings: SplitterSettings) -> list[tuple[int, int]]:
    cuts = cut(text, settings)
    return list(zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True))


def test_repeated_text_keeps_its_own_places() -> None:
    settings = replace(CHARACTERS, size=8, overlap=4)
    assert spans("lamp\n\nlamp\n\nlamp", settings) == [(0, 4), (6, 10), (12, 16)]


def test_token_lengths_with_overlap_keep_their_places() -> None:
    text = "\n\n".join(f"Lamp {number % 9} is lit. The quay is quiet." for number in range(400))
    settings = SplitterSettings(size=40, overlap=16)
    cuts = cut(text, settings)
    assert cuts.altered == {}
    assert cuts.texts(text) == langchain_texts(text, settings)
    assert (cuts.starts[1:] < cuts.ends[:-1]).all()


def test_a_pattern_that_is_not_kept_puts_its_own_text_into_the_chunk() -> None:
    text = "red,  green;;blue, white"
    settings = replace(
        CHARACTERS,
        kind="character",
        size=30,
        separators=(r"[,;]\s*",),
        regex=True,
        keep_separator="none",
    )
    cuts = cut(text, settings)
    assert cuts.texts(text) == [r"red[,;]\s*green[,;]\s*blue", "white"]
    assert cuts.altered == {0: r"red[,;]\s*green[,;]\s*blue"}
    assert spans(text, settings) == [(0, 17), (19, 24)]
    assert any("pattern's own text" in warning for warning in check_settings(settings))


def test_runs_of_a_dropped_separator_shrink() -> None:
    text = "dock one\n\n\n\ndock two"
    settings = replace(CHARACTERS, kind="character", separators=("\n\n",), keep_separator="none")
    cuts = cut(text, settings)
    assert cuts.altered == {0: "dock one\n\ndock two"}
    assert spans(text, settings) == [(0, 20)]


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (r"(\(\d\))", "capturing group at character 0"),
        (r"x[(](a)", "capturing group at character 4"),
        (r"\((?P<n>a)", "capturing group at character 2"),
        (r"[^](](b)", "capturing group at character 5"),
        ("***", "nothing to repeat at character 0"),
        ("(?i)x", "cannot be kept"),
        ("[", "unterminated character set"),
    ],
)
def test_patterns_that_cannot_work_are_refused_by_position(pattern: str, said: str) -> None:
    settings = replace(CHARACTERS, separators=("\n", pattern), regex=True)
    with pytest.raises(InputError, match="number 2") as caught:
        check_settings(settings)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_group_that_does_not_capture_is_offered() -> None:
    with pytest.raises(InputError, match=r"\(\?:…\)"):
        check_settings(replace(CHARACTERS, separators=("(a)",), regex=True))
    assert check_settings(replace(CHARACTERS, separators=(r"(?:\(\d\))",), regex=True)) == []


@pytest.mark.parametrize("overlap", [0, 5, 15, 29])
def test_overlap_does_nothing_between_strong_separators(overlap: int) -> None:
    text = "The first berth is free.\n\nThe second is let today.\n\nThe third one is closed."
    settings = replace(CHARACTERS, size=30, overlap=overlap)
    assert spans(text, settings) == [(0, 24), (26, 50), (52, 76)]
    if overlap in (5, 15):
        reason = boundary_reason(text, cut(text, settings), 1, settings)
        assert reason == (
            f"cut after ↵↵, separator 1 of 5; {overlap} characters of overlap asked, none came: "
            "the piece before the boundary, 26 characters, is longer than that, and only whole "
            "pieces are repeated"
        )


def test_a_piece_longer_than_the_size_is_counted_and_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    corpus = corpus_of("x" * 12 + "\n\nyyy")
    settings = replace(CHARACTERS, kind="character", size=5, separators=("\n\n",))
    with caplog.at_level(logging.DEBUG):
        cuts = cut(corpus.documents[0].text, settings)
        chunks = build_chunk_set(corpus, [cuts], settings, EnrichSettings())
    assert chunks.texts() == ["x" * 12, "yyy"]
    assert chunks.oversize.tolist() == [True, False]
    assert caplog.records == []


def test_pieces_that_cannot_be_split_are_not_stripped() -> None:
    settings = replace(CHARACTERS, size=5, separators=("\n",))
    assert cut("aaaa \nbbbb \ncc", settings).texts("aaaa \nbbbb \ncc") == [
        "aaaa \n",
        "bbbb \n",
        "cc",
    ]
    blank = replace(settings, separators=("\n\n",))
    assert cut(" " * 10, blank).texts(" " * 10) == [" " * 10]


def test_special_token_text_is_plain_text() -> None:
    corpus = corpus_of("The token <|endoftext|> ends a document.")
    settings = SplitterSettings(size=100, overlap=0)
    chunks = build_chunk_set(
        corpus, [cut(corpus.documents[0].text, settings)], settings, EnrichSettings()
    )
    # One token would stand for the whole mark, were it special.
    assert chunks.tokens.tolist() == [12] == [token_count(corpus.documents[0].text)]
    assert chunks.texts() == [corpus.documents[0].text]
    assert corpus_warnings(corpus, settings)[-1] == (
        "tokens: text such as <|endoftext|> is counted as plain text (a.txt)"
    )


@pytest.mark.parametrize(
    ("size", "overlap", "said"),
    [
        (100, 200, "overlap: 200 is not less than size 100"),
        (10, 10, "overlap: 10 is not less than size 10"),
        (10, 12, "overlap: 12 is not less than size 10"),
        (10, "100%", "overlap: 10 is not less than size 10"),
        (10, -1, "overlap: -1 is negative"),
        (10, "-1%", "overlap: -1 is negative"),
        (10, 2.5, "overlap: 2.5 is neither"),
        (10, True, "overlap: True is neither"),
        (10, "ten", "overlap: 'ten' is neither"),
        (10, "1e9%", "overlap: '1e9%' is neither"),
        (True, 0, "size: True is not a whole number"),
        (10.5, 0, "size: 10.5 is not a whole number"),
        ("10", 0, "size: '10' is not a whole number"),
        (0, 0, "size: 0 holds nothing"),
        (-4, 0, "size: -4 holds nothing"),
    ],
)
def test_sizes_that_cannot_work_are_refused(size: object, overlap: object, said: str) -> None:
    for kind in ("recursive", "character", "token", "words"):
        settings = SplitterSettings(kind=kind, size=size, overlap=overlap)  # type: ignore[arg-type]
        with pytest.raises(InputError) as caught:
            check_settings(settings)
        assert said in str(caught.value)


def test_escapes_that_were_lost_are_seen() -> None:
    settings = replace(CHARACTERS, separators=("\\n\\n", ""))
    assert corpus_warnings(corpus_of("one\n\ntwo words"), settings) == [
        r"separators: number 1, \n\n, occurs nowhere; it holds a backslash and a letter: was a "
        "line end or a tab meant?"
    ]
    assert corpus_warnings(corpus_of("one\n\ntwo words"), replace(settings, regex=True)) == []


HARBOUR = "田中さんは港で働く。船は朝六時に出る。灯台は夜に光る。"


def test_text_without_white_space_is_said_to_fit_no_separator() -> None:
    settings = replace(CHARACTERS, size=12)
    assert any(
        "hardly any white space" in line for line in corpus_warnings(corpus_of(HARBOUR), settings)
    )
    fitting = replace(settings, separators=("。", ""))
    assert corpus_warnings(corpus_of(HARBOUR), fitting) == []


def test_the_sides_a_mark_can_stay_on() -> None:
    settings = replace(CHARACTERS, size=12, separators=("。", ""))
    assert cut(HARBOUR, settings).texts(HARBOUR) == [
        "田中さんは港で働く。",
        "船は朝六時に出る。",
        "灯台は夜に光る。",
    ]
    start = replace(settings, keep_separator="start")
    assert cut(HARBOUR, start).texts(HARBOUR) == [
        "田中さんは港で働く",
        "。船は朝六時に出る",
        "。灯台は夜に光る。",
    ]


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("# Only a title\n", ["# Only a title"]),
        ("## Berths\n# Tides\nlow\n", ["## Berths\n# Tides\nlow"]),
        ("", []),
        (" \n\t", []),
    ],
)
def test_headings_alone_are_kept_and_no_chunk_is_a_result(text: str, texts: list[str]) -> None:
    corpus = corpus_of(text, "a.md")
    for kind in ("recursive", "words"):
        settings = SplitterSettings(kind=kind, size=50, overlap=0)
        chunks = build_chunk_set(corpus, [cut(text, settings)], settings, EnrichSettings())
        assert chunks.texts() == texts
        assert uncovered_characters(chunks) == len(text) - sum(map(len, texts))
        assert uncovered_text_characters(chunks) == 0


def test_cuts_inside_graphemes_are_marked() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    text = family + "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7e\u0301"
    settings = replace(CHARACTERS, size=3)
    cuts = cut(text, settings)
    assert cuts.texts(text) == langchain_texts(text, settings)
    assert cuts.starts.tolist() == [0, 3, 6, 9]
    # 3 lies in the family and 6 in the first flag; 9 follows the second flag.
    assert grapheme_cuts(text, cuts) == [0, 1, 2]
    assert grapheme_cuts(text, cut(text, replace(settings, size=5, separators=("",)))) == [1, 2]


def test_crlf_hides_blank_lines_and_is_said() -> None:
    settings = replace(CHARACTERS, size=12, separators=("\n\n",))
    lines = "one two\n\nthree four"
    crlf = lines.replace("\n", "\r\n")
    assert cut(lines, settings).texts(lines) == ["one two", "three four"]
    assert cut(crlf, settings).texts(crlf) == [crlf]
    assert corpus_warnings(corpus_of(lines), settings) == []
    warning = corpus_warnings(corpus_of(crlf), settings)[-1]
    assert "↵↵ does not match the blank lines of CRLF text" in warning
    assert "with its line ends as they are" in warning
