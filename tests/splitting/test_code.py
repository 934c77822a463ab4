"""Code by LangChain's separators for a language."""

from dataclasses import replace

import pytest
from covering import assert_covers, assert_in_order
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_oracle import EXAMPLES, LENGTHS, assert_true_spans, cut
from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

from chunkscope.errors import InputError
from chunkscope.splitting.boundary import boundary_reason
from chunkscope.splitting.code import CODE_LANGUAGES, language_separators
from chunkscope.splitting.registry import check_settings, splitter_kinds
from chunkscope.splitting.settings import SplitterSettings


def from_language(text: str, wanted: SplitterSettings) -> list[str]:
    return RecursiveCharacterTextSplitter.from_language(
        Language(wanted.kind.removeprefix("code:")),
        chunk_size=wanted.size,
        chunk_overlap=wanted.overlap_size,
        length_function=LENGTHS[wanted.unit],
        strip_whitespace=wanted.strip,
    ).split_text(text)


_WORDS = (
    *("class ", "def ", "\tdef ", "func ", "public ", "\\section{", "\n## ", "```\n", "<div", "$"),
    *(
        "\n",
        "\n\n",
        " ",
        "x",
        "return 1",
        "\n---\n",
        "End ",
        "Public Sub ",
        "\n===\n",
        "é",
        "(",
        "}",
    ),
)
code = st.lists(st.sampled_from(_WORDS), max_size=40).map("".join)


@settings(max_examples=EXAMPLES)
@given(code, st.sampled_from(CODE_LANGUAGES), st.integers(1, 40), st.data())
def test_chunks_are_those_of_from_language(
    text: str, language: str, size: int, data: st.DataObject
) -> None:
    wanted = SplitterSettings(
        kind=f"code:{language}",
        size=size,
        overlap=data.draw(st.integers(0, size - 1)),
        unit=data.draw(st.sampled_from(("characters", "words", "tokens"))),
        strip=data.draw(st.booleans()),
    )
    cuts = cut(text, wanted)
    assert cuts.texts(text) == from_language(text, wanted)
    assert_true_spans(text, cuts)
    assert_covers(text, cuts)
    assert_in_order(text, cuts)


def test_the_languages_are_those_that_langchain_has_separators_for() -> None:
    known = []
    for language in Language:
        try:
            RecursiveCharacterTextSplitter.get_separators_for_language(language)
        except ValueError:
            continue
        known.append(language.value)
    assert sorted(known) == list(CODE_LANGUAGES)
    assert {f"code:{language}" for language in known} < set(splitter_kinds())
    assert language_separators("python")[:2] == ("\nclass ", "\ndef ")


def test_other_languages_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="'code:perl' is not known; LANG is one of c, cobol"):
        language_separators("perl")
    with pytest.raises(InputError, match="'code:perl' is not known; LANG is one of c, cobol"):
        check_settings(SplitterSettings(kind="code:perl"))


def test_settings() -> None:
    wanted = SplitterSettings(kind="code:python", size=20, overlap=0, unit="characters")
    assert check_settings(wanted, {"size", "regex", "separators"}) == [
        "regex: not used by splitter 'code:python'",
        "separators: not used by splitter 'code:python'",
    ]
    with pytest.raises(InputError, match="unit: 'sentences' does not go"):
        check_settings(replace(wanted, unit="sentences"))
    text = "import lamp\ndef light():\n    pass\ndef dim():\n    pass"
    cuts = cut(text, replace(wanted, size=26))
    assert cuts.texts(text) == ["import lamp", "def light():\n    pass", "def dim():\n    pass"]
    assert boundary_reason(text, cuts, 1, wanted) == "cut before ↵def␣, separator 2 of 7"
