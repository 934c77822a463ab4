"""What a person's own retriever gave back, held against the evidence."""

from collections.abc import Sequence

from chunkscope.golden.asking import ask
from chunkscope.golden.model import LocatedQuestion, Place
from chunkscope.golden.passages import Passage
from chunkscope.text.document import Corpus
from chunkscope.tui.messages import NearPassage


def returned_sentence(located: LocatedQuestion, returned: Sequence[str], corpus: Corpus) -> str:
    """One sentence: how many pasted passages are found, hold the evidence, or touch it."""
    found = [item.places for item in ask("what came back", returned, corpus).items]
    wanted = [place for item in located.items for place in item.places]
    holds = sum(any(_holds(place, wanted) for place in places) for places in found)
    touches = sum(any(_touches(place, wanted) for place in places) for places in found)
    unknown = sum(not places for places in found)
    count = len(returned)
    parts = [f"of {count} passage{'s' * (count != 1)} that came back, {holds} hold evidence whole"]
    if touches > holds:
        parts.append(f"{touches - holds} only a part of it")
    if unknown:
        parts.append(f"{unknown} stand in no open document")
    return ", ".join(parts)


def near_passage(missing: str, passage: Passage, corpus: Corpus) -> NearPassage:
    """A passage to take in place of evidence that stands nowhere."""
    position = corpus.position(passage.doc)
    text = corpus.documents[position].text if position is not None else ""
    span = passage.span
    where = f"{passage.doc} {span.start}–{span.end}"
    return NearPassage(missing, where, text[span.start : span.end])


def _holds(place: Place, wanted: Sequence[Place]) -> bool:
    return any(place.doc == w.doc and place.span.contains(w.span) for w in wanted)


def _touches(place: Place, wanted: Sequence[Place]) -> bool:
    return any(place.doc == w.doc and place.span.overlap(w.span) for w in wanted)
