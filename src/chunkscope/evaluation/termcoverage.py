"""Evidence words that stand in the retrieved text, though the evidence itself may be cut."""

import numpy as np

from chunkscope.evaluation.evidence import EvidenceTable, document_bases
from chunkscope.evaluation.geometry import expand
from chunkscope.evaluation.metrics import NOWHERE, CutOff, FloatArray
from chunkscope.evaluation.rankings import Rankings
from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import IntArray
from chunkscope.text.document import Corpus

_FEW_CHUNKS = 100
"""Below it words are taken chunk by chunk; above, from those of the whole set at once."""


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
        self._ranked = rankings.chunks[:, :deepest]
        self._evidence = evidence
        self._words = words
        self._ranks: dict[int, list[IntArray]] = {}

    def at(self, cut: CutOff, recall: FloatArray, place: IntArray) -> FloatArray:
        """1 where recall is; else the share of evidence words that stand in the chunks taken.

        Args:
            cut: what is taken of the rankings.
            recall: recall at that cut, shape (m,).
            place: the place of each item whose words count, shape (i,).
        """
        values = np.ones(self._table.rows)
        rows = np.nonzero(recall < 1.0)[0].tolist()
        self._find([row for row in rows if row not in self._ranks])
        for row in rows:
            items = self._items(row)
            found = wanted = 0
            for number, ranks in zip(self._places(row), self._ranks[row], strict=True):
                if place[self._table.place_item[number]] == number:
                    wanted += len(ranks)
                    found += int(np.count_nonzero(ranks < cut.taken[row]))
            values[row] = found / wanted if wanted and len(items) else 0.0
        return values

    def _items(self, row: int) -> range:
        first = int(self._table.first_item[row])
        return range(first, first + int(self._table.items_of[row]))

    def _places(self, row: int) -> range:
        first_place, items = self._table.first_place, self._items(row)
        after = items.stop
        last = int(first_place[after]) if after < len(first_place) else len(self._table.place_item)
        return range(int(first_place[items.start]), last)

    def _find(self, rows: list[int]) -> None:
        """Note, for each word of each place of these rows, the first rank that holds it."""
        places = [(slot, number) for slot, row in enumerate(rows) for number in self._places(row)]
        words = [self._words.numbers(self._evidence.of(number)) for _, number in places]
        lengths = [len(numbers) for numbers in words]
        wanted = np.array([number for numbers in words for number in numbers], np.int64)
        slots = np.repeat(np.array([slot for slot, _ in places], np.int64), lengths)
        ranks = self._first_ranks(rows, wanted, slots)
        for (slot, _), part in zip(
            places, np.split(ranks, np.cumsum(lengths)[:-1]) if places else [], strict=True
        ):
            self._ranks.setdefault(rows[slot], []).append(part)

    def _first_ranks(self, rows: list[int], wanted: IntArray, slots: IntArray) -> IntArray:
        """Rank from 0 of the first ranked chunk of row `slots` that holds term `wanted`."""
        ranked = self._ranked[rows]
        slot, rank = np.nonzero(ranked >= 0)
        terms, owner = self._terms_of(ranked[slot, rank])
        scale = max(1, ranked.shape[1])
        count = max(1, self._words.term_count)
        asked = np.zeros(count, np.bool_)
        asked[wanted[wanted >= 0]] = True
        kept = asked[terms]
        terms, owner = terms[kept], owner[kept]
        held = np.sort((slot[owner] * count + terms) * scale + rank[owner])
        keys = slots * count + wanted
        at = np.searchsorted(held, keys * scale)
        there = (wanted >= 0) & (at < len(held))
        nearest = held[np.where(there, at, 0)] if len(held) else np.zeros(len(at), np.int64)
        there &= nearest // scale == keys
        return np.where(there, nearest % scale, NOWHERE)

    def _terms_of(self, chunks: IntArray) -> tuple[IntArray, IntArray]:
        """The words of each of `chunks` in turn, and which of them each is of."""
        different, place = np.unique(chunks, return_inverse=True)
        if self._words.chunks.prefixes or len(different) < _FEW_CHUNKS:
            parts = [self._words.terms(chunk, prefix=False) for chunk in different.tolist()]
            words = np.concatenate([np.zeros(0, np.int64), *parts])
            lengths = np.array([len(part) for part in parts], np.int64)
            first = np.cumsum(lengths) - lengths
        else:
            words = self._words.stream()[0].astype(np.int64)
            lengths = self._words.lengths[different]
            first = (np.cumsum(self._words.lengths) - self._words.lengths)[different]
        index, position = expand(first[place], (first + lengths)[place])
        return words[position], index
