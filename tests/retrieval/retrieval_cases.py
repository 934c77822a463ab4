"""Chunk sets made by hand and at random, and the plain truth about their words."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import strategies as st

from chunkscope.retrieval.terms import TermRule, terms_of
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
def chunk_sets(draw: st.DrawFn, texts: st.SearchStrategy[str] = texts) -> ChunkSet:
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
    return [tokenise(text, rule) for text in texts_as_indexed(chunks)]


def terms_as_indexed(chunks: ChunkSet, rule: str, term_rule: TermRule) -> list[list[str]]:
    """Each chunk's terms by the definition, as `words_as_indexed`."""
    return [terms_of(text, rule, term_rule) for text in texts_as_indexed(chunks)]


def texts_as_indexed(chunks: ChunkSet) -> list[str]:
    """Each chunk's text behind its prefix."""
    found = []
    for chunk in range(len(chunks)):
        prefix = chunks.prefixes.get(chunk)
        text = chunks.text(chunk)
        # `tokenise` takes a leading mark away itself; with two of them, one is left.
        own = text.removeprefix("\ufeff") if prefix else text
        found.append(f"{prefix}\n{own}" if prefix else own)
    return found


def plain_bm25(words: list[list[str]], query: list[str]) -> dict[int, float]:
    """bm25 by its formula: score by chunk, for the chunks that hold a query word."""
    mean = sum(map(len, words)) / len(words) if words else 0.0
    scores: dict[int, float] = {}
    for chunk, each in enumerate(words):
        counts = Counter(each)
        shared = [word for word in query if word in counts]
        score = 0.0
        for word in shared:
            frequency = sum(word in other for other in words)
            idf = math.log(1 + (len(words) - frequency + 0.5) / (frequency + 0.5))
            norm = 1.2 * (1 - 0.75 + 0.75 * len(each) / mean)
            score += idf * counts[word] / (counts[word] + norm)
        if shared:
            scores[chunk] = score
    return scores


def plain_cosines(words: list[list[str]], query: list[str]) -> dict[int, float]:
    """tfidf as two vectors: cosine by chunk, for the chunks that hold a query word."""
    frequencies = Counter(word for each in words for word in set(each))
    idf = {
        word: math.log((1 + len(words)) / (1 + frequency)) + 1
        for word, frequency in frequencies.items()
    }

    def unit(bag: list[str]) -> dict[str, float]:
        vector = {word: count * idf[word] for word, count in Counter(bag).items() if word in idf}
        length = math.sqrt(math.fsum(value**2 for value in vector.values()))
        return {word: value / length for word, value in vector.items()}

    asked = unit(query)
    cosines = {}
    for chunk, each in enumerate(words):
        held = unit(each)
        shared = asked.keys() & held.keys()
        if shared:
            cosines[chunk] = math.fsum(asked[word] * held[word] for word in shared)
    return cosines


def _cuts(ranges: Sequence[Sequence[int]], altered: Mapping[int, str]) -> Cuts:
    return Cuts(
        np.array([start for start, _ in ranges], dtype=np.int64),
        np.array([end for _, end in ranges], dtype=np.int64),
        altered,
    )
