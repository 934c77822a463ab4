"""Which configuration the graded answers advise, in words; each rule names its numbers."""

import math
from collections.abc import Sequence

import numpy as np

from chunkscope.evaluation.advice import ENOUGH_QUESTIONS
from chunkscope.evaluation.metrics import FloatArray
from chunkscope.evaluation.statistics import (
    EQUIVALENT,
    Difference,
    compare_rows,
    differences,
)
from chunkscope.evaluation.sweepresults import Advice, Rule
from chunkscope.llm.judging_results import JudgedVariant, Judgement

DISAGREEING = 0.2
"""Share of grades that disagree with recall from which on the list is read before the advice."""

UNGRADED = 0.1
"""Share of questions without a grade in every configuration that is said."""


def advise(judgement: Judgement, *, seed: int = 0) -> Advice:
    """The cheapest configuration that passes as often as the best one, as far as can be told."""
    if not judgement.common:
        why = judgement.stopped or "every question is ungraded in one of them"
        return Advice(None, (f"no question was graded in every configuration: {why}",))
    allowed = [number for number, one in enumerate(judgement.variants) if not saturated(one)]
    if not allowed:
        why = "each sends over a third of the corpus, so that chunking decides little"
        return Advice(None, (f"no configuration can be advised: {why}",))
    best = _best(judgement, allowed)
    against = _against(judgement.grades, best, seed)
    recall = _against(judgement.recalls, best, seed)
    alike = [number for number in allowed if number == best or against[number].noise]
    # Where grades hint at a difference that they cannot show, and recall shows it, it is believed.
    good = [
        number
        for number in alike
        if against[number].mean >= -EQUIVALENT or not _lower(recall[number])
    ]
    cheapest, pick = (
        min(numbers, key=lambda number: (*_cost(judgement.variants[number]), number))
        for numbers in (alike, good)
    )
    found = [
        _disagreement_rule(judgement),
        _saturated_rule(judgement),
        _decides_rule(judgement, pick, cheapest, seed),
        _size_rule(judgement, pick, seed),
        _recall_rule(judgement, pick, seed),
        _detectable_rule(judgement, seed),
        _ungraded_rule(judgement),
        _provisional_rule(judgement),
    ]
    return Advice(
        pick=pick,
        reasons=_reasons(judgement, pick, best, against[pick]),
        rules=tuple(rule for rule in found if rule is not None),
        provisional=len(judgement.common) < ENOUGH_QUESTIONS,
    )


def size_of(one: JudgedVariant) -> tuple[str, int]:
    """Unit and size, of which only those of one unit can be compared."""
    splitter = one.variant.evaluation.configuration.splitter
    return splitter.unit, splitter.size


def saturated(one: JudgedVariant) -> bool:
    """Whether it sends over a third of the corpus's tokens a question."""
    evaluation = one.variant.evaluation
    return (evaluation.metrics["context_tokens"] or 0.0) > evaluation.corpus_tokens / 3


def _named(one: JudgedVariant) -> str:
    return f"{one.variant.name} ({one.variant.label})"


def _tokens(one: JudgedVariant) -> float:
    return one.metrics["context_tokens"] or 0.0


def _cost(one: JudgedVariant) -> tuple[float, int]:
    return _tokens(one), one.variant.evaluation.statistics.total_tokens


def _best(judgement: Judgement, allowed: Sequence[int]) -> int:
    """The highest pass rate of those allowed; of equal ones the cheapest."""
    variants = judgement.variants
    return min(
        allowed,
        key=lambda number: (-round(variants[number].rate or 0.0, 12), *_cost(variants[number])),
    )


def _against(values: FloatArray, other: int, seed: int) -> list[Difference]:
    """Each column less another."""
    return differences(values - values[:, [other]], seed=seed)


def _lower(found: Difference) -> bool:
    """Whether a difference is below 0 beyond noise, and not by next to nothing."""
    return found.high < 0 and found.mean < -EQUIVALENT


def _interval(found: Difference) -> str:
    if not math.isfinite(found.low):
        return f"{found.mean:+.2f}, too few questions for an interval"
    return f"{found.mean:+.2f}, {found.low:+.2f} to {found.high:+.2f}"


def _reasons(judgement: Judgement, pick: int, best: int, against: Difference) -> tuple[str, ...]:
    one, top = judgement.variants[pick], judgement.variants[best]
    sentence = (
        f"{_named(one)}: {one.rate or 0.0:.2f} of {len(judgement.common)} questions pass, for "
        f"{_tokens(one):.0f} tokens of context a question"
    )
    if pick == best:
        return (f"{sentence}; no other passes more often",)
    saved = _tokens(top) - _tokens(one)
    return (
        f"{sentence}; {_named(top)} passes {top.rate or 0.0:.2f}, and the difference "
        f"({_interval(against)}) is noise: take the cheaper one, {saved:.0f} tokens less a "
        "question",
    )


def _disagreement_rule(judgement: Judgement) -> Rule | None:
    grades = sum(one.count(True) + one.count(False) for one in judgement.variants)
    share = len(judgement.disagreements) / grades if grades else 0.0
    if share <= DISAGREEING:
        return None
    return Rule(
        "judge and recall disagree",
        f"judge and recall disagree on {share:.0%} of the grades (more than {DISAGREEING:.0%}): "
        "read the list of disagreements first, before anything below",
        {"share": share, "limit": DISAGREEING, "disagreements": len(judgement.disagreements)},
    )


def _saturated_rule(judgement: Judgement) -> Rule | None:
    found = [one for one in judgement.variants if saturated(one)]
    if not found:
        return None
    return Rule(
        "saturated",
        f"{', '.join(map(_named, found))}: sends over a third of the corpus and is never picked",
        {"configurations": len(found)},
    )


def _decides_rule(judgement: Judgement, pick: int, cheapest: int, seed: int) -> Rule | None:
    """A cheaper configuration passes as often, as far as can be told, and has less recall."""
    if pick == cheapest:
        return None
    rate = _difference(judgement.grades, cheapest, pick, seed)
    recall = _difference(judgement.recalls, cheapest, pick, seed)
    one, other = judgement.variants[pick], judgement.variants[cheapest]
    return Rule(
        "recall decides",
        f"{_named(other)} costs less, and its pass rate is as good as far as these questions can "
        f"tell ({one.variant.name} {_interval(rate)}), but {one.variant.name} has more recall "
        f"beyond noise ({_interval(recall)}): recall decides",
        {
            "difference": rate.mean, "low": rate.low, "high": rate.high,
            "recall_difference": recall.mean, "recall_low": recall.low, "recall_high": recall.high,
        },
    )  # fmt: skip


def _size_rule(judgement: Judgement, pick: int, seed: int) -> Rule | None:
    """The judge prefers the pick to a configuration of another size, beyond noise."""
    chosen = judgement.variants[pick]
    unit, size = size_of(chosen)
    others = [
        number
        for number, one in enumerate(judgement.variants)
        if size_of(one)[0] == unit and size_of(one)[1] != size
    ]
    # The nearest size says most about where to stop.
    for number in sorted(others, key=lambda number: abs(size_of(judgement.variants[number])[1]
                                                        - size)):  # fmt: skip
        rate = _difference(judgement.grades, number, pick, seed)
        if rate.low <= 0:
            continue
        recall = _difference(judgement.recalls, number, pick, seed)
        other = judgement.variants[number]
        tried = any(
            size_of(one) == size_of(other) and _has_headings(one) for one in judgement.variants
        )
        return _preference(chosen, other, rate, recall, tried=tried)
    return None


def _has_headings(one: JudgedVariant) -> bool:
    return "headings" in one.variant.evaluation.configuration.enrich.prefix.split("+")


def _preference(
    chosen: JudgedVariant,
    other: JudgedVariant,
    rate: Difference,
    recall: Difference,
    *,
    tried: bool,
) -> Rule:
    """What it means that the judge prefers `chosen`; both differences are of it less the other."""
    (_, size), (_, others) = size_of(chosen), size_of(other)
    numbers = {
        "size": size, "other_size": others, "difference": rate.mean, "low": rate.low,
        "high": rate.high, "recall_difference": recall.mean, "recall_low": recall.low,
        "recall_high": recall.high,
    }  # fmt: skip
    judge = f"the judge prefers size {size} to {others} ({_interval(rate)})"
    if recall.low > 0 and recall.mean > EQUIVALENT:
        return Rule(
            "judge and recall agree",
            f"{judge}, and recall does, too ({_interval(recall)}): prefer size {size}",
            numbers,
        )
    if _lower(recall):
        return Rule(
            "judge against recall",
            f"{judge}, though its recall is lower ({_interval(recall)}): read the questions that "
            f"pass in {chosen.variant.name} alone before preferring it",
            numbers,
        )
    near = abs(recall.mean) <= EQUIVALENT
    at = f"at {'equal recall' if near else 'no difference in recall beyond noise'}"
    if size < others:
        return Rule(
            "judge prefers the smaller size",
            f"{judge} {at} ({_interval(recall)}): prefer it, it is cheaper, too",
            numbers,
        )
    advice = (
        f"prefer it; prefix = headings at size {others} was tried here and did not do"
        if tried
        else f"prefer it, after trying prefix = headings at size {others}, which costs less"
    )
    return Rule(
        "judge prefers the larger size",
        f"{judge} {at} ({_interval(recall)}): {advice}",
        numbers | {"prefix_tried": float(tried)},
    )


def _recall_rule(judgement: Judgement, pick: int, seed: int) -> Rule | None:
    """Another configuration has more recall beyond noise, and does not pass more often."""
    recalls = judgement.recalls
    means = recalls.mean(axis=0)
    best = int(np.argmax(np.round(means, 12)))
    recall = _difference(recalls, pick, best, seed)
    if best == pick or recall.low <= 0 or recall.mean <= EQUIVALENT:
        return None
    rate = _difference(judgement.grades, pick, best, seed)
    return Rule(
        "recall differs and answers do not",
        f"{_named(judgement.variants[best])} has more recall than "
        f"{judgement.variants[pick].variant.name} ({_interval(recall)}), and its answers do not "
        f"pass more often ({_interval(rate)})",
        {
            "recall_difference": recall.mean, "recall_low": recall.low, "recall_high": recall.high,
            "difference": rate.mean, "low": rate.low, "high": rate.high,
        },
    )  # fmt: skip


def _difference(values: FloatArray, a: int, b: int, seed: int) -> Difference:
    """Column `b` less column `a`."""
    return differences((values[:, b] - values[:, a])[:, None], seed=seed)[0]


def _detectable_rule(judgement: Judgement, seed: int) -> Rule | None:
    values = judgement.grades
    found = compare_rows(values, seed=seed) if len(values) > 1 else None
    if found is None or found.detectable is None:
        return None
    detectable = found.detectable
    sentence = f"these questions can detect a difference of {detectable:.2f} in pass rate"
    if detectable >= 1:
        sentence = "these questions are too few to detect any difference in pass rate"
    needed = [
        f"{difference:.2f} would need {count:,} questions"
        for difference, count in found.questions_for.items()
    ]
    sentence = "; ".join([sentence, *needed])
    return Rule("smallest detectable difference", sentence, {"detectable": detectable})


def _ungraded_rule(judgement: Judgement) -> Rule | None:
    reached = [
        place
        for place in range(len(judgement.chosen.rows))
        if all(one.lines[place].outcome is not None for one in judgement.variants)
    ]
    missing = len(reached) - len(judgement.common)
    if not reached or missing / len(reached) <= UNGRADED:
        return None
    return Rule(
        "ungraded",
        f"{missing} of {len(reached)} questions have no usable grade in some configuration: pass "
        "rates rest on the others, which need not be like them",
        {"ungraded": missing, "reached": len(reached)},
    )


def _provisional_rule(judgement: Judgement) -> Rule | None:
    graded = len(judgement.common)
    if graded >= ENOUGH_QUESTIONS:
        return None
    return Rule(
        "provisional",
        f"provisional: {graded} question{'s' * (graded != 1)} graded in every configuration; "
        f"{ENOUGH_QUESTIONS - graded} more are needed before relying on it",
        {"graded": graded, "to_grade": ENOUGH_QUESTIONS - graded},
    )


def sentences(advice: Advice) -> Sequence[str]:
    """The advice as lines, what must be read first first."""
    first = [rule for rule in advice.rules if rule.name == "judge and recall disagree"]
    others = [rule for rule in advice.rules if rule not in first]
    return [
        *(rule.sentence for rule in first),
        *advice.reasons,
        *(rule.sentence for rule in others),
    ]
