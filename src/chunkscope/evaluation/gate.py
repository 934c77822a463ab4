"""The gate for CI: a lowest recall, and a saved run that must not be fallen short of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from chunkscope.errors import InputError, NotComparableError
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.statistics import Difference, differences

EQUIVALENT = 0.02
"""A drop in mean recall up to this is not held against a run (section 6's equivalence)."""


@dataclass(frozen=True, slots=True)
class Check:
    """One condition of the gate.

    Attributes:
        name: what is looked at, for a report.
        passed: whether it holds.
        message: the numbers behind it, one sentence.
    """

    name: str
    passed: bool
    message: str


def check_measured(evaluation: Evaluation) -> Check:
    """Whether anything was measured: a gate over nothing fails."""
    counts = evaluation.counts
    message = (
        f"{counts.measured} of {counts.questions} questions measured, "
        f"{counts.unmeasured} unmeasured (evidence not found), "
        f"{counts.unanswerable} unanswerable"
    )
    return Check("measured", counts.measured > 0, message)


def check_min_recall(evaluation: Evaluation, minimum: float) -> Check:
    """Whether mean recall reaches `minimum`.

    Raises:
        InputError: when `minimum` is no share.
    """
    if not 0 <= minimum <= 1:
        raise InputError(
            f"--min-recall: {minimum} is not between 0 and 1; give a share such as 0.8"
        )
    recall = evaluation.metrics.get("recall")
    name = f"recall at least {minimum:g}"
    if recall is None:
        return Check(name, False, "recall was not measured")
    return Check(name, recall >= minimum, f"recall {recall:.4f}, wanted {minimum:g}")


def check_max_context(evaluation: Evaluation, maximum: float) -> Check:
    """Whether the mean of tokens sent a question stays within `maximum`.

    Raises:
        InputError: when `maximum` is no number above 0.
    """
    if not 0 < maximum < float("inf"):
        raise InputError(f"--max-context: {maximum} is no number of tokens; give one above 0")
    sent = evaluation.metrics.get("context_tokens")
    name = f"context at most {maximum:g} tokens"
    if sent is None:
        return Check(name, False, "the tokens sent were not measured")
    return Check(name, sent <= maximum, f"{sent:.1f} tokens sent a question, allowed {maximum:g}")


def check_baseline(
    report: Mapping[str, Any], baseline: Mapping[str, Any], where: str, *, seed: int = 0
) -> Check:
    """Whether recall holds against a saved run of the same corpus, golden set and k.

    It fails when mean recall fell by more than `EQUIVALENT`, or by less but on so many
    questions that the paired interval lies wholly below 0.

    Args:
        report: this run, as `eval` reports it.
        baseline: the saved run.
        where: what messages call the saved run.
        seed: of the paired bootstrap.

    Raises:
        InputError: when `baseline` is no saved run.
        NotComparableError: when corpus, golden set or k differ.
    """
    for name, keys in (
        ("corpus", ("corpus", "fingerprint")),
        ("golden set", ("golden", "fingerprint")),
        ("k", ("config", "retriever", "k")),
        ("budget", ("config", "retriever", "budget")),
    ):
        before, now = _value(baseline, keys, where), _value(report, keys, "this run")
        if before != now:
            raise NotComparableError(
                f"{where}: the baseline has another {name}; save a new one with eval --save"
            )
    before, now = _recalls(baseline, where), _recalls(report, "this run")
    shared = [question for question in now if question in before]
    if not shared:
        return Check("baseline", False, "no question is measured in both runs")
    difference = differences(
        np.array([[now[question] - before[question]] for question in shared]), seed=seed
    )[0]
    lost = sorted(question for question in shared if now[question] < before[question])
    fallen = difference.mean < -EQUIVALENT or difference.high < 0
    sentence = _sentence(difference, lost) + _changed(report, baseline)
    return Check("baseline", not fallen, sentence)


_RANKING = (
    "words", "query_terms", "stem", "stop_words", "fuse", "fuse_constant", "rerank",
    "rerank_depth", "base_url",
)  # fmt: skip
"""Settings of a retriever that a size was chosen under."""


def _changed(report: Mapping[str, Any], baseline: Mapping[str, Any]) -> str:
    """What a size was chosen by and is no longer so, with what to do about it."""
    changed = []
    ranking = [(name.replace("_", " "), ("config", "retriever", name)) for name in _RANKING]
    for name, keys in (
        ("retriever", ("config", "retriever", "kind")),
        *ranking,
        ("encoding", ("config", "splitter", "encoding")),
    ):
        before, now = (_there(run, keys) for run in (baseline, report))
        if before is not None and before != now:
            changed.append(f"{name} {_plain(before)} → {_plain(now)}")
    if not changed:
        return ""
    return f"; changed since the baseline: {', '.join(changed)}: run the sweep again"


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _there(report: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    value: Any = report
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _sentence(difference: Difference, lost: list[str]) -> str:
    interval = (
        f" [{difference.low:+.4f}, {difference.high:+.4f}]" if np.isfinite(difference.low) else ""
    )
    named = f"; lower on {len(lost)}: {', '.join(lost[:5])}" if lost else ""
    noise = " (noise)" if difference.noise and difference.mean else ""
    return f"recall {difference.mean:+.4f}{interval} against the baseline{noise}{named}"


def _recalls(report: Mapping[str, Any], where: str) -> dict[str, float]:
    questions = _value(report, ("questions",), where)
    if not isinstance(questions, list):
        raise InputError(f"{where}: not a saved run: questions is not a list")
    recalls: dict[str, float] = {}
    for number, question in enumerate(questions):
        if not isinstance(question, Mapping) or not isinstance(question.get("id"), str):
            raise InputError(f"{where}: not a saved run: question {number} has no id")
        recall = question.get("recall")
        if recall is None:
            continue
        if isinstance(recall, bool) or not isinstance(recall, int | float) or not 0 <= recall <= 1:
            raise InputError(f"{where}: not a saved run: recall of question {number} is no share")
        recalls[question["id"]] = float(recall)
    return recalls


def _value(report: Mapping[str, Any], keys: tuple[str, ...], where: str) -> Any:
    value: Any = report
    for key in keys:
        if not isinstance(value, Mapping) or key not in value:
            raise InputError(
                f"{where}: not a saved run: {'.'.join(keys)} is missing; make one with eval --save"
            )
        value = value[key]
    return value
