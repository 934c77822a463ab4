"""A health check as plain values for JSON."""

from dataclasses import asdict
from typing import Any

from chunkscope.evaluation.health import Health
from chunkscope.evaluation.report import versions


def health_to_json(health: Health) -> dict[str, Any]:
    """A health check as `health` writes it."""
    corpus = health.chunks.corpus
    return {
        "config": health.configuration.to_mapping(),
        "versions": dict(versions()),
        "corpus": {
            "documents": len(corpus.documents),
            "characters": corpus.characters,
            "fingerprint": corpus.fingerprint,
        },
        **corpus.read_as,
        "chunks": len(health.chunks),
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
            for finding in health.findings
        ],
    }
