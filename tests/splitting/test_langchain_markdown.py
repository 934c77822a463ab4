"""Sections as LangChain's MarkdownHeaderTextSplitter makes them, mapped to their source."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_oracle import EXAMPLES, cut
from langchain_text_splitters import MarkdownHeaderTextSplitter

from chunkscope.errors import InputError
from chunkscope.splitting.chunkset import (
    build_chunk_set,
    uncovered_characters,
    uncovered_text_characters,
)
from chunkscope.splitting.langchain_markdown import langchain_headings
from chunkscope.splitting.registry import check_settings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

STRIPPED = SplitterSettings(kind="langchain-markdown", unit="characters")
KEPT = replace(STRIPPED, keep_separator="start")


def langchain(text: str, *, strip_headers: bool) -> list[str]:
    levels = [("#" * level, f"h{level}") for level in range(1, 7)]
    splitter = MarkdownHeaderTextSplitter(levels, strip_headers=strip_headers)
    return [document.page_content for document in splitter.split_text(text)]


_PARTS = (
    *("# A", "# B", "## A", "### C", "#", "##", "#x", "####### x", "\n", "\n", "\n\n", "text"),
    *(
        "```",
        "~~~",
        "```a```",
        "    # code",
        "\t",
        "\u00a0",
        "\ufeff",
        "\x1c",
        "- item",
        " ",
        "\r\n",
    ),
    *("\u2028", "| a | b |", "\x00"),
)
markdown = st.one_of(
    st.lists(st.sampled_from(_PARTS), max_size=40).map("".join),
    st.lists(st.sampled_from(_PARTS), max_size=30).map("\n".join),
)


def characters(text: str) -> str:
    return "".join(one for one in text if one.isprintable() and not one.isspace())


@settings(max_examples=EXAMPLES)
@given(markdown, st.sampled_from([STRIPPED, KEPT]))
def test_chunks_are_langchains_and_stand_where_their_lines_do(
    text: str, wanted: SplitterSettings
) -> None:
    cuts = cut(text, wanted)
    strip_headers = wanted is STRIPPED
    assert cuts.texts(text) == langchain(text, strip_headers=strip_headers)
    place = 0
    for index in range(len(cuts)):
        start, end = int(cuts.starts[index]), int(cuts.ends[index])
        spans = cuts.spans.get(index, ((start, end),))
        assert spans[0][0] == start
        assert spans[-1][1] == end
        for low, high in spans:
            assert place <= low <= high <= len(text)
            place = high
        assert (text[start:end] == cuts.text(index, text)) == (index not in cuts.altered)
        # All that can be seen of the source ranges stands in the chunk, and nothing else.
        source = "".join(text[low:high] for low, high in spans)
        assert characters(source) == characters(cuts.text(index, text))
    if not strip_headers:
        assert cuts.spans == {}


def test_what_is_deleted_is_marked_and_the_chunk_knows_its_lines() -> None:
    text = "# Berths\n\n\tfree:\u00a01\n    let:  2\n\n## Depth\nlow\n"
    cuts = cut(text, STRIPPED)
    assert cuts.altered == {0: "free:1\nlet:  2"}
    assert [text[start:end] for start, end in zip(cuts.starts, cuts.ends, strict=True)] == [
        "free:\u00a01\n    let:  2",
        "low",
    ]


@pytest.mark.parametrize(
    ("text", "stripped", "kept"),
    [
        ("# Only a title\n", [], ["# Only a title"]),
        ("## Berths\n# Tides\nlow\n", ["low"], ["## Berths", "# Tides\nlow"]),
        ("", [], []),
        ("# A\none\n# A\ntwo", ["one  \ntwo"], ["# A\none  \n# A\ntwo"]),
    ],
)
def test_sections_of_a_heading_alone_are_lost_and_counted(
    text: str, stripped: list[str], kept: list[str]
) -> None:
    corpus = Corpus((Document("a.md", text),))
    for wanted, found in ((STRIPPED, stripped), (KEPT, kept)):
        chunks = build_chunk_set(corpus, [cut(text, wanted)], wanted, EnrichSettings())
        assert chunks.texts() == found
    lost = text.replace("one", "").replace("two", "").replace("low", "")
    assert uncovered_characters(build_chunk_set(
        corpus, [cut(text, STRIPPED)], STRIPPED, EnrichSettings()
    )) == len(lost)  # fmt: skip
    assert uncovered_text_characters(chunks) == 0


def test_a_chunk_joined_over_a_dropped_heading_has_a_span_on_either_side() -> None:
    text = "# A\none\n# A\ntwo"
    cuts = cut(text, STRIPPED)
    assert cuts.altered == {0: "one  \ntwo"}
    assert cuts.spans == {0: ((4, 7), (12, 15))}


def test_a_comment_in_code_becomes_a_heading_and_shows_its_line() -> None:
    text = "# T\n    # indented comment\nend\n"
    assert cut(text, STRIPPED).texts(text) == ["end"]
    assert [(one.level, one.title, one.span) for one in langchain_headings(text)] == [
        (1, "T", (0, 3)),
        (1, "indented comment", (8, 26)),
    ]


def test_eighty_thousand_paragraphs() -> None:
    text = "# T\n" + "".join(f"\nlamp {number}\n" for number in range(80_000))
    cuts = cut(text, KEPT)
    assert len(cuts) == 1
    assert (int(cuts.starts[0]), int(cuts.ends[0])) == (0, len(text) - 1)


def test_real_documents(shared_data: Callable[[str], Path]) -> None:
    for path in sorted((shared_data("techdocs_md") / "docs").iterdir()):
        text = path.read_bytes().decode()
        for wanted in (STRIPPED, KEPT):
            found = langchain(text, strip_headers=wanted is STRIPPED)
            assert cut(text, wanted).texts(text) == found


def test_settings() -> None:
    assert check_settings(STRIPPED, {"size", "keep_separator", "strip"}) == [
        "size: not used by splitter 'langchain-markdown'",
        "strip: not used by splitter 'langchain-markdown'",
    ]
    with pytest.raises(InputError, match="unit: 'sentences' does not go"):
        check_settings(replace(STRIPPED, unit="sentences"))
