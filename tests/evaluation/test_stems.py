"""Runs, diagnoses and sweeps whose retriever stems words and leaves stop words out."""

from dataclasses import replace
from pathlib import Path

import pytest
from rank_bm25 import BM25Okapi

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.diagnosis import diagnose
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.run import evaluate
from chunkscope.evaluation.sweep import plan_sweep, run_sweep
from chunkscope.golden.asking import ask
from chunkscope.golden.locating import locate
from chunkscope.golden.reading import read_golden
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.retrieval.terms import TermRule, terms_of
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.document import Corpus, Document
from chunkscope.text.loading.load import load_corpus

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
LINES = SplitterSettings(
    kind="character", size=1, overlap=0, unit="words", separators=("\n",), keep_separator="none"
)
STEMMED = RetrieverSettings(k=(1,), stem="english", stop_words="english")


def run(
    text: str, question: str, evidence: str, retriever: RetrieverSettings = STEMMED
) -> tuple[CorpusIndex, Evaluation]:
    corpus = Corpus((Document("d.md", text),))
    index = CorpusIndex(corpus)
    located = ask(question, [evidence], corpus)
    return index, evaluate(index, Configuration(LINES, retriever=retriever), (located,))


def test_a_stem_makes_a_hit_of_a_miss() -> None:
    text = "Two ferries collided.\nThe fog is thick.\nA ferry of the line is late."
    asked = ("Which ferry is late?", "Two ferries collided.")
    _, evaluation = run(text, *asked, replace(STEMMED, stem="none", k=(3,)))
    assert evaluation.questions[0].verdict == "missed"
    assert evaluation.questions[0].reason == (
        "no query word in the chunk that holds it, stop words left out"
    )
    _, evaluation = run(text, *asked, replace(STEMMED, k=(3,)))
    assert (evaluation.questions[0].verdict, evaluation.questions[0].rank) == ("hit", 2)


def test_a_question_of_stop_words_alone_says_so() -> None:
    _, evaluation = run("What is it?\nThe fog.", "What is it?", "The fog.")
    (line,) = evaluation.questions
    assert (line.retrieved, line.reason) == ((), "no query word in the corpus, stop words left out")


def test_term_coverage_counts_words_as_they_stand() -> None:
    # "The" and "ferry" of the evidence stand in what is retrieved; "ferries" is another word.
    text = "Ferries: see the ferry timetable, ferries.\nThe ferry waits."
    _, evaluation = run(text, "ferries", "The ferry waits.")
    (line,) = evaluation.questions
    assert line.verdict == "missed"
    assert line.metrics["term_coverage"] == pytest.approx(2 / 3)


def test_proofs_name_the_questions_words_with_their_stems() -> None:
    text = (
        "The kettles boiled.\nRain fell.\nWater heats in nine minutes.\nSnow fell.\n"
        "A kettle stands."
    )
    found = diagnose(*run(text, "Is the kettle boiling daily?", "Water heats in nine minutes."))
    (question,) = found.questions
    assert question.signature == "vocabulary"
    proof = question.decisive.proof
    assert proof.telling == ("kettle → kettl", "boiling → boil")
    assert (proof.common, proof.absent) == ((), ("daily → daili",))
    text = "Laptops cost little.\nThe limit is 78 days.\nSnow fell.\nRain fell.\nFog came."
    found = diagnose(*run(text, "limits for laptops", "The limit is 78 days."))
    (question,) = found.questions
    assert question.signature == "orphaned"
    assert question.decisive.proof.words == ("laptops → laptop",)
    assert "“laptops → laptop” stands in the chunk before" in question.decisive.proof.sentence


def test_ranks_of_a_run_are_those_of_the_package_on_filtered_and_stemmed_words() -> None:
    corpus = load_corpus([SAMPLES], exclude=[SAMPLES / "golden.jsonl"])
    questions = tuple(locate(read_golden(SAMPLES / "golden.jsonl"), corpus))
    settings = replace(STEMMED, kind="rank-bm25", k=(10,))
    configuration = Configuration(
        SplitterSettings(size=64, overlap=8), EnrichSettings(prefix="headings"), settings
    )
    evaluation = evaluate(CorpusIndex(corpus), configuration, questions)
    chunks, rule = evaluation.chunks, TermRule("english", "english")
    assert chunks.prefixes
    package = BM25Okapi(
        [terms_of(chunks.indexed_text(chunk), "unicode", rule) for chunk in range(len(chunks))]
    )
    for line in evaluation.questions:
        asked = terms_of(line.located.question.question, "unicode", rule)
        scores = package.get_scores(asked)
        best = sorted(range(len(chunks)), key=lambda chunk: (-scores[chunk], chunk))
        count = len(line.retrieved)
        assert [entry.chunk for entry in line.retrieved] == best[:count]
        assert [entry.score for entry in line.retrieved] == scores[best[:count]].tolist()


def test_a_sweep_over_stems_and_stop_words_is_the_same_in_processes() -> None:
    corpus = load_corpus([SAMPLES], exclude=[SAMPLES / "golden.jsonl"])
    questions = tuple(locate(read_golden(SAMPLES / "golden.jsonl"), corpus))
    plan = plan_sweep(
        Configuration(),
        [48],
        [8],
        {"stem": ("none", "english", "porter"), "stop_words": ("none", "english")},
    )
    alone, shared = (
        run_sweep(CorpusIndex(corpus), plan, questions, workers=workers) for workers in (1, 2)
    )
    metrics = [row.evaluation.metrics for row in alone.rows]
    assert metrics == [row.evaluation.metrics for row in shared.rows]
    assert len({found["mrr"] for found in metrics}) > 3
    # What was retrieved differs, so its coverage does; but never how words are compared.
    single = evaluate(CorpusIndex(corpus), alone.rows[3].evaluation.configuration, questions)
    assert single.metrics["term_coverage"] == metrics[3]["term_coverage"]
