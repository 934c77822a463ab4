"""Parents: the larger ranges that are returned where the small chunks in them match.

Parents are cut first and chunks inside each, so that every chunk lies in exactly one parent:

    parents = [parent_cuts(document, settings, enrich) for document in corpus.documents]
    cuts = [cut_within(document.text, of_it, settings) for document, of_it in zip(…)]
    chunks = build_chunk_set(corpus, cuts, settings, enrich)
    retrieved = parent_set(chunks, parents, settings, enrich)

The chunks are ranked, and stand for their parents: `retrieved` holds both.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.splitting.chunks import Children, ChunkSet, Cuts, IntArray
from chunkscope.splitting.chunkset import build_chunk_set
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.sections import Section, one_after_another
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.splitting.whitespace import SpaceRuns
from chunkscope.text.document import Document
from chunkscope.text.headings import headings
from chunkscope.text.spans import Span

_PARENTS_PER_CHECK = 256

# Short enough that no number in a file can keep the machine busy.
_SIZE = re.compile(r"0{0,9}[1-9][0-9]{0,17}", re.ASCII)


@dataclass(frozen=True)
class Parents:
    """The parents of a chunk set, earlier documents first.

    Attributes:
        documents: position of each parent's document in the corpus, shape (m,).
        starts: first code point of each parent in its document, shape (m,).
        ends: one past the last, shape (m,).
        of_chunk: the number of each chunk's parent, never going back, shape (n,).
    """

    documents: IntArray
    starts: IntArray
    ends: IntArray
    of_chunk: IntArray

    def __len__(self) -> int:
        return len(self.starts)


def check_parent(parent: str, settings: SplitterSettings) -> None:
    """Refuse a parent that the splitter's chunks cannot be cut in.

    Raises:
        InputError: naming the setting.
    """
    if parent in ("none", "section"):
        return
    if not _SIZE.fullmatch(parent):
        raise InputError(f"parent: {parent!r} is not known; give none, section or a size")
    if "size" not in get_splitter(settings.kind).uses:
        raise InputError(
            f"parent: splitter {settings.kind!r} knows no size, so that none can be given for its "
            "parents; give section or none"
        )
    if int(parent) < settings.size:
        raise InputError(
            f"parent: {parent} is less than size {settings.size}; give a size that holds chunks"
        )


def parent_cuts(
    document: Document,
    settings: SplitterSettings,
    enrich: EnrichSettings,
    cancel: CancelToken | None = None,
) -> Cuts:
    """The parents of a document, in order.

    With `section`, from each heading to the next, the text above the first being one too; a
    heading with nothing but a deeper one below it goes with that. With a size, the chunks that
    the same splitter makes at it, without overlap: their source ranges, even where their text is
    altered. With `none`, the whole document.

    Raises:
        InputError: for a parent that cannot be cut, or a `heading_pattern` that is no pattern.
        CancelledError: when `cancel` was raised meanwhile.
    """
    check_parent(enrich.parent, settings)
    text = document.text
    if enrich.parent not in ("none", "section"):
        cuts = get_splitter(settings.kind).prepare(text, settings)
        made = cuts.cut(int(enrich.parent), 0, cancel)
        return Cuts(made.starts, made.ends)
    starts = [0] if text else []
    if enrich.parent == "section":
        starts += _section_starts(document, enrich.heading_pattern)
    bounds = np.array([*starts, len(text)], dtype=np.int32)
    first, last = SpaceRuns(text).strip(bounds[:-1], bounds[1:])
    held = first < last
    return Cuts(first[held].astype(np.int64), last[held].astype(np.int64))


def _section_starts(document: Document, pattern: str) -> list[int]:
    """Where the sections after the document's start begin."""
    starts: list[int] = []
    level, end = 0, 0
    for heading in headings(
        document.text, document_id=document.id, origin=document.origin, pattern=pattern
    ):
        bare = 0 < level < heading.level and not document.text[end : heading.span.start].strip()
        if heading.span.start and not bare:
            starts.append(heading.span.start)
        level, end = heading.level, heading.span.end
    return starts


def cut_within(
    text: str, parents: Cuts, settings: SplitterSettings, cancel: CancelToken | None = None
) -> Cuts:
    """The chunks inside each parent of a document, with their places in the document.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    splitter = get_splitter(settings.kind)
    made: list[Cuts] = []
    ranges = zip(parents.starts.tolist(), parents.ends.tolist(), strict=True)
    for number, (start, end) in enumerate(ranges):
        if cancel is not None and number % _PARENTS_PER_CHECK == 0:
            cancel.check()
        section = Section(text[start:end], (Span(start, end),))
        prepared = splitter.prepare(section.text, settings)
        made.append(
            section.placed(text, prepared.cut(settings.size, settings.overlap_size, cancel))
        )
    return one_after_another(made)


def parent_set(
    chunks: ChunkSet, parents: Sequence[Cuts], settings: SplitterSettings, enrich: EnrichSettings
) -> ChunkSet:
    """The parents as chunks that are returned, with the chunks in them as their children.

    A section may have any size; none of them is oversize.
    """
    size = sys.maxsize if enrich.parent == "section" else int(enrich.parent)
    wanted = replace(settings, size=size, overlap=0, dedupe=False)
    made = build_chunk_set(chunks.corpus, parents, wanted, EnrichSettings())
    return replace(made, children=Children(chunks, parents_of(chunks, parents).of_chunk))


def parents_of(chunks: ChunkSet, parents: Sequence[Cuts]) -> Parents:
    """The parent of each chunk.

    Args:
        chunks: cut inside their parents; some may have been dropped as duplicates.
        parents: one a document, as `parent_cuts` gives them.

    Raises:
        ValueError: when a chunk reaches beyond its parent.
    """
    counts = [len(cuts) for cuts in parents]
    before = np.cumsum([0, *counts])
    numbers: list[IntArray] = [np.zeros(0, dtype=np.int64)]
    for position, (cuts, of_document) in enumerate(zip(chunks.cuts, parents, strict=True)):
        inside = np.searchsorted(of_document.starts, cuts.starts, side="right") - 1
        if len(cuts) and (inside.min() < 0 or bool((cuts.ends > of_document.ends[inside]).any())):
            raise ValueError(f"a chunk of document {position} reaches beyond its parent")
        numbers.append(inside + before[position])
    empty = np.zeros(0, dtype=np.int64)
    return Parents(
        documents=np.repeat(np.arange(len(parents), dtype=np.int64), counts),
        starts=np.concatenate([empty, *(cuts.starts for cuts in parents)]),
        ends=np.concatenate([empty, *(cuts.ends for cuts in parents)]),
        of_chunk=np.concatenate(numbers),
    )
