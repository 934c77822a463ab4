"""`chunkscope golden validate`: what is wrong with a golden set, line by line."""

import argparse
from collections import Counter
from pathlib import Path

from chunkscope.cli.flags import add_corpus_arguments, add_golden_arguments
from chunkscope.cli.golden_detectable import Detectable, detectable, said
from chunkscope.cli.golden_stats import add_asked_flags, balance_object, detectable_object
from chunkscope.cli.output import add_row, console, print_json, say, say_all, table
from chunkscope.cli.progress import progress
from chunkscope.cli.sources import read_corpus
from chunkscope.errors import InputError
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.locating import locate
from chunkscope.golden.model import GoldenSet
from chunkscope.golden.reading import bad_lines, read_golden
from chunkscope.golden.users import Balance, balance, read_asked, said_of_balance
from chunkscope.golden.validating import Finding, Severity, findings
from chunkscope.golden.wording import counted
from chunkscope.text.tokens import get_token_counter

STYLES = {"error": "bold red", "warning": "yellow", "info": "dim"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_corpus_arguments(parser)
    add_golden_arguments(parser)
    add_asked_flags(parser)
    parser.add_argument("--encoding", default="cl100k_base", metavar="NAME", help="counts tokens")
    parser.add_argument("--format", choices=("table", "json"), default="table")


def run(arguments: argparse.Namespace) -> int:
    """Validate the set against the documents; 1 when a finding is an error."""
    if arguments.golden is None:
        raise InputError("no golden set: give --golden FILE")
    golden = _read(arguments.golden)
    counter = get_token_counter(arguments.encoding)
    asked = None if arguments.asked is None else read_asked(arguments.asked)
    corpus = read_corpus(arguments, exclude=[] if asked is None else [arguments.asked])
    with progress("locating evidence") as advance:
        located = locate(golden, corpus, progress=advance)
    power = detectable(sum(one.measured for one in located), arguments.difference)
    held = None if asked is None else balance(golden.questions, asked)
    found = (
        *findings(golden, located, corpus, counter),
        *_of_users(held),
        *_of_power(power, arguments.difference),
    )
    counts: Counter[str] = Counter(finding.severity for finding in found)
    summary = {severity: counts[severity] for severity in STYLES}
    if arguments.format == "json":
        print_json(
            {
                "golden": {"questions": len(golden.questions), "fingerprint": fingerprint(golden)},
                "corpus": {"documents": len(corpus.documents), "fingerprint": corpus.fingerprint},
                **corpus.read_as,
                "summary": summary,
                "detectable": detectable_object(power),
                "users": None if held is None else balance_object(held),
                "findings": [_finding_object(finding) for finding in found],
            }
        )
    else:
        _print_findings(found)
        say(
            f"{counted(len(golden.questions), 'question')}: {counted(summary['error'], 'error')}, "
            f"{counted(summary['warning'], 'warning')}, {summary['info']} info"
        )
    return 1 if counts["error"] else 0


def _read(path: Path) -> GoldenSet:
    """The golden set; where lines of it are bad, all of them are said and not just the first."""
    try:
        return read_golden(path)
    except InputError as first:
        bad = bad_lines(path) if path.is_file() else ()
        if len(bad) < 2:
            raise
        say_all(bad)
        raise InputError(f"{path}: {len(bad)} lines are bad; mend them first") from first


def _of_users(held: Balance | None) -> tuple[Finding, ...]:
    lines = () if held is None else said_of_balance(held)
    return tuple(Finding("warning", "", 0, line) for line in lines)


def _of_power(power: Detectable, hoped: float) -> tuple[Finding, ...]:
    """Whether the questions are enough for the differences one hopes to see."""
    if not power.measured:
        return ()
    severity: Severity = "info" if power.enough_for(hoped) else "warning"
    lead = "" if power.difference is None else "smallest detectable difference: "
    return (Finding(severity, "", 0, f"{lead}{said(power)}"),)


def _finding_object(finding: Finding) -> dict[str, object]:
    return {
        "severity": finding.severity,
        "id": finding.question_id,
        "line": finding.line,
        "message": finding.message,
    }


def _print_findings(found: tuple[Finding, ...]) -> None:
    if not found:
        return
    made = table(
        "", [("line", "right"), ("severity", "left"), ("question", "left"), ("finding", "wrap")]
    )
    for finding in found:
        cells = [str(finding.line or "–"), finding.severity, finding.question_id, finding.message]
        add_row(made, cells, style=STYLES.get(finding.severity))
    console().print(made)
