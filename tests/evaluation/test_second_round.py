"""The second round: a pick is confirmed, refuted or neither, and says by which numbers."""

from dataclasses import replace

import numpy as np
import pytest

from chunkscope.evaluation.advice import advise, cheapest_good
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.noise import against_best, chunk_notes, tie_note
from chunkscope.evaluation.results import ChunkStatistics, Evaluation
from chunkscope.evaluation.secondround import (
    confirm_by_halves,
    confirm_on,
    second_round_to_json,
)
from chunkscope.evaluation.statistics import compare_rows
from chunkscope.evaluation.sweepresults import Advice, Sweep, SweepRow
from chunkscope.evaluation.sweeprow import no_chunks
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.document import Corpus


def row(size, recall, context):
    values = np.asarray(recall, float)
    return SweepRow(
        Evaluation(
            configuration=Configuration(SplitterSettings(size=size, overlap=0)),
            chunks=no_chunks(Corpus(()), size),
            statistics=ChunkStatistics(10, 1.0, 1, context, 0, 0, 0),
            questions=(),
            metrics={"recall": float(values.mean()), "context_tokens": float(context)},
            sd={},
            measured=tuple(str(number) for number in range(len(values))),
            per_question={"recall": values},
        )
    )


def sweep_of(*rows):
    compared = tuple(range(len(rows)))
    comparison = compare_rows(np.column_stack([one.judged_recall for one in rows]))
    return Sweep(rows, (), advise(rows, comparison, compared), comparison, compared)


def hits(count, of):
    return [1.0] * count + [0.0] * (of - count)


def test_no_row_has_more():
    first = sweep_of(row(64, hits(40, 100), 100), row(128, hits(80, 100), 200))
    second = sweep_of(row(64, hits(20, 50), 100), row(128, hits(35, 50), 200))
    found = confirm_on(first, second, "f" * 64)
    assert (found.kind, found.confirmed, found.questions) == ("file", True, 50)
    assert found.sentence.startswith("the pick is confirmed: recursive 128/0")
    assert found.sentence.endswith(
        "recall 0.700 on the second set (50 questions), and no row has more"
    )
    assert second_round_to_json(found)["golden"] == "f" * 64


def test_within_two_hundredths_is_confirmed():
    first = sweep_of(row(64, hits(80, 100), 100), row(128, hits(80, 100), 200))
    second = sweep_of(row(64, hits(79, 100), 100), row(128, hits(80, 100), 200))
    found = confirm_on(first, second, "")
    assert found.confirmed is True
    assert found.numbers["difference"] == pytest.approx(-0.01)
    assert found.sentence.endswith("within 0.02")


def test_another_row_that_is_better_beyond_noise_refutes():
    first = sweep_of(row(64, hits(80, 100), 100), row(128, hits(80, 100), 200))
    second = sweep_of(row(64, hits(30, 100), 100), row(128, hits(80, 100), 200))
    found = confirm_on(first, second, "")
    assert found.confirmed is False
    assert found.numbers["high"] < 0
    assert "the pick is not confirmed" in found.sentence
    assert "beyond noise; by itself that set would pick recursive 128/0" in found.sentence


def test_a_small_second_set_neither_confirms_nor_refutes():
    first = sweep_of(row(64, hits(80, 100), 100), row(128, hits(80, 100), 200))
    second = sweep_of(row(64, hits(6, 10), 100), row(128, hits(8, 10), 200))
    found = confirm_on(first, second, "")
    assert found.confirmed is None
    assert "is noise, and that set is too small to tell" in found.sentence


def test_nothing_picked_and_nothing_measured():
    first = sweep_of(row(64, hits(8, 10), 100))
    nothing = Sweep((), (), Advice(None, ()))
    assert confirm_on(first, nothing, "").confirmed is None
    assert "no question of the second set is measured" in confirm_on(first, nothing, "").sentence
    assert confirm_on(nothing, first, "").sentence == "nothing was picked that could be confirmed"
    assert confirm_by_halves(nothing).confirmed is None


def test_saturated_rows_do_not_refute():
    first = sweep_of(row(64, hits(80, 100), 100))
    better = replace(row(128, hits(99, 100), 900), saturated=True)
    second = sweep_of(row(64, hits(50, 100), 100), better)
    assert confirm_on(first, second, "").confirmed is True


def shuffled(count, of, seed):
    return np.random.default_rng(seed).permutation(hits(count, of))


def test_halves_confirm_a_row_that_is_far_ahead():
    sweep = sweep_of(row(64, shuffled(40, 200, 1), 100), row(128, shuffled(180, 200, 2), 200))
    found = confirm_by_halves(sweep)
    assert (found.kind, found.confirmed) == ("halves", True)
    assert found.numbers == {"repeats": 100, "picked_again": 100, "worse": 0}
    assert "picked again by 100 of 100 random halves" in found.sentence
    assert confirm_by_halves(sweep) == found
    assert "golden" not in second_round_to_json(found)


def test_halves_that_pick_now_this_and_now_that_confirm_nothing():
    rows = [row(64 + number, shuffled(100, 200, number), 100 + number) for number in range(6)]
    found = confirm_by_halves(sweep_of(*rows))
    assert found.confirmed is not True
    assert found.numbers["picked_again"] < 50
    assert "other halves pick recursive" in found.sentence or found.confirmed is False


def test_few_questions_cannot_be_halved():
    found = confirm_by_halves(sweep_of(row(64, hits(8, 39), 100)))
    assert found.confirmed is None
    assert "39 questions cannot be halved; write 1 more" in found.sentence


def test_the_rule_of_the_pick_on_plain_numbers():
    values = np.column_stack([hits(79, 100), hits(80, 100), hits(50, 100)])
    assert cheapest_good(values, [(100.0, 1.0), (200.0, 1.0), (10.0, 1.0)]) == 0
    assert cheapest_good(values, [(200.0, 1.0), (100.0, 1.0), (10.0, 1.0)]) == 1
    assert cheapest_good(values, [(100.0, 2.0), (100.0, 1.0), (10.0, 1.0)]) == 1


def test_noise_is_said_in_words():
    rows = [row(64, hits(20, 100), 100), row(128, hits(80, 100), 200),
            row(256, hits(80, 100), 300), row(512, hits(76, 100), 400)]  # fmt: skip
    rows.append(replace(rows[0], same_as=0))
    sweep = sweep_of(*rows[:4])
    sweep = replace(sweep, rows=tuple(rows))
    assert [against_best(sweep, number) for number in range(5)] == [
        "worse than the best beyond noise", "best recall", "as good as the best",
        "less than the best by noise", "worse than the best beyond noise",
    ]  # fmt: skip
    assert against_best(sweep_of(rows[0]), 0) == ""


def test_what_else_a_row_is_known_for_is_said():
    plain = row(64, hits(20, 100), 100)
    metrics = {"recall": 0.2, "term_coverage": 0.36}
    cut = replace(plain, evaluation=replace(plain.evaluation, metrics=metrics))
    assert chunk_notes(cut) == ["boundaries cut"]
    every = replace(cut, saturated=True, one_chunk=True)
    assert chunk_notes(every) == ["saturated", "one chunk a document", "boundaries cut"]
    within = replace(plain.evaluation, metrics={"recall": 0.2, "term_coverage": 0.34})
    assert chunk_notes(replace(plain, evaluation=within)) == []


@pytest.mark.parametrize(
    ("found", "said"),
    [((0.25, 0.5), "ties: 0.250–0.500"), ((0.5, 0.5), ""), ((None, None), "")],
)
def test_the_recall_that_ties_could_have_given_is_said(found, said):
    tied = row(64, hits(20, 100), 100)
    tied = replace(tied, evaluation=replace(tied.evaluation, recall_range=found))
    assert tie_note(tied, "–") == said
