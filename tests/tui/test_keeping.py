from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.tui.keeping import kept_place

TEXT = "# One\n\nThe quay opens at six.\n\n# Two\n\nThe lamp is lit at dusk, and no sooner.\n"


def test_what_stands_before_a_change_stays():
    assert kept_place(TEXT, TEXT + "More.", TEXT.index("lamp")) == TEXT.index("lamp")


def test_what_stands_after_a_change_moves_along():
    new = TEXT.replace("opens at six", "opens at half past five")
    assert kept_place(TEXT, new, TEXT.index("lamp")) == new.index("lamp")


def test_between_two_changes_the_characters_around_decide():
    new = "Note.\n" + TEXT.replace("sooner", "earlier")
    assert kept_place(TEXT, new, TEXT.index("lamp")) == new.index("lamp")


def test_a_place_that_is_gone_falls_to_the_change():
    new = TEXT[:7] + TEXT[TEXT.index("# Two") :]
    assert 0 <= kept_place(TEXT, new, TEXT.index("quay")) <= len(new)
    assert kept_place(TEXT, "", 20) == 0


@given(st.text("ab\n", max_size=30), st.text("ab\n", max_size=30), st.integers(0, 30))
@settings(max_examples=200)
def test_a_place_is_always_in_the_text(before: str, after: str, offset: int):
    place = kept_place(before, after, min(offset, len(before)))
    assert 0 <= place <= len(after)


@given(
    st.text("abc\n", max_size=20),
    st.text("abc\n", max_size=20),
    st.text("abc\n", max_size=20),
    st.integers(0, 20),
)
@settings(max_examples=200)
def test_text_put_in_before_a_place_shifts_it(head: str, put: str, tail: str, at: int):
    before, after = head + tail, head + put + tail
    place = len(head) + min(at, len(tail))
    found = kept_place(before, after, place)
    # Where what was put in repeats what stands there, either reading of the change will do.
    assert after[found:] == before[place:] or after[:found] == before[:place]
