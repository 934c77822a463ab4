"""Graded answers as tables and sentences."""

import math

from chunkscope.cli.output import add_row, console, number
from chunkscope.cli.output import table as new_table
from chunkscope.evaluation.statistics import Difference
from chunkscope.evaluation.sweepresults import Advice
from chunkscope.llm.judging_advice import sentences
from chunkscope.llm.judging_report import reason_of
from chunkscope.llm.judging_results import JudgedVariant, Judgement, Kind, RateDifference
from chunkscope.text.display import visible

_SHOWN = 20
_IDS_SHOWN = 10

_MEANINGS: dict[Kind, str] = {
    "passed without evidence": "no evidence was sent: the model knew it, or the evidence set is "
    "too narrow and other passages answer it",
    "passed on a part": "no evidence item was sent whole, but a part of it was enough",
    "failed with evidence": "all evidence was sent: the context is too long or misleading, or the "
    "grader errs",
}


def print_judgement(judgement: Judgement, advice: Advice) -> None:
    """Everything that `--format table` shows, on stdout."""
    _print_variants(judgement, advice)
    _print_disagreements(judgement)
    _print_ungraded(judgement)
    lines = [_counts(judgement)]
    for found in judgement.differences:
        lines += [
            _against(found, judgement),
            *_alone(found, judgement),
            *_settings(found, judgement),
        ]
    console().print(visible_lines([*lines, *sentences(advice)]), soft_wrap=True)


def visible_lines(lines: list[str]) -> str:
    """Lines of outside text, each on one line."""
    return "\n".join(map(visible, lines))


def _print_variants(judgement: Judgement, advice: Advice) -> None:
    graded = len(judgement.common)
    made = new_table(
        f"over the {graded} question{'s' * (graded != 1)} graded in every configuration; context "
        "is tokens sent a question",
        [("", "left"), ("", "left"), ("configuration", "wrap"),
         *((name, "right") for name in ("pass rate", "95 %", "recall", "coverage", "context",
                                        "passed", "failed", "ungraded"))],
    )  # fmt: skip
    for place, one in enumerate(judgement.variants):
        picked = place == advice.pick
        add_row(made, _cells(one, picked=picked), style="bold" if picked else None)
    console().print(made)


def _cells(one: JudgedVariant, *, picked: bool) -> list[str]:
    interval = one.interval
    return [
        "▸" if picked else "",
        one.variant.name,
        one.variant.label,
        number(one.rate),
        "–" if interval is None else f"{interval[0]:.2f}–{interval[1]:.2f}",
        number(one.metrics["recall"]),
        number(one.metrics["coverage"]),
        number(one.metrics["context_tokens"], 0),
        *(str(one.count(passed)) for passed in (True, False, None)),
    ]


def _print_disagreements(judgement: Judgement) -> None:
    found = judgement.disagreements
    if not found:
        return
    made = new_table(
        "where judge and recall disagree",
        [("", "left"), ("question", "left"), ("what", "left"), ("coverage", "right"),
         ("the grader's reason", "fill")],
    )  # fmt: skip
    shown = []
    for place in range(len(judgement.variants)):
        shown += [one for one in found if one.variant == place][:_SHOWN]
    for one in shown:
        name = judgement.variants[one.variant].variant.name
        coverage = number(one.line.metric("coverage"), 2)
        add_row(made, [name, one.line.id, one.kind, coverage, reason_of(one.line)])
    console().print(made)
    kinds = dict.fromkeys(one.kind for one in found)
    lines = [f"{kind}: {_MEANINGS[kind]}" for kind in kinds]
    if len(found) > len(shown):
        lines.append(f"{len(found) - len(shown)} more of them (--format json)")
    console().print("\n".join(lines), soft_wrap=True)


def _print_ungraded(judgement: Judgement) -> None:
    found = [
        (one.variant.name, line)
        for one in judgement.variants
        for line in one.lines
        if line.outcome is not None and line.passed is None
    ]
    if not found:
        return
    made = new_table(
        "ungraded: neither passed nor failed",
        [("", "left"), ("question", "left"), ("why", "fill")],
    )
    for name, line in found[:_SHOWN]:
        add_row(made, [name, line.id, reason_of(line)])
    console().print(made)
    if len(found) > _SHOWN:
        console().print(f"{len(found) - _SHOWN} more of them (--format json)")


def _counts(judgement: Judgement) -> str:
    chosen = judgement.chosen
    same = judgement.same_context
    reached = [all(one.lines[place].outcome is not None for one in judgement.variants)
               for place in range(len(chosen.rows))]  # fmt: skip
    parts = [
        f"{chosen.questions} golden questions: {chosen.measured} measured, "
        f"{chosen.without_answer} of them without a reference answer and not graded; "
        f"{len(chosen.rows)} judged, {len(judgement.common)} graded in every configuration"
    ]
    if not all(reached):
        parts.append(f"{reached.count(False)} not reached ({judgement.stopped})")
    if same:
        parts.append(f"{same} with the same context in every configuration, asked once")
    return "; ".join(parts)


def _against(found: RateDifference, judgement: Judgement) -> str:
    a, b = (judgement.variants[place].variant.name for place in (found.a, found.b))
    tests = f"exact McNemar p = {found.grades.p:.3g}"
    if len(judgement.differences) > 1:
        tests += f", {found.p_holm:.3g} corrected for {len(judgement.differences)} pairs"
    return (
        f"{b} against {a}: pass rate {_interval(found.rate)}; {found.grades.gained} pass in {b} "
        f"alone, {found.grades.lost} in {a} alone ({tests}); recall {_interval(found.recall)}"
    )


def _alone(found: RateDifference, judgement: Judgement) -> list[str]:
    """Which questions pass in one of two configurations alone."""
    lines = []
    for place, other in ((found.b, found.a), (found.a, found.b)):
        one, against = judgement.variants[place], judgement.variants[other]
        ids = [
            one.lines[row].id
            for row in judgement.common
            if one.lines[row].passed and not against.lines[row].passed
        ]
        if ids:
            more = f" and {len(ids) - _IDS_SHOWN} more" if len(ids) > _IDS_SHOWN else ""
            lines.append(
                f"  pass in {one.variant.name} and not in {against.variant.name}: "
                f"{', '.join(ids[:_IDS_SHOWN])}{more}"
            )
    return lines


def _interval(found: Difference) -> str:
    if not math.isfinite(found.low):
        return f"{found.mean:+.3f}, too few questions for an interval"
    said = "noise" if found.noise else "beyond noise"
    return f"{found.mean:+.3f} ({found.low:+.3f} … {found.high:+.3f}), {said}"


def _settings(found: RateDifference, judgement: Judgement) -> list[str]:
    if len(found.settings) < 2:
        return []
    a, b = (judgement.variants[place].variant.name for place in (found.a, found.b))
    names = ", ".join(f"{change.section}.{change.key}" for change in found.settings)
    return [
        f"{b} against {a}: {len(found.settings)} settings differ ({names}), so the difference "
        "cannot be attributed to one of them"
    ]
