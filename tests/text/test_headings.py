import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from chunkscope.errors import InputError
from chunkscope.text.headings import Heading, heading_path, heading_paths, headings
from chunkscope.text.lines import LineIndex
from chunkscope.text.spans import Span


def brief(text, name="a.md", pattern=""):
    return [(one.level, one.title) for one in headings(text, document_id=name, pattern=pattern)]


def test_atx_headings_carry_level_title_and_source_span():
    text = "# One\n\nbody\n\n   ### Three ###  \nmore\n"
    assert headings(text, document_id="x/y.MD") == [
        Heading(1, "One", Span(0, 5)),
        Heading(3, "Three", Span(16, 29)),
    ]
    assert text[16:29] == "### Three ###"


def test_setext_heading_spans_title_lines_and_underline():
    text = "first\nsecond\n======\n\nplain\n\nthird\n---\n"
    found = headings(text, document_id="a.md")
    assert [(one.level, one.title) for one in found] == [(1, "first second"), (2, "third")]
    assert text[slice(*found[0].span)] == "first\nsecond\n======"
    assert text[slice(*found[1].span)] == "third\n---"


@pytest.mark.parametrize(
    "text",
    [
        "# T\n    # indented comment\nend\n",
        "```python\n# comment\n```\n# T\n",
        "~~~\n# comment\n```\n# comment\n~~~\n# T\n",
        "````\n```\n# comment\n```\n````\n# T\n",
        "# T\n\n```\n# to the end\n",
        "<pre>\n# inside\n\n# inside\n</pre>\n# T\n",
        "<!--\n# inside\n\n# inside\n-->\n# T\n",
        "- item\n\n  ```sh\n  # comment\n  ```\n\n# T\n",
        "> # quoted\n\n# T\n",
        "- # listed\n\n# T\n",
        "- a\n  ```\n  # unclosed, ends with its item\n\n# T\n",
        "#no space\n####### seven\n\n# T\n",
        "---\ntitle: x\n# comment\n---\n# T\n",
        "+++\ntitle = 'x'\n# comment\n+++\n# T\n",
        "\n\\# escaped\n\n# T\n",
        "\ufeff# T\n",
        "# T\r\rtext\r",
        "# T\r\ntext\r\n",
    ],
)
def test_what_only_looks_like_a_heading_is_none(text):
    assert brief(text) == [(1, "T")]


def test_a_rule_above_text_is_no_front_matter():
    assert brief("---\n\n# T\n\ntext\n\n---\n") == [(1, "T")]


def test_headings_with_other_line_ends_and_a_leading_mark_slice_to_their_source():
    text = "\ufeffTop\r\n===\r\rx\r\r## Sub\rend"
    found = headings(text, document_id="a.md")
    assert [(one.level, one.title) for one in found] == [(1, "Top"), (2, "Sub")]
    assert [text[slice(*one.span)] for one in found] == ["Top\r\n===", "## Sub"]


def test_html_headings():
    text = (
        "<html><head><title>t</title><style>h1 {}</style><script>'<h1>no</h1>'</script></head>"
        "<!-- <h2>no</h2> --><H1 class='a'>Tides &amp; <em>berths</em>\n late"
        '<a class="headerlink" href="#x">¶</a></H1><p>text</p><h3>Inner</h3><hr><header>x</header>'
    )
    found = headings(text, document_id="page.html")
    assert [(one.level, one.title) for one in found] == [(1, "Tides & berths late"), (3, "Inner")]
    assert text[slice(*found[1].span)] == "<h3>Inner</h3>"
    assert text[found[0].span.start : found[0].span.start + 4] == "<H1 "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<h1>open", [(1, "open")]),
        ("<h1", []),
        ("<h1>a<h2>b</h2>", [(1, "a"), (2, "b")]),
        ("<!-- never closed <h1>a</h1>", []),
        ("<script>never closed <h1>a</h1>", []),
        ("<h2>a</h2", [(2, "a")]),
    ],
)
def test_broken_html_neither_hangs_nor_crashes(text, expected):
    assert brief(text, "a.htm") == expected


def test_pattern_finds_headings_of_plain_text():
    text = "Policy section: Leave\r\nbody\rPolicy section: Pay \nbody, Policy section: no\n"
    found = headings(text, document_id="a.txt", pattern="^Policy section: .*$")
    assert [(one.level, one.title) for one in found] == [
        (1, "Policy section: Leave"),
        (1, "Policy section: Pay"),
    ]
    assert text[slice(*found[0].span)] == "Policy section: Leave"
    assert brief(text, "a.txt") == []
    assert brief("\ufeffPart 1\n", "a.txt", "^Part .*") == [(1, "Part 1")]


def test_bad_pattern_is_an_input_error():
    with pytest.raises(InputError, match="heading_pattern: '\\(' is not a regular expression"):
        headings("x", document_id="a.txt", pattern="(")


def test_path_leads_through_the_enclosing_sections():
    text = "# A\n### deep\nx\n## B\ny\n# C\nz\n"
    found = headings(text, document_id="a.md")
    assert heading_path(found, text.index("x\n")) == ("A", "deep")
    assert heading_path(found, text.index("## B")) == ("A", "B")
    assert heading_path(found, text.index("z")) == ("C",)
    assert heading_path(headings("intro\n# A\n", document_id="a.md"), 0) == ()
    assert heading_paths(found) == [("A",), ("A", "deep"), ("A", "B"), ("C",)]


@given(st.lists(st.integers(1, 6), max_size=30))
def test_path_of_each_heading_equals_the_list_of_paths(levels):
    text = "".join(f"{'#' * level} h{number}\n" for number, level in enumerate(levels))
    found = headings(text, document_id="a.md")
    assert [one.level for one in found] == levels
    assert [heading_path(found, one.span.start) for one in found] == heading_paths(found)


FRAGMENTS = st.sampled_from(
    [
        "",
        "word",
        "two words",
        "# h",
        "## h ##",
        "###",
        "#no",
        "   # h",
        "    # code",
        "===",
        "---",
        "- - -",
        "***",
        "-",
        "```",
        "````",
        "~~~ x",
        "~~~",
        "``` a`b",
        "> q",
        ">",
        "> # q",
        "> ```",
        "- item",
        "- # item",
        "  # in",
        "  more",
        "1. one",
        "2) two",
        "   # in",
        "   ```",
        "* ```",
        "<div>",
        "</div>",
        "<pre>",
        "</pre>",
        "<!-- c",
        "-->",
        "<b>",
        "<?x",
        "\t# tab",
        "#\ttab",
        ">\t# tab",
        "-\t# tab",
    ]
)


@given(st.lists(FRAGMENTS, max_size=12))
def test_markdown_headings_are_those_of_commonmark(fragments):
    text = "\n".join(["start", "", *fragments])
    tokens = MarkdownIt("commonmark").parse(text)
    expected = [
        (int(token.tag[1]), token.map[0], " ".join(tokens[index + 1].content.split()))
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0
    ]
    lines = LineIndex(text)
    found = [
        (one.level, lines.line_of(one.span.start), one.title)
        for one in headings(text, document_id="a.md")
    ]
    assert found == expected


def test_headings_of_the_nested_example(shared_data):
    text = (shared_data("awkward") / "docs" / "m13_nested_headings.md").read_bytes().decode()
    found = headings(text, document_id="m13_nested_headings.md")
    assert len(found) == 127
    assert {one.level for one in found} == {1, 2, 3, 4, 5, 6}
    assert all("seven hashes" not in one.title and "indented" not in one.title for one in found)
    offset = text.index("The only sentence of leaf 2.3.1")
    assert heading_path(found, offset)[:3] == ("Part 2", "Chapter 2.3", "Section 2.3.1")


def test_long_and_deep_lines_are_taken_in_one_pass():
    text = ">" * 200_000 + "\n" + "- " * 100_000 + "x\n\n" + "# " * 100_000 + "\n# end\n"
    assert brief(text)[-1] == (1, "end")
    assert len(brief("# T\n" + "paragraph\n\n" * 80_000)) == 1
    assert brief("<h1" * 100_000 + "<!--" * 100_000, "a.html") == []
