"""Chunk sets made part by part of a corpus and kept in a file, one looked at at a time."""

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, overload

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.context import CorpusWords, chunk_words
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.luck import phase_set
from chunkscope.retrieval.keptwords import AnyArray, KeptIndex, TermCounts, narrow
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.terms import WORDS_AS_THEY_STAND, TermRule
from chunkscope.splitting.chunks import ChunkSet, Cuts, IntArray
from chunkscope.splitting.seen import Seen
from chunkscope.text.document import Corpus
from chunkscope.text.spans import Span
from chunkscope.text.temporary import Spill

Rule = tuple[str, TermRule]
"""How words are found, and how they become terms."""

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A chunk set that is to be made.

    Attributes:
        configuration: what makes it; of its retriever only what the chunks depend on.
        phase: a boundary phase of it; None: as configured.
    """

    configuration: Configuration
    phase: int | None = None


def wanted_set(configuration: Configuration) -> Wanted:
    """The chunk set of a configuration; equal for those that have the same."""
    splitter = configuration.splitter
    plain = replace(splitter, overlap=splitter.overlap_size)
    return Wanted(replace(configuration, splitter=plain, retriever=RetrieverSettings()))


def rule_of(settings: RetrieverSettings) -> Rule:
    """The terms that a retriever counts."""
    return settings.words, TermRule.of(settings)


@dataclass(frozen=True)
class ChunkPart:
    """The chunks of some documents that follow one another.

    Attributes:
        counts: chunks of each document, shape (d,).
        starts: as in `Cuts`, document by document, shape (n,).
        ends: likewise.
        tokens: as in `ChunkSet`, shape (n,).
        sizes: likewise.
        space_words: white-space words of each chunk as sent, shape (n,).
        altered: texts of altered chunks, by document and chunk of it.
        spans: ranges of joined chunks, likewise.
        prefixes: by chunk of the part.
        size_limit: as in `ChunkSet`.
    """

    counts: AnyArray
    starts: AnyArray
    ends: AnyArray
    tokens: AnyArray
    sizes: AnyArray
    space_words: AnyArray
    altered: Mapping[int, Mapping[int, str]]
    spans: Mapping[int, Mapping[int, tuple[Span, ...]]]
    prefixes: Mapping[int, str]
    size_limit: int


@dataclass(frozen=True)
class SetPart:
    """A part of a chunk set with its terms.

    Attributes:
        chunks: the chunks.
        terms: terms of the chunks as indexed, by rule.
        own: words of their texts without prefixes, by rule of words; none where they are the same.
    """

    chunks: ChunkPart
    terms: Mapping[Rule, TermCounts]
    own: Mapping[str, TermCounts]


def make_part(
    index: CorpusIndex,
    wanted: Wanted,
    indexes: Mapping[Rule, KeptIndex],
    earlier: Seen | None,
    cancel: CancelToken | None = None,
) -> SetPart:
    """One chunk set of a part of the corpus.

    Args:
        index: the part.
        wanted: what is made of it.
        indexes: the terms that are counted.
        earlier: as in `build_chunk_set`; None where nothing is dropped.
        cancel: looked at meanwhile.

    Raises:
        InputError: for settings that cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    configuration = wanted.configuration
    if wanted.phase is None:
        chunks = index.chunk_set(
            configuration.splitter, configuration.enrich, cancel, earlier=earlier
        )
    else:
        chunks = phase_set(index, configuration, wanted.phase, cancel, earlier)
    terms: dict[Rule, TermCounts] = {}
    own: dict[str, TermCounts] = {}
    for rule, kept in indexes.items():
        words, term_rule = rule
        settings = RetrieverSettings(
            words=words, stem=term_rule.stem, stop_words=term_rule.stop_words
        )
        terms[rule] = kept.counted(index.words_for(settings), chunks)
        if chunks.prefixes and rule[1] == WORDS_AS_THEY_STAND and wanted.phase is None:
            own[words] = kept.counted(index.words(words), chunks, prefix=False)
    return SetPart(_chunk_part(chunks, index.space_words), terms, own)


def _chunk_part(chunks: ChunkSet, words: CorpusWords) -> ChunkPart:
    return ChunkPart(
        narrow(np.diff(chunks.first)),
        narrow(chunks.starts),
        narrow(chunks.ends),
        narrow(chunks.tokens),
        narrow(chunks.sizes),
        narrow(chunk_words(chunks, words)),
        {number: cuts.altered for number, cuts in enumerate(chunks.cuts) if cuts.altered},
        {number: cuts.spans for number, cuts in enumerate(chunks.cuts) if cuts.spans},
        chunks.prefixes,
        chunks.size_limit,
    )


class KeptSet:
    """One chunk set in a file, part by part."""

    def __init__(self, spill: Spill, parts: int) -> None:
        """Nothing yet of so many parts."""
        self._spill = spill
        self._chunks: list[Place] = [(0, 0)] * parts
        self._terms: dict[Rule, list[Place]] = {}
        self._own: dict[str, list[Place]] = {}

    def put(self, number: int, part: SetPart) -> None:
        """Write a part.

        Raises:
            InputError: when there is no room.
        """
        parts = len(self._chunks)
        self._chunks[number] = self._dump(part.chunks)
        for rule, terms in part.terms.items():
            self._terms.setdefault(rule, [(0, 0)] * parts)[number] = self._dump(terms)
        for words, own in part.own.items():
            self._own.setdefault(words, [(0, 0)] * parts)[number] = self._dump(own)

    def has(self, rule: Rule) -> bool:
        """Whether terms by this rule are kept."""
        return rule in self._terms

    def chunks(self, corpus: Corpus) -> tuple[ChunkSet, IntArray]:
        """The chunk set over its corpus, and the white-space words of each chunk."""
        parts: list[ChunkPart] = [self._load(place) for place in self._chunks]
        counts = _laid([part.counts for part in parts])
        first = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        altered: dict[int, Mapping[int, str]] = {}
        spans: dict[int, Mapping[int, tuple[Span, ...]]] = {}
        prefixes: dict[int, str] = {}
        documents = 0
        for part in parts:
            number = int(first[documents])
            altered |= {documents + one: texts for one, texts in part.altered.items()}
            spans |= {documents + one: ranges for one, ranges in part.spans.items()}
            prefixes |= {number + one: prefix for one, prefix in part.prefixes.items()}
            documents += len(part.counts)
        starts = _laid([part.starts for part in parts])
        ends = _laid([part.ends for part in parts])
        chunks = ChunkSet(
            corpus,
            KeptCuts(first, starts, ends, altered, spans),
            _laid([part.tokens for part in parts]),
            _laid([part.sizes for part in parts]),
            parts[0].size_limit,
            prefixes,
        )
        return chunks, _laid([part.space_words for part in parts])

    def terms(self, rule: Rule) -> list[TermCounts]:
        """The terms of the chunks as indexed, part by part."""
        return [self._load(place) for place in self._terms[rule]]

    def own(self, words: str) -> list[TermCounts] | None:
        """The words of the chunks' own texts, part by part; None: they are those as indexed."""
        if words not in self._own:
            return None
        # A part without prefixes has but the one kind.
        places = zip(self._own[words], self._terms[words, WORDS_AS_THEY_STAND], strict=True)
        return [self._load(own if own[1] else indexed) for own, indexed in places]

    def _dump(self, value: object) -> Place:
        return self._spill.put(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))

    def _load(self, place: Place) -> Any:
        # Written by this process into a file that has no name: nobody else can have put it there.
        return pickle.loads(self._spill.get(place))


class KeptCuts(Sequence[Cuts]):
    """The cuts of every document, each made when it is looked at."""

    def __init__(
        self,
        first: IntArray,
        starts: IntArray,
        ends: IntArray,
        altered: Mapping[int, Mapping[int, str]],
        spans: Mapping[int, Mapping[int, tuple[Span, ...]]],
    ) -> None:
        """Out of arrays over all chunks; `first` is that of `ChunkSet`."""
        self._first = first
        self._starts, self._ends = starts, ends
        self._altered, self._spans = altered, spans

    def __len__(self) -> int:
        return len(self._first) - 1

    @overload
    def __getitem__(self, index: int) -> Cuts: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cuts]: ...
    def __getitem__(self, index: int | slice) -> Cuts | Sequence[Cuts]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        return self._cuts(number, int(self._first[number]), int(self._first[number + 1]))

    def __iter__(self) -> Iterator[Cuts]:
        for number, (low, high) in enumerate(pairwise(self._first.tolist())):
            yield self._cuts(number, low, high)

    def _cuts(self, number: int, low: int, high: int) -> Cuts:
        return Cuts(
            self._starts[low:high],
            self._ends[low:high],
            self._altered.get(number, {}),
            self._spans.get(number, {}),
        )


def _laid(parts: Sequence[AnyArray]) -> IntArray:
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)
