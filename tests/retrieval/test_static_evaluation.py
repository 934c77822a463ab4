"""Runs, diagnoses and worker processes with `static`: what only words explain is left unsaid."""

from pathlib import Path

import numpy as np
import pytest

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.diagnosis import diagnose
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.evaluation.sweep import plan_sweep, run_sweep
from chunkscope.golden.asking import ask
from chunkscope.golden.locating import locate
from chunkscope.golden.reading import read_golden
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.document import Corpus, Document
from chunkscope.text.loading.load import load_corpus

pytest.importorskip("wordllama", reason="the extra 'static' is not installed")

from chunkscope.embedding.static import get_static_embedder

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
LINES = SplitterSettings(
    kind="character", size=1, overlap=0, unit="words", separators=("\n",), keep_separator="none"
)


def corpus_of(text: str) -> Corpus:
    return Corpus((Document("d.txt", text),))


def run(corpus: Corpus, question: str, evidence: str, kind: str = "static"):
    configuration = Configuration(LINES, retriever=RetrieverSettings(kind=kind, k=(1,)))
    index = CorpusIndex(corpus)
    evaluation = evaluate(index, configuration, (ask(question, [evidence], corpus),))
    return index, evaluation


def test_a_synonym_is_found_where_words_do_not_meet():
    corpus = corpus_of("Bread is baked with flour.\nThe vessel sank at sea.\nA lamp is lit.")
    for kind, verdict in (("static", "hit"), ("bm25", "missed")):
        _, evaluation = run(corpus, "Which ship went down?", "The vessel sank at sea.", kind)
        assert evaluation.questions[0].verdict == verdict


def test_a_miss_is_outranked_and_never_a_matter_of_missing_words():
    corpus = corpus_of("The ship is a ship.\nZinc is blue.\nShips and boats sail the sea.")
    index, evaluation = run(corpus, "ship", "Zinc is blue.")
    found = diagnose(index, evaluation)
    (question,) = found.questions
    assert question.signature == "outranked"
    proof = question.decisive.proof
    assert proof.rank == 3
    assert proof.score == pytest.approx(sum(term.score for term in proof.terms))
    retrieved = evaluation.questions[0].retrieved[0]
    assert proof.winner_score == retrieved.score
    assert [term.word for term in proof.won_on] == ["ship"]


def test_ranks_of_a_run_are_those_of_plain_cosines():
    corpus = load_corpus([SAMPLES], exclude=[SAMPLES / "golden.jsonl"])
    questions = locate(read_golden(SAMPLES / "golden.jsonl"), corpus)
    index = CorpusIndex(corpus)
    configuration = Configuration(
        SplitterSettings(size=64, overlap=8), retriever=RetrieverSettings(kind="static")
    )
    evaluation = evaluate(index, configuration, questions)
    chunks = evaluation.chunks
    embedder = get_static_embedder()
    own = embedder.sums([chunks.indexed_text(number) for number in range(len(chunks))])
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    for line in evaluation.questions:
        asked = embedder.sums([line.located.question.question])[0]
        scores = (own * (asked / np.linalg.norm(asked))).sum(axis=1)
        best = np.argsort(-np.round(scores, 12), kind="stable")[:10]
        assert [entry.chunk for entry in line.retrieved] == best.tolist()
        assert [entry.score for entry in line.retrieved] == pytest.approx(scores[best], abs=1e-12)


def test_a_sweep_in_processes_is_that_of_one():
    corpus = load_corpus([SAMPLES], exclude=[SAMPLES / "golden.jsonl"])
    questions = locate(read_golden(SAMPLES / "golden.jsonl"), corpus)
    base = Configuration(retriever=RetrieverSettings(kind="static"))
    plan = plan_sweep(base, [48, 96], [0, 8], {"splitter": ("recursive", "semantic")})
    alone, shared = (
        run_sweep(CorpusIndex(corpus), plan, questions, workers=workers) for workers in (1, 2)
    )
    assert [row.evaluation.metrics for row in alone.rows] == [
        row.evaluation.metrics for row in shared.rows
    ]
    assert len(alone.rows) == 8
