"""Evidence given another place: by a span of its document, or by text that is found there."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chunkscope.errors import InputError
from chunkscope.golden.finding import Finder, find_exact
from chunkscope.golden.model import Evidence, Place, Question
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span

_MOST_ALTERNATIVES = 20


@dataclass(frozen=True, slots=True)
class Piece:
    """One place that a question names.

    Attributes:
        item: position of the evidence item.
        alternative: 0: the item itself; from 1 on: that alternative of it.
    """

    item: int
    alternative: int = 0


def pieces(question: Question) -> tuple[Piece, ...]:
    """Every item, each followed by its alternatives."""
    return tuple(
        Piece(number, alternative)
        for number, item in enumerate(question.evidence)
        for alternative in range(len(item.alternatives) + 1)
    )


def evidence_of(question: Question, piece: Piece) -> Evidence:
    """The evidence at a piece."""
    item = question.evidence[piece.item]
    return item if not piece.alternative else item.alternatives[piece.alternative - 1]


def document_of(question: Question, piece: Piece) -> str:
    """Id of the document that a piece is said to stand in."""
    return evidence_of(question, piece).doc or question.evidence[piece.item].doc or question.doc


def with_span(
    question: Question, piece: Piece, span: Span, document: Document, corpus: Corpus
) -> Question:
    """The question with this piece at another span of `document`.

    Of an item, alternatives that held its text go, and where the new text stands elsewhere is an
    alternative in their place; other alternatives stay.

    Raises:
        InputError: when the span holds no text.
    """
    old = evidence_of(question, piece)
    item = question.evidence[piece.item]
    if piece.alternative:
        others = list(item.alternatives)
        others[piece.alternative - 1] = _at(old, span, document, item.doc or question.doc)
        return _with_item(question, piece.item, replace(item, alternatives=tuple(others)))
    made = _at(old, span, document, question.doc)
    kept = tuple(other for other in old.alternatives if other.text != old.text)
    if len(kept) < len(old.alternatives):
        kept += _elsewhere(made.text, span, document, corpus)
    return _with_item(question, piece.item, replace(made, alternatives=kept))


def with_item(question: Question, span: Span, document: Document) -> Question:
    """The question with one more item, needed as the others are.

    Raises:
        InputError: when the span holds no text.
    """
    made = _at(Evidence(""), span, document, question.doc)
    return replace(question, evidence=(*question.evidence, made))


def with_alternative(question: Question, item: int, span: Span, document: Document) -> Question:
    """The question with one more place that serves as well as an item.

    Raises:
        InputError: when the span holds no text, or there is no item.
    """
    if item >= len(question.evidence):
        raise InputError("alternative: the question has no evidence it could stand for")
    old = question.evidence[item]
    made = _at(Evidence(""), span, document, old.doc or question.doc)
    return _with_item(question, item, replace(old, alternatives=(*old.alternatives, made)))


def without(question: Question, piece: Piece) -> Question:
    """The question without a piece; with an item its alternatives go."""
    if not piece.alternative:
        items = question.evidence[: piece.item] + question.evidence[piece.item + 1 :]
        return replace(question, evidence=items)
    item = question.evidence[piece.item]
    at = piece.alternative
    others = item.alternatives[: at - 1] + item.alternatives[at:]
    return _with_item(question, piece.item, replace(item, alternatives=others))


def with_texts(question: Question, texts: Sequence[str | None], corpus: Corpus) -> Question:
    """The question with other evidence texts, each found in the document of its item.

    Of several places the one that shares most with the old place is taken.

    Args:
        question: the question.
        texts: one an item, further ones for new items; None: as it is, blank: no item any more.
        corpus: the documents.

    Raises:
        InputError: when a text stands nowhere, or in several places and none of them decides.
    """
    made: list[Evidence] = []
    for number, text in enumerate(texts):
        old = question.evidence[number] if number < len(question.evidence) else None
        if text is None:
            made += [old] if old is not None else []
        elif text.strip():
            document = _document(corpus, (old.doc if old is not None else None) or question.doc)
            span = _found(text.strip(), old, document, f"evidence {number + 1}")
            if old is None:
                made.append(_at(Evidence(""), span, document, question.doc))
            else:
                one = replace(question, evidence=(old,))
                made.append(with_span(one, Piece(0), span, document, corpus).evidence[0])
    return replace(question, evidence=tuple(made))


def others_with_text(question: Question, piece: Piece, corpus: Corpus) -> int:
    """In how many places that the question does not name the text of a piece stands, too."""
    item = question.evidence[piece.item]
    text = evidence_of(question, piece).text
    named = {
        (one.doc or item.doc or question.doc, one.start)
        for one in (item, *item.alternatives)
        if one.start is not None
    }
    return sum(
        (document.id, place.start) not in named
        for document in corpus.documents
        if text in document.text
        for place in find_exact(document.text, text)
    )


def _with_item(question: Question, number: int, item: Evidence) -> Question:
    items = list(question.evidence)
    items[number] = item
    return replace(question, evidence=tuple(items))


def _at(old: Evidence, span: Span, document: Document, doc: str) -> Evidence:
    """The evidence at a span; `doc` is where it stands when it names no document."""
    text = document.text[span.start : span.end]
    if not text.strip():
        raise InputError("evidence: the span holds no text; select what must be retrieved")
    own = None if document.id == doc else document.id
    own = old.doc if old.doc == document.id else own
    return replace(old, text=text, start=span.start, end=span.end, doc=own)


def _elsewhere(text: str, span: Span, document: Document, corpus: Corpus) -> tuple[Evidence, ...]:
    """Where else a text stands, as alternatives of an item in `document`."""
    found: list[Evidence] = []
    for other in corpus.documents:
        own = None if other.id == document.id else other.id
        found += (
            Evidence(text, *place, own)
            for place in (find_exact(other.text, text) if text in other.text else ())
            if other.id != document.id or not place.overlap(span)
        )
        if len(found) >= _MOST_ALTERNATIVES:
            break
    return tuple(found[:_MOST_ALTERNATIVES])


def _document(corpus: Corpus, doc: str) -> Document:
    position = corpus.position(doc)
    if position is None:
        raise InputError(f"evidence: {doc!r} is none of the documents; nothing was changed")
    return corpus.documents[position]


def _found(text: str, old: Evidence | None, document: Document, name: str) -> Span:
    places: Sequence[Place] = Finder(document).find(text)
    if not places:
        raise InputError(
            f"{name}: stands nowhere in {document.id!r}; nothing was changed: "
            "copy it as it stands there, or set its span in the text"
        )
    if len(places) == 1:
        return places[0].span
    if old is not None and old.start is not None and old.end is not None:
        before = Span(old.start, old.end)
        nearest = max(places, key=lambda place: place.span.overlap(before))
        if nearest.span.overlap(before):
            return nearest.span
    raise InputError(
        f"{name}: stands in {len(places)} places of {document.id!r}; nothing was changed: "
        "set its span in the text"
    )
