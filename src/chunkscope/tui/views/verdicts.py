"""Verdicts as marks and words; the mark is never the only sign, nor the colour."""

from chunkscope.evaluation.results import QuestionResult, Verdict

MARKS: dict[str, tuple[str, str]] = {
    "hit": ("✓", "+"),
    "partial": ("◐", "~"),
    "split": ("✂", "%"),
    "missed": ("✗", "x"),
    "unmeasured": ("?", "?"),
    "unanswerable": ("∅", "0"),
}
ROLES: dict[str, str] = {
    "hit": "good",
    "partial": "warn",
    "split": "bad",
    "missed": "bad",
    "unmeasured": "dim",
    "unanswerable": "dim",
}
BAD: frozenset[Verdict] = frozenset({"partial", "split", "missed"})


def verdict_text(verdict: Verdict, *, ascii_marks: bool = False) -> str:
    """The mark and the word."""
    return f"{MARKS[verdict][1 if ascii_marks else 0]} {verdict}"


def is_miss(result: QuestionResult | None) -> bool:
    """Whether a measured question did not get everything."""
    return result is not None and result.verdict in BAD


def is_cut(result: QuestionResult | None) -> bool:
    """Whether a boundary cuts any of the question's evidence."""
    return result is not None and any(outcome.state == "cut" for outcome in result.outcomes)


def differ(a: QuestionResult | None, b: QuestionResult | None) -> bool:
    """Whether A and B answer a question differently: in verdict, recall or rank."""
    if a is None or b is None:
        return False
    return (a.verdict, a.metrics.get("recall"), a.rank) != (
        b.verdict,
        b.metrics.get("recall"),
        b.rank,
    )


def difference_text(a: QuestionResult | None, b: QuestionResult | None) -> tuple[str, str]:
    """What B changes for one question, in a word with its sign; and the role of that word."""
    recall_a = a.metrics.get("recall") if a is not None else None
    recall_b = b.metrics.get("recall") if b is not None else None
    if a is None or b is None or recall_a is None or recall_b is None:
        return "", "dim"
    if recall_b > recall_a:
        return f"+{recall_b - recall_a:.2f} won", "good"
    if recall_b < recall_a:
        return f"−{recall_a - recall_b:.2f} lost", "bad"
    if a.rank != b.rank and a.rank is not None and b.rank is not None:
        step = a.rank - b.rank
        return f"rank {'+' if step > 0 else '−'}{abs(step)}", "good" if step > 0 else "warn"
    return (b.verdict, "warn") if a.verdict != b.verdict else ("=", "dim")
