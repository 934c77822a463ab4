"""Hand-made corpora, chunk sets, golden questions and rankings."""

from collections.abc import Sequence

import numpy as np

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.evidence import evidence_table
from chunkscope.evaluation.geometry import chunk_geometry
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.measure import Measured, Subject, measure
from chunkscope.evaluation.rankings import Rankings
from chunkscope.golden.model import (
    Evidence,
    LocatedEvidence,
    LocatedQuestion,
    Place,
    Question,
)
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet, Cuts
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.document import Corpus, Document
from chunkscope.text.spans import Span
from chunkscope.text.tokens import get_token_counter

Range = tuple[int, int]
PlaceList = Sequence[tuple[str, int, int]]


def make_corpus(*texts: str) -> Corpus:
    return Corpus(tuple(Document(f"d{number}", text) for number, text in enumerate(texts)))


def make_chunks(
    corpus: Corpus,
    ranges: Sequence[Sequence[Range | Sequence[Range]]],
    *,
    size_limit: int = 1_000_000,
    altered: dict[tuple[int, int], str] | None = None,
) -> ChunkSet:
    """Chunks of each document by their ranges; a list of ranges is one chunk joined of them."""
    cuts = []
    for position, of_document in enumerate(ranges):
        starts, ends, spans = [], [], {}
        for index, chunk in enumerate(of_document):
            if isinstance(chunk, tuple):
                starts.append(chunk[0])
                ends.append(chunk[1])
            else:
                starts.append(chunk[0][0])
                ends.append(chunk[-1][1])
                spans[index] = tuple(Span(*part) for part in chunk)
        changed = {
            index: text
            for (document, index), text in (altered or {}).items()
            if document == position
        }
        cuts.append(Cuts(np.array(starts, np.int64), np.array(ends, np.int64), changed, spans))
    counter = get_token_counter("cl100k_base")
    texts = [
        text
        for document, cut in zip(corpus.documents, cuts, strict=True)
        for text in cut.texts(document.text)
    ]
    tokens = np.array(counter.count(texts), np.int64)
    return ChunkSet(corpus, tuple(cuts), tokens, tokens, size_limit)


def make_question(
    number: int,
    items: Sequence[PlaceList],
    *,
    text: str = "which",
    type: str | None = None,
    missing: int = 0,
) -> LocatedQuestion:
    """A question whose items stand at the given places; `missing` more are found nowhere."""
    evidence = [
        LocatedEvidence(
            Evidence("given"),
            tuple(Place(doc, Span(low, high), "given") for doc, low, high in item),
        )
        for item in items
    ]
    evidence += [LocatedEvidence(Evidence("nowhere"), ())] * missing
    return LocatedQuestion(
        Question(f"q{number}", text, "d0", tuple(item.evidence for item in evidence), type=type),
        tuple(evidence),
    )


def make_rankings(rows: Sequence[Sequence[int]], totals: Sequence[int] | None = None) -> Rankings:
    """Rankings with falling scores and no ties."""
    width = max((len(row) for row in rows), default=0)
    chunks = np.full((len(rows), width), -1, np.int64)
    scores = np.full((len(rows), width), np.nan)
    for number, row in enumerate(rows):
        chunks[number, : len(row)] = row
        scores[number, : len(row)] = np.arange(len(row), 0, -1)
    counts = np.array([len(row) for row in rows], np.int64)
    complete = counts >= (counts if totals is None else np.array(totals))
    return Rankings(chunks, scores, counts, complete)


def measure_ranked(
    chunks: ChunkSet,
    questions: Sequence[LocatedQuestion],
    rows: Sequence[Sequence[int]],
    *,
    k: tuple[int, ...] = (5,),
    budget: int = 0,
    words: str = "unicode",
) -> Measured:
    """Measure given rankings of the measured questions."""
    configuration = Configuration(
        SplitterSettings(), retriever=RetrieverSettings(k=k, budget=budget, words=words)
    )
    index = CorpusIndex(chunks.corpus)
    table = evidence_table(chunks.corpus, questions)
    subject = Subject(index, configuration, chunks, chunk_geometry(chunks), table)
    return measure(subject, make_rankings(rows))
