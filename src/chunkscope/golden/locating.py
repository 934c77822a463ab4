"""Where evidence stands in a corpus: given offsets first, then the text, tier by tier."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from chunkscope.cancel import CancelToken
from chunkscope.golden.elided import parts_of, places_of_parts
from chunkscope.golden.finding import ALL_TIERS, Finder, find_exact
from chunkscope.golden.missing import DocumentNames
from chunkscope.golden.model import (
    Evidence,
    GoldenSet,
    LocatedEvidence,
    LocatedQuestion,
    Place,
    Question,
)
from chunkscope.golden.passages import nearest_passages
from chunkscope.text.document import Corpus
from chunkscope.text.spans import Span

__all__ = ["ALL_TIERS", "Finder", "find_exact", "locate", "locate_question", "nearest_passages"]

Progress = Callable[[int, int], None]

_STEP = 256
"""Pieces of evidence between two looks at the cancel token."""


def locate(
    golden: GoldenSet,
    corpus: Corpus,
    progress: Progress | None = None,
    cancel: CancelToken | None = None,
) -> tuple[LocatedQuestion, ...]:
    """Every question with the places of its evidence, in the golden set's order.

    Offsets given decide where they hold the text; other evidence is looked for in its
    document: exactly, then tier by tier. Found several times, all places serve. Found only in
    parts, around an ellipsis, it becomes one piece of located evidence a part.

    Args:
        golden: the golden set.
        corpus: the documents.
        progress: called with (documents searched, documents to search).
        cancel: looked at between documents and pieces of evidence.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    found = _find_all(_wanted(golden.questions, corpus), corpus, progress, cancel)
    names = DocumentNames(corpus)
    return tuple(
        LocatedQuestion(
            question,
            tuple(
                located
                for item in question.evidence
                for located in _assemble(item, question.doc, corpus, found, names)
            ),
        )
        for question in golden.questions
    )


def locate_question(question: Question, corpus: Corpus) -> LocatedQuestion:
    """One question with the places of its evidence, as `locate` finds them."""
    return locate(GoldenSet((question,)), corpus)[0]


@dataclass(frozen=True, slots=True)
class _Given:
    """Where one piece of evidence is said to be, before anything is looked for."""

    position: int | None
    held: bool
    """Whether its offsets hold its text."""


def _given(evidence: Evidence, doc: str, corpus: Corpus) -> _Given:
    position = corpus.position(doc)
    if position is None or evidence.start is None or evidence.end is None:
        return _Given(position, held=False)
    text = corpus.documents[position].text
    held = evidence.end <= len(text) and text.startswith(evidence.text, evidence.start)
    return _Given(position, held=held and evidence.end - evidence.start == len(evidence.text))


def _parts(item: Evidence, doc: str) -> Iterable[tuple[Evidence, str]]:
    doc = item.doc or doc
    yield item, doc
    for alternative in item.alternatives:
        yield alternative, alternative.doc or doc


def _wanted(questions: Iterable[Question], corpus: Corpus) -> dict[int, dict[str, None]]:
    wanted: dict[int, dict[str, None]] = {}
    for question in questions:
        for item in question.evidence:
            for part, doc in _parts(item, question.doc):
                given = _given(part, doc, corpus)
                if given.position is not None and not given.held:
                    wanted.setdefault(given.position, {})[part.text] = None
    return wanted


@dataclass(frozen=True)
class _Found:
    """Places by document and text: of whole texts, and of the parts around their ellipses."""

    whole: dict[tuple[int, str], tuple[Place, ...]] = field(default_factory=dict)
    parts: dict[tuple[int, str], list[tuple[Place, ...]]] = field(default_factory=dict)


def _find_all(
    wanted: Mapping[int, Iterable[str]],
    corpus: Corpus,
    progress: Progress | None,
    cancel: CancelToken | None,
) -> _Found:
    # Document by document, so that one folded text at a time is in memory.
    found = _Found()
    for done, (position, texts) in enumerate(sorted(wanted.items())):
        finder = Finder(corpus.documents[position])
        for number, text in enumerate(texts):
            if cancel is not None and number % _STEP == 0:
                cancel.check()
            places = found.whole[position, text] = finder.find(text)
            parts = () if places else parts_of(text)
            if parts:
                found.parts[position, text] = places_of_parts([finder.find(one) for one in parts])
        if progress is not None:
            progress(done + 1, len(wanted))
    return found


def _assemble(
    item: Evidence, doc: str, corpus: Corpus, found: _Found, names: DocumentNames
) -> list[LocatedEvidence]:
    served: dict[tuple[str, Span], Place] = {}
    drifted = ambiguous = False
    note = ""
    chains: list[tuple[Place, ...]] = []
    for part, own in _parts(item, doc):
        given = _given(part, own, corpus)
        if given.position is None:
            note = note or names.explain(own)
            continue
        if given.held and part.start is not None and part.end is not None:
            here: tuple[Place, ...] = (Place(own, Span(part.start, part.end), "given"),)
        else:
            here = found.whole[given.position, part.text]
            chains = chains or found.parts.get((given.position, part.text), [])
            drifted = drifted or part.start is not None
            ambiguous = ambiguous or len(here) > 1
        for place in here:
            served.setdefault((place.doc, place.span), place)
    if chains and not served:
        return _assemble_parts(item, chains, corpus, drifted=drifted)
    return [LocatedEvidence(item, tuple(served.values()), drifted, ambiguous, note)]


def _assemble_parts(
    item: Evidence, chains: list[tuple[Place, ...]], corpus: Corpus, *, drifted: bool
) -> list[LocatedEvidence]:
    located = []
    for number, choices in enumerate(zip(*chains, strict=True), 1):
        places = tuple(replace(place, tier="ellipsis") for place in dict.fromkeys(choices))
        position = corpus.position(places[0].doc)
        text = "" if position is None else corpus.documents[position].text
        own = text[places[0].span.start : places[0].span.end]
        evidence = replace(item, text=own, start=None, end=None, alternatives=())
        part = number if len(chains[0]) > 1 else 0
        located.append(LocatedEvidence(evidence, places, drifted, len(places) > 1, "", part))
    return located
