"""What is painted over the open document, made from the session."""

import numpy as np

from chunkscope.evaluation.results import EvidenceOutcome
from chunkscope.splitting.chunks import Cuts
from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import ChunkLayer, EvidenceMark, Layers
from chunkscope.tui.session import Session, Variant


def layers_of(session: Session, found: tuple[Span, ...] = ()) -> Layers:
    """Chunks of the variant shown (both: A as bands, B beside), evidence, found text."""
    first: Variant = "B" if session.shown == "B" else "A"
    other = _chunk_layer(session, "B") if session.shown == "both" else None
    return Layers(
        generation=session.chunks_generation,
        chunks=_chunk_layer(session, first),
        other=other,
        evidence=evidence_marks(session),
        found=found,
        stale=session.chunks_generation != session.generation,
    )


def _chunk_layer(session: Session, variant: Variant) -> ChunkLayer | None:
    cuts = session.visible_cuts.get(variant)
    if cuts is None:
        return None
    tokens = None
    oversize: frozenset[int] = frozenset()
    retrieved: dict[int, int] = {}
    chunks = session.chunk_sets.get(variant)
    if chunks is not None and session.holds(variant, chunks):
        low = int(chunks.first[session.document])
        high = int(chunks.first[session.document + 1])
        tokens = chunks.tokens[low:high]
        over = np.flatnonzero(chunks.sizes[low:high] > chunks.size_limit)
        oversize = frozenset(over.tolist())
        result = session.result(variant)
        if result is not None and not session.stale:
            retrieved = {
                entry.chunk - low: rank
                for rank, entry in enumerate(result.retrieved[: result.context], 1)
                if low <= entry.chunk < high
            }
    return ChunkLayer(
        variant=variant,
        starts=cuts.starts,
        ends=cuts.ends,
        tokens=tokens,
        altered=frozenset(cuts.altered),
        oversize=oversize,
        retrieved=retrieved,
    )


def evidence_marks(session: Session) -> tuple[EvidenceMark, ...]:
    """The chosen question's evidence places in the open document, in the variant shown."""
    chosen, document = session.chosen, session.open_document
    if chosen is None or document is None:
        return ()
    variant: Variant = "B" if session.shown == "B" else "A"
    result = session.result(variant)
    cuts = session.visible_cuts.get(variant)
    marks: list[EvidenceMark] = []
    for number, item in enumerate(chosen.items):
        outcome = result.outcomes[number] if result and number < len(result.outcomes) else None
        marks += [
            _mark(place.span, outcome, cuts) for place in item.places if place.doc == document.id
        ]
    return tuple(marks)


def _mark(span: Span, outcome: EvidenceOutcome | None, cuts: Cuts | None) -> EvidenceMark:
    inside: tuple[int, ...] = ()
    if cuts is not None and not _held(span, cuts):
        inside = cut_offsets(span, cuts)
    if inside:
        return EvidenceMark(span, "cut", inside)
    if outcome is None:
        return EvidenceMark(span, "unmeasured")
    return EvidenceMark(span, outcome.state)


def _held(span: Span, cuts: Cuts) -> bool:
    return bool(np.any((cuts.starts <= span.start) & (cuts.ends >= span.end)))


def cut_offsets(span: Span, cuts: Cuts) -> tuple[int, ...]:
    """Offsets inside `span` where a chunk ends; where one begins, if none ends there."""
    for edges in (cuts.ends, cuts.starts):
        inside = edges[(edges > span.start) & (edges < span.end)]
        if len(inside):
            return tuple(dict.fromkeys(inside.tolist()))
    return ()
