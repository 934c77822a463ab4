"""Terms counted part by part are those counted by tokenising every chunk."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.evaluation.index import CorpusIndex
from chunkscope.retrieval.keptwords import KeptIndex, KeptWords, joined
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.terms import TermRule, terms_of
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

TEXT = st.text("ab ß港#\n\ufeff", max_size=40)


def corpus_of(texts, first=0):
    return Corpus(tuple(Document(f"{first + n}.md", text) for n, text in enumerate(texts)))


@given(
    st.lists(st.lists(TEXT, min_size=1, max_size=3), min_size=1, max_size=3),
    st.lists(st.text("ab ß港", max_size=6), max_size=3),
    st.integers(1, 12),
    st.sampled_from(["none", "headings"]),
    st.sampled_from([TermRule(), TermRule(stop_words="english")]),
)
def test_against_every_chunk_tokenised(parts, asked, size, prefix, term_rule):
    splitter = SplitterSettings(size=size, overlap=0, unit="characters")
    enrich = EnrichSettings(prefix=prefix)
    settings = RetrieverSettings(stem=term_rule.stem, stop_words=term_rule.stop_words)
    whole = corpus_of([text for part in parts for text in part])
    index = KeptIndex(whole, "unicode", asked, term_rule)
    indexed, own, chunks = [], [], []
    for part in parts:
        here = CorpusIndex(corpus_of(part))
        made = here.chunk_set(splitter, enrich)
        words = here.words_for(settings)
        indexed.append(index.counted(words, made))
        own.append(index.counted(words, made, prefix=False))
        chunks.append(made)
    everything = ChunkSet(
        whole,
        tuple(cuts for one in chunks for cuts in one.cuts),
        np.concatenate([one.tokens for one in chunks]),
        np.concatenate([one.sizes for one in chunks]),
        size,
    )
    kept = KeptWords(index.vocabulary, everything, joined(indexed), joined(own))
    texts = [one.indexed_text(n) for one in chunks for n in range(len(one))]
    terms = [Counter(terms_of(text, "unicode", term_rule)) for text in texts]
    assert kept.lengths.tolist() == [one.total() for one in terms]
    postings = kept.postings(np.arange(len(index.vocabulary)))
    found = {
        (term, chunk): count
        for term, low, high in zip(
            index.vocabulary, postings.first[:-1], postings.first[1:], strict=True
        )
        for chunk, count in zip(
            postings.chunks[low:high].tolist(), postings.counts[low:high].tolist(), strict=True
        )
    }
    assert found == {
        (term, chunk): count
        for chunk, counts in enumerate(terms)
        for term, count in counts.items()
        if term in index.vocabulary
    }
    some = np.arange(len(texts))[::2].repeat(2)
    numbers, owner = kept.own_words(some)
    plain = [set(terms_of(one.text(n), "unicode", term_rule)) for one in chunks
             for n in range(len(one))]  # fmt: skip
    assert sorted(zip(owner.tolist(), numbers.tolist(), strict=True)) == sorted(
        (place, number)
        for place, chunk in enumerate(some.tolist())
        for term, number in index.vocabulary.items()
        if term in plain[chunk]
    )
