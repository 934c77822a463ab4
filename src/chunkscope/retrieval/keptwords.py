"""The terms of questions in chunks that are not held: counted part by part, kept as numbers.

Of a corpus too large for a `WordIndex` only the terms that somebody asks for are counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.postings import NarrowArray, Postings, expanded
from chunkscope.retrieval.queries import Queries
from chunkscope.retrieval.terms import WORDS_AS_THEY_STAND, TermRule
from chunkscope.splitting.chunks import ChunkSet, IntArray
from chunkscope.text.document import Corpus

AnyArray = npt.NDArray[np.integer]


@dataclass(frozen=True)
class TermCounts:
    """Some terms in some chunks, as narrow as their values allow.

    Attributes:
        lengths: terms of each chunk, those that nobody asks for too, shape (n,).
        first: where each term's chunks start, and their total last, shape (t + 1,).
        chunks: chunks that hold each term, ascending within a term, shape (p,).
        counts: times the term stands in the chunk, shape (p,).
    """

    lengths: AnyArray
    first: AnyArray
    chunks: AnyArray
    counts: AnyArray


def count_terms(
    index: WordIndex, chunks: ChunkSet, vocabulary: Mapping[str, int], *, prefix: bool = True
) -> TermCounts:
    """How often the terms of `vocabulary` (numbered from 0) stand in each chunk.

    Args:
        index: the words of the chunks' corpus.
        chunks: the chunks.
        vocabulary: the terms that are counted.
        prefix: in the chunks as indexed; else in their own texts, and `counts` is 1.
    """
    words = index.chunk_words(chunks)
    own = np.array(words.numbers(vocabulary), np.int64)
    known = np.flatnonzero(own >= 0)
    order = known[np.argsort(own[known], kind="stable")]
    # Two terms never have one number, and `order` is ascending in it, as postings ask for.
    if prefix or not chunks.prefixes:
        postings = words.postings(own[order])
    else:
        postings = _of_own_texts(words, own[order], len(chunks))
    frequencies = np.zeros(len(vocabulary), np.int64)
    frequencies[order] = postings.document_frequencies
    first = np.concatenate(([0], np.cumsum(frequencies)))
    _, source = expanded(*_moved(postings.first, order, len(vocabulary)))
    return TermCounts(
        narrow(words.lengths),
        narrow(first),
        narrow(postings.chunks[source]),
        narrow(postings.counts[source]),
    )


def _moved(first: IntArray, order: IntArray, count: int) -> tuple[IntArray, IntArray]:
    """Where the postings of each term begin and end that stand in the order of `order`."""
    low, high = np.zeros(count, np.int64), np.zeros(count, np.int64)
    low[order], high[order] = first[:-1], first[1:]
    return low, high


def _of_own_texts(words: ChunkWords, terms: IntArray, size: int) -> Postings:
    """The chunks whose text without prefix holds each of `terms` (ascending)."""
    found, owner = words.own_words(np.arange(size))
    slot = np.searchsorted(terms, found)
    held = slot < len(terms)
    held[held] = terms[slot[held]] == found[held]
    keys = np.unique(slot[held] * size + owner[held])
    slots, chunks = keys // max(1, size), keys % max(1, size)
    first = np.searchsorted(slots, np.arange(len(terms) + 1))
    return Postings(terms, first, chunks, np.ones(len(chunks), np.int32))


def narrow(values: AnyArray) -> AnyArray:
    """The same numbers, none below 0, as narrow as the largest allows."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


def joined(parts: Sequence[TermCounts]) -> TermCounts:
    """Parts that follow one another as one, chunks numbered on; together they are let go of."""
    sizes = np.array([len(part.lengths) for part in parts], np.int64)
    base = np.cumsum(sizes) - sizes
    firsts = np.array([part.first for part in parts], np.int64)
    lengths = np.diff(firsts, axis=1)
    first = np.concatenate(([0], np.cumsum(lengths.sum(axis=0))))
    # Term by term, and within a term part by part.
    place = first[:-1] + np.cumsum(lengths, axis=0) - lengths
    total = int(first[-1])
    chunks = np.zeros(total, np.min_scalar_type(int(sizes.sum())))
    counts = np.zeros(total, np.result_type(np.uint8, *(part.counts.dtype for part in parts)))
    for number, part in enumerate(parts):
        _, target = expanded(place[number], place[number] + lengths[number])
        chunks[target] = part.chunks.astype(chunks.dtype) + base[number].astype(chunks.dtype)
        counts[target] = part.counts
    return TermCounts(
        np.concatenate([np.zeros(0, np.int64), *(part.lengths for part in parts)]).astype(np.int64),
        first.astype(np.int64),
        chunks,
        counts,
    )


class KeptWords(ChunkWords):
    """The terms asked for in each chunk, out of `TermCounts`: no other term can be asked for.

    Attributes:
        chunks: the chunk set.
        lengths: terms of each chunk, prefix counted, shape (n,).
    """

    def __init__(
        self,
        vocabulary: Mapping[str, int],
        chunks: ChunkSet,
        indexed: TermCounts,
        own: TermCounts | None = None,
    ) -> None:
        """Terms of `chunks`; `own`: those of their texts without prefixes, where they differ."""
        self.chunks = chunks
        self.lengths = indexed.lengths.astype(np.int64)
        self._vocabulary = vocabulary
        self._indexed = indexed
        self._texts = own or indexed

    @property
    def term_count(self) -> int:
        """Every term number is below it."""
        return len(self._vocabulary)

    def number(self, term: str) -> int:
        """The term's number, or -1: it was not asked for."""
        return self._vocabulary.get(term, -1)

    def numbers(self, terms: Iterable[str]) -> list[int]:
        """The numbers of terms, as `number`."""
        return [self.number(term) for term in terms]

    def resolved(self, queries: Queries) -> IntArray:
        """Number of each term of the queries, -1 where it was not asked for: (terms,)."""
        return queries.terms

    def own_words(self, chunks: IntArray) -> tuple[IntArray, IntArray]:
        """Terms asked for that stand in the chunks' own texts, and which of `chunks` each is of.

        In any order, each once.
        """
        kept = self._texts
        distinct, which = np.unique(chunks, return_inverse=True)
        wanted = np.zeros(len(self.lengths), np.bool_)
        wanted[distinct] = True
        places = np.flatnonzero(wanted[kept.chunks])
        terms = np.searchsorted(kept.first, places, "right") - 1
        holder = np.searchsorted(distinct, kept.chunks[places])
        order = np.argsort(holder, kind="stable")
        first = np.searchsorted(holder[order], np.arange(len(distinct) + 1))
        owner, place = expanded(first[which], first[which + 1])
        return terms[order][place], owner

    def postings(self, terms: IntArray) -> Postings:
        """The chunks that hold these terms (numbers, ascending, none twice)."""
        start = self._indexed.first.astype(np.int64)
        low, high = start[terms], start[terms + 1]
        _, place = expanded(low, high)
        first = np.concatenate(([0], np.cumsum(high - low))).astype(np.int64)
        counts: NarrowArray = self._indexed.counts[place].astype(np.int32)
        return Postings(terms, first, self._indexed.chunks[place].astype(np.int64), counts)


class KeptIndex(WordIndex):
    """Stands for the word index of a corpus that is not held: knows the terms asked for.

    Attributes:
        vocabulary: the number of every term asked for.
    """

    def __init__(
        self,
        corpus: Corpus,
        rule: str,
        texts: Iterable[str],
        term_rule: TermRule = WORDS_AS_THEY_STAND,
    ) -> None:
        """The terms of `texts` are asked for.

        Raises:
            InputError: for a rule that cannot be used, or a language that is not known.
        """
        super().__init__(Corpus(()), rule, term_rule=term_rule)
        self.corpus = corpus
        vocabulary: dict[str, int] = {}
        for text in texts:
            for term in self.terms_of(text):
                vocabulary.setdefault(term, len(vocabulary))
        self.vocabulary = vocabulary
        self._kept: KeptWords | None = None

    def keep(self, words: KeptWords) -> None:
        """Hand these words out when they are asked for by their chunks; the last ones only."""
        self._kept = words

    def keeps(self, chunks: ChunkSet) -> bool:
        """Whether the words of these chunks are the ones kept last."""
        return self._kept is not None and self._kept.chunks is chunks

    def let_go(self) -> None:
        """Keep none."""
        self._kept = None

    def chunk_words(self, chunks: ChunkSet, cancel: CancelToken | None = None) -> ChunkWords:
        """The terms of these chunks, which must be the ones kept last.

        Raises:
            ValueError: for other chunks.
        """
        if self._kept is None or self._kept.chunks is not chunks:
            raise ValueError("the terms of these chunks are not kept")
        return self._kept

    def counted(self, index: WordIndex, chunks: ChunkSet, *, prefix: bool = True) -> TermCounts:
        """The terms asked for in the chunks of another corpus; `index` is of its words."""
        return count_terms(index, chunks, self.vocabulary, prefix=prefix)
