"""The chunk set of a corpus: finished chunks counted, duplicates dropped, prefixes made."""

from collections.abc import Sequence

import numpy as np

from chunkscope.splitting.chunks import BoolArray, ChunkSet, Cuts, Duplicate, IntArray
from chunkscope.splitting.prefixes import check_enrich, chunk_prefixes
from chunkscope.splitting.registry import effective_unit
from chunkscope.splitting.seen import Seen, number_of
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.splitting.units import BatchLength, length_function
from chunkscope.splitting.whitespace import is_space
from chunkscope.text.document import Corpus
from chunkscope.text.spans import Span

_TEXTS_PER_BATCH = 1 << 12
_CHARACTERS_PER_BATCH = 2_000_000


def build_chunk_set(
    corpus: Corpus,
    cuts: Sequence[Cuts],
    settings: SplitterSettings,
    enrich: EnrichSettings,
    earlier: Seen | None = None,
) -> ChunkSet:
    """The chunks of every document, measured as they are now.

    Tokens and sizes are those of the finished texts: a chunk's own length is not the sum of the
    lengths it was put together by. With `dedupe`, a chunk is dropped when an earlier one of the
    corpus has exactly its text. `enrich.parent` plays no part: cuts inside parents are given.

    Where a corpus comes in parts, `earlier` is one for all of them, empty at first: the texts so
    far, by digest, with the number of the chunk that has each. Duplicates name those.

    Raises:
        InputError: for a prefix that is not known.
    """
    check_enrich(enrich)
    duplicates: list[Duplicate] = []
    if settings.dedupe:
        cuts, duplicates = _deduplicated(corpus, cuts, {} if earlier is None else earlier)
    unit = effective_unit(settings)
    tokens = _Measured(length_function("tokens", settings.encoding))
    sizes = _Measured(_length(unit, settings.encoding))
    same = unit == "tokens" and enrich.prefix == "none"
    prefixes: dict[int, str] = {}
    number = 0
    for document, cut in zip(corpus.documents, cuts, strict=True):
        texts = cut.texts(document.text)
        if cut.sizes is None:
            sizes.add(texts)
        else:
            sizes.known(cut.sizes.tolist())
        if enrich.prefix != "none":
            for index, prefix in enumerate(chunk_prefixes(document, cut, enrich)):
                if prefix:
                    prefixes[number + index] = prefix
                    texts[index] = f"{prefix}\n{texts[index]}"
        if not same:
            tokens.add(texts)
        number += len(cut)
    sizes_array = sizes.lengths()
    return ChunkSet(
        corpus=corpus,
        cuts=tuple(cuts),
        tokens=sizes_array if same else tokens.lengths(),
        sizes=sizes_array,
        size_limit=settings.size,
        prefixes=prefixes,
        duplicates=tuple(duplicates),
    )


class _Measured:
    """Lengths of texts that come in small lots, measured in large ones."""

    def __init__(self, length: BatchLength) -> None:
        self._length = length
        self._waiting: list[str] = []
        self._characters = 0
        self._lengths: list[int] = []

    def add(self, texts: list[str]) -> None:
        self._waiting.extend(texts)
        self._characters += sum(map(len, texts))
        if len(self._waiting) >= _TEXTS_PER_BATCH or self._characters >= _CHARACTERS_PER_BATCH:
            self._measure()

    def known(self, lengths: list[int]) -> None:
        self._measure()
        self._lengths.extend(lengths)

    def lengths(self) -> IntArray:
        self._measure()
        return np.array(self._lengths, dtype=np.int64)

    def _measure(self) -> None:
        self._lengths.extend(self._length(self._waiting))
        self._waiting = []
        self._characters = 0


def _length(unit: str, encoding: str) -> BatchLength:
    # Sentences are counted by the splitter that found them; a chunk of a text may not show them.
    return length_function("characters" if unit == "sentences" else unit, encoding)


def uncovered_characters(chunks: ChunkSet) -> int:
    """Characters of the corpus that no chunk holds, white space between chunks included."""
    return sum(
        len(document.text) - int(_covered(cuts, len(document.text)).sum())
        for document, cuts in zip(chunks.corpus.documents, chunks.cuts, strict=True)
    )


def uncovered_text_characters(chunks: ChunkSet) -> int:
    """Characters that no chunk holds and that are not white space: text that was lost."""
    total = 0
    for document, cuts in zip(chunks.corpus.documents, chunks.cuts, strict=True):
        covered = _covered(cuts, len(document.text))
        if not covered.all():
            total += int((~covered & ~is_space(document.text)).sum())
    return total


def _covered(cuts: Cuts, length: int) -> BoolArray:
    """Which characters lie in a source range of some chunk, shape (length,)."""
    joined = sorted(cuts.spans)
    starts = np.delete(cuts.starts, joined)
    ends = np.delete(cuts.ends, joined)
    extra = [span for index in joined for span in cuts.spans[index]]
    edges = np.zeros(length + 1, dtype=np.int64)
    np.add.at(edges, starts, 1)
    np.add.at(edges, ends, -1)
    for span in extra:
        edges[span.start] += 1
        edges[span.end] -= 1
    return np.cumsum(edges[:-1]) > 0


def _deduplicated(
    corpus: Corpus, cuts: Sequence[Cuts], seen: Seen
) -> tuple[list[Cuts], list[Duplicate]]:
    kept: list[Cuts] = []
    dropped: list[Duplicate] = []
    for position, (document, cut) in enumerate(zip(corpus.documents, cuts, strict=True)):
        keep: list[int] = []
        for index, text in enumerate(cut.texts(document.text)):
            # Only what is kept is numbered, and so are the chunks of the set.
            earlier = number_of(seen, text)
            if earlier is None:
                keep.append(index)
            else:
                span = Span(int(cut.starts[index]), int(cut.ends[index]))
                dropped.append(Duplicate(position, span, earlier))
        if len(keep) == len(cut):
            kept.append(cut)
            continue
        place = {index: number for number, index in enumerate(keep)}
        kept.append(
            Cuts(
                cut.starts[keep],
                cut.ends[keep],
                {place[index]: text for index, text in cut.altered.items() if index in place},
                {place[index]: spans for index, spans in cut.spans.items() if index in place},
                None if cut.sizes is None else cut.sizes[keep],
                frozenset(place[index] for index in cut.ambiguous if index in place),
                frozenset(place[index] for index in cut.unplaced if index in place),
                cut.divided,
            )
        )
    return kept, dropped
