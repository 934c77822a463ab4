"""Counting tokens, and where in a text each token stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
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

_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")

# Letters, marks and digits that Unicode 17 added, by block: toktok knows them and tiktoken does
# not, so they cut words differently. Lone surrogates are here too: toktok refuses them.
_NOT_FOR_TOKTOK = re.compile(
    "[\u088f\u0c5c\u0cdc\u1acf-\u1aeb\ua7ce-\ua7d4\ua7f1\U00010940-\U0001095f"
    "\U00010ec5-\U00010efb\U00011b60-\U00011b67\U00011db0-\U00011def\U00016ea0-\U00016ed3"
    "\U00016ff2-\U00016ff6\U000187f8-\U000187ff\U00018d09-\U00018df2\U0001e6c0-\U0001e6ff"
    "\U0002b73a-\U0002b73f\U0002cea2-\U0002cead\U000323b0-\U00033479\ud800-\udfff]"
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

    return np.array([_NOT_FOR_TOKTOK.match(chr(unit)) is not None for unit in range(0x10000)])


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

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens in each of `texts`; lone surrogates count as U+FFFD, as in tiktoken."""
        if not self._vocabulary.bundled:
            return [len(self._encode(_repaired(text))) for text in texts]
        from toktok import batch_count

        exceptions = {
            index: len(self._encode(_repaired(text)))
            for index, text in _suspects(texts)
            if _NOT_FOR_TOKTOK.search(text)
        }
        if not exceptions:
            counts: list[int] = batch_count(texts, self.encoding)
            return counts
        counts = batch_count(
            ["" if index in exceptions else text for index, text in enumerate(texts)],
            self.encoding,
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

    Raises:
        InputError: for an unknown encoding, or a vocabulary that is neither bundled nor whole in
            tiktoken's own cache; the file is named.
    """
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
