"""Parents are cut first, chunks inside each."""

from dataclasses import replace

import numpy as np
import pytest
from covering import assert_covers
from hypothesis import given
from hypothesis import strategies as st
from langchain_oracle import texts

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.errors import InputError
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.chunkset import build_chunk_set
from chunkscope.splitting.parents import Parents, check_parent, cut_within, parent_cuts, parents_of
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

SETTINGS = SplitterSettings(kind="words", unit="words", size=2, overlap=0)
TEXT = "Above it all.\n\n# Port\n\n## Berths\none two three\n## Depth\nfour five\n# End\n"


def made(
    corpus: Corpus, settings: SplitterSettings, enrich: EnrichSettings
) -> tuple[ChunkSet, Parents]:
    parents = [parent_cuts(document, settings, enrich) for document in corpus.documents]
    cuts = [
        cut_within(document.text, of_document, settings)
        for document, of_document in zip(corpus.documents, parents, strict=True)
    ]
    chunks = build_chunk_set(corpus, cuts, settings, EnrichSettings())
    return chunks, parents_of(chunks, parents)


def parent_texts(corpus: Corpus, parents: Parents) -> list[str]:
    return [
        corpus.documents[document].text[start:end]
        for document, start, end in zip(
            parents.documents, parents.starts, parents.ends, strict=True
        )
    ]


def test_sections_and_the_chunks_inside_them() -> None:
    corpus = Corpus((Document("a.md", TEXT), Document("b.md", ""), Document("c.txt", "six seven")))
    chunks, parents = made(corpus, SETTINGS, EnrichSettings(parent="section"))
    assert parent_texts(corpus, parents) == [
        "Above it all.",
        "# Port\n\n## Berths\none two three",
        "## Depth\nfour five",
        "# End",
        "six seven",
    ]
    assert chunks.texts() == [
        *("Above it", "all."),
        *("# Port", "## Berths", "one two", "three"),
        *("## Depth", "four five"),
        "# End",
        "six seven",
    ]
    assert parents.of_chunk.tolist() == [0, 0, 1, 1, 1, 1, 2, 2, 3, 4]
    assert parents.documents.tolist() == [0, 0, 0, 0, 2]
    assert len(parents) == 5


def test_headings_of_plain_text_by_pattern() -> None:
    corpus = Corpus((Document("a.txt", "Part: one\nx\nPart: two\ny"),))
    enrich = EnrichSettings(parent="section", heading_pattern="^Part: .*$")
    assert parent_texts(corpus, made(corpus, SETTINGS, enrich)[1]) == [
        "Part: one\nx",
        "Part: two\ny",
    ]


def test_a_size_of_the_same_unit_without_overlap() -> None:
    corpus = Corpus((Document("a.txt", "one two three four five six seven"),))
    settings = replace(SETTINGS, overlap=1)
    chunks, parents = made(corpus, settings, EnrichSettings(parent="4"))
    assert parent_texts(corpus, parents) == ["one two three four", "five six seven"]
    assert chunks.texts() == ["one two", "two three", "three four", "five six", "six seven"]
    assert parents.of_chunk.tolist() == [0, 0, 0, 1, 1]


def test_sentences_are_counted_inside_their_parents() -> None:
    corpus = Corpus((Document("a.txt", "One is. Two is. Three is. Four is."),))
    settings = SplitterSettings(kind="sentence", unit="sentences", size=2, overlap=0)
    chunks, parents = made(corpus, settings, EnrichSettings(parent="3"))
    assert chunks.texts() == ["One is. Two is.", "Three is.", "Four is."]
    assert chunks.sizes.tolist() == [2, 1, 1]
    assert parents.of_chunk.tolist() == [0, 0, 1]


def test_dropped_duplicates_leave_the_other_chunks_their_parents() -> None:
    corpus = Corpus((Document("a.md", "# A\nx y\n# B\nx y\nz"),))
    settings = replace(SETTINGS, dedupe=True)
    chunks, parents = made(corpus, settings, EnrichSettings(parent="section"))
    assert chunks.texts() == ["# A", "x y", "# B", "z"]
    assert parents.of_chunk.tolist() == [0, 0, 1, 1]


@given(
    texts,
    st.sampled_from(["recursive", "character", "token", "words", "sentence", "markdown", "html"]),
    st.integers(1, 12),
    st.sampled_from(["section", "12", "25"]),
    st.data(),
)
def test_every_chunk_lies_in_its_parent(
    text: str, kind: str, size: int, parent: str, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    settings = SplitterSettings(kind=kind, unit="characters", size=size, overlap=overlap)
    corpus = Corpus((Document("a.md", text), Document("b.md", f"# A\n{text}")))
    chunks, parents = made(corpus, settings, EnrichSettings(parent=parent))
    of_chunk = parents.of_chunk
    assert (chunks.starts >= parents.starts[of_chunk]).all()
    assert (chunks.ends <= parents.ends[of_chunk]).all()
    assert (chunks.documents == parents.documents[of_chunk]).all()
    assert (np.diff(of_chunk) >= 0).all()
    for document, cuts in zip(corpus.documents, chunks.cuts, strict=True):
        if kind != "character":
            assert_covers(document.text, cuts)
        for index, (start, end) in enumerate(zip(cuts.starts, cuts.ends, strict=True)):
            assert (document.text[start:end] == cuts.text(index, document.text)) == (
                index not in cuts.altered
            )


def test_a_chunk_beyond_its_parent_is_no_chunk_of_it() -> None:
    corpus = Corpus((Document("a.md", TEXT),))
    parents = [parent_cuts(corpus.documents[0], SETTINGS, EnrichSettings(parent="section"))]
    whole = replace(SETTINGS, size=50)
    cuts = [cut_within(TEXT, parent_cuts(corpus.documents[0], whole, EnrichSettings()), whole)]
    chunks = build_chunk_set(corpus, cuts, whole, EnrichSettings())
    with pytest.raises(ValueError, match="a chunk of document 0 reaches beyond its parent"):
        parents_of(chunks, parents)


def test_cutting_can_be_called_off() -> None:
    token = CancelToken()
    parents = parent_cuts(Document("a.md", TEXT), SETTINGS, EnrichSettings(parent="section"))
    token.cancel()
    with pytest.raises(CancelledError):
        cut_within(TEXT, parents, SETTINGS, token)


@pytest.mark.parametrize(
    ("parent", "said"),
    [
        ("page", "parent: 'page' is not known; give none, section or a size"),
        ("0", "parent: '0' is not known"),
        ("-3", "parent: '-3' is not known"),
        ("²", "parent: '²' is not known"),
        ("1", "parent: 1 is less than size 2"),
    ],
)
def test_parents_that_cannot_work_are_refused(parent: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        check_parent(parent, SETTINGS)
    assert said in str(caught.value)


def test_a_splitter_without_a_size_has_sections_alone_for_parents() -> None:
    settings = SplitterSettings(kind="langchain-markdown")
    check_parent("section", settings)
    with pytest.raises(InputError, match="splitter 'langchain-markdown' knows no size"):
        check_parent("512", settings)
