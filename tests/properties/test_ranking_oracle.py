"""Scores and ranks against formulas written out, and against rank_bm25 itself."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.locating import locate
from chunkscope.golden.model import Evidence, GoldenSet, Question
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

EXAMPLES = settings(
    max_examples=max(500, settings().max_examples),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
EVERYTHING = 1000
EXACT = {"rel": 1e-12, "abs": 1e-14}


# ---------------------------------------------------------------- the oracles


def is_kana_or_han(character: str) -> bool:
    """Han, Hiragana or Katakana, of the characters tried here."""
    return any(
        low <= ord(character) <= high
        for low, high in ((0x3041, 0x309F), (0x30A1, 0x30FF), (0x4E00, 0x9FFF))
    )


def is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_"


def runs(text: str, kind: Sequence[int]) -> list[tuple[int, str]]:
    """Neighbouring characters of one kind, together."""
    found: list[tuple[int, str]] = []
    for number, (character, one) in enumerate(zip(text, kind, strict=True)):
        if number and kind[number - 1] == one:
            found[-1] = (one, found[-1][1] + character)
        else:
            found.append((one, character))
    return found


def words_of(text: str, rule: str) -> list[str]:
    if rule == "whitespace":
        return text.split()
    folded = text.casefold()
    if rule == "[a-z]+":
        kinds = ["a" <= character <= "z" for character in folded]
        return [run for is_word, run in runs(folded, kinds) if is_word]
    kinds = [
        2 if is_kana_or_han(character) else int(is_word_character(character))
        for character in folded
    ]
    words = []
    for kind, run in runs(folded, kinds):
        if kind == 1 or (kind == 2 and len(run) == 1):
            words.append(run)
        elif kind == 2:
            words += [run[i : i + 2] for i in range(len(run) - 1)]
    return words


def query_words(question: str, rule: str, terms: str) -> list[str]:
    words = words_of(question, rule)
    return words if terms == "bag" else list(dict.fromkeys(words))


def bm25_scores(query: Sequence[str], texts: Sequence[Sequence[str]]) -> list[float]:
    """Lucene's idf, k1 1.2, b 0.75, no factor (k1 + 1)."""
    count = len(texts)
    average = sum(map(len, texts)) / count if count else 0.0
    scores = []
    for text in texts:
        score = 0.0
        for word in query:
            frequency = text.count(word)
            if frequency:
                having = sum(word in other for other in texts)
                idf = math.log(1 + (count - having + 0.5) / (having + 0.5))
                norm = 1.2 * (1 - 0.75 + 0.75 * len(text) / average)
                score += idf * frequency / (frequency + norm)
        scores.append(score)
    return scores


def okapi_scores(query: Sequence[str], texts: Sequence[Sequence[str]]) -> list[float]:
    return [float(score) for score in BM25Okapi([list(text) for text in texts]).get_scores(query)]


# ---------------------------------------------------------------- what is tried

WORDS = (
    *("dock", "tide", "lamp", "quay", "Dock", "TIDE", "dock", "straße", "STRASSE", "the"),
    *("港口很安静", "灯塔", "灯", "ab灯塔c", "カモメ", "don't", "4.5", "__init__", "e\u0301t", "İ"),
)
GAPS = (" ", " ", "  ", "\n", ". ", ", ", "-", "\xa0", "", "\n\n", "…")


def texts(max_words: int) -> st.SearchStrategy[str]:
    part = st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)).map("".join)
    few = st.lists(part, min_size=1, max_size=3).flatmap(
        lambda parts: st.lists(st.sampled_from(parts), max_size=max_words)
    )
    return st.one_of(few, st.lists(part, max_size=max_words)).map("".join)


@st.composite
def runs_of_one(draw: st.DrawFn, kind: str) -> tuple[Corpus, Configuration, list[str]]:
    documents = draw(st.lists(texts(20), min_size=1, max_size=3))
    size = draw(st.integers(2, 30))
    configuration = Configuration(
        SplitterSettings(
            size=size,
            overlap=draw(st.integers(0, size - 1)),
            unit="characters",
            keep_separator=draw(st.sampled_from(["end", "start", "none"])),
            strip=draw(st.booleans()),
            dedupe=draw(st.booleans()),
        ),
        EnrichSettings(),
        RetrieverSettings(
            kind=kind,
            k=(draw(st.integers(1, 5)), EVERYTHING),
            words=draw(st.sampled_from(["unicode", "whitespace", "[a-z]+"])),
            query_terms=draw(st.sampled_from(["bag", "set"])),
            ties=draw(st.sampled_from(["earlier", "later"])),
        ),
    )
    corpus = Corpus(tuple(Document(f"d{i}", text) for i, text in enumerate(documents)))
    return corpus, configuration, draw(st.lists(texts(6), min_size=1, max_size=4))


def run_of(corpus: Corpus, configuration: Configuration, questions: Sequence[str]) -> Evaluation:
    """Ranked even where no evidence is measured: unanswerable questions retrieve too."""
    golden = GoldenSet(
        tuple(
            Question(f"q{i}", question, corpus.documents[0].id, ())
            for i, question in enumerate(questions)
        )
    )
    return evaluate(CorpusIndex(corpus), configuration, locate(golden, corpus))


def check_ranking(
    run: Evaluation, number: int, query: Sequence[str], words: Sequence[Sequence[str]],
    scores: Sequence[float],
) -> None:  # fmt: skip
    retrieved = run.questions[number].retrieved
    sharing = [chunk for chunk, text in enumerate(words) if set(text) & set(query)]
    assert sorted(one.chunk for one in retrieved) == sharing
    for one in retrieved:
        assert one.score == pytest.approx(scores[one.chunk], **EXACT)
    later = run.configuration.retriever.ties == "later"
    order = sorted(retrieved, key=lambda one: (-one.score, -one.chunk if later else one.chunk))
    assert list(retrieved) == order
    # Equal texts tie exactly, whatever the order of summing.
    by_text: dict[tuple[str, ...], set[float]] = {}
    for one in retrieved:
        by_text.setdefault(tuple(words[one.chunk]), set()).add(one.score)
    assert all(len(same) == 1 for same in by_text.values())


@EXAMPLES
@given(runs_of_one("bm25"))
def test_bm25(tried: tuple[Corpus, Configuration, list[str]]) -> None:
    corpus, configuration, questions = tried
    chosen = configuration.retriever
    run = run_of(corpus, configuration, questions)
    words = [words_of(text, chosen.words) for text in run.chunks.texts()]
    for number, question in enumerate(questions):
        query = query_words(question, chosen.words, chosen.query_terms)
        check_ranking(run, number, query, words, bm25_scores(query, words))


@EXAMPLES
@given(runs_of_one("rank-bm25"))
def test_rank_bm25(tried: tuple[Corpus, Configuration, list[str]]) -> None:
    corpus, configuration, questions = tried
    chosen = configuration.retriever
    run = run_of(corpus, configuration, questions)
    words = [words_of(text, chosen.words) for text in run.chunks.texts()]
    for number, question in enumerate(questions):
        query = query_words(question, chosen.words, chosen.query_terms)
        # The package divides by zero where no chunk has a word; there is nothing to rank then.
        scores = okapi_scores(query, words) if any(words) else []
        check_ranking(run, number, query, words, scores)


@EXAMPLES
@given(runs_of_one("bm25"))
def test_ties_later_is_the_other_order_of_the_same_scores(
    tried: tuple[Corpus, Configuration, list[str]],
) -> None:
    corpus, configuration, questions = tried
    chosen = configuration.retriever
    other = Configuration(
        configuration.splitter,
        configuration.enrich,
        RetrieverSettings(
            chosen.kind,
            chosen.k,
            0,
            chosen.words,
            chosen.query_terms,
            "later" if chosen.ties == "earlier" else "earlier",
        ),
    )
    one, two = run_of(corpus, configuration, questions), run_of(corpus, other, questions)
    for first, second in zip(one.questions, two.questions, strict=True):
        assert [r.score for r in first.retrieved] == [r.score for r in second.retrieved]
        for score in {r.score for r in first.retrieved}:
            tied = [r.chunk for r in first.retrieved if r.score == score]
            assert [r.chunk for r in second.retrieved if r.score == score] == tied[::-1]


# ---------------------------------------------------------------- by hand

CHUNKS = SplitterSettings(
    kind="character", size=5, overlap=0, unit="characters", separators=("|",), keep_separator="none"
)


def hand_run(text: str, question: str, **chosen: object) -> Evaluation:
    corpus = Corpus((Document("a", text),))
    configuration = Configuration(
        CHUNKS,
        retriever=RetrieverSettings(**{"k": (EVERYTHING,), **chosen}),  # type: ignore[arg-type]
    )
    golden = GoldenSet(
        (Question("q", question, "a", (Evidence(text.rsplit("|", maxsplit=1)[-1]),)),)
    )
    return evaluate(CorpusIndex(corpus), configuration, locate(golden, corpus))


def test_a_repeated_query_word_counts_each_time_in_a_bag() -> None:
    text = "dock tide|lamp quay|tide lamp"
    once = hand_run(text, "lamp").questions[0].retrieved
    bag = hand_run(text, "lamp lamp").questions[0].retrieved
    as_set = hand_run(text, "lamp lamp", query_terms="set").questions[0].retrieved
    assert as_set == once
    assert [one.score for one in bag] == [pytest.approx(2 * one.score) for one in once]
    # Two of three chunks have it, all are of average length: idf · 1 ÷ (1 + k1).
    assert once[0].score == pytest.approx(math.log(1 + 1.5 / 2.5) / 2.2)


def test_bigrams_find_han() -> None:
    run = hand_run("港口很安静|船长在睡觉|灯塔在闪光", "灯塔")
    assert [one.chunk for one in run.questions[0].retrieved] == [2]
    assert run.questions[0].rank == 1
    assert run.questions[0].verdict == "hit"


def test_white_space_words_keep_case_and_punctuation() -> None:
    text = "The tug left at dawn.|The Tug sank"
    assert hand_run(text, "dawn", words="whitespace").questions[0].retrieved == ()
    assert [r.chunk for r in hand_run(text, "tug", words="whitespace").questions[0].retrieved] == [
        0
    ]
    assert len(hand_run(text, "tug").questions[0].retrieved) == 2


@pytest.mark.parametrize("kind", ["bm25", "rank-bm25", "tfidf"])
@pytest.mark.parametrize("text", ["", "   ", "...|!!!", "。|…"])
def test_chunks_without_a_word_retrieve_nothing(kind: str, text: str) -> None:
    corpus = Corpus((Document("a", text),))
    configuration = Configuration(CHUNKS, retriever=RetrieverSettings(kind=kind, k=(3,)))
    golden = GoldenSet((Question("q", "dock lamp", "a", ()), Question("r", "...", "a", ())))
    run = evaluate(CorpusIndex(corpus), configuration, locate(golden, corpus))
    assert [result.retrieved for result in run.questions] == [(), ()]
    assert [result.rank for result in run.questions] == [None, None]


@pytest.mark.parametrize("kind", ["bm25", "rank-bm25", "tfidf"])
def test_k_beyond_the_chunks_is_clamped_and_said(kind: str) -> None:
    run = hand_run("dock tide|lamp quay|tide lamp", "tide", kind=kind, k=(10,))
    assert len(run.questions[0].retrieved) == 2
    assert any("10" in warning and "clamp" in warning for warning in run.warnings)


@pytest.mark.parametrize("kind", ["bm25", "rank-bm25", "tfidf"])
def test_a_query_without_a_word_of_the_corpus(kind: str) -> None:
    run = hand_run("dock tide|lamp quay|tide lamp", "of the", kind=kind)
    result = run.questions[0]
    assert result.retrieved == ()
    assert result.rank is None
    assert result.verdict == "missed"
    assert result.metrics["recall"] == 0.0
    assert "no query word in the corpus" in result.reason
