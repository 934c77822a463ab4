"""Words of chunks out of the positions of the whole text, against tokenising every chunk."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retrieval_cases import (
    RULES,
    chunk_set,
    chunk_sets,
    cut_at,
    texts,
    whole_documents,
    windows,
    words_as_indexed,
)

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.retrieval.chunkwords import ChunkWords
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import ChunkSet, Cuts
from chunkscope.text.document import Corpus, Document


def words_of(chunks: ChunkSet, rule: str) -> tuple[WordIndex, ChunkWords]:
    index = WordIndex(chunks.corpus, rule)
    return index, index.chunk_words(chunks)


def spelled(words: ChunkWords, truth: list[list[str]]) -> dict[int, str]:
    """Every term's word, by its number."""
    return {words.number(word): word for each in truth for word in each}


@given(chunk_sets(), st.sampled_from(RULES))
def test_every_chunk_has_its_words_in_order(chunks: ChunkSet, rule: str) -> None:
    _, words = words_of(chunks, rule)
    truth = words_as_indexed(chunks, rule)
    spelling = spelled(words, truth)
    assert -1 not in spelling
    for chunk, expected in enumerate(truth):
        assert [spelling[term] for term in words.terms(chunk).tolist()] == expected
        own = words.terms(chunk, prefix=False).tolist()
        assert own == words.numbers(tokenise(chunks.text(chunk), rule))
        assert -1 not in own
    assert words.lengths.tolist() == [len(each) for each in truth]


@given(chunk_sets(), st.sampled_from(RULES))
def test_the_stream_is_all_words_of_all_chunks(chunks: ChunkSet, rule: str) -> None:
    _, words = words_of(chunks, rule)
    truth = words_as_indexed(chunks, rule)
    spelling = spelled(words, truth)
    terms, numbers = words.stream()
    flat = [(chunk, word) for chunk, each in enumerate(truth) for word in each]
    found = zip(numbers.tolist(), terms.tolist(), strict=True)
    assert [(chunk, spelling[term]) for chunk, term in found] == flat


@given(chunk_sets(), st.sampled_from(RULES), st.lists(texts, max_size=3))
def test_postings_hold_term_and_document_frequencies(
    chunks: ChunkSet, rule: str, questions: list[str]
) -> None:
    index, words = words_of(chunks, rule)
    truth = [Counter(each) for each in words_as_indexed(chunks, rule)]
    asked = {word for question in questions for word in index.words_of(question)}
    for each in truth[:1]:
        asked.update(each)
    numbers = sorted({number for number in words.numbers(asked) if number >= 0})
    by_number = {words.number(word): word for word in asked}
    postings = words.postings(np.array(numbers, dtype=np.int64))
    assert postings.terms.tolist() == numbers
    for slot, number in enumerate(numbers):
        span = slice(int(postings.first[slot]), int(postings.first[slot + 1]))
        found = zip(postings.chunks[span].tolist(), postings.counts[span].tolist(), strict=True)
        word = by_number[number]
        assert list(found) == [
            (chunk, counts[word]) for chunk, counts in enumerate(truth) if word in counts
        ]
    absent = [word for word in asked if words.number(word) < 0]
    assert not any(word in counts for word in absent for counts in truth)


@given(chunk_sets(), st.sampled_from(RULES))
def test_all_postings_hold_the_whole_vocabulary(chunks: ChunkSet, rule: str) -> None:
    _, words = words_of(chunks, rule)
    truth = words_as_indexed(chunks, rule)
    expected = Counter(word for each in truth for word in set(each))
    frequencies = words.all_postings().document_frequencies
    assert {word: int(frequencies[words.number(word)]) for word in expected} == expected
    assert int(frequencies.sum()) == sum(expected.values())


@pytest.mark.parametrize(
    ("text", "ranges", "expected"),
    [
        ("lighthouse keeper", [(0, 5), (5, 17)], [["light"], ["house", "keeper"]]),
        ("lighthouse", [(2, 6)], [["ghth"]]),
        ("lighthouse", [(3, 3)], [[]]),
        (
            "灯塔在闪光",
            [(0, 1), (0, 2), (1, 4), (4, 5)],
            [["灯"], ["灯塔"], ["塔在", "在闪"], ["光"]],
        ),
        ("ab灯塔cd", [(1, 3), (3, 5)], [["b", "灯"], ["塔", "c"]]),
        ("große Straße", [(0, 4), (4, 9), (9, 12)], [["gross"], ["e", "str"], ["asse"]]),
        ("İzmir", [(0, 1), (1, 5)], [["i"], ["zmir"]]),
        ("one two three", [(0, 7), (4, 13)], [["one", "two"], ["two", "three"]]),
    ],
)
def test_a_cut_word_counts_as_its_halves(
    text: str, ranges: list[tuple[int, int]], expected: list[list[str]]
) -> None:
    chunks = cut_at(text, *ranges)
    _, words = words_of(chunks, "unicode")
    spelling = spelled(words, expected)
    found = [[spelling[t] for t in words.terms(chunk).tolist()] for chunk in range(len(chunks))]
    assert found == expected


def test_altered_text_and_prefixes_are_counted_as_indexed() -> None:
    document = Document("a.md", "alpha beta gamma")
    cuts = Cuts(np.array([0, 6]), np.array([10, 16]), {1: "beta--gamma"})
    chunks = chunk_set([document], [cuts], {0: "Tide alpha", 1: "Tide"})
    _, words = words_of(chunks, "unicode")
    assert words.lengths.tolist() == [4, 3]
    assert words.prefix_lengths.tolist() == [2, 1]
    assert words.terms(0).tolist() == words.numbers(["tide", "alpha", "alpha", "beta"])
    assert words.terms(0, prefix=False).tolist() == words.numbers(["alpha", "beta"])
    assert words.terms(1).tolist() == words.numbers(["tide", "beta", "gamma"])


def test_white_space_words_of_a_chunk_are_those_of_split() -> None:
    text = "\ufeff One  two\nthree-four\u3000five "
    chunks = cut_at(text, (0, 6), (3, 14), (0, len(text)), (5, 7))
    _, words = words_of(chunks, "whitespace")
    assert words.lengths.tolist() == [1, 3, 4, 0]
    assert words.lengths[1] == len(text[3:14].split())


def test_a_mark_at_a_documents_start_is_no_word_of_its_first_chunk() -> None:
    chunks = cut_at("\ufeffThe tug", (0, 4), (0, 0), (0, 1), (4, 8))
    _, words = words_of(chunks, "whitespace")
    assert words.lengths.tolist() == [1, 0, 0, 1]
    assert words.terms(0).tolist() == words.numbers(["The"])


def test_words_that_stand_whole_in_some_chunk_are_counted_with_repeats() -> None:
    chunks = cut_at("the light of the lighthouse", (0, 9), (10, 22))
    _, words = words_of(chunks, "unicode")
    asked = ["the", "the", "light", "house", "lighthouse", "absent"]
    assert words.standing(asked, [0]) == 3
    assert words.standing(asked, [1]) == 3
    assert words.standing(asked, []) == 0


def test_a_prefix_does_not_stand_in_the_text() -> None:
    document = Document("a.md", "low water")
    cuts = Cuts(np.array([0]), np.array([9]))
    chunks = chunk_set([document], [cuts], {0: "Tides"})
    for rule in ("unicode", r"\w+(?=\W|$)"):
        _, words = words_of(chunks, rule)
        assert words.standing(["tides", "low"], [0]) == 1


@pytest.mark.parametrize("texts", [[], [""], ["", "\n "]])
def test_nothing_to_count(texts: list[str]) -> None:
    chunks = whole_documents(texts)
    for rule in RULES[:3]:
        _, words = words_of(chunks, rule)
        assert words.lengths.tolist() == [0] * len(texts)
        assert len(words.all_postings().chunks) == 0


def test_the_same_chunk_set_is_counted_once_while_it_is_held() -> None:
    chunks = cut_at("one two", (0, 7))
    index, words = words_of(chunks, "unicode")
    assert index.chunk_words(chunks) is words
    assert index.chunk_words(cut_at("one two", (0, 7))) is not words


def test_more_terms_than_sixteen_bits_number() -> None:
    names = [f"w{number}" for number in range(70_000)]
    text = " ".join([*names, *names[::3], *reversed(names[1000:]), *names[:2000]])
    chunks = windows([Document("many.txt", text)], len(text) // 7, len(text) // 9)
    _, words = words_of(chunks, "unicode")
    truth = [Counter(each) for each in words_as_indexed(chunks, "unicode")]
    postings = words.all_postings()
    assert int(postings.document_frequencies.sum()) == sum(len(each) for each in truth)
    by_number = {words.number(word): word for each in truth for word in each}
    parts = (postings.slots.tolist(), postings.chunks.tolist(), postings.counts.tolist())
    for term, chunk, count in zip(*parts, strict=True):
        assert truth[chunk][by_number[term]] == count


def test_work_that_was_called_off_stops() -> None:
    cancel = CancelToken()
    cancel.cancel()
    chunks = cut_at("one two", (0, 7))
    with pytest.raises(CancelledError):
        WordIndex(chunks.corpus, "unicode", cancel)
    with pytest.raises(CancelledError):
        WordIndex(chunks.corpus, "^x").chunk_words(chunks, cancel)


def test_an_index_of_no_documents() -> None:
    index = WordIndex(Corpus(()), "unicode")
    assert index.vocabulary == {}
    assert len(index.terms) == 0
