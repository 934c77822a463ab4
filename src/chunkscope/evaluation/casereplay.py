"""A case tried again: what was seen, what is seen now, and what has changed between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.case import (
    Case,
    CaseChunk,
    CaseEvidence,
    CasePlace,
    CaseVariant,
    retrieved_chunks,
    sha256_of,
)
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.gate import Check
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.report import versions
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.locating import locate_question
from chunkscope.golden.model import Evidence, LocatedEvidence, LocatedQuestion, Question
from chunkscope.text.document import Corpus

ChangeKind = Literal["document", "evidence", "verdict", "rank", "retrieved", "corpus", "version"]

_LEFT_OUT = "(text left out)"


@dataclass(frozen=True)
class CaseChange:
    """One thing that is not as it was.

    Attributes:
        kind: what it is of; a version by itself changes nothing that was seen.
        sentence: what it was and is.
    """

    kind: ChangeKind
    sentence: str


@dataclass(frozen=True)
class ReplayedCase:
    """A case, and the same now.

    Attributes:
        case: what was seen.
        located: its question in the documents of now.
        now: A's run, and B's where there is one, over that one question.
        changes: what is not as it was, causes first.
    """

    case: Case
    located: LocatedQuestion
    now: tuple[Evaluation, ...]
    changes: tuple[CaseChange, ...]

    @property
    def as_seen(self) -> bool:
        """Whether everything that was seen is seen again."""
        return all(change.kind == "version" for change in self.changes)


def replay_case(case: Case, index: CorpusIndex, cancel: CancelToken | None = None) -> ReplayedCase:
    """Ask the case's question again, under its own configurations.

    Raises:
        InputError: for configurations that cannot work here.
        CancelledError: when `cancel` was raised meanwhile.
    """
    located = locate_case(case, index.corpus)
    questions = (located,)
    changes = [*_document_changes(case, index.corpus), *_evidence_changes(case, located)]
    now = []
    for letter, variant in case.variants:
        run = evaluate(index, variant.configuration, questions, cancel=cancel)
        now.append(run)
        changes += _variant_changes(letter, variant, run)
    changes += _version_changes(case.versions)
    return ReplayedCase(case, located, tuple(now), tuple(changes))


def locate_case(case: Case, corpus: Corpus) -> LocatedQuestion:
    """The case's question with its evidence in `corpus`.

    A place whose text is still there stays; else its text is looked for in its document. Without
    texts only the first can be told.
    """
    items = tuple(_item(item, corpus) for item in case.evidence)
    question = Question(
        id=case.id,
        question=case.question,
        doc=case.doc,
        evidence=tuple(item or Evidence(_LEFT_OUT) for item in items),
        answer=case.answer,
        type=case.type,
    )
    located = locate_question(question, corpus)
    # What could not be looked for must not be found by the words that stand for it.
    lost = {at for at, item in enumerate(items) if item is None}
    if not lost:
        return located
    kept = tuple(
        LocatedEvidence(found.evidence, ()) if at in lost else found
        for at, found in enumerate(located.items)
    )
    return replace(located, items=kept)


def check_cases(
    cases: Mapping[str, Case],
    index: CorpusIndex,
    configuration: Configuration | None = None,
    cancel: CancelToken | None = None,
) -> list[Check]:
    """One condition a case: its question is a hit.

    Args:
        cases: the cases by name.
        index: the corpus.
        configuration: what is in use; None: each case's own B, or A where it has no B.
        cancel: looked at between documents and questions.

    Raises:
        InputError: for configurations that cannot work here.
        CancelledError: when `cancel` was raised meanwhile.
    """
    groups: dict[Configuration, list[str]] = {}
    for name, case in cases.items():
        groups.setdefault(configuration or (case.b or case.a).configuration, []).append(name)
    found: dict[str, Check] = {}
    for settings, names in groups.items():
        located = tuple(locate_case(cases[name], index.corpus) for name in names)
        run = evaluate(index, settings, located, cancel=cancel)
        for name, line in zip(names, run.questions, strict=True):
            found[name] = _check(name, cases[name], line, index.corpus)
    return [found[name] for name in cases]


def _check(name: str, case: Case, line: QuestionResult, corpus: Corpus) -> Check:
    parts = [f"{line.verdict}: {line.reason}; saved as {case.a.verdict}"]
    if case.b is not None:
        parts[0] += f" under A, {case.b.verdict} under B"
    if line.verdict != "hit":
        changed = [*_document_changes(case, corpus), *_evidence_changes(case, line.located)]
        parts += [change.sentence for change in changed]
    return Check(f"case {name}", line.verdict == "hit", "; ".join(parts))


def _item(item: CaseEvidence, corpus: Corpus) -> Evidence | None:
    """The item as a golden set would give it: its first place, and others as alternatives."""
    made = [found for place in item.places if (found := _placed(place, corpus)) is not None]
    if made:
        return replace(made[0], alternatives=tuple(made[1:]))
    return None if item.text is None else Evidence(item.text)


def _placed(place: CasePlace, corpus: Corpus) -> Evidence | None:
    text = place.text
    position = corpus.position(place.doc)
    if text is None and position is not None:
        there = corpus.documents[position].text[place.start : place.end]
        text = there if sha256_of(there) == place.sha256 else None
    return None if text is None else Evidence(text, place.start, place.end, doc=place.doc)


def _document_changes(case: Case, corpus: Corpus) -> list[CaseChange]:
    found = []
    for document in case.documents:
        position = corpus.position(document.id)
        if position is None:
            found.append(CaseChange("document", f"{document.id} is missing from the documents"))
        elif corpus.documents[position].sha256 != document.sha256:
            now = len(corpus.documents[position].text)
            sentence = (
                f"{document.id} has changed: {document.characters:,} characters then, {now:,} now"
            )
            found.append(CaseChange("document", sentence))
    if not found and case.corpus != corpus.fingerprint:
        sentence = (
            "other documents have changed, which moves scores: "
            f"{case.corpus_documents:,} documents then, {len(corpus.documents):,} now"
        )
        found.append(CaseChange("corpus", sentence))
    return found


def _evidence_changes(case: Case, located: LocatedQuestion) -> list[CaseChange]:
    found = []
    for number, (then, now) in enumerate(zip(case.evidence, located.items, strict=False), start=1):
        before = [(place.doc, place.start, place.end) for place in then.places]
        after = [(place.doc, place.span.start, place.span.end) for place in now.places]
        if set(before) == set(after):
            continue
        if not after:
            known = (
                "is not found any more"
                if case.texts
                else "is no longer at its place; without its text it cannot be looked for"
            )
            found.append(CaseChange("evidence", f"evidence {number} {known}"))
        elif not before:
            sentence = f"evidence {number} was not found and now is: {_ranges(after)}"
            found.append(CaseChange("evidence", sentence))
        else:
            sentence = f"evidence {number} has moved from {_ranges(before)} to {_ranges(after)}"
            found.append(CaseChange("evidence", sentence))
    return found


def _ranges(places: Sequence[tuple[str, int, int]]) -> str:
    few = ", ".join(f"{doc} {start}–{end}" for doc, start, end in places[:3])
    return few if len(places) <= 3 else f"{few} and {len(places) - 3} more"


def _variant_changes(letter: str, then: CaseVariant, run: Evaluation) -> list[CaseChange]:
    now = run.questions[0]
    found = []
    if then.verdict != now.verdict:
        sentence = f"{letter}: the verdict was {then.verdict} and is {now.verdict} ({now.reason})"
        found.append(CaseChange("verdict", sentence))
    if then.rank != now.rank:
        sentence = f"{letter}: the rank was {_rank(then.rank)} and is {_rank(now.rank)}"
        found.append(CaseChange("rank", sentence))
    retrieved = retrieved_chunks(run.chunks, now)
    if [_key(chunk) for chunk in then.retrieved] != [_key(chunk) for chunk in retrieved]:
        found.append(
            CaseChange("retrieved", _retrieved_sentence(letter, then.retrieved, retrieved))
        )
    return found


def _rank(rank: int | None) -> str:
    return "none" if rank is None else str(rank)


def _key(chunk: CaseChunk) -> tuple[str, int, int, str]:
    return chunk.doc, chunk.start, chunk.end, chunk.sha256


def _retrieved_sentence(letter: str, then: Sequence[CaseChunk], now: Sequence[CaseChunk]) -> str:
    before, after = [_key(chunk) for chunk in then], [_key(chunk) for chunk in now]
    new = len([key for key in after if key not in before])
    gone = len([key for key in before if key not in after])
    shared = min(len(before), len(after))
    first = next((at for at in range(shared) if before[at] != after[at]), shared) + 1
    if not new and not gone:
        return f"{letter}: the same chunks come back in another order, from rank {first} on"
    return (
        f"{letter}: of {len(before)} chunks that came back {gone} no longer do and {new} are new, "
        f"from rank {first} on"
    )


def _version_changes(then: Mapping[str, str]) -> list[CaseChange]:
    now = versions()
    return [
        CaseChange(
            "version", f"{name} was {then.get(name, 'absent')}, is {now.get(name, 'absent')}"
        )
        for name in dict.fromkeys([*then, *now])
        if then.get(name) != now.get(name)
    ]
