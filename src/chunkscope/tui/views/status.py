"""The sentences around the document: title, variants, chosen question, the standing caution."""

from rich.cells import cell_len

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.places import evidence_place
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.tui.baseline import caveats
from chunkscope.tui.literal import fitted_middle, flattened, literal
from chunkscope.tui.session import VARIANTS, Session, Variant
from chunkscope.tui.tweaking import differing
from chunkscope.tui.views.metrics import difference_of, metric_text
from chunkscope.tui.views.reading import UNREAD
from chunkscope.tui.views.verdicts import ROLES, verdict_text
from chunkscope.tui.widgets.one_line import Piece

_LEAST_QUESTION = 12
_UNSAID = "the log does not say what should have come back: t g gives it evidence"
_STAND_INS = frozenset({"bm25", "rank-bm25", "tfidf", "static", "late", "hybrid"})


def splitter_text(configuration: Configuration) -> str:
    """A splitter in a few words, unit and encoding never left out."""
    splitter = configuration.splitter
    unit = splitter.unit if splitter.unit != "tokens" else f"tokens {splitter.encoding}"
    return literal(f"{splitter.kind} {splitter.size}/{splitter.overlap_size} {unit}")


def title_line(session: Session, loading: str) -> list[Piece]:
    """What is open."""
    pieces: list[Piece] = [(" chunkscope ", "strong")]
    corpus = session.corpus
    if corpus is None:
        return [*pieces, (f" {loading}", "dim")]
    name = literal(", ".join(path.name or str(path) for path in session.paths[:3]) or "samples")
    count = len(corpus.documents)
    pieces.append((f" {name}", ""))
    pieces.append((f" · {count} document{'s' * (count != 1)}", "dim"))
    if corpus.skipped:
        pieces.append((f" · {len(corpus.skipped)} skipped", "warn"))
    questions = len(session.questions)
    pieces.append((f" · {questions} question{'s' * (questions != 1)}", "dim"))
    if session.asked:
        pieces.append((f" ({len(session.asked)} not written)", "warn"))
    unmeasured = sum(not q.measured and not q.unanswerable for q in session.questions)
    if unmeasured:
        pieces.append((f" · {unmeasured} unmeasured", "warn"))
    return pieces


def document_title(session: Session) -> str:
    """The open document: its id, how it was read, how many chunks in the variant shown."""
    document = session.open_document
    if document is None:
        return "document"
    parts = [literal(document.id)]
    for variant, cuts in session.visible_cuts.items():
        if session.shown in ("both", variant):
            parts.append(f"{variant} {len(cuts)}")
    return " · ".join([*parts, document.encoding, document.newline])


def variant_line(
    session: Session, variant: Variant, *, ascii_marks: bool, width: int
) -> list[Piece]:
    """One variant in one line of `width` cells: its splitter and its deciding numbers.

    Where not everything fits, words are shortened, then the less telling numbers left out.
    """
    bar = {"A": ("│", "|"), "B": ("┊", ":")}[variant][ascii_marks]
    active = ">" if ascii_marks else "▸"
    mark = active if variant == session.active else " "
    pieces: list[Piece] = [
        (f"{mark}{variant} {bar} ", variant.lower()),
        (f"{splitter_text(session.configurations[variant])}", "strong"),
    ]
    numbers = session.numbers
    if numbers is None:
        return [*pieces, (" · …", "dim")]
    role = "dim" if session.stale else ""
    room = width - sum(cell_len(text) for text, _role in pieces)
    forms = _number_forms(session, variant, numbers.evaluations[variant])
    said = next((form for form in forms if cell_len(form) <= room), forms[-1])
    return [*pieces, (said, role)]


def _number_forms(session: Session, variant: Variant, run: Evaluation) -> list[str]:
    """A variant's deciding numbers, the longest way to say them first."""
    stale = " · …" if session.stale else ""
    chunks = f" · {run.statistics.count} chunks"
    values = {name: run.metrics.get(name) for name in ("recall", "coverage", "context_tokens")}
    if values["recall"] is None:
        return [f"{chunks}{stale}"]
    coverage, cost = (metric_text(name, values[name]) for name in ("coverage", "context_tokens"))
    recall = f" · recall {_recall(session, variant, short=False)}"
    short = f" · recall {_recall(session, variant, short=True)}"
    return [
        f"{chunks}{stale}{recall} · coverage {coverage} · {cost} tokens sent",
        f"{chunks}{stale}{recall} · cov {coverage} · {cost} tok",
        f"{stale}{short} · cov {coverage} · {cost} tok",
        f"{stale}{short} · {cost} tok",
    ]


def _recall(session: Session, variant: Variant, *, short: bool) -> str:
    """Recall, and how far it is from the baseline's."""
    numbers, baseline = session.numbers, session.baseline
    recall = numbers.evaluations[variant].metrics.get("recall") if numbers is not None else None
    said = metric_text("recall", recall)
    if numbers is None or baseline is None or not numbers.against:
        return said
    change, _role = difference_of("recall", numbers.against[variant].get("recall"))
    return f"{said} (P {change})" if short else f"{said} ({change} against the baseline)"


def metrics_title(session: Session) -> str:
    """What the table of metrics is."""
    said = "metrics …" if session.stale else "metrics"
    if session.baseline is None:
        return said
    splitter = session.baseline.configuration.splitter
    return literal(f"{said} · P: {splitter.kind} {splitter.size}/{splitter.overlap_size} pinned")


def question_line(session: Session, variant: Variant, *, ascii_marks: bool) -> list[Piece]:
    """The chosen question's verdict and reason in one variant."""
    chosen = session.chosen
    if chosen is None and session.corpus is None:
        return [("  Q ", "dim"), (UNREAD, "dim")]
    if chosen is None:
        hint = "no question is chosen: x next miss, c next cut, a ask"
        return [("  Q ", "dim"), (hint if session.questions else "no golden set: a asks", "dim")]
    result = session.result(variant)
    pieces: list[Piece] = [(f" {variant} ", variant.lower())]
    if result is None:
        return [*pieces, ("…", "dim")]
    if session.stale:
        pieces.append(("… ", "dim"))
    if session.question is not None and session.unsaid(session.question):
        return [*pieces, (_UNSAID, "dim")]
    return [*pieces, *_verdict(result, ascii_marks=ascii_marks)]


def compact_question_line(session: Session, width: int, *, ascii_marks: bool) -> list[Piece]:
    """The chosen question, its verdicts in A and B and the active one's reason, in one line."""
    chosen = session.chosen
    if chosen is None or session.question is None:
        return question_line(session, session.active, ascii_marks=ascii_marks)
    text = flattened(chosen.question.question)
    room = max(_LEAST_QUESTION, width // 3)
    if cell_len(text) > room:
        text = fitted_middle(text, room)
    pieces: list[Piece] = [(f" {session.question + 1} ", "key"), (text, "strong")]
    if session.unsaid(session.question):
        return [*pieces, (f" · {_UNSAID}", "dim")]
    for variant in VARIANTS:
        result = session.result(variant)
        pieces.append((f"  {variant} ", variant.lower()))
        if result is None:
            pieces.append(("…", "dim"))
            continue
        mark = verdict_text(result.verdict, ascii_marks=ascii_marks)
        pieces.append((f"{'… ' if session.stale else ''}{mark}", ROLES[result.verdict]))
        if result.rank is not None:
            pieces.append((f" {result.rank}", ""))
    active = session.result(session.active)
    if active is not None and active.reason:
        pieces.append((f" · {flattened(active.reason)}", ""))
    return pieces


def question_text(session: Session) -> list[Piece]:
    """The chosen question itself."""
    chosen = session.chosen
    if chosen is None or session.question is None:
        return question_line(session, session.active, ascii_marks=False)
    place = evidence_place(chosen, session.corpus) if session.corpus is not None else ""
    pieces: list[Piece] = [
        (f" {session.question + 1:>2} ", "key"),
        (flattened(chosen.question.question), "strong"),
    ]
    return [*pieces, (f" · {flattened(place)}", "dim")] if place else pieces


def _verdict(result: QuestionResult, *, ascii_marks: bool) -> list[Piece]:
    mark = verdict_text(result.verdict, ascii_marks=ascii_marks)
    pieces: list[Piece] = [(mark, ROLES[result.verdict])]
    if result.rank is not None:
        pieces.append((f" rank {result.rank}", ""))
    if result.reason:
        pieces.append((f" · {flattened(result.reason)}", ""))
    low, high = result.recall_range
    if low != high:
        pieces.append((f" · a tie: recall {low:.2f} to {high:.2f}", "warn"))
    return pieces


def caution_line(session: Session, *, short: bool = False) -> list[Piece]:
    """What must never be forgotten: whose ranks these are, and what cannot be attributed."""
    pieces: list[Piece] = []
    kind = session.configurations["A"].retriever.kind
    if session.log is not None:
        pieces.append((log_text(session, short=short), "dim"))
    elif kind in _STAND_INS:
        pieces.append(
            (f" ranked by {kind}, not your retriever: cuts are exact, ranks are a stand-in", "dim")
        )
    if short:
        return pieces
    names = differing(session.configurations["A"], session.configurations["B"])
    if len(names) > 1:
        joined = ", ".join(names)
        pieces.append((f" · A≠B in {joined}: no single cause", "warn"))
    warnings = warning_lines(session)
    if warnings:
        more = f" (and {len(warnings) - 1} more: s)" if len(warnings) > 1 else ""
        pieces.append((f" · {warnings[0]}{more}", "warn"))
    return pieces


def log_text(session: Session, *, short: bool) -> str:
    """How far A's retriever agrees with what really came back, and what follows from it."""
    log, known = session.log, session.agreement
    if log is None:
        return ""
    if known is None or known[0] != session.configurations["A"]:
        return f" {literal(log.name)}: comparing what came back …"
    found = known[1]
    ranks = "ranks carry over" if found.agrees else "ranks do not carry over"
    if short and found.mean is not None:
        between = "" if found.low is None else f" ({found.low:.0%} to {found.high:.0%})"
        count = f"{found.questions} question{'s' * (found.questions != 1)}"
        return f" {found.stand_in} returns {found.mean:.0%}{between} of R, {count}: {ranks}"
    return f" {literal(log.name)}: cuts are exact, {ranks}: {literal(found.sentence)}"


def warning_lines(session: Session) -> list[str]:
    """What the configurations and the runs warn about, each once, with its variants."""
    numbers = session.numbers
    if numbers is None:
        return []
    said: dict[str, list[str]] = {}
    for variant, run in numbers.evaluations.items():
        warned = [*numbers.warnings.get(variant, ()), *run.warnings]
        if session.baseline is not None and session.corpus is not None:
            warned += caveats(session.baseline, run, session.corpus.fingerprint)
        for warning in warned:
            names = said.setdefault(flattened(warning), [])
            if variant not in names:
                names.append(variant)
    return [f"{' and '.join(names)}: {warning}" for warning, names in said.items()]


def tabs_note(session: Session, *, short: bool) -> str:
    """Beside the panels' names: what is drawn and what keys change.

    With `short`, what the caution line has no room for comes first.
    """
    if session.stale and session.corpus is not None and session.corpus.documents:
        return "measuring … "
    drawn = "A+B" if session.shown == "both" else session.shown
    names = differing(session.configurations["A"], session.configurations["B"])
    warnings = len(warning_lines(session))
    if short and warnings:
        return f"{warnings} warning{'s' * (warnings != 1)}: s · keys: {session.active} "
    if short and len(names) > 1:
        return f"A≠B in {len(names)} settings · keys: {session.active} "
    return f"drawn {drawn} · keys {session.active} "
