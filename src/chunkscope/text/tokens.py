"""Counting tokens, and where in a text each token stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from threading import Thread
from typing import TYPE_CHECKING

from chunkscope.text.vocabularies import (
    bundled_vocabulary,
    get_vocabulary,
    ranks_of,
    vocabulary_bytes,
    write_tiktoken_cache,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import tiktoken

    IntArray = npt.NDArray[np.int64]

__all__ = [
    "TokenCounter",
    "TokenSpans",
    "bundled_vocabulary",
    "get_token_counter",
    "write_tiktoken_cache",
]

_THREADS = 1
"""Of toktok: texts are counted in less time than more threads need to start."""

_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")

# Letters, marks and digits that Unicode 17 added, by block, first and last: toktok knows them and
# tiktoken does not, so they cut words differently. Lone surrogates are here too: toktok refuses
# them.
_NOT_FOR_TOKTOK_RANGES = (
    (0x088F, 0x088F), (0x0C5C, 0x0C5C), (0x0CDC, 0x0CDC), (0x1ACF, 0x1AEB), (0xA7CE, 0xA7D4),
    (0xA7F1, 0xA7F1), (0x10940, 0x1095F), (0x10EC5, 0x10EFB), (0x11B60, 0x11B67),
    (0x11DB0, 0x11DEF), (0x16EA0, 0x16ED3), (0x16FF2, 0x16FF6), (0x187F8, 0x187FF),
    (0x18D09, 0x18DF2), (0x1E6C0, 0x1E6FF), (0x2B73A, 0x2B73F), (0x2CEA2, 0x2CEAD),
    (0x323B0, 0x33479), (0xD800, 0xDFFF),
)  # fmt: skip
_NOT_FOR_TOKTOK = re.compile(
    "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _NOT_FOR_TOKTOK_RANGES) + "]"
)

# White space as the patterns' `\s` has it. tiktoken's matcher keeps one state a character for
# `\s+(?!\S)` and panics at a million; runs this long are cut where it would cut them itself.
_SPACE = "\t\x0b\x0c \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_LONGEST_RUN = 100_000
_LONG_RUN = re.compile(f"(?<![{_SPACE}])[{_SPACE}]{{{_LONGEST_RUN},}}(?=[^{_SPACE}\r\n])")
_LONG_RUN_GPT2 = re.compile(
    f"(?<![{_SPACE}\r\n])[{_SPACE}\r\n]{{{_LONGEST_RUN},}}(?=[^{_SPACE}\r\n])"
)


def _suspects(texts: Sequence[str]) -> list[tuple[int, str]]:
    """The texts that may hold a character of `_NOT_FOR_TOKTOK`, by number.

    All are looked at together in UTF-16, where one lookup a code unit is far cheaper than the
    pattern; only where some unit is suspect, each text must be searched.
    """
    others = [(index, text) for index, text in enumerate(texts) if not text.isascii()]
    if not others:
        return []
    import numpy as np

    joined = "".join(text for _, text in others)
    units = np.frombuffer(joined.encode("utf-16-le", "surrogatepass"), "<u2")
    return others if bool(_suspect_units()[units].any()) else []


@lru_cache(maxsize=1)
def _suspect_units() -> "npt.NDArray[np.bool_]":
    """Which UTF-16 code units `_NOT_FOR_TOKTOK` may match: its own, and every surrogate."""
    import numpy as np

    suspect = np.zeros(0x10000, np.bool_)
    suspect[0xD800:0xE000] = True
    for first, last in _NOT_FOR_TOKTOK_RANGES:
        suspect[first : last + 1] = True
    return suspect


@dataclass(frozen=True, eq=False)
class TokenSpans:
    """The tokens of one text, in order.

    Attributes:
        ids: the tokens.
        byte_ends: one past each token's last byte in the UTF-8 of the text, shape (n,).
        starts: the code point that holds each token's first byte, shape (n,).
        ends: one past the code point that holds each token's last byte, shape (n,).
        data: the UTF-8 bytes that were encoded; lone surrogates stand as U+FFFD, a pair of
            halves as the one character they make.
    """

    ids: list[int]
    byte_ends: "IntArray"
    starts: "IntArray"
    ends: "IntArray"
    data: bytes

    def __len__(self) -> int:
        return len(self.ids)

    def decode(self, i: int, j: int) -> str:
        """The text of tokens `i` to `j`, as tiktoken decodes it: U+FFFD for cut characters."""
        first = int(self.byte_ends[i - 1]) if i > 0 else 0
        last = int(self.byte_ends[j - 1]) if j > 0 else 0
        return self.data[first:last].decode("utf-8", "replace")


class TokenCounter:
    """Counts of one encoding. Text such as `<|endoftext|>` is plain text.

    Attributes:
        encoding: its name.
    """

    def __init__(self, encoding: str) -> None:
        self._vocabulary = get_vocabulary(encoding)
        self.encoding = encoding
        if not self._vocabulary.bundled:
            # Built at once, so that an absent vocabulary is known before any work starts.
            _ = self._tiktoken
        self._loading: Thread | None = None

    def load_ahead(self) -> None:
        """Load in the background what counting needs; whoever counts first waits for it."""
        if self._vocabulary.bundled and self._loading is None:
            self._loading = Thread(target=self._load, daemon=True)
            self._loading.start()

    def _load(self) -> None:
        from toktok import batch_count

        batch_count([""], self.encoding, _THREADS)

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens in each of `texts`; lone surrogates count as U+FFFD, as in tiktoken."""
        if not self._vocabulary.bundled:
            return [len(self._encode(_repaired(text))) for text in texts]
        from toktok import batch_count

        if self._loading is not None:
            self._loading.join()
        exceptions = {
            index: len(self._encode(_repaired(text)))
            for index, text in _suspects(texts)
            if _NOT_FOR_TOKTOK.search(text)
        }
        if not exceptions:
            counts: list[int] = batch_count(texts, self.encoding, _THREADS)
            return counts
        counts = batch_count(
            ["" if index in exceptions else text for index, text in enumerate(texts)],
            self.encoding,
            _THREADS,
        )
        for index, count in exceptions.items():
            counts[index] = count
        return counts

    def count_one(self, text: str) -> int:
        """Tokens in `text`."""
        return self.count((text,))[0]

    def token_spans(self, text: str) -> TokenSpans:
        """The tokens of `text` and their places, in linear time."""
        import numpy as np

        clean = _repaired(text)
        data = clean.encode("utf-8")
        ids = self._encode(clean)
        lengths = map(len, self._tiktoken.decode_tokens_bytes(ids))
        byte_ends = np.cumsum(np.fromiter(lengths, np.int64, len(ids)), dtype=np.int64)
        byte_starts = np.concatenate((np.zeros(min(1, len(ids)), np.int64), byte_ends[:-1]))
        # Every byte but a continuation byte begins a code point.
        begins = (np.frombuffer(data, np.uint8) & 0xC0) != 0x80
        code_points = np.cumsum(begins, dtype=np.int64)
        starts = code_points[byte_starts] - 1
        ends = code_points[byte_ends - 1]
        if clean is not text and len(clean) != len(text):
            places = np.fromiter(_original_starts(text), np.int64, len(clean) + 1)
            starts, ends = places[starts], places[ends]
        return TokenSpans(ids, byte_ends, starts, ends, data)

    def decode_ids(self, ids: Sequence[int]) -> str:
        """The text of tokens, as tiktoken decodes it: U+FFFD for cut characters."""
        return self._tiktoken.decode(list(ids))

    @cached_property
    def _tiktoken(self) -> "tiktoken.Encoding":
        from tiktoken import Encoding

        ranks = ranks_of(self.encoding, vocabulary_bytes(self.encoding))
        return Encoding(
            self.encoding,
            pat_str=self._vocabulary.pattern,
            mergeable_ranks=ranks,
            special_tokens={},
        )

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = []
        position = 0
        for cut in self._cuts(text):
            ids.extend(self._tiktoken.encode_ordinary(text[position:cut]))
            position = cut
        rest = self._tiktoken.encode_ordinary(text[position:])
        return rest if position == 0 else ids + rest

    def _cuts(self, text: str) -> list[int]:
        if len(text) <= _LONGEST_RUN:
            return []
        cuts: list[int] = []
        line_end_closes = r"[\r\n]" in self._vocabulary.pattern
        for run in (_LONG_RUN if line_end_closes else _LONG_RUN_GPT2).finditer(text):
            # The run but its last character is one piece; before it, a line end closes another.
            if line_end_closes and run.start() > 0 and text[run.start() - 1] in "\r\n":
                cuts.append(run.start())
            cuts.append(run.end() - 1)
        return cuts


@lru_cache(maxsize=16)
def get_token_counter(encoding: str) -> TokenCounter:
    """The counter of an encoding; a vocabulary is loaded once. Never uses the network.

    A name that ends in `.json` is the path of a Hugging Face tokenizer file; behind it
    `+specials` counts the tokens that the tokenizer puts around every text too.

    Raises:
        InputError: for an unknown encoding, or a vocabulary that is neither bundled nor whole in
            tiktoken's own cache; the file is named.
        MissingPackageError: when a tokenizer file is given and tokenizers is not installed.
    """
    if encoding.partition("#")[0].lower().endswith((".json", ".json+specials")):
        from chunkscope.text.hf_tokens import FileTokenCounter

        return FileTokenCounter(encoding)
    return TokenCounter(encoding)


def _repaired(text: str) -> str:
    # As tiktoken repairs what UTF-8 cannot hold: two halves side by side become their character.
    if text.isascii() or _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _original_starts(text: str) -> list[int]:
    # Where each character of the repaired text begins in the original, and the original's end.
    starts: list[int] = []
    position = 0
    for match in _SURROGATES.finditer(text):
        starts.extend(range(position, match.start() + 1))
        position = match.end()
    starts.extend(range(position, len(text) + 1))
    return starts
