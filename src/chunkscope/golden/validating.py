"""What is wrong with a golden set, question by question, before anything is measured."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from chunkscope.golden.locating import find_exact, locate, nearest_passages
from chunkscope.golden.model import GoldenSet, LocatedEvidence, LocatedQuestion, Question
from chunkscope.golden.reviewing import TO_REVIEW, status
from chunkscope.golden.suspects import (
    named_items,
    near_identical,
    quoting,
    same_words,
    too_long,
)
from chunkscope.golden.wording import counted
from chunkscope.text.document import Corpus
from chunkscope.text.spans import Span
from chunkscope.text.tokens import TokenCounter

Severity = Literal["error", "warning", "info"]

_ALIKE = {
    "whitespace": "runs of white space are",
    "typography": "quotes, dashes, ligatures, accents' forms and case are",
    "hyphenation": "words and their parts at line ends are",
    "markup": "markup and what it shows are",
    "citations": "text with and without its citation marks is",
    "ellipsis": "text around an ellipsis and its parts, which are all needed, are",
}
_SEARCHES = 50
"""Pieces of evidence found nowhere that are also looked for in the other documents."""

_NEAR = 0.5
"""Share of a text's words, by weight, that a passage must hold to be shown."""

_SHOWN = 120

_ENOUGH, _LOPSIDED = 20, 0.8
"""Questions from which on types are looked at, and the share from which on one is too common."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a person should know of a golden set.

    Attributes:
        severity: `error`: a question cannot be measured; `warning`: its numbers may mislead.
        question_id: the question, or empty: the set as a whole.
        line: its line in the file, from 1; 0 when it has none.
        message: one sentence: what, and what to do.
    """

    severity: Severity
    question_id: str
    line: int
    message: str


def validate(golden: GoldenSet, corpus: Corpus) -> tuple[Finding, ...]:
    """Everything to know of the golden set over this corpus, in file order, the set last."""
    return findings(golden, locate(golden, corpus), corpus)


def findings(
    golden: GoldenSet,
    located: Sequence[LocatedQuestion],
    corpus: Corpus,
    counter: TokenCounter | None = None,
) -> tuple[Finding, ...]:
    """What `validate` says, for a golden set that is located already.

    Args:
        golden: the golden set.
        located: the same, located.
        corpus: the documents.
        counter: counts tokens; with it, evidence longer than typical chunks is a finding too.
    """
    similar = {**same_words(located), **near_identical(golden.questions)}
    long = too_long(located, corpus, counter) if counter is not None else {}
    searches = iter(range(_SEARCHES))
    listed: list[Finding] = []
    for one in located:
        question = one.question
        listed.extend(
            Finding(severity, question.id, question.line, message)
            for severity, message in _of_question(one, corpus, searches)
        )
        listed.extend(
            Finding("warning", question.id, question.line, message)
            for message in (*long.get(question.id, ()), *quoting(one))
        )
        if question.id in similar:
            listed.append(Finding("warning", question.id, question.line, similar[question.id]))
    said = (*_of_set(located), *_habits(located))
    listed.extend(Finding(severity, "", 0, message) for severity, message in said)
    return tuple(listed)


_Said = Iterator[tuple[Severity, str]]


def _of_question(one: LocatedQuestion, corpus: Corpus, searches: Iterator[int]) -> _Said:
    if not one.question.question.strip():
        yield "error", "question: blank; fill it in"
    for name, item in named_items(one.items):
        if not item.evidence.text.strip():
            yield "error", f"{name}: blank; paste the text that must be retrieved"
        elif not item.places:
            yield "error", f"{name}: {_why_missing(one.question, item, corpus, searches)}"
        else:
            yield from ((severity, f"{name}: {said}") for severity, said in _of_item(item))
    yield from _overlapping(one.items)


def _of_item(item: LocatedEvidence) -> _Said:
    place = item.places[0]
    if item.drifted:
        yield (
            "warning",
            f"drifted: its offsets hold other text; located anew at {place.span.start}"
            f"–{place.span.end} of {_quote(place.doc)}: rewrite its offsets",
        )
    if item.ambiguous:
        yield (
            "warning",
            f"ambiguous: its text stands in {len(item.places)} places, any of which serves; "
            "give start and end to choose one",
        )
    if place.tier in _ALIKE:
        yield "info", f"found when {_ALIKE[place.tier]} not told apart, not letter by letter"
    if item.note:
        yield "warning", item.note


def _why_missing(
    question: Question, item: LocatedEvidence, corpus: Corpus, searches: Iterator[int]
) -> str:
    if item.note:
        return item.note
    own = item.evidence.doc or question.doc
    said = f"not found in {_quote(own)}"
    if next(searches, None) is None:
        return f"{said}: correct its text or its doc"
    for document in corpus.documents:
        if find_exact(document.text, item.evidence.text):
            return f"{said}, but in {_quote(document.id)}: correct its doc"
    return f"{said}{_nearest(item.evidence.text, corpus)}: correct its text or its doc"


def _nearest(text: str, corpus: Corpus) -> str:
    for passage in nearest_passages(text, corpus, 1):
        position = corpus.position(passage.doc)
        if position is not None and passage.score >= _NEAR:
            start, end = passage.span
            shown = " ".join(corpus.documents[position].text[start:end].split())
            shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
            return f"; the nearest passage, {start}–{end} of {_quote(passage.doc)}: {_quote(shown)}"
    return ""


def _overlapping(items: Sequence[LocatedEvidence]) -> _Said:
    # Places that alternatives leave open are not compared: another place may be meant.
    names = [name for name, _item in named_items(items)]
    known: list[tuple[str, Span, int]] = sorted(
        (item.places[0].doc, item.places[0].span, number)
        for number, item in enumerate(items)
        if len(item.places) == 1
    )
    reach: tuple[str, Span, int] | None = None
    for doc, span, number in known:
        if reach is not None and doc == reach[0]:
            shared = span.overlap(reach[1])
            if shared:
                first, second = sorted((number, reach[2]))
                yield (
                    "warning",
                    f"{names[first]} and {names[second]} share {counted(shared, 'character')}; "
                    "join them or part them",
                )
            if span.end <= reach[1].end:
                continue
        reach = doc, span, number


def _of_set(located: Sequence[LocatedQuestion]) -> _Said:
    if not located:
        yield "error", "no questions; add at least one"
        return
    whole = counted(len(located), "question")
    unanswerable = sum(one.unanswerable for one in located)
    unmeasured = sum(not one.measured and not one.unanswerable for one in located)
    if unmeasured:
        yield "info", f"{unmeasured} of {whole} cannot be measured"
    if unanswerable:
        verb = "is" if unanswerable == 1 else "are"
        yield "info", f"{unanswerable} of {whole} {verb} unanswerable on purpose"
    if not any(one.measured for one in located):
        yield "error", "no question can be measured; add questions whose evidence is in the corpus"


def _habits(located: Sequence[LocatedQuestion]) -> _Said:
    """What holds for much of the set."""
    asked = [one for one in located if one.items]
    quoted = sum(any(quoting(one)) for one in asked)
    if quoted:
        verb = "quotes its" if quoted == 1 else "quote their"
        yield (
            "warning",
            f"{quoted} of {counted(len(asked), 'question')} with evidence {verb} evidence: "
            "retrieval by words looks better than it is; ask in a user's own words",
        )
    waiting = sum(status(one.question) in TO_REVIEW for one in located)
    if waiting:
        verb = "is" if waiting == 1 else "are"
        yield (
            "info",
            f"{waiting} of {counted(len(located), 'question')} {verb} still to be reviewed: "
            "chunkscope golden review",
        )
    types = Counter(one.question.type for one in located if one.question.type is not None)
    labelled = types.total()
    if len(located) >= _ENOUGH and not labelled:
        yield "info", "no question has a type: with one, sizes can be compared by kind of question"
    if labelled >= _ENOUGH:
        name, most = types.most_common(1)[0]
        if most >= _LOPSIDED * labelled:
            yield (
                "warning",
                f"{most} of {labelled} types are {_quote(name)}: what suits this kind decides "
                "alone; add the other kinds that users ask",
            )


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
