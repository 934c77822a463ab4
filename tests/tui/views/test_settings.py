"""Settings as they are typed: what is read, what is refused and why, what is not used."""

from dataclasses import replace

import pytest

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.tui.views.hints import OverlapFacts, hint
from chunkscope.tui.views.separators import parse_separators, separators_text
from chunkscope.tui.views.settings import SETTINGS, Setting, choices, parse_setting, used

PLAIN = Configuration()


def setting(section: str, name: str) -> Setting:
    return next(each for each in SETTINGS if (each.section, each.name) == (section, name))


def with_splitter(**values: object) -> Configuration:
    return replace(PLAIN, splitter=replace(PLAIN.splitter, **values))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("25", 25), ("10%", "10%"), ("12.5%", "12.5%"), ("0", 0), (" 7 ", 7)],
)
def test_an_overlap_is_a_number_or_a_share(text: str, expected: object) -> None:
    assert parse_setting(PLAIN, setting("splitter", "overlap"), text) == expected


@pytest.mark.parametrize(
    ("section", "name", "text", "reason"),
    [
        ("splitter", "overlap", "10%999", "overlap: 10%999 is neither a number nor a share, "),
        ("splitter", "overlap", "", "overlap: nothing is neither a number nor a share, "),
        ("splitter", "overlap", "%", "overlap: % is neither a number nor a share, "),
        ("splitter", "overlap", "-3", "overlap: -3 is neither a number nor a share, "),
        ("splitter", "overlap", "256", "overlap: 256 must be under the size 256"),
        ("splitter", "overlap", "100%", "overlap: 256 must be under the size 256"),
        ("splitter", "size", "0", "size: 0 is not a whole number from 1 up"),
        ("retriever", "k", "5, 5", "k: 5 stands there twice"),
        ("retriever", "k", " , ", "k: give one or more numbers"),
        ("retriever", "k", "5,,6", "k: nothing is not a whole number from 1 up"),
        ("retriever", "budget", "-1", "budget: -1 is not a whole number from 0 up"),
        ("splitter", "separators", '["a', "separators: begins like a JSON list, but is none"),
        ("splitter", "separators", '["a", 3]', "separators: begins like a JSON list"),
        ("splitter", "encoding", " ", "encoding: is empty"),
    ],
)
def test_what_cannot_be_used_says_why(section: str, name: str, text: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_setting(PLAIN, setting(section, name), text)
    assert str(caught.value).startswith(reason)


def test_a_size_that_the_overlap_fills_is_refused() -> None:
    with pytest.raises(InputError, match="size: 20 must be over the overlap 25"):
        parse_setting(with_splitter(overlap=25), setting("splitter", "size"), "20")
    assert parse_setting(PLAIN, setting("splitter", "size"), "2") == 2


def test_a_number_that_is_still_to_come_is_no_error() -> None:
    assert parse_setting(PLAIN, setting("retriever", "k"), "5,") == (5,)
    assert parse_setting(PLAIN, setting("retriever", "k"), "5, 10") == (5, 10)


def test_a_json_list_is_read_as_one() -> None:
    assert parse_separators('["\\n\\n", "[", ""]') == ("\n\n", "[", "")
    assert parse_separators("[|]") == ("[", "]")


@pytest.mark.parametrize(
    "separators",
    [("\n\n", "\n", ". ", " ", ""), ("|", "\\", "↵", "␣"), ("\t", "\r\n", "\x00", "\u202e")],
)
def test_separators_are_read_as_they_are_shown(separators: tuple[str, ...]) -> None:
    assert parse_separators(separators_text(separators)) == separators


def test_sentences_are_a_unit_of_the_sentence_splitter_alone() -> None:
    unit = setting("splitter", "unit")
    assert choices(unit, "sentence") == ("tokens", "characters", "words", "sentences")
    assert choices(unit, "recursive") == ("tokens", "characters", "words")


@pytest.mark.parametrize(
    ("kind", "unused"),
    [
        ("recursive", set()),
        ("words", {"unit", "separators", "keep_separator", "regex", "strip"}),
        ("token", {"unit", "separators", "keep_separator", "regex", "strip"}),
        ("sentence", {"separators", "keep_separator", "regex"}),
        ("code:python", {"separators", "keep_separator", "regex"}),
    ],
)
def test_what_a_splitter_does_not_use(kind: str, unused: set[str]) -> None:
    configuration = with_splitter(kind=kind, unit="words" if kind == "words" else "tokens")
    found = {
        each.name
        for each in SETTINGS
        if each.section == "splitter" and not used(configuration, each)
    }
    assert found == unused | {"breakpoint", "breakpoint_amount", "buffer", "embedder"}


def test_semantic_uses_its_own_settings() -> None:
    configuration = with_splitter(kind="semantic")
    for name in ("breakpoint", "breakpoint_amount", "buffer", "embedder"):
        assert used(configuration, setting("splitter", name))
    amount = setting("splitter", "breakpoint_amount")
    assert parse_setting(configuration, amount, "95") == 95.0
    assert parse_setting(configuration, amount, "default") == "default"
    with pytest.raises(InputError, match="amount: much is no number from 0 up"):
        parse_setting(configuration, amount, "much")


def test_foreign_code_is_not_read_for_a_form() -> None:
    configuration = with_splitter(kind="no_such_module:Thing")
    assert used(configuration, setting("splitter", "separators"))
    assert not used(configuration, setting("splitter", "buffer"))


def test_an_overlap_that_does_nothing_is_said() -> None:
    overlap = setting("splitter", "overlap")
    nothing = hint(PLAIN, overlap, OverlapFacts(30, 0, 0.0))
    assert nothing.startswith("25 tokens asked for, and it does nothing")
    some = hint(PLAIN, overlap, OverlapFacts(30, 12, 40.4))
    assert some == (
        "25 tokens asked for; 12 of 30 boundaries really overlap, by 40 characters on average"
    )


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("code:rust", "code:rust: LangChain's separators for rust"),
        ("markdown+sentence", "markdown+sentence: sections by markdown, then each cut by sentence"),
        ("chonkie:TokenChunker", "chonkie:TokenChunker: TokenChunker of the package chonkie"),
        ("mine:Splitter", "mine:Splitter: your own code"),
        ("words", "words: windows of words between white space"),
    ],
)
def test_kinds_in_words(kind: str, said: str) -> None:
    assert hint(with_splitter(kind=kind), setting("splitter", "kind"), None) == said


def test_every_setting_has_a_word_on_it() -> None:
    for each in SETTINGS:
        assert len(hint(PLAIN, each, None)) > 10
    assert "gpt2" in hint(PLAIN, setting("splitter", "encoding"), None)
    assert hint(with_splitter(kind="words", unit="words"), setting("splitter", "regex"), None) == (
        "regex: not used by words"
    )
