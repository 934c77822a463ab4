"""Blocks of HTML, by the places of their tags."""

from html.parser import HTMLParser

import pytest
from html_parts import HTML_PARTS
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.text.html import html_blocks, html_markup


def blocks(text: str) -> list[tuple[int, str]]:
    bounds = [*(block.start for block in html_blocks(text)), len(text)]
    return [
        (block.level, text[block.start : bounds[index + 1]])
        for index, block in enumerate(html_blocks(text))
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("plain", [(0, "plain")]),
        (
            "<h1>H</h1><p>Alpha <strong>beta</strong> gamma</p>",
            [(1, "<h1>H</h1>"), (0, "<p>Alpha <strong>beta</strong> gamma</p>")],
        ),
        (
            "<body><div>\n<H2 id='a>b'>T</H2>\n</div> tail <b>x</b><ul><li>1<li>2</ul></body>\n",
            [
                (2, "<body><div>\n<H2 id='a>b'>T</H2>\n</div> "),
                (0, "tail <b>x</b>"),
                (0, "<ul><li>1"),
                (0, "<li>2</ul></body>\n"),
            ],
        ),
        (
            "<table><tr><td><table><p>x</table><td>y</table><pre>\n<p>z</pre>!",
            [
                (0, "<table><tr><td><table><p>x</table><td>y</table>"),
                (0, "<pre>\n<p>z</pre>"),
                (0, "!"),
            ],
        ),
        (
            "a<script>if (1 < 2) '<p>'</SCRIPT >b<!-- <p> -->c<title><p></title>",
            [
                (0, "a"),
                (0, "<script>if (1 < 2) '<p>'</SCRIPT >"),
                (0, "b<!-- <p> -->c"),
                (0, "<title><p></title>"),
            ],
        ),
        (
            "<p>a</p><!-- for b --><i></i><p>b</p>",
            [(0, "<p>a</p>"), (0, "<!-- for b --><i></i><p>b</p>")],
        ),
        ("<p>a<p", [(0, "<p>a"), (0, "<p")]),
        ("x<!-- <p>y", [(0, "x<!-- <p>y")]),
        ("1 < 2 <> </> <p>y", [(0, "1 < 2 <> </> "), (0, "<p>y")]),
        ("<p><img src=a></p><p>b", [(0, "<p><img src=a></p>"), (0, "<p>b")]),
    ],
)
def test_the_blocks_of_a_page(text: str, found: list[tuple[int, str]]) -> None:
    assert blocks(text) == found


_MORE = ("<a href='>'>", '<a href=">', "</", "<?x", "=", '"', "&amp;", "<br/>", "<img>")
pages = st.lists(st.sampled_from((*HTML_PARTS, *_MORE)), max_size=30).map("".join)


@given(pages)
def test_blocks_leave_no_gap(text: str) -> None:
    found = [block.start for block in html_blocks(text)]
    assert found == sorted(set(found))
    assert found[:1] == ([0] if text else [])


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, bool, int]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.found.append((tag, False, self.getpos()[1]))

    def handle_endtag(self, tag: str) -> None:
        self.found.append((tag, True, self.getpos()[1]))


_SOUND = (
    "<p>",
    "</p>",
    "<h1 a=1>",
    "</h1>",
    "<b c='>' d=\">\">",
    "text",
    " < ",
    "<!-- <p> -->",
    "<br/>",
    "&lt;",
)


@given(st.lists(st.sampled_from(_SOUND), max_size=30).map("".join))
def test_tags_stand_where_a_parser_finds_them(text: str) -> None:
    parser = Tags()
    parser.feed(text)
    parser.close()
    own = [(one.name, one.closes, one.start) for one in html_markup(text) if one.name]
    assert own == [one for one in parser.found if one != ("br", True, one[2])]


@pytest.mark.parametrize(
    "part", ["<a ", "<!--", '<p x="', "<script>", "</", "<", "<table>", "<p>a"]
)
def test_a_megabyte_of_tags_that_never_end(part: str) -> None:
    text = part * (1_000_000 // len(part))
    assert html_blocks(text)[0].start == 0
    assert len(html_blocks(text)) == (250_000 if part == "<p>a" else 1)
