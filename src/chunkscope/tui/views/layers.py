"""What is painted over the open document, made from the session."""

import numpy as np

from chunkscope.evaluation.results import EvidenceOutcome
from chunkscope.splitting.chunks import ChunkSet, Cuts
from chunkscope.text.spans import Span
from chunkscope.tui.painting.layers import (
    ChunkLayer,
    EvidenceMark,
    Layers,
    ReturnedLayer,
    ReturnedMark,
)
from chunkscope.tui.session import VARIANTS, Session, Variant


def layers_of(session: Session, found: tuple[Span, ...] = ()) -> Layers:
    """Chunks of the variant shown (both: A as bands, B beside), evidence, found text."""
    first: Variant = "B" if session.shown == "B" else "A"
    other = _open_chunks(session, "B") if session.shown == "both" else None
    name = session.open_document.id if session.open_document is not None else ""
    return Layers(
        generation=session.chunks_generation,
        chunks=_open_chunks(session, first),
        other=other,
        evidence=evidence_marks(session),
        found=found,
        returned=returned_layer(session, name),
        sections=sections_drawn(session),
        stale=session.chunks_generation != session.generation,
    )


def returned_layer(session: Session, name: str) -> ReturnedLayer | None:
    """What a real system returned for the chosen question, in the document of that name."""
    log = session.log
    if log is None:
        return None
    lane = log.lane(session.chosen.question.question) if session.chosen is not None else ()
    marks = tuple(
        ReturnedMark(chunk.span, chunk.rank, chunk.certain) for chunk in lane if chunk.doc == name
    )
    return ReturnedLayer(marks, log.digits)


def sections_drawn(session: Session) -> tuple[Span, ...] | None:
    """The first stage of the variant drawn as bands; of B where both are drawn and A has none."""
    document = session.open_document
    shown: tuple[Variant, ...] = VARIANTS if session.shown == "both" else (session.shown,)
    for variant in shown:
        kind = session.configurations[variant].splitter.kind
        if document is not None and has_two_stages(kind):
            return session.sections.get((document.id, kind), ())
    return None


def has_two_stages(kind: str) -> bool:
    """Whether a splitter finds sections before it cuts by size."""
    return "+" in kind or kind in ("markdown", "html")


def layers_beside(
    session: Session, variant: Variant, document: int, found: tuple[Span, ...] = ()
) -> Layers:
    """The same of any document in one variant, from the chunks of the whole corpus."""
    chunks = session.chunk_sets.get(variant)
    known = chunks is not None and document < len(chunks.cuts)
    cuts = chunks.cuts[document] if chunks is not None and known else None
    corpus = session.corpus
    inside = corpus is not None and document < len(corpus.documents)
    name = corpus.documents[document].id if corpus is not None and inside else ""
    return Layers(
        generation=session.chunk_sets_generation,
        chunks=_chunk_layer(session, variant, document, cuts, chunks) if cuts is not None else None,
        evidence=_evidence_marks(session, variant, document, cuts),
        found=found,
        returned=returned_layer(session, name),
        stale=session.chunk_sets_generation != session.generation,
    )


def _open_chunks(session: Session, variant: Variant) -> ChunkLayer | None:
    cuts = session.visible_cuts.get(variant)
    if cuts is None:
        return None
    chunks = session.chunk_sets.get(variant)
    known = chunks if chunks is not None and session.holds(variant, chunks) else None
    return _chunk_layer(session, variant, session.document, cuts, known)


def _chunk_layer(
    session: Session, variant: Variant, document: int, cuts: Cuts, chunks: ChunkSet | None
) -> ChunkLayer:
    """`chunks`: the chunk set that `cuts` are of, where it is known."""
    tokens = None
    oversize: frozenset[int] = frozenset()
    retrieved: dict[int, int] = {}
    if chunks is not None:
        low = int(chunks.first[document])
        high = int(chunks.first[document + 1])
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
    variant: Variant = "B" if session.shown == "B" else "A"
    return _evidence_marks(session, variant, session.document, session.visible_cuts.get(variant))


def _evidence_marks(
    session: Session, variant: Variant, document: int, cuts: Cuts | None
) -> tuple[EvidenceMark, ...]:
    chosen, corpus = session.chosen, session.corpus
    if chosen is None or corpus is None or document >= len(corpus.documents):
        return ()
    name = corpus.documents[document].id
    result = session.result(variant)
    marks: list[EvidenceMark] = []
    for number, item in enumerate(chosen.items):
        outcome = result.outcomes[number] if result and number < len(result.outcomes) else None
        marks += [_mark(place.span, outcome, cuts) for place in item.places if place.doc == name]
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
