"""A corpus with everything that is worked out once for it and shared by configurations."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.context import CorpusWords, chunk_words
from chunkscope.evaluation.evidence import EvidenceTable, evidence_table
from chunkscope.evaluation.luck import phase_set
from chunkscope.evaluation.termcoverage import EvidenceWords
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.models import Models
from chunkscope.retrieval.parents import ParentRetriever
from chunkscope.retrieval.protocol import Retriever, close_retriever
from chunkscope.retrieval.registry import build_retriever, is_own, parts_of
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.terms import WORDS_AS_THEY_STAND, TermRule
from chunkscope.splitting.chunks import ChunkSet, Cuts, IntArray
from chunkscope.splitting.chunkset import build_chunk_set
from chunkscope.splitting.parents import cut_within, parent_cuts, parent_set
from chunkscope.splitting.protocol import PreparedText
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.seen import Seen
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus
from chunkscope.text.tokens import TokenSpans, get_token_counter

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_CHUNK_SETS = 24
_RETRIEVERS = 6
_PREPARED = 4
_WORD_RULES = 8
_COUNTED_TOGETHER = 2_000_000
_EVIDENCE = 4
_TOKEN_SPANS = 64


class CorpusIndex:
    """Caches over one corpus. Used by one thread at a time.

    Attributes:
        corpus: the documents.
        models: loads and calls what retrievers need.
        in_parts: whether it shares parts of the corpus out to processes by itself.
        progress: hears of (characters cut, characters to cut), where that goes part by part.
    """

    in_parts = False
    progress: Callable[[int, int], None] | None = None

    def __init__(self, corpus: Corpus, models: Models | None = None) -> None:
        self.corpus = corpus
        self.models = models or Models()
        self._prepared: _Recent[SplitterSettings, dict[int, PreparedText]] = _Recent(_PREPARED)
        self._words: _Recent[tuple[str, TermRule], WordIndex] = _Recent(_WORD_RULES)
        self._chunk_sets: _Recent[Hashable, ChunkSet] = _Recent(_CHUNK_SETS)
        self._retrievers: _Recent[Hashable, tuple[ChunkSet, Retriever]] = _Recent(
            _RETRIEVERS, _let_go
        )
        self._evidence: _Recent[int, tuple[Sequence[LocatedQuestion], EvidenceTable]] = _Recent(
            _EVIDENCE
        )
        self._evidence_words: _Recent[Hashable, tuple[EvidenceTable, EvidenceWords]] = _Recent(
            _EVIDENCE
        )
        self._token_spans: _Recent[Hashable, TokenSpans] = _Recent(_TOKEN_SPANS)
        self._tokens: dict[str, int] = {}

    def __reduce__(self) -> tuple[type["CorpusIndex"], tuple[Corpus]]:
        # Another process gets the documents, and works the rest out for itself.
        return CorpusIndex, (self.corpus,)

    def cuts(
        self, position: int, settings: SplitterSettings, cancel: CancelToken | None = None
    ) -> Cuts:
        """The chunks of the document at `position`, before duplicates are dropped.

        Raises:
            InputError: for settings that cannot work.
            CancelledError: when `cancel` was raised meanwhile.
        """
        prepared = self._prepare(position, settings)
        return prepared.cut(settings.size, settings.overlap_size, cancel)

    def chunk_set(
        self,
        splitter: SplitterSettings,
        enrich: EnrichSettings,
        cancel: CancelToken | None = None,
        progress: Callable[[int, int], None] | None = None,
        earlier: Seen | None = None,
    ) -> ChunkSet:
        """The chunks of the whole corpus; `progress` hears (documents done, documents).

        `earlier` is as in `build_chunk_set`, where this corpus is a part of a larger one.

        Raises:
            InputError: for settings that cannot work.
            CancelledError: when `cancel` was raised meanwhile.
        """
        key = (replace(splitter, overlap=splitter.overlap_size), enrich)
        known = self._chunk_sets.get(key)
        if known is not None:
            return known
        documents = self.corpus.documents
        cuts = []
        for position in range(len(documents)):
            cuts.append(self._indexed_cuts(position, splitter, enrich, cancel))
            if progress is not None:
                progress(position + 1, len(documents))
        return self._chunk_sets.put(
            key, build_chunk_set(self.corpus, cuts, splitter, enrich, earlier)
        )

    def retrieved_cuts(
        self,
        position: int,
        splitter: SplitterSettings,
        enrich: EnrichSettings,
        cancel: CancelToken | None = None,
    ) -> Cuts:
        """What can be returned of the document at `position`: its parents, or its chunks.

        Raises:
            InputError: for settings that cannot work.
            CancelledError: when `cancel` was raised meanwhile.
        """
        if enrich.parent == "none":
            return self.cuts(position, splitter, cancel)
        return parent_cuts(self.corpus.documents[position], splitter, enrich, cancel)

    def retrieved_set(
        self,
        splitter: SplitterSettings,
        enrich: EnrichSettings,
        cancel: CancelToken | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> ChunkSet:
        """What is returned: the parents with their children, or the chunks.

        Raises:
            InputError: for settings that cannot work.
            CancelledError: when `cancel` was raised meanwhile.
        """
        chunks = self.chunk_set(splitter, enrich, cancel, progress)
        if enrich.parent == "none":
            return chunks
        key = ("parents", replace(splitter, overlap=splitter.overlap_size), enrich)
        known = self._chunk_sets.get(key)
        if known is not None and known.indexed is chunks:
            return known
        positions = range(len(self.corpus.documents))
        parents = [self.retrieved_cuts(one, splitter, enrich, cancel) for one in positions]
        return self._chunk_sets.put(key, parent_set(chunks, parents, splitter, enrich))

    def retriever(
        self, settings: RetrieverSettings, chunks: ChunkSet, cancel: CancelToken | None = None
    ) -> Retriever:
        """The retriever over `chunks`; cut-offs, budget and ties play no part in it.

        Of parents, it ranks the children.

        Raises:
            InputError: for settings that cannot work.
            MissingPackageError: when a package is not installed; the command is named.
            CancelledError: when `cancel` was raised meanwhile.
        """
        # Only foreign code is asked for so many chunks.
        deep = settings.k if any(map(is_own, parts_of(settings))) else ()
        plain = replace(settings, k=deep, budget=0, ties="earlier")
        key = (plain, id(chunks))
        known = self._retrievers.get(key)
        # The entry holds its chunk set, so an id cannot be another set's meanwhile.
        if known is not None:
            return known[1]
        words = self.words_for(settings)
        retriever = build_retriever(settings, chunks.indexed, words, cancel, self.models)
        if chunks.children is not None:
            retriever = ParentRetriever(retriever, chunks.children.parents, len(chunks))
        return self._retrievers.put(key, (chunks, retriever))[1]

    def phase_set(
        self, configuration: Configuration, phase: int, cancel: CancelToken | None = None
    ) -> ChunkSet:
        """The chunk set of a boundary phase, one of `phases_of`.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        return phase_set(self, configuration, phase, cancel)

    def look_ahead(self, configurations: Sequence[Configuration]) -> None:
        """Told which chunk sets are asked for next; nothing is done for it here."""

    def look_ahead_phases(self, phases: Sequence[tuple[Configuration, int]]) -> None:
        """Likewise, which boundary phases."""

    def forget_chunks(self) -> None:
        """Let go of chunk sets and their retrievers; what is of the texts alone stays."""
        self._chunk_sets.clear()
        self._retrievers.clear()

    def forget_splitter(self, kind: str) -> None:
        """Let go of all that a kind of splitter made, because its code has changed."""
        self._prepared.drop(lambda settings: settings.kind == kind)
        self.forget_chunks()

    def words(self, rule: str) -> WordIndex:
        """The word positions of the corpus by one rule, every word its own term.

        Raises:
            InputError: for a rule that is no pattern.
        """
        key = (rule, WORDS_AS_THEY_STAND)
        known = self._words.get(key)
        return known if known is not None else self._words.put(key, WordIndex(self.corpus, rule))

    def words_for(self, settings: RetrieverSettings) -> WordIndex:
        """The terms of the corpus that a retriever counts.

        Raises:
            InputError: for a rule that is no pattern, or a language that is not known.
        """
        plain, term_rule = self.words(settings.words), TermRule.of(settings)
        if term_rule.plain:
            return plain
        key = (settings.words, term_rule)
        known = self._words.get(key)
        if known is None:
            made = WordIndex(self.corpus, settings.words, term_rule=term_rule, plain=plain)
            known = self._words.put(key, made)
        return known

    def tokens(self, encoding: str) -> int:
        """Tokens of all documents together, each counted whole.

        Raises:
            InputError: for an encoding whose vocabulary is not there.
        """
        if encoding not in self._tokens:
            count = get_token_counter(encoding).count
            self._tokens[encoding] = sum(sum(count(texts)) for texts in self._copies())
        return self._tokens[encoding]

    def _copies(self) -> Iterator[list[str]]:
        """The documents' texts, some at a time, as strings of their own.

        What counts them may keep their UTF-8 in the string, for as long as the string lives.
        """
        taken: list[str] = []
        characters = 0
        for document in self.corpus.documents:
            text = document.text
            taken.append(text if text.isascii() else text[:1] + text[1:])
            characters += len(text)
            if characters >= _COUNTED_TOGETHER:
                yield taken
                taken, characters = [], 0
        yield taken

    def token_spans(self, position: int, encoding: str) -> TokenSpans:
        """The tokens of the document at `position`."""
        key = (position, encoding)
        known = self._token_spans.get(key)
        if known is not None:
            return known
        spans = get_token_counter(encoding).token_spans(self.corpus.documents[position].text)
        return self._token_spans.put(key, spans)

    def evidence(self, questions: Sequence[LocatedQuestion]) -> EvidenceTable:
        """The evidence of `questions` as arrays; remembered where they cannot change."""
        if not isinstance(questions, tuple):
            return evidence_table(self.corpus, questions)
        known = self._evidence.get(id(questions))
        if known is not None:
            return known[1]
        table = evidence_table(self.corpus, questions)
        return self._evidence.put(id(questions), (questions, table))[1]

    def evidence_words(self, table: EvidenceTable, rule: str) -> EvidenceWords:
        """The words of this evidence by one rule."""
        key = (id(table), rule)
        known = self._evidence_words.get(key)
        if known is not None:
            return known[1]
        words = EvidenceWords(self.words(rule), table)
        return self._evidence_words.put(key, (table, words))[1]

    @cached_property
    def space_words(self) -> CorpusWords:
        """Where the words of `str.split` stand."""
        return CorpusWords(self.corpus)

    def space_word_counts(self, chunks: ChunkSet) -> IntArray:
        """White-space words of each chunk as sent (prefix counted), shape (n,)."""
        return chunk_words(chunks, self.space_words)

    def _indexed_cuts(
        self,
        position: int,
        splitter: SplitterSettings,
        enrich: EnrichSettings,
        cancel: CancelToken | None,
    ) -> Cuts:
        if enrich.parent == "none":
            return self.cuts(position, splitter, cancel)
        parents = self.retrieved_cuts(position, splitter, enrich, cancel)
        return cut_within(self.corpus.documents[position].text, parents, splitter, cancel)

    def _prepare(self, position: int, settings: SplitterSettings) -> PreparedText:
        # What does not depend on size and overlap is shared by every size and overlap.
        key = _without_size(settings)
        texts = self._prepared.get(key)
        if texts is None:
            texts = self._prepared.put(key, {})
        if position not in texts:
            text = self.corpus.documents[position].text
            texts[position] = get_splitter(settings.kind).prepare(text, settings)
        return texts[position]


@lru_cache(maxsize=64)
def _without_size(settings: SplitterSettings) -> SplitterSettings:
    return replace(settings, size=1, overlap=0, dedupe=False)


class _Recent(Generic[K, V]):
    """The values used last, up to a number."""

    def __init__(self, most: int, let_go: Callable[[V], None] | None = None) -> None:
        self._most = most
        self._let_go = let_go
        self._values: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def put(self, key: K, value: V) -> V:
        self._values[key] = value
        self._values.move_to_end(key)
        while len(self._values) > self._most:
            self._drop(next(iter(self._values)))
        return value

    def drop(self, which: Callable[[K], bool]) -> None:
        for key in [key for key in self._values if which(key)]:
            self._drop(key)

    def clear(self) -> None:
        for key in list(self._values):
            self._drop(key)

    def _drop(self, key: K) -> None:
        value = self._values.pop(key)
        if self._let_go is not None:
            self._let_go(value)


def _let_go(entry: tuple[ChunkSet, Retriever]) -> None:
    """Let a retriever empty what it filled."""
    close_retriever(entry[1])
