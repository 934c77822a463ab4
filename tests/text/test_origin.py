import pytest

from chunkscope.text.document import Document
from chunkscope.text.loading.newlines import with_lf
from chunkscope.text.origin import Origin, Part, joined


def test_joined_parts_stand_where_they_say():
    text, parts = joined([("page 1", "one"), ("page 2", ""), ("page 3", "three")], "\n\f")
    assert text == "one\n\f\n\fthree"
    assert parts == (Part("page 1", 0, 3), Part("page 2", 5, 5), Part("page 3", 7, 12))
    assert joined([], "\n\f") == ("", ())


@pytest.mark.parametrize(
    ("start", "end", "place"),
    [
        (0, 3, "page 1"),
        (0, 5, "page 1"),
        (4, 5, "page 1"),
        (2, 6, "page 1 to page 2"),
        (5, 9, "page 2"),
        (9, 9, "page 2"),
        (0, 40, "page 1 to page 2"),
    ],
)
def test_the_place_of_a_span(start, end, place):
    text, parts = joined([("page 1", "one"), ("page 2", "four")], "\n\f")
    document = Document("a.pdf", text, origin=Origin("PDF", parts))
    assert document.place(start, end) == place


def test_a_text_of_its_own_has_no_places():
    assert Document("a.txt", "text").place(0, 4) == ""
    assert Document("a.html", "text", origin=Origin("HTML")).place(0, 4) == ""
    late = Origin("PDF", (Part("page 1", 2, 4),))
    assert late.part_at(0) is None
    assert late.place(0, 2) == ""
    assert late.place(0, 3) == "page 1"


def test_the_source_of_a_place():
    origin = Origin("HTML", pieces=((2, 10), (5, 40)))
    assert [origin.source_of(place) for place in range(7)] == [None, None, 10, 11, 12, 40, 41]
    assert Origin("PDF").source_of(0) is None
    assert [origin.place(*span) for span in ((2, 4), (2, 6), (3, 3), (0, 4))] == [
        "source 10–12", "source 10–41", "source 11–12", "",
    ]  # fmt: skip


def test_lf_moves_parts_and_pieces_along():
    text = "a\r\nb\rc\r\n\r\nd"
    origin = Origin("X", (Part("1", 0, 4), Part("2", 5, 11)), ((0, 100), (5, 200)))
    converted, moved = with_lf(text, origin)
    assert converted == "a\nb\nc\n\nd"
    assert moved is not None
    assert [converted[part.start : part.end] for part in moved.parts] == ["a\nb", "c\n\nd"]
    # Each character is still traced to the place it came from.
    kept = [place for place in range(len(text)) if text[place : place + 2] != "\r\n"]
    assert [moved.source_of(place) for place in range(len(converted))] == [
        origin.source_of(place) for place in kept
    ]
    assert with_lf("a\rb\n", origin) == ("a\nb\n", origin)
    assert with_lf("a\r\n", None) == ("a\n", None)
