"""Repeats of one passage among the chunks that were taken."""

from collections import Counter
from dataclasses import dataclass

from chunkscope.evaluation.diagnosis_proofs import CrowdedProof, chunk_at
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet


@dataclass(frozen=True)
class Ranked:
    """A ranking down to the chunk that holds the evidence.

    Attributes:
        chunks: the chunk set.
        order: chunk numbers by rank; the last one holds the evidence.
        taken: how many of them were taken.
    """

    chunks: ChunkSet
    order: list[int]
    taken: int


def crowded_proof(ranked: Ranked, settings: RetrieverSettings) -> CrowdedProof | None:
    """The proof that the holder would be taken if each passage counted once, or None.

    Two chunks are one passage when their texts are equal, or when they share at least half of
    the shorter one's characters.
    """
    chunks, order = ranked.chunks, ranked.order
    passages = _Passages(chunks)
    limit = settings.budget or settings.k[0]
    weights = chunks.tokens if settings.budget else None
    holder = order[-1]
    last = 1 if weights is None else int(weights[holder])
    used = last
    above = 0
    for rank, chunk in enumerate(order[:-1]):
        if not passages.add(chunk, taken=rank < ranked.taken):
            continue
        above += 1
        used += 1 if weights is None else int(weights[chunk])
        if used > limit:
            return None
    if not passages.repeated:
        return None
    first, _ = passages.repeated.most_common(1)[0]
    return CrowdedProof(
        holder=chunk_at(chunks, holder),
        rank=len(order),
        rank_without=above + 1,
        taken=ranked.taken,
        repeats=passages.repeated.total(),
        same_text=passages.same_text,
        passage=chunk_at(chunks, first),
    )


class _Passages:
    """Passages met so far, each by its first chunk.

    Attributes:
        repeated: chunks taken that repeat a passage, by its first chunk.
        same_text: how many of those have exactly an earlier chunk's text.
    """

    def __init__(self, chunks: ChunkSet) -> None:
        self._chunks = chunks
        self._texts: dict[str, int] = {}
        self._firsts: dict[int, list[int]] = {}
        self.repeated: Counter[int] = Counter()
        self.same_text = 0

    def add(self, chunk: int, *, taken: bool) -> bool:
        """Whether the chunk is a passage not met before."""
        text = self._chunks.text(chunk)
        known = self._texts.get(text)
        if known is not None:
            self.same_text += taken
        else:
            document = int(self._chunks.documents[chunk])
            firsts = self._firsts.setdefault(document, [])
            known = next((first for first in firsts if self._share_half(first, chunk)), None)
            self._texts[text] = chunk if known is None else known
            if known is None:
                firsts.append(chunk)
                return True
        if taken:
            self.repeated[known] += 1
        return False

    def _share_half(self, one: int, other: int) -> bool:
        starts, ends = self._chunks.starts, self._chunks.ends
        shared = int(min(ends[one], ends[other]) - max(starts[one], starts[other]))
        shorter = int(min(ends[one] - starts[one], ends[other] - starts[other]))
        return shared > 0 and 2 * shared >= shorter
