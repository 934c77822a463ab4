"""Tokens as a Hugging Face `tokenizer.json` makes them: counts, and where each token stands."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkscope.errors import InputError, MissingPackageError
from chunkscope.text.display import visible
from chunkscope.text.tokens import TokenCounter, TokenSpans

if TYPE_CHECKING:
    import tokenizers

_HASH_LENGTH = 16
"""Hexadecimal digits of SHA-256 that name a file's content."""

# Half pairs have no UTF-8; one character stands for each, so that no place moves.
_NO_HALVES = dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)


_SPECIALS = "+specials"
"""Behind a path: the tokens put around a text count, for each text that is counted."""


def is_tokenizer_file(encoding: str) -> bool:
    """Whether an encoding is a tokenizer file: `PATH.json`, then `+specials`, then `#HASH`."""
    return tokenizer_path(encoding).lower().endswith(".json")


def tokenizer_path(encoding: str) -> str:
    """The path in an encoding that is a tokenizer file."""
    return encoding.partition("#")[0].removesuffix(_SPECIALS)


def counts_specials(encoding: str) -> bool:
    """Whether the tokens that a tokenizer file puts around a text count.

    They then count for every piece that a splitter measures, as in `len(tokenizer.encode(piece))`.
    """
    return is_tokenizer_file(encoding) and encoding.partition("#")[0].endswith(_SPECIALS)


def pinned_encoding(encoding: str) -> str:
    """The encoding with the hash of its content, where it is a tokenizer file without one.

    What is stored or exported then names the tokenizer itself, not just where a file stood.

    Raises:
        InputError: when the file cannot be read.
    """
    if not is_tokenizer_file(encoding) or "#" in encoding:
        return encoding
    return f"{encoding}#{_hash(_read(tokenizer_path(encoding)))}"


@dataclass(frozen=True, eq=False)
class FileTokenSpans(TokenSpans):
    """The tokens of one text; what stands in them is the text itself, as it is.

    Attributes:
        text: the text.
    """

    text: str

    def decode(self, i: int, j: int) -> str:
        """The text from token `i` to before token `j`, whole characters at its ends."""
        if i >= j:
            return ""
        return self.text[int(self.starts[i]) : int(self.ends[j - 1])]


class FileTokenCounter(TokenCounter):
    """Counts of one tokenizer file.

    Tokens that a model puts around a text ([CLS], [SEP] and the like) do not count, unless
    `+specials` asks for it, and text that reads like them is plain text. Truncation and padding
    that the file asks for are left aside.

    Attributes:
        encoding: the file's path as given.
        specials: whether the tokens put around a text count.
        limit: tokens to which the file cuts a text for its model, those put around it counted;
            None: it does not say.
        around: how many tokens are put around a text.
    """

    def __init__(self, encoding: str) -> None:
        """Load a file.

        Raises:
            InputError: when it cannot be read, is no tokenizer, or has another hash than given.
            MissingPackageError: when the package tokenizers is not installed.
        """
        path, wanted = tokenizer_path(encoding), encoding.partition("#")[2]
        data = _read(path)
        found = _hash(data)
        if wanted and wanted != found:
            raise InputError(
                f"encoding: {visible(path)} has the hash {found}, not {visible(wanted)}: it is "
                f"another tokenizer; bring the file back, or give {visible(path)} alone"
            )
        self.encoding = encoding
        self.specials = counts_specials(encoding)
        self._data = data
        self._path = path
        truncation: dict[str, Any] | None = self._tokenizer.truncation
        self.limit: int | None = None if truncation is None else int(truncation["max_length"])
        self.around: int = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True

    def load_ahead(self) -> None:
        """Nothing is left to load."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens in each of `texts`; a lone surrogate counts as U+FFFD."""
        clean = [text.translate(_NO_HALVES) if not text.isascii() else text for text in texts]
        encode = self._tokenizer.encode_batch_fast
        return [len(one) for one in encode(clean, add_special_tokens=self.specials)]

    def token_spans(self, text: str) -> TokenSpans:
        """The tokens of `text` and their places; several tokens of one character share its place.

        A token for which the tokenizer names no character stands, empty, after the one before.
        """
        import numpy as np

        encoded = self._tokenizer.encode(text.translate(_NO_HALVES), add_special_tokens=False)
        places = np.array(encoded.offsets, dtype=np.int64).reshape(-1, 2)
        starts, ends = places[:, 0], places[:, 1]
        last = np.maximum.accumulate(ends)
        before = np.concatenate((np.zeros(min(1, len(ends)), np.int64), last[:-1]))
        empty = starts >= ends
        starts = np.where(empty, before, starts)
        return FileTokenSpans(
            encoded.ids, last, np.maximum.accumulate(starts), np.maximum(last, starts), b"", text
        )

    def decode_ids(self, ids: Sequence[int]) -> str:
        """The text that the tokenizer makes of tokens, which may differ from what was encoded."""
        text: str = self._tokenizer.decode(ids, skip_special_tokens=False)
        return text

    @cached_property
    def _tokenizer(self) -> "tokenizers.Tokenizer":
        # Its threads would not outlive a fork; texts are counted by one thread a process.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            from tokenizers import Tokenizer
        except ModuleNotFoundError as error:
            raise MissingPackageError(
                f"encoding: {visible(self._path)} needs the package tokenizers; "
                "pip install 'chunkscope[tokenizers]'"
            ) from error
        # The library raises Exception itself for whatever is wrong with a file.
        try:
            return Tokenizer.from_buffer(self._data)
        except Exception as error:
            said = visible(" ".join(str(error).split()))
            raise InputError(
                f"encoding: {visible(self._path)} is no tokenizer file: {said}; give a "
                "tokenizer.json as Hugging Face writes it"
            ) from error


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "unreadable"
        raise InputError(
            f"encoding: {visible(path)} cannot be read ({reason}); give the path of a "
            "tokenizer.json, or a name such as cl100k_base"
        ) from error


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_HASH_LENGTH]
