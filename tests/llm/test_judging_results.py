import json
import math
import re

import numpy as np
import pytest
from berths import (
    COUNT,
    HARD,
    configuration,
    golden_of,
    price_answer,
    two_variants,
    variants_of,
)

from chunkscope.endpoint.cost import Usage
from chunkscope.errors import InputError
from chunkscope.evaluation.statistics import binomial_p, differences
from chunkscope.llm.judging import Expected, Outcome, Pair
from chunkscope.llm.judging_advice import Advice, advise, sentences
from chunkscope.llm.judging_grades import Grade
from chunkscope.llm.judging_report import AskedReport, judgement_to_json
from chunkscope.llm.judging_results import choose, disagreement, judged


def by_rule(pair: Pair) -> Outcome:
    answer = price_answer(pair.context, pair.question)
    return Outcome(Grade(answer == pair.reference, "compared"), answer)


def number_of(pair: Pair) -> int:
    found = re.search(r"\d+", pair.question)
    assert found is not None
    return int(found[0])


def located(one):
    return [line.located for line in one.evaluation.questions]


def judgement_of(variants, outcome=by_rule, **options):
    """Every question judged; `outcome` gives each pair's, and None for one not reached."""
    chosen = choose(located(variants[0]), options.pop("sample", None))
    pairs = {one.pair(row) for row in chosen.rows for one in variants}
    outcomes = {pair: made for pair in pairs if (made := outcome(pair)) is not None}
    return judged(chosen, variants, outcomes, **options)


def graded(passed):
    """Outcomes by a rule on number and context."""
    return lambda pair: Outcome(Grade(bool(passed(number_of(pair), pair.context)), "so"), "x")


def names(advice: Advice) -> list[str]:
    return [rule.name for rule in advice.rules]


def test_known_outcomes_give_the_exact_rates_interval_and_test():
    made = judgement_of(two_variants())
    a, b = made.variants
    assert (a.rate, b.rate) == ((COUNT - HARD) / COUNT, 1.0) == (0.6, 1.0)
    assert (a.count(True), a.count(False), a.count(None)) == (24, 16, 0)
    (found,) = made.differences
    assert found.rate.mean == 0.4
    assert (found.grades.gained, found.grades.lost) == (16, 0)
    assert found.grades.p == found.p_holm == binomial_p(16, 0) == 2.0**-15
    values = np.array([1.0] * HARD + [0.0] * (COUNT - HARD))
    assert [found.rate] == differences(values[:, None])
    assert not found.rate.noise
    # An interval drawn without the tables that the bootstrap shares between metrics.
    resample = np.random.default_rng(1)
    drawn = [values[resample.integers(0, COUNT, COUNT)].mean() for _ in range(4000)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert abs(found.rate.low - low) < 0.03
    assert abs(found.rate.high - high) < 0.03
    assert a.interval is not None
    assert a.interval[0] < 0.6 < a.interval[1]
    # Recall went the same way, question by question.
    assert found.recall == found.rate
    assert (a.metrics["recall"], b.metrics["recall"]) == (0.6, 1.0)
    assert made.disagreements == ()
    assert [change.key for change in found.settings] == ["size"]


def test_the_pair_holds_the_chunks_that_are_sent_in_the_order_of_ranks():
    golden = golden_of(6)
    one, two = variants_of(golden, configuration(120), configuration(120, k=3))
    for row in range(6):
        line = two.evaluation.questions[row]
        texts = [two.evaluation.chunks.indexed_text(entry.chunk) for entry in line.retrieved]
        assert line.context == len(texts) == 3
        assert two.pair(row).context == "\n\n".join(
            f"[{rank}]\n{text}" for rank, text in enumerate(texts, 1)
        )
        assert one.pair(row).context == f"[1]\n{texts[0]}"
        assert two.pair(row).reference == f"{row + 100} euros"


def test_prefixes_are_sent_as_they_are_indexed():
    (one,) = variants_of(golden_of(6), configuration(120, prefix="title"))
    assert one.pair(0).context.startswith("[1]\nberths\nBerth 0 costs")


def test_questions_without_an_answer_or_a_place_are_counted_and_not_judged():
    golden = golden_of(8, q1=None, q2=" ")
    lost = type(golden.questions[3].evidence[0])("This stands nowhere in any document at all.")
    questions = list(golden.questions)
    questions[3] = type(questions[3])("q3", "Q?", "berths.md", (lost,), "x")
    questions[4] = type(questions[4])("q4", "Q?", "berths.md", (), "x")
    (one,) = variants_of(type(golden)(tuple(questions)), configuration(120))
    chosen = choose(located(one))
    assert (chosen.questions, chosen.measured, chosen.without_answer) == (8, 6, 2)
    assert chosen.rows == (0, 5, 6, 7)
    drawn = choose(located(one), 2, seed=3)
    assert len(drawn.rows) == 2
    assert set(drawn.rows) < set(chosen.rows)
    assert drawn == choose(located(one), 2, seed=3)
    assert choose(located(one), 9).rows == chosen.rows
    with pytest.raises(InputError, match="--sample: 0"):
        choose(located(one), 0)
    bare = golden_of(3, q0=None, q1=None, q2=None)
    with pytest.raises(InputError, match=r"none of its 3 questions \(3 measured\) has an answer"):
        choose(located(variants_of(bare, configuration(120))[0]))


def test_only_questions_graded_in_every_configuration_count():
    def some(pair: Pair) -> Outcome | None:
        if number_of(pair) == 0 and len(pair.context) < 70:
            return Outcome(None, "x", "no usable grade: the reply was not as asked, twice")
        return None if number_of(pair) == 39 and len(pair.context) > 42 else by_rule(pair)

    made = judgement_of(two_variants(), some)
    a, b = made.variants
    assert made.common == tuple(range(1, 39))
    assert a.rate == 23 / 38
    assert b.rate == 1.0
    assert made.differences[0].rate.mean == pytest.approx(15 / 38)
    assert (a.count(True), a.count(False), a.count(None)) == (24, 15, 1)
    assert (b.count(True), b.count(False), b.count(None)) == (39, 0, 0)
    assert a.metrics["recall"] == 23 / 38


def test_nothing_graded_has_no_rate_and_no_advice():
    made = judgement_of(two_variants(), lambda _pair: None, stopped="the most it may cost")
    assert made.common == made.differences == made.disagreements == ()
    assert [one.rate for one in made.variants] == [None, None]
    advice = advise(made)
    assert advice.pick is None
    assert advice.reasons == (
        "no question was graded in every configuration: the most it may cost",
    )
    json.dumps(judgement_to_json(made, advice, ASKED, golden_of()), allow_nan=False)


def test_one_question_has_a_rate_and_no_interval():
    made = judgement_of(two_variants(), sample=1)
    assert made.variants[1].rate == 1.0
    assert made.variants[1].interval is None
    assert math.isinf(made.differences[0].rate.low)
    assert made.differences[0].rate.noise
    advice = advise(made)
    assert advice.pick == 0
    assert names(advice) == ["provisional"]
    report = judgement_to_json(made, advice, ASKED, golden_of())
    assert report["differences"][0]["pass_rate"] == {
        "mean": 0.0, "low": None, "high": None, "noise": True, "equivalent": False,
    }  # fmt: skip
    json.dumps(report, allow_nan=False)


def test_disagreements_are_of_three_kinds_each_with_its_question_and_reason():
    # The hard questions of A have part of their evidence; 20 has none by a context of another.
    made = judgement_of(two_variants(), graded(lambda number, _context: number not in (5, 30)))
    found = [(one.variant, one.line.id, one.kind) for one in made.disagreements]
    hard = [(0, f"q{number}", "passed on a part") for number in range(HARD) if number != 5]
    assert found == [
        *hard,
        (0, "q30", "failed with evidence"),
        (1, "q5", "failed with evidence"),
        (1, "q30", "failed with evidence"),
    ]
    golden = golden_of()
    questions = list(golden.questions)
    elsewhere = questions[39].evidence
    questions[7] = type(questions[7])("q7", questions[7].question, "berths.md", elsewhere, "x")
    (one,) = variants_of(type(golden)(tuple(questions)), configuration(120))
    made = judgement_of((one,), graded(lambda *_: True))
    assert [(one.line.id, one.kind) for one in made.disagreements] == [
        ("q7", "passed without evidence")
    ]
    assert disagreement(made.variants[0].lines[0]) is None


def test_three_configurations_are_compared_in_pairs_with_corrected_p_values():
    variants = variants_of(golden_of(), configuration(60), configuration(120), configuration(240))
    made = judgement_of(variants)
    assert [(found.a, found.b) for found in made.differences] == [(0, 1), (0, 2), (1, 2)]
    assert made.differences[0].grades.p == 2.0**-15
    assert made.differences[0].p_holm == 3 * 2.0**-15
    assert made.differences[2].grades.p == made.differences[2].p_holm == 1.0


def test_identical_contexts_are_counted():
    one, two = variants_of(golden_of(), configuration(120), configuration(121))
    assert judgement_of((one, two)).same_context == COUNT
    a, b = two_variants()
    same = [a.pair(row).context == b.pair(row).context for row in range(COUNT)]
    assert not any(same[:HARD])
    assert judgement_of((a, b)).same_context == same.count(True) > 20


# Advice.


def test_the_judge_prefers_the_larger_size_with_recall():
    advice = advise(judgement_of(two_variants()))
    assert advice.pick == 1
    assert names(advice) == [
        "judge and recall agree", "smallest detectable difference", "provisional"
    ]  # fmt: skip
    assert "the judge prefers size 120 to 60 (+0.40," in advice.rules[0].sentence
    assert advice.provisional
    assert advice.reasons == (
        "B (recursive 120/0 characters): 1.00 of 40 questions pass, for 16 tokens of context a "
        "question; no other passes more often",
    )


def _equal_recall(prefix: str = "none"):
    """Sizes 120 and 240 with a recall of 1 both; 120 fails every second question."""
    variants = variants_of(golden_of(60), configuration(120, prefix=prefix), configuration(240))
    return judgement_of(variants, graded(lambda number, context: number % 2 or len(context) > 130))


def test_a_larger_size_at_equal_recall_is_preferred_after_trying_the_prefix():
    made = _equal_recall()
    assert made.differences[0].recall.mean == 0
    advice = advise(made)
    assert advice.pick == 1
    assert "judge prefers the larger size" in names(advice)
    rule = next(rule for rule in advice.rules if rule.name == "judge prefers the larger size")
    assert rule.sentence.endswith(
        "at equal recall (+0.00, +0.00 to +0.00): prefer it, after trying prefix = headings at "
        "size 120, which costs less"
    )
    assert rule.numbers["prefix_tried"] == 0.0
    assert not advice.provisional


def test_a_prefix_that_was_tried_is_said_to_be():
    advice = advise(_equal_recall("headings"))
    (rule,) = [rule for rule in advice.rules if rule.name == "judge prefers the larger size"]
    assert "prefix = headings at size 120 was tried here and did not do" in rule.sentence


def test_a_prefix_that_was_tried_beside_the_plain_size_is_said_too():
    variants = variants_of(
        golden_of(60), configuration(120), configuration(120, prefix="headings"), configuration(240)
    )
    made = judgement_of(variants, graded(lambda number, context: number % 2 or len(context) > 130))
    advice = advise(made)
    assert advice.pick == 2
    (rule,) = [rule for rule in advice.rules if rule.name == "judge prefers the larger size"]
    assert rule.numbers["prefix_tried"] == 1.0
    # Where it does, it is the cheaper one of those that pass as often.
    better = judgement_of(
        variants, graded(lambda number, context: number % 2 or context.startswith("[1]\nberths"))
    )
    assert advise(better).pick == 1


def test_the_smallest_difference_that_can_be_seen_is_said():
    advice = advise(judgement_of(two_variants()))
    (rule,) = [rule for rule in advice.rules if rule.name == "smallest detectable difference"]
    spread = np.array([1.0] * HARD + [0.0] * (COUNT - HARD)).std(ddof=1)
    seen = (1.959964 + 0.841621) * spread / math.sqrt(COUNT)
    assert rule.numbers["detectable"] == pytest.approx(seen, rel=1e-5)
    for_a_tenth = math.ceil((seen / 0.1) ** 2 * COUNT)
    assert rule.sentence.startswith(
        f"these questions can detect a difference of {seen:.2f} in pass rate; 0.10 would need "
        f"{for_a_tenth} questions; 0.05 would need "
    )


def test_without_a_difference_the_cheaper_one_is_taken():
    variants = variants_of(golden_of(60), configuration(120), configuration(240))
    made = judgement_of(
        variants, graded(lambda number, context: number not in (3, 4) or len(context) > 130)
    )
    advice = advise(made)
    assert advice.pick == 0
    assert made.differences[0].rate.noise
    (reason,) = advice.reasons
    assert "is noise: take the cheaper one, " in reason
    assert "passes 1.00, and the difference (-0.03, " in reason


def test_recall_decides_where_grades_cannot():
    made = judgement_of(
        two_variants(), graded(lambda number, context: number > 2 or len(context) > 70)
    )
    assert made.differences[0].rate.noise
    assert made.differences[0].recall.low > 0
    advice = advise(made)
    assert advice.pick == 1
    (rule,) = [rule for rule in advice.rules if rule.name == "recall decides"]
    assert "A (recursive 60/0 characters) costs less" in rule.sentence


def test_a_pass_rate_within_two_hundredths_is_as_good_whatever_recall_says():
    variants = variants_of(golden_of(60), configuration(60), configuration(120))
    made = judgement_of(variants, graded(lambda number, context: number or len(context) > 70))
    assert made.differences[0].rate.mean == pytest.approx(1 / 60)
    assert made.differences[0].recall.low > 0
    advice = advise(made)
    assert advice.pick == 0
    assert "recall decides" not in names(advice)


def test_more_recall_without_better_answers_is_said_and_not_paid_for():
    made = judgement_of(two_variants(), graded(lambda *_: True))
    advice = advise(made)
    assert advice.pick == 0
    assert "recall differs and answers do not" in names(advice)


def test_the_judge_against_recall():
    made = judgement_of(
        two_variants(), graded(lambda number, context: number >= HARD or len(context) < 75)
    )
    advice = advise(made)
    assert advice.pick == 0
    (rule,) = [rule for rule in advice.rules if rule.name == "judge against recall"]
    assert "the judge prefers size 60 to 120" in rule.sentence
    # Half of the grades of B disagree with its recall: that is read first.
    assert sentences(advice)[0].startswith("judge and recall disagree on 40% of the grades")


def test_the_smaller_size_is_preferred_where_it_passes_more_often():
    variants = variants_of(golden_of(60), configuration(120), configuration(240))
    made = judgement_of(variants, graded(lambda number, context: number % 3 or len(context) < 130))
    advice = advise(made)
    assert advice.pick == 0
    assert "judge prefers the smaller size" in names(advice)


@pytest.mark.parametrize(("wrong", "said"), [(8, False), (9, True)])
def test_disagreements_are_said_from_more_than_a_fifth_on(wrong, said):
    variants = variants_of(golden_of(), configuration(120), configuration(240))
    made = judgement_of(variants, graded(lambda number, _context: number >= wrong))
    assert len(made.disagreements) == 2 * wrong
    advice = advise(made)
    assert ("judge and recall disagree" in names(advice)) == said
    assert sentences(advice)[0].startswith("judge and recall disagree") == said


def test_many_ungraded_questions_are_said():
    def some(pair: Pair) -> Outcome:
        return Outcome(None, "", "no answer") if number_of(pair) < 5 else by_rule(pair)

    (rule,) = [rule for rule in advise(judgement_of(two_variants(), some)).rules
               if rule.name == "ungraded"]  # fmt: skip
    assert rule.numbers == {"ungraded": 5, "reached": 40}


def test_what_sends_over_a_third_of_the_corpus_is_never_picked():
    variants = variants_of(golden_of(), configuration(60), configuration(120, k=60))
    made = judgement_of(variants, graded(lambda _number, context: len(context) > 200))
    advice = advise(made)
    assert advice.pick == 0
    assert "saturated" in names(advice)
    both = variants_of(golden_of(), configuration(60, k=99), configuration(120, k=60))
    none = advise(judgement_of(both))
    assert none.pick is None
    assert "no configuration can be advised" in none.reasons[0]


ASKED = AskedReport(
    endpoint="http://h/v1",
    model="m",
    judge_model="j",
    prompts={"answer": "1", "grade": "2"},
    seed=0,
    expected=Expected(3, 1, {"answer": Usage(2, 3, 4), "grade": Usage(2, 5, 6)}, 0.5),
    usage=Usage(4, 9, 9),
    cost=0.25,
)


def test_field_names_are_fixed():
    made = judgement_of(two_variants(), graded(lambda number, _context: number != 30))
    report = judgement_to_json(made, advise(made), ASKED, golden_of())
    assert list(report) == [
        "configurations", "questions", "differences", "disagreements", "grades", "advice",
        "asked", "stopped", "corpus", "golden", "versions",
    ]  # fmt: skip
    assert list(report["configurations"][0]) == [
        "name", "label", "config", "pass_rate", "interval", "graded", "passed", "failed",
        "ungraded", "cut_answers", "recall", "coverage", "context_tokens", "indexed_tokens",
    ]  # fmt: skip
    assert report["questions"] == {
        "golden": 40, "measured": 40, "without_answer": 0, "judged": 40, "graded_in_all": 40,
        "same_context": 23,
    }  # fmt: skip
    assert list(report["differences"][0]) == [
        "a", "b", "pass_rate", "recall", "gained", "lost", "p", "p_holm", "settings",
    ]  # fmt: skip
    assert report["differences"][0]["settings"] == [{"setting": "splitter.size", "a": 60, "b": 120}]
    assert list(report["disagreements"][0]) == [
        "configuration", "id", "kind", "recall", "coverage", "reason", "answer",
    ]  # fmt: skip
    assert list(report["grades"][30]) == ["id", "question", "reference", "configurations"]
    one = report["grades"][30]["configurations"]["B"]
    assert list(one) == ["grade", "reason", "answer", "recall", "coverage", "context_sha256"]
    assert (one["grade"], one["reason"], one["recall"]) == ("fail", "so", 1.0)
    assert list(report["advice"]) == ["pick", "config", "reasons", "rules", "provisional"]
    assert report["advice"]["config"] == configuration(60).to_mapping()
    assert report["asked"] == {
        "endpoint": "http://h/v1", "model": "m", "judge_model": "j", "answered_by": [],
        "prompts": {"answer": "1", "grade": "2"}, "seed": 0,
        "expected": {"pairs": 3, "known": 1, "requests": 4, "tokens_in": 8, "tokens_out": 10,
                     "cost": 0.5},
        "requests": 4, "tokens_in": 9, "tokens_out": 9, "cost": 0.25,
    }  # fmt: skip
    json.dumps(report, allow_nan=False)
