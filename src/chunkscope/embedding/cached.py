"""Embedders and cross-encoders that ask their cache first."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from chunkscope.cancel import CancelToken
from chunkscope.embedding.cache import VectorCache
from chunkscope.embedding.protocol import CrossEncoder, Embedder, IntArray, Vectors
from chunkscope.embedding.shelf import Progress, Shelf
from chunkscope.errors import InputError

Scores = npt.NDArray[np.float64]

_TEXTS_AT_ONCE = 64


@runtime_checkable
class LotEmbedder(Protocol):
    """What an embedder also is when it gives vectors as they come."""

    def embed_lots(
        self, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> Iterator[tuple[list[int], Vectors]]:
        """Lot by lot, in any order: places in `texts`, and a row each.

        All that came are given before a failure is raised.
        """
        ...


@runtime_checkable
class PairScorer(Protocol):
    """What a cross-encoder also is when it scores for several questions at once."""

    @property
    def questions_at_once(self) -> int:
        """Questions that are worth asking together."""
        ...

    def pair_lots(
        self, questions: Sequence[str], texts: Sequence[str], cancel: CancelToken | None = None
    ) -> Iterator[tuple[list[int], Scores]]:
        """Lot by lot, in any order: places in `texts`, each with its question, and a score each.

        All that came are given before a failure is raised.
        """
        ...


@runtime_checkable
class QuestionEmbedder(Protocol):
    """What an embedder also is when questions have other vectors than texts."""

    def embed_questions(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        """The vectors of questions, as `embed` gives those of texts."""
        ...


@runtime_checkable
class TokenCounting(Protocol):
    """What an embedder also is when it says how many tokens it sees in a text."""

    def token_counts(self, texts: Sequence[str]) -> IntArray:
        """Tokens of each text before it is cut, shape (n,)."""
        ...


class CachedEmbedder:
    """Gives what an embedder gives, and embeds only what its cache does not hold.

    Threads that share the cache object never have one text embedded twice: those that need new
    vectors of one model take turns. Two processes may each embed a text that neither finds in
    the file; both have its right vector, and the file keeps one.

    Attributes:
        embedded: texts that were embedded so far, the others came out of the cache.
    """

    def __init__(
        self, embedder: Embedder, cache: VectorCache, on_progress: Progress | None = None
    ) -> None:
        """An embedder over a cache.

        Args:
            embedder: what embeds.
            cache: where its vectors are kept.
            on_progress: told how many texts are embedded, of how many the cache does not hold.
        """
        self._embedder = embedder
        self._cache = cache
        self._on_progress = on_progress
        self.embedded = 0

    @property
    def name(self) -> str:
        """The embedder's name."""
        return self._embedder.name

    @property
    def revision(self) -> str:
        """The embedder's revision."""
        return self._embedder.revision

    @property
    def dimensions(self) -> int:
        """Length of a vector; 0 while neither the embedder nor the cache knows it."""
        return self._embedder.dimensions or self._shelf().dimensions

    @property
    def context_limit(self) -> int | None:
        """The embedder's context limit."""
        return self._embedder.context_limit

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Those of `texts` that the cache does not hold, each once; nothing is embedded.

        Raises:
            InputError: when the cache cannot be used.
        """
        return self._shelf().missing(texts, self.dimensions)

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        """The vectors of `texts`; each lot is kept as soon as it is there. See `Embedder`.

        Raises:
            InputError: when the cache cannot be used, or the embedder fails; what came is kept.
        """
        embedder = self._embedder
        lots = embedder.embed_lots if isinstance(embedder, LotEmbedder) else _lots(embedder.embed)
        return self._kept(self._shelf(), lots, texts, cancel)

    def embed_questions(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        """The vectors of questions, which differ from `embed`'s where the embedder says so.

        Raises:
            InputError: as `embed`.
        """
        embedder = self._embedder
        if not isinstance(embedder, QuestionEmbedder):
            return self.embed(texts, cancel)
        shelf = Shelf(self._cache, self.name, f"{self.revision} questions")
        return self._kept(shelf, _lots(embedder.embed_questions), texts, cancel)

    def token_counts(self, texts: Sequence[str]) -> IntArray:
        """Tokens of each text as the embedder counts them, shape (n,).

        Raises:
            InputError: when it does not count any.
        """
        if not isinstance(self._embedder, TokenCounting):
            raise InputError(f"embedder {self.name!r}: does not say how many tokens a text has")
        return self._embedder.token_counts(texts)

    def _shelf(self) -> Shelf:
        return Shelf(self._cache, self.name, self.revision)

    def _kept(
        self,
        shelf: Shelf,
        lots: Callable[[Sequence[str], CancelToken | None], Iterator[tuple[list[int], Vectors]]],
        texts: Sequence[str],
        cancel: CancelToken | None,
    ) -> Vectors:
        def made(places: list[int]) -> Iterator[tuple[list[int], Vectors]]:
            for numbers, rows in lots([texts[place] for place in places], cancel):
                yield numbers, rows
                # Counted after it was put: what this says was embedded is kept.
                self.embedded += len(numbers)

        while True:
            known = self._embedder.dimensions or shelf.dimensions
            vectors = shelf.get(texts, known)
            lacking = shelf.lacking(vectors)
            if not lacking:
                return vectors
            with shelf.turn(cancel):
                # Another thread may have learned the length meanwhile; then all is asked anew.
                if (self._embedder.dimensions or shelf.dimensions) == known:
                    length = shelf.fill(vectors, texts, lacking, made, self._on_progress)
                    if length == known:
                        return vectors
                    self._check_length(length)

    def _check_length(self, length: int) -> None:
        says = self._embedder.dimensions
        if says and says != length:
            raise InputError(
                f"embedder {self.name!r}: gave vectors of {length} numbers and says that it gives "
                f"{says}; check it"
            )


class CachedCrossEncoder:
    """Gives what a cross-encoder gives, and scores only what its cache does not hold.

    Scores are rounded to 32-bit floats, whether they come out of the cache or are new.

    Attributes:
        scored: texts that were scored so far, the others came out of the cache.
    """

    def __init__(self, cross_encoder: CrossEncoder, cache: VectorCache) -> None:
        self._cross_encoder = cross_encoder
        self._cache = cache
        self.scored = 0

    @property
    def name(self) -> str:
        """The cross-encoder's name."""
        return self._cross_encoder.name

    @property
    def revision(self) -> str:
        """The cross-encoder's revision."""
        return self._cross_encoder.revision

    @property
    def context_limit(self) -> int | None:
        """The cross-encoder's context limit."""
        return self._cross_encoder.context_limit

    def missing(self, question: str, texts: Sequence[str]) -> list[str]:
        """Those of `texts` whose score the cache does not hold, each once; nothing is scored.

        Raises:
            InputError: when the cache cannot be used.
        """
        once = list(dict.fromkeys(texts))
        held = {_pair(question, text): text for text in once}
        return [held[key] for key in self._shelf().missing(list(held), 1)]

    def score(
        self, question: str, texts: Sequence[str], cancel: CancelToken | None = None
    ) -> Scores:
        """The scores of `texts`; each lot is kept as soon as it is there. See `CrossEncoder`.

        Raises:
            InputError: when the cache cannot be used, or the cross-encoder fails; what came is
                kept.
        """
        return self.score_pairs([question] * len(texts), texts, cancel)

    @property
    def questions_at_once(self) -> int:
        """Questions that are worth asking together; 1 where the cross-encoder takes them singly."""
        encoder = self._cross_encoder
        return encoder.questions_at_once if isinstance(encoder, PairScorer) else 1

    def score_pairs(
        self, questions: Sequence[str], texts: Sequence[str], cancel: CancelToken | None = None
    ) -> Scores:
        """The scores of texts, each for its question, float64, shape (n,).

        Raises:
            InputError: as `score`.
        """
        shelf = self._shelf()
        keys = [_pair(*pair) for pair in zip(questions, texts, strict=True)]
        rows = shelf.get(keys, 1)
        lacking = shelf.lacking(rows)

        def made(places: list[int]) -> Iterator[tuple[list[int], Vectors]]:
            pairs = [(questions[place], texts[place]) for place in places]
            for numbers, scores in self._lots(pairs, cancel):
                yield numbers, scores.astype(np.float32)[:, None]
                self.scored += len(numbers)

        if lacking:
            with shelf.turn(cancel):
                shelf.fill(rows, keys, lacking, made)
        return rows[:, 0].astype(np.float64)

    def _shelf(self) -> Shelf:
        # Beside the vectors of a model of the same name, whose length must not be taken for this.
        return Shelf(self._cache, f"{self.name} scores", self.revision)

    def _lots(
        self, pairs: list[tuple[str, str]], cancel: CancelToken | None
    ) -> Iterator[tuple[list[int], Scores]]:
        encoder = self._cross_encoder
        if isinstance(encoder, PairScorer):
            questions, texts = zip(*pairs, strict=True)
            yield from encoder.pair_lots(questions, texts, cancel)
            return
        numbers: dict[str, list[int]] = {}
        for number, (question, _text) in enumerate(pairs):
            numbers.setdefault(question, []).append(number)
        for question, asked in numbers.items():
            yield asked, encoder.score(question, [pairs[number][1] for number in asked], cancel)


def _lots(
    embed: Callable[[Sequence[str], CancelToken | None], Vectors],
) -> Callable[[Sequence[str], CancelToken | None], Iterator[tuple[list[int], Vectors]]]:
    def lots(
        texts: Sequence[str], cancel: CancelToken | None
    ) -> Iterator[tuple[list[int], Vectors]]:
        for begin in range(0, len(texts), _TEXTS_AT_ONCE):
            if cancel is not None:
                cancel.check()
            part = texts[begin : begin + _TEXTS_AT_ONCE]
            yield list(range(begin, begin + len(part))), embed(part, cancel)

    return lots


def _pair(question: str, text: str) -> str:
    # With its length in front, no NUL within a question makes two pairs one.
    return f"{len(question)}\0{question}\0{text}"
