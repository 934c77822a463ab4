"""Long texts read by a model in windows: which there are, and whose vector a token takes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.batches import batches
from chunkscope.embedding.late_cache import Halves
from chunkscope.embedding.model_tokens import Tokens
from chunkscope.embedding.onnx_model import MOST_TEXTS, PLACES
from chunkscope.embedding.protocol import IntArray
from chunkscope.embedding.transformer import TransformerEmbedder
from chunkscope.errors import InputError
from chunkscope.text.display import visible

_RULE = "quarter-1"
_SHARED = 4
_LONGEST = 8192
"""Tokens of a window at most: what a model works on for one grows with their square."""


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens that are read together.

    Attributes:
        start: its first token.
        end: one past its last.
        first: the first token that takes its vector from this window.
        last: one past the last such token.
    """

    start: int
    end: int
    first: int
    last: int


def windows_of(tokens: int, width: int) -> list[Window]:
    """The windows of a text of that many tokens; each of these takes its vector from one.

    Windows are `width` tokens wide, the last one set back to end with the text; neighbours share
    a quarter at least. A token belongs to the window in which it stands furthest from an edge,
    to the first such on a tie; the text's own start and end are no edges.
    """
    if tokens <= width:
        return [Window(0, tokens, 0, tokens)] if tokens else []
    step = width - width // _SHARED
    starts = [*range(0, tokens - width, step), tokens - width]
    best = np.full(tokens, -1, np.int64)
    owner = np.zeros(tokens, np.int64)
    for number, start in enumerate(starts):
        here = slice(start, start + width)
        before = np.arange(width)
        far = np.full(width, tokens)
        left = far if number == 0 else before
        right = far if number == len(starts) - 1 else before[::-1]
        distance = np.minimum(left, right)
        better = distance > best[here]
        best[here] = np.where(better, distance, best[here])
        owner[here] = np.where(better, number, owner[here])
    bounds = np.searchsorted(owner, np.arange(len(starts) + 1)).tolist()
    return [
        Window(start, start + width, first, last)
        for start, first, last in zip(starts, bounds, bounds[1:], strict=False)
        if first < last
    ]


class WindowReader:
    """A model and how wide its windows are.

    Attributes:
        width: tokens of a text in a window.
        rule: names how windows are laid; token vectors of one rule are not those of another.
    """

    def __init__(self, embedder: TransformerEmbedder) -> None:
        """Windows as wide as the model's context limit allows.

        Raises:
            InputError: when its prompt leaves no room, or it has no tokenizer.json.
        """
        self._engine = embedder.engine
        tokens = embedder.engine.tokens
        prompt = tokens.places(embedder.config.prompt).ids
        self._head = np.concatenate([np.array(tokens.head, np.int64), prompt])
        self._tail = np.array(tokens.tail, np.int64)
        around = len(self._head) + len(self._tail)
        self.width = min(embedder.context_limit or _LONGEST, _LONGEST) - around
        self.rule = f"{_RULE}-{self.width}"
        if self.width < _SHARED:
            raise InputError(
                f"model {visible(embedder.name)}: its context limit of {embedder.context_limit} "
                f"tokens holds {around} around a text and none of the text; give another model"
            )

    def fill(
        self, texts: Sequence[IntArray], vectors: Sequence[Halves], cancel: CancelToken | None
    ) -> Iterator[int]:
        """Set the vectors of texts given by their tokens; says after each step how many are set.

        Raises:
            InputError: when the model cannot be run, or gives no finite number.
            CancelledError: when `cancel` was raised meanwhile.
        """
        work = [
            (number, window)
            for number, ids in enumerate(texts)
            for window in windows_of(len(ids), self.width)
        ]
        around = len(self._head) + len(self._tail)
        lengths = np.array([window.end - window.start + around for _, window in work], np.int64)
        for rows in batches(lengths, PLACES, MOST_TEXTS, cancel):
            part = [work[row] for row in rows.tolist()]
            given = [self._tokens(texts[number][one.start : one.end]) for number, one in part]
            made = self._engine.token_vectors(given)
            for (number, one), found in zip(part, made, strict=True):
                shift = len(self._head) - one.start
                own = found[one.first + shift : one.last + shift].astype(np.float16)
                if not np.isfinite(own).all():
                    raise InputError(
                        "late: the model gave a token vector that float16 cannot hold; give "
                        "another model"
                    )
                vectors[number][one.first : one.last] = own
            yield sum(one.last - one.first for _, one in part)

    def _tokens(self, ids: IntArray) -> Tokens:
        whole = np.concatenate([self._head, ids, self._tail])
        return Tokens(whole, np.zeros(len(whole), np.int64))
