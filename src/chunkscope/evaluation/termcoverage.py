"""Evidence words that stand in the retrieved text, though the evidence itself may be cut."""

import numpy as np

from chunkscope.evaluation.evidence import EvidenceTable, document_bases
from chunkscope.evaluation.metrics import NOWHERE, CutOff, FloatArray
from chunkscope.evaluation.rankings import Rankings
from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import IntArray
from chunkscope.text.document import Corpus


class EvidenceWords:
    """The words of every place of the evidence, by one rule; tokenised when first asked for."""

    def __init__(self, corpus: Corpus, table: EvidenceTable, rule: str) -> None:
        self._corpus = corpus
        self._table = table
        self._rule = rule
        self._bases = document_bases(corpus)
        self._words: dict[int, list[str]] = {}

    def of(self, place: int) -> list[str]:
        """Words of a place, repeats included."""
        known = self._words.get(place)
        if known is None:
            known = self._words[place] = tokenise(self._text(place), self._rule)
        return known

    def _text(self, place: int) -> str:
        low, high = int(self._table.low[place]), int(self._table.high[place])
        document = int(np.searchsorted(self._bases, low, "right")) - 1
        base = int(self._bases[document])
        return self._corpus.documents[document].text[low - base : high - base]


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
        self._rankings = rankings
        self._evidence = evidence
        self._words = words
        self._deepest = deepest
        self._terms: dict[int, IntArray] = {}
        self._first_ranks: dict[tuple[int, int], IntArray] = {}

    def at(self, cut: CutOff, recall: FloatArray, place: IntArray) -> FloatArray:
        """1 where recall is; else the share of evidence words that stand in the chunks taken.

        Args:
            cut: what is taken of the rankings.
            recall: recall at that cut, shape (m,).
            place: the place of each item whose words count, shape (i,).
        """
        values = np.ones(self._table.rows)
        for row in np.nonzero(recall < 1.0)[0].tolist():
            first = int(self._table.first_item[row])
            places = place[first : first + int(self._table.items_of[row])].tolist()
            ranks = [self._ranks(row, number) for number in places]
            wanted = sum(map(len, ranks))
            found = sum(int(np.count_nonzero(each < cut.taken[row])) for each in ranks)
            values[row] = found / wanted if wanted else 0.0
        return values

    def _ranks(self, row: int, place: int) -> IntArray:
        """Rank from 0 of the first chunk that holds each word of a place, `NOWHERE` if none."""
        known = self._first_ranks.get((row, place))
        if known is not None:
            return known
        ranked = self._rankings.chunks[row, : min(self._deepest, self._rankings.counts[row])]
        held = [self._terms_of(chunk) for chunk in ranked.tolist()]
        ends = np.cumsum([len(terms) for terms in held])
        wanted = np.array(self._words.numbers(self._evidence.of(place)), np.int64)
        ranks = np.full(len(wanted), NOWHERE, np.int64)
        if len(ends) and ends[-1] and len(wanted):
            same = np.concatenate(held) == wanted[:, None]
            found = same.any(axis=1)
            ranks[found] = np.searchsorted(ends, same[found].argmax(axis=1), side="right")
        self._first_ranks[row, place] = ranks
        return ranks

    def _terms_of(self, chunk: int) -> IntArray:
        terms = self._terms.get(chunk)
        if terms is None:
            terms = self._terms[chunk] = self._words.terms(chunk, prefix=False)
        return terms
