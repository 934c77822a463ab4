from hypothesis import given
from hypothesis import strategies as st
from painting_texts import chunk_layers, layer, wild_layers

from chunkscope.tui.painting.bands import Band, ChunkBands

LENGTH = 40


@given(chunk_layers(LENGTH) | wild_layers(LENGTH), st.data())
def test_pieces_tile_the_range_and_tell_how_many_chunks_hold_it(chunks, data):
    bands = ChunkBands(chunks)
    start = data.draw(st.integers(0, LENGTH))
    end = data.draw(st.integers(start, LENGTH))
    ranges = list(zip(chunks.starts.tolist(), chunks.ends.tolist(), strict=True))
    at = start
    for piece in bands.pieces(start, end):
        assert piece.start == at
        assert piece.end > piece.start
        at = piece.end
        for offset in range(piece.start, piece.end):
            holders = sum(low <= offset < high for low, high in ranges)
            if holders == 0:
                assert piece.band is Band.GAP
            elif holders == 1:
                assert piece.band in (Band.EVEN, Band.ODD)
            elif ranges == sorted(ranges) and _ascending(ranges):
                assert piece.band.shared
    assert at == end


def _ascending(ranges: list[tuple[int, int]]) -> bool:
    ends = [end for _, end in ranges if end]
    return ends == sorted(ends)


@given(chunk_layers(LENGTH) | wild_layers(LENGTH), st.integers(0, LENGTH))
def test_chunk_at_names_a_chunk_that_holds_the_offset(chunks, offset):
    bands = ChunkBands(chunks)
    ranges = list(zip(chunks.starts.tolist(), chunks.ends.tolist(), strict=True))
    holders = [index for index, (low, high) in enumerate(ranges) if low <= offset < high]
    found = bands.chunk_at(offset)
    assert (found is None) is (not holders)
    if found is not None:
        assert found in holders
    assert bands.covers(offset) is bool(holders)
    assert bands.runs_into(offset) is any(low < offset < high for low, high in ranges)


@given(chunk_layers(LENGTH) | wild_layers(LENGTH), st.data())
def test_starts_and_ends_in_a_range(chunks, data):
    bands = ChunkBands(chunks)
    start = data.draw(st.integers(0, LENGTH))
    end = data.draw(st.integers(start, LENGTH + 1))
    starts = chunks.starts.tolist()
    inside = [index for index, low in enumerate(starts) if start <= low < end]
    assert sorted(bands.starting(start, end)) == inside
    assert bands.start_offsets(start, end) == sorted({starts[index] for index in inside})
    assert bands.starts_within(start, end) is bool(inside)


def test_neighbours_differ_and_real_overlap_is_shared():
    bands = ChunkBands(layer([(0, 10), (8, 20), (20, 30), (32, 40)]))
    assert [(*piece[:2], piece.band.value) for piece in bands.pieces(0, 40)] == [
        (0, 8, "even"),
        (8, 10, "overlap-odd"),
        (10, 20, "odd"),
        (20, 30, "even"),
        (30, 32, "gap"),
        (32, 40, "odd"),
    ]


def test_equal_chunks_are_shared_text():
    bands = ChunkBands(layer([(0, 5), (0, 5)]))
    assert [piece.band for piece in bands.pieces(0, 5)] == [Band.OVERLAP_ODD]


def test_a_chunk_holds_what_nested_chunks_leave():
    bands = ChunkBands(layer([(0, 20), (5, 8)]))
    assert [(*piece[:2], piece.band.value) for piece in bands.pieces(0, 20)] == [
        (0, 5, "even"),
        (5, 8, "overlap-odd"),
        (8, 20, "even"),
    ]
    assert bands.chunk_at(10) == 0


def test_no_chunks_is_one_gap():
    assert ChunkBands(layer([])).pieces(3, 9) == [(3, 9, Band.GAP)]
