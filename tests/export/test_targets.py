import ast
import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import PRESETS, configuration_from_mapping
from chunkscope.evaluation.configuration import Configuration
from chunkscope.export import json as json_target
from chunkscope.export.header import retriever_comment
from chunkscope.export.literals import literal
from chunkscope.export.targets import export, target_names
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings


def settings(**changes: object) -> Configuration:
    return Configuration(splitter=SplitterSettings(**changes))


def arguments(code: str) -> dict[str, object]:
    """Keyword arguments of the splitter that the code makes, where they are literals."""
    made = next(
        node.value
        for node in ast.parse(code).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "splitter"
    )
    assert isinstance(made, ast.Call)
    values: dict[str, object] = {"": ast.unparse(made.func)}
    for keyword in made.keywords:
        try:
            values[str(keyword.arg)] = ast.literal_eval(keyword.value)
        except ValueError:
            values[str(keyword.arg)] = ast.unparse(keyword.value)
    return values


def test_the_targets_are_named():
    code = ("langchain", "llama-index", "haystack", "chonkie")
    assert target_names() == (*code, "autorag", "toml", "json")
    with pytest.raises(InputError, match="'weaviate' is not known; give one of langchain, llama-"):
        export(Configuration(), "weaviate")


@pytest.mark.parametrize("target", ["langchain", "toml", "json"])
def test_a_configuration_that_cannot_run_is_refused(target):
    with pytest.raises(InputError, match="overlap"):
        export(settings(size=10, overlap=10), target)


def test_every_setting_is_written_out_and_the_overlap_resolved():
    separators = ("\n\n", "\t", '"', "\\", "\xa0", "it's", "。", "")
    code = export(settings(separators=separators, size=255), "langchain")
    assert arguments(code) == {
        "": "RecursiveCharacterTextSplitter.from_tiktoken_encoder",
        "encoding_name": "cl100k_base",
        "allowed_special": set(),
        "disallowed_special": (),
        "chunk_size": 255,
        "chunk_overlap": 25,
        "separators": list(separators),
        "is_separator_regex": False,
        "keep_separator": "end",
        "strip_whitespace": True,
    }
    assert "<|endoftext|>" in code


def test_code_asks_langchain_for_the_separators_of_its_language():
    code = export(settings(kind="code:cpp", size=60, unit="characters"), "langchain")
    made = arguments(code)
    assert made[""] == "RecursiveCharacterTextSplitter"
    assert "get_separators_for_language(Language.CPP)" in made["separators"].replace("\n", "")
    assert made["is_separator_regex"] is True
    assert made["keep_separator"] == "start"
    assert "from langchain_text_splitters import Language, RecursiveCharacterTextSplitter" in code


def test_units_other_than_tokens_name_their_length_function():
    characters = export(settings(unit="characters", keep_separator="none"), "langchain")
    assert arguments(characters)["length_function"] == "len"
    assert arguments(characters)["keep_separator"] is False
    words = export(settings(kind="character", unit="words", separators=("a.b",)), "langchain")
    assert arguments(words)[""] == "CharacterTextSplitter"
    assert arguments(words)["separator"] == "a.b"
    assert arguments(words)["length_function"] == "count_words"
    assert "return len(text.split())" in words


def test_the_token_splitter_takes_size_overlap_and_encoding():
    code = export(settings(kind="token", encoding="o200k_base", overlap=7), "langchain")
    assert arguments(code) == {
        "": "TokenTextSplitter",
        "encoding_name": "o200k_base",
        "allowed_special": set(),
        "disallowed_special": (),
        "chunk_size": 256,
        "chunk_overlap": 7,
    }


def test_code_for_words_needs_no_package():
    code = export(settings(kind="words", unit="words", size=48, overlap="25%"), "langchain")
    assert "SIZE = 48\nSTEP = 36\n" in code
    names = {
        node.names[0].name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert names == {"json", "re", "sys", "pathlib"}


def test_the_header_says_where_the_code_comes_from_and_what_it_leaves_out():
    configuration = Configuration(
        enrich=EnrichSettings(prefix="headings", heading_pattern="^Policy: .*$"),
        retriever=RetrieverSettings(k=(3,), words="[a-z]+", ties="later"),
    )
    code = export(configuration, "langchain", note="chosen on 1 question\r\nimport os\x1b[31m")
    comments = [line for line in code.split("\n") if line.startswith("#")]
    assert comments[0] == f"# Configuration {configuration.hash}"
    assert "chunkscope 0.1.0, langchain-text-splitters 1." in comments[1]
    assert comments[2:4] == ["# Note: chosen on 1 question", "# Note: import os␛[31m"]
    text = "\n".join(comments)
    assert 'prefix headings (heading_pattern "^Policy: .*$")' in text
    assert "retriever bm25, k 3, words [a-z]+,\n# query_terms bag, ties later." in text
    ast.parse(code)


def test_a_budget_stands_in_the_place_of_k():
    configuration = Configuration(retriever=RetrieverSettings(budget=900))
    assert "bm25, a budget of 900 tokens," in export(configuration, "langchain")


def test_stems_and_stop_words_stand_with_the_retriever():
    configuration = Configuration(retriever=RetrieverSettings(stem="german", stop_words="german"))
    code = export(configuration, "langchain")
    assert "# stem german, stop_words german, query_terms bag, ties earlier." in code


def test_what_is_fused_and_what_ranks_anew_stand_with_the_retriever():
    settings = RetrieverSettings(
        kind="hybrid", fuse=("bm25", "dense:small"), rerank="a-model\nos", rerank_depth=20
    )
    lines = retriever_comment(Configuration(retriever=settings))
    assert lines == [
        "# Measured with retriever hybrid, k 5, 10, words unicode,",
        "# fuse bm25, dense:small, fuse_constant 60, rerank a-model␊os, rerank_depth 20,",
        "# query_terms bag, ties earlier. This file splits; it does not retrieve.",
    ]


@pytest.mark.parametrize("name", PRESETS)
def test_configuration_files_hold_the_configuration(name):
    configuration = PRESETS[name]
    toml = export(configuration, "toml", note="chosen on 1 question")
    assert "# Note: chosen on 1 question\n" in toml
    assert configuration_from_mapping(tomllib.loads(toml), "toml") == configuration
    text = export(configuration, "json", note="chosen on 1 question")
    assert text.isascii()
    assert json.loads(text)["chunkscope"] == {
        "version": "0.1.0",
        "hash": configuration.hash,
        "note": "chosen on 1 question",
    }
    read = configuration_from_mapping(json_target.sections(text), "json")
    assert read.to_mapping() == configuration.to_mapping()


@given(st.text())
def test_a_literal_reads_back_the_same(text):
    written = literal(text)
    assert ast.literal_eval(written) == text
    assert written[1:-1].isprintable()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", '""'),
        ("\n\n", r'"\n\n"'),
        ("\t\r", r'"\t\r"'),
        ('"', "'\"'"),
        ("'", '"\'"'),
        ("\"'", r'''"\"'"'''),
        ("\\", r'"\\"'),
        ("\xa0", r'"\xa0"'),
        ("\u2028", r'"\u2028"'),
        ("e\u0301", r'"e\u0301"'),
        ("\ud83d", r'"\ud83d"'),
        ("。", '"。"'),
    ],
)
def test_literals_show_what_they_hold(text, written):
    assert literal(text) == written
