"""`static`: chunks ranked by static word vectors, any chunk's by prefix sums over the corpus.

A chunk is embedded as indexed: prefix, line end, text. U+FEFF at its start is passed over.
"""

import re
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from chunkscope.cancel import CancelToken
from chunkscope.embedding.static import StaticEmbedder, StaticTexts, get_static_embedder
from chunkscope.embedding.static_model import leading
from chunkscope.retrieval.dense_search import DenseRetriever, FloatArray
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.document import Corpus

_WORDS = re.compile("▁+[^▁]*")
_MARK = "\ufeff"

# The tokens of a corpus, for as long as its words are kept.
_CORPORA: WeakKeyDictionary[WordIndex, "StaticCorpus"] = WeakKeyDictionary()


class StaticCorpus:
    """A corpus whose tokens are found once, for every chunk set.

    Attributes:
        embedder: embeds what no document holds: questions, prefixes, altered texts.
    """

    def __init__(
        self, embedder: StaticEmbedder, corpus: Corpus, cancel: CancelToken | None = None
    ) -> None:
        """Find the tokens of every document.

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        self.embedder = embedder
        texts = [document.text for document in corpus.documents]
        self._texts = StaticTexts(embedder.model, texts, cancel)
        self._marked = [position for position, text in enumerate(texts) if _MARK in text]
        self._asked: tuple[tuple[str, ...], FloatArray] | None = None

    def vectors(self, chunks: ChunkSet, cancel: CancelToken | None = None) -> FloatArray:
        """The sum of the token vectors of each chunk as indexed, (n, d).

        Raises:
            CancelledError: when `cancel` was raised meanwhile.
        """
        documents, starts, ends = chunks.documents, chunks.starts.copy(), chunks.ends
        for position in self._marked:
            text = chunks.corpus.documents[position].text
            here = slice(int(chunks.first[position]), int(chunks.first[position + 1]))
            places = zip(starts[here].tolist(), ends[here].tolist(), strict=True)
            marked = [start < end and text[start] == _MARK for start, end in places]
            starts[here] += np.array(marked, dtype=np.int64)
        led = {chunk: prefix for chunk, prefix in chunks.prefixes.items() if prefix}
        inner = np.zeros(len(chunks), dtype=np.bool_)
        inner[list(led)] = True
        sums = self._texts.sums(documents, starts, ends, inner=inner, cancel=cancel)
        if led:
            prefixes = list(dict.fromkeys(led.values()))
            heads = self.embedder.sums([f"{prefix}\n" for prefix in prefixes], cancel)
            row = {prefix: number for number, prefix in enumerate(prefixes)}
            sums[list(led)] += heads[[row[prefix] for prefix in led.values()]]
        altered = [
            int(chunks.first[position]) + index
            for position, cuts in enumerate(chunks.cuts)
            for index in cuts.altered
        ]
        if altered:
            sums[altered] = self.embedder.sums(
                [_indexed(chunks, chunk) for chunk in altered], cancel
            )
        return sums

    def questions(self, texts: Sequence[str]) -> FloatArray:
        """The vectors of questions; those asked for last are remembered."""
        key = tuple(texts)
        if self._asked is None or self._asked[0] != key:
            self._asked = key, self.embedder.sums(texts)
        return self._asked[1]

    def parts(self, question: str) -> list[tuple[str, FloatArray]]:
        """The words of a question between its spaces, each with the sum of its tokens."""
        # No token goes from another character to a space: the parts sum up to the whole.
        pieces = _WORDS.findall(leading(question))
        model = self.embedder.model
        tokens, counts = model.tokens_of(pieces)
        bounds = np.append(0, np.cumsum(counts)).tolist()
        return [
            (_bare(piece), model.vectors[tokens[first:last]].sum(axis=0, dtype=np.float64))
            for piece, first, last in zip(pieces, bounds, bounds[1:], strict=False)
        ]


def build(
    settings: RetrieverSettings,
    chunks: ChunkSet,
    index: WordIndex,
    cancel: CancelToken | None = None,
) -> DenseRetriever:
    """The retriever `static`.

    Raises:
        MissingPackageError: when wordllama is not installed; the command is named.
    """
    corpus = _corpus_of(index, cancel)
    return DenseRetriever(corpus.vectors(chunks, cancel), corpus.questions, corpus.parts)


def warm(index: WordIndex, questions: Sequence[str], cancel: CancelToken | None = None) -> None:
    """Find the tokens of the corpus and of questions, which every chunk set shares.

    Raises:
        MissingPackageError: when wordllama is not installed; the command is named.
        CancelledError: when `cancel` was raised meanwhile.
    """
    _corpus_of(index, cancel).questions(questions)


def _corpus_of(index: WordIndex, cancel: CancelToken | None) -> StaticCorpus:
    # Stems and stop words play no part in vectors.
    corpus = _CORPORA.get(index.plain)
    if corpus is None:
        corpus = _CORPORA[index.plain] = StaticCorpus(get_static_embedder(), index.corpus, cancel)
    return corpus


def _indexed(chunks: ChunkSet, chunk: int) -> str:
    text = chunks.text(chunk).removeprefix(_MARK)
    prefix = chunks.prefixes.get(chunk)
    return f"{prefix}\n{text}" if prefix else text


def _bare(piece: str) -> str:
    """A word without the space and the marks around it, as it may stand in a text."""
    piece = piece.lstrip("▁") or " "
    inner = [place for place, character in enumerate(piece) if character.isalnum()]
    return piece[inner[0] : inner[-1] + 1] if inner else piece
