"""`sentence-transformers`: LangChain's SentenceTransformersTokenTextSplitter, with true spans.

`encoding` names the model's tokenizer.json, `size` is LangChain's tokens_per_chunk. The chunks
are what the tokenizer decodes, which for most of these models is not the text: lower case, spaces
around marks. Such chunks are altered; `token` with the same file gives slices of the text.
"""

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.errors import InputError
from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.words import windows
from chunkscope.text.hf_tokens import FileTokenCounter, is_tokenizer_file
from chunkscope.text.tokens import TokenSpans, get_token_counter

_WINDOWS_PER_CHECK = 256


class DecodedText:
    """A text tokenised once; a chunk is what a window of its tokens is decoded to."""

    def __init__(self, text: str, counter: FileTokenCounter) -> None:
        self._text = text
        self._counter = counter
        self._tokens: TokenSpans | None = None

    def cut(self, size: int, overlap: int, cancel: CancelToken | None = None) -> Cuts:
        """The chunks at this size and overlap; see `PreparedText`."""
        if cancel is not None:
            cancel.check()
        if self._tokens is None:
            self._tokens = self._counter.token_spans(self._text)
        tokens = self._tokens
        first, last = windows(len(tokens), size, overlap)
        starts, ends = tokens.starts[first], tokens.ends[last - 1]
        texts: list[str] = []
        for number, (begin, end) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            if cancel is not None and number % _WINDOWS_PER_CHECK == 0:
                cancel.check()
            texts.append(self._counter.decode_ids(tokens.ids[begin:end]))
        kept = np.array([number for number, text in enumerate(texts) if text], dtype=np.int64)
        starts, ends = starts[kept], ends[kept]
        altered = {
            index: texts[number]
            for index, number in enumerate(kept.tolist())
            if texts[number] != self._text[starts[index] : ends[index]]
        }
        return Cuts(starts, ends, altered)


class SentenceTransformersSplitter:
    """Windows of `size` tokens of a model's tokenizer, decoded."""

    unit: str | None = "tokens"
    uses = frozenset({"size", "overlap", "encoding", "dedupe"})

    def check(self, settings: SplitterSettings) -> list[str]:
        """Warnings for these settings; see `Splitter`."""
        _counter(settings)
        return ["splitter: chunks are decoded tokens, and altered where that is not the text"]

    def prepare(self, text: str, settings: SplitterSettings) -> DecodedText:
        """The text's tokens, yet to be found; see `Splitter`."""
        return DecodedText(text, _counter(settings))


def _counter(settings: SplitterSettings) -> FileTokenCounter:
    counter = get_token_counter(settings.encoding)
    if not isinstance(counter, FileTokenCounter):
        raise InputError(
            f"encoding: {settings.encoding!r} is no tokenizer of a model for splitter "
            f"{settings.kind!r}; give the path of its tokenizer.json"
        )
    return counter


def length_warnings(settings: SplitterSettings) -> list[str]:
    """A warning when chunks counted in a model's tokens may be more than the model reads.

    Raises:
        InputError: when the encoding cannot be had.
    """
    if not is_tokenizer_file(settings.encoding):
        return []
    counter = get_token_counter(settings.encoding)
    if not isinstance(counter, FileTokenCounter) or counter.limit is None:
        return []
    # Windows are measured by their own tokens, whatever the encoding counts.
    windows = settings.kind in ("token", "sentence-transformers")
    beside = counter.around if windows or not counter.specials else 0
    if settings.size + beside <= counter.limit:
        return []
    around = f" and the {beside} put around a text" if beside else ""
    return [
        f"size: {settings.size} tokens{around} are more than the {counter.limit} that the "
        "tokenizer leaves its model to read; the rest is not embedded"
    ]
