"""What stands in the document beside: which chunk of which ranking, and the question's words."""

from collections.abc import Sequence
from dataclasses import dataclass

from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.spans import Span
from chunkscope.tui.literal import literal
from chunkscope.tui.session import Session, Variant
from chunkscope.tui.views.place import shortened
from chunkscope.tui.views.retrieved import words_in
from chunkscope.tui.widgets.one_line import Piece


@dataclass(frozen=True)
class Beside:
    """A retrieved chunk that stands beside the evidence.

    Attributes:
        variant: whose ranking it is of.
        document: position of its document.
        span: its source range.
        rank: its rank, from 1; None where it has none.
        words: where the question's words stand in it.
    """

    variant: Variant
    document: int
    span: Span
    rank: int | None
    words: tuple[Span, ...]


def beside_of(
    chunks: ChunkSet, variant: Variant, entry: tuple[int | None, int], terms: Sequence[str]
) -> Beside:
    """A listed chunk, (rank, chunk), as it is shown beside; `terms` stand out in it."""
    rank, chunk = entry
    document, _index = chunks.locate(chunk)
    text = chunks.corpus.documents[document].text
    words = tuple(
        Span(span.start + low, span.start + high)
        for span in chunks.spans(chunk)
        for low, high in words_in(text[span.start : span.end], terms)
    )
    span = Span(int(chunks.starts[chunk]), int(chunks.ends[chunk]))
    return Beside(variant, document, span, rank, words)


def evidence_document(session: Session) -> int | None:
    """Position of the document that the chosen question's evidence is shown in, if any."""
    chosen, corpus = session.chosen, session.corpus
    if chosen is None or corpus is None:
        return None
    held = [corpus.position(place.doc) for item in chosen.items for place in item.places]
    return session.document if session.document in held else next(iter(held), None)


def beside_head(session: Session, beside: Beside, described: str) -> list[Piece]:
    """The line above the document beside."""
    corpus = session.corpus
    name = literal(corpus.documents[beside.document].id) if corpus is not None else ""
    name = shortened(name.rpartition("/")[2])
    rank = f"#{beside.rank}" if beside.rank is not None else "not ranked"
    return [
        (f" {beside.variant} {rank} ", beside.variant.lower()),
        (f"{name} ", "strong"),
        (f"· Backspace: back · {described}", "dim"),
    ]
