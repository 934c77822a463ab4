"""The second round: is a sweep's pick confirmed by questions that did not choose it?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from chunkscope.evaluation.advice import cheapest_good, cost_of, recall_difference
from chunkscope.evaluation.metrics import FloatArray
from chunkscope.evaluation.statistics import EQUIVALENT, Difference, differences
from chunkscope.evaluation.sweepresults import Sweep, SweepRow

REPEATS = 100
FEWEST = 40
"""Fewer questions cannot be halved: each half would show next to nothing."""

_OFTEN = 0.5
_RARELY = 0.05
_NAMED = 3
_NOTHING = "nothing was picked that could be confirmed"


@dataclass(frozen=True)
class SecondRound:
    """What a second round says of a pick.

    Attributes:
        kind: `file`: another golden set; `halves`: repeated split halves of the same one.
        confirmed: None: neither confirmed nor refuted.
        sentence: the outcome, with the numbers that decided.
        numbers: those numbers.
        questions: measured questions of the second round.
        golden: fingerprint of the other golden set; empty for halves.
        stopped: rows measured when it was called off; None: it was not.
    """

    kind: Literal["file", "halves"]
    confirmed: bool | None
    sentence: str
    numbers: Mapping[str, float] = field(default_factory=dict)
    questions: int = 0
    golden: str = ""
    stopped: int | None = None


def second_round_to_json(found: SecondRound) -> dict[str, Any]:
    """A second round as a sweep's report holds it under `validation`."""
    report: dict[str, Any] = {
        "kind": found.kind,
        "confirmed": found.confirmed,
        "sentence": found.sentence,
        "questions": found.questions,
        "numbers": {name: float(value) for name, value in found.numbers.items()},
    }
    return report if found.kind == "halves" else report | {"golden": found.golden}


def confirm_on(sweep: Sweep, second: Sweep, golden: str) -> SecondRound:
    """Whether the pick of `sweep` holds on the questions of `second`, a sweep of the same rows.

    Confirmed: on those questions no row has over 0.02 more recall. Refuted: one has, beyond
    noise.

    Args:
        sweep: the sweep that picked.
        second: the same rows, in the same order, measured on another golden set.
        golden: fingerprint of that set.
    """
    pick = sweep.advice.pick
    if pick is None:
        return SecondRound(
            "file", None, "nothing was picked that could be confirmed", golden=golden
        )
    if second.stopped and len(second.rows) < len(sweep.rows):
        done = len(second.rows)
        said = (
            f"neither confirmed nor refuted: the second round was stopped after {done} of "
            f"{len(sweep.rows)} rows"
        )
        return SecondRound("file", None, said, golden=golden, stopped=done)
    if second.comparison is None:
        said = "neither confirmed nor refuted: no question of the second set is measured"
        return SecondRound("file", None, said, golden=golden)
    rows = [second.rows[number] for number in second.compared if _pickable(second.rows[number])]
    chosen = second.rows[pick]
    questions = len(chosen.evaluation.measured)
    best = max(rows or [chosen], key=lambda row: round(row.recall or 0.0, 9))
    if (best.recall or 0.0) <= (chosen.recall or 0.0):
        best = chosen
    found = recall_difference(chosen, best)
    numbers = {
        "recall": chosen.recall or 0.0,
        "best_recall": best.recall or 0.0,
        "difference": found.mean,
        "low": found.low,
        "high": found.high,
    }
    confirmed, sentence = _on_file(chosen, best, found, questions)
    own = second.advice.pick
    if own is not None and second.rows[own].label != chosen.label:
        sentence += f"; by itself that set would pick {second.rows[own].label}"
    kept = {name: value for name, value in numbers.items() if np.isfinite(value)}
    return SecondRound("file", confirmed, sentence, kept, questions, golden)


def _on_file(
    chosen: SweepRow, best: SweepRow, found: Difference, questions: int
) -> tuple[bool | None, str]:
    on = f"on the second set ({questions} question{'s' * (questions != 1)})"
    here = f"{chosen.label} has recall {chosen.recall or 0.0:.3f} {on}"
    if best is chosen:
        return True, f"the pick is confirmed: {here}, and no row has more"
    against = f"{best.label}, the best there, has {best.recall or 0.0:.3f}: {found.mean:+.3f}"
    if np.isfinite(found.low):
        against += f" ({found.low:+.3f} to {found.high:+.3f})"
    if found.mean >= -EQUIVALENT:
        return True, f"the pick is confirmed: {here}; {against}, within {EQUIVALENT:.2f}"
    if found.noise:
        return None, (
            f"the pick is neither confirmed nor refuted: {here}; {against} is noise, and that set "
            "is too small to tell"
        )
    return False, f"the pick is not confirmed: {here}; {against} is beyond noise"


def confirm_by_halves(sweep: Sweep, *, repeats: int = REPEATS, seed: int = 0) -> SecondRound:
    """Whether the pick holds when half of the questions choose and the other half judges.

    The questions are halved at random `repeats` times, and the rule of the advice picks on each
    first half. Where that is the same row again, the second half, which had no part in it, says
    whether another row is better beyond noise. Confirmed: most first halves pick the row again,
    and at most one in twenty of their second halves finds a better one. Refuted: more do.
    """
    pick = sweep.advice.pick
    rows = [number for number in sweep.compared if _pickable(sweep.rows[number])]
    if pick is None or not rows:
        return SecondRound("halves", None, _NOTHING)
    values = np.column_stack([sweep.rows[number].judged_recall for number in rows])
    questions = len(values)
    if questions < FEWEST:
        said = (
            f"neither confirmed nor refuted: {questions} questions cannot be halved; write "
            f"{FEWEST - questions} more, or give another golden set"
        )
        return SecondRound("halves", None, said, questions=questions)
    costs = [cost_of(sweep.rows[number]) for number in rows]
    target = sweep.rows[pick].same_as
    column = rows.index(pick if target is None else target)
    picks, worse = _halve(values, costs, column, repeats=repeats, seed=seed)
    again = picks[column]
    numbers = {"repeats": repeats, "picked_again": again, "worse": worse}
    counts = (
        f"{sweep.rows[pick].label} is picked again by {again} of {repeats} random halves, and "
        f"another row is better beyond noise on the other half in {worse} of these"
    )
    others = [
        f"{sweep.rows[rows[at]].label} ({count})"
        for at, count in picks.most_common()
        if at != column
    ]
    if worse > _RARELY * again:
        return SecondRound("halves", False, f"the pick is not confirmed: {counts}", numbers,
                           questions)  # fmt: skip
    if again >= _OFTEN * repeats:
        return SecondRound("halves", True, f"the pick is confirmed: {counts}", numbers, questions)
    said = (
        f"the pick is neither confirmed nor refuted: {counts}; other halves pick "
        f"{', '.join(others[:_NAMED])}, which are as good as these questions can tell"
    )
    return SecondRound("halves", None, said, numbers, questions)


def _halve(
    values: FloatArray,
    costs: Sequence[tuple[float, float]],
    column: int,
    *,
    repeats: int,
    seed: int,
) -> tuple[Counter[int], int]:
    """How often each column is picked, and how often `column`, picked, is worse after all."""
    generator = np.random.default_rng(seed)
    picks: Counter[int] = Counter()
    worse = 0
    for _ in range(repeats):
        order = generator.permutation(len(values))
        first, second = values[order[: len(values) // 2]], values[order[len(values) // 2 :]]
        chosen = cheapest_good(first, costs, seed=seed)
        picks[chosen] += 1
        if chosen == column:
            best = int(np.argmax(np.round(second.mean(axis=0), 9)))
            (found,) = differences((second[:, chosen] - second[:, best])[:, None], seed=seed)
            worse += found.mean < -EQUIVALENT and found.high < 0
    return picks, worse


def _pickable(row: SweepRow) -> bool:
    return not (row.saturated or row.one_chunk)
