"""Stems and stop words: terms of chunks and their scores against the plain definition."""

import re
from collections import Counter
from typing import Literal

import numpy as np
import pytest
import snowballstemmer
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi
from retrieval_cases import (
    RULES,
    chunk_set,
    chunk_sets,
    cut_at,
    plain_bm25,
    plain_cosines,
    terms_as_indexed,
    texts,
    texts_as_indexed,
    whole_documents,
)

from chunkscope.errors import InputError
from chunkscope.retrieval.index import WordIndex
from chunkscope.retrieval.lexical import LexicalRetriever
from chunkscope.retrieval.protocol import Matches
from chunkscope.retrieval.registry import build_retriever, check_settings
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.stopwords import stop_word_languages, stop_words_of
from chunkscope.retrieval.terms import (
    WORDS_AS_THEY_STAND,
    TermMaker,
    TermRule,
    stem_languages,
    terms_of,
)
from chunkscope.retrieval.words import holds_bigram_script, tokenise
from chunkscope.splitting.chunks import ChunkSet, Cuts
from chunkscope.text.document import Document

ENGLISH = TermRule("english", "english")
TERM_RULES = (
    ENGLISH,
    TermRule(stem="english"),
    TermRule(stop_words="english"),
    TermRule("german", "german"),
    TermRule("arabic", "russian"),
    WORDS_AS_THEY_STAND,
)

english = st.lists(
    st.sampled_from(
        ["running", "Runs", "run", "the", "The", "is", "don't", "ferries", "ferry", "灯台", ".",
         "\n", " ", " ", "of", "häuser", "Haus", "die", "\ud83d", "ing", "s"]
    ),
    max_size=14,
).map("".join)  # fmt: skip
sets = st.one_of(chunk_sets(english), chunk_sets())
rules = st.sampled_from(RULES)
term_rules = st.sampled_from(TERM_RULES)


def index_of(chunks: ChunkSet, rule: str, term_rule: TermRule) -> WordIndex:
    return WordIndex(chunks.corpus, rule, term_rule=term_rule)


def retriever_of(chunks: ChunkSet, settings: RetrieverSettings) -> LexicalRetriever:
    index = index_of(chunks, settings.words, TermRule.of(settings))
    retriever = build_retriever(settings, chunks, index)
    assert isinstance(retriever, LexicalRetriever)
    return retriever


def matches(chunks: ChunkSet, question: str, settings: RetrieverSettings) -> Matches:
    (found,) = retriever_of(chunks, settings).match([question])
    return found


def by_hand(text: str, rule: str, term_rule: TermRule) -> list[str]:
    """What a user writes: split, filter, stem."""
    words = tokenise(text, rule)
    if term_rule.stop_words != "none":
        stop = stop_words_of(term_rule.stop_words)
        words = [word for word in words if word.casefold().replace("’", "'") not in stop]
    if term_rule.stem != "none":
        stemmer = snowballstemmer.stemmer(term_rule.stem)
        half = re.compile("[\ud800-\udfff]")
        words = [
            word if half.search(word) or holds_bigram_script(word) else stemmer.stemWord(word)
            for word in words
        ]
    return words


@given(st.one_of(english, texts), rules, term_rules)
def test_terms_are_words_filtered_then_stemmed(text: str, rule: str, term_rule: TermRule) -> None:
    assert terms_of(text, rule, term_rule) == by_hand(text, rule, term_rule)


@given(sets, rules, term_rules)
def test_every_chunk_has_its_terms_in_order(
    chunks: ChunkSet, rule: str, term_rule: TermRule
) -> None:
    words = index_of(chunks, rule, term_rule).chunk_words(chunks)
    truth = terms_as_indexed(chunks, rule, term_rule)
    spelling = {words.number(term): term for each in truth for term in each}
    assert -1 not in spelling
    for chunk, expected in enumerate(truth):
        assert [spelling[term] for term in words.terms(chunk).tolist()] == expected
        own = words.terms(chunk, prefix=False).tolist()
        assert own == words.numbers(terms_of(chunks.text(chunk), rule, term_rule))
    assert words.lengths.tolist() == [len(each) for each in truth]
    assert words.prefix_lengths.tolist() == [
        len(terms_of(chunks.prefixes.get(chunk, ""), rule, term_rule))
        for chunk in range(len(chunks))
    ]


@given(sets, rules, term_rules)
def test_postings_and_frequencies_are_those_of_the_terms(
    chunks: ChunkSet, rule: str, term_rule: TermRule
) -> None:
    words = index_of(chunks, rule, term_rule).chunk_words(chunks)
    truth = [Counter(each) for each in terms_as_indexed(chunks, rule, term_rule)]
    postings = words.all_postings()
    found: list[Counter[str]] = [Counter() for _ in truth]
    spelling = {words.number(term): term for each in truth for term in each}
    parts = (postings.slots.tolist(), postings.chunks.tolist(), postings.counts.tolist())
    for term, chunk, count in zip(*parts, strict=True):
        found[chunk][spelling[term]] = count
    assert found == truth
    frequencies = words.document_frequencies()
    assert frequencies.tolist() == postings.document_frequencies.tolist()
    stream, _ = words.stream()
    first = np.full(words.term_count, len(stream))
    first[stream[::-1]] = np.arange(len(stream))[::-1]
    assert words.first_appearances().tolist() == first.tolist()


@given(
    sets,
    rules,
    term_rules,
    st.lists(st.one_of(english, texts), max_size=3),
    st.sampled_from(["bag", "set"]),
)
def test_scores_are_those_of_a_user_who_filters_and_stems(
    chunks: ChunkSet,
    rule: str,
    term_rule: TermRule,
    questions: list[str],
    query_terms: Literal["bag", "set"],
) -> None:
    words = [by_hand(text, rule, term_rule) for text in texts_as_indexed(chunks)]
    package = BM25Okapi(words) if any(words) else None
    for kind in ("rank-bm25", "bm25", "tfidf"):
        settings = RetrieverSettings(
            kind=kind,
            words=rule,
            query_terms=query_terms,
            stem=term_rule.stem,
            stop_words=term_rule.stop_words,
        )
        found = list(retriever_of(chunks, settings).match(questions))
        for question, match in zip(questions, found, strict=True):
            query = by_hand(question, rule, term_rule)
            if query_terms == "set":
                query = list(dict.fromkeys(query))
            if kind == "rank-bm25":
                shared = [n for n, each in enumerate(words) if set(query) & set(each)]
                assert match.chunks.tolist() == shared
                if package is not None:
                    assert match.scores.tolist() == package.get_scores(query)[shared].tolist()
                continue
            plain = plain_bm25 if kind == "bm25" else plain_cosines
            expected = plain(words, query)
            assert match.chunks.tolist() == sorted(expected)
            assert match.scores.tolist() == pytest.approx(
                [expected[chunk] for chunk in match.chunks.tolist()], rel=1e-12
            )


@given(sets, rules, term_rules, st.one_of(english, texts))
def test_the_parts_of_a_score_are_shown_as_the_questions_words(
    chunks: ChunkSet, rule: str, term_rule: TermRule, question: str
) -> None:
    settings = RetrieverSettings(words=rule, stem=term_rule.stem, stop_words=term_rule.stop_words)
    retriever = retriever_of(chunks, settings)
    (match,) = retriever.match([question])
    asked = set(tokenise(question, rule))
    for chunk, score in zip(match.chunks.tolist(), match.scores.tolist(), strict=True):
        parts = retriever.explain(question, chunk)
        assert sum(part for _, part in parts) == pytest.approx(score, rel=1e-12)
        for shown, _ in parts:
            words, arrow, _ = shown.partition(" → ")
            assert shown in asked or (arrow and set(words.split(", ")) <= asked)


def test_terms_of_a_sentence() -> None:
    text = "The ferries are running, and she doesn't run."
    assert terms_of(text, "unicode", ENGLISH) == ["ferri", "run", "run"]
    assert terms_of(text, "unicode", TermRule(stop_words="english")) == [
        "ferries",
        "running",
        "run",
    ]
    # Stop words go before anything is stemmed: "because" has another stem, "ons" has one of them.
    assert terms_of("because of the ons", "unicode", ENGLISH) == ["on"]
    assert terms_of("Die Häuser der Stadt", "unicode", TermRule("german", "german")) == [
        "haus",
        "stadt",
    ]


def test_by_white_space_case_is_kept_and_stop_words_are_known_in_any_case() -> None:
    text = "The Ferries DON’T run the. don't"
    assert terms_of(text, "whitespace", ENGLISH) == ["Ferri", "run", "the."]


def test_bigrams_and_half_surrogates_have_no_stem_but_themselves() -> None:
    text = "running灯台running a\ud83drunning"
    assert terms_of(text, "unicode", TermRule(stem="english")) == [
        "run", "灯台", "run", "a", "run",
    ]  # fmt: skip
    assert terms_of(text, "whitespace", TermRule(stem="english")) == text.split()


def test_a_cut_word_is_stemmed_after_the_cut() -> None:
    text = "lighthouses"
    # "light", then "houses"; "the" is cut out of "lighthe", and is a stop word only there.
    chunks = cut_at(text, (0, 5), (5, 11))
    words = index_of(chunks, "unicode", ENGLISH).chunk_words(chunks)
    assert [words.terms(chunk).tolist() for chunk in (0, 1)] == [
        words.numbers(["light"]),
        words.numbers(["hous"]),
    ]
    chunks = cut_at("breathe", (0, 4), (4, 7), (0, 7))
    words = index_of(chunks, "unicode", ENGLISH).chunk_words(chunks)
    assert words.lengths.tolist() == [1, 0, 1]
    assert words.numbers(["brea", "breath", "the"]) == [1, 0, -1]


def test_lengths_and_prefixes_count_only_what_is_kept() -> None:
    document = Document("a.md", "the tides of the bay")
    cuts = Cuts(np.array([0, 4]), np.array([9, 20]), {1: "tides--of the bay"})
    chunks = chunk_set([document], [cuts], {0: "The Port of Call", 1: "Of"})
    words = index_of(chunks, "unicode", ENGLISH).chunk_words(chunks)
    assert words.lengths.tolist() == [3, 2]
    assert words.prefix_lengths.tolist() == [2, 0]
    assert words.terms(0).tolist() == words.numbers(["port", "call", "tide"])
    assert words.terms(0, prefix=False).tolist() == words.numbers(["tide"])
    assert words.terms(1, prefix=False).tolist() == words.numbers(["tide", "bay"])


def test_a_stem_finds_what_the_word_does_not() -> None:
    chunks = whole_documents(["The ferry is late.", "Fog at noon.", "Two ferries collided."])
    assert matches(chunks, "ferries", RetrieverSettings()).chunks.tolist() == [2]
    stemmed = RetrieverSettings(stem="english")
    assert matches(chunks, "ferries", stemmed).chunks.tolist() == [0, 2]


def test_a_question_of_stop_words_alone_retrieves_nothing() -> None:
    chunks = whole_documents(["What is it?", "It is the tide."])
    asked = "What is it?"
    assert matches(chunks, asked, RetrieverSettings()).chunks.tolist() == [0, 1]
    for kind in ("bm25", "rank-bm25", "tfidf"):
        settings = RetrieverSettings(kind=kind, stop_words="english")
        assert matches(chunks, asked, settings).chunks.tolist() == []
        assert matches(chunks, "tide", settings).chunks.tolist() == [1]


def test_parts_of_a_score_name_words_and_stems() -> None:
    chunks = whole_documents(["A running man runs past the ferry.", "Fog at noon."])
    settings = RetrieverSettings(stem="english", stop_words="english")
    retriever = retriever_of(chunks, settings)
    parts = dict(retriever.explain("Is the running ferry where a man runs?", 0))
    assert list(parts) == ["running, runs → run", "ferry → ferri", "man"]
    # Asked twice and held twice; "ferry" once and once.
    assert parts["ferry → ferri"] == parts["man"]
    once = dict(retriever.explain("running", 0))["running → run"]
    assert parts["running, runs → run"] == pytest.approx(2 * once, rel=1e-14)


def test_an_index_of_words_is_shared_by_its_terms() -> None:
    chunks = cut_at("the tides and the tide", (0, 9), (10, 22))
    plain = WordIndex(chunks.corpus, "unicode")
    index = WordIndex(chunks.corpus, "unicode", term_rule=ENGLISH, plain=plain)
    assert index.plain is plain
    assert plain.plain is plain
    assert index.text is plain.text
    assert index.vocabulary == {"tide": 0}
    assert index.terms.tolist() == [0, 0]
    words = index.chunk_words(chunks)
    counted = plain.chunk_words(chunks)
    assert (words.lengths.tolist(), counted.lengths.tolist()) == ([1, 1], [2, 3])


def test_an_index_of_other_terms_is_refused() -> None:
    chunks = cut_at("tide", (0, 4))
    index = WordIndex(chunks.corpus, "unicode", term_rule=TermRule(stem="english"))
    with pytest.raises(InputError, match="built for 'english' and 'none', not 'none' and 'none'"):
        build_retriever(RetrieverSettings(), chunks, index)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"stem": "klingon"}, r"stem: 'klingon' is unknown; give none or one of arabic, .*english"),
        ({"stem": "en"}, "stem: 'en' is unknown"),
        ({"stop_words": "finnish"}, "stop_words: 'finnish' is unknown; give none or one of danish"),
        ({"stop_words": ""}, "stop_words: '' is unknown"),
    ],
)
def test_languages_that_are_not_known(settings: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        check_settings(RetrieverSettings(**settings))
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError):
        TermMaker(TermRule(**settings))


def test_settings_that_only_lexical_retrievers_use_are_warned_about() -> None:
    lexical = RetrieverSettings(stem="english", stop_words="english")
    assert check_settings(lexical, {"stem", "stop_words"}) == []
    pytest.importorskip("wordllama", reason="the extra 'static' is not installed")
    static = RetrieverSettings(kind="static", stem="english", stop_words="english")
    assert check_settings(static, {"stem", "stop_words"}) == [
        "stem: not used by retriever 'static'",
        "stop_words: not used by retriever 'static'",
    ]
    hybrid = RetrieverSettings(kind="hybrid", stem="english", stop_words="english")
    assert check_settings(hybrid, {"stem", "stop_words"}) == []


def test_every_language_of_stop_words_has_a_stemmer() -> None:
    assert set(stop_word_languages()) <= set(stem_languages())


@pytest.mark.parametrize("language", stop_word_languages())
def test_stop_words_are_folded_words_without_digits(language: str) -> None:
    words = stop_words_of(language)
    assert 140 <= len(words) <= 360
    for word in words:
        assert word == word.casefold()
        assert re.fullmatch(r"[^\W\d_]+(?:['-][^\W\d_]*)*|'n|'t", word), word


def test_nothing_that_a_question_could_be_about_is_a_stop_word() -> None:
    english = stop_words_of("english")
    assert {"the", "of", "and", "is", "what", "t", "don", "don't"} <= english
    assert not {"us", "mine", "state", "system", "computer", "one", "d", "c", "new"} & english
