"""Two stages: sections by headings, then size."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from covering import assert_covers, assert_in_order
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_oracle import LENGTHS, cut, split_settings
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import is_code
from chunkscope.splitting.boundary import boundary_reason
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.parents import EnrichSettings, parent_cuts
from chunkscope.splitting.registry import (
    check_settings,
    effective_unit,
    get_splitter,
    splitter_kinds,
)
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.staged import first_stage
from chunkscope.splitting.warnings import corpus_warnings
from chunkscope.text.document import Corpus, Document

PAGE = "# Berths\n\n\tfree:\u00a01 and 2\n\n## Depth\nlow now. high later.\n# Tides\nnone"
BASE = SplitterSettings(kind="langchain-markdown+recursive", size=12, overlap=0, unit="characters")

_PARTS = (
    *(
        "# A",
        "# B",
        "## A",
        "### C",
        "#",
        "#x",
        "\n",
        "\n",
        "\n\n",
        "text",
        "two words. ",
        "e",
        " ",
    ),
    *("```", "~~~", "    # code", "\t", "\u00a0", "\x1c", "- item", "\r\n", "\x00", "\u200b"),
)
markdown = st.one_of(
    st.lists(st.sampled_from(_PARTS), max_size=40).map("".join),
    st.lists(st.sampled_from(_PARTS), max_size=30).map("\n".join),
)


def two_steps(
    text: str, wanted: SplitterSettings, levels: int, *, strip_headers: bool
) -> list[str]:
    """The chunks of LangChain's own two steps."""
    headers = [("#" * level, f"h{level}") for level in range(1, levels + 1)]
    sections = MarkdownHeaderTextSplitter(headers, strip_headers=strip_headers).split_text(text)
    keep = wanted.keep_separator
    splitter = RecursiveCharacterTextSplitter(
        separators=list(wanted.separators),
        chunk_size=wanted.size,
        chunk_overlap=wanted.overlap_size,
        length_function=LENGTHS[wanted.unit],
        keep_separator=False if keep == "none" else keep,
        is_separator_regex=wanted.regex,
        strip_whitespace=wanted.strip,
    )
    return [one.page_content for one in splitter.split_documents(sections)]


def visible(text: str) -> str:
    return "".join(one for one in text if one.isprintable() and not one.isspace())


def assert_spans_hold_the_text(text: str, cuts: Cuts) -> None:
    """The source ranges hold all that can be seen of a chunk, and nothing else."""
    for index, (start, end) in enumerate(
        zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True)
    ):
        spans = cuts.spans.get(index, ((start, end),))
        assert (spans[0][0], spans[-1][1]) == (start, end)
        assert all(0 <= low <= high <= len(text) for low, high in spans)
        source = "".join(text[low:high] for low, high in spans)
        assert visible(source) == visible(cuts.text(index, text))
        assert (text[start:end] == cuts.text(index, text)) == (index not in cuts.altered)


@settings(max_examples=150)
@given(
    markdown,
    split_settings("recursive", regex=False, keep=("end", "start")),
    st.integers(1, 6),
    st.booleans(),
)
def test_chunks_are_those_of_langchains_two_steps(
    text: str, wanted: SplitterSettings, levels: int, strip_headers: bool
) -> None:
    kept = "" if strip_headers else ",kept"
    cuts = cut(text, replace(wanted, kind=f"langchain-markdown:{levels}{kept}+recursive"))
    assert cuts.texts(text) == two_steps(text, wanted, levels, strip_headers=strip_headers)
    assert_spans_hold_the_text(text, cuts)
    assert cuts.starts.tolist() == sorted(cuts.starts.tolist())


@settings(max_examples=60)
@given(markdown, split_settings("recursive", regex=True), st.booleans())
def test_dropped_separators_and_patterns(
    text: str, wanted: SplitterSettings, strip_headers: bool
) -> None:
    kept = "" if strip_headers else ":kept"
    cuts = cut(text, replace(wanted, kind=f"langchain-markdown{kept}+recursive"))
    assert cuts.texts(text) == two_steps(text, wanted, 6, strip_headers=strip_headers)


def test_real_documents_at_the_sizes_people_use(shared_data: Callable[[str], Path]) -> None:
    for path in sorted((shared_data("techdocs_md") / "docs").iterdir()):
        text = path.read_bytes().decode()
        for size, overlap, kept in ((1000, 100, ""), (300, 30, ",kept")):
            wanted = replace(BASE, size=size, overlap=overlap, keep_separator="start")
            cuts = cut(text, replace(wanted, kind=f"langchain-markdown:3{kept}+recursive"))
            assert cuts.texts(text) == two_steps(text, wanted, 3, strip_headers=not kept)
            assert_spans_hold_the_text(text, cuts)


def test_chunks_know_their_source_lines() -> None:
    cuts = cut(PAGE, BASE)
    assert cuts.texts(PAGE) == ["free:1 and 2", "low now.", "high later.", "none"]
    places = zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True)
    assert [PAGE[start:end] for start, end in places] == [
        "free:\u00a01 and 2",
        "low now.",
        "high later.",
        "none",
    ]
    assert cuts.altered == {0: "free:1 and 2"}


def test_a_chunk_over_a_dropped_heading_has_a_span_on_either_side() -> None:
    text = "# A\none\n# A\ntwo"
    assert cut(text, replace(BASE, size=20)).spans == {0: ((4, 7), (12, 15))}
    assert cut(text, replace(BASE, size=5)).spans == {}


@pytest.mark.parametrize("second", ["recursive", "token", "words", "sentence", "code:markdown"])
@pytest.mark.parametrize("first", ["markdown", "html"])
@settings(max_examples=25)
@given(text=markdown, size=st.integers(1, 20))
def test_own_sections_drop_nothing(first: str, second: str, text: str, size: int) -> None:
    page = text if first == "markdown" else text.replace("# A", "<h1>A</h1>")
    wanted = replace(BASE, kind=f"{first}+{second}", size=size)
    cuts = cut(page, wanted)
    assert_covers(page, cuts)
    if second != "token":
        assert_in_order(page, cuts)
    sections = first_stage(page, wanted)
    assert sections is not None
    # No chunk reaches over a boundary of the first stage.
    for start, end in zip(cuts.starts.tolist(), cuts.ends.tolist(), strict=True):
        assert any(low <= start and end <= high for ((low, high),) in sections)


def test_boundaries_of_both_stages() -> None:
    text = "# A\none two\n## B\nthree\n# C\n"
    sections = (((0, 12),), ((12, 23),), ((23, 27),))
    for kind in ("markdown", "markdown+words"):
        assert first_stage(text, replace(BASE, kind=kind)) == sections
    assert first_stage(text, BASE) == (((4, 11),), ((17, 22),))
    assert first_stage(text, replace(BASE, kind="recursive")) is None
    assert first_stage("", BASE) == ()
    two = replace(BASE, kind="markdown+words", size=3)
    cuts = cut(text, two)
    assert cuts.texts(text) == ["# A\none", "two", "## B\nthree", "# C"]
    assert boundary_reason(text, cuts, 1, two) == "a window of 3 words ends here; nothing repeated"
    assert boundary_reason(text, cuts, 2, two) == "a section ends here; nothing repeated"


def test_sections_of_a_long_text_are_not_sought_for_one_sentence() -> None:
    text = "# A\n" + "word " * 60_000 + "\n# B\nend"
    wanted = replace(BASE, kind="markdown", size=400_000)
    said = "a section ends here; nothing repeated"
    assert boundary_reason(text, cut(text, wanted), 1, wanted) == (
        "a section ends here, or a block of one that is too long; nothing repeated"
    )
    short = text[:4] + text[-200:]
    assert boundary_reason(short, cut(short, wanted), 1, wanted) == said


def test_sentences_in_sections() -> None:
    text = "# A\nOne is. Two is. Three is.\n# B\nFour is."
    wanted = replace(BASE, kind="markdown+sentence", unit="sentences", size=2)
    cuts = cut(text, wanted)
    assert cuts.texts(text) == ["# A\nOne is. Two is.", "Three is.", "# B\nFour is."]
    assert cuts.sizes is not None
    assert cuts.sizes.tolist() == [2, 1, 1]


def test_settings() -> None:
    assert check_settings(BASE, {"size", "separators", "regex"}) == []
    words = replace(BASE, kind="markdown+words", unit="words")
    assert effective_unit(words) == "words"
    assert check_settings(words, {"separators"}) == [
        "separators: not used by splitter 'markdown+words'"
    ]
    for kind, said in (
        ("recursive+token", "'recursive' cannot be the first of two stages; give one of markdown"),
        ("markdown+nothing", "'nothing' is not known"),
        ("markdown+words+token", "has more than two stages"),
        ("langchain-markdown:7", "option '7' that is not known"),
        ("langchain-markdown:3,lost+words", "option 'lost' that is not known"),
        ("+words", "'' cannot be the first"),
    ):
        with pytest.raises(InputError, match=said):
            get_splitter(kind)
    assert cut(PAGE, replace(BASE, kind="langchain-markdown:1,kept")).texts(PAGE)[-1] == (
        "# Tides\nnone"
    )


def test_the_listed_ones_are_found() -> None:
    staged = [kind for kind in splitter_kinds() if "+" in kind]
    assert "langchain-markdown+recursive" in staged
    for kind in staged:
        assert check_settings(replace(BASE, kind=kind)) == []


def test_what_runs_code_is_known_in_either_stage() -> None:
    assert not is_code("langchain-markdown:3,kept+code:python")
    assert is_code("markdown+module:object")
    assert is_code("module:object")


def test_warnings_and_parents_go_by_the_second_stage() -> None:
    corpus = Corpus((Document("a.md", "plain words"),))
    wanted = replace(BASE, kind="markdown+recursive", separators=("\n\n",))
    assert corpus_warnings(corpus, wanted) == [
        "separators: number 1, ↵↵, occurs nowhere",
        "splitter: markdown finds no heading and cuts at blocks and by size alone (a.md)",
    ]
    parents = parent_cuts(Document("a.md", PAGE), BASE, EnrichSettings(parent="200"))
    assert len(parents) == 3


def test_cutting_can_be_called_off() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        get_splitter("markdown+words").prepare(PAGE, BASE).cut(3, 0, token)
