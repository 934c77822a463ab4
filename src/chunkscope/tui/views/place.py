"""The lines beneath the text: where the cursor is, its chunk, why that begins there."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chunkscope.splitting.boundary import boundary_reason
from chunkscope.tui.literal import flattened, literal
from chunkscope.tui.session import Session, Variant
from chunkscope.tui.views.documents import twins_of
from chunkscope.tui.widgets.one_line import Piece

_NARROW = 80
_LONGEST_NAME = 24


@dataclass(frozen=True)
class Whereabouts:
    """What the lines say.

    Attributes:
        name: the document's file name.
        line: the cursor's line, from 1.
        origin: page, sheet or cell of an extracted text, or nothing.
        origin_short: the same in few letters.
        titles: of the sections, highest first.
        chunk: the chunk, its tokens, overlap and marks.
        chunk_short: the same in fewer words.
        reason: what made the boundary before it.
        twins: other documents with the same text.
    """

    name: str
    line: int
    origin: str = ""
    origin_short: str = ""
    titles: tuple[str, ...] = ()
    chunk: str = ""
    chunk_short: str = ""
    reason: str = ""
    twins: tuple[str, ...] = ()


def place_lines(place: Whereabouts, width: int, height: int) -> list[list[Piece]]:
    """At most `height` lines of `width` cells: section, chunk, boundary; with one, all in it."""
    titles = place.titles if width >= _NARROW and height > 1 else place.titles[-1:]
    section = "§ " + " › ".join(flattened(title) for title in titles) if titles else ""
    twins = f"same text as {', '.join(literal(name) for name in place.twins)}"
    origin = place.origin_short if height == 1 else place.origin
    ends: list[Piece] = [
        (literal(origin), ""), (section, "strong"), (twins if place.twins else "", "warn"),
    ]  # fmt: skip
    if height == 1:
        line = f"{shortened(literal(place.name))}:{place.line}"
        return [[(" ", ""), *_parted([(line, "strong"), (place.chunk_short, ""), *ends])]]
    fits = len(place.chunk) + 1 <= width
    lines = [
        _parted([(f"line {place.line:,}", ""), *ends]),
        [(place.chunk if fits else place.chunk_short, "")],
        [(f"begins here: {place.reason}" if place.reason else "", "dim")],
    ]
    return [[(" ", ""), *line] for line in lines][:height]


def _parted(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces that say anything, with a dot between them."""
    found: list[Piece] = []
    for text, role in pieces:
        if text:
            found += [(" · ", "dim"), (text, role)] if found else [(text, role)]
    return found


def shortened(name: str) -> str:
    """A long file name's beginning and end, where what tells files apart stands."""
    if len(name) <= _LONGEST_NAME:
        return name
    half = _LONGEST_NAME // 2
    return f"{name[: half - 1]}…{name[-half:]}"


def whereabouts(
    session: Session, offset: int, line: int, titles: Sequence[str], said: tuple[str, str, str]
) -> Whereabouts:
    """What is known of the cursor's place; `said`: chunk, the same shorter, its boundary."""
    document, corpus = session.open_document, session.corpus
    if document is None:
        return Whereabouts("", line)
    chunk, short, reason = said
    return Whereabouts(
        name=document.id.rpartition("/")[2],
        line=line,
        origin=document.place(offset, offset + 1),
        origin_short=document.short_place(offset, offset + 1),
        titles=tuple(titles),
        chunk=chunk,
        chunk_short=short,
        reason=reason,
        twins=tuple(twins_of(corpus, session.document)[:2]) if corpus is not None else (),
    )


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
