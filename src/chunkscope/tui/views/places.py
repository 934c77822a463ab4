"""Where chunks stand, in few letters: page, slide, sheet and cell, row."""

from collections.abc import Iterable

from chunkscope.splitting.chunks import ChunkSet
from chunkscope.tui.literal import flattened


def chunk_place(chunks: ChunkSet, chunk: int) -> str:
    """The place of a chunk; empty where its document has none."""
    document = chunks.corpus.documents[int(chunks.documents[chunk])]
    place = document.short_place(int(chunks.starts[chunk]), int(chunks.ends[chunk]))
    return flattened(place)


def chunks_have_places(chunks: ChunkSet, listed: Iterable[int]) -> bool:
    """Whether a document of one of these chunks has places."""
    documents = chunks.corpus.documents
    return any(documents[int(chunks.documents[chunk])].has_places for chunk in listed)
