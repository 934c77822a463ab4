import pytest

from chunkscope.text.headings import heading_paths, headings
from chunkscope.text.loading.newlines import with_lf
from chunkscope.text.origin import Origin, Part


def found(text, document_id="a.rst"):
    return [
        (one.level, one.title, text[one.span.start : one.span.end])
        for one in headings(text, document_id=document_id)
    ]


def test_titles_have_the_level_at_which_their_style_came_up():
    text = (
        "=====\nTides\n=====\n\nLow\n---\n\ntext\n\nHigh\n----\n\nNeap\n~~~~\n\nEnd\n===\n"
        "\n=====\nBerth\n=====\n"
    )
    assert [(level, title) for level, title, _ in found(text)] == [
        (1, "Tides"), (2, "Low"), (2, "High"), (3, "Neap"), (4, "End"), (1, "Berth"),
    ]  # fmt: skip
    assert found(text)[0][2] == "=====\nTides\n====="
    assert found(text)[1][2] == "Low\n---"
    assert heading_paths(headings(text, document_id="a.RST"))[3] == ("Tides", "High", "Neap")


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Title\n=====", ["Title"]),
        ("\ufeffTitle\r\n=====\r\ntext", ["Title"]),
        ("Longer than its line\n====\n", ["Longer than its line"]),
        ("Long\n===\n", []),
        ("a\n=\n", ["a"]),
        ("one\ntwo\n---\n", []),
        ("::\n\n    Code\n    ----\n", []),
        ("text\n\n----\n\nmore\n", []),
        (".. note\n-------\n", []),
        ("=====  =====\na      b\n=====  =====\n", []),
        ("====\nA B\n---\n", []),
        ("``run`` and :func:`go <x.go>` \\*\n=======\n", ["run and go *"]),
        ("", []),
        ("=====", []),
        ("=====\n", []),
        ("=====\n=====\n=====\n", []),
    ],
)
def test_what_is_a_title(text, titles):
    assert [title for _, title, _ in found(text)] == titles


def test_only_rst_is_read_so_unless_a_pattern_is_given():
    assert found("Title\n=====\n", "a.txt") == []
    assert found("Title\n=====\n", "a.rest") == [(1, "Title", "Title\n=====")]


def test_headings_that_the_file_itself_marks_go_before_the_name():
    text = "Fees\n\n# not one"
    marked = Origin("DOCX", (Part("paragraph 1", 0, 4),), headings=((2, "Fees", 0, 4),))
    (one,) = headings(text, document_id="a.md", origin=marked)
    assert (one.level, one.title, one.span) == (2, "Fees", (0, 4))
    plain = headings(text, document_id="a.md", origin=Origin("JSON Lines"))
    assert [heading.title for heading in plain] == ["not one"]
    page = "use <h1>Fees</h1> here"
    assert headings(page, document_id="a.html", origin=Origin("HTML")) == []


def test_headings_move_along_with_line_ends():
    origin = Origin("notebook", headings=((1, "B", 3, 4), (2, "D", 8, 9)))
    converted, moved = with_lf("a\r\nB\r\nc\rD", origin)
    assert converted == "a\nB\nc\nD"
    assert moved is not None
    assert moved.headings == ((1, "B", 2, 3), (2, "D", 6, 7))
