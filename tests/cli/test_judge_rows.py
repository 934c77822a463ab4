"""Saved sweeps with anything in them: two or three configurations, or one clear line."""

import argparse
import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.cli.judge import add_arguments
from chunkscope.cli.judgerows import Rows, rows_of
from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.splitting.settings import SplitterSettings


def row(size: int, recall: float, **changes: object) -> dict[str, object]:
    """A sweep's row, with what is read of it."""
    return {
        "config": Configuration(splitter=SplitterSettings(size=size)).to_mapping(),
        "corpus": {"fingerprint": "c"},
        "golden": {"fingerprint": "g"},
        "metrics": {"recall": recall, "recall_luck": None, "context_tokens": 5.0 * size},
        "same_as": None,
        "saturated": False,
        "one_chunk_a_document": False,
        "ruled_out": False,
        **changes,
    }


ROWS = [
    row(64, 0.5, ruled_out=True),
    row(128, 0.8),
    row(256, 0.9),
    row(320, 0.9, same_as=2),
    row(384, 0.81),
    row(512, 0.95, saturated=True),
    row(640, 0.95, one_chunk_a_document=True),
    row(768, 0.7, metrics={"recall": 0.99, "recall_luck": 0.7, "context_tokens": 9.0}),
]
SWEEP = {"rows": ROWS, "advice": {"pick": ROWS[2]["config"], "reasons": []}}


def rows_in(folder, report: object) -> Rows:
    (folder / "sweep.json").write_text(json.dumps(report))
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return rows_of(parser.parse_args(["docs", "--from", str(folder / "sweep.json")]))


def sizes(rows: Rows) -> list[int]:
    return [one.splitter.size for one in rows.configurations]


def test_the_pick_and_the_best_that_are_left_stand_by_what_they_send(tmp_path):
    rows = rows_in(tmp_path, SWEEP)
    assert sizes(rows) == [128, 256, 384]
    assert rows.made_with == ("c", "g")
    assert rows.notes == (
        f"--from {tmp_path}/sweep.json: B is its pick; beside it the best rows that are not ruled "
        "out",
        "1 more row not ruled out, with less recall",
    )
    # Recall is that over boundary phases where there is one: 768 comes before 128 then.
    other = copy.deepcopy(SWEEP)
    other["rows"][1]["metrics"]["recall_luck"] = 0.6
    assert sizes(rows_in(tmp_path, other)) == [768, 256, 384]
    two = {**SWEEP, "rows": ROWS[:3]}
    assert sizes(rows_in(tmp_path, two)) == [128, 256]


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=4), st.just(10**400), st.just([]),
    st.just({}), st.floats(),
)  # fmt: skip


@given(st.data())
def test_whatever_stands_in_it_is_rows_or_one_clear_line(tmp_path_factory, data):
    report = copy.deepcopy(SWEEP)
    for _ in range(data.draw(st.integers(1, 3))):
        node: object = report
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))  # type: ignore[arg-type]
            key = data.draw(st.sampled_from(keys))
            child = node[key]  # type: ignore[index]
            deeper = isinstance(child, dict | list) and child and data.draw(st.integers(0, 3))
            if deeper:
                node = child
                continue
            if isinstance(node, dict) and data.draw(st.booleans()):
                del node[key]
            else:
                node[key] = data.draw(JUNK)  # type: ignore[index]
            break
        if not report:
            break
    said = ""
    count = 2
    try:
        count = len(rows_in(tmp_path_factory.mktemp("rows"), report).configurations)
    except InputError as error:
        said = str(error)
    assert count in (2, 3)
    assert "\n" not in said


@pytest.mark.parametrize("text", ["", "[]", "null", '"x"', "1", "[" * 99_999, '{"rows": 1}'])
def test_files_that_are_no_sweep(tmp_path, text):
    (tmp_path / "sweep.json").write_text(text)
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    given = parser.parse_args(["docs", "--from", str(tmp_path / "sweep.json")])
    with pytest.raises(InputError, match="give what `sweep --save` wrote"):
        rows_of(given)
