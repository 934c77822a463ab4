"""`semantic`: cut where what the sentences say changes, by the vectors of an embedder."""

import math
from collections import OrderedDict
from dataclasses import replace
from hashlib import blake2b
from threading import Lock
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.embedding.protocol import Embedder, Vectors, embed_slices
from chunkscope.errors import InputError
from chunkscope.splitting.checking import check_unit
from chunkscope.splitting.chunks import Cuts, IntArray
from chunkscope.splitting.packing import PackedText, Parts
from chunkscope.splitting.semantic_breakpoints import BREAKPOINT_RULES, FloatArray, break_places
from chunkscope.splitting.semantic_clusters import cluster_starts
from chunkscope.splitting.semantic_embedders import check_embedder, get_embedder
from chunkscope.splitting.sentence import clause_walk, find_sentences
from chunkscope.splitting.settings import Breakpoint, SplitterSettings
from chunkscope.splitting.units import UNITS, BatchLength, length_function
from chunkscope.splitting.whitespace import SpaceRuns

CLUSTER = "cluster"

_MOST_BUFFER = 100
_SIZES_KEPT = 4
_NUMBERS_KEPT = 1 << 22

AnyArray = npt.NDArray[Any]


class Sentences:
    """Remembers where sentences stand and how far apart they are, which no threshold changes.

    Thread-safe; texts themselves are not kept.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], AnyArray] = OrderedDict()
        self._kept = 0
        self._lock = Lock()

    def bounds(self, text: str, cancel: CancelToken | None) -> IntArray:
        """Where each sentence starts, and the text's end last, shape (n + 1,)."""
        key = (_digest(text),)
        known = self._get(key)
        if known is None:
            known = self._put(key, find_sentences(text, cancel).bounds)
        return known

    def distances(
        self, text: str, embedder: Embedder, buffer: int, cancel: CancelToken | None
    ) -> FloatArray:
        """1 − cosine of each sentence's group and the next one's, shape (n - 1,)."""
        key = (_digest(text), embedder, buffer)
        known = self._get(key)
        if known is None:
            groups = group_vectors(text, self.bounds(text, cancel), embedder, buffer, cancel)
            likeness = np.einsum("ij,ij->i", groups[:-1], groups[1:], dtype=np.float64)
            known = self._put(key, 1.0 - likeness)
        return known

    def _get(self, key: tuple[object, ...]) -> AnyArray | None:
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)

    def _put(self, key: tuple[object, ...], found: AnyArray) -> AnyArray:
        with self._lock:
            if key not in self._known:
                self._known[key] = found
                self._kept += len(found)
            while self._kept > _NUMBERS_KEPT and len(self._known) > 1:
                self._kept -= len(self._known.popitem(last=False)[1])
        return found


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).digest()


def group_vectors(
    text: str, bounds: IntArray, embedder: Embedder, buffer: int, cancel: CancelToken | None
) -> Vectors:
    """The vector of each sentence with `buffer` sentences on either side, as they stand, (n, d).

    Args:
        text: the text.
        bounds: where each sentence starts, and the text's end last, shape (n + 1,).
        embedder: embeds the groups.
        buffer: sentences on either side.
        cancel: looked at meanwhile.
    """
    number = np.arange(len(bounds) - 1)
    starts = bounds[np.maximum(number - buffer, 0)].astype(np.int32)
    ends = bounds[np.minimum(number + buffer + 1, len(number))].astype(np.int32)
    starts, ends = SpaceRuns(text).strip(starts, ends)
    starts = np.minimum(starts, ends)
    return embed_slices(embedder, text, starts.astype(np.int64), ends.astype(np.int64), cancel)


class SemanticText:
    """A text whose sentences are embedded once, and packed at any size and overlap."""

    def __init__(self, text: str, settings: SplitterSettings, sentences: Sentences) -> None:
        """Prepare a text of which nothing is known yet; size and overlap play no part."""
        self._text = text
        self._settings = settings
        self._sentences = sentences
        self._length: BatchLength | None = None
        if settings.unit != "characters":
            self._length = length_function(settings.unit, settings.encoding)
        self._clustered: tuple[npt.NDArray[np.float64], IntArray] | None = None
        self._packed: OrderedDict[int, tuple[Parts, PackedText]] = OrderedDict()

    def cut(self, size: int, overlap: int, cancel: CancelToken | None = None) -> Cuts:
        """The chunks at this size and overlap; see `PreparedText`."""
        if not self._text:
            empty = np.zeros(0, dtype=np.int64)
            return Cuts(empty, empty)
        parts, packed = self._pack(size, cancel)
        cuts = packed.cut(size, overlap, cancel)
        of_section = np.searchsorted(parts.bounds[parts.sections], cuts.starts, "right")
        longer = int(np.count_nonzero(np.bincount(of_section) > 1))
        return replace(cuts, divided=longer)

    def _pack(self, size: int, cancel: CancelToken | None) -> tuple[Parts, PackedText]:
        """Sentences and where semantic chunks begin; of clusters, for the sizes used last."""
        key = size if self._settings.breakpoint == CLUSTER else 0
        if key not in self._packed:
            parts = self._parts(size, cancel)
            strip = self._settings.strip
            self._packed[key] = (
                parts,
                PackedText(
                    self._text,
                    lambda _text, _cancel: parts,
                    clause_walk(self._length, strip=strip),
                    self._length,
                    strip=strip,
                ),
            )
        self._packed.move_to_end(key)
        while len(self._packed) > _SIZES_KEPT:
            self._packed.popitem(last=False)
        return self._packed[key]

    def _parts(self, size: int, cancel: CancelToken | None) -> Parts:
        bounds, settings = self._sentences.bounds(self._text, cancel), self._settings
        if settings.breakpoint == CLUSTER:
            vectors, lengths = self._clusterable(bounds, cancel)
            sections = cluster_starts(vectors, lengths, size, cancel)
        else:
            rule = BREAKPOINT_RULES[settings.breakpoint]
            distances = self._sentences.distances(
                self._text, get_embedder(settings.embedder), settings.buffer, cancel
            )
            places = break_places(distances, rule, amount_of(settings))
            sections = np.append(0, places + 1)
        return Parts(bounds, sections, np.zeros(len(bounds) - 1, dtype=np.bool_))

    def _clusterable(
        self, bounds: IntArray, cancel: CancelToken | None
    ) -> tuple[npt.NDArray[np.float64], IntArray]:
        """Vectors and lengths of the sentences."""
        if self._clustered is None:
            embedder = get_embedder(self._settings.embedder)
            vectors = group_vectors(self._text, bounds, embedder, 0, cancel)
            places = zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
            texts = [self._text[start:end] for start, end in places]
            lengths = [len(text) for text in texts] if self._length is None else self._length(texts)
            self._clustered = vectors.astype(np.float64), np.array(lengths, dtype=np.int64)
        return self._clustered


class SemanticSplitter:
    """Chunks of whole sentences, begun where the embedder finds that the subject changes.

    By a threshold (`percentile`, `standard_deviation`, `interquartile`, `gradient`) a chunk ends
    where the distance from one sentence to the next is above it; one longer than the size is then
    cut further, as `sentence` does, and counted. `cluster` looks for the grouping itself, up to
    the size; `buffer` and `breakpoint_amount` play no part in it. Overlap stays within a chunk
    that was cut further.
    """

    unit: str | None = None
    uses = frozenset(
        {"size", "overlap", "unit", "encoding", "strip", "dedupe", "breakpoint",
         "breakpoint_amount", "buffer", "embedder"}
    )  # fmt: skip

    def __init__(self) -> None:
        self._sentences = Sentences()

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings: none; see `Splitter`."""
        check_unit(settings, UNITS)
        check_breakpoint(settings)
        check_embedder(settings.embedder)
        return []

    def prepare(self, text: str, settings: SplitterSettings) -> SemanticText:
        """The text, its sentences yet to be found and embedded; see `Splitter`."""
        return SemanticText(text, settings, self._sentences)


def amount_of(settings: SplitterSettings) -> float:
    """The percentile or factor of the settings' rule, its published one where none is given."""
    if isinstance(settings.breakpoint_amount, str):
        return BREAKPOINT_RULES[settings.breakpoint].amount
    return float(settings.breakpoint_amount)


def check_breakpoint(settings: SplitterSettings) -> None:
    """Refuse a rule, an amount or a buffer that cannot be used.

    Raises:
        InputError: naming the setting.
    """
    rules = get_args(Breakpoint)
    if settings.breakpoint not in rules:
        raise InputError(
            f"breakpoint: {settings.breakpoint!r} is not known; give one of {', '.join(rules)}"
        )
    amount: object = settings.breakpoint_amount
    if amount != "default":
        number = isinstance(amount, int | float) and not isinstance(amount, bool)
        if not number or not 0 <= amount_of(settings) < math.inf:
            raise InputError(
                f"breakpoint_amount: {amount!r} is no number from 0 up; give one, or default"
            )
        rule = BREAKPOINT_RULES.get(settings.breakpoint)
        if rule is not None and rule.most is not None and amount_of(settings) > rule.most:
            raise InputError(
                f"breakpoint_amount: {amount} is no percentile; {settings.breakpoint} takes "
                f"0 to {rule.most:.0f}"
            )
    buffer: object = settings.buffer
    if isinstance(buffer, bool) or not isinstance(buffer, int) or not 0 <= buffer <= _MOST_BUFFER:
        raise InputError(
            f"buffer: {buffer!r} is not a number of sentences from 0 to {_MOST_BUFFER}"
        )
