"""Sweeps: rows, folding, the shared budget, boundary phases, advice."""

from dataclasses import replace

import numpy as np
import pytest
from evaluation_cases import make_corpus, make_question

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.advice import advise
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.luck import phase_set, phases_of
from chunkscope.evaluation.run import evaluate
from chunkscope.evaluation.statistics import compare_rows
from chunkscope.evaluation.sweep import plan_sweep, run_sweep
from chunkscope.evaluation.sweepresults import SweepRow
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings

WORDS = " ".join(f"word{number:03d}" for number in range(200))


def question(number, first, last):
    """The evidence is words first..last; the question names the middle one."""
    start, end = first * 8, last * 8 + 7
    middle = (first + last) // 2
    return make_question(number, [[("d0", start, end)]], text=f"word{middle:03d}")


QUESTIONS = tuple(question(number, 7 * number, 7 * number + 4) for number in range(25))


def configuration(size=10, overlap=0, **retriever):
    return Configuration(
        SplitterSettings(kind="words", unit="words", size=size, overlap=overlap),
        retriever=RetrieverSettings(**{"k": (1, 2), **retriever}),
    )


def sweep(sizes, overlaps, *, base=None, **arguments):
    plan = plan_sweep(base or configuration(), sizes, overlaps)
    return run_sweep(CorpusIndex(make_corpus(WORDS)), plan, QUESTIONS, **arguments)


def test_a_row_has_the_numbers_of_a_run():
    found = sweep((5, 10, 20), (0, "50%"))
    assert len(found.rows) == 6
    for row in found.rows:
        run = evaluate(
            CorpusIndex(make_corpus(WORDS)),
            row.configuration,
            QUESTIONS,
            recall_budget=found.recall_budget,
        )
        for name, value in run.metrics.items():
            if name != "recall_luck":
                assert row.evaluation.metrics[name] == value, name
        assert row.evaluation.statistics == run.statistics
        assert row.evaluation.recall_range == run.recall_range
        assert row.evaluation.questions == ()
        assert row.evaluation.measured == run.measured


def test_rows_come_in_order_as_they_are_measured():
    seen = []
    found = sweep((5, 10), (0, 2), on_row=seen.append)
    assert [row.configuration for row in seen] == [row.configuration for row in found.rows]
    assert seen[0].evaluation.metrics["recall_at_budget"] is None
    assert found.rows[0].evaluation.metrics["recall_at_budget"] is not None


def test_identical_chunk_sets_are_folded():
    found = sweep((300, 400), (0, 100))
    assert [row.same_as for row in found.rows] == [None, 0, 0, 0]
    assert found.compared == (0,)
    assert [row.evaluation.metrics["context_nominal"] for row in found.rows] == [300, 300, 400, 400]
    assert all(row.one_chunk and row.saturated for row in found.rows)
    assert found.advice.pick is None
    assert any("one chunk a document" in reason for reason in found.advice.reasons)


def test_another_retriever_over_the_same_chunks_is_not_folded():
    plan = plan_sweep(configuration(), (10,), (0,), {"retriever": ["bm25", "tfidf"]})
    found = run_sweep(CorpusIndex(make_corpus(WORDS)), plan, QUESTIONS)
    assert [row.same_as for row in found.rows] == [None, None]


def test_the_budget_is_the_largest_of_three():
    small = sweep((5, 10), (0,))
    assert small.recall_budget == 512
    plan = plan_sweep(configuration(), (5, 300), (0,))
    chunk = run_sweep(CorpusIndex(make_corpus(f"{WORDS} {WORDS}")), plan, QUESTIONS)
    largest = max(row.evaluation.statistics.max_tokens for row in chunk.rows)
    assert largest > 512
    assert chunk.recall_budget == largest
    assert sweep((5,), (0,), recall_budget=30).recall_budget == 30


def test_a_budget_deeper_than_the_rankings_ranks_again():
    base = configuration(size=4, words="[a-z]+")
    questions = tuple(make_question(0, [[("d0", 8 * 40, 8 * 41 - 1)]], text="word") for _ in "ab")
    plan = plan_sweep(base, (4, 150), (0,))
    found = run_sweep(CorpusIndex(make_corpus(WORDS)), plan, questions)
    run = evaluate(
        CorpusIndex(make_corpus(WORDS)), base, questions, recall_budget=found.recall_budget
    )
    assert found.rows[0].evaluation.metrics["recall_at_budget"] == run.metrics["recall_at_budget"]


def test_what_does_not_fit_is_empty_and_counted():
    found = sweep((10, 20), (0,), recall_budget=25)
    first, second = (row.evaluation for row in found.rows)
    assert second.metrics["recall_at_budget"] is None
    assert any("not even the first chunk fits 25 tokens in 25" in line for line in second.warnings)
    assert first.metrics["recall_at_budget"] == first.metrics["recall@1"]


def test_a_cancelled_sweep_keeps_the_rows_that_were_done():
    token = CancelToken()
    seen = []

    def on_row(row):
        seen.append(row)
        if len(seen) == 2:
            token.cancel()

    found = sweep((5, 10, 20, 30), (0,), on_row=on_row, cancel=token)
    assert found.stopped
    assert [row.configuration.splitter.size for row in found.rows] == [5, 10]
    assert found.rows[0].evaluation.intervals["recall"]
    assert found.comparison is not None


def test_cancelled_before_the_first_row():
    token = CancelToken()
    token.cancel()
    found = sweep((5,), (0,), cancel=token)
    assert (found.rows, found.stopped, found.advice.pick) == ((), True, None)


def test_nothing_measured_is_said():
    plan = plan_sweep(configuration(), (5, 10), (0,))
    index = CorpusIndex(make_corpus(WORDS))
    found = run_sweep(index, plan, (make_question(0, [], missing=1),))
    assert found.recall_budget is None
    assert found.advice.pick is None
    assert "nothing was measured" in found.advice.reasons[0]
    assert set(found.rows[0].evaluation.metrics.values()) == {None}


# --- boundary phases -----------------------------------------------------------------------


def phase_sets(index, settings):
    return [phase_set(index, settings, phase) for phase in phases_of(settings)]


def test_phases_of_word_windows_by_hand():
    corpus = make_corpus("a b c d e f g h i j", "")
    settings = Configuration(SplitterSettings(kind="words", unit="words", size=4, overlap=2))
    texts = [chunks.texts() for chunks in phase_sets(CorpusIndex(corpus), settings)]
    plain = ["a b c d", "c d e f", "e f g h", "g h i j"]
    shifted = ["a", "b c d e", "d e f g", "f g h i", "h i j"]
    # step 2: s = 0, 0, 0, 0, 1, 1, 1, 1
    assert texts == [plain] * 4 + [shifted] * 4


def test_phases_of_a_text_shorter_than_the_shift():
    corpus = make_corpus("a b")
    settings = Configuration(SplitterSettings(kind="words", unit="words", size=8, overlap=0))
    texts = [chunks.texts() for chunks in phase_sets(CorpusIndex(corpus), settings)]
    assert texts == [["a b"], ["a", "b"], *[["a b"]] * 6]


def test_phases_of_token_windows_are_the_windows_of_the_tokens():
    text = "Grüße 😀😀 from the harbour, 港口很安静, and so on and on. " * 3
    index = CorpusIndex(make_corpus(text))
    settings = Configuration(SplitterSettings(kind="token", size=9, overlap=1))
    spans = index.token_spans(0, "cl100k_base")
    for number, chunks in enumerate(phase_sets(index, settings)):
        shift = number * 8 // 8
        bounds = [(0, shift)] if shift else []
        first = shift
        while True:
            last = min(first + 9, len(spans))
            bounds.append((first, last))
            if last == len(spans):
                break
            first += 8
        assert chunks.texts() == [spans.decode(*pair) for pair in bounds]
        starts = [int(spans.starts[low]) for low, _ in bounds]
        assert chunks.starts.tolist() == starts


def test_sizes_that_stand_for_phases():
    def sizes(size):
        return phases_of(Configuration(SplitterSettings(size=size)))

    assert sizes(1000) == [988, 1012, 975, 1025, 962, 1038, 950, 1050]
    assert sizes(1) == [1] * 8


def test_a_fixed_overlap_never_exceeds_a_smaller_phase():
    corpus = make_corpus(WORDS)
    settings = Configuration(SplitterSettings(kind="recursive", size=20, overlap=19))
    sets = phase_sets(CorpusIndex(corpus), settings)
    assert [chunks.size_limit for chunks in sets] == phases_of(settings)


def test_luck_of_the_rows_near_the_best_or_of_all():
    near = sweep((6, 40, 60), (0,))
    tried = [row.luck is not None for row in near.rows]
    recalls = [row.evaluation.metrics["recall"] for row in near.rows]
    assert tried == [recall >= max(recalls) - 0.02 for recall in recalls]
    assert not all(tried)
    every = sweep((6, 40, 60), (0,), luck_all=True)
    for row in every.rows:
        assert row.luck is not None
        assert len(row.luck.phases) == 8
        assert row.luck.low == min(row.luck.phases)
        assert row.luck.high == max(row.luck.phases)
        assert row.luck.mean == pytest.approx(np.mean(row.luck.phases))
        assert row.evaluation.metrics["recall_luck"] == row.luck.mean
        assert row.luck.per_question.mean() == pytest.approx(row.luck.mean)
        # The first phase is the row itself.
        assert row.luck.phases[0] == row.evaluation.metrics["recall"]


# --- advice --------------------------------------------------------------------------------


def rows_of(*recalls, questions=100, **changes):
    """Rows whose recall is what is given, each dearer than the one before."""
    base = sweep((10,), (0,)).rows[0]
    made = []
    for number, recall in enumerate(recalls):
        values = np.zeros(questions)
        values[: round(recall * questions)] = 1.0
        evaluation = replace(
            base.evaluation,
            configuration=configuration(size=10 * (number + 1)),
            metrics={
                **base.evaluation.metrics,
                "recall": float(values.mean()),
                "term_coverage": float(values.mean()),
                "context_tokens": 100.0 * (number + 1),
            },
            per_question={"recall": values},
            measured=tuple(map(str, range(questions))),
            rows_of_type={},
        )
        made.append(SweepRow(evaluation, **changes))
    return made


def advice_on(rows):
    compared = tuple(range(len(rows)))
    comparison = compare_rows(np.column_stack([row.judged_recall for row in rows]))
    return advise(rows, comparison, compared)


def rule_names(advice):
    return [rule.name for rule in advice.rules]


def test_the_cheapest_within_two_hundredths_and_not_worse_beyond_noise():
    assert advice_on(rows_of(0.5, 0.89, 0.9, 0.9)).pick == 1
    # 0.87 is further than 0.02 from the best.
    assert advice_on(rows_of(0.5, 0.87, 0.9)).pick == 2
    # Within 0.02, yet worse in every one of many resamples.
    assert advice_on(rows_of(0.5, 0.785, 0.8, questions=1000)).pick == 2


def test_saturated_and_one_chunk_rows_are_never_picked():
    rows = rows_of(0.5, 0.7, 0.9)
    rows[2] = replace(rows[2], saturated=True)
    found = advice_on(rows)
    assert found.pick == 1
    assert "saturated" in rule_names(found)
    rows[1] = replace(rows[1], one_chunk=True)
    assert advice_on(rows).pick == 0
    assert "one chunk a document" in rule_names(advice_on(rows))


def test_the_gap_between_words_and_recall_points_at_boundaries():
    rows = rows_of(0.3, 0.6)
    found = advice_on(rows)
    assert "boundaries" not in rule_names(found)
    metrics = {**rows[1].evaluation.metrics, "term_coverage": 0.76}
    rows[1] = replace(rows[1], evaluation=replace(rows[1].evaluation, metrics=metrics))
    rule = next(rule for rule in advice_on(rows).rules if rule.name == "boundaries")
    assert rule.numbers["term_coverage"] == 0.76
    assert rule.numbers["recall"] == 0.6
    metrics = {**metrics, "term_coverage": 0.74}
    rows[1] = replace(rows[1], evaluation=replace(rows[1].evaluation, metrics=metrics))
    assert "boundaries" not in rule_names(advice_on(rows))


def test_an_overlap_that_gives_nothing_is_dropped_with_the_tokens_saved():
    found = sweep((10,), (0, 2))
    without, overlapped = found.rows
    rows = [
        replace(without, evaluation=replace(without.evaluation, metrics={
            **without.evaluation.metrics, "context_tokens": 50.0})),
        replace(overlapped, evaluation=replace(overlapped.evaluation, metrics={
            **overlapped.evaluation.metrics, "context_tokens": 40.0})),
    ]  # fmt: skip
    same = overlapped.judged_recall
    rows[0] = replace(rows[0], luck=None, evaluation=replace(
        rows[0].evaluation, per_question={"recall": same},
        metrics={**rows[0].evaluation.metrics, "recall": float(same.mean())}))  # fmt: skip
    rows[1] = replace(rows[1], luck=None, evaluation=replace(
        rows[1].evaluation, per_question={"recall": same},
        metrics={**rows[1].evaluation.metrics, "recall": float(same.mean())}))  # fmt: skip
    advice = advice_on(rows)
    assert advice.pick == 1
    rule = next(rule for rule in advice.rules if rule.name == "drop overlap")
    saved = overlapped.evaluation.statistics.total_tokens
    saved -= without.evaluation.statistics.total_tokens
    assert rule.numbers["indexed_tokens_saved"] == saved > 0
    assert rule.numbers["difference"] == 0.0


def test_no_row_differs_beyond_noise():
    assert "no row differs beyond noise" in rule_names(advice_on(rows_of(0.9, 0.9, 0.88)))
    assert "no row differs beyond noise" not in rule_names(advice_on(rows_of(0.2, 0.9)))


def test_no_row_differs_beyond_noise_but_neither_could_it():
    found = advice_on(rows_of(0.6, 0.7, questions=20))
    [rule] = [rule for rule in found.rules if rule.name == "no row differs beyond noise"]
    assert rule.sentence.endswith("neither could these questions show a difference of that size")


def test_a_difference_beyond_one_is_no_difference_that_could_be_detected():
    name = "smallest detectable difference"
    few = [rule for rule in advice_on(rows_of(0.5, 0.25, questions=4)).rules if rule.name == name]
    assert [rule.sentence.split(";")[0] for rule in few] == [
        "these questions are too few to detect any difference in recall"
    ]
    many = [rule for rule in advice_on(rows_of(0.5, 0.25)).rules if rule.name == name]
    assert many[0].sentence.startswith("these questions can detect a difference of 0.")


def test_chunks_longer_than_a_size_that_is_not_used_are_not_blamed_on_separators(
    tmp_path, monkeypatch
):
    (tmp_path / "cut_in_two.py").write_text("def split(text):\n    return [text[:8], text[8:]]\n")
    monkeypatch.syspath_prepend(tmp_path)
    run = evaluate(
        CorpusIndex(make_corpus(WORDS)),
        Configuration(SplitterSettings(kind="cut_in_two:split", size=2, overlap=0)),
        QUESTIONS,
    )
    assert [line for line in run.warnings if "longer" in line] == [
        "2 of 2 chunks are longer than size 2: splitter 'cut_in_two:split' does not use it"
    ]


def test_a_pick_at_the_edge_of_the_sweep_is_no_knee():
    found = advice_on(rows_of(0.5, 0.7, 0.9))
    [rule] = [rule for rule in found.rules if rule.name == "edge of the sweep"]
    assert rule.numbers == {"size": 30, "recall": 0.9, "recall_below": 0.7}
    assert "edge of the sweep" not in rule_names(advice_on(rows_of(0.5, 0.9, 0.9)))
    assert "edge of the sweep" not in rule_names(advice_on(rows_of(0.5, 0.89, 0.9)))


def test_another_row_may_win_at_an_equal_budget():
    rows = rows_of(0.5, 0.9)
    for number, share in enumerate((0.8, 0.6)):
        values = np.zeros(100)
        values[: round(share * 100)] = 1.0
        evaluation = rows[number].evaluation
        rows[number] = replace(rows[number], evaluation=replace(
            evaluation, metrics={**evaluation.metrics, "recall_at_budget": share},
            per_question={**evaluation.per_question, "recall_at_budget": values}))  # fmt: skip
    found = advice_on(rows)
    assert found.pick == 1
    [rule] = [rule for rule in found.rules if rule.name == "equal budget"]
    assert rule.numbers == {"recall_at_budget": 0.8, "of_the_pick": 0.6}
    assert "noise" not in rule.sentence
    assert "equal budget" not in rule_names(advice_on(rows[1:]))


def test_under_fifty_questions_a_pick_is_provisional():
    found = advice_on(rows_of(0.5, 0.9, questions=40))
    assert found.provisional
    rule = next(rule for rule in found.rules if rule.name == "provisional")
    assert rule.numbers == {"measured": 40, "to_write": 10}
    assert "write 10 more" in rule.sentence
    assert not advice_on(rows_of(0.5, 0.9, questions=50)).provisional


def test_a_type_that_another_size_serves_better():
    rows = rows_of(0.5, 0.5)
    members = np.zeros(100, bool)
    members[50:] = True
    tables = np.zeros(100)
    tables[50:] = 1.0
    facts = 1.0 - tables
    facts[50] = 1.0
    rows = [
        replace(row, evaluation=replace(
            row.evaluation, per_question={"recall": values}, rows_of_type={"table": members},
            metrics={**row.evaluation.metrics, "recall": float(values.mean())}))
        for row, values in zip(rows, (facts, tables), strict=True)
    ]  # fmt: skip
    found = advice_on(rows)
    assert found.pick == 0
    rule = next(rule for rule in found.rules if rule.name == "best size differs by type")
    assert "table (50)" in rule.sentence
    assert rule.numbers["low"] > 0


def test_a_folded_row_counts_its_own_oversize_chunks():
    corpus = make_corpus("aaaaaaaa bbb cccccc")
    base = Configuration(
        SplitterSettings(kind="character", unit="characters", separators=(" ",)),
        retriever=RetrieverSettings(k=(1,)),
    )
    plan = plan_sweep(base, (4, 7), (0,))
    questions = (make_question(0, [[("d0", 9, 12)]], text="bbb"),)
    found = run_sweep(CorpusIndex(corpus), plan, questions)
    assert [row.same_as for row in found.rows] == [None, 0]
    assert [row.evaluation.statistics.oversize for row in found.rows] == [2, 1]
    for row in found.rows:
        run = evaluate(CorpusIndex(corpus), row.configuration, questions)
        assert row.evaluation.statistics == run.statistics
        assert set(row.evaluation.warnings) <= set(run.warnings)


def test_semantic_rows_are_picked_only_where_they_win_beyond_noise():
    def with_kind(row, kind):
        configuration = row.configuration
        splitter = replace(configuration.splitter, kind=kind)
        changed = replace(configuration, splitter=splitter)
        return replace(row, evaluation=replace(row.evaluation, configuration=changed,
                                               corpus_tokens=1000))  # fmt: skip

    kinds = ("recursive", "semantic")
    near = rows_of(0.6, 0.66, questions=50)
    equal = [with_kind(one, kind) for one, kind in zip(near, kinds, strict=True)]
    found = advice_on(equal)
    assert found.pick == 0
    rule = next(rule for rule in found.rules if rule.name == "semantic")
    assert "not beyond noise, so that it is not picked; it embeds 3,000 tokens" in rule.sentence
    far = rows_of(0.4, 0.9)
    better = [with_kind(one, kind) for one, kind in zip(far, kinds, strict=True)]
    found = advice_on(better)
    assert found.pick == 1
    rule = next(rule for rule in found.rules if rule.name == "semantic")
    assert rule.numbers["low"] > 0
    assert "confirm it by a second round" in rule.sentence
    assert "semantic" not in rule_names(advice_on(rows_of(0.4, 0.9)))
