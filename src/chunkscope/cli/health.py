"""`chunkscope health`: what is wrong with the chunks themselves."""

import argparse

from chunkscope.cli.configure import build_configuration
from chunkscope.cli.flags import add_configuration_flags, add_corpus_arguments
from chunkscope.cli.output import add_row, console, print_json, say_all, table
from chunkscope.cli.progress import progress
from chunkscope.cli.sources import read_corpus
from chunkscope.errors import InputError
from chunkscope.evaluation.health import Example, Health, HealthFinding, check_health
from chunkscope.evaluation.health_report import health_to_json
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.splitting.warnings import corpus_warnings

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
    corpus = read_corpus(arguments)
    say_all(f"warning: {line}" for line in corpus_warnings(corpus, configuration.splitter))
    with progress("cutting") as advance:
        chunks = CorpusIndex(corpus).chunk_set(
            configuration.splitter, configuration.enrich, progress=advance
        )
    health = check_health(chunks, configuration, examples=arguments.examples)
    if arguments.format == "json":
        print_json(health_to_json(health))
    else:
        _print_findings(health)
        _print_examples(health)
    return 0


def _print_findings(health: Health) -> None:
    made = table(
        f"{health.configuration.label}: {len(health.chunks)} chunks",
        [("check", "left"), ("found", "wrap"), ("count", "right"), ("of", "right"),
         ("share", "right"), ("mended by", "wrap")],
    )  # fmt: skip
    for finding in health.findings:
        add_row(made, _cells(finding), style=None if finding.count else "dim")
    console().print(made)


def _cells(finding: HealthFinding) -> list[str]:
    share = "–" if finding.share is None else f"{finding.share:.1%}"
    found = finding.title if finding.unit != "chunks" else f"chunks: {finding.title}"
    if finding.count and finding.begins is not None:
        found += f" ({finding.begins} begin, {finding.ends} end)"
    mend = finding.mend if finding.count else ""
    return [finding.name, found, str(finding.count), str(finding.of), share, mend]


def _print_examples(health: Health) -> None:
    texts = {document.id: document.text for document in health.chunks.corpus.documents}
    made = table(
        "examples: ¦ stands where it is",
        [("check", "left"), ("doc", "left"), ("chunk", "right"), ("at", "right"), ("text", "fill")],
    )
    for finding in health.findings:
        for number, example in enumerate(finding.examples):
            index = "–" if example.index is None else str(example.index)
            shown = _shown(texts[example.doc], example)
            name = "" if number else finding.name
            add_row(made, [name, example.doc, index, str(example.at), shown])
    if made.row_count:
        console().print(made)


def _shown(text: str, example: Example) -> str:
    at = example.at
    return f"{text[max(0, at - _AROUND) : at]}¦{text[at : at + 2 * _AROUND]}"
