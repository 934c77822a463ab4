"""Every number of a run, against sets of characters counted one by one."""

import itertools
import math
import statistics
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pytest
import tiktoken
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.locating import locate
from chunkscope.golden.model import Evidence, GoldenSet, LocatedQuestion, Place, Question
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.words import tokenise
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document

EXAMPLES = settings(
    max_examples=max(400, settings().max_examples),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
EVERYTHING = 1000
"""A cut-off beyond every corpus here: the last of `k`, so that the full ranking is seen."""

Character = tuple[str, int]


# ---------------------------------------------------------------- the oracle


def characters(doc: str, start: int, end: int) -> set[Character]:
    return {(doc, position) for position in range(start, end)}


def of_place(place: Place) -> set[Character]:
    return characters(place.doc, *place.span)


def token_count(text: str) -> int:
    return len(tiktoken.get_encoding("cl100k_base").encode(text, disallowed_special=()))


@dataclass(frozen=True)
class PlainChunk:
    number: int
    text: str
    indexed: str
    pieces: tuple[frozenset[Character], ...]

    @property
    def held(self) -> frozenset[Character]:
        return frozenset().union(*self.pieces)

    @cached_property
    def tokens(self) -> int:
        return token_count(self.indexed)

    def contains(self, place: Place) -> bool:
        return any(of_place(place) <= piece for piece in self.pieces)


def plain_chunks(chunks: ChunkSet) -> list[PlainChunk]:
    return [
        PlainChunk(
            number,
            chunks.text(number),
            chunks.indexed_text(number),
            tuple(
                frozenset(
                    characters(chunks.corpus.documents[int(chunks.documents[number])].id, *span)
                )
                for span in chunks.spans(number)
            ),
        )
        for number in range(len(chunks))
    ]


def union(chunks: Iterable[PlainChunk]) -> set[Character]:
    return set().union(*(chunk.held for chunk in chunks))


def best_covered(item: Sequence[Place], held: set[Character]) -> Place:
    shares = [len(of_place(place) & held) / len(of_place(place)) for place in item]
    return item[shares.index(max(shares))]


def edge_cut(item: Sequence[Place], every: Sequence[PlainChunk], corpus: Corpus) -> bool:
    """Whether one chunk holds all of a place but white space and punctuation."""

    def negligible(character: Character) -> bool:
        text = corpus.documents[corpus.position(character[0]) or 0].text
        mark = text[character[1]]
        return mark.isspace() or unicodedata.category(mark).startswith("P")

    return any(
        of_place(place) & piece and all(negligible(lost) for lost in of_place(place) - piece)
        for place in item
        for chunk in every
        for piece in chunk.pieces
    )


@dataclass(frozen=True)
class Case:
    """One question over one chunk set, its full ranking known."""

    corpus: Corpus
    words: str
    located: LocatedQuestion
    every: Sequence[PlainChunk]
    ranking: Sequence[PlainChunk]

    @property
    def items(self) -> list[tuple[Place, ...]]:
        return [item.places for item in self.located.items]

    def relevant(self, chunk: PlainChunk) -> bool:
        return any(chunk.contains(place) for item in self.items for place in item)

    def recall(self, sent: Sequence[PlainChunk]) -> float:
        return len(self.whole(sent)) / len(self.items)

    def whole(self, sent: Sequence[PlainChunk]) -> list[int]:
        return [
            number
            for number, item in enumerate(self.items)
            if any(chunk.contains(place) for place in item for chunk in sent)
        ]

    def at(self, sent: Sequence[PlainChunk], cut_off: int) -> dict[str, float]:
        """The numbers that depend on what is retrieved."""
        held = union(sent)
        whole = self.whole(sent)
        chosen = [best_covered(item, held) for item in self.items]
        evidence = set().union(*(of_place(place) for place in chosen))
        covered = evidence & held
        lengths = sum(len(chunk.held) for chunk in sent)
        together = [
            number
            for number, item in enumerate(self.items)
            if number not in whole and any(of_place(place) <= held for place in item)
        ]
        anywhere = set().union(*(of_place(place) for item in self.items for place in item))
        relevance = [self.relevant(chunk) for chunk in sent]
        gain = sum(1 / math.log2(rank + 2) for rank, good in enumerate(relevance) if good)
        good_ones = sum(self.relevant(chunk) for chunk in self.every)
        ideal = sum(1 / math.log2(rank + 2) for rank in range(min(cut_off, good_ones)))
        recall = len(whole) / len(self.items)
        numbers = {
            "recall": recall,
            "full_recall": float(len(whole) == len(self.items)),
            "coverage": len(covered) / len(evidence),
            "joint_recall": len(together) / len(self.items),
            "hit_rate": float(any(relevance)),
            "mrr": 1 / (relevance.index(True) + 1) if any(relevance) else 0.0,
            "ndcg": gain / ideal if ideal else 0.0,
            "precision": len(covered) / lengths if lengths else 0.0,
            "iou": len(covered) / (lengths + len(evidence - held)),
            "redundancy": (lengths - len(held)) / lengths if lengths else 0.0,
            "distractors": (
                sum(not (chunk.held & anywhere) for chunk in sent) / len(sent) if sent else 0.0
            ),
            "context_tokens": float(sum(chunk.tokens for chunk in sent)),
            "context_words": float(sum(len(chunk.indexed.split()) for chunk in sent)),
        }
        terms = self.term_coverage(sent, chosen)
        if recall == 1:
            numbers["term_coverage"] = 1.0
        elif terms is not None:
            numbers["term_coverage"] = terms
        return numbers

    def term_coverage(self, sent: Sequence[PlainChunk], chosen: Sequence[Place]) -> float | None:
        there = {word for chunk in sent for word in tokenise(chunk.text, self.words)}
        wanted = []
        for place in chosen:
            text = self.corpus.documents[self.corpus.position(place.doc) or 0].text
            wanted += tokenise(text[place.span.start : place.span.end], self.words)
        return sum(word in there for word in wanted) / len(wanted) if wanted else None

    def of_the_whole_set(self) -> dict[str, float]:
        """The numbers that no ranking touches."""
        held = union(self.every)
        evidence = set().union(*(of_place(best_covered(item, held)) for item in self.items))
        touching = union(chunk for chunk in self.every if chunk.held & evidence)
        split = [
            item
            for item in self.items
            if not any(chunk.contains(place) for place in item for chunk in self.every)
        ]
        edges = [item for item in split if edge_cut(item, self.every, self.corpus)]
        return {
            "precision_omega": len(evidence & held) / (len(touching) + len(evidence - held)),
            "split_rate": len(split) / len(self.items),
            "edge_cuts": len(edges) / len(self.items),
        }

    def verdict(self, sent: Sequence[PlainChunk]) -> str:
        whole = len(self.whole(sent))
        if whole:
            return "hit" if whole == len(self.items) else "partial"
        return "missed" if any(self.relevant(chunk) for chunk in self.every) else "split"


def within_budget(ranking: Sequence[PlainChunk], budget: int) -> list[PlainChunk]:
    sent: list[PlainChunk] = []
    for chunk in ranking:
        if sum(other.tokens for other in sent) + chunk.tokens > budget:
            break
        sent.append(chunk)
    return sent


def tied_orders(
    ranking: Sequence[PlainChunk], scores: Sequence[float]
) -> Iterator[list[PlainChunk]]:
    """Every order of the ranking that its scores allow."""
    groups = [
        [chunk for chunk, _ in group]
        for _, group in itertools.groupby(zip(ranking, scores, strict=True), lambda pair: pair[1])
    ]
    for orders in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield [chunk for order in orders for chunk in order]


def count_orders(scores: Sequence[float]) -> int:
    sizes = [len(list(group)) for _, group in itertools.groupby(scores)]
    return math.prod(math.factorial(size) for size in sizes)


# ---------------------------------------------------------------- what is tried

WORDS = ("dock", "tide", "lamp", "quay", "pier", "dock", "港口很安静", "d'or")
GAPS = (" ", " ", " ", "\n", ", ", ". ", "\n\n", " – ", "\r\n", " (", ") ", "  ")


@st.composite
def document_texts(draw: st.DrawFn) -> str:
    words = draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=25))
    gaps = draw(st.lists(st.sampled_from(GAPS), min_size=len(words), max_size=len(words)))
    return "".join(word + gap for word, gap in zip(words, gaps, strict=True))


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    texts = draw(st.lists(document_texts(), min_size=1, max_size=3))
    titled = draw(st.booleans())
    ending, before = ("md", "# Tide of lamps\n\n## Pier\n") if titled else ("txt", "")
    return Corpus(
        tuple(Document(f"d{number}.{ending}", before + text) for number, text in enumerate(texts))
    )


@st.composite
def spans(draw: st.DrawFn, corpus: Corpus, *, alternatives: bool = True) -> Evidence:
    document = draw(st.sampled_from(corpus.documents))
    text = document.text
    at_edge = draw(st.sampled_from(["start", "end", "anywhere", "anywhere"]))
    start = 0 if at_edge == "start" else draw(st.integers(0, len(text) - 1))
    end = len(text) if at_edge == "end" else draw(st.integers(start + 1, len(text)))
    end = min(end, start + draw(st.integers(1, 40))) if at_edge != "end" else end
    assume(any(character.isalpha() for character in text[start:end]))
    others = (
        st.lists(spans(corpus, alternatives=False), max_size=2) if alternatives else st.just([])
    )
    return Evidence(text[start:end], start, end, document.id, tuple(draw(others)))


@st.composite
def unplaced(draw: st.DrawFn, corpus: Corpus) -> Evidence:
    """A word of the corpus with no offset: wherever it stands, it serves."""
    document = draw(st.sampled_from(corpus.documents))
    words = [word for word in document.text.split() if any(map(str.isalpha, word))]
    return Evidence(draw(st.sampled_from(words)), doc=document.id)


@st.composite
def golden_sets(draw: st.DrawFn, corpus: Corpus) -> GoldenSet:
    item = st.one_of(spans(corpus), spans(corpus), unplaced(corpus))
    several = st.lists(item, min_size=1, max_size=3)
    asked = st.lists(st.sampled_from((*WORDS, "zebra")), max_size=5).map(" ".join)
    questions = [
        Question(
            f"q{number}",
            draw(asked) or "the",
            corpus.documents[0].id,
            tuple(evidence),
            type=draw(st.sampled_from([None, "fact", "table"])),
        )
        for number, evidence in enumerate(draw(st.lists(several, min_size=1, max_size=4)))
    ]
    lost = Question("lost", "dock", corpus.documents[0].id, (Evidence("nowhere at all"),))
    empty = Question("empty", "dock", corpus.documents[0].id, ())
    questions += draw(st.sampled_from([[], [lost], [empty], [lost, empty]]))
    return GoldenSet(tuple(questions))


@st.composite
def splitters(draw: st.DrawFn) -> SplitterSettings:
    kind = draw(st.sampled_from(["recursive", "recursive", "words", "token", "character"]))
    unit = draw(st.sampled_from(["characters", "tokens"]))
    unit = {"words": "words", "token": "tokens"}.get(kind, unit)
    size = draw(st.integers(3, 40) if unit == "characters" else st.integers(1, 8))
    return SplitterSettings(
        kind=kind,
        size=size,
        overlap=draw(st.integers(0, size - 1)),
        unit=unit,  # type: ignore[arg-type]
        separators=(" ",) if kind == "character" else ("\n\n", "\n", ". ", " ", ""),
        keep_separator=draw(st.sampled_from(["end", "start", "none"])),
        strip=draw(st.booleans()),
        dedupe=draw(st.booleans()),
    )


@st.composite
def cases(draw: st.DrawFn) -> tuple[Corpus, GoldenSet, Configuration]:
    corpus = draw(corpora())
    configuration = Configuration(
        draw(splitters()),
        EnrichSettings(prefix=draw(st.sampled_from(["none", "none", "title", "headings"]))),
        RetrieverSettings(
            kind=draw(st.sampled_from(["bm25", "rank-bm25", "tfidf"])),
            k=(*draw(st.lists(st.integers(1, 6), min_size=1, max_size=2, unique=True)), EVERYTHING),
            words=draw(st.sampled_from(["unicode", "whitespace", "[a-z]+"])),
            query_terms=draw(st.sampled_from(["bag", "set"])),
            ties=draw(st.sampled_from(["earlier", "later"])),
        ),
    )
    return corpus, draw(golden_sets(corpus)), configuration


# ---------------------------------------------------------------- what must hold


def case_of(result: QuestionResult, run: Evaluation, every: Sequence[PlainChunk]) -> Case:
    """The question with its full ranking, as a run up to `EVERYTHING` gives it."""
    return Case(
        run.chunks.corpus,
        run.configuration.retriever.words,
        result.located,
        every,
        [every[one.chunk] for one in result.retrieved],
    )


def check_numbers(found: Mapping[str, float], expected: Mapping[str, float], suffix: str) -> None:
    for name, value in expected.items():
        assert found[name + suffix] == pytest.approx(value, abs=1e-12), name + suffix


def check_outcomes(result: QuestionResult, case: Case, sent: Sequence[PlainChunk]) -> None:
    held = union(sent)
    for item, outcome in zip(case.items, result.outcomes, strict=True):
        holders = [chunk for chunk in case.every if any(map(chunk.contains, item))]
        ranks = [rank for rank, chunk in enumerate(case.ranking, 1) if chunk in holders]
        place = of_place(best_covered(item, held))
        assert outcome.rank == (ranks[0] if ranks else None)
        assert outcome.coverage == pytest.approx(len(place & held) / len(place))
        if any(chunk in sent for chunk in holders):
            assert outcome.state == "whole"
        else:
            assert outcome.state == ("not retrieved" if holders else "cut")
        assert outcome.edge_cut == (not holders and edge_cut(item, case.every, case.corpus))


def check_summary(run: Evaluation) -> None:
    measured = [result for result in run.questions if result.located.measured]
    assert run.measured == tuple(result.located.question.id for result in measured)
    assert run.counts.questions == len(run.questions)
    assert run.counts.measured == len(measured)
    verdicts = [result.verdict for result in run.questions]
    assert run.counts.unmeasured == verdicts.count("unmeasured")
    assert run.counts.unanswerable == verdicts.count("unanswerable")
    if not measured:
        assert set(run.metrics.values()) == {None}
        assert run.recall_range == (None, None)
        return
    for name in measured[0].metrics:
        values = [result.metrics[name] for result in measured if name in result.metrics]
        if any(math.isnan(value) for value in values) or len(values) < len(measured):
            continue
        assert run.metrics[name] == pytest.approx(statistics.fmean(values), abs=1e-12), name
        assert run.sd[name] == pytest.approx(statistics.pstdev(values), abs=1e-9), name
    for kind in {result.located.question.type for result in measured} - {None}:
        values = [
            result.metrics["recall"] for result in measured if result.located.question.type == kind
        ]
        assert run.by_type[str(kind)]["recall"] == pytest.approx(statistics.fmean(values))
    for side in (0, 1):
        mean = statistics.fmean(result.recall_range[side] for result in measured)
        assert run.recall_range[side] == pytest.approx(mean)


def check_chunk_statistics(
    run: Evaluation, every: Sequence[PlainChunk], index: CorpusIndex
) -> None:
    tokens = [chunk.tokens for chunk in every]
    assert run.statistics.count == len(every)
    assert run.statistics.total_tokens == sum(tokens)
    assert run.statistics.max_tokens == max(tokens, default=0)
    if tokens:
        assert run.statistics.mean_tokens == pytest.approx(statistics.fmean(tokens))
    uncovered = run.chunks.corpus.characters - len(union(every))
    assert run.statistics.uncovered_characters == uncovered
    whole = sum(token_count(document.text) for document in index.corpus.documents)
    if run.counts.measured:
        assert run.metrics["index_overhead"] == pytest.approx(sum(tokens) / whole)


@EXAMPLES
@given(cases())
def test_numbers_at_cut_offs(tried: tuple[Corpus, GoldenSet, Configuration]) -> None:
    corpus, golden, configuration = tried
    index = CorpusIndex(corpus)
    run = evaluate(index, configuration, locate(golden, corpus))
    every = plain_chunks(run.chunks)
    check_chunk_statistics(run, every, index)
    check_summary(run)
    first = configuration.retriever.k[0]
    for result in run.questions:
        if not result.located.measured:
            unanswerable = not result.located.question.evidence
            assert result.verdict == ("unanswerable" if unanswerable else "unmeasured")
            assert not result.metrics
            continue
        case = case_of(result, run, every)
        for k in configuration.retriever.k:
            check_numbers(result.metrics, case.at(case.ranking[:k], k), f"@{k}")
        sent = case.ranking[:first]
        check_numbers(result.metrics, case.at(sent, first), "")
        check_numbers(result.metrics, case.of_the_whole_set(), "")
        good = [rank for rank, chunk in enumerate(case.ranking, 1) if case.relevant(chunk)]
        assert result.rank == (good[0] if good else None)
        assert result.context == len(sent)
        assert result.verdict == case.verdict(sent)
        check_outcomes(result, case, sent)


@EXAMPLES
@given(cases(), st.integers(1, 30), st.integers(1, 30))
def test_numbers_within_a_budget(
    tried: tuple[Corpus, GoldenSet, Configuration], budget: int, recall_budget: int
) -> None:
    corpus, golden, configuration = tried
    index = CorpusIndex(corpus)
    questions = locate(golden, corpus)
    full = evaluate(index, configuration, questions)
    tight = Configuration(
        configuration.splitter,
        configuration.enrich,
        RetrieverSettings(
            kind=configuration.retriever.kind,
            k=configuration.retriever.k,
            budget=budget,
            words=configuration.retriever.words,
            query_terms=configuration.retriever.query_terms,
            ties=configuration.retriever.ties,
        ),
    )
    run = evaluate(index, tight, questions, recall_budget=recall_budget)
    every = plain_chunks(run.chunks)
    check_summary(run)
    at_budget = []
    for result, other in zip(run.questions, full.questions, strict=True):
        if not result.located.measured:
            continue
        case = case_of(other, full, every)
        sent = within_budget(case.ranking, budget)
        assert [every[one.chunk] for one in result.retrieved[: result.context]] == sent
        # nDCG's ideal is cut where the budget cut the ranking; not at all where it did not.
        stopped = len(sent) < len(case.ranking)
        check_numbers(result.metrics, case.at(sent, len(sent) if stopped else len(every)), "")
        check_numbers(result.metrics, case.of_the_whole_set(), "")
        assert result.metrics["context_tokens"] <= budget
        assert result.rank == other.rank
        assert result.verdict == case.verdict(sent)
        check_outcomes(result, case, sent)
        taken = within_budget(case.ranking, recall_budget)
        at_budget.append(case.recall(taken) if taken or not case.ranking else None)
    found = run.per_question["recall_at_budget"].tolist() if at_budget else []
    assert [None if math.isnan(value) else value for value in found] == pytest.approx(at_budget)
    fitting = [value for value in at_budget if value is not None]
    mean = statistics.fmean(fitting) if fitting else None
    assert run.metrics["recall_at_budget"] == pytest.approx(mean)


@EXAMPLES
@given(cases(), st.integers(0, 25))
def test_tie_ranges(tried: tuple[Corpus, GoldenSet, Configuration], budget: int) -> None:
    corpus, golden, configuration = tried
    index = CorpusIndex(corpus)
    questions = locate(golden, corpus)
    full = evaluate(index, configuration, questions)
    tight = Configuration(
        configuration.splitter,
        configuration.enrich,
        RetrieverSettings(
            kind=configuration.retriever.kind,
            k=configuration.retriever.k,
            budget=budget,
            words=configuration.retriever.words,
            query_terms=configuration.retriever.query_terms,
            ties=configuration.retriever.ties,
        ),
    )
    run = evaluate(index, tight, questions)
    every = plain_chunks(run.chunks)
    first = configuration.retriever.k[0]
    for result, other in zip(run.questions, full.questions, strict=True):
        scores = [one.score for one in other.retrieved]
        if not result.located.measured or count_orders(scores) > 5000:
            continue
        case = case_of(other, full, every)
        possible = [
            case.recall(within_budget(order, budget) if budget else order[:first])
            for order in tied_orders(case.ranking, scores)
        ]
        assert result.recall_range == pytest.approx((min(possible), max(possible)))
        assert min(possible) <= result.metrics["recall"] <= max(possible)


@EXAMPLES
@given(cases())
def test_fewer_cut_offs_change_no_number(
    tried: tuple[Corpus, GoldenSet, Configuration],
) -> None:
    """What is shown without the full ranking is what the full ranking gave."""
    corpus, golden, configuration = tried
    index = CorpusIndex(corpus)
    questions = locate(golden, corpus)
    full = evaluate(index, configuration, questions)
    chosen = configuration.retriever
    short = Configuration(
        configuration.splitter,
        configuration.enrich,
        RetrieverSettings(
            chosen.kind, chosen.k[:-1], 0, chosen.words, chosen.query_terms, chosen.ties
        ),
    )
    run = evaluate(CorpusIndex(corpus), short, questions)
    largest = max(chosen.k[:-1])
    for result, other in zip(run.questions, full.questions, strict=True):
        assert result.retrieved == other.retrieved[:largest]
        assert (result.verdict, result.rank) == (other.verdict, other.rank)
        assert result.outcomes == other.outcomes
        assert result.metrics == {name: other.metrics[name] for name in result.metrics}
    if largest > len(run.chunks):
        assert any("clamp" in warning for warning in run.warnings)


# ---------------------------------------------------------------- by hand


def one_run(text: str, evidence: Evidence, size: int, question: str = "dock") -> QuestionResult:
    corpus = Corpus((Document("a.txt", text),))
    golden = GoldenSet((Question("q", question, "a.txt", (evidence,)),))
    configuration = Configuration(
        SplitterSettings(size=size, overlap=0, unit="characters", separators=("",), strip=False),
        retriever=RetrieverSettings(k=(1,)),
    )
    return evaluate(CorpusIndex(corpus), configuration, locate(golden, corpus)).questions[0]


def test_touching_is_not_overlapping() -> None:
    result = one_run("pier lamps dock tides", Evidence("pier lamps", 0, 10), 10)
    assert result.metrics["distractors"] == 1.0
    assert result.metrics["coverage"] == 0.0
    assert result.metrics["precision"] == 0.0
    assert result.verdict == "missed"
    assert result.metrics["precision_omega"] == 1.0


def test_evidence_longer_than_a_chunk_is_split_and_partly_covered() -> None:
    result = one_run("dock pier lamp tide", Evidence("dock pier lamp", 0, 14), 5)
    assert result.verdict == "split"
    assert result.metrics["coverage"] == pytest.approx(5 / 14)
    assert result.metrics["term_coverage"] == pytest.approx(1 / 3)
    assert result.metrics["split_rate"] == 1.0
    assert result.metrics["edge_cuts"] == 0.0


def test_an_edge_cut_loses_only_punctuation() -> None:
    result = one_run("dock. pier lamps", Evidence("dock.", 0, 5), 4)
    assert result.verdict == "split"
    assert result.outcomes[0].edge_cut
    assert result.metrics["edge_cuts"] == 1.0
    assert result.metrics["recall"] == 0.0
