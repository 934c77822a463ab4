"""Published tables come out again, through the same commands that anyone would type."""

import json
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import Any

import pytest

from chunkscope.cli.main import main
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.locating import locate
from chunkscope.golden.model import LocatedQuestion
from chunkscope.golden.reading import read_golden
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.text.loading.load import load_corpus

SharedData = Callable[[str], Path]

# ---------------------------------------------------------------- toy_cli


def two_places(value: float) -> Decimal:
    return Decimal(repr(value)).quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)


def toy_sweep(
    folder: Path, capsys: pytest.CaptureFixture[str], *flags: str
) -> list[dict[str, Any]]:
    code = main(
        [
            *("sweep", str(folder / "docs"), "--golden", str(folder / "golden.jsonl")),
            *("--splitter", "words", "--sizes", "8,12,16,24,32,48,64", "--overlaps", "25%"),
            *("--retriever", "bm25", "--k", "2", "--words", "[a-z0-9_.~/-]+"),
            *("--query-terms", "set", "--format", "json", *flags),
        ]
    )
    captured = capsys.readouterr()
    assert code == 0, captured.err
    rows = json.loads(captured.out)["rows"]
    assert [row["config"]["splitter"]["size"] for row in rows] == [8, 12, 16, 24, 32, 48, 64]
    return list(rows)


def test_toy_cli_to_the_digit(shared_data: SharedData, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared_data("toy_cli")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    rows = toy_sweep(folder, capsys, "--ties", "later")
    found = [
        {
            "size": row["config"]["splitter"]["size"],
            "overlap": row["config"]["splitter"]["overlap"],
            "chunks": row["chunks"]["count"],
            "recall": float(two_places(row["metrics"]["recall"])),
            "term_coverage": float(two_places(row["metrics"]["term_coverage"])),
            "context": row["metrics"]["context_nominal"],
        }
        for row in rows
    ]
    assert found == expected["rows"]
    coverage = [float(two_places(row["metrics"]["coverage"])) for row in rows]
    assert coverage == [0.73, 0.82, 0.92, 1.00, 0.89, 1.00, 1.00]
    for row in rows:
        assert row["golden"]["questions"] == row["golden"]["measured"] == 8


# ---------------------------------------------------------------- chroma


@pytest.fixture(scope="module")
def chroma(shared_data: SharedData) -> tuple[CorpusIndex, tuple[LocatedQuestion, ...]]:
    folder = shared_data("chroma")
    corpus = load_corpus([folder / "docs"])
    return CorpusIndex(corpus), locate(read_golden(folder / "golden.jsonl"), corpus)


def test_chroma_is_read_whole(
    chroma: tuple[CorpusIndex, tuple[LocatedQuestion, ...]],
) -> None:
    index, questions = chroma
    assert len(questions) == 472
    assert sum(len(question.items) for question in questions) == 790
    assert all(question.measured for question in questions)
    assert index.tokens("cl100k_base") == 328_208


def test_a_whole_run_gives_the_report_s_precision_omega(
    chroma: tuple[CorpusIndex, tuple[LocatedQuestion, ...]],
) -> None:
    """The row recursive 200/0; the others are measured without a retriever elsewhere."""
    index, questions = chroma
    configuration = Configuration(
        SplitterSettings(
            size=200,
            overlap=0,
            separators=("\n\n", "\n", ".", "?", "!", " ", ""),
            keep_separator="start",
        )
    )
    run = evaluate(index, configuration, questions)
    assert run.statistics.count == 2386
    assert run.counts.measured == 472
    assert 100 * (run.metrics["precision_omega"] or 0) == pytest.approx(30.7, abs=0.06)
    assert 100 * (run.sd["precision_omega"] or 0) == pytest.approx(18.7, abs=0.06)
