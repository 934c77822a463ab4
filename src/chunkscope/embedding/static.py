"""`static`: a text's vector is the mean of its tokens' vectors, whatever order they stand in."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.lexicon import expanded
from chunkscope.embedding.protocol import IntArray, Vectors, unit_rows
from chunkscope.embedding.static_model import StaticModel, leading, load_static_model, plain, slices
from chunkscope.embedding.sums import FloatArray, TokenSums, add_lists


class StaticEmbedder:
    """Embeds by the word vectors of wordllama (256 dimensions).

    A mean and a sum point the same way, so every vector here is a sum at unit length.

    Attributes:
        model: vocabulary and vectors.
    """

    name = "wordllama/l2_supercat_256"
    dimensions = 256
    context_limit: int | None = None

    def __init__(self, model: StaticModel) -> None:
        """An embedder over a loaded model."""
        self.model = model

    @property
    def revision(self) -> str:
        """Version of the package that ships the vectors."""
        return self.model.revision

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        """The vectors of `texts`, float32 of unit length; see `Embedder`."""
        return unit_rows(self.sums(texts, cancel)).astype(np.float32)

    def embed_spans(
        self, text: str, starts: IntArray, ends: IntArray, cancel: CancelToken | None = None
    ) -> Vectors:
        """The vectors of spans of a text; see `SpanEmbedder`."""
        document = np.zeros(len(starts), dtype=np.int64)
        sums = StaticTexts(self.model, [text], cancel).sums(document, starts, ends, cancel=cancel)
        return unit_rows(sums).astype(np.float32)

    def sums(self, texts: Sequence[str], cancel: CancelToken | None = None) -> FloatArray:
        """The exact sums of the tokens' vectors, float64, shape (n, 256).

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        tokens, counts = self.model.tokens_of_texts(texts, cancel)
        sums = np.zeros((len(texts), self.dimensions))
        add_lists(self.model.vectors, sums, tokens, counts)
        return sums


@lru_cache(maxsize=1)
def get_static_embedder() -> StaticEmbedder:
    """The embedder; its model is loaded once.

    Raises:
        MissingPackageError: when wordllama is not installed; the command is named.
        InputError: when a file of it is missing or damaged.
    """
    return StaticEmbedder(load_static_model())


class StaticTexts:
    """Texts whose tokens are found once; any span's sum is a difference of two prefix sums.

    The tokens of a span are those of its text from the first border in it to the last; what
    stands before and after them is tokenised anew, as it would be at the edges of the span's own
    text.
    """

    def __init__(
        self, model: StaticModel, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> None:
        """Find the tokens of every text.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        self._model = model
        self._texts = texts
        none = np.zeros(0, dtype=np.int64)
        bounds, counts, spaced, tokens = [none], [none], [none.astype(np.bool_)], [none]
        bases = [0]
        for text in texts:
            if cancel is not None:
                cancel.check()
            spelled = plain(text)
            starts = model.segment_starts(text)
            segments = slices(spelled, starts)
            found, lengths = model.tokens_of(segments, cancel)
            tokens.append(found)
            # The text's end is a border too: an empty segment stands for it.
            bounds.append(np.append(starts, len(text)) + bases[-1])
            counts.append(np.append(lengths, 0))
            begins = [segment.startswith("▁") for segment in segments]
            spaced.append(np.array([*begins, False], dtype=np.bool_))
            bases.append(bases[-1] + len(text) + 1)
        self._bases = np.array(bases, dtype=np.int64)
        self._bounds = np.concatenate(bounds)
        self._spaced = np.concatenate(spaced)
        lengths = np.concatenate(counts)
        self._first = np.cumsum(lengths) - lengths
        self._sums = TokenSums(model.vectors, np.concatenate(tokens))

    def sums(
        self,
        documents: IntArray,
        starts: IntArray,
        ends: IntArray,
        *,
        inner: np.ndarray[tuple[int], np.dtype[np.bool_]] | None = None,
        cancel: CancelToken | None = None,
    ) -> FloatArray:
        """The exact sums over spans, float64, shape (n, 256).

        Args:
            documents: the text of each span, by its number, shape (n,).
            starts: where each span starts in its text, shape (n,).
            ends: one past its end, shape (n,).
            inner: spans that are no whole text but follow a line end, shape (n,); None: none are.
            cancel: looked at while edges are tokenised.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        bounds, base = self._bounds, self._bases[documents]
        low, high = starts + base, ends + base
        led = np.ones(len(low), dtype=np.bool_) if inner is None else ~inner
        led &= low < high
        first = np.searchsorted(bounds, low)
        # A word's own space stands right before the span, and is what a whole text begins with.
        before = np.maximum(first - 1, 0)
        own = led & (first > 0) & (bounds[before] == low - 1) & self._spaced[before]
        led &= ~own
        first = np.where(own, before, np.where(led, np.searchsorted(bounds, low, "right"), first))
        last = np.searchsorted(bounds, high, "right") - 1
        whole = first > last
        edges: list[str] = []
        owners: list[int] = []
        head = ~own & (led | (bounds[np.minimum(first, len(bounds) - 1)] > low)) & (low < high)
        stops = np.where(whole, high, bounds[np.minimum(first, len(bounds) - 1)])
        tail = ~whole & (bounds[last] < high)
        for mask, begin, end, lead in (
            (head & led, low, stops, True),
            (head & ~led, low, stops, False),
            (tail, bounds[last], high, False),
        ):
            rows = np.flatnonzero(mask)
            owners += rows.tolist()
            edges += self._edges(documents[rows], begin[rows], end[rows], lead=lead)
        tokens, counts = self._model.tokens_of(edges, cancel)
        owner = np.array(owners, dtype=np.int64)
        order = np.argsort(owner, kind="stable")
        tokens = tokens[expanded((np.cumsum(counts) - counts)[order], counts[order])]
        totals = np.bincount(owner, weights=counts, minlength=len(low)).astype(np.int64)
        begin, end = self._first[np.minimum(first, len(bounds) - 1)], self._first[last]
        begin = np.where(whole, end, begin)
        return self._sums.of_ranges(begin, end, tokens, totals)

    def _edges(
        self, documents: IntArray, begins: IntArray, ends: IntArray, *, lead: bool
    ) -> list[str]:
        bases = self._bases[documents]
        spell = leading if lead else plain
        return [
            spell(self._texts[document][begin:end])
            for document, begin, end in zip(
                documents.tolist(), (begins - bases).tolist(), (ends - bases).tolist(), strict=True
            )
        ]
