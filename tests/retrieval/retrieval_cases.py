"""Chunk sets made by hand and at random, and the plain truth about their words."""

from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import strategies as st

from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import ChunkSet, Cuts
from chunkscope.text.document import Corpus, Document

RULES = (
    "unicode",
    "whitespace",
    r"[a-z0-9_.~/-]+",
    r"\w+",
    r"(?u)\b\w\w+\b",
    r"\S{3,}",
    r"[^,]+",
    r"[\n-z]+",
    r".+",
    # Not local: a look-around, an anchor, two classes, an alternative, an optional part.
    r"\w+(?=\s)",
    r"^\w+",
    r"[a-z]+[0-9]*",
    r"s+|\w",
    r"x*",
)

# Letters that fold to two or three, marks that end a word, scripts that give bigrams, white
# space that only some definitions know, and a mark that is no part of the first word.
ALPHABET = (
    "abS sß İıſ ﬃΐ e\u0301 の灯台光カーｶﾞ々𠮷 한 _-.~/9٣,\n\r\x1c\x85"
    "\u00a0\u3000\u200b\ufeff\ud83d🏴"
)

texts = st.one_of(
    st.text(alphabet=ALPHABET, max_size=40),
    st.text(max_size=40),
    st.lists(
        st.sampled_from(["ab", "Ba", "灯台", "ß", " ", "\n", ",", "aba", "İ"]), max_size=25
    ).map("".join),
)


@st.composite
def chunk_sets(draw: st.DrawFn) -> ChunkSet:
    """Some documents, cut anywhere: overlapping, nested, empty, altered, with prefixes."""
    documents = [
        Document(f"{position}.txt", text)
        for position, text in enumerate(draw(st.lists(texts, max_size=3)))
    ]
    cuts = []
    for document in documents:
        at = st.integers(0, len(document.text))
        ranges = [sorted(pair) for pair in draw(st.lists(st.tuples(at, at), max_size=6))]
        if draw(st.booleans()):
            ranges.sort()
        altered = (
            draw(st.dictionaries(st.integers(0, len(ranges) - 1), texts, max_size=2))
            if ranges
            else {}
        )
        cuts.append(_cuts(ranges, altered))
    count = sum(len(each) for each in cuts)
    prefixes = draw(st.dictionaries(st.integers(0, count - 1), texts, max_size=3)) if count else {}
    return chunk_set(documents, cuts, prefixes)


def chunk_set(
    documents: Sequence[Document], cuts: Sequence[Cuts], prefixes: Mapping[int, str] | None = None
) -> ChunkSet:
    zeros = np.zeros(sum(len(each) for each in cuts), dtype=np.int64)
    return ChunkSet(Corpus(tuple(documents)), cuts, zeros, zeros, 0, prefixes or {})


def whole_documents(texts: Sequence[str]) -> ChunkSet:
    """One chunk a text."""
    documents = [Document(f"{position:06}.txt", text) for position, text in enumerate(texts)]
    return chunk_set(documents, [_cuts([(0, len(text))], {}) for text in texts])


def cut_at(text: str, *ranges: tuple[int, int]) -> ChunkSet:
    """One document with these chunks."""
    return chunk_set([Document("only.txt", text)], [_cuts(ranges, {})])


def windows(documents: Sequence[Document], size: int, step: int) -> ChunkSet:
    """Fixed windows of characters, which cut many words."""
    cuts = []
    for document in documents:
        starts = range(0, len(document.text), step)
        cuts.append(_cuts([(at, min(at + size, len(document.text))) for at in starts], {}))
    return chunk_set(documents, cuts)


def word_windows(documents: Sequence[Document], size: int, overlap: int) -> ChunkSet:
    """Fixed windows of white-space words, the last one reaching the last word."""
    cuts = []
    for document in documents:
        spans, at = [], 0
        for word in document.text.split():
            start = document.text.index(word, at)
            at = start + len(word)
            spans.append((start, at))
        ranges = []
        for first in range(0, len(spans), size - overlap):
            window = spans[first : first + size]
            ranges.append((window[0][0], window[-1][1]))
            if first + size >= len(spans):
                break
        cuts.append(_cuts(ranges, {}))
    return chunk_set(documents, cuts)


def words_as_indexed(chunks: ChunkSet, rule: str) -> list[list[str]]:
    """Each chunk's words by the definition; U+FEFF at the start of its own text is no word's."""
    words = []
    for chunk in range(len(chunks)):
        text = chunks.text(chunk).removeprefix("\ufeff")
        prefix = chunks.prefixes.get(chunk)
        # `tokenise` takes a leading mark away itself; with two of them, one is left.
        if prefix:
            words.append(tokenise(f"{prefix}\n{text}", rule))
        else:
            words.append(tokenise(chunks.text(chunk), rule))
    return words


def _cuts(ranges: Sequence[Sequence[int]], altered: Mapping[int, str]) -> Cuts:
    return Cuts(
        np.array([start for start, _ in ranges], dtype=np.int64),
        np.array([end for _, end in ranges], dtype=np.int64),
        altered,
    )
