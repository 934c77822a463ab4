"""A pasted question and its evidence, made a golden question with its places found."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.golden.borders import inside_word
from chunkscope.golden.finding import ALL_TIERS, Finder, Sought
from chunkscope.golden.locating import locate_question, nearest_passages
from chunkscope.golden.model import Evidence, LocatedQuestion, Place, Question
from chunkscope.text.document import Corpus


def ask(
    question: str,
    evidence: Sequence[str],
    corpus: Corpus,
    *,
    taken: Collection[str] = (),
    cancel: CancelToken | None = None,
) -> LocatedQuestion:
    """The question with its evidence looked for in every document, ready to be written.

    Each piece of evidence takes the strictest tier that finds it in any document. Found once,
    its offsets are filled in and its text is the document's own; found several times in one
    document, it stays without offsets, so that any place serves; other documents that hold
    it become alternatives with their own `doc`. Not found, it stays as it was pasted.

    Args:
        question: what is asked.
        evidence: what should have come back, as pasted; none: unanswerable.
        corpus: the documents.
        taken: ids that the new question must not have.
        cancel: looked at between documents.

    Raises:
        InputError: when the question or a piece of evidence is blank, or the corpus is empty.
        CancelledError: when `cancel` was raised meanwhile.
    """
    asked = question.strip()
    if not asked:
        raise InputError("question: blank; type what is asked")
    texts = [text.strip() for text in evidence]
    if not all(texts):
        raise InputError("evidence: blank; paste what should have come back, or leave it out")
    if not corpus.documents:
        raise InputError("corpus: no documents; open some before asking")
    found = find_everywhere(texts, corpus, cancel)
    doc = _main_document(texts, found, corpus, cancel)
    items = tuple(_item(text, found[text], doc, corpus) for text in texts)
    identity = _free_id(asked, texts, taken)
    return locate_question(Question(identity, asked, doc, items), corpus)


def find_everywhere(
    texts: Sequence[str], corpus: Corpus, cancel: CancelToken | None = None
) -> dict[str, list[Place]]:
    """The places of each text in all documents, in the strictest tier that finds any.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    found: dict[str, list[Place]] = {text: [] for text in texts}
    sought = {text: Sought(text) for text in texts}
    for tier in ALL_TIERS:
        missing = [text for text, places in found.items() if not places]
        for document in corpus.documents if missing else ():
            if cancel is not None:
                cancel.check()
            finder = Finder(document)
            for text in missing:
                found[text].extend(finder.find_in_tier(sought[text], tier))
    return {text: _whole_words(places, corpus) for text, places in found.items()}


def _whole_words(places: list[Place], corpus: Corpus) -> list[Place]:
    def parts_a_word(place: Place) -> bool:
        position = corpus.position(place.doc)
        text = "" if position is None else corpus.documents[position].text
        return inside_word(text, place.span.start) or inside_word(text, place.span.end)

    return [place for place in places if not parts_a_word(place)] or places


def _main_document(
    texts: Sequence[str],
    found: dict[str, list[Place]],
    corpus: Corpus,
    cancel: CancelToken | None,
) -> str:
    """The document that holds most of the evidence; the nearest one when none does."""
    holders = [{place.doc for place in found[text]} for text in texts]
    ids = [document.id for document in corpus.documents]
    best = max(ids, key=lambda name: sum(name in holder for holder in holders))
    if any(holders) or not texts or len(ids) == 1:
        return best
    nearest = nearest_passages("\n".join(texts), corpus, 1, cancel)
    return nearest[0].doc if nearest else best


def _item(text: str, places: list[Place], doc: str, corpus: Corpus) -> Evidence:
    by_document: dict[str, list[Place]] = {}
    for place in places:
        by_document.setdefault(place.doc, []).append(place)
    if not by_document:
        return Evidence(text)
    here = doc if doc in by_document else next(iter(by_document))
    items = {name: _in_document(text, found, corpus) for name, found in by_document.items()}
    return replace(
        items[here],
        doc=None if here == doc else here,
        alternatives=tuple(replace(item, doc=name) for name, item in items.items() if name != here),
    )


def _in_document(text: str, places: list[Place], corpus: Corpus) -> Evidence:
    place = places[0]
    position = corpus.position(place.doc)
    if len(places) > 1 or position is None:
        return Evidence(text)
    span = place.span
    own = corpus.documents[position].text[span.start : span.end]
    return Evidence(own, span.start, span.end)


def _free_id(question: str, texts: Sequence[str], taken: Collection[str]) -> str:
    whole = "\0".join([question, *texts]).encode("utf-8", "surrogatepass")
    stem = f"ask-{hashlib.sha256(whole).hexdigest()[:8]}"
    number = 1
    identity = stem
    while identity in taken:
        number += 1
        identity = f"{stem}-{number}"
    return identity
