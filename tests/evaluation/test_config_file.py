"""Configuration files: what they may hold, what is refused and how, and the way back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx_models import write_model

from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import (
    PRESETS,
    check_configuration,
    configuration_from_mapping,
    read_configuration,
    read_given,
    to_toml,
)
from chunkscope.evaluation.configuration import Configuration
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings


def write(tmp_path, text):
    path = tmp_path / "chunkscope.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_whole_file(tmp_path):
    path = write(
        tmp_path,
        """
[splitter]
kind = "recursive"
size = 128
overlap = "12.5%"
separators = ["\\n\\n", "\\u00a0", ""]
keep_separator = "start"
strip = false
[enrich]
prefix = "title"
[retriever]
kind = "rank-bm25"
k = [3]
budget = 900
words = "[a-z]+"
""",
    )
    found = read_configuration(path)
    assert found.splitter == SplitterSettings(
        size=128,
        overlap="12.5%",
        separators=("\n\n", "\u00a0", ""),
        keep_separator="start",
        strip=False,
    )
    assert found.splitter.overlap_size == 16
    assert found.enrich == EnrichSettings(prefix="title")
    assert found.retriever == RetrieverSettings(
        kind="rank-bm25", k=(3,), budget=900, words="[a-z]+"
    )
    assert read_given(path) == {
        "splitter", "size", "overlap", "separators", "keep_separator", "strip", "prefix",
        "retriever", "k", "budget", "words",
    }  # fmt: skip


def test_settings_left_at_their_default_were_not_chosen(tmp_path):
    plain = to_toml(Configuration())
    path = write(tmp_path, plain)
    meant = {"splitter", "size", "overlap", "unit", "retriever"}
    assert read_given(path) == meant
    assert check_configuration(read_configuration(path), read_given(path)) == []
    changed = write(tmp_path, plain.replace("fuse_constant = 60", "fuse_constant = 10"))
    assert read_given(changed) == {*meant, "fuse_constant"}
    assert check_configuration(read_configuration(changed), read_given(changed)) == [
        "fuse_constant: not used by retriever 'bm25'"
    ]


def test_a_prefix_plays_no_part_in_late_chunking(tmp_path):
    write_model(tmp_path / "tiny")
    late = RetrieverSettings(kind=f"late:{tmp_path / 'tiny'}")
    plain = Configuration(retriever=late)
    assert check_configuration(plain) == []
    prefixed = replace(plain, enrich=EnrichSettings(prefix="headings"))
    assert check_configuration(prefixed) == [
        "prefix: not used by retriever 'late', which pools the chunk's own text"
    ]


def test_an_empty_file_is_the_default(tmp_path):
    assert read_configuration(write(tmp_path, "")) == Configuration() == PRESETS["default"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[spliter]\nsize = 3\n", ["[spliter]", "[splitter], [enrich], [retriever]"]),
        ("splitter = 3\n", ["splitter", "[splitter]"]),
        ("[splitter]\nsise = 3\n", ["sise", "size, overlap"]),
        ("[splitter]\nsize = '3'\n", ["size = '3'", "whole number"]),
        ("[splitter]\nsize = true\n", ["size = True", "whole number"]),
        ("[splitter]\nsize = 10.5\n", ["size = 10.5", "whole number"]),
        ("[splitter]\nsize = 0\n", ["size = 0", "at least 1"]),
        ("[splitter]\noverlap = -1\n", ["overlap = -1", "at least 0"]),
        ("[splitter]\noverlap = 'much'\n", ["overlap", "'much'", "percentage"]),
        ("[splitter]\nunit = 'bytes'\n", ["unit = 'bytes'", '"tokens" or "characters"']),
        ("[splitter]\nseparators = ' '\n", ["separators = ' '", "list of texts"]),
        ("[splitter]\nseparators = [1]\n", ["separators = [1]", "list of texts"]),
        ("[splitter]\nregex = 1\n", ["regex = 1", "true or false"]),
        ("[splitter]\nkind = 'nonesuch'\n", ["nonesuch", "recursive"]),
        ("[retriever]\nk = []\n", ["k = []", "such as [5, 10]"]),
        ("[retriever]\nk = [5, 0]\n", ["k = [5, 0]", "at least 1"]),
        ("[retriever]\nties = 'random'\n", ["ties", '"earlier" or "later"']),
        ("[retriever]\nwords = 3\n", ["words = 3", "text in quotes"]),
        ("[enrich]\nparent = 'page'\n", ["parent = 'page'", '"none", "section" or a size']),
        ("[splitter\n", ["not valid TOML"]),
    ],
)
def test_what_cannot_be_used_names_file_key_and_what_is_allowed(tmp_path, text, parts):
    path = write(tmp_path, text)
    with pytest.raises(InputError) as raised:
        read_configuration(path)
    message = str(raised.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_a_file_that_is_not_there_or_not_utf8(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_configuration(tmp_path / "absent.toml")
    path = tmp_path / "latin.toml"
    path.write_bytes(b"[enrich]\nheading_pattern = '\xe9'\n")
    with pytest.raises(InputError, match="not UTF-8 at byte 28"):
        read_configuration(path)


def test_code_named_by_a_file_runs_only_when_it_is_a_flag_too(tmp_path):
    path = write(tmp_path, "[retriever]\nkind = 'mine.search:engine'\n")
    with pytest.raises(InputError, match="would run code named by a file") as raised:
        read_configuration(path)
    assert "--retriever mine.search:engine" in str(raised.value)
    found = read_configuration(path, flags=["mine.search:engine"])
    assert found.retriever.kind == "mine.search:engine"
    with pytest.raises(InputError, match="would run code"):
        read_configuration(path, flags=["other:engine"])


def test_a_splitter_with_a_unit_of_its_own_says_so():
    found = configuration_from_mapping({"splitter": {"kind": "words"}}, "here")
    assert found.splitter.unit == "words"


def test_the_cookbook_preset():
    cookbook = PRESETS["cookbook"].splitter
    assert (cookbook.kind, cookbook.size, cookbook.overlap_size) == ("recursive", 256, 25)
    assert cookbook.separators == ("\n\n", "\n", ".", " ", "")
    assert (cookbook.keep_separator, cookbook.dedupe) == ("start", True)


def test_separators_come_back_as_they_were(tmp_path):
    separators = ("\n\n", "\t", '"', "\\", "\u00a0", "\r", "\x0b", "\u2028", "é", "港", "😀", "")
    configuration = Configuration(SplitterSettings(separators=separators, overlap=7))
    text = to_toml(configuration)
    assert text.isprintable() is False  # its own line ends
    assert all(line.isprintable() for line in text.split("\n"))
    assert read_configuration(write(tmp_path, text)) == configuration


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@given(
    st.lists(texts, min_size=1, max_size=5),
    texts,
    st.sampled_from(["none", "title", "headings"]),
    st.lists(st.integers(1, 99), min_size=1, max_size=4),
    st.booleans(),
)
def test_any_configuration_comes_back_equal(separators, pattern, prefix, cut_offs, truth):
    import tomllib

    configuration = Configuration(
        SplitterSettings(separators=tuple(separators), strip=truth, regex=not truth),
        EnrichSettings(prefix=prefix, heading_pattern=pattern),
        RetrieverSettings(k=tuple(cut_offs), words=pattern or "unicode"),
    )
    parsed = tomllib.loads(to_toml(configuration))
    assert configuration_from_mapping(parsed, "here") == configuration


def test_a_lone_surrogate_cannot_go_into_toml():
    with pytest.raises(InputError, match="lone surrogate"):
        to_toml(Configuration(SplitterSettings(separators=("\ud83d",))))


def test_the_mapping_of_a_configuration_is_read_back():
    configuration = Configuration(SplitterSettings(size=100, overlap="15%"))
    found = configuration_from_mapping(configuration.to_mapping(), "report")
    assert found.hash == configuration.hash
    assert found.splitter.overlap == 15


def test_checking_names_unused_settings_and_refuses_what_cannot_run():
    words = Configuration(SplitterSettings(kind="words", unit="words", size=8, overlap=2))
    warnings = check_configuration(words, ["separators", "k", "retriever", "heading_pattern"])
    assert any(warning.startswith("separators: not used") for warning in warnings)
    assert "heading_pattern is not used: prefix is not headings, parent no section" in warnings
    assert not any(warning.startswith(("k:", "retriever")) for warning in warnings)
    with pytest.raises(InputError, match="overlap"):
        check_configuration(replace(words, splitter=replace(words.splitter, overlap=9)))
    with pytest.raises(InputError, match="heading_pattern"):
        check_configuration(replace(words, enrich=EnrichSettings(heading_pattern="(")))
    with pytest.raises(InputError, match="parent"):
        check_configuration(replace(words, enrich=EnrichSettings(parent="page")))


@pytest.mark.parametrize(
    "content", ["size = " + "9" * 5_000, "a = " + "[" * 20_000, "[splitter]\nsize = 1__0"]
)
def test_toml_beyond_measure_is_one_line(tmp_path, content):
    path = tmp_path / "deep.toml"
    path.write_text(content)
    with pytest.raises(InputError, match="not valid TOML") as raised:
        read_configuration(path)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("pattern", ["a{99999999999999}", "(" * 5_000 + ")" * 5_000, "("])
def test_a_heading_pattern_that_cannot_be_compiled_is_refused(pattern):
    enrich = EnrichSettings(prefix="headings", heading_pattern=pattern)
    with pytest.raises(InputError, match="heading_pattern"):
        check_configuration(Configuration(enrich=enrich))
