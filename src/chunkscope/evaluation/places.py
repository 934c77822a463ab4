"""Page, slide, sheet and cell or row of evidence, in few letters."""

from collections.abc import Sequence
from typing import Any

from chunkscope.evaluation.results import QuestionResult
from chunkscope.golden.model import LocatedQuestion, Place
from chunkscope.text.document import Corpus


def evidence_place(located: LocatedQuestion, corpus: Corpus) -> str:
    """The place of a question's first evidence item, and how many others its items have.

    Such as `p. 3` or `p. 3 +1`; empty where its document has none, or it was not found.
    """
    found = [first_place(item.places, corpus) for item in located.items]
    if not found or not found[0]:
        return ""
    others = len({*found} - {found[0], ""})
    return f"{found[0]} +{others}" if others else found[0]


def item_place(result: QuestionResult, item: int, corpus: Corpus) -> Place | None:
    """Where an evidence item stands: the place its outcome is of, else the first; None: nowhere."""
    outcome = result.outcomes[item] if item < len(result.outcomes) else None
    if outcome is not None and outcome.place is not None:
        return outcome.place
    items = result.located.items
    places = items[item].places if item < len(items) else ()
    return next((place for place in places if corpus.position(place.doc) is not None), None)


def first_place(places: Sequence[Place], corpus: Corpus) -> str:
    """The first of these places whose document is known, in few letters; empty without one."""
    for place in places:
        position = corpus.position(place.doc)
        if position is not None:
            return corpus.documents[position].short_place(*place.span)
    return ""


def with_places(value: Any, corpus: Corpus) -> Any:
    """JSON values, with a `place` in every object that has `doc`, `start` and `end`.

    Nothing is added where the document has no places.
    """
    if isinstance(value, list | tuple):
        return [with_places(one, corpus) for one in value]
    if not isinstance(value, dict):
        return value
    found = {name: with_places(one, corpus) for name, one in value.items()}
    if not {"doc", "start", "end"} <= value.keys():
        return found
    position = corpus.position(value["doc"])
    if position is not None:
        place = corpus.documents[position].place(value["start"], value["end"])
        found |= {"place": place} if place else {}
    return found


def have_places(questions: Sequence[LocatedQuestion], corpus: Corpus) -> bool:
    """Whether a document in which evidence of a question stands has pages, rows or the like."""
    known: dict[str, bool] = {}
    for located in questions:
        for item in located.items:
            for place in item.places:
                if place.doc not in known:
                    position = corpus.position(place.doc)
                    known[place.doc] = (
                        position is not None and corpus.documents[position].has_places
                    )
                if known[place.doc]:
                    return True
    return False
