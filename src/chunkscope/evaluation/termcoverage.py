"""Evidence words that stand in the retrieved text, though the evidence itself may be cut.

Words are those of the retriever's rule as they stand: whatever it stems or leaves out, this is
about what a reader of the retrieved text finds there.
"""

import numpy as np

from chunkscope.evaluation.evidence import EvidenceTable, document_bases
from chunkscope.evaluation.metrics import CutOff, FloatArray
from chunkscope.evaluation.rankings import Rankings
from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.queries import Queries
from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import BoolArray, IntArray

_CELLS = 1 << 20
"""Ranks (questions x words) and words of ranked chunks that are worked on at a time."""

_NO_RANK = np.iinfo(np.int32).max


class EvidenceWords:
    """The words of every place of the evidence, by one rule.

    Attributes:
        words: the words, place by place.
        row: the question that each word's place is evidence of, ascending, shape (words,).
    """

    def __init__(self, index: WordIndex, table: EvidenceTable) -> None:
        """Tokenise every place; `index` holds the words of the corpus by the same rule."""
        corpus = index.corpus
        bases = document_bases(corpus)
        document = np.searchsorted(bases, table.low, "right") - 1
        texts = [
            corpus.documents[number].text[low:high]
            for number, low, high in zip(
                document.tolist(),
                (table.low - bases[document]).tolist(),
                (table.high - bases[document]).tolist(),
                strict=True,
            )
        ]
        words = [tuple(tokenise(text, index.rule)) for text in texts]
        self.words = Queries(words, index.vocabulary)
        self.row: IntArray = table.place_question[self.words.questions]


class TermCoverage:
    """Counts evidence words in the chunks taken, for several cut-offs of the same rankings."""

    def __init__(
        self,
        table: EvidenceTable,
        rankings: Rankings,
        evidence: EvidenceWords,
        words: ChunkWords,
        deepest: int,
    ) -> None:
        """Ready to count.

        Args:
            table: the evidence.
            rankings: the rankings.
            evidence: the words of the places.
            words: the words of the chunks; a prefix is no part of a chunk's own text.
            deepest: no cut-off takes more chunks of a ranking.
        """
        self._table = table
        self._ranked = rankings.chunks[:, :deepest]
        self._evidence = evidence
        self._words = words
        self._terms = words.resolved(evidence.words)
        self._known = np.zeros(table.rows, np.bool_)
        # The first rank that holds each evidence word, of the questions in `_known`.
        self._ranks = np.full(len(self._terms), _NO_RANK, np.int32)

    def at(self, cut: CutOff, recall: FloatArray, place: IntArray) -> FloatArray:
        """1 where recall is; else the share of evidence words that stand in the chunks taken.

        Args:
            cut: what is taken of the rankings.
            recall: recall at that cut, shape (m,).
            place: the place of each item whose words count, shape (i,).
        """
        table, row = self._table, self._evidence.row
        failed = recall < 1.0
        self._find(failed & ~self._known)
        chosen = place[table.place_item] == np.arange(len(table.place_item))
        counts = chosen[self._evidence.words.questions] & failed[row]
        there = counts & (self._ranks < cut.taken[row])
        wanted = np.bincount(row[counts], minlength=table.rows)
        found = np.bincount(row[there], minlength=table.rows)
        shares = found / np.maximum(wanted, 1)
        return np.where(failed, shares, 1.0)

    def _find(self, rows: BoolArray) -> None:
        """Note the first rank that holds each evidence word of these questions."""
        self._known |= rows
        asked = np.flatnonzero(rows[self._evidence.row] & (self._terms >= 0))
        distinct = np.zeros(self._words.term_count, np.bool_)
        distinct[self._terms[asked]] = True
        column = np.where(distinct, np.cumsum(distinct) - 1, -1)
        width = max(1, int(np.count_nonzero(distinct)))
        for block in self._blocks(np.flatnonzero(rows), width):
            # Words of a question stand side by side.
            at, end = np.searchsorted(self._evidence.row[asked], (block[0], block[-1] + 1))
            words = asked[at:end]
            slot = np.searchsorted(block, self._evidence.row[words])
            ranks = self._first_ranks(self._ranked[block], column, width)
            self._ranks[words] = ranks[slot, column[self._terms[words]]]

    def _blocks(self, numbers: IntArray, width: int) -> list[IntArray]:
        """These questions in runs whose work arrays have about `_CELLS` cells each."""
        if not len(numbers):
            return []
        ranked = self._ranked[numbers]
        words = np.append(self._words.lengths, 0)
        # Past a ranking's end stands -1: the number appended last, of no words.
        cells = np.cumsum(words[ranked].sum(axis=1) + width)
        return np.split(numbers, np.flatnonzero(np.diff(cells // _CELLS)) + 1)

    def _first_ranks(
        self, ranked: IntArray, column: IntArray, width: int
    ) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
        """Rank from 0 of the first ranked chunk that holds a term: (questions, `width`)."""
        # Deepest ranks first: of repeated writes the last one stays.
        rank, slot = np.nonzero(ranked.T[::-1] >= 0)
        rank = ranked.shape[1] - 1 - rank
        terms, owner = self._words.own_words(ranked[slot, rank])
        if len(self._words.chunks) and not np.all(owner[1:] >= owner[:-1]):
            order = np.argsort(owner, kind="stable")
            terms, owner = terms[order], owner[order]
        columns = column[terms]
        kept = columns >= 0
        columns, owner = columns[kept], owner[kept]
        ranks = np.full((len(ranked), width), _NO_RANK, np.int32)
        ranks[slot[owner], columns] = rank[owner]
        return ranks
