from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.golden.locating import locate, nearest_passages
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.golden.stats import golden_statistics
from chunkscope.text.document import Corpus, Document

CORPUS = Corpus(
    (
        Document(
            "a", "The tug left. " * 40 + "The Pilot boarded at the outer buoy. " + "Rain. " * 40
        ),
        Document("b", "At the outer buoy nobody waits. " + "The gate is shut. " * 40),
        Document("c", "田中さんは港で働く。船は朝六時に出る。灯台は夜に光る。"),
    )
)


def found(text: str, n: int = 3) -> list[tuple[str, str, float]]:
    texts = {document.id: document.text for document in CORPUS.documents}
    return [
        (one.doc, texts[one.doc][one.span.start : one.span.end], one.score)
        for one in nearest_passages(text, CORPUS, n)
    ]


def test_the_passage_with_the_most_and_rarest_words_comes_first():
    best, second, third = found("a pilot came aboard near the outer buoy")
    assert best[:2] == ("a", "Pilot boarded at the outer buoy")
    assert second[:2] == ("b", "the outer buoy")
    assert 1 > best[2] > second[2] > third[2] > 0


def test_a_passage_with_every_word_scores_one():
    ((doc, text, score),) = found("PILOT boarded", 1)
    assert (doc, text) == ("a", "Pilot boarded")
    assert score == pytest.approx(1)


def test_scripts_without_spaces_are_compared_by_character():
    ((doc, text, _),) = found("船が朝六時に出た", 1)
    assert (doc, text) == ("c", "船は朝六時に出")


@pytest.mark.parametrize("text", ["", " ... ", "zebra"])
def test_nothing_in_common_gives_nothing(text):
    assert found(text) == []


def test_an_empty_corpus_gives_nothing():
    assert nearest_passages("pilot", Corpus(())) == ()


def test_a_search_can_be_called_off():
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        nearest_passages("pilot", CORPUS, cancel=token)


@given(st.text("ab c港", max_size=60), st.text("ab c港", max_size=12), st.integers(1, 4))
def test_passages_are_apart_ordered_and_within_bounds(text, sought, n):
    passages = nearest_passages(sought, Corpus((Document("d", text),)), n)
    assert len(passages) <= n
    assert [one.score for one in passages] == sorted((one.score for one in passages), reverse=True)
    spans = sorted(one.span for one in passages)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    for one in passages:
        assert 0 <= one.span.start < one.span.end <= len(text)
        assert 0 < one.score <= 1


def test_statistics_add_up():
    golden = GoldenSet(
        (
            Question("1", "?", "a", (Evidence("Pilot"), Evidence("Rain.")), type="fact"),
            Question("2", "?", "a", (Evidence("whale", 0, 5),), type="fact"),
            Question("3", "?", "b", ()),
            Question("4", "?", "b", (Evidence("outer  buoy", 7, 18),)),
        )
    )
    counted = golden_statistics(locate(golden, CORPUS))
    assert (counted.questions, counted.measured, counted.unmeasured) == (4, 2, 1)
    assert (counted.unanswerable, counted.evidence) == (1, 4)
    assert (counted.ambiguous, counted.drifted) == (1, 2)
    assert counted.types == {"fact": 2, "": 2}
    assert counted.documents == {"a": 2, "b": 2}
    assert counted.tiers == {"exact": 2, "whitespace": 1}
    assert counted.lengths == (5, 5, 5, 6.5, 11)
    assert golden_statistics(()).lengths == ()
