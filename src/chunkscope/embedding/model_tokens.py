"""Token numbers as a model's own tokenizer.json makes them."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkscope.embedding.protocol import IntArray
from chunkscope.errors import InputError
from chunkscope.text.display import visible

if TYPE_CHECKING:
    import tokenizers

# Half pairs have no UTF-8; one character stands for each, so that no place moves.
_HALF_PAIRS = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)


@dataclass(frozen=True, eq=False, slots=True)
class Tokens:
    """The tokens that a model reads of one text, or of a pair of texts.

    Attributes:
        ids: their numbers, those put around included, shape (n,).
        types: which text each belongs to, shape (n,).
    """

    ids: IntArray
    types: IntArray

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, eq=False, slots=True)
class Places:
    """The tokens of a whole text, none put around it, none cut off.

    Attributes:
        ids: their numbers, shape (n,).
        starts: first code point of each, shape (n,).
        ends: one past its last; a token without a place has an empty one, shape (n,).
    """

    ids: IntArray
    starts: IntArray
    ends: IntArray


class ModelTokens:
    """A model's tokenizer.

    Text that reads like a special token, such as `[SEP]`, is one: so it is in the model's own
    library, whose vectors are to come out here.

    Attributes:
        limit: tokens to which a text is cut, those put around it counted; None: it is not cut.
        head: numbers of the tokens put before a text.
        tail: numbers of those put after it.
    """

    def __init__(self, path: Path, limit: int | None, *, lower: bool = False) -> None:
        """Load a tokenizer.json.

        Raises:
            InputError: when it cannot be read or is no tokenizer.
        """
        # Its threads would not outlive a fork.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        self._path = path
        self._lower = lower
        self.limit = limit
        try:
            data = path.read_bytes()
        except OSError as error:
            raise self._damaged(error.strerror or "unreadable") from error
        self._whole = self._loaded(data)
        self._cut = self._loaded(data)
        if limit is not None:
            self._cut.enable_truncation(limit)
        probe: Any = self._whole.encode("a")
        own = np.flatnonzero(np.array(probe.special_tokens_mask) == 0)
        first, last = (int(own[0]), int(own[-1]) + 1) if len(own) else (len(probe.ids),) * 2
        self.head: tuple[int, ...] = tuple(probe.ids[:first])
        self.tail: tuple[int, ...] = tuple(probe.ids[last:])

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, with those put around it, cut to the limit."""
        return [
            Tokens(np.array(one.ids, np.int64), np.array(one.type_ids, np.int64))
            for one in self._cut.encode_batch([self._spelled(text) for text in texts])
        ]

    def pairs(self, question: str, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of the question with each text, the longer of the two cut first."""
        asked = self._spelled(question)
        return [
            Tokens(np.array(one.ids, np.int64), np.array(one.type_ids, np.int64))
            for one in self._cut.encode_batch([(asked, self._spelled(text)) for text in texts])
        ]

    def counts(self, texts: Sequence[str]) -> IntArray:
        """Tokens of each text, with those put around it, before anything is cut off."""
        spelled = [self._spelled(text) for text in texts]
        return np.array([len(one) for one in self._whole.encode_batch_fast(spelled)], np.int64)

    def places(self, text: str) -> Places:
        """The tokens of a text where they stand in it."""
        # Lower case may be longer than the text; such places would be off.
        spelled = text.translate(_HALF_PAIRS)
        lower = spelled.lower() if self._lower else spelled
        encoded = self._whole.encode(
            lower if len(lower) == len(spelled) else spelled, add_special_tokens=False
        )
        places = np.array(encoded.offsets, dtype=np.int64).reshape(-1, 2)
        return Places(np.array(encoded.ids, np.int64), places[:, 0], places[:, 1])

    def _spelled(self, text: str) -> str:
        # White space around a text goes, as in the model's own library.
        text = (text if text.isascii() else text.translate(_HALF_PAIRS)).strip()
        return text.lower() if self._lower else text

    def _loaded(self, data: bytes) -> "tokenizers.Tokenizer":
        from tokenizers import Tokenizer

        # The library raises Exception itself for whatever is wrong with a file.
        try:
            tokenizer = Tokenizer.from_buffer(data)
        except Exception as error:
            raise self._damaged(" ".join(str(error).split())) from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    def _damaged(self, reason: str) -> InputError:
        return InputError(
            f"model: {visible(str(self._path))} cannot be used ({visible(reason)}); fetch the "
            "model again"
        )
