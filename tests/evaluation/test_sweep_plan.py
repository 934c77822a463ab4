"""What a sweep runs: lists, ranges, combinations, and what is left out with its reason."""

import json

import pytest

from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.sweepplan import (
    parse_overlaps,
    parse_sizes,
    parse_vary,
    plan_sweep,
    unused_settings,
)
from chunkscope.splitting.settings import SplitterSettings


def test_sizes():
    assert parse_sizes("64,128,256..512:64") == (64, 128, 256, 320, 384, 448, 512)
    assert parse_sizes(" 8 , 8,10..11:5") == (8, 10)


def test_overlaps():
    assert parse_overlaps("0,10%,20..60:20") == (0, "10%", 20, 40, 60)
    assert parse_overlaps("0..45:15%") == ("0%", "15%", "30%", "45%")
    assert parse_overlaps("0%..20%:10%,2.5%") == ("0%", "10%", "20%", "2.5%")


@pytest.mark.parametrize(
    "text", ["", "64,,128", "x", "64..", "64..128", "128..64:8", "1..9:0", "0", "-4", "6.5", "1..9"]
)
def test_sizes_that_are_none(text):
    with pytest.raises(InputError, match=r"^sizes: "):
        parse_sizes(text)


@pytest.mark.parametrize("text", ["", "x%", "%", "-1", "-5%", "1..2:%", "1/0%", "a..b:5%"])
def test_overlaps_that_are_none(text):
    with pytest.raises(InputError, match=r"^overlaps: "):
        parse_overlaps(text)


def test_a_range_of_millions_is_refused():
    with pytest.raises(InputError, match="widen the step"):
        parse_sizes("1..100000000:1")


def test_rows_in_order_and_pairs_that_cannot_run():
    plan = plan_sweep(Configuration(), (16, 64), (0, "25%", 20))
    rows = [(row.splitter.size, row.splitter.overlap_size) for row in plan.rows]
    assert rows == [(16, 0), (16, 4), (64, 0), (64, 16), (64, 20)]
    (skipped,) = plan.skipped
    assert skipped.configuration.splitter.overlap == 20
    assert "20" in skipped.reason
    assert "16" in skipped.reason


def test_one_pair_under_two_names_runs_once():
    plan = plan_sweep(Configuration(), (64,), (0, "1%", "25%", 16))
    assert [row.splitter.overlap for row in plan.rows] == [0, "25%"]
    assert [skipped.configuration.splitter.overlap for skipped in plan.skipped] == ["1%", 16]
    assert "already in the sweep" in plan.skipped[0].reason


def test_defaults_are_half_same_double_with_and_without_overlap():
    plan = plan_sweep(Configuration(SplitterSettings(size=100, overlap="20%")))
    rows = [(row.splitter.size, row.splitter.overlap_size) for row in plan.rows]
    assert rows == [(50, 0), (50, 10), (100, 0), (100, 20), (200, 0), (200, 40)]


def test_other_settings_vary_slowest_and_units_follow_the_splitter():
    plan = plan_sweep(
        Configuration(), (32,), (0, "25%"), {"splitter": ["recursive", "words"], "strip": ["true"]}
    )
    rows = [(row.splitter.kind, row.splitter.unit, row.splitter.overlap_size) for row in plan.rows]
    assert rows == [
        ("recursive", "tokens", 0),
        ("recursive", "tokens", 8),
        ("words", "words", 0),
        ("words", "words", 8),
    ]


def test_vary():
    assert parse_vary("splitter=recursive, words") == ("splitter", ("recursive", "words"))
    assert parse_vary("keep-separator=end,start") == ("keep_separator", ("end", "start"))
    for text in ("splitter", "splitter=", "splitter=a,,b", "colour=red", "kind=a"):
        with pytest.raises(InputError, match=r"^vary: "):
            parse_vary(text)
    with pytest.raises(InputError, match="--sizes"):
        parse_vary("size=1,2")


def test_truths_in_labels_are_written_as_in_a_file():
    plan = plan_sweep(Configuration(), (64,), (0,), {"dedupe": ["true", "false"]})
    assert [row.label_with(plan.varied) for row in plan.rows] == [
        "recursive 64/0 cl100k_base tokens, dedupe true",
        "recursive 64/0 cl100k_base tokens, dedupe false",
    ]


def test_values_with_commas_are_varied_as_a_json_list():
    blank, line = ["\n\n", ""], ["\n", ", "]
    given = f"separators={json.dumps([blank, line, blank])}"
    assert parse_vary(given) == ("separators", (blank, line))
    assert parse_vary(f"separators={json.dumps(line)}") == ("separators", (line,))
    assert parse_vary("k=[[5, 10], [3]]") == ("k", ([5, 10], [3]))
    assert parse_vary('heading_pattern=["^a{1,2}$"]') == ("heading_pattern", ("^a{1,2}$",))
    plan = plan_sweep(Configuration(), (64,), (0,), dict([parse_vary(given)]))
    assert [row.splitter.separators for row in plan.rows] == [tuple(blank), tuple(line)]
    for text in ('separators=["a"', "separators=[]", 'k=[""]'):
        with pytest.raises(InputError, match=r"^vary: "):
            plan_sweep(Configuration(), (64,), (0,), dict([parse_vary(text)]))


def test_a_splitter_that_fixes_its_unit_never_bears_another():
    plan = plan_sweep(
        Configuration(SplitterSettings(kind="words", unit="words")), (64,), (0,),
        {"unit": ["tokens", "words"]},
    )  # fmt: skip
    assert [row.label for row in plan.rows] == ["words 64/0 words"]
    assert unused_settings(plan, ["unit"]) == []


def test_settings_varied_in_vain_are_said_once():
    plan = plan_sweep(
        Configuration(), (32, 64), (0,), {"splitter": ["recursive", "semantic"], "buffer": [0, 1]}
    )
    assert unused_settings(plan, ["splitter", "buffer"]) == [
        "buffer: not used by splitter 'recursive'"
    ]
    assert unused_settings(plan, ["splitter"]) == []


def test_a_varied_value_that_is_not_allowed_names_what_is():
    with pytest.raises(InputError, match='"end" or "start" or "none"'):
        plan_sweep(Configuration(), (32,), (0,), {"keep_separator": ["middle"]})


def test_nothing_that_can_run_is_an_error_with_the_first_reason():
    with pytest.raises(InputError, match=r"nothing can run: .*overlap"):
        plan_sweep(Configuration(), (8,), (9,))
    with pytest.raises(InputError, match="nothing can run"):
        plan_sweep(Configuration(), (), (0,))


def test_labels_tell_rows_apart_by_what_varies():
    plan = plan_sweep(
        Configuration(), (64,), (0,), {"retriever": ["bm25", "tfidf"], "k": ["1", "2"]}
    )
    assert plan.varied == ("retriever.kind", "retriever.k")
    labels = [row.label_with(plan.varied) for row in plan.rows]
    assert labels == [
        f"recursive 64/0 cl100k_base tokens, retriever {kind}, k {k}"
        for kind in ("bm25", "tfidf")
        for k in (1, 2)
    ]
    sizes = plan_sweep(Configuration(), (64, 128), (0, 10))
    assert sizes.varied == ()
