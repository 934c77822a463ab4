"""Every word of a corpus by one rule: what it is, and where it stands."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import count

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.positions import WordPositions, find_words, grown_characters
from chunkscope.retrieval.words import WordRule, parse_rule
from chunkscope.splitting.chunks import BoolArray, ChunkSet, IntArray
from chunkscope.text.document import Corpus


class TextWords:
    """The words of a corpus under one rule.

    Words are parallel arrays over the whole corpus, in order; positions are code points of the
    documents' folded texts laid end to end, one apart. A *stretch* is what a cut can shorten: a
    word, or the run of characters that bigrams come from. Where a pattern is not local the
    arrays are empty, and chunks are tokenised one by one.

    Attributes:
        rule: the rule taken apart.
        local: whether the arrays serve chunks.
        numbers: the number of every distinct word, in order of first appearance.
        words: the number of each word, shape (w,).
        starts: where each word starts, ascending, shape (w,).
        ends: one past its last character, ascending, shape (w,).
        stretch_starts: where each stretch starts, ascending, shape (s,).
        stretch_ends: one past its last character, ascending, shape (s,).
        bigrams: which stretches give bigrams, shape (s,).
    """

    def __init__(self, corpus: Corpus, rule: str, cancel: CancelToken | None = None) -> None:
        """Find every word of the corpus; linear in its text.

        Raises:
            InputError: for a rule that cannot be used.
            CancelledError: when `cancel` was raised meanwhile.
        """
        self.rule = parsed = parse_rule(rule)
        self.local = parsed.atom is not None
        self._corpus = corpus
        # Casefolding goes character by character: where it adds none, a range is folded when
        # it is asked for.
        self._folded: list[str | None] = []
        self._marked: list[bool] = []
        self._grown: list[tuple[IntArray, IntArray] | None] = []
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        laid = _LaidOut(corpus)
        bases = [0]
        for document in corpus.documents if self.local else ():
            if cancel is not None:
                cancel.check()
            folded = parsed.prepared(document.text)
            found = find_words(folded, parsed)
            words = map(numbers.__getitem__, _spelled(folded, found, parsed))
            laid.add(found, np.fromiter(words, np.int32, count=len(found.starts)), bases[-1])
            grown = grown_characters(document.text, folded)
            self._folded.append(None if grown is None else folded)
            self._marked.append("\ufeff" in document.text)
            self._grown.append(grown)
            bases.append(bases[-1] + len(folded) + 1)
        # From here on a word that is not there is an error, not a new number.
        numbers.default_factory = None
        self.numbers: dict[str, int] = numbers
        self._bases = np.array(bases, dtype=np.int64)
        self.words: npt.NDArray[np.int32] = np.concatenate(laid.words)
        self.starts, self.ends = np.concatenate(laid.starts), np.concatenate(laid.ends)
        self.bigrams: BoolArray = np.concatenate(laid.bigrams)
        self.stretch_starts, self.stretch_ends = self.starts, self.ends
        if self.bigrams.any():
            self.stretch_starts = np.concatenate(laid.stretch_starts)
            self.stretch_ends = np.concatenate(laid.stretch_ends)

    def place(self, chunks: ChunkSet) -> tuple[IntArray, IntArray]:
        """Starts and ends of the chunks' ranges in positions of the words, each (n,).

        U+FEFF at a chunk's start is left out, as `tokenise` leaves it out.
        """
        starts, ends = chunks.starts.copy(), chunks.ends.copy()
        for position, document in enumerate(chunks.corpus.documents):
            here = slice(int(chunks.first[position]), int(chunks.first[position + 1]))
            if self._marked[position]:
                text = document.text
                leading = [text[at : at + 1] == "\ufeff" for at in starts[here].tolist()]
                starts[here] += np.array(leading, dtype=np.int64)
            grown = self._grown[position]
            if grown is not None:
                characters, added = grown
                starts[here] += added[np.searchsorted(characters, starts[here])]
                ends[here] += added[np.searchsorted(characters, ends[here])]
        bases = self._bases[chunks.documents]
        return starts + bases, ends + bases

    def texts(self, documents: IntArray, starts: IntArray, ends: IntArray) -> list[str]:
        """The folded texts of ranges of the words' positions, each inside its document."""
        bases = self._bases[documents]
        ranges = zip(
            documents.tolist(), (starts - bases).tolist(), (ends - bases).tolist(), strict=True
        )
        return [self._text(document, start, end) for document, start, end in ranges]

    def _text(self, document: int, start: int, end: int) -> str:
        folded = self._folded[document]
        if folded is not None:
            return folded[start:end]
        return self.rule.prepared(self._corpus.documents[document].text[start:end])


def _spelled(folded: str, found: WordPositions, rule: WordRule) -> Iterable[str]:
    """The words of a folded text, in order."""
    if not found.bigrams.any():
        # The pattern finds the same words, and hands them out faster.
        words = folded.split() if rule.rule == "whitespace" else rule.pattern.findall(folded)
        if len(words) == len(found.starts):
            return words
    return map(folded.__getitem__, map(slice, found.starts.tolist(), found.ends.tolist()))


class _LaidOut:
    """The arrays of the documents so far, each moved to where its document lies."""

    def __init__(self, corpus: Corpus) -> None:
        # A character folds to three at most; half-wide numbers mostly suffice.
        longest = 3 * corpus.characters + len(corpus.documents)
        self._dtype: type[np.signedinteger] = np.int32 if longest < 2**31 else np.int64
        none = np.zeros(0, dtype=self._dtype)
        self.words = [np.zeros(0, dtype=np.int32)]
        self.starts = [none]
        self.ends = [none]
        self.stretch_starts = [none]
        self.stretch_ends = [none]
        self.bigrams = [np.zeros(0, dtype=np.bool_)]

    def add(self, found: WordPositions, words: npt.NDArray[np.int32], base: int) -> None:
        self.words.append(words)
        self.starts.append((found.starts + base).astype(self._dtype))
        self.ends.append((found.ends + base).astype(self._dtype))
        self.bigrams.append(found.bigrams)
        if found.stretch_starts is found.starts:
            self.stretch_starts.append(self.starts[-1])
            self.stretch_ends.append(self.ends[-1])
        else:
            self.stretch_starts.append((found.stretch_starts + base).astype(self._dtype))
            self.stretch_ends.append((found.stretch_ends + base).astype(self._dtype))
