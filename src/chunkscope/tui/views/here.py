"""Everything about one offset: where it is, its chunks, what made their boundaries."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chunkscope.splitting.boundary import boundary_reason
from chunkscope.splitting.chunks import Cuts
from chunkscope.text.lines import LineIndex
from chunkscope.tui.literal import flattened, literal
from chunkscope.tui.session import VARIANTS, Session, Variant


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of what is known: a name for it, and the sentence."""

    name: str
    text: str


def here_facts(session: Session, offset: int, path: Sequence[str]) -> list[Fact]:
    """What is known of `offset` in the open document; `path`: titles of its sections."""
    document = session.open_document
    if document is None:
        return []
    line = LineIndex(document.text).line_of(offset) + 1
    where = f"{literal(document.id)} · line {line:,} · offset {offset:,}"
    origin = document.place(offset, offset + 1)
    facts = [Fact("where", f"{where} · {literal(origin)}" if origin else where)]
    if path:
        facts.append(Fact("section", " › ".join(flattened(title) for title in path)))
    for variant in VARIANTS:
        cuts = session.visible_cuts.get(variant)
        if cuts is None or session.chunks_generation != session.generation:
            facts.append(Fact(variant, "being cut anew …"))
        else:
            facts += _chunk_facts(session, variant, cuts, offset)
    return facts


def _chunk_facts(session: Session, variant: Variant, cuts: Cuts, offset: int) -> list[Fact]:
    holding = np.flatnonzero((cuts.starts <= offset) & (cuts.ends > offset)).tolist()
    if not holding:
        following = int(np.searchsorted(cuts.starts, offset, side="right"))
        between = [f"after chunk {following - 1}"] if following else []
        between += [f"before chunk {following}"] if following < len(cuts) else []
        facts = [Fact(variant, ", ".join(["in no chunk", *between]))]
        if following < len(cuts):
            reason = reason_at(session, variant, cuts, following)
            facts.append(Fact("next", f"chunk {following} begins here: {reason}"))
        return facts
    facts = []
    for chunk in holding[:3]:
        facts.append(Fact(variant, chunk_sentence(session, variant, cuts, chunk)))
        facts.append(Fact("begins", reason_at(session, variant, cuts, chunk)))
    last = holding[-1] + 1
    ends = "the document ends" if last >= len(cuts) else reason_at(session, variant, cuts, last)
    facts.append(Fact("ends", ends))
    return facts


def chunk_sentence(session: Session, variant: Variant, cuts: Cuts, chunk: int) -> str:
    """Number, range, length and marks of one chunk of the open document."""
    start, end = int(cuts.starts[chunk]), int(cuts.ends[chunk])
    parts = [
        f"chunk {chunk} of {len(cuts)}",
        f"{start:,} to {end:,}",
        f"{end - start:,} characters",
    ]
    sets = session.chunk_sets.get(variant)
    if sets is not None and session.holds(variant, sets):
        number = int(sets.first[session.document]) + chunk
        parts.append(f"{int(sets.tokens[number]):,} tokens")
        if int(sets.sizes[number]) > sets.size_limit:
            parts.append("oversize !")
    if chunk:
        shared = max(0, int(cuts.ends[chunk - 1]) - start)
        parts.append(f"real overlap {shared:,}")
    if chunk in cuts.altered:
        parts.append("altered ~")
    return " · ".join(parts)


def reason_at(session: Session, variant: Variant, cuts: Cuts, chunk: int) -> str:
    """What made the boundary before a chunk, and what became of the overlap asked for."""
    document = session.open_document
    text = document.text if document is not None else ""
    settings = session.configurations[variant].splitter
    return flattened(boundary_reason(text, cuts, chunk, settings))


def boundary_lines(session: Session, offset: int) -> list[str]:
    """A line for each variant drawn whose chunk begins at `offset`: its boundary, explained."""
    lines = []
    for variant in VARIANTS:
        cuts = session.visible_cuts.get(variant)
        drawn = session.shown in ("both", variant)
        if cuts is None or not drawn or session.chunks_generation != session.generation:
            continue
        for chunk in np.flatnonzero(cuts.starts == offset).tolist()[:1]:
            named = f"{variant}: chunk {chunk} begins here"
            lines.append(f"{named}: {reason_at(session, variant, cuts, chunk)}")
    if len(lines) == 1 and session.shown == "both":
        lines.append(f"{'B' if lines[0].startswith('A') else 'A'}: no boundary here")
    return lines
