"""`chunkscope health`: what is wrong with the chunks themselves."""

import argparse
from collections.abc import Mapping, Sequence

from chunkscope.cli.configure import build_configuration
from chunkscope.cli.flags import add_configuration_flags, add_corpus_arguments
from chunkscope.cli.output import add_row, console, print_json, say, say_all, table
from chunkscope.cli.passing import INTERRUPTED, Passing
from chunkscope.errors import InputError
from chunkscope.evaluation.health import Example, HealthCheck, HealthFinding
from chunkscope.evaluation.health_report import findings_to_json
from chunkscope.splitting.chunks import ChunkSet

_AROUND = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_corpus_arguments(parser)
    parser.add_argument(
        "--examples", type=int, default=3, metavar="N", help="places shown for each finding"
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")
    add_configuration_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Cut once and look at every chunk; what is found is a result, not a failure."""
    if arguments.examples < 0:
        raise InputError(f"--examples: {arguments.examples} is below 0; give 0 for none")
    configuration, notes = build_configuration(arguments)
    say_all(notes)
    passing = Passing(arguments, configuration.splitter, configuration.enrich)
    check = HealthCheck(configuration, examples=arguments.examples)
    shown: dict[Example, str] = {}
    count = 0

    def take(chunks: ChunkSet) -> bool:
        nonlocal count
        count += len(chunks)
        check.take(chunks, passing.token)
        _keep_shown(shown, chunks, check.findings())
        return True

    passing.through(take)
    findings = check.findings()
    if arguments.format == "json":
        print_json(
            findings_to_json(configuration, passing.counts, passing.reading, count, findings)
        )
    else:
        _print_findings(f"{configuration.label}: {count} chunks", findings)
        _print_examples(findings, shown)
    if passing.stopped:
        say(f"stopped: {passing.counts.documents:,} documents were read, {count:,} chunks checked")
        return INTERRUPTED
    return 0


def _keep_shown(
    shown: dict[Example, str], chunks: ChunkSet, findings: Sequence[HealthFinding]
) -> None:
    """Keep the text around each new example, for its document is about to be let go of."""
    for finding in findings:
        for example in finding.examples:
            position = chunks.corpus.position(example.doc)
            if position is not None and example not in shown:
                shown[example] = _shown(chunks.corpus.documents[position].text, example)


def _print_findings(title: str, findings: Sequence[HealthFinding]) -> None:
    made = table(
        title,
        [("check", "left"), ("found", "wrap"), ("count", "right"), ("of", "right"),
         ("share", "right"), ("mended by", "wrap")],
    )  # fmt: skip
    for finding in findings:
        add_row(made, _cells(finding), style=None if finding.count else "dim")
    console().print(made)


def _cells(finding: HealthFinding) -> list[str]:
    share = "–" if finding.share is None else f"{finding.share:.1%}"
    found = finding.title if finding.unit != "chunks" else f"chunks: {finding.title}"
    if finding.count and finding.begins is not None:
        found += f" ({finding.begins} begin, {finding.ends} end)"
    mend = finding.mend if finding.count else ""
    return [finding.name, found, str(finding.count), str(finding.of), share, mend]


def _print_examples(findings: Sequence[HealthFinding], shown: Mapping[Example, str]) -> None:
    made = table(
        "examples: ¦ stands where it is",
        [("check", "left"), ("doc", "left"), ("chunk", "right"), ("at", "right"), ("text", "fill")],
    )
    for finding in findings:
        for number, example in enumerate(finding.examples):
            index = "–" if example.index is None else str(example.index)
            name = "" if number else finding.name
            add_row(made, [name, example.doc, index, str(example.at), shown[example]])
    if made.row_count:
        console().print(made)


def _shown(text: str, example: Example) -> str:
    at = example.at
    return f"{text[max(0, at - _AROUND) : at]}¦{text[at : at + 2 * _AROUND]}"
