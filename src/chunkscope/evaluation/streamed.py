"""A corpus measured without being held: cut part by part, only numbers kept.

What a sweep asks of a corpus is asked here of chunk sets in a temporary file. Each is made of the
same parts by the same code as elsewhere, so that every number is the same.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.heap import give_back
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.keptsets import (
    KeptSet,
    Rule,
    SetPart,
    Wanted,
    make_part,
    rule_of,
    wanted_set,
)
from chunkscope.evaluation.pool import WorkerPool, may_fork, sensible_workers
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.keptwords import KeptIndex, KeptWords, joined
from chunkscope.retrieval.lexical import LexicalRetriever
from chunkscope.retrieval.models import Models
from chunkscope.retrieval.protocol import Matches, Retriever, ScoreBlock
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.terms import WORDS_AS_THEY_STAND
from chunkscope.splitting.chunks import ChunkSet, IntArray
from chunkscope.splitting.seen import Seen, SeenTexts
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus
from chunkscope.text.store import held_part, parts_of
from chunkscope.text.temporary import NoRoomError, Spill

PART = 1_000_000
"""Characters of documents that are held together, the last one over."""

_DOCUMENTS = 1_000
_ROOM = 4_000_000_000
"""Bytes of chunk sets that are kept at a time, about."""

_BYTES_A_CHARACTER = 0.3
"""What one chunk set takes of that, before it is known."""


def unstreamable(configuration: Configuration) -> str:
    """Why this must hold the corpus in memory; empty where it need not."""
    settings, enrich = configuration.retriever, configuration.enrich
    if settings.kind != "bm25":
        return f"retriever {settings.kind!r}"
    if settings.rerank != "none":
        return "reranking"
    return "parents" if enrich.parent != "none" else ""


class StreamedIndex(CorpusIndex):
    """Stands for a `CorpusIndex` in a sweep; for configurations that are not `unstreamable`.

    Attributes:
        corpus: the documents, their texts best in a `TextStore`.
    """

    in_parts = True

    def __init__(
        self,
        corpus: Corpus,
        questions: Sequence[LocatedQuestion],
        *,
        models: Models | None = None,
        part: int | None = None,
        room: int = _ROOM,
        workers: int | None = None,
    ) -> None:
        """No other question than `questions` is asked.

        Args:
            corpus: the documents.
            questions: golden questions, located in it.
            models: as in `CorpusIndex`.
            part: characters that are held together; None: about a million.
            room: bytes of chunk sets that are kept at a time, about.
            workers: processes; None: as many as it is worth.
        """
        super().__init__(corpus, models)
        self._texts = [one.question.question for one in questions]
        self._texts += _evidence_texts(corpus, questions)
        self._lengths = [document.length for document in corpus.documents]
        self._parts = parts_of(self._lengths, PART if part is None else part, _DOCUMENTS)
        self._room, self._workers = room, workers
        self._ahead: dict[Wanted, set[Rule]] = {}
        self._kept: dict[Wanted, KeptSet] = {}
        self._spill: Spill | None = None
        self._indexes: dict[Rule, KeptIndex] = {}
        self._shown: tuple[Wanted, ChunkSet, IntArray] | None = None

    def look_ahead(self, configurations: Sequence[Configuration]) -> None:
        """Chunk sets asked for next: made together as far as there is room."""
        self._ahead = {}
        for one in configurations:
            self._ahead.setdefault(wanted_set(one), set()).update(_rules(one.retriever))

    def look_ahead_phases(self, phases: Sequence[tuple[Configuration, int]]) -> None:
        """Likewise, boundary phases."""
        self._ahead = {}
        for one, phase in phases:
            self._ahead.setdefault(Wanted(one, phase), set()).add(rule_of(one.retriever))

    def chunk_set(
        self,
        splitter: SplitterSettings,
        enrich: EnrichSettings,
        cancel: CancelToken | None = None,
        progress: Callable[[int, int], None] | None = None,
        earlier: Seen | None = None,
    ) -> ChunkSet:
        """As `CorpusIndex.chunk_set`; held until another one is asked for."""
        wanted = wanted_set(Configuration(splitter, enrich))
        rules = self._ahead.get(wanted) or _rules(RetrieverSettings())
        return self._show(wanted, rules, cancel)

    def phase_set(
        self, configuration: Configuration, phase: int, cancel: CancelToken | None = None
    ) -> ChunkSet:
        """As `CorpusIndex.phase_set`; held until another chunk set is asked for."""
        rules = {rule_of(configuration.retriever)}
        return self._show(Wanted(configuration, phase), rules, cancel)

    def close(self) -> None:
        """Let go of every chunk set that is kept."""
        if self._spill is not None:
            self._spill.close()
        self._spill, self._kept = None, {}

    def retriever(
        self, settings: RetrieverSettings, chunks: ChunkSet, cancel: CancelToken | None = None
    ) -> Retriever:
        """As `CorpusIndex.retriever`, over the chunk set that was asked for last."""
        for rule in self._measured_rules(settings, chunks):
            self._keep_words(rule, chunks, cancel)
        made = super().retriever(settings, chunks, cancel)
        assert isinstance(made, LexicalRetriever)
        return _OneByOne(made)

    def words(self, rule: str) -> WordIndex:
        """The words asked for by one rule."""
        return self._index((rule, WORDS_AS_THEY_STAND))

    def words_for(self, settings: RetrieverSettings) -> WordIndex:
        """The terms asked for that a retriever counts."""
        return self._index(rule_of(settings))

    def space_word_counts(self, chunks: ChunkSet) -> IntArray:
        """White-space words of each chunk of the set that was asked for last."""
        return self._showing(chunks)[2]

    def _measured_rules(self, settings: RetrieverSettings, chunks: ChunkSet) -> set[Rule]:
        phase = self._showing(chunks)[0].phase
        return _rules(settings) if phase is None else {rule_of(settings)}

    def _index(self, rule: Rule) -> KeptIndex:
        if rule not in self._indexes:
            self._indexes[rule] = KeptIndex(self.corpus, rule[0], self._texts, rule[1])
        return self._indexes[rule]

    def _showing(self, chunks: ChunkSet) -> tuple[Wanted, ChunkSet, IntArray]:
        if self._shown is None or self._shown[1] is not chunks:
            raise ValueError("another chunk set was asked for meanwhile")
        return self._shown

    def _show(self, wanted: Wanted, rules: set[Rule], cancel: CancelToken | None) -> ChunkSet:
        if self._shown is not None and self._shown[0] == wanted:
            return self._shown[1]
        # One at a time is held.
        self._shown = None
        self.forget_chunks()
        for index in self._indexes.values():
            index.let_go()
        chunks, space_words = self._made(wanted, rules, cancel).chunks(self.corpus)
        self._shown = (wanted, chunks, space_words)
        return chunks

    def _keep_words(self, rule: Rule, chunks: ChunkSet, cancel: CancelToken | None) -> None:
        index = self._index(rule)
        if index.keeps(chunks):
            return
        kept = self._made(self._showing(chunks)[0], {rule}, cancel)
        own = kept.own(rule[0]) if rule[1] == WORDS_AS_THEY_STAND else None
        indexed, texts = joined(kept.terms(rule)), None if own is None else joined(own)
        index.keep(KeptWords(index.vocabulary, chunks, indexed, texts))

    def _made(self, wanted: Wanted, rules: set[Rule], cancel: CancelToken | None) -> KeptSet:
        """A kept chunk set; where it is not there, it is made, and those that come next with it."""
        known = self._kept.get(wanted)
        if known is not None and all(map(known.has, rules)):
            return known
        size = self._bytes_a_set()
        if self._spill is None or self._spill.size + size > self._room:
            self.close()
            self._spill = Spill()
        ahead = list(self._ahead)
        following = ahead[ahead.index(wanted) :] if wanted in self._ahead else []
        missing = [one for one in following if one != wanted and one not in self._kept]
        most = max(1, int((self._room - self._spill.size) / max(1.0, size)))
        made = {one: self._ahead.get(one, set()) for one in [wanted, *missing][:most]}
        made[wanted] = made[wanted] | rules
        try:
            self._make(made, self._spill, cancel)
        except NoRoomError:
            if len(made) == 1 and not self._kept:
                raise
            # The room is less than was thought: with what was kept given back, one set may fit.
            self._room = self._spill.size
            self.close()
            self._spill = Spill()
            self._make({wanted: made[wanted]}, self._spill, cancel)
        return self._kept[wanted]

    def _bytes_a_set(self) -> float:
        if self._spill is None or not self._kept:
            return _BYTES_A_CHARACTER * self.corpus.characters
        return self._spill.size / len(self._kept)

    def _make(
        self, sets: Mapping[Wanted, set[Rule]], spill: Spill, cancel: CancelToken | None
    ) -> None:
        """Go through the corpus once."""
        encodings = {one.configuration.splitter.encoding for one in sets} - set(self._tokens)
        assert all(sets.values())
        work = _Work(
            self.corpus,
            {one: {rule: self._index(rule) for rule in each} for one, each in sets.items()},
            frozenset(encodings),
            {one: SeenTexts() for one in sets if one.configuration.splitter.dedupe},
        )
        kept = {one: KeptSet(spill, len(self._parts)) for one in sets}
        tokens = dict.fromkeys(encodings, 0)
        done, total = 0, sum(self._lengths)
        with closing(self._answers(work, cancel)) as answers:
            for number, answer in answers:
                for one, part in zip(sets, answer.sets, strict=True):
                    kept[one].put(number, part)
                for encoding, count in answer.tokens.items():
                    tokens[encoding] += count
                first, last = self._parts[number]
                done += sum(self._lengths[first:last])
                if self.progress is not None:
                    self.progress(done, total)
                del answer
        self._kept |= kept
        self._tokens |= tokens

    def _answers(
        self, work: "_Work", cancel: CancelToken | None
    ) -> Generator[tuple[int, "_PartAnswer"]]:
        workers = self._workers
        if workers is None:
            workers = sensible_workers(sum(self._lengths) * len(work.sets))
        # What is dropped depends on all parts before; a process started afresh has not the texts.
        if work.earlier or workers < 2 or not may_fork():
            for number, part in enumerate(self._parts):
                yield number, _answer(work, part, cancel)
            return
        with WorkerPool[_Work, tuple[int, int], _PartAnswer](work, workers, _answer) as pool:
            yield from pool.answers(self._parts, cancel)


@dataclass(frozen=True)
class _Work:
    """What is made of every part."""

    corpus: Corpus
    sets: Mapping[Wanted, Mapping[Rule, KeptIndex]]
    encodings: frozenset[str]
    earlier: Mapping[Wanted, SeenTexts]


@dataclass(frozen=True)
class _PartAnswer:
    sets: tuple[SetPart, ...]
    tokens: Mapping[str, int]


def _answer(work: _Work, part: tuple[int, int], cancel: CancelToken | None = None) -> _PartAnswer:
    index = CorpusIndex(held_part(work.corpus, *part))
    sets: list[SetPart] = []
    for wanted, indexes in work.sets.items():
        sets.append(make_part(index, wanted, indexes, work.earlier.get(wanted), cancel))
        index.forget_chunks()
    answer = _PartAnswer(tuple(sets), {one: index.tokens(one) for one in work.encodings})
    del index
    give_back()
    return answer


class _OneByOne:
    """A retriever that is asked one question at a time: its postings are too many for all."""

    def __init__(self, retriever: LexicalRetriever) -> None:
        self._retriever = retriever

    def match(self, questions: Sequence[str]) -> Iterator[Matches]:
        """As that of the retriever."""
        for question in questions:
            yield from self._retriever.match([question])

    def blocks(self, questions: Sequence[str]) -> Iterator[ScoreBlock]:
        """As that of the retriever."""
        for question in questions:
            yield from self._retriever.blocks([question])

    def explain(self, question: str, chunk: int) -> list[tuple[str, float]]:
        """As that of the retriever."""
        return self._retriever.explain(question, chunk)


def _rules(settings: RetrieverSettings) -> set[Rule]:
    """The terms that are ranked by, and the words that evidence is looked for by."""
    return {rule_of(settings), (settings.words, WORDS_AS_THEY_STAND)}


def _evidence_texts(corpus: Corpus, questions: Sequence[LocatedQuestion]) -> list[str]:
    texts: list[str] = []
    for question in questions:
        for item in question.items:
            for place in item.places:
                position = corpus.position(place.doc)
                if position is not None:
                    text = corpus.documents[position].text
                    texts.append(text[place.span.start : place.span.end])
    return texts
