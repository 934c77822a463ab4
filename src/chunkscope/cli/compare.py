"""`chunkscope compare`: configuration A against B, question by question."""

import argparse
import math
from collections.abc import Collection
from pathlib import Path

from chunkscope.cli.configure import with_effective_unit
from chunkscope.cli.flags import add_corpus_arguments, add_golden_arguments, path, seed
from chunkscope.cli.modelflags import add_model_flags
from chunkscope.cli.models import models_from, models_on_terminal, say_needs
from chunkscope.cli.output import add_row, console, number, print_json, save_json, say, say_all
from chunkscope.cli.output import table as new_table
from chunkscope.cli.sources import read_corpus, read_questions
from chunkscope.cli.stepsummary import add_summary_flag, compare_summary, write_summary
from chunkscope.evaluation.compare import CHANGES, Comparison, compare
from chunkscope.evaluation.configfile import check_configuration, read_configuration, read_given
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.report import comparison_to_json
from chunkscope.evaluation.run import evaluate
from chunkscope.evaluation.statistics import Difference

_SHOWN = (
    "recall", "full_recall", "coverage", "term_coverage", "hit_rate", "mrr", "ndcg", "precision",
    "iou", "precision_omega", "split_rate", "context_tokens", "redundancy", "distractors",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_corpus_arguments(parser)
    add_golden_arguments(parser, ask=True)
    parser.add_argument("--a", type=path, required=True, metavar="FILE", help="variant A, TOML")
    parser.add_argument("--b", type=path, required=True, metavar="FILE", help="variant B, TOML")
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="of the bootstrap")
    parser.add_argument("--save", type=path, metavar="FILE", help="write it as JSON, too")
    add_summary_flag(parser)
    parser.add_argument("--format", choices=("table", "json"), default="table")
    add_model_flags(parser)
    for kind in ("splitter", "retriever", "embedder", "fuse"):
        parser.add_argument(
            f"--{kind}",
            action="append",
            default=[],
            metavar="MODULE:OBJECT",
            help=f"let a {kind} of A or B run this code; may be repeated",
        )


def run(arguments: argparse.Namespace) -> int:
    """Measure both and say what was won, what was lost, and whether it is noise."""
    code = (*arguments.splitter, *arguments.retriever, *arguments.embedder, *arguments.fuse)
    configurations = [_read(file, code) for file in (arguments.a, arguments.b)]
    corpus = read_corpus(arguments)
    golden, questions = read_questions(arguments, corpus)
    index = CorpusIndex(corpus, models_from(arguments))
    say_needs(index, configurations, questions)
    with models_on_terminal(index.models):
        a, b = (
            evaluate(index, configuration, questions, intervals=True, seed=arguments.seed)
            for configuration in configurations
        )
    for name, evaluation in (("A", a), ("B", b)):
        say_all(f"warning: {name}: {line}" for line in evaluation.warnings)
    comparison = compare(a, b, seed=arguments.seed)
    report = comparison_to_json(comparison, golden)
    if arguments.format == "json":
        print_json(report)
    else:
        _print_changes(comparison)
        _print_differences(comparison)
        console().print("\n".join(_sentences(comparison)), soft_wrap=True)
    write_summary(arguments, lambda: compare_summary(comparison, _sentences(comparison)))
    if arguments.save is not None:
        save_json(arguments.save, report)
        say(f"written: {arguments.save}")
    return 0


def _read(file: Path, code: Collection[str]) -> Configuration:
    configuration = read_configuration(file, flags=code)
    say_all(
        f"warning: {file}: {line}" for line in check_configuration(configuration, read_given(file))
    )
    return with_effective_unit(configuration)


def _print_changes(comparison: Comparison) -> None:
    made = new_table(
        f"A {comparison.a.configuration.label}   B {comparison.b.configuration.label}",
        [("question", "left"), ("", "left"), ("A", "left"), ("rank", "right"), ("B", "left"),
         ("rank", "right"), ("asked", "fill")],
    )  # fmt: skip
    signs = {"won": "+ won", "lost": "− lost"}
    styles = {"won": "green", "lost": "red"}
    for question in comparison.questions:
        if question.change not in signs:
            continue
        asked = question.a.located.question
        cells = [asked.id, signs[question.change]]
        for result in (question.a, question.b):
            cells += [result.verdict, "–" if result.rank is None else str(result.rank)]
        add_row(made, [*cells, asked.question], style=styles[question.change])
    if made.row_count:
        console().print(made)


def _print_differences(comparison: Comparison) -> None:
    made = new_table(
        "B less A, 95 % interval of the paired bootstrap over questions",
        [("metric", "left"), ("A", "right"), ("B", "right"), ("B − A", "right"),
         ("interval", "left"), ("", "left")],
    )  # fmt: skip
    for name in _SHOWN:
        found = comparison.differences.get(name)
        if found is not None:
            a, b = (run.metrics.get(name) for run in (comparison.a, comparison.b))
            add_row(made, [name, number(a), number(b), f"{found.mean:+.3f}", *_interval(found)])
    if made.row_count:
        console().print(made)


def _interval(found: Difference) -> tuple[str, str]:
    if not math.isfinite(found.low):
        return "–", "too few questions for one"
    return f"{found.low:+.3f} … {found.high:+.3f}", "noise" if found.noise else ""


def _sentences(comparison: Comparison) -> list[str]:
    counted = {name: comparison.count(name) for name in CHANGES}
    hits, move = comparison.hits, comparison.migration
    lines = [
        "B against A: " + ", ".join(f"{count} {name}" for name, count in counted.items()),
        f"hits: {hits.gained} gained, {hits.lost} lost (exact McNemar p = {hits.p:.3g})",
        f"an index that holds A: {move.kept} chunks kept, {move.changed} changed, {move.new} new, "
        f"{move.dropped} dropped; {move.tokens_to_embed} tokens to embed",
    ]
    lines += [
        f"differs: {change.section}.{change.key}: A {change.a!r}, B {change.b!r}"
        for change in comparison.settings
    ]
    if not comparison.attributable:
        lines.append(
            f"{len(comparison.settings)} settings differ, so the difference cannot be attributed "
            "to one of them; the steps between:"
        )
        lines += [f"  {step.label}" for step in comparison.steps]
    return lines
