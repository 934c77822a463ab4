"""Graded answers as plain values for JSON, under fixed names.

```
configurations  [{name, label, config, pass_rate, interval, graded, passed, failed, ungraded,
                  cut_answers, recall, coverage, context_tokens, indexed_tokens}]
questions       {golden, measured, without_answer, judged, graded_in_all, same_context}
differences     [{a, b, pass_rate: D, recall: D, gained, lost, p, p_holm, settings}]
                D = {mean, low, high, noise, equivalent}: b less a; gained pass in b alone
disagreements   [{configuration, id, kind, recall, coverage, reason, answer}]
grades          [{id, question, reference, configurations: {name: {grade, reason, answer, recall,
                  coverage, context_sha256}}}]
advice          {pick, config, reasons, rules: [{name, sentence, numbers}], provisional}
asked           {endpoint, model, judge_model, answered_by, prompts: {answer, grade}, seed,
                  expected: {pairs, known, requests, tokens_in, tokens_out, cost},
                  requests, tokens_in, tokens_out, cost}
stopped         empty, or why questions were not reached
corpus, golden  {fingerprint}; versions
```

`pass_rate`, `interval`, `recall`, `coverage` and `context_tokens` are over the questions graded in
every configuration; `graded`, `passed`, `failed` and `ungraded` are each configuration's own
counts. `grade` is `pass`, `fail`, `ungraded` or `not asked`; of `ungraded` the reason says why.
`asked` counts what this run asked; what the cache held costs nothing. Without prices `cost` is
null.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any

from chunkscope.endpoint.cost import Usage
from chunkscope.evaluation.case import sha256_of
from chunkscope.evaluation.report import versions
from chunkscope.evaluation.statistics import Difference
from chunkscope.evaluation.sweepresults import Advice
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.model import GoldenSet
from chunkscope.llm.judging import Expected
from chunkscope.llm.judging_results import JudgedVariant, Judgement, Line, RateDifference


@dataclass(frozen=True)
class AskedReport:
    """Who was asked, and what it took.

    Attributes:
        cost: None: no prices.
    """

    endpoint: str
    model: str
    judge_model: str
    prompts: dict[str, str]
    seed: int
    expected: Expected
    usage: Usage
    cost: float | None


def judgement_to_json(
    judgement: Judgement, advice: Advice, asked: AskedReport, golden: GoldenSet
) -> dict[str, Any]:
    """A judgement as `judge` writes it.

    Args:
        judgement: the judgement.
        advice: drawn from it.
        asked: who was asked.
        golden: the golden set it was made with.
    """
    chosen, variants = judgement.chosen, judgement.variants
    corpus = variants[0].variant.evaluation.chunks.corpus
    picked = None if advice.pick is None else variants[advice.pick].variant
    return {
        "configurations": [_configuration(one) for one in variants],
        "questions": {
            "golden": chosen.questions,
            "measured": chosen.measured,
            "without_answer": chosen.without_answer,
            "judged": len(chosen.rows),
            "graded_in_all": len(judgement.common),
            "same_context": judgement.same_context,
        },
        "differences": [_difference_of(found, variants) for found in judgement.differences],
        "disagreements": [
            {
                "configuration": variants[found.variant].variant.name,
                "id": found.line.id,
                "kind": found.kind,
                "recall": _number(found.line.metric("recall")),
                "coverage": _number(found.line.metric("coverage")),
                "reason": reason_of(found.line),
                "answer": answer_of(found.line),
            }
            for found in judgement.disagreements
        ],
        "grades": [_grades(variants, place) for place in range(len(chosen.rows))],
        "advice": {
            "pick": None if picked is None else picked.name,
            "config": None if picked is None else picked.evaluation.configuration.to_mapping(),
            "reasons": list(advice.reasons),
            "rules": [
                {
                    "name": rule.name,
                    "sentence": rule.sentence,
                    "numbers": {name: _number(value) for name, value in rule.numbers.items()},
                }
                for rule in advice.rules
            ],
            "provisional": advice.provisional,
        },
        "asked": _asked(asked, variants),
        "stopped": judgement.stopped,
        "corpus": {"fingerprint": corpus.fingerprint},
        "golden": {"fingerprint": fingerprint(golden)},
        "versions": dict(versions()),
    }


def grade_of(line: Line) -> str:
    """`pass`, `fail`, `ungraded` or `not asked`."""
    if line.outcome is None:
        return "not asked"
    return {True: "pass", False: "fail", None: "ungraded"}[line.passed]


def reason_of(line: Line) -> str:
    """The grader's reason, or why there is no grade."""
    if line.outcome is None:
        return ""
    grade = line.outcome.grade
    return line.outcome.ungraded if grade is None else grade.reason


def answer_of(line: Line) -> str:
    """What the model answered."""
    return "" if line.outcome is None else line.outcome.answer


def _configuration(one: JudgedVariant) -> dict[str, Any]:
    evaluation = one.variant.evaluation
    passed, failed = one.count(True), one.count(False)
    return {
        "name": one.variant.name,
        "label": one.variant.label,
        "config": evaluation.configuration.to_mapping(),
        "pass_rate": one.rate,
        "interval": None if one.interval is None else list(one.interval),
        "graded": passed + failed,
        "passed": passed,
        "failed": failed,
        "ungraded": one.count(None),
        "cut_answers": sum(line.outcome is not None and line.outcome.cut for line in one.lines),
        **{name: _number(value) for name, value in one.metrics.items()},
        "indexed_tokens": evaluation.statistics.total_tokens,
    }


def _difference_of(found: RateDifference, variants: tuple[JudgedVariant, ...]) -> dict[str, Any]:
    return {
        "a": variants[found.a].variant.name,
        "b": variants[found.b].variant.name,
        "pass_rate": _difference(found.rate),
        "recall": _difference(found.recall),
        **asdict(found.grades),
        "p_holm": found.p_holm,
        "settings": [
            {
                "setting": f"{change.section}.{change.key}",
                "a": list(change.a) if isinstance(change.a, tuple) else change.a,
                "b": list(change.b) if isinstance(change.b, tuple) else change.b,
            }
            for change in found.settings
        ],
    }


def _grades(variants: tuple[JudgedVariant, ...], place: int) -> dict[str, Any]:
    first = variants[0].lines[place]
    return {
        "id": first.id,
        "question": first.pair.question,
        "reference": first.pair.reference,
        "configurations": {
            one.variant.name: {
                "grade": grade_of(line),
                "reason": reason_of(line),
                "answer": answer_of(line),
                "recall": _number(line.metric("recall")),
                "coverage": _number(line.metric("coverage")),
                "context_sha256": sha256_of(line.pair.context),
            }
            for one in variants
            for line in (one.lines[place],)
        },
    }


def _asked(asked: AskedReport, variants: tuple[JudgedVariant, ...]) -> dict[str, Any]:
    models = dict.fromkeys(
        model
        for one in variants
        for line in one.lines
        if line.outcome is not None
        for model in line.outcome.models
    )
    expected = Usage()
    for usage in asked.expected.usage.values():
        expected = expected + usage
    return {
        "endpoint": asked.endpoint,
        "model": asked.model,
        "judge_model": asked.judge_model,
        "answered_by": list(models),
        "prompts": asked.prompts,
        "seed": asked.seed,
        "expected": {
            "pairs": asked.expected.pairs,
            "known": asked.expected.known,
            **_usage(expected),
            "cost": None if asked.cost is None else asked.expected.cost,
        },
        **_usage(asked.usage),
        "cost": asked.cost,
    }


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "requests": usage.requests,
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
    }


def _difference(found: Difference) -> dict[str, Any]:
    return {
        "mean": _number(found.mean),
        "low": _number(found.low),
        "high": _number(found.high),
        "noise": found.noise,
        "equivalent": found.equivalent,
    }


def _number(value: float | None) -> float | None:
    """A plain number; null for what has no finite value, as JSON knows none."""
    return value if value is not None and math.isfinite(value) else None
