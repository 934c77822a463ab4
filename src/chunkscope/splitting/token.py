"""`token`: LangChain's TokenTextSplitter, text for text, with true spans."""

import re

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.splitting.chunks import BoolArray, Cuts
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.words import windows
from chunkscope.text.tokens import TokenSpans, get_token_counter

_SURROGATE = re.compile("[\ud800-\udfff]")


class TokenText:
    """A text tokenised once; a chunk is a window of its tokens.

    A window that begins or ends inside a character shows it as U+FFFD, as decoding does; its
    source range takes the whole character in.
    """

    def __init__(self, text: str, encoding: str) -> None:
        self._text = text
        self._counter = get_token_counter(encoding)
        self._tokens: tuple[TokenSpans, BoolArray] | None = None

    def cut(
        self, size: int, overlap: int, cancel: CancelToken | None = None, *, phase: int = 0
    ) -> Cuts:
        """The chunks at this size and overlap; see `PreparedText`, and `windows` for the phase."""
        if cancel is not None:
            cancel.check()
        if self._tokens is None:
            self._tokens = self._tokenised()
        spans, broken = self._tokens
        first, last = windows(len(spans.ids), size, overlap, phase)
        starts, ends = spans.starts[first], spans.ends[last - 1]
        altered: dict[int, str] = {}
        for index in np.flatnonzero(broken[first] | broken[last]).tolist():
            text = spans.decode(int(first[index]), int(last[index]))
            if text != self._text[starts[index] : ends[index]]:
                altered[index] = text
        return Cuts(starts, ends, altered)

    def _tokenised(self) -> tuple[TokenSpans, BoolArray]:
        """The tokens, and before which of them (and after the last) a window must be decoded."""
        spans = self._counter.token_spans(self._text)
        broken = np.zeros(len(spans.ids) + 1, dtype=np.bool_)
        if _SURROGATE.search(self._text):
            # Half pairs are decoded as other text wherever they stand.
            broken[:] = True
        else:
            broken[1:-1] = spans.starts[1:] < spans.ends[:-1]
        return spans, broken


class TokenSplitter:
    """Windows of `size` tokens, each beginning `overlap` tokens before the last one's end.

    With a tokenizer file chunks are slices of the text, not what its tokens decode to.
    """

    unit: str | None = "tokens"
    uses = frozenset({"size", "overlap", "encoding", "dedupe"})

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings: none; see `Splitter`."""
        return []

    def prepare(self, text: str, settings: SplitterSettings) -> TokenText:
        """The text's tokens, yet to be found; see `Splitter`."""
        return TokenText(text, settings.encoding)
