"""Tables that others published, to the digit."""

import json
from itertools import combinations

import numpy as np
import pytest

from chunkscope.evaluation.advice import boundaries_cut
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.evidence import evidence_table
from chunkscope.evaluation.geometry import chunk_geometry
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.metrics import find_relevance, set_metrics
from chunkscope.evaluation.run import evaluate, measure_only
from chunkscope.evaluation.statistics import differences
from chunkscope.evaluation.sweep import plan_sweep, run_sweep
from chunkscope.golden.locating import locate
from chunkscope.golden.reading import read_golden
from chunkscope.retrieval.settings import RetrieverSettings
from chunkscope.splitting.settings import EnrichSettings, SplitterSettings
from chunkscope.text.loading.load import load_corpus

SIZES = (8, 12, 16, 24, 32, 48, 64)


def toy_sweep(folder, ties):
    corpus = load_corpus([folder / "docs"])
    questions = locate(read_golden(folder / "golden.jsonl"), corpus)
    base = Configuration(
        SplitterSettings(kind="words", unit="words"),
        retriever=RetrieverSettings(k=(2,), words="[a-z0-9_.~/-]+", query_terms="set", ties=ties),
    )
    plan = plan_sweep(base, SIZES, ("25%",))
    return run_sweep(CorpusIndex(corpus), plan, questions, luck_all=True)


@pytest.fixture(scope="module")
def toy(shared_data):
    folder = shared_data("toy_cli")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["rows"]
    return expected, toy_sweep(folder, "later"), toy_sweep(folder, "earlier")


def test_every_row_of_the_toy_table(toy):
    expected, later, _ = toy
    assert len(later.rows) == len(expected) == 7
    for row, wanted in zip(later.rows, expected, strict=True):
        metrics = row.evaluation.metrics
        found = {
            "size": row.configuration.splitter.size,
            "overlap": row.configuration.splitter.overlap_size,
            "chunks": row.evaluation.statistics.count,
            "recall": round(metrics["recall"], 2),
            "term_coverage": round(metrics["term_coverage"], 2),
            "context": metrics["context_nominal"],
        }
        assert found == wanted
    coverage = [round(row.evaluation.metrics["coverage"], 2) for row in later.rows]
    assert coverage == [0.73, 0.82, 0.92, 1.0, 0.89, 1.0, 1.0]


def test_the_tie_of_the_toy_table(toy):
    _, later, earlier = toy
    row = earlier.rows[2].evaluation
    assert round(row.metrics["recall"], 2) == 0.62
    assert round(row.metrics["term_coverage"], 2) == 0.84
    assert row.recall_range == later.rows[2].evaluation.recall_range == (0.625, 0.75)
    for number in (0, 1, 3, 4, 5, 6):
        one, other = earlier.rows[number].evaluation, later.rows[number].evaluation
        assert one.metrics["recall"] == other.metrics["recall"]
        assert one.metrics["term_coverage"] == other.metrics["term_coverage"]
        assert one.recall_range == (one.metrics["recall"], one.metrics["recall"])


def test_the_knee_and_the_dip_of_the_toy_table_are_luck(toy):
    _, later, _ = toy
    knee, dip = later.rows[3].luck, later.rows[4].luck
    assert (round(knee.low, 2), knee.high) == (0.62, 1.0)
    assert (dip.low, dip.high) == (0.75, 1.0)
    assert dip.mean > knee.mean
    assert later.advice.pick == 4
    assert later.advice.provisional


PUBLISHED = [
    ("recursive", 800, 400, 704, 6.7, 5.2),
    ("recursive", 400, 200, 1412, 14.1, 10.5),
    ("recursive", 400, 0, 1187, 17.8, 14.1),
    ("recursive", 200, 0, 2386, 30.7, 18.7),
    ("token", 800, 400, 819, 4.7, 3.1),
    ("token", 400, 200, 1639, 8.5, 5.1),
    ("token", 400, 0, 824, 12.8, 8.3),
    ("token", 200, 0, 1644, 21.5, 12.0),
]


@pytest.fixture(scope="module")
def chroma(shared_data):
    folder = shared_data("chroma")
    corpus = load_corpus([folder / "docs"])
    questions = locate(read_golden(folder / "golden.jsonl"), corpus)
    return CorpusIndex(corpus), evidence_table(corpus, questions)


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row[0]} {row[1]}/{row[2]}")
def test_precision_omega_of_the_published_report(chroma, row):
    kind, size, overlap, count, mean, spread = row
    index, table = chroma
    settings = SplitterSettings(
        kind=kind,
        size=size,
        overlap=overlap,
        separators=("\n\n", "\n", ".", "?", "!", " ", ""),
        keep_separator="start",
    )
    chunks = index.chunk_set(settings, EnrichSettings())
    assert len(chunks) == count
    assert table.rows == 472
    geometry = chunk_geometry(chunks)
    relevance = find_relevance(table, geometry)
    values = set_metrics(table, geometry, relevance, np.zeros(len(table.item_question), bool))
    omega = 100 * values["precision_omega"]
    assert omega.mean() == pytest.approx(mean, abs=0.06)
    assert omega.std() == pytest.approx(spread, abs=0.06)


def test_what_the_toy_table_is_advised(toy):
    _, later, _ = toy
    sizes = [row.configuration.splitter.size for row in later.rows]
    cut = [size for size, row in zip(sizes, later.rows, strict=True) if boundaries_cut(row)]
    assert cut == [8, 12, 16, 32]
    assert [size for size, row in zip(sizes, later.rows, strict=True) if row.saturated] == [48, 64]
    rules = {rule.name: rule for rule in later.advice.rules}
    assert rules["provisional"].numbers == {"measured": 8, "to_write": 42}
    assert (
        rules["boundaries"].numbers["term_coverage"] - rules["boundaries"].numbers["recall"] > 0.15
    )
    assert later.rows[3].luck.mean < later.rows[3].evaluation.metrics["recall"] == 1.0


def test_the_cheapest_of_equals_is_advised(toy):
    """Of rows within 0.02 of the best over boundary phases, none sends less than the pick."""
    _, later, earlier = toy
    for sweep in (later, earlier):
        allowed = [row for row in sweep.rows if not row.saturated]
        best = max(row.luck.mean for row in allowed)
        equals = [row for row in allowed if row.luck.mean >= best - 0.02]
        cheapest = min(equals, key=lambda row: row.evaluation.metrics["context_tokens"])
        assert sweep.rows[sweep.advice.pick] is cheapest


def test_every_row_of_the_policy_table(shared_data):
    folder = shared_data("toy_policy")
    corpus = load_corpus([folder / "docs"])
    questions = locate(read_golden(folder / "golden.jsonl"), corpus)
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["rows"]
    assert len(expected) == 6
    index = CorpusIndex(corpus)
    for wanted in expected:
        configuration = Configuration(
            SplitterSettings(kind="sentence", size=wanted["size"], overlap=0, unit="sentences"),
            retriever=RetrieverSettings(kind="tfidf", k=(3,)),
        )
        metrics = evaluate(index, configuration, questions).metrics
        assert round(metrics["recall"], 2) == wanted["recall"]
        words = metrics["context_words"]
        assert (words if words == 66.5 else round(words)) == wanted["words_sent"]


def test_headings_mend_the_sentences_of_the_policy_table(shared_data):
    folder = shared_data("toy_policy")
    corpus = load_corpus([folder / "docs"])
    questions = locate(read_golden(folder / "golden.jsonl"), corpus)
    configuration = Configuration(
        SplitterSettings(kind="sentence", size=1, overlap=0, unit="sentences"),
        EnrichSettings(prefix="headings", heading_pattern="^Policy section: .*$"),
        RetrieverSettings(kind="tfidf", k=(3,)),
    )
    assert evaluate(CorpusIndex(corpus), configuration, questions).metrics["recall"] == 1.0


CHROMA_SIZES = (100, 200, 300, 400, 500, 600, 700, 800)


def test_no_pair_of_sizes_is_called_better_that_another_half_reverses(shared_data):
    folder = shared_data("chroma")
    corpus = load_corpus([folder / "docs"])
    questions = locate(read_golden(folder / "golden.jsonl"), corpus)
    index = CorpusIndex(corpus)
    recalls = np.column_stack(
        [
            measure_only(index, Configuration(SplitterSettings(size=size, overlap=0)), questions)
            .per_question["recall"]
            for size in CHROMA_SIZES
        ]
    )  # fmt: skip
    pairs = list(combinations(range(len(CHROMA_SIZES)), 2))
    called = 0
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(recalls))
        one, other = (
            differences(np.column_stack([half[:, b] - half[:, a] for a, b in pairs]))
            for half in (recalls[order[:236]], recalls[order[236:]])
        )
        for first, second in zip(one, other, strict=True):
            called += not first.noise
            if not first.noise and not second.noise:
                assert first.mean * second.mean > 0
    assert called >= 50
