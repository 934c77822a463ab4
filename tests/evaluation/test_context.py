"""Words of what is sent, counted from where the words of the whole corpus stand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.evaluation.context import CorpusWords
from chunkscope.evaluation.evidence import document_bases
from chunkscope.text.document import Corpus, Document

texts = st.text(alphabet="ab \n\u3000é\x1c", max_size=10)


@given(st.lists(texts, max_size=4))
def test_words_of_every_slice_are_those_of_split(parts: list[str]) -> None:
    corpus = Corpus(tuple(Document(f"{n}.txt", text) for n, text in enumerate(parts)))
    low, high, wanted = [], [], []
    for text, base in zip(parts, document_bases(corpus).tolist(), strict=False):
        for start in range(len(text) + 1):
            for end in range(start, len(text) + 1):
                low.append(base + start)
                high.append(base + end)
                wanted.append(len(text[start:end].split()))
    counts = CorpusWords(corpus).count(np.array(low, np.int64), np.array(high, np.int64))
    assert counts.tolist() == wanted
