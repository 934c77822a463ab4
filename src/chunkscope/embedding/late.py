"""Late chunking: a span's vector is the mean of its tokens' vectors, each seen in its context."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import pairwise

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.late_cache import FileRows, LateCache, default_late_folder
from chunkscope.embedding.late_reading import WindowReader
from chunkscope.embedding.model_config import ModelConfig, read_config
from chunkscope.embedding.models import check_local_model
from chunkscope.embedding.protocol import IntArray
from chunkscope.embedding.sums import TABLE_BYTES, FloatArray, Rows, TokenSums
from chunkscope.embedding.transformer import TransformerEmbedder
from chunkscope.errors import InputError
from chunkscope.text.display import visible

Progress = Callable[[int, int], None]
"""Told how many tokens are read, of how many that are not kept yet."""

_LOT_TOKENS = 1 << 16
_LOT_TEXTS = 64
_HELD_BYTES = 1 << 28
"""Token vectors that are kept in memory; those beyond are read from their files."""


def check_late_model(name: str) -> None:
    """Refuse to go on without a model that can be used; nothing is loaded.

    Raises:
        InputError: when the model is not found, or its vectors are no means of token vectors.
        MissingPackageError: when no package that runs it is installed; the command is named.
    """
    model = check_local_model(name)
    _check(model.name, read_config(model.folder))


class LateTexts:
    """Texts that a model reads once, for the vector of any span of them.

    A text longer than the model's context limit is read in windows; see `windows_of`. Token
    vectors are rounded to float16, which makes their sums exact: a span has the same vector
    however it is asked for. A span's tokens are those whose place overlaps it.

    Attributes:
        dimensions: length of a vector.
    """

    def __init__(
        self,
        embedder: TransformerEmbedder,
        texts: Sequence[str],
        cancel: CancelToken | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Read the texts that are not kept from an earlier time; each is kept once it is read.

        Raises:
            InputError: when the model's vectors are no means of token vectors, or what is read
                cannot be kept.
            CancelledError: when `cancel` was raised meanwhile; texts that were read stay kept.
        """
        _check(embedder.name, embedder.config)
        self.dimensions = embedder.dimensions
        reader = WindowReader(embedder)
        cache = LateCache(default_late_folder(), embedder.name, embedder.revision, reader.rule)
        distinct = list(dict.fromkeys(texts))
        number = {text: position for position, text in enumerate(distinct)}
        self._number = [number[text] for text in texts]
        self._starts: list[IntArray] = []
        self._ends: list[IntArray] = []
        missing: list[tuple[str, IntArray]] = []
        for text in distinct:
            if cancel is not None:
                cancel.check()
            places = embedder.engine.tokens.places(text)
            self._starts.append(np.maximum.accumulate(places.starts))
            self._ends.append(np.maximum.accumulate(places.ends))
            if len(places.ids) and not cache.whole(text, (len(places.ids), self.dimensions)):
                missing.append((text, places.ids))
        done, total = 0, sum(len(ids) for _, ids in missing)
        for lot in _lots(missing):
            with ExitStack() as files:
                arrays = [
                    files.enter_context(cache.writing(text, (len(ids), self.dimensions)))
                    for text, ids in lot
                ]
                for count in reader.fill([ids for _, ids in lot], arrays, cancel):
                    done += count
                    if progress is not None:
                        progress(done, total)
        self._sums = self._summed(cache, distinct, cancel)

    def vectors(
        self,
        documents: IntArray,
        starts: IntArray,
        ends: IntArray,
        cancel: CancelToken | None = None,
    ) -> FloatArray:
        """The mean of the token vectors of each span, float64, (n, d); zeros where it has none.

        Args:
            documents: the text of each span, by its number, shape (n,).
            starts: where each span starts in its text, shape (n,).
            ends: one past its end, shape (n,).
            cancel: looked at between texts.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        sums, counts = self._pooled(documents, starts, ends, cancel)
        sums /= np.maximum(counts, 1)[:, None]
        return sums

    def sums(
        self,
        documents: IntArray,
        starts: IntArray,
        ends: IntArray,
        cancel: CancelToken | None = None,
    ) -> FloatArray:
        """The exact sums of which `vectors` gives the means, float64, (n, d).

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        return self._pooled(documents, starts, ends, cancel)[0]

    def _pooled(
        self, documents: IntArray, starts: IntArray, ends: IntArray, cancel: CancelToken | None
    ) -> tuple[FloatArray, IntArray]:
        sums = np.zeros((len(documents), self.dimensions))
        counts = np.zeros(len(documents), np.int64)
        order = np.argsort(documents, kind="stable")
        parts = np.flatnonzero(np.diff(documents[order], prepend=-1, append=-1)).tolist()
        for begin, end in pairwise(parts):
            if cancel is not None:
                cancel.check()
            rows = order[begin:end]
            number = self._number[int(documents[rows[0]])]
            own = self._sums[number]
            if own is None:
                continue
            low, high = starts[rows], ends[rows]
            first = np.searchsorted(self._ends[number], low, side="right")
            last = np.searchsorted(self._starts[number], high, side="left")
            last = np.where(low < high, np.maximum(first, last), first)
            none = np.zeros(0, np.int64)
            sums[rows] = own.of_ranges(first, last, none, np.zeros(len(rows), np.int64))
            counts[rows] = last - first
        return sums, counts

    def _summed(
        self, cache: LateCache, texts: Sequence[str], cancel: CancelToken | None
    ) -> list[TokenSums | None]:
        """The sums over each text; None where it has no token."""
        total = sum(map(len, self._starts))
        room = _HELD_BYTES
        made: list[TokenSums | None] = []
        for text, starts in zip(texts, self._starts, strict=True):
            if cancel is not None:
                cancel.check()
            if not len(starts):
                made.append(None)
                continue
            every = np.arange(len(starts))
            file = FileRows(cache.path(text))
            room -= file.size
            rows: Rows = file[every] if room >= 0 else file
            table = TABLE_BYTES * len(starts) // total
            made.append(TokenSums(rows, every, table))
        return made


def _check(name: str, config: ModelConfig) -> None:
    if not config.plain or config.pooling != "mean":
        raise InputError(
            f"late: model {visible(name)} does not pool by the mean of its tokens' vectors; give "
            "one that does, such as all-MiniLM-L6-v2"
        )


def _lots(
    missing: Sequence[tuple[str, IntArray]],
) -> Iterator[list[tuple[str, IntArray]]]:
    """Texts that are read together, short ones many at a time."""
    lot: list[tuple[str, IntArray]] = []
    tokens = 0
    for text, ids in missing:
        if lot and (len(lot) == _LOT_TEXTS or tokens + len(ids) > _LOT_TOKENS):
            yield lot
            lot, tokens = [], 0
        lot.append((text, ids))
        tokens += len(ids)
    if lot:
        yield lot
