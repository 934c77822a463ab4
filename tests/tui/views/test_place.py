from dataclasses import replace

from chunkscope.tui.views.place import Whereabouts, place_lines

PLACE = Whereabouts(
    name="guide.md",
    line=1043,
    origin="page 3",
    origin_short="p. 3",
    titles=("Guide", "Berths"),
    chunk="A: chunk 2 of 9 · 234 tokens · 900 characters · overlap 0",
    chunk_short="A 2/9 · 234 tok",
    reason="a blank line",
)


def text(lines):
    return ["".join(piece for piece, _role in line).strip() for line in lines]


def test_three_lines_hold_section_chunk_and_boundary():
    assert text(place_lines(PLACE, 100, 3)) == [
        "line 1,043 · page 3 · § Guide › Berths",
        "A: chunk 2 of 9 · 234 tokens · 900 characters · overlap 0",
        "begins here: a blank line",
    ]


def test_a_narrow_line_takes_fewer_words():
    assert text(place_lines(PLACE, 46, 3))[:2] == [
        "line 1,043 · page 3 · § Berths",
        "A 2/9 · 234 tok",
    ]


def test_one_line_names_the_document():
    (line,) = text(place_lines(PLACE, 80, 1))
    assert line == "guide.md:1043 · A 2/9 · 234 tok · p. 3 · § Berths"


def test_a_long_name_keeps_its_beginning_and_its_end():
    (line,) = text(place_lines(replace(PLACE, name="x" * 30 + "_version_2.txt"), 80, 1))
    assert line.startswith("xxxxxxxxxxx…ersion_2.txt:1043 · ")


def test_the_same_text_elsewhere_is_said():
    lines = text(place_lines(replace(PLACE, twins=("a\x1b.md",)), 100, 3))
    assert lines[0].endswith("§ Guide › Berths · same text as a␛.md")
