"""Strings placed in the text they were made of."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_oracle import EXAMPLES, cut, dense_texts, split_settings

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.splitting.alignment import Certainty, align
from chunkscope.splitting.settings import SplitterSettings

SURE, AMBIGUOUS, UNPLACED = Certainty.SURE, Certainty.AMBIGUOUS, Certainty.UNPLACED


def placed(text: str, chunks: list[str]) -> list[tuple[Certainty, list[str]]]:
    return [
        (place.certainty, [text[start:end] for start, end in place.spans])
        for place in align(text, chunks)
    ]


def test_slices_are_exact_where_text_repeats() -> None:
    places = align("lamp\n\nlamp\n\nlamp", ["lamp", "lamp", "lamp"])
    assert [place.spans for place in places] == [((0, 4),), ((6, 10),), ((12, 16),)]
    assert {place.certainty for place in places} == {SURE}


def test_one_of_several_places_is_ambiguous() -> None:
    text = "lamp\n\nlamp\n\nlamp\n\nend"
    assert [(place.spans, place.certainty) for place in align(text, ["lamp", "end"])] == [
        (((0, 4),), AMBIGUOUS),
        (((18, 21),), SURE),
    ]
    # It goes on from the chunk before.
    shown = align(text, ["lamp", "lamp", "end"])
    assert [place.start for place in shown] == [0, 6, 18]
    assert [place.certainty for place in shown] == [AMBIGUOUS, AMBIGUOUS, SURE]


def test_the_same_text_twice_of_a_text_that_has_it_once() -> None:
    assert placed("a lamp is lit", ["a lamp is lit", "a lamp is lit"]) == [
        (SURE, ["a lamp is lit"]),
        (AMBIGUOUS, ["a lamp is lit"]),
    ]


def test_white_space_may_differ_and_counts_where_it_does_not() -> None:
    text = "one\n\n  two\tthree \n four"
    assert placed(text, ["one two", " three", "four"]) == [
        (SURE, ["one\n\n  two"]),
        (SURE, ["three"]),
        (SURE, ["four"]),
    ]
    assert placed(text, ["one\n\n", "  two\t", "three \n four"]) == [
        (SURE, ["one\n\n"]),
        (SURE, ["  two\t"]),
        (SURE, ["three \n four"]),
    ]


def test_titles_put_before_and_headings_left_out() -> None:
    text = "# Port\n\nThe berths are free.\nAll of them.\n\n## Depth\n\nIt is low at noon today.\n"
    chunks = [
        "Harbour guide > Port\nThe berths are free.\nAll of them.",
        "The berths are free.\nAll of them.\nIt is low at noon today.",
        "It is low at noon today.\n(continued)",
    ]
    assert placed(text, chunks) == [
        (SURE, ["The berths are free.\nAll of them."]),
        (SURE, ["The berths are free.\nAll of them.", "It is low at noon today."]),
        (SURE, ["It is low at noon today."]),
    ]


def test_left_out_text_that_was_the_sources_own_is_not_sure() -> None:
    text = "The tug left at dawn. It came back.\nThe pilot stayed ashore all day long."
    changed = "THE TUG LEFT; It came back.\nThe pilot stayed ashore all day long."
    assert placed(text, [changed]) == [(AMBIGUOUS, ["The pilot stayed ashore all day long."])]


def test_characters_cut_in_two_belong_to_the_range() -> None:
    assert placed("ab 港 cd", ["ab \ufffd", "\ufffd cd"]) == [
        (SURE, ["ab 港"]),
        (SURE, ["港 cd"]),
    ]
    assert placed("ab! cd", ["ab\ufffd", "cd"])[0] == (AMBIGUOUS, ["ab"])


def test_text_that_moved_has_no_place() -> None:
    text = "<h1>H</h1><p>Alpha <strong>beta</strong> gamma</p>"
    places = align(text, ["beta\nAlpha  gamma", "zeta"])
    assert [place.certainty for place in places] == [UNPLACED, UNPLACED]
    assert all(place.start == place.end for place in places)


def test_a_chunk_that_is_nowhere_leaves_the_others_their_places() -> None:
    text = " ".join(f"word{number}" for number in range(30_000))
    chunks = [text[start : start + 700] for start in range(0, len(text), 700)]
    wanted = [(start, min(start + 700, len(text))) for start in range(0, len(text), 700)]
    del chunks[5:200], wanted[5:200]
    chunks.insert(3, "nothing of the kind " * 9)
    places = align(text, chunks)
    assert places[3].certainty is UNPLACED
    assert places[3].spans == ((2100, 2100),)
    del places[3]
    assert [place.spans[0] for place in places] == wanted
    assert {place.certainty for place in places} == {SURE}


def test_chunks_that_are_nowhere_cost_no_more_than_their_length() -> None:
    """Looked for ever farther, these would be compared with a megabyte of the same letter each."""
    text = "a" * 1_000_000
    places = align(text, ["a" * 199 + "z"] * 5_000)
    assert {place.certainty for place in places} == {UNPLACED}


@settings(max_examples=EXAMPLES)
@given(
    st.one_of(dense_texts, st.text("ab .\n", max_size=80)),
    st.sampled_from(["recursive", "character", "token", "words", "sentence"]),
    st.data(),
)
def test_what_is_sure_is_right(text: str, kind: str, data: st.DataObject) -> None:
    wanted = data.draw(split_settings("recursive", regex=False, keep=("end", "start")))
    cuts = cut(text, replace(wanted, kind=kind))
    chunks = [chunk for chunk in cuts.texts(text) if chunk.strip()]
    truth = [
        (int(cuts.starts[index]), int(cuts.ends[index]))
        for index, chunk in enumerate(cuts.texts(text))
        if chunk.strip()
    ]
    for chunk, place, true in zip(chunks, align(text, chunks), truth, strict=True):
        if place.certainty is SURE:
            assert place.spans == (true,)
        if place.certainty is not UNPLACED and "\ufffd" not in chunk:
            assert text[place.start : place.end].split() == chunk.split()


@pytest.mark.parametrize("name", ["techdocs_md", "toy_policy", "jaquad"])
def test_what_is_sure_is_right_of_real_texts(name: str, shared_data: Callable[[str], Path]) -> None:
    counts = dict.fromkeys(Certainty, 0)
    for path in sorted((shared_data(name) / "docs").iterdir())[:12]:
        text = path.read_bytes().decode()
        for kind, keep in (
            ("recursive", "start"),
            ("recursive", "none"),
            ("token", "end"),
            ("langchain-markdown", "end"),
        ):
            wanted = SplitterSettings(kind=kind, size=48, overlap=12, keep_separator=keep)
            cuts = cut(text, wanted)
            places = align(text, cuts.texts(text))
            for index, place in enumerate(places):
                counts[place.certainty] += 1
                if place.certainty is SURE:
                    true = (int(cuts.starts[index]), int(cuts.ends[index]))
                    assert (place.start, place.end) == true
    assert counts[UNPLACED] == 0
    assert 50 * counts[AMBIGUOUS] <= counts[SURE]


@given(st.lists(st.integers(0, 0x2FFF), min_size=1, max_size=120, unique=True), st.integers(1, 9))
def test_every_chunk_of_a_text_without_repeats_is_sure(codes: list[int], size: int) -> None:
    text = "".join(chr(0x3400 + code) for code in codes)
    settings = SplitterSettings(kind="recursive", unit="characters", size=size, overlap=size // 2)
    cuts = cut(text, settings)
    places = align(text, cuts.texts(text))
    assert [place.start for place in places] == cuts.starts.tolist()
    assert [place.end for place in places] == cuts.ends.tolist()
    assert {place.certainty for place in places} == {SURE}


@pytest.mark.parametrize("chunks", [[], ["", " "], ["a"]])
def test_chunks_of_an_empty_text(chunks: list[str]) -> None:
    assert [place.certainty for place in align("", chunks)] == [UNPLACED] * len(chunks)


def test_aligning_can_be_called_off() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        align("a", ["a"], token)
