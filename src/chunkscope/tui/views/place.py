"""The lines beneath the text: the chunk at the cursor, its section, why it begins there."""

from collections.abc import Sequence

import numpy as np

from chunkscope.splitting.boundary import boundary_reason
from chunkscope.tui.literal import flattened
from chunkscope.tui.session import Session, Variant
from chunkscope.tui.widgets.one_line import Piece
from chunkscope.tui.widgets.paragraph import broken

_NARROW = 80


def place_lines(
    described: str, path: Sequence[str], reason: str, width: int, height: int
) -> list[list[Piece]]:
    """At most `height` lines: section and boundary, then what the view says of the offset.

    Args:
        described: line, chunk, tokens, overlap, marks.
        path: titles of the sections, highest first.
        reason: why the chunk begins where it does.
        width: cells of a line.
        height: lines; with one, what the view says comes first.
    """
    titles = path if width >= _NARROW else path[-1:]
    section = "§ " + " › ".join(flattened(title) for title in titles) if titles else ""
    where: list[Piece] = [(section, "strong")] if section else []
    if reason:
        where.append((f"{' · ' if section else ''}begins here: {reason}", "dim"))
    if height == 1:
        return [[(f" {described}", ""), *([(" · ", ""), *where] if where else [])]]
    room = height - bool(where)
    lines = broken([(described, "")], width)
    if len(lines) > room:
        lines = [*lines[: room - 1], [piece for line in lines[room - 1 :] for piece in line]]
    return [[(" ", ""), *where], *lines] if where else lines


def boundary_text(session: Session, chunk: int | None) -> str:
    """What made the boundary before a chunk of the variant shown, and what its overlap gave."""
    variant: Variant = "B" if session.shown == "B" else "A"
    cuts, document = session.visible_cuts.get(variant), session.open_document
    stale = session.chunks_generation != session.generation
    if cuts is None or document is None or chunk is None or stale or chunk >= len(cuts):
        return ""
    settings = session.configurations[variant].splitter
    return flattened(boundary_reason(document.text, cuts, chunk, settings))


def boundary_differences(session: Session) -> list[int]:
    """Offsets where a chunk begins in one variant and in the other none does, ascending."""
    cuts = session.visible_cuts
    if len(cuts) < 2:
        return []
    alone = np.setxor1d(cuts["A"].starts, cuts["B"].starts)
    return [int(offset) for offset in alone]
