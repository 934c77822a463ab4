"""`chunkscope golden …`: the golden set's life."""

import argparse
from collections import Counter

from chunkscope.cli.flags import add_corpus_arguments, add_golden_arguments
from chunkscope.cli.output import add_row, console, print_json, say, table
from chunkscope.cli.sources import read_corpus
from chunkscope.errors import InputError
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.reading import read_golden
from chunkscope.golden.validating import Finding, validate

_STYLES = {"error": "bold red", "warning": "yellow", "info": "dim"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    validating = actions.add_parser("validate", help="what is wrong with the set, line by line")
    add_corpus_arguments(validating)
    add_golden_arguments(validating)
    validating.add_argument("--format", choices=("table", "json"), default="table")


def run(arguments: argparse.Namespace) -> int:
    """Validate the set against the documents; 1 when a finding is an error."""
    if arguments.golden is None:
        raise InputError("no golden set: give --golden FILE")
    golden = read_golden(arguments.golden)
    corpus = read_corpus(arguments)
    findings = validate(golden, corpus)
    counts: Counter[str] = Counter(finding.severity for finding in findings)
    summary = {severity: counts[severity] for severity in _STYLES}
    if arguments.format == "json":
        print_json(
            {
                "golden": {"questions": len(golden.questions), "fingerprint": fingerprint(golden)},
                "corpus": {"documents": len(corpus.documents), "fingerprint": corpus.fingerprint},
                "summary": summary,
                "findings": [_finding_object(finding) for finding in findings],
            }
        )
    else:
        _print_findings(findings)
        say(
            f"{len(golden.questions)} questions: "
            + ", ".join(f"{count} {severity}" for severity, count in summary.items())
        )
    return 1 if counts["error"] else 0


def _finding_object(finding: Finding) -> dict[str, object]:
    return {
        "severity": finding.severity,
        "id": finding.question_id,
        "line": finding.line,
        "message": finding.message,
    }


def _print_findings(findings: tuple[Finding, ...]) -> None:
    if not findings:
        return
    made = table(
        "", [("line", "right"), ("severity", "left"), ("question", "left"), ("finding", "wrap")]
    )
    for finding in findings:
        cells = [str(finding.line or "–"), finding.severity, finding.question_id, finding.message]
        add_row(made, cells, style=_STYLES.get(finding.severity))
    console().print(made)
