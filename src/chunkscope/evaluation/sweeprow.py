"""One row of a sweep: measured without lines of questions, small enough to hand around."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.budget import BudgetCurve
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.run import measure_only
from chunkscope.evaluation.statistics import bootstrap_intervals
from chunkscope.evaluation.summary import METRICS, nominal_context, oversize_warnings, summarise
from chunkscope.golden.model import LocatedQuestion
from chunkscope.splitting.chunks import ChunkSet, IntArray
from chunkscope.text.document import Corpus


@dataclass(frozen=True)
class RowOutcome:
    """What one configuration of a sweep gives.

    Attributes:
        evaluation: its numbers; no lines of questions, no chunk set.
        curve: recall at any budget its rankings reach.
        sizes: the sizes that chunks have, each once, ascending, shape (s,).
        size_counts: how many chunks have each, shape (s,).
        one_chunk: no document has more than one chunk.
        saturated: its context is over a third of the corpus.
    """

    evaluation: Evaluation
    curve: BudgetCurve
    sizes: IntArray
    size_counts: IntArray
    one_chunk: bool
    saturated: bool


def measure_row(
    index: CorpusIndex,
    configuration: Configuration,
    questions: Sequence[LocatedQuestion],
    *,
    reach: int,
    seed: int,
    cancel: CancelToken | None = None,
) -> RowOutcome:
    """Measure one row, with intervals of the metrics at the first cut-off.

    Args:
        index: the corpus.
        configuration: what to measure.
        questions: golden questions, located in this corpus.
        reach: tokens that the rankings go down to at least.
        seed: of the bootstrap.
        cancel: looked at between documents and questions.

    Raises:
        InputError: for settings that cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    measured = measure_only(index, configuration, questions, cancel=cancel, recall_budget=reach)
    chunks = measured.subject.chunks
    evaluation = summarise(measured, questions)
    context = evaluation.metrics["context_tokens"]
    third = index.tokens(configuration.splitter.encoding) / 3
    indexed = chunks.indexed
    sizes, size_counts = np.unique(indexed.sizes, return_counts=True)
    return RowOutcome(
        evaluation=replace(
            evaluation,
            chunks=no_chunks(index.corpus, indexed.size_limit),
            intervals=bootstrap_intervals(
                {
                    name: values
                    for name, values in evaluation.per_question.items()
                    if name in METRICS
                },
                seed=seed,
            ),
        ),
        curve=measured.curve,
        sizes=sizes,
        size_counts=size_counts,
        one_chunk=int(np.diff(chunks.first).max(initial=0)) <= 1,
        saturated=context is not None and context > third,
    )


def fold(outcome: RowOutcome, configuration: Configuration) -> RowOutcome:
    """The outcome of a configuration whose chunk set and retriever are those of `outcome`."""
    evaluation = outcome.evaluation
    metrics = dict(evaluation.metrics)
    if metrics["context_nominal"] is not None:
        metrics["context_nominal"] = nominal_context(configuration)
    size, kind = configuration.splitter.size, configuration.splitter.kind
    oversize = int(outcome.size_counts[outcome.sizes > size].sum())
    count = evaluation.statistics.count
    folded_from = evaluation.configuration.splitter
    before = oversize_warnings(
        evaluation.statistics.oversize, count, folded_from.size, folded_from.kind
    )
    others = tuple(line for line in evaluation.warnings if line not in before)
    folded = replace(
        evaluation,
        configuration=configuration,
        statistics=replace(evaluation.statistics, oversize=oversize),
        chunks=no_chunks(evaluation.chunks.corpus, size),
        metrics=metrics,
        warnings=(*others, *oversize_warnings(oversize, count, size, kind)),
    )
    return replace(outcome, evaluation=folded)


def fold_key(
    index: CorpusIndex, configuration: Configuration, cancel: CancelToken | None = None
) -> tuple[object, ...]:
    """Equal for rows whose numbers must be equal: chunk set, retriever, encoding.

    Raises:
        InputError: for settings that cannot work.
        CancelledError: when `cancel` was raised meanwhile.
    """
    chunks = index.retrieved_set(configuration.splitter, configuration.enrich, cancel)
    return row_key(chunk_digest(chunks), configuration)


def row_key(chunk_set: bytes, configuration: Configuration) -> tuple[object, ...]:
    """`fold_key` of a configuration whose chunk set has this digest."""
    return chunk_set, configuration.retriever, configuration.splitter.encoding


def digest_of(key: tuple[object, ...]) -> bytes:
    """The digest of the chunk set in a `fold_key`."""
    digest = key[0]
    assert isinstance(digest, bytes)
    return digest


def chunk_digest(chunks: ChunkSet) -> bytes:
    """Equal for chunk sets of one corpus with the same ranges, texts and prefixes."""
    digest = blake2b(digest_size=20)
    for array in (chunks.first, chunks.starts, chunks.ends):
        digest.update(np.ascontiguousarray(array, np.int64).tobytes())
    for cuts in chunks.cuts:
        for index, text in sorted(cuts.altered.items()):
            digest.update(f"{index} {len(text)} ".encode())
            digest.update(text.encode("utf-8", "surrogatepass"))
        for index, spans in sorted(cuts.spans.items()):
            digest.update(f"{index} {[tuple(span) for span in spans]}".encode())
        digest.update(b"\0")
    for chunk, prefix in sorted(chunks.prefixes.items()):
        digest.update(f"{chunk} {len(prefix)} ".encode())
        digest.update(prefix.encode("utf-8", "surrogatepass"))
    if chunks.children is not None:
        digest.update(chunk_digest(chunks.children.chunks))
    return digest.digest()


def no_chunks(corpus: Corpus, size_limit: int) -> ChunkSet:
    """An empty chunk set: rows of a sweep do not keep theirs."""
    empty = np.zeros(0, np.int64)
    return ChunkSet(corpus, (), empty, empty, size_limit)
