"""Boundary phases: the same setting with its boundaries elsewhere, to see what was luck."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.metrics import FloatArray
from chunkscope.splitting.chunks import ChunkSet, Cuts, IntArray
from chunkscope.splitting.chunkset import build_chunk_set
from chunkscope.splitting.seen import Seen
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.words import windows

if TYPE_CHECKING:
    from chunkscope.evaluation.index import CorpusIndex

PHASES = 8

_WINDOWS = frozenset({"words", "token"})

_SIZE_STEPS = tuple(
    sign * Fraction(step, 10_000) for step in (125, 250, 375, 500) for sign in (-1, 1)
)


@dataclass(frozen=True)
class Luck:
    """Recall over boundary phases.

    Attributes:
        mean: over the phases.
        low: lowest recall of a phase.
        high: highest.
        phases: recall of each phase.
        per_question: mean recall of each measured question over the phases, shape (m,).
    """

    mean: float
    low: float
    high: float
    phases: tuple[float, ...]
    per_question: FloatArray


def luck_of(phases: Sequence[FloatArray]) -> Luck:
    """The spread of recall; `phases` holds the recall of each question, phase by phase."""
    recalls = [float(recall.mean()) for recall in phases]
    return Luck(
        mean=float(np.mean(recalls)),
        low=min(recalls),
        high=max(recalls),
        phases=tuple(recalls),
        per_question=np.mean(phases, axis=0),
    )


def phases_of(configuration: Configuration) -> list[int]:
    """What each boundary phase sets; two that are equal have the same chunks.

    Fixed windows: the units s of the first chunk, s = ⌊i · step / 8⌋ for i = 0 … 7. Others: the
    sizes that are the configured one times 1 ± 1.25, 2.5, 3.75 and 5 %, rounded.
    """
    splitter = configuration.splitter
    if _are_windows(configuration):
        step = splitter.size - splitter.overlap_size
        return [number * step // PHASES for number in range(PHASES)]
    return [max(1, round(splitter.size * (1 + step))) for step in _SIZE_STEPS]


def phase_set(
    index: "CorpusIndex",
    configuration: Configuration,
    phase: int,
    cancel: CancelToken | None = None,
    earlier: Seen | None = None,
) -> ChunkSet:
    """The chunks of one of `phases_of`; `earlier` is as in `build_chunk_set`.

    Raises:
        CancelledError: when `cancel` was raised meanwhile.
    """
    splitter = configuration.splitter
    documents = range(len(index.corpus.documents))
    if _are_windows(configuration):
        cuts = [_shifted(index, position, splitter, phase, cancel) for position in documents]
        return _phase_set(index, cuts, configuration, splitter.size, earlier)
    resized = _resized(splitter, phase)
    if configuration.enrich.parent != "none":
        return index.retrieved_set(resized, configuration.enrich, cancel)
    cuts = [index.cuts(position, resized, cancel) for position in documents]
    return _phase_set(index, cuts, configuration, phase, earlier)


def _are_windows(configuration: Configuration) -> bool:
    """Whether chunks are windows over whole documents: inside parents only sizes can vary."""
    return configuration.splitter.kind in _WINDOWS and configuration.enrich.parent == "none"


def _phase_set(
    index: "CorpusIndex",
    cuts: list[Cuts],
    configuration: Configuration,
    size: int,
    earlier: Seen | None,
) -> ChunkSet:
    """The chunk set of a phase; its tokens are counted only where recall depends on them."""
    splitter, enrich = replace(configuration.splitter, size=size), configuration.enrich
    plain = not splitter.dedupe and enrich.prefix == "none"
    if not plain or configuration.retriever.budget:
        return build_chunk_set(index.corpus, cuts, splitter, enrich, earlier)
    uncounted = np.zeros(sum(map(len, cuts)), np.int64)
    return ChunkSet(index.corpus, tuple(cuts), uncounted, uncounted, size)


def _resized(splitter: SplitterSettings, size: int) -> SplitterSettings:
    # A fixed overlap may not fit a size that came out smaller.
    overlap = replace(splitter, size=size).overlap_size
    return replace(splitter, size=size, overlap=min(overlap, size - 1))


def _shifted(
    index: "CorpusIndex",
    position: int,
    splitter: SplitterSettings,
    shift: int,
    cancel: CancelToken | None,
) -> Cuts:
    """A first chunk of `shift` units, then windows from there on."""
    if cancel is not None:
        cancel.check()
    starts, ends, decode = _units(index, position, splitter)
    count = len(starts)
    first, last = windows(max(0, count - shift), splitter.size, splitter.overlap_size)
    first, last = first + shift, last + shift
    if shift > 0 and count:
        first = np.concatenate(([0], first))
        last = np.concatenate(([min(shift, count)], last))
    if not count:
        return Cuts(starts, ends)
    text = index.corpus.documents[position].text
    low, high = starts[first], ends[last - 1]
    altered: dict[int, str] = {}
    if decode is not None:
        for number, (start, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            decoded = decode(start, end)
            if decoded != text[low[number] : high[number]]:
                altered[number] = decoded
    return Cuts(low, high, altered)


def _units(
    index: "CorpusIndex", position: int, splitter: SplitterSettings
) -> tuple[IntArray, IntArray, Callable[[int, int], str] | None]:
    """Starts and ends of the words or tokens of a document, and how tokens are decoded."""
    if splitter.kind == "words":
        units = index.cuts(position, replace(splitter, size=1, overlap=0))
        return units.starts, units.ends, None
    spans = index.token_spans(position, splitter.encoding)
    return spans.starts, spans.ends, spans.decode
