from chunkscope.tui.views.place import place_lines

SAID = "line 43 · chunk 2 · 234 tokens · overlap 0 · evidence cut"


def text(lines):
    return ["".join(piece for piece, _role in line).strip() for line in lines]


def test_what_fits_in_a_line_is_said_once():
    assert text(place_lines(SAID, (), "", 100, 3)) == [SAID]


def test_section_and_boundary_come_first():
    shown = text(place_lines(SAID, ("Guide", "Berths"), "a blank line", 100, 3))
    assert shown == ["§ Guide › Berths · begins here: a blank line", SAID]


def test_a_long_line_is_broken_and_the_rest_stays_on_the_last():
    shown = text(place_lines(SAID, ("Berths",), "", 24, 3))
    assert shown[0] == "§ Berths"
    assert len(shown) == 3
    assert "".join(shown[1:]).replace(" ", "") == SAID.replace(" ", "")


def test_one_line_holds_everything():
    assert text(place_lines(SAID, ("Berths",), "", 100, 1)) == [f"{SAID} · § Berths"]
