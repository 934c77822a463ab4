"""What settings say before a text is seen."""

from dataclasses import replace

import pytest

from chunkscope.errors import InputError
from chunkscope.splitting.registry import (
    check_settings,
    effective_unit,
    get_splitter,
    preparation,
    splitter_kinds,
)
from chunkscope.splitting.settings import SplitterSettings, resolve_overlap
from chunkscope.text.headings import compile_heading_pattern


@pytest.mark.parametrize(
    ("overlap", "size", "resolved"),
    [
        (25, 256, 25),
        ("25", 256, 25),
        ("10%", 256, 25),
        (" 12.5 % ", 16, 2),
        ("99%", 3, 2),
        ("0", 1, 0),
    ],
)
def test_overlap_is_a_number_or_a_share_rounded_down(
    overlap: int | str, size: int, resolved: int
) -> None:
    assert resolve_overlap(overlap, size) == resolved


def test_kinds() -> None:
    assert splitter_kinds()[:4] == ("recursive", "character", "token", "words")
    with pytest.raises(InputError, match="'sentnce' is not known; give one of recursive, char"):
        get_splitter("sentnce")


@pytest.mark.parametrize(
    "kind", ["recursive", "character", "token", "words", "sentence", "markdown", "html"]
)
def test_the_defaults_pass_without_a_warning(kind: str) -> None:
    assert check_settings(SplitterSettings(kind=kind)) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"unit": "sentences"}, "unit: 'sentences' does not go with splitter 'recursive'"),
        ({"unit": "bytes"}, "give one of tokens, characters, words"),
        ({"keep_separator": "both"}, "keep_separator: 'both' is not known"),
        ({"separators": ()}, "separators: give a list"),
        ({"separators": "\n\n"}, "separators: give a list"),
        ({"separators": ("a", 3)}, "separators: number 2 is 3"),
        ({"strip": "yes"}, "strip: 'yes' is neither true nor false"),
        ({"regex": 1}, "regex: 1 is neither true nor false"),
        ({"encoding": "cl999k"}, "cl999k"),
    ],
)
def test_settings_that_cannot_work_are_refused(changes: dict[str, object], said: str) -> None:
    settings = replace(SplitterSettings(), **changes)  # type: ignore[arg-type]
    with pytest.raises(InputError) as caught:
        check_settings(settings)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_settings_a_splitter_does_not_use_are_warned_about() -> None:
    settings = SplitterSettings(kind="words", unit="tokens")
    assert check_settings(settings, {"kind", "size", "unit", "strip", "separators"}) == [
        "separators: not used by splitter 'words'",
        "strip: not used by splitter 'words'",
        "unit: not used by splitter 'words'; it always counts words",
    ]
    assert check_settings(replace(settings, unit="words"), {"unit"}) == []
    assert check_settings(replace(settings, kind="token"), {"unit"}) == []
    assert check_settings(SplitterSettings(kind="character"), {"separators"}) == [
        "separators: splitter 'character' uses the first alone"
    ]
    assert check_settings(SplitterSettings(separators=("", "a"))) == [
        'separators: those after "" are never reached'
    ]


def test_only_the_first_separator_of_character_is_compiled() -> None:
    settings = SplitterSettings(kind="character", separators=("a", "("), regex=True)
    assert check_settings(settings) == []


def test_units_and_preparations() -> None:
    words = SplitterSettings(kind="words", size=9, overlap=1, separators=("x",), dedupe=True)
    assert effective_unit(words) == "words"
    assert effective_unit(SplitterSettings(unit="characters")) == "characters"
    assert preparation(words) == preparation(SplitterSettings(kind="words"))
    base = SplitterSettings()
    assert preparation(base) == preparation(replace(base, size=9, overlap=0, dedupe=True))
    assert preparation(base) != preparation(replace(base, keep_separator="start"))
    assert preparation(base) != preparation(replace(base, encoding="o200k_base"))
    characters = replace(base, unit="characters")
    assert preparation(characters) == preparation(replace(characters, encoding="o200k_base"))


def test_an_overlong_pattern_is_not_repeated_whole() -> None:
    wanted = SplitterSettings(separators=("(?:" + "x" * 5_000,), regex=True)
    with pytest.raises(InputError, match=r"'\(\?:x{57}'… \(5,003 characters\), is not") as caught:
        check_settings(wanted)
    assert len(str(caught.value)) < 250
    with pytest.raises(InputError, match=r"heading_pattern: '\(x{59}…' is not a regular"):
        compile_heading_pattern("(" + "x" * 5_000)
