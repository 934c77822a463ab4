"""Markdown by its headings, nothing dropped."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from covering import assert_covers, assert_in_order
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_oracle import EXAMPLES, LENGTHS, cut
from markdown_it import MarkdownIt

from chunkscope.errors import InputError
from chunkscope.splitting.chunkset import build_chunk_set, uncovered_text_characters
from chunkscope.splitting.registry import check_settings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document
from chunkscope.text.lines import LineIndex
from chunkscope.text.markdown import markdown_blocks, markdown_headings

SETTINGS = SplitterSettings(kind="markdown", unit="characters", size=40, overlap=0)

_LINES = (
    *(
        "# A",
        "## B",
        "### C c",
        "B",
        "===",
        "---",
        "text goes on, and on. Then.",
        "- item",
        "  more",
    ),
    *(
        "",
        "",
        "```",
        "~~~ x",
        "a | b",
        "--- | ---",
        "|:-:|",
        "| a |",
        "1 | 2",
        "    code",
        "> quote",
    ),
    *(
        "> ```",
        "- ```",
        "<div>",
        "</div>",
        "<!-- #",
        "-->",
        "+++",
        "key: 1",
        "é\u00a0x",
        "\u00a0",
        "\x0c",
        "\ufeff# D",
    ),
)
markdown = st.tuples(
    st.lists(st.sampled_from(_LINES), max_size=25), st.sampled_from(["\n", "\r\n", "\r"])
).map(lambda drawn: drawn[1].join(drawn[0]))


def blocks(text: str) -> list[tuple[str, str]]:
    found = markdown_blocks(text)
    bounds = [*(block.start for block in found), len(text)]
    return [(one.kind, text[one.start : bounds[index + 1]]) for index, one in enumerate(found)]


def test_the_blocks_of_a_text() -> None:
    text = (
        "\n---\ntitle: x\n---\n# A #\nfirst\n\nunder\nlined\n===\n```py\n# no\n\nx\n```\ntext\n"
        "a | b\n--|--\n1 | 2\n\n- item\n  ~~~\n  deep\n\n  ~~~\n- next\n> ```\nout\n"
    )
    assert blocks(text[1:]) == [
        ("front matter", "---\ntitle: x\n---\n"),
        ("heading", "# A #\n"),
        ("text", "first\n\n"),
        ("heading", "under\nlined\n===\n"),
        ("fence", "```py\n# no\n\nx\n```\n"),
        ("text", "text\n"),
        ("table", "a | b\n--|--\n1 | 2\n\n"),
        ("text", "- item\n"),
        ("fence", "  ~~~\n  deep\n\n  ~~~\n"),
        ("text", "- next\n"),
        ("fence", "> ```\n"),
        ("text", "out\n"),
    ]
    assert blocks("") == []
    # A no-break space is text.
    assert blocks("\xa0\na\n\n\x0c") == [("text", "\xa0\na\n\n"), ("text", "\x0c")]
    assert blocks("\n \n") == [("text", "\n \n")]
    assert blocks("\n\n# A") == [("heading", "\n\n# A")]


@settings(max_examples=EXAMPLES)
@given(markdown)
def test_blocks_leave_no_gap_and_their_headings_are_the_headings(text: str) -> None:
    found = markdown_blocks(text)
    starts = [block.start for block in found]
    assert starts == sorted(set(starts))
    assert starts[:1] == ([0] if text else [])
    lines = LineIndex(text)
    if starts:
        assert all(lines.start(lines.line_of(start)) == start for start in starts)
    wanted = [(level, start) for level, _, start, _ in markdown_headings(text)]
    own = [(one.level, one.start) for one in found if one.kind == "heading"]
    assert [level for level, _ in own] == [level for level, _ in wanted]
    for (_, block), (_, heading) in zip(own, wanted, strict=True):
        # White space above or before it at most.
        assert block <= heading
        assert not text[block:heading].strip("\ufeff \t\r\n\x0c\u00a0")


@settings(max_examples=EXAMPLES)
@given(
    st.lists(
        st.sampled_from([one for one in _LINES if one[:1] not in set("->+<k= \ufeff")]),
        max_size=20,
    )
)
def test_fences_and_tables_are_those_of_a_markdown_parser(lines: list[str]) -> None:
    text = "\n".join(lines)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    index = LineIndex(text)
    for kind in ("fence", "table"):
        wanted = [
            token.map[0]
            for token in tokens
            if token.map and token.level == 0 and token.type in (kind, f"{kind}_open")
        ]
        own = [index.line_of(one.start) for one in markdown_blocks(text) if one.kind == kind]
        if own and wanted and own[0] == 0 and markdown_blocks(text)[0].kind == kind:
            own[0] = wanted[0]
        assert own == wanted


def test_sections_then_size() -> None:
    text = (
        "Before.\n\n# Port\n\n## Berths\nOne berth is free today.\n\nTwo are let.\n\n"
        "## Depth\n\n```\nlow: 2\n\nhigh: 7\n```\n\n# End\n"
    )
    assert cut(text, replace(SETTINGS, size=60)).texts(text) == [
        "Before.",
        "# Port\n\n## Berths\nOne berth is free today.\n\nTwo are let.",
        "## Depth\n\n```\nlow: 2\n\nhigh: 7\n```",
        "# End",
    ]
    # The code fits alone, though not below its heading.
    assert cut(text, replace(SETTINGS, size=26)).texts(text) == [
        "Before.",
        "# Port\n\n## Berths",
        "One berth is free today.",
        "Two are let.",
        "## Depth",
        "```\nlow: 2\n\nhigh: 7\n```",
        "# End",
    ]


def test_overlap_stays_within_a_section() -> None:
    text = "# A\n\none\n\ntwo\n\nthree\n\n# B\n\nfour"
    assert cut(text, replace(SETTINGS, size=13, overlap=5)).texts(text) == [
        "# A\n\none\n\ntwo",
        "two\n\nthree",
        "# B\n\nfour",
    ]


@given(markdown, st.integers(1, 60), st.data())
@pytest.mark.parametrize("unit", ["characters", "tokens", "words"])
def test_nothing_is_lost_and_what_fits_is_whole(
    unit: str, text: str, size: int, data: st.DataObject
) -> None:
    wanted = SplitterSettings(
        kind="markdown",
        unit=unit,  # type: ignore[arg-type]
        size=size,
        overlap=data.draw(st.integers(0, size - 1)),
        strip=data.draw(st.booleans()),
        keep_separator=data.draw(st.sampled_from(["end", "start"])),
    )
    cuts = cut(text, wanted)
    assert_covers(text, cuts)
    assert_in_order(text, cuts)
    ranges = list(zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True))
    if unit == "characters":
        assert all(end - start <= size for start, end in ranges)
    found = markdown_blocks(text)
    bounds = [*(block.start for block in found), len(text)]
    for number, block in enumerate(found):
        low, high = bounds[number], bounds[number + 1]
        kept = text[low:high].strip() if wanted.strip else text[low:high]
        if block.kind in ("fence", "table", "front matter") and LENGTHS[unit](kept) <= size:
            inner = low + len(text[low:high]) - len(text[low:high].lstrip())
            assert any(start <= inner and inner + len(kept.strip()) <= end for start, end in ranges)
        above = found[number - 1].level if number else 0
        if block.level and number and not 0 < above < block.level:
            # A section begins: no chunk reaches across.
            assert not any(start < low < end for start, end in ranges)


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("# Only a title\n", ["# Only a title"]),
        ("## Berths\n# Tides\nlow\n", ["## Berths", "# Tides\nlow"]),
        ("# T\n    # indented comment\nend\n", ["# T\n    # indented comment\nend"]),
        ("# T\n\n\tfree:\u00a01\n    let:  2\n", ["# T\n\n\tfree:\u00a01\n    let:  2"]),
        ("", []),
        (" \n\n", []),
    ],
)
def test_what_others_drop_is_kept(text: str, texts: list[str]) -> None:
    corpus = Corpus((Document("a.md", text),))
    chunks = build_chunk_set(corpus, [cut(text, SETTINGS)], SETTINGS, EnrichSettings())
    assert chunks.texts() == texts
    assert uncovered_text_characters(chunks) == 0


def test_eighty_thousand_paragraphs() -> None:
    text = "# T\n" + "".join(f"\nlamp {number}\n" for number in range(80_000))
    cuts = cut(text, replace(SETTINGS, size=400, overlap=20))
    assert_covers(text, cuts)
    assert int((cuts.ends - cuts.starts).max()) <= 400
    assert len(cuts) == 2479
    sections = "".join(f"# lamp {number}\n" for number in range(80_000))
    assert len(cut(sections, SETTINGS)) == 80_000


def test_real_documents(shared_data: Callable[[str], Path]) -> None:
    for path in sorted((shared_data("techdocs_md") / "docs").iterdir()):
        text = path.read_bytes().decode()
        cuts = cut(text, replace(SETTINGS, size=200, unit="tokens", overlap=20))
        assert_covers(text, cuts)
        fences = [source.strip() for kind, source in blocks(text) if kind == "fence"]
        chunks = cuts.texts(text)
        for fence in fences:
            assert LENGTHS["tokens"](fence) > 200 or any(fence in chunk for chunk in chunks)


def test_settings() -> None:
    assert check_settings(SETTINGS, {"size", "separators", "strip"}) == []
    with pytest.raises(InputError, match="keep_separator: none drops separators, and splitter 'ma"):
        check_settings(replace(SETTINGS, keep_separator="none"))
    with pytest.raises(InputError, match="unit: 'sentences' does not go"):
        check_settings(replace(SETTINGS, unit="sentences"))
