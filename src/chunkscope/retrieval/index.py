"""The terms of a corpus, found once for each rule and used for every chunk set."""

from collections.abc import Sequence
from functools import cached_property
from weakref import WeakValueDictionary

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.foundwords import TextTerms
from chunkscope.retrieval.postings import Occurrences, TermPlaces
from chunkscope.retrieval.queries import Queries
from chunkscope.retrieval.terms import WORDS_AS_THEY_STAND, TermMaker, TermRule, shown_terms
from chunkscope.retrieval.textwords import TextWords
from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import ChunkSet, IntArray
from chunkscope.text.document import Corpus

_REMEMBERED_QUESTIONS = 20_000


class WordIndex:
    """The words of a corpus under one rule, as the terms that retrievers count.

    Attributes:
        corpus: the documents.
        rule: what a word is: `unicode`, `whitespace` or a pattern.
        term_rule: how words become terms.
        text: the words and where they stand.
        text_terms: the terms of the words; None where every word is its own.
        vocabulary: the number of every term, in order of first appearance.
        terms: term number of each word that is no stop word, in order, shape (t,).
    """

    def __init__(
        self,
        corpus: Corpus,
        rule: str,
        cancel: CancelToken | None = None,
        *,
        term_rule: TermRule = WORDS_AS_THEY_STAND,
        plain: "WordIndex | None" = None,
    ) -> None:
        """Find every word of the corpus; linear in its text.

        Args:
            corpus: the documents.
            rule: what a word is.
            cancel: looked at meanwhile.
            term_rule: how words become terms.
            plain: an index of the same corpus by the same rule in which every word is its own
                term: its words are used.

        Raises:
            InputError: for a rule that cannot be used, or a language that is not known.
            CancelledError: when `cancel` was raised meanwhile.
        """
        self.corpus = corpus
        self.rule = rule
        self.term_rule = term_rule
        self.text_terms: TextTerms | None = None
        self._plain: WordIndex | None = None
        if term_rule.plain:
            self.text = TextWords(corpus, rule, cancel)
            self.vocabulary, self.terms = self.text.numbers, self.text.words
        else:
            maker = TermMaker(term_rule)
            self._plain = plain or WordIndex(corpus, rule, cancel)
            self.text = self._plain.text
            self.text_terms = TextTerms.of(self.text.words, self.text.numbers, maker)
            self.vocabulary, self.terms = self.text_terms.numbers, self.text_terms.terms
        self._questions: dict[str, tuple[str, ...]] = {}
        self._queries: tuple[tuple[tuple[str, ...], bool], Queries] | None = None
        self._asked: tuple[IntArray, Occurrences] | None = None
        self._chunk_words: WeakValueDictionary[int, ChunkWords] = WeakValueDictionary()

    @property
    def plain(self) -> "WordIndex":
        """The index by the same rule in which every word is its own term; perhaps itself."""
        return self if self._plain is None else self._plain

    def terms_of(self, text: str) -> list[str]:
        """The terms of any text, in order, repeats included."""
        words = tokenise(text, self.rule)
        return words if self.text_terms is None else self.text_terms.maker.kept(words)

    def shown(self, text: str) -> dict[str, str]:
        """How each term of a text is shown: as the text's own words, `running → run`."""
        words = tokenise(text, self.rule)
        terms = words if self.text_terms is None else self.text_terms.maker.terms(words)
        return shown_terms(words, terms)

    def words_of(self, question: str) -> tuple[str, ...]:
        """The terms of a question, remembered: the same ones come with every configuration."""
        words = self._questions.get(question)
        if words is None:
            words = tuple(self.terms_of(question))
            if len(self._questions) >= _REMEMBERED_QUESTIONS:
                self._questions.clear()
            self._questions[question] = words
        return words

    def queries(self, questions: Sequence[str], *, distinct: bool) -> Queries:
        """The terms of these questions as numbers; the last ones asked for are remembered.

        Args:
            questions: the questions.
            distinct: each term of a question counts once.
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
        """Where each term stands among the terms of the text."""
        return TermPlaces(self.terms, len(self.vocabulary))

    def occurrences(self, terms: IntArray) -> Occurrences:
        """The places of these terms (ascending); the last ones asked for are remembered."""
        own = terms[: np.searchsorted(terms, len(self.vocabulary))]
        if self._asked is None or not np.array_equal(self._asked[0], own):
            self._asked = (own, self.places.of(own))
        return self._asked[1]

    def chunk_words(self, chunks: ChunkSet, cancel: CancelToken | None = None) -> ChunkWords:
        """The terms of these chunks; the same object while somebody holds it.

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
