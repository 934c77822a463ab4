"""LangChain's own splitters as the truth, and texts and settings to try them on."""

from functools import cache

import tiktoken
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from langchain_text_splitters import (
    CharacterTextSplitter,
    RecursiveCharacterTextSplitter,
    TokenTextSplitter,
)

from chunkscope.splitting.chunks import Cuts
from chunkscope.splitting.registry import get_splitter
from chunkscope.splitting.settings import SplitterSettings

EXAMPLES = max(500, hypothesis_settings().max_examples)


@cache
def encoding() -> tiktoken.Encoding:
    return tiktoken.get_encoding("cl100k_base")


def token_count(text: str) -> int:
    return len(encoding().encode(text, disallowed_special=()))


LENGTHS = {
    "characters": len,
    "words": lambda text: len(text.split()),
    "tokens": token_count,
}


def langchain_texts(text: str, settings: SplitterSettings) -> list[str]:
    """The chunks that LangChain makes."""
    size, overlap = settings.size, settings.overlap_size
    if settings.kind == "token":
        return TokenTextSplitter(
            encoding_name="cl100k_base",
            disallowed_special=(),
            chunk_size=size,
            chunk_overlap=overlap,
        ).split_text(text)
    shared = {
        "chunk_size": size,
        "chunk_overlap": overlap,
        "length_function": LENGTHS[settings.unit],
        "strip_whitespace": settings.strip,
        "keep_separator": False if settings.keep_separator == "none" else settings.keep_separator,
        "is_separator_regex": settings.regex,
    }
    if settings.kind == "character":
        return CharacterTextSplitter(separator=settings.separators[0], **shared).split_text(text)
    return RecursiveCharacterTextSplitter(
        separators=list(settings.separators), **shared
    ).split_text(text)


def cut(text: str, settings: SplitterSettings) -> Cuts:
    prepared = get_splitter(settings.kind).prepare(text, settings)
    return prepared.cut(settings.size, settings.overlap_size)


def assert_true_spans(text: str, cuts: Cuts) -> None:
    """Each chunk is its slice or altered, and nothing ever goes back."""
    starts, ends = cuts.starts.tolist(), cuts.ends.tolist()
    assert starts == sorted(starts)
    assert ends == sorted(ends)
    assert all(0 <= start <= end <= len(text) for start, end in zip(starts, ends, strict=True))
    assert all(0 <= index < len(cuts) for index in cuts.altered)
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        assert (cuts.text(index, text) != text[start:end]) == (index in cuts.altered)


_ALPHABET = (
    *"ab .,\n\t",
    "\r\n",
    "\n\n",
    ". ",
    "\u00a0",
    "\u3000",
    "\x1c",
    "\u0085",
    "\u00e9",
    "e\u0301",
    "\u65e5",
    "\u3002",
    "\U0001f469\u200d\U0001f467",
    "\U0001f1e9\U0001f1ea",
    "\ufeff",
    "\ud83d",
    "<|endoftext|>",
    "word",
    "the harbour",
)

dense_texts = st.lists(st.sampled_from(_ALPHABET), max_size=60).map("".join)
any_texts = st.text(max_size=60)
texts = st.one_of(dense_texts, dense_texts, any_texts)

_LITERAL = (
    *("\n\n", "\n", ". ", " ", "", ".", "a", "aa", "ab", " a", "\t", "\u00e9", "b\n", "\u3002"),
    *("\r\n", "\u65e5", "\u200d", "\\n", "*", "(", "[a", "word"),
)
_PATTERN = (
    *("\n\n", "\n+", r"\. ", r"\s+", r"\s", " ", "", "a", "[.,]\\s*", "a|b", "[ab]"),
    *(r"(?<=\.)", r"(?<=a)b", "(?=a)", "(?!a)", "(?<!a) ", "x*", r"\b", "^a", "$", "(?:ab)+"),
)


@st.composite
def split_settings(
    draw: st.DrawFn,
    kind: str,
    *,
    regex: bool,
    keep: tuple[str, ...] = ("end", "start", "none"),
) -> SplitterSettings:
    size = draw(st.integers(1, 24))
    return SplitterSettings(
        kind=kind,
        size=size,
        overlap=draw(st.integers(0, size - 1)),
        unit=draw(st.sampled_from(("characters", "words", "tokens"))),
        separators=tuple(
            draw(st.lists(st.sampled_from(_PATTERN if regex else _LITERAL), min_size=1, max_size=6))
        ),
        keep_separator=draw(st.sampled_from(keep)),
        regex=regex,
        strip=draw(st.booleans()),
    )
