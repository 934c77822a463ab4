"""A against B: the differences, a line a question, and chosen questions in the text."""

import math
from collections.abc import Mapping

from chunkscope.evaluation.compare import CHANGES, Comparison, QuestionChange
from chunkscope.evaluation.diagnosis import QuestionDiagnosis
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.evaluation.statistics import Difference
from chunkscope.report.markup import data, element, listing, literal, number, row, running, table
from chunkscope.report.passage import passage
from chunkscope.text.spans import Span

_METRICS = (
    "recall", "full_recall", "coverage", "term_coverage", "hit_rate", "mrr", "ndcg", "precision",
    "split_rate", "context_tokens", "redundancy", "distractors",
)  # fmt: skip
_SIGNS = {
    "won": "+ won",
    "lost": "− lost",
    "same": "= same",
    "unmeasured": "? unmeasured",
    "unanswerable": "∅ unanswerable",
}
_MARKS = {
    "hit": "✓", "partial": "◐", "split": "✂", "missed": "✗", "unmeasured": "?",
    "unanswerable": "∅",
}  # fmt: skip
_SNIPPET = 400


def differences_section(found: Comparison) -> str:
    """What B does better or worse than A, and what is noise."""
    rows = []
    for name in _METRICS:
        difference = found.differences.get(name)
        if difference is not None:
            a, b = (run.metrics.get(name) for run in (found.a, found.b))
            cells = [name, number(a), number(b), f"{difference.mean:+.3f}", *_interval(difference)]
            rows.append(row(cells, numbers=(False, True, True, True)))
    headings = (("metric", False), ("A", True), ("B", True), ("B − A", True),
                ("95 % interval", False), ("", False))  # fmt: skip
    made = table("B less A, paired over the questions", headings, rows) if rows else ""
    return made + listing(_sentences(found))


def _interval(found: Difference) -> tuple[str, str]:
    if not math.isfinite(found.low):
        return "–", "too few questions for one"
    return f"{found.low:+.3f} … {found.high:+.3f}", "noise" if found.noise else "beyond noise"


def _sentences(found: Comparison) -> list[str]:
    counts = ", ".join(f"{found.count(change)} {change}" for change in CHANGES)
    hits, move = found.hits, found.migration
    lines = [
        f"B against A: {counts}",
        f"hits: {hits.gained} gained, {hits.lost} lost (exact McNemar p = {hits.p:.3g})",
        f"an index that holds A: {move.kept:,} chunks kept, {move.changed:,} changed, "
        f"{move.new:,} new; {move.tokens_to_embed:,} tokens to embed",
    ]
    lines += [
        f"differs: {change.section}.{change.key}: A {change.a!r}, B {change.b!r}"
        for change in found.settings
    ]
    if not found.attributable:
        lines.append("several settings differ: the difference cannot be attributed to one of them")
    return lines


def question_table(found: Comparison, diagnosed: Mapping[str, QuestionDiagnosis]) -> str:
    """A line a question, for the filters to work on."""
    headings = (("question", False), ("asked", False), ("B against A", False), ("A", False),
                ("rank", True), ("B", False), ("rank", True), ("why A fails", False))  # fmt: skip
    rows = [_line(one, diagnosed.get(one.a.located.question.id)) for one in found.questions]
    return table("Every question, in A and in B", headings, rows, "questions")


def _line(one: QuestionChange, diagnosed: QuestionDiagnosis | None) -> str:
    question = one.a.located.question
    signature = "" if diagnosed is None else diagnosed.signature
    cells = [
        literal(question.id),
        literal(question.question),
        _SIGNS[one.change],
        _verdict(one.a),
        "–" if one.a.rank is None else str(one.a.rank),
        _verdict(one.b),
        "–" if one.b.rank is None else str(one.b.rank),
        literal(signature),
    ]
    numbers = (False, False, False, False, True, False, True)
    return row(cells, numbers=numbers, attributes=_filtered(one, signature))


def _filtered(one: QuestionChange, signature: str) -> str:
    question = one.a.located.question
    return data(
        change=one.change, a=one.a.verdict, b=one.b.verdict, signature=signature or "none",
        text=f"{question.id} {question.question}".casefold(),
    )  # fmt: skip


def _verdict(line: QuestionResult) -> str:
    return f"{_MARKS[line.verdict]} {line.verdict}"


def question_section(
    found: Comparison, one: QuestionChange, diagnosed: QuestionDiagnosis | None
) -> str:
    """A chosen question: why, the running text under A and under B, and what came back."""
    question = one.a.located.question
    signature = "" if diagnosed is None else diagnosed.signature
    parts = []
    if diagnosed is not None:
        why = literal(f"{diagnosed.signature}: {diagnosed.sentence}")
        parts.append(element("p", f"<strong>A</strong> {why}"))
    for letter, run, line in (("A", found.a, one.a), ("B", found.b, one.b)):
        head = f"{letter} · {_verdict(line)} · {literal(run.configuration.label)}"
        parts.append(element("h4", head))
        parts.append(element("p", literal(line.reason), "quiet"))
        parts += _evidence(run, line)
        parts.append(_retrieved(run, line))
    summary = (
        f"<summary><strong>{literal(question.id)}</strong> {literal(question.question)} "
        f'<span class="quiet">{_SIGNS[one.change]} · A {_verdict(one.a)} · B {_verdict(one.b)}'
        "</span></summary>"
    )
    return f"<details{_filtered(one, signature)}>{summary}{''.join(parts)}</details>"


def _evidence(run: Evaluation, line: QuestionResult) -> list[str]:
    parts = []
    for at, (item, outcome) in enumerate(zip(line.located.items, line.outcomes, strict=True), 1):
        place = outcome.place or next(iter(item.places), None)
        if place is None:
            said = f"evidence {at} was not found: {item.evidence.text}"
            parts.append(element("p", literal(said)))
            continue
        where = f"evidence {at}: {place.doc} {place.span.start}–{place.span.end}"
        where += _place(run, place.doc, place.span) + f", {outcome.state}"
        parts.append(element("p", literal(where), "where") + passage(run.chunks, place, outcome))
    return parts


def _place(run: Evaluation, doc: str, span: Span) -> str:
    """In brackets, with a space before them, the page, row or the like; empty without one."""
    corpus = run.chunks.corpus
    position = corpus.position(doc)
    place = "" if position is None else corpus.documents[position].place(*span)
    return f" ({place})" if place else ""


def _retrieved(run: Evaluation, line: QuestionResult) -> str:
    if not line.retrieved:
        return element("p", "nothing came back", "quiet")
    items = []
    for rank, entry in enumerate(line.retrieved, start=1):
        chunk = entry.chunk
        doc = run.chunks.corpus.documents[int(run.chunks.documents[chunk])].id
        start, end = int(run.chunks.starts[chunk]), int(run.chunks.ends[chunk])
        sent = "● sent" if rank <= line.context else "○ not sent"
        stands = _place(run, doc, Span(start, end))
        head = literal(f"{sent} · {doc} {start}–{end}{stands} · {entry.score:.3f}")
        text = run.chunks.text(chunk)
        more = "" if len(text) <= _SNIPPET else '<span class="mark">…</span>'
        items.append(f"<li>{head}<pre>{running(text[:_SNIPPET])}{more}</pre></li>")
    inner = f"<summary>what came back ({len(items)})</summary><ol>{''.join(items)}</ol>"
    return f'<details class="inner">{inner}</details>'
