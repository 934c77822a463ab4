"""Where evidence stands in a corpus: given offsets first, then the text, tier by tier."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from chunkscope.cancel import CancelToken
from chunkscope.golden.borders import inside_word
from chunkscope.golden.folding import (
    TIERS,
    Folded,
    Tier,
    fold,
    fold_text,
    has_parted_words,
    places,
)
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
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span

__all__ = ["Finder", "find_exact", "locate", "locate_question", "nearest_passages"]

Progress = Callable[[int, int], None]

ALL_TIERS: tuple[Tier | Literal["exact"], ...] = ("exact", *TIERS)
"""Every tier, strictest first."""

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
    document: exactly, then tier by tier. Found several times, all places serve.

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
                _assemble(item, question.doc, corpus, found, names) for item in question.evidence
            ),
        )
        for question in golden.questions
    )


def locate_question(question: Question, corpus: Corpus) -> LocatedQuestion:
    """One question with the places of its evidence, as `locate` finds them."""
    return locate(GoldenSet((question,)), corpus)[0]


class Finder:
    """One document's text, folded when first needed, to look for evidence in."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._texts: dict[Tier, str] = {}
        self._folded: dict[Tier, Folded] = {}

    def find(self, text: str) -> tuple[Place, ...]:
        """All places of `text` in the strictest tier that finds any."""
        for tier in ALL_TIERS:
            found = self.find_in_tier(text, tier)
            if found:
                return found
        return ()

    def find_in_tier(self, text: str, tier: Tier | Literal["exact"]) -> tuple[Place, ...]:
        """All places of `text` in one tier."""
        spans = (
            find_exact(self._document.text, text) if tier == "exact" else self._loose(text, tier)
        )
        return tuple(Place(self._document.id, span, tier) for span in spans)

    def _loose(self, text: str, tier: Tier) -> list[Span]:
        if tier == "hyphenation" and not (has_parted_words(text) or self._has_parted_words):
            return []
        sought = fold_text(text, tier)
        if tier not in self._texts:
            self._texts[tier] = fold_text(self._document.text, tier)
        # The map back to the offsets costs more than the folded text, and most often there
        # is nothing to map.
        if not sought or sought not in self._texts[tier]:
            return []
        if tier not in self._folded:
            self._folded[tier] = fold(self._document.text, tier)
        return self._folded[tier].find(sought)

    @cached_property
    def _has_parted_words(self) -> bool:
        return has_parted_words(self._document.text)


def find_exact(text: str, part: str) -> list[Span]:
    """Ranges where `part` stands in `text`: those that part no word, or else all."""

    def whole_words(start: int, end: int) -> bool:
        return not (inside_word(text, start) or inside_word(text, end))

    return places(text, part, whole_words) or places(text, part, lambda _start, _end: True)


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


_Found = Mapping[tuple[int, str], tuple[Place, ...]]


def _find_all(
    wanted: Mapping[int, Iterable[str]],
    corpus: Corpus,
    progress: Progress | None,
    cancel: CancelToken | None,
) -> _Found:
    # Document by document, so that one folded text at a time is in memory.
    found: dict[tuple[int, str], tuple[Place, ...]] = {}
    for done, (position, texts) in enumerate(sorted(wanted.items())):
        finder = Finder(corpus.documents[position])
        for number, text in enumerate(texts):
            if cancel is not None and number % _STEP == 0:
                cancel.check()
            found[position, text] = finder.find(text)
        if progress is not None:
            progress(done + 1, len(wanted))
    return found


def _assemble(
    item: Evidence, doc: str, corpus: Corpus, found: _Found, names: DocumentNames
) -> LocatedEvidence:
    served: dict[tuple[str, Span], Place] = {}
    drifted = ambiguous = False
    note = ""
    for part, own in _parts(item, doc):
        given = _given(part, own, corpus)
        if given.position is None:
            note = note or names.explain(own)
            continue
        if given.held and part.start is not None and part.end is not None:
            here: tuple[Place, ...] = (Place(own, Span(part.start, part.end), "given"),)
        else:
            here = found[given.position, part.text]
            drifted = drifted or part.start is not None
            ambiguous = ambiguous or len(here) > 1
        for place in here:
            served.setdefault((place.doc, place.span), place)
    return LocatedEvidence(item, tuple(served.values()), drifted, ambiguous, note)
