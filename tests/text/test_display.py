import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from chunkscope.text.display import visible, visible_separator

ANY = st.text(st.characters(), max_size=60)
# Arabic and similar marks that enclose digits are format characters that are drawn.
DRAWN_FORMATS = {
    *range(0x0600, 0x0606),
    0x06DD,
    0x070F,
    0x0890,
    0x0891,
    0x08E2,
    0x110BD,
    0x110CD,
}


def is_hidden(character):
    category = unicodedata.category(character)
    return category in {"Cc", "Cs", "Zl", "Zp"} or (
        category == "Cf" and ord(character) not in DRAWN_FORMATS
    )


@given(ANY)
def test_one_visible_code_point_for_each(text):
    shown = visible(text)
    assert len(shown) == len(text)
    assert not any(is_hidden(character) for character in shown)
    shown.encode("utf-8")
    for before, after in zip(text, shown, strict=True):
        # Ignorable code points without a character and three ignorable marks change too.
        ignorable = unicodedata.category(before) == "Cn" or before in "\u034f\u17b4\u17b5"
        assert before != after if is_hidden(before) else before == after or ignorable


def test_every_hidden_code_point_has_a_mark_one_cell_wide():
    hidden = [code for code in range(0x110000) if is_hidden(chr(code))]
    shown = visible("".join(map(chr, hidden)))
    assert len(shown) == len(hidden)
    assert {cell_len(mark) for mark in set(shown)} == {1}
    assert not any(is_hidden(mark) for mark in set(shown))


def test_ordinary_text_is_returned_as_it_is():
    text = "The café, 灯台, 👍🏽, e\u0301, ☺\ufe0f, ١٢ and \u0627\u0644: [/b] $x"
    assert visible(text) is text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab\r\ncd\r\nef", "ab␍␊cd␍␊ef"),
        ("\tdock\tpier", "␉dock␉pier"),
        ("\x1b[31mred\x1b]0;t\x07", "␛[31mred␛]0;t␇"),
        ("\0\x7f\x85\x9b", "␀␡␦␦"),
        ("a\u202eb\u2066c\u200f", "a⇄b⇄c⇄"),
        ("\ufeffx\u200by\u200dz\u2060", "⁞x⁞y⁞z⁞"),
        ("a\u2028b\u2029c", "a␤b¶c"),
        ("a\ud83db\udfff", "a�b�"),
        ("soft\u00adhyphen", "soft¬hyphen"),
        ("\U000e0041\U000e007f", "⁞⁞"),
        ("[/etc/motd] [[wiki]] a[i]", "[/etc/motd] [[wiki]] a[i]"),
    ],
)
def test_marks(text, expected):
    assert visible(text) == expected


def test_a_highlight_covers_the_same_characters_after_the_mapping():
    assert visible("ab\r\ncd\r\nef")[4:6] == "cd"


@pytest.mark.parametrize(
    ("separator", "expected"),
    [
        ("\n\n", "↵↵"),
        ("\\n\\n", "\\n\\n"),
        (". ", ".␣"),
        ("\t", "⇥"),
        ("\r\n", "␍↵"),
        ("\u00a0", "⍽"),
        ("\u3000", "□"),
        ("", "(every character)"),
        ("\x1b", "␛"),
    ],
)
def test_separators_are_legible(separator, expected):
    assert visible_separator(separator) == expected


@given(ANY.filter(bool))
def test_separators_keep_their_length_and_show_no_control(text):
    shown = visible_separator(text)
    assert len(shown) == len(text)
    assert not any(is_hidden(character) or character == " " for character in shown)
