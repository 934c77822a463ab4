"""What a word is, by each rule."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retrieval_cases import RULES, texts

from chunkscope.errors import InputError
from chunkscope.retrieval.positions import find_words
from chunkscope.retrieval.words import (
    check_word_rule,
    holds_bigram_script,
    is_local,
    parse_rule,
    tokenise,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \n—…", []),
        (
            "The Tug left at 6:45, snake_case.",
            ["the", "tug", "left", "at", "6", "45", "snake_case"],
        ),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("ﬃ", ["ffi"]),
        ("İstanbul", ["i", "stanbul"]),  # folds to i and a combining dot, which is no letter
        ("caf\u00e9 cafe\u0301", ["café", "cafe"]),
        ("灯", ["灯"]),
        ("灯塔", ["灯塔"]),
        ("港口很安静", ["港口", "口很", "很安", "安静"]),
        ("カーテンは", ["カー", "ーテ", "テン", "ンは"]),
        ("ab灯塔x光9", ["ab", "灯塔", "x", "光", "9"]),
        ("v2の計画", ["v2", "の計", "計画"]),
        ("한국어 ภาษา", ["한국어", "ภาษา"]),
        ("𠮷野家", ["𠮷野", "野家"]),
        ("人々・々", ["人々", "々"]),
        ("\ufeffTitle", ["title"]),
    ],
)
def test_unicode_words(text: str, words: list[str]) -> None:
    assert tokenise(text, "unicode") == words


def test_whitespace_words_keep_case_and_punctuation() -> None:
    assert tokenise("The tug\x1cleft\u3000at dawn.", "whitespace") == [
        "The",
        "tug",
        "left",
        "at",
        "dawn.",
    ]


def test_a_leading_mark_is_no_part_of_the_first_word() -> None:
    assert tokenise("\ufeffThe tug", "whitespace") == ["The", "tug"]
    assert tokenise("\ufeffThe tug", r"\S+") == ["the", "tug"]
    assert tokenise("a\ufeffb", "whitespace") == ["a\ufeffb"]


def test_a_pattern_sees_casefolded_text_and_gives_whole_non_empty_matches() -> None:
    assert tokenise("Run `Sync` 2.31!", r"[a-z0-9_.~/-]+") == ["run", "sync", "2.31"]
    assert tokenise("aXbx", "x*") == ["x", "x"]
    assert tokenise("ab-cd ef", r"(?:\w+-)+\w+") == ["ab-cd"]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("", "empty"),
        ("[a-z", "unterminated character set"),
        ("***", "nothing to repeat"),
        ("a{9999999999999}", "regular expression"),
        ("(?L)a", "regular expression"),
        (r"(\w+)", "capturing group"),
        (r"(?P<word>\w+)", "capturing group"),
        (r"\w+(x)?", "capturing group"),
    ],
)
def test_unusable_patterns_are_refused_in_one_line(rule: str, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        check_word_rule(rule)
    assert str(caught.value).startswith("words: ")
    assert "\n" not in str(caught.value)


def test_nested_brackets_are_a_plain_class_without_a_python_warning(
    recwarn: pytest.WarningsRecorder,
) -> None:
    assert tokenise("a[b", "[[a]+") == ["a["]
    assert not recwarn.list


@pytest.mark.parametrize(
    "rule",
    [
        "unicode",
        "whitespace",
        r"\w+",
        r"\S+",
        r".+",
        r"[a-z0-9_.~/-]+",
        r"[^\s,]+",
        r"[]x]+",
        r"[^]x]+",
        r"[\]\\]+",
        r"[a-z]{1,}",
        r"\w{2,}",
        r"\w\w+",
        r"(?u)\b\w\w+\b",
    ],
)
def test_one_repeated_class_is_local(rule: str) -> None:
    assert is_local(rule)


@pytest.mark.parametrize(
    "rule",
    [
        r"\b\w",
        r"\w",
        r"\w*",
        r"\w+?",
        r"\w++",
        r"\w{2}",
        r"\w{1,3}",
        r"\w+\b",
        r"^\w+",
        r"\w+$",
        r"\w+(?!x)",
        r"(?<=a)\w+",
        r"(?:\w+)",
        r"(?i)[a-z]+",
        r"[a]+]+",
        r"[a-z]+|[0-9]+",
        r"[a-z][a-z]+",
        r"\d+\.\d+",
        "ab+",
        "a",
    ],
)
def test_everything_else_is_not(rule: str) -> None:
    check_word_rule(rule)
    assert not is_local(rule)


def test_words_of_scripts_that_give_bigrams() -> None:
    for word in ("灯", "x光", "の", "カー", "ｶ", "々", "𠮷", "𠀀"):
        assert holds_bigram_script(word)
    for word in ("", "tide", "Straße", "한국어", "ภาษา", "é", "、"):
        assert not holds_bigram_script(word)


def test_white_space_is_the_same_to_split_and_to_the_class() -> None:
    space = re.compile(r"\s")
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        assert (space.match(character) is not None) == (not f"{character}".split()), hex(code)


def test_casefolding_is_done_letter_by_letter_and_never_shortens() -> None:
    everything = [chr(code) for code in range(sys.maxunicode + 1)]
    assert "".join(everything).casefold() == "".join(each.casefold() for each in everything)
    assert min(len(each.casefold()) for each in everything) == 1


@given(texts, st.sampled_from([rule for rule in RULES if is_local(rule)]))
def test_positions_of_a_whole_text_are_its_words(text: str, rule: str) -> None:
    text = text.lstrip("\ufeff")
    parsed = parse_rule(rule)
    folded = parsed.prepared(text)
    found = find_words(folded, parsed)
    spans = zip(found.starts.tolist(), found.ends.tolist(), strict=True)
    assert [folded[start:end] for start, end in spans] == tokenise(text, rule)
