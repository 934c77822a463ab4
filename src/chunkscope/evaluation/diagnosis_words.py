"""Which words of a question its evidence's chunk lacks, and where they stand instead."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from chunkscope.evaluation.diagnosis_proofs import (
    OrphanedProof,
    Proof,
    Signature,
    VocabularyProof,
    chunk_at,
)
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.golden.model import Place
from chunkscope.retrieval.protocol import Retriever
from chunkscope.text.headings import Heading, headings


@dataclass(frozen=True)
class _Source:
    """Where words might stand instead."""

    where: Literal["heading", "chunk before", "chunk after"]
    chunk: int
    words: frozenset[str]
    heading: str = ""


class WordExaminer:
    """Compares questions with the chunks that hold their evidence, word by word."""

    def __init__(self, index: CorpusIndex, evaluation: Evaluation, retriever: Retriever) -> None:
        self._index = index
        self._evaluation = evaluation
        self._chunks = evaluation.chunks
        self._retriever = retriever
        self._words = index.words_for(evaluation.configuration.retriever)
        self._chunk_words = self._words.chunk_words(evaluation.chunks)
        self._frequency: dict[str, int] = {}
        self._headings: dict[int, list[Heading]] = {}

    def learn(self, questions: Iterable[str]) -> None:
        """Count the chunks that hold each word of these questions, all at once."""
        words = sorted({word for text in questions for word in self._words.words_of(text)})
        numbers = np.array(self._chunk_words.numbers(words), np.int64)
        terms, place = np.unique(numbers, return_inverse=True)
        known = terms >= 0
        counts = np.zeros(len(terms), np.int64)
        if known.any():
            counts[known] = self._chunk_words.postings(terms[known]).document_frequencies
        self._frequency |= dict(zip(words, counts[place].tolist(), strict=True))

    def examine(self, result: QuestionResult, item: int) -> tuple[Signature, Proof] | None:
        """Orphaned or vocabulary, where its proof holds."""
        outcome = result.outcomes[item]
        assert outcome.chunk is not None
        question = result.located.question.question
        query = tuple(dict.fromkeys(self._words.words_of(question)))
        held = self._held(query, outcome.chunk)
        orphaned = self._orphaned(result, item, [word for word in query if word not in held])
        if orphaned is not None:
            return "orphaned", orphaned
        telling = tuple(word for word in query if self._tells(word))
        if held.intersection(telling):
            return None
        shown = self._words.shown(question)
        return "vocabulary", VocabularyProof(
            holder=chunk_at(self._chunks, outcome.chunk),
            rank=outcome.rank,
            telling=tuple(shown[word] for word in telling),
            common=tuple(shown[word] for word in query if word in held),
            absent=tuple(shown[word] for word in query if not self._frequency[word]),
        )

    def _orphaned(
        self, result: QuestionResult, item: int, missing: Sequence[str]
    ) -> OrphanedProof | None:
        outcome = result.outcomes[item]
        assert outcome.chunk is not None
        assert outcome.place is not None
        wanted = frozenset(word for word in missing if self._tells(word))
        if not wanted:
            return None
        question = result.located.question.question
        score = sum(part for _, part in self._retriever.explain(question, outcome.chunk))
        cut_off = self._cut_off(result)
        best: OrphanedProof | None = None
        shown = self._words.shown(question)
        for source in self._sources(outcome.chunk, outcome.place, wanted):
            parts = dict(self._retriever.explain(question, source.chunk))
            there = tuple(shown[word] for word in missing if word in source.words)
            there = tuple(word for word in there if word in parts)
            gain = sum(parts[word] for word in there)
            if gain < score or score + gain <= cut_off or (best and gain <= best.gain):
                continue
            best = OrphanedProof(
                holder=chunk_at(self._chunks, outcome.chunk),
                rank=outcome.rank,
                score=score,
                where=source.where,
                heading=source.heading,
                neighbour=chunk_at(self._chunks, source.chunk),
                words=there,
                gain=gain,
                cut_off=cut_off,
            )
        return best

    def _sources(self, chunk: int, place: Place, wanted: frozenset[str]) -> list[_Source]:
        """Headings over the evidence, nearest first, and the chunks beside; with wanted words."""
        found: list[_Source] = []
        position = int(self._chunks.documents[chunk])
        for heading in self._headings_over(position, place.span.start):
            holder = self._chunk_of(position, heading.span.start)
            if holder is None or holder == chunk:
                continue
            words = wanted.intersection(self._words.words_of(heading.title))
            found.append(_Source("heading", holder, words, heading.title))
        first, last = self._chunks.first[position : position + 2].tolist()
        if chunk > first:
            found.append(self._beside("chunk before", chunk - 1, wanted))
        if chunk + 1 < last:
            found.append(self._beside("chunk after", chunk + 1, wanted))
        return [source for source in found if source.words]

    def _beside(
        self, where: Literal["chunk before", "chunk after"], chunk: int, wanted: frozenset[str]
    ) -> _Source:
        return _Source(where, chunk, frozenset(self._held(tuple(wanted), chunk)))

    def _headings_over(self, position: int, offset: int) -> list[Heading]:
        if position not in self._headings:
            document = self._index.corpus.documents[position]
            pattern = self._evaluation.configuration.enrich.heading_pattern
            self._headings[position] = headings(
                document.text, document_id=document.id, origin=document.origin, pattern=pattern
            )
        over: list[Heading] = []
        for heading in reversed(self._headings[position]):
            if heading.span.start <= offset and (not over or heading.level < over[-1].level):
                over.append(heading)
        return over

    def _chunk_of(self, position: int, offset: int) -> int | None:
        """The last chunk that begins at or before an offset, where it reaches it."""
        cuts = self._chunks.cuts[position]
        index = int(np.searchsorted(cuts.starts, offset, "right")) - 1
        if index < 0 or int(cuts.ends[index]) <= offset:
            return None
        return int(self._chunks.first[position]) + index

    def _held(self, words: Sequence[str], chunk: int) -> set[str]:
        terms = set(self._chunk_words.terms(chunk).tolist())
        numbers = self._chunk_words.numbers(words)
        return {word for word, number in zip(words, numbers, strict=True) if number in terms}

    def _tells(self, word: str) -> bool:
        """Whether a query word stands in some chunk, and in no more than half of them."""
        return 0 < 2 * self._frequency[word] <= len(self._chunks)

    def _cut_off(self, result: QuestionResult) -> float:
        """Score of the last chunk taken; 0 where there was room for any that matches."""
        settings = self._evaluation.configuration.retriever
        if not result.context or (not settings.budget and result.context < settings.k[0]):
            return 0.0
        return result.retrieved[result.context - 1].score
