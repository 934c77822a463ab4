"""What is really sent: tokens and words of the chunks taken, duplicates counted and not."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from chunkscope.evaluation.evidence import document_bases
from chunkscope.evaluation.geometry import ChunkGeometry
from chunkscope.evaluation.metrics import CutOff, FloatArray, Union
from chunkscope.evaluation.rankings import Rankings
from chunkscope.splitting.chunks import BoolArray, ChunkSet, IntArray
from chunkscope.splitting.whitespace import is_space
from chunkscope.text.document import Corpus
from chunkscope.text.tokens import TokenCounter


class CorpusWords:
    """Where the words of `str.split` stand on the corpus axis.

    Attributes:
        starts: first code point of each word, ascending, shape (w,).
    """

    def __init__(self, corpus: Corpus) -> None:
        bases = document_bases(corpus)
        narrow = np.int32 if bases[-1] < 2**31 else np.int64
        space = np.ones(int(bases[-1]) + 1, np.bool_)
        for document, base in zip(corpus.documents, bases.tolist(), strict=False):
            space[base : base + len(document.text)] = is_space(document.text)
        begins = ~space
        begins[1:] &= space[:-1]
        self.starts: npt.NDArray[np.signedinteger] = np.flatnonzero(begins).astype(narrow)
        # A bit a character: as much again as the starts would be the ends.
        self._space = np.packbits(space)

    def count(self, low: IntArray, high: IntArray) -> IntArray:
        """`len(text.split())` of each slice `[low, high)` of the corpus axis."""
        narrow = self.starts.dtype
        before = np.searchsorted(self.starts, low.astype(narrow))
        begun = np.searchsorted(self.starts, high.astype(narrow)) - before
        # The rest of a word that begins before the slice is a word of the slice.
        cut = ~self._is_space(low) & ~self._is_space(np.maximum(low - 1, 0)) & (low > 0)
        return np.where(high > low, begun + cut, 0)

    def _is_space(self, places: IntArray) -> BoolArray:
        bits: IntArray = self._space[places >> 3] >> (7 - (places & 7)) & 1
        return bits > 0


def chunk_words(chunks: ChunkSet, words: CorpusWords) -> IntArray:
    """White-space words of each chunk as sent (prefix counted), shape (n,)."""
    base = document_bases(chunks.corpus)[chunks.documents]
    counts = words.count(chunks.starts + base, chunks.ends + base)
    for position, cuts in enumerate(chunks.cuts):
        first = int(chunks.first[position])
        for index, text in cuts.altered.items():
            counts[first + index] = len(text.split())
    for chunk, prefix in chunks.prefixes.items():
        counts[chunk] += len(prefix.split())
    return counts


def context_metrics(
    rankings: Rankings, cut: CutOff, tokens: IntArray, words: IntArray
) -> dict[str, FloatArray]:
    """context_tokens and context_words of the chunks taken."""
    width = int(cut.taken.max(initial=0))
    taken = np.arange(width) < cut.taken[:, None]
    chunk = np.where(taken, rankings.chunks[:, :width], 0)
    if not len(tokens):
        nothing = np.zeros(len(cut.taken))
        return {"context_tokens": nothing, "context_words": nothing.copy()}
    return {
        "context_tokens": np.where(taken, tokens[chunk], 0).sum(axis=1).astype(np.float64),
        "context_words": np.where(taken, words[chunk], 0).sum(axis=1).astype(np.float64),
    }


class UniqueTokens:
    """Counts the tokens of what is sent when text that chunks share is sent once.

    Chunks taken that share text become one piece of source text, recounted under the first
    one's prefix; any other chunk counts as it is.
    """

    def __init__(self, chunks: ChunkSet, geometry: ChunkGeometry, counter: TokenCounter) -> None:
        self._chunks = chunks
        self._geometry = geometry
        self._counter = counter
        self._bases = document_bases(chunks.corpus).tolist()

    def count(
        self, rankings: Rankings, cut: CutOff, union: Union, context_tokens: FloatArray
    ) -> FloatArray:
        """context_unique_tokens of each question, shape (m,)."""
        unique = context_tokens.copy()
        rows = np.nonzero(union.total > union.length)[0].tolist()
        joined: list[tuple[int, tuple[int, int, int]]] = []
        for row in rows:
            unique[row] = 0.0
            taken = rankings.chunks[row, : int(cut.taken[row])].tolist()
            for group in self._groups(taken):
                if len(group) == 1:
                    unique[row] += float(self._chunks.tokens[group[0]])
                else:
                    joined.append((row, self._piece(group)))
        pieces = list({piece for _, piece in joined})
        counts = self._counter.count([self._text(piece) for piece in pieces])
        counted = dict(zip(pieces, counts, strict=True))
        for row, piece in joined:
            unique[row] += counted[piece]
        return unique

    def _groups(self, taken: list[int]) -> list[list[int]]:
        """Chunks parted where neighbours share no text, in the order they stand."""
        starts, ends = self._hulls
        groups: list[list[int]] = []
        reach = -1
        for chunk in sorted(taken, key=lambda number: (starts[number], number)):
            if starts[chunk] < reach:
                groups[-1].append(chunk)
            else:
                groups.append([chunk])
            reach = max(reach, ends[chunk])
        return groups

    @property
    def _hulls(self) -> tuple[IntArray, IntArray]:
        geometry = self._geometry
        if geometry.single:
            return geometry.starts, geometry.ends
        first = geometry.first
        return geometry.starts[first[:-1]], geometry.ends[first[1:] - 1]

    def _piece(self, group: list[int]) -> tuple[int, int, int]:
        """(first chunk, start, end) of the source text that a group of chunks makes."""
        starts, ends = self._hulls
        return group[0], int(starts[group[0]]), max(int(ends[chunk]) for chunk in group)

    def _text(self, piece: tuple[int, int, int]) -> str:
        chunk, start, end = piece
        position = int(self._chunks.documents[chunk])
        base = self._bases[position]
        text = self._chunks.corpus.documents[position].text[start - base : end - base]
        prefixes: Mapping[int, str] = self._chunks.prefixes
        prefix = prefixes.get(chunk)
        return f"{prefix}\n{text}" if prefix else text
