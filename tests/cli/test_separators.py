import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.cli.separators import parse_separators
from chunkscope.errors import InputError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\n\n|\n| |", ("\n\n", "\n", " ", "")),
        (r'["\n\n", "\n", ""]', ("\n\n", "\n", "")),
        (r"\t|\xa0|\u3002", ("\t", "\xa0", "。")),
        (r"a\|b|\\n", ("a|b", r"\n")),
        (r"(?=\s)|\.", (r"(?=\s)", r"\.")),
        (r"[,;]\s*", (r"[,;]\s*",)),
        ("", ("",)),
        ("tail\\", ("tail\\",)),
        (r"\xZZ|\u12", (r"\xZZ", r"\u12")),
    ],
)
def test_bars_and_escapes(text, expected):
    assert parse_separators(text) == expected


@given(st.lists(st.text(), min_size=1))
def test_a_json_list_is_taken_as_it_is(separators):
    assert parse_separators(json.dumps(separators)) == tuple(separators)


@given(st.lists(st.text(), min_size=1).filter(lambda given: not given[0].lstrip().startswith("[")))
def test_escaped_bars_round_trip(separators):
    escaped = [text.replace("\\", "\\\\").replace("|", "\\|") for text in separators]
    assert parse_separators("|".join(escaped)) == tuple(separators)


@pytest.mark.parametrize("text", ['["a"', '["a", 1]', "[]", '["a" "b"]'])
def test_a_broken_list_is_one_clear_error(text):
    with pytest.raises(InputError, match="--separators"):
        parse_separators(text)


def test_a_character_named_by_both_its_halves_is_one():
    assert parse_separators(r"\ud83d\ude00|\ude00\ud83d") == ("\U0001f600", "\ude00\ud83d")
    assert parse_separators(r'["\ud83d\ude00"]') == ("\U0001f600",)
