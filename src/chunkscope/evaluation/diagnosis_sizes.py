"""Whether smaller chunks would have been taken."""

from collections.abc import Sequence
from dataclasses import replace

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.diagnosis_proofs import DilutedProof, RankAt, chunk_at
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.evaluation.run import evaluate
from chunkscope.splitting.registry import effective_unit

_QUARTERS = (3, 2, 1)

Failed = tuple[QuestionResult, int]


def ranks_at_smaller_sizes(
    index: CorpusIndex,
    evaluation: Evaluation,
    failed: Sequence[Failed],
    cancel: CancelToken | None = None,
) -> dict[tuple[str, int], DilutedProof]:
    """The proof for each item that some smaller size takes, by question id and item.

    The sizes are three quarters, half and a quarter; the overlap keeps its share of the size.
    """
    if not failed:
        return {}
    questions = {result.located.question.id: result.located for result, _ in failed}
    ranks: dict[tuple[str, int], list[RankAt]] = {}
    for configuration in smaller_configurations(evaluation.configuration):
        try:
            run = evaluate(index, configuration, tuple(questions.values()), cancel=cancel)
        except InputError:
            continue  # a size that this splitter cannot have proves nothing
        lines = dict(zip(questions, run.questions, strict=True))
        for result, item in failed:
            key = (result.located.question.id, item)
            outcome = lines[key[0]].outcomes[item]
            whole = outcome.state == "whole"
            rank = RankAt(configuration.splitter.size, outcome.rank, whole)
            ranks.setdefault(key, []).append(rank)
    unit = effective_unit(evaluation.configuration.splitter)
    proofs: dict[tuple[str, int], DilutedProof] = {}
    for result, item in failed:
        at_sizes = ranks.get((result.located.question.id, item), [])
        outcome = result.outcomes[item]
        if outcome.chunk is None or not any(at.whole for at in at_sizes):
            continue
        proofs[result.located.question.id, item] = DilutedProof(
            holder=chunk_at(evaluation.chunks, outcome.chunk),
            rank=outcome.rank,
            size=evaluation.configuration.splitter.size,
            unit=unit,
            tokens=int(evaluation.chunks.tokens[outcome.chunk]),
            at_sizes=tuple(at_sizes),
        )
    return proofs


def smaller_configurations(configuration: Configuration) -> list[Configuration]:
    """The same at smaller sizes, the largest first; none below size 2."""
    splitter = configuration.splitter
    sizes = dict.fromkeys(splitter.size * quarter // 4 for quarter in _QUARTERS)
    found = []
    for size in sizes:
        if not 1 <= size < splitter.size:
            continue
        overlap = splitter.overlap
        if not (isinstance(overlap, str) and overlap.strip().endswith("%")):
            overlap = splitter.overlap_size * size // splitter.size
        changed = replace(splitter, size=size, overlap=overlap)
        found.append(replace(configuration, splitter=changed))
    return found
