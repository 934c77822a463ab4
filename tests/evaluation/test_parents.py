"""Parents: small chunks are matched, what is returned and measured are the parents of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import check_configuration
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.evaluation.sweep import plan_sweep, run_sweep
from chunkscope.golden.asking import ask
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.parents import ParentRetriever
from chunkscope.retrieval.ranking import rank_matches
from chunkscope.retrieval.registry import build_retriever
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

PORT = """# Port

Pilots board at the outer buoy.

## Limits

The largest draught is nine metres. Above that the tide decides.

## Fees

A berth costs forty euros. Water is free.
"""


def corpus_of(*texts: str) -> Corpus:
    return Corpus(tuple(Document(f"{n}.md", text) for n, text in enumerate(texts)))


def question_of(corpus: Corpus, question: str, evidence: str) -> tuple[LocatedQuestion, ...]:
    return (ask(question, [evidence], corpus),)


def configuration_of(parent: str, *, size: int = 3, k: int = 1) -> Configuration:
    return Configuration(
        splitter=SplitterSettings(kind="words", size=size, overlap=0, unit="words"),
        enrich=EnrichSettings(parent=parent),
        retriever=RetrieverSettings(k=(k,)),
    )


def test_evidence_that_chunks_cut_is_whole_in_the_section_returned() -> None:
    corpus = corpus_of(PORT)
    questions = question_of(corpus, "largest draught", "nine metres. Above that the tide decides.")
    index = CorpusIndex(corpus)
    alone = evaluate(index, configuration_of("none"), questions)
    assert (alone.questions[0].verdict, alone.metrics["recall"]) == ("split", 0.0)
    within = evaluate(index, configuration_of("section"), questions)
    line = within.questions[0]
    assert (line.verdict, line.rank, within.metrics["recall"]) == ("hit", 1, 1.0)
    section = PORT[PORT.index("## Limits") : PORT.index("\n\n## Fees")]
    entry = line.retrieved[0]
    assert within.chunks.text(entry.chunk) == section
    # Numbers are of parents; the count of chunks is of the children.
    assert within.metrics["context_words"] == len(section.split())
    children = index.chunk_set(within.configuration.splitter, within.configuration.enrich)
    assert within.statistics.count == len(children)
    assert len(within.chunks) == 3
    assert within.chunks.indexed is children


def test_children_of_one_parent_count_once() -> None:
    corpus = corpus_of(
        "harbour a b harbour c d harbour e f",
        "harbour x y z",
        "nothing of the kind here",
    )
    questions = question_of(corpus, "harbour", "c d harbour")
    run = evaluate(CorpusIndex(corpus), configuration_of("9", k=2), questions)
    assert [run.chunks.text(entry.chunk) for entry in run.questions[0].retrieved] == [
        "harbour a b harbour c d harbour e f",
        "harbour x y z",
    ]
    assert run.metrics["context_words"] == 13.0
    assert run.metrics["context_nominal"] == 18.0
    assert run.metrics["redundancy"] == 0.0


def test_sections_have_no_nominal_context() -> None:
    corpus = corpus_of(PORT)
    questions = question_of(corpus, "berth", "A berth costs forty euros.")
    run = evaluate(CorpusIndex(corpus), configuration_of("section"), questions)
    assert run.metrics["context_nominal"] is None


words = st.sampled_from(["buoy", "tide", "pier", "mast"])
documents = st.lists(st.lists(words, min_size=1, max_size=14).map(" ".join), min_size=1, max_size=3)


@settings(max_examples=150)
@given(
    documents,
    st.lists(words, min_size=1, max_size=3).map(" ".join),
    st.sampled_from(["bm25", "rank-bm25", "tfidf"]),
    st.sampled_from(["earlier", "later"]),
    st.integers(1, 4),
)
def test_parents_are_ranked_as_their_children_with_repeats_dropped(
    texts: list[str], question: str, kind: str, ties: str, k: int
) -> None:
    corpus = corpus_of(*texts)
    index = CorpusIndex(corpus)
    splitter = SplitterSettings(kind="words", size=2, overlap=0, unit="words")
    retrieved = index.retrieved_set(splitter, EnrichSettings(parent="4"))
    assert retrieved.children is not None
    of = retrieved.children.parents
    retriever_settings = RetrieverSettings(kind=kind)
    children = build_retriever(retriever_settings, retrieved.indexed, index.words("unicode"))
    matches = next(iter(children.match([question])))
    everything, _ = rank_matches(matches, len(retrieved.indexed), ties)
    wanted = list(dict.fromkeys(of[everything].tolist()))[:k]
    wrapped = index.retriever(retriever_settings, retrieved)
    assert isinstance(wrapped, ParentRetriever)
    found, _ = rank_matches(next(iter(wrapped.match([question]))), k, ties)
    assert found.tolist() == wanted
    block = next(iter(wrapped.blocks([question])))
    found, _ = rank_matches(block.matches(0), k, ties)
    assert found.tolist() == wanted
    for parent in wanted:
        best = max(matches.scores[of[matches.chunks] == parent])
        parts = wrapped.explain(question, parent)
        assert np.isclose(sum(part for _, part in parts), best)


def test_a_sweep_varies_parents() -> None:
    corpus = corpus_of(PORT)
    questions = question_of(corpus, "largest draught", "nine metres. Above that the tide decides.")
    plan = plan_sweep(configuration_of("none"), [3], ["0"], {"parent": ["none", "section", "6"]})
    sweep = run_sweep(CorpusIndex(corpus), plan, questions)
    assert [row.configuration.enrich.parent for row in sweep.rows] == ["none", "section", "6"]
    assert [row.evaluation.metrics["recall"] for row in sweep.rows] == [0.0, 1.0, 0.0]
    assert [row.same_as for row in sweep.rows] == [None, None, None]


@pytest.mark.parametrize(("parent", "said"), [("2", "less than size 3"), ("page", "not known")])
def test_a_parent_that_cannot_be_is_refused(parent: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_configuration(configuration_of(parent))
