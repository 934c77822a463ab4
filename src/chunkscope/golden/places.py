"""Evidence whose place is in doubt, and the places that could be taken for it.

Evidence is *moved* when its offsets hold other text than its own, stands in *several* places
when nothing decides between them, and *nowhere* when it is not found at all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from chunkscope.cancel import CancelToken
from chunkscope.golden.asking import find_everywhere
from chunkscope.golden.locating import locate, nearest_passages
from chunkscope.golden.model import Evidence, GoldenSet, LocatedQuestion, Place, Question
from chunkscope.text.document import Corpus
from chunkscope.text.spans import Span

Doubt = Literal["moved", "several", "nowhere"]

RESEMBLES = "resembles"
"""The tier of a place that only shares words with the evidence."""

_MOST_SOUGHT = 8


@dataclass(frozen=True, slots=True)
class Choice:
    """One place that could be taken.

    Attributes:
        doc: the document's id.
        span: its range.
        text: what stands there.
        tier: how it was found; `resembles` when only words are shared.
    """

    doc: str
    span: Span
    text: str
    tier: str


@dataclass(frozen=True)
class Offer:
    """One piece of evidence in doubt.

    Attributes:
        question: position of its question among those given.
        item: position of the item in the question's evidence.
        alternative: 0: the item itself; from 1 on: that alternative of it.
        doubt: why it is offered.
        evidence: the piece as it is.
        doc: the document it is said to stand in.
        choices: places to take, the likeliest first; none when nothing resembles it.
    """

    question: int
    item: int
    alternative: int
    doubt: Doubt
    evidence: Evidence
    doc: str
    choices: tuple[Choice, ...]

    @property
    def sure(self) -> bool:
        """Whether it moved to the only place that holds its text."""
        found = len(self.choices) == 1 and self.choices[0].tier != RESEMBLES
        return self.doubt == "moved" and found


def offers(
    questions: Sequence[LocatedQuestion],
    corpus: Corpus,
    *,
    first: int = 0,
    cancel: CancelToken | None = None,
) -> tuple[Offer, ...]:
    """Every piece of evidence in doubt; moved ones first, then nowhere, then several.

    What stands nowhere in its own document is looked for in all, and then by its words; no more
    than eight pieces, for that is slow.

    Args:
        questions: located questions.
        corpus: what they were located in.
        first: the question whose pieces come before the others'.
        cancel: looked at between documents.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    doubtful = [
        piece for number, line in enumerate(questions) for piece in _pieces(number, line, corpus)
    ]
    sought = [
        Question(str(number), "", piece.doc, (replace(piece.evidence, doc=None, alternatives=()),))
        for number, piece in enumerate(doubtful)
    ]
    located = locate(GoldenSet(tuple(sought)), corpus, cancel=cancel)
    made = []
    for piece, line in zip(doubtful, located, strict=True):
        places = line.items[0].places if len(line.items) == 1 else ()
        given = piece.evidence.start is not None
        if piece.choices:
            made.append(piece)
        elif places and (given or len(places) > 1):
            doubt: Doubt = "moved" if given else "several"
            made.append(replace(piece, choices=_choices(places, corpus), doubt=doubt))
        elif not places and not piece.alternative and not questions[piece.question].measured:
            made.append(piece)
    order = {"moved": 0, "nowhere": 1, "several": 2}
    made.sort(key=lambda piece: (piece.question != first, order[piece.doubt], piece.question))
    return _with_resembling(made, corpus, cancel)


def taken(question: Question, offer: Offer, choice: Choice) -> Question:
    """The question with one place taken: its offsets decide from now on.

    Of evidence that stood in several places, the alternatives with the same text go.
    """
    items = list(question.evidence)
    item = items[offer.item]
    if offer.alternative:
        others = list(item.alternatives)
        others[offer.alternative - 1] = _at(others[offer.alternative - 1], offer.doc, choice)
        items[offer.item] = replace(item, alternatives=tuple(others))
    else:
        # An alternative without a document of its own stands where the item stood.
        others = [
            replace(other, doc=other.doc or (None if choice.doc == offer.doc else offer.doc))
            for other in item.alternatives
            if offer.doubt != "several" or other.text != item.text
        ]
        items[offer.item] = replace(_at(item, offer.doc, choice), alternatives=tuple(others))
    return replace(question, evidence=tuple(items))


def _at(evidence: Evidence, doc: str, choice: Choice) -> Evidence:
    start, end = choice.span
    own = evidence.doc if choice.doc == doc else choice.doc
    return replace(evidence, text=choice.text, start=start, end=end, doc=own)


def _pieces(number: int, line: LocatedQuestion, corpus: Corpus) -> Iterator[Offer]:
    """The pieces of one question that may be in doubt, their choices still to be found."""
    fresh = line.question.line == 0
    doubtful = any(item.drifted or item.ambiguous or not item.places for item in line.items)
    if not doubtful and not fresh:
        return
    whole = {id(item.evidence): item for item in line.items if not item.part}
    for at, item in enumerate(line.question.evidence):
        known = whole.get(id(item))
        if known is None:
            continue
        doc = item.doc or line.question.doc
        twins = [other for other in item.alternatives if other.text == item.text]
        if fresh and twins and len(known.places) > 1:
            # Asked here: what was found in several documents stands as alternatives.
            yield Offer(number, at, 0, "several", item, doc, _choices(known.places, corpus))
            continue
        for alternative, part in enumerate((item, *item.alternatives)):
            own = part.doc or doc
            if not _held(part, own, corpus):
                yield Offer(number, at, alternative, "nowhere", part, own, ())


def _held(evidence: Evidence, doc: str, corpus: Corpus) -> bool:
    position = corpus.position(doc)
    if position is None or evidence.start is None or evidence.end is None:
        return False
    return corpus.documents[position].text[evidence.start : evidence.end] == evidence.text


def _choices(places: Sequence[Place], corpus: Corpus) -> tuple[Choice, ...]:
    return tuple(_choice(place.doc, place.span, place.tier, corpus) for place in places)


def _choice(doc: str, span: Span, tier: str, corpus: Corpus) -> Choice:
    position = corpus.position(doc)
    text = "" if position is None else corpus.documents[position].text
    return Choice(doc, span, text[span.start : span.end], tier)


def _with_resembling(
    made: Sequence[Offer], corpus: Corpus, cancel: CancelToken | None
) -> tuple[Offer, ...]:
    lost = [offer for offer in made if not offer.choices][:_MOST_SOUGHT]
    found = find_everywhere([offer.evidence.text for offer in lost], corpus, cancel)
    result = []
    for offer in made:
        if offer.choices:
            result.append(offer)
        elif offer in lost:
            choices = _choices(found[offer.evidence.text], corpus)
            if not choices:
                near = nearest_passages(offer.evidence.text, corpus, cancel=cancel)
                choices = tuple(_choice(one.doc, one.span, RESEMBLES, corpus) for one in near)
            given = offer.evidence.start is not None
            result.append(replace(offer, doubt="moved" if given else "nowhere", choices=choices))
    return tuple(result)
