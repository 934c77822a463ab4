"""The rule for semantic splitting: only where it beats recursive rows beyond noise."""

from collections.abc import Sequence

from chunkscope.evaluation.statistics import differences
from chunkscope.evaluation.sweepresults import Rule, SweepRow

_SEMANTIC = "semantic"


def semantic_rule(rows: Sequence[SweepRow], allowed: Sequence[int]) -> tuple[list[int], list[Rule]]:
    """The rows that may be picked, and what is to be said of semantic ones among them.

    Args:
        rows: the sweep's rows.
        allowed: numbers of those that may be picked as far as other rules go.
    """
    semantic = [number for number in allowed if _kind(rows[number]) == _SEMANTIC]
    recursive = [number for number in allowed if _kind(rows[number]) == "recursive"]
    if not semantic or not recursive:
        return list(allowed), []
    best, other = (max(some, key=lambda number: _recall(rows[number])) for some in
                   (semantic, recursive))  # fmt: skip
    row, against = rows[best], rows[other]
    (found,) = differences((row.judged_recall - against.judged_recall)[:, None])
    splitter, tokens = row.configuration.splitter, row.evaluation.corpus_tokens
    embedded = tokens * (2 * splitter.buffer + 1)
    wins = found.low > 0
    outcome = (
        "beyond noise; confirm it by a second round (sweep --validate) before paying for it"
        if wins
        else "not beyond noise, so that it is not picked"
    )
    rule = Rule(
        _SEMANTIC,
        f"{row.label} has recall {_recall(row):.2f} against {_recall(against):.2f} of "
        f"{against.label}, {found.mean:+.2f} ({found.low:+.2f} to {found.high:+.2f}): {outcome}; "
        f"it embeds {embedded:,} tokens to cut these documents once",
        {
            "recall": _recall(row),
            "recall_of_recursive": _recall(against),
            "difference": found.mean,
            "low": found.low,
            "high": found.high,
            "embedded_tokens": embedded,
        },
    )
    kept = [number for number in allowed if wins or number not in semantic]
    return kept, [rule]


def _kind(row: SweepRow) -> str:
    return row.configuration.splitter.kind


def _recall(row: SweepRow) -> float:
    return row.recall or 0.0
