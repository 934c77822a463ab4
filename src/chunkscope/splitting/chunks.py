"""Chunks as parallel arrays: of one document (`Cuts`) and of a corpus (`ChunkSet`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunkscope.text.document import Corpus
from chunkscope.text.spans import Span

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Cuts:
    """The chunks of one document, in order.

    Attributes:
        starts: first code point of each chunk's source range, shape (n,).
        ends: one past the last, shape (n,).
        altered: text of the chunks that are not the slice of their range, by index.
        spans: source ranges of the chunks joined from distant text, by index.
        sizes: lengths in the splitter's unit where only the splitter can count it, else None.
        ambiguous: chunks that may stand elsewhere too, by index; their range is one of several.
        unplaced: chunks whose place is not known, by index; their range is empty.
        divided: how many of the splitter's own chunks were longer than the size and cut further.
    """

    starts: IntArray
    ends: IntArray
    altered: Mapping[int, str] = field(default_factory=dict)
    spans: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)
    sizes: IntArray | None = None
    ambiguous: frozenset[int] = frozenset()
    unplaced: frozenset[int] = frozenset()
    divided: int = 0

    def __len__(self) -> int:
        return len(self.starts)

    def text(self, index: int, source: str) -> str:
        """The chunk's text, given its document's text."""
        changed = self.altered.get(index)
        if changed is not None:
            return changed
        return source[int(self.starts[index]) : int(self.ends[index])]

    def texts(self, source: str) -> list[str]:
        """Every chunk's text, given its document's text."""
        texts = [
            source[start:end]
            for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        ]
        for index, changed in self.altered.items():
            texts[index] = changed
        return texts


class Duplicate(NamedTuple):
    """A chunk that was dropped because its text stands in an earlier one.

    Attributes:
        document: position of its document in the corpus.
        span: hull of its source range.
        earlier: number of the chunk that has its text.
    """

    document: int
    span: Span
    earlier: int


@dataclass(frozen=True)
class ChunkSet:
    """All chunks of a corpus under one splitter, earlier documents first.

    Attributes:
        corpus: the documents.
        cuts: one `Cuts` a document, in the corpus's order.
        tokens: tokens of each chunk as indexed (prefix counted), shape (n,).
        sizes: length of each chunk in the splitter's unit, without prefix, shape (n,).
        size_limit: the requested size; a longer chunk is oversize.
        prefixes: text put before each chunk in the index, by chunk; most often empty.
        duplicates: what was dropped because its text stands in an earlier chunk.
        children: the smaller chunks that are indexed in place of these, if these are parents.
    """

    corpus: Corpus
    cuts: Sequence[Cuts]
    tokens: IntArray
    sizes: IntArray
    size_limit: int
    prefixes: Mapping[int, str] = field(default_factory=dict)
    duplicates: Sequence[Duplicate] = ()
    children: "Children | None" = None

    def __len__(self) -> int:
        return int(self.first[-1])

    @property
    def indexed(self) -> "ChunkSet":
        """What is indexed: the children, or these chunks themselves."""
        return self if self.children is None else self.children.chunks

    @cached_property
    def first(self) -> IntArray:
        """Number of the first chunk of each document, and the total last: (documents + 1,)."""
        counts = np.array([0, *(len(cuts) for cuts in self.cuts)], dtype=np.int64)
        return np.cumsum(counts)

    @cached_property
    def documents(self) -> IntArray:
        """Position of each chunk's document in the corpus, shape (n,)."""
        return np.repeat(np.arange(len(self.cuts), dtype=np.int64), np.diff(self.first))

    @cached_property
    def starts(self) -> IntArray:
        """First code point of each chunk in its document, shape (n,)."""
        return _joined([cuts.starts for cuts in self.cuts])

    @cached_property
    def ends(self) -> IntArray:
        """One past the last code point of each chunk in its document, shape (n,)."""
        return _joined([cuts.ends for cuts in self.cuts])

    @cached_property
    def overlaps(self) -> IntArray:
        """Characters each chunk really shares with the one before it in its document, (n,)."""
        shared = np.zeros(len(self), dtype=np.int64)
        if len(self) > 1:
            same = self.documents[1:] == self.documents[:-1]
            low = np.maximum(self.starts[1:], self.starts[:-1])
            high = np.minimum(self.ends[1:], self.ends[:-1])
            shared[1:] = np.where(same, np.maximum(high - low, 0), 0)
        return shared

    @property
    def oversize(self) -> BoolArray:
        """Which chunks are longer than the requested size, shape (n,)."""
        return self.sizes > self.size_limit

    def locate(self, chunk: int) -> tuple[int, int]:
        """The chunk's (document position, index within it)."""
        document = int(self.documents[chunk])
        return document, chunk - int(self.first[document])

    def text(self, chunk: int) -> str:
        """The chunk's text, without prefix."""
        document, index = self.locate(chunk)
        return self.cuts[document].text(index, self.corpus.documents[document].text)

    def is_altered(self, chunk: int) -> bool:
        """Whether the chunk's text differs from the slice of its range."""
        document, index = self.locate(chunk)
        return index in self.cuts[document].altered

    def spans(self, chunk: int) -> tuple[Span, ...]:
        """The chunk's disjoint ascending source ranges."""
        document, index = self.locate(chunk)
        cuts = self.cuts[document]
        joined = cuts.spans.get(index)
        return joined or (Span(int(cuts.starts[index]), int(cuts.ends[index])),)

    def texts(self) -> list[str]:
        """Every chunk's text, without prefix."""
        return [
            text
            for document, cuts in zip(self.corpus.documents, self.cuts, strict=True)
            for text in cuts.texts(document.text)
        ]

    def indexed_text(self, chunk: int) -> str:
        """What the retriever sees: the prefix, a line end, the chunk's text."""
        prefix = self.prefixes.get(chunk)
        return f"{prefix}\n{self.text(chunk)}" if prefix else self.text(chunk)


@dataclass(frozen=True)
class Children:
    """Chunks that are matched, so that the larger ones which hold them are returned.

    Attributes:
        chunks: the chunks.
        parents: the number of each one's parent, never going back, shape (n,).
    """

    chunks: ChunkSet
    parents: IntArray


def _joined(arrays: list[IntArray]) -> IntArray:
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int64)
