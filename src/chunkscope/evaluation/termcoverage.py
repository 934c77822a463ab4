"""Evidence words that stand in the retrieved text, though the evidence itself may be cut."""

import numpy as np

from chunkscope.evaluation.evidence import EvidenceTable, document_bases
from chunkscope.evaluation.metrics import CutOff, FloatArray
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


def term_coverage(
    table: EvidenceTable,
    rankings: Rankings,
    *,
    cut: CutOff,
    recall: FloatArray,
    place: IntArray,
    evidence: EvidenceWords,
    words: ChunkWords,
) -> FloatArray:
    """1 where recall is; else the share of evidence words that stand in the chunks taken.

    Args:
        table: the evidence.
        rankings: the rankings.
        cut: what is taken of them.
        recall: recall at that cut, shape (m,).
        place: the place of each item whose words count, shape (i,).
        evidence: the words of the places.
        words: the words of the chunks; a prefix is no part of a chunk's own text.
    """
    values = np.ones(table.rows)
    for row in np.nonzero(recall < 1.0)[0].tolist():
        taken = rankings.chunks[row, : int(cut.taken[row])].tolist()
        first = int(table.first_item[row])
        places = place[first : first + int(table.items_of[row])].tolist()
        wanted = [word for number in places for word in evidence.of(number)]
        found = words.standing(wanted, taken)
        values[row] = found / len(wanted) if wanted else 0.0
    return values
