"""Word positions of a corpus, computed once for each rule and used for every chunk set."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import count
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.positions import WordPositions, find_words, grown_characters
from chunkscope.retrieval.postings import Occurrences, TermPlaces
from chunkscope.retrieval.queries import Queries
from chunkscope.retrieval.words import WordRule, parse_rule, tokenise
from chunkscope.splitting.chunks import BoolArray, ChunkSet, IntArray
from chunkscope.text.document import Corpus

_REMEMBERED_QUESTIONS = 20_000


class WordIndex:
    """The words of a corpus under one rule.

    Words are parallel arrays over the whole corpus, in order; positions are code points of the
    documents' folded texts laid end to end, one apart. A *stretch* is what a cut can shorten: a
    word, or the run of characters that bigrams come from. Where a pattern is not local the
    arrays are empty, and chunks are tokenised one by one.

    Attributes:
        corpus: the documents.
        rule: `unicode`, `whitespace` or a pattern.
        local: whether the arrays serve chunks.
        vocabulary: the number of every term, in order of first appearance.
        terms: term number of each word, shape (w,).
        starts: where each word starts, ascending, shape (w,).
        ends: one past its last character, ascending, shape (w,).
        stretch_starts: where each stretch starts, ascending, shape (s,).
        stretch_ends: one past its last character, ascending, shape (s,).
        bigrams: which stretches give bigrams, shape (s,).
        least: characters that a word has at least.
    """

    def __init__(self, corpus: Corpus, rule: str, cancel: CancelToken | None = None) -> None:
        """Find every word of the corpus; linear in its text.

        Raises:
            InputError: for a rule that cannot be used.
            CancelledError: when `cancel` was raised meanwhile.
        """
        parsed = parse_rule(rule)
        self.corpus = corpus
        self.rule = rule
        self.local = parsed.atom is not None
        self.least = parsed.least
        self._fold = parsed.fold
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
            terms = np.fromiter(words, dtype=np.int32, count=len(found.starts))
            laid.add(found, terms, bases[-1])
            grown = grown_characters(document.text, folded)
            self._folded.append(None if grown is None else folded)
            self._marked.append("\ufeff" in document.text)
            self._grown.append(grown)
            bases.append(bases[-1] + len(folded) + 1)
        # From here on a word that is not there is an error, not a new number.
        numbers.default_factory = None
        self.vocabulary: dict[str, int] = numbers
        self._bases = np.array(bases, dtype=np.int64)
        self.terms: npt.NDArray[np.int32] = np.concatenate(laid.terms)
        self.starts, self.ends = np.concatenate(laid.starts), np.concatenate(laid.ends)
        self.bigrams: BoolArray = np.concatenate(laid.bigrams)
        self.stretch_starts, self.stretch_ends = self.starts, self.ends
        if self.bigrams.any():
            self.stretch_starts = np.concatenate(laid.stretch_starts)
            self.stretch_ends = np.concatenate(laid.stretch_ends)
        self._questions: dict[str, tuple[str, ...]] = {}
        self._queries: tuple[tuple[tuple[str, ...], bool], Queries] | None = None
        self._asked: tuple[IntArray, Occurrences] | None = None
        self._chunk_words: WeakValueDictionary[int, ChunkWords] = WeakValueDictionary()

    def words_of(self, question: str) -> tuple[str, ...]:
        """The words of a question, remembered: the same ones come with every configuration."""
        words = self._questions.get(question)
        if words is None:
            words = tuple(tokenise(question, self.rule))
            if len(self._questions) >= _REMEMBERED_QUESTIONS:
                self._questions.clear()
            self._questions[question] = words
        return words

    def queries(self, questions: Sequence[str], *, distinct: bool) -> Queries:
        """The words of these questions as term numbers; the last ones asked for are remembered.

        Args:
            questions: the questions.
            distinct: each word of a question counts once.
        """
        key = (tuple(questions), distinct)
        if self._queries is None or self._queries[0] != key:
            words = [self.words_of(question) for question in questions]
            if distinct:
                words = [tuple(dict.fromkeys(each)) for each in words]
            self._queries = (key, Queries(words, self.vocabulary))
        return self._queries[1]

    def look_up(self, questions: Sequence[str], *, distinct: bool) -> None:
        """Work out what `queries` and `occurrences` of these questions give, to be shared."""
        terms = self.queries(questions, distinct=distinct).terms
        self.occurrences(np.unique(terms[terms >= 0]))

    @cached_property
    def places(self) -> TermPlaces:
        """Where each term of the text stands."""
        return TermPlaces(self.terms, len(self.vocabulary))

    def occurrences(self, terms: IntArray) -> Occurrences:
        """The places of these terms (ascending); the last ones asked for are remembered."""
        own = terms[: np.searchsorted(terms, len(self.vocabulary))]
        if self._asked is None or not np.array_equal(self._asked[0], own):
            self._asked = (own, self.places.of(own))
        return self._asked[1]

    def chunk_words(self, chunks: ChunkSet, cancel: CancelToken | None = None) -> ChunkWords:
        """The words of these chunks; the same object while somebody holds it.

        `chunks` are of this index's corpus.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        # A live entry holds its chunk set, so the set's id cannot name another one meanwhile.
        known = self._chunk_words.get(id(chunks))
        if known is None:
            known = ChunkWords(self, chunks, cancel)
            self._chunk_words[id(chunks)] = known
        return known

    def place(self, chunks: ChunkSet) -> tuple[IntArray, IntArray]:
        """Starts and ends of the chunks' ranges in this index's positions, each (n,).

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
        """The folded texts of ranges of this index's positions, each inside its document."""
        bases = self._bases[documents]
        ranges = zip(
            documents.tolist(), (starts - bases).tolist(), (ends - bases).tolist(), strict=True
        )
        return [self._text(document, start, end) for document, start, end in ranges]

    def _text(self, document: int, start: int, end: int) -> str:
        folded = self._folded[document]
        if folded is not None:
            return folded[start:end]
        text = self.corpus.documents[document].text[start:end]
        return text.casefold() if self._fold else text


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
        self.terms = [np.zeros(0, dtype=np.int32)]
        self.starts = [none]
        self.ends = [none]
        self.stretch_starts = [none]
        self.stretch_ends = [none]
        self.bigrams = [np.zeros(0, dtype=np.bool_)]

    def add(self, found: WordPositions, terms: npt.NDArray[np.int32], base: int) -> None:
        self.terms.append(terms)
        self.starts.append((found.starts + base).astype(self._dtype))
        self.ends.append((found.ends + base).astype(self._dtype))
        self.bigrams.append(found.bigrams)
        if found.stretch_starts is found.starts:
            self.stretch_starts.append(self.starts[-1])
            self.stretch_ends.append(self.ends[-1])
        else:
            self.stretch_starts.append((found.stretch_starts + base).astype(self._dtype))
            self.stretch_ends.append((found.stretch_ends + base).astype(self._dtype))
