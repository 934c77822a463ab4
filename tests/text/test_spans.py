from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from chunkscope.text.spans import Span, covered_length, merge, union_length

SPANS = st.lists(
    st.builds(
        lambda start, length: Span(start, start + length), st.integers(0, 40), st.integers(0, 12)
    ),
    max_size=12,
)


def characters(spans):
    return {offset for start, end in spans for offset in range(start, end)}


def test_touching_ranges_share_nothing():
    assert Span(0, 10).overlap(Span(10, 20)) == 0
    assert Span(0, 10).overlap(Span(9, 20)) == 1
    assert Span(0, 10).overlap(Span(12, 20)) == 0


def test_a_range_contains_itself_and_nothing_that_sticks_out():
    assert Span(3, 7).contains(Span(3, 7))
    assert Span(3, 7).contains(Span(4, 6))
    assert not Span(3, 7).contains(Span(2, 7))
    assert not Span(3, 7).contains(Span(3, 8))
    assert Span(3, 7).length == 4


def test_touching_ranges_merge():
    assert merge([Span(5, 8), Span(0, 5), Span(9, 9)]) == [Span(0, 8)]


@given(SPANS)
def test_merging_keeps_the_characters_in_disjoint_ascending_ranges(spans):
    merged = merge(spans)
    assert characters(merged) == characters(spans)
    assert all(left.end < right.start for left, right in pairwise(merged))
    assert all(span.length > 0 for span in merged)


@given(SPANS, SPANS)
def test_lengths_are_sizes_of_character_sets(spans, covers):
    assert union_length(spans) == len(characters(spans))
    assert covered_length(spans, covers) == len(characters(spans) & characters(covers))


@given(SPANS.filter(lambda spans: len(spans) > 1))
def test_overlap_is_the_size_of_the_common_set(spans):
    left, right = spans[:2]
    assert left.overlap(right) == len(characters([left]) & characters([right]))
