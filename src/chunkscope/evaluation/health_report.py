"""A health check as plain values for JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.health import Health, HealthFinding
from chunkscope.evaluation.report import versions
from chunkscope.text.counting import CorpusCounts


def health_to_json(health: Health) -> dict[str, Any]:
    """A health check as `health` writes it."""
    counts = CorpusCounts()
    for document in health.chunks.corpus.documents:
        counts.take(document)
    reading, chunks = health.chunks.corpus.reading, len(health.chunks)
    return findings_to_json(health.configuration, counts, reading, chunks, health.findings)


def findings_to_json(
    configuration: Configuration,
    corpus: CorpusCounts,
    reading: Mapping[str, Any],
    chunks: int,
    findings: Sequence[HealthFinding],
) -> dict[str, Any]:
    """The same from the counts of a corpus that is not held: `reading` as in `Corpus`."""
    return {
        "config": configuration.to_mapping(),
        "versions": dict(versions()),
        "corpus": {
            "documents": corpus.documents,
            "characters": corpus.characters,
            "fingerprint": corpus.fingerprint,
        },
        **corpus.read_as(reading),
        "chunks": chunks,
        "findings": [
            {
                "name": finding.name,
                "title": finding.title,
                "unit": finding.unit,
                "count": finding.count,
                "of": finding.of,
                "share": finding.share,
                "begins": finding.begins,
                "ends": finding.ends,
                "mend": finding.mend,
                "examples": [asdict(example) for example in finding.examples],
            }
            for finding in findings
        ],
    }
