"""`chunkscope eval`: one run, its metrics and a line a question."""

import argparse

from chunkscope.cli.configure import build_configuration
from chunkscope.cli.fitted import Column
from chunkscope.cli.flags import (
    add_configuration_flags,
    add_corpus_arguments,
    add_golden_arguments,
    path,
    seed,
)
from chunkscope.cli.modelflags import add_model_flags
from chunkscope.cli.models import models_from, models_on_terminal, say_needs
from chunkscope.cli.output import add_row, console, number, print_json, save_json, say, say_all
from chunkscope.cli.output import table as new_table
from chunkscope.cli.sources import read_corpus, read_questions
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.places import evidence_place, have_places
from chunkscope.evaluation.report import evaluation_to_json
from chunkscope.evaluation.results import Evaluation, QuestionResult
from chunkscope.evaluation.run import evaluate

_MARKS = {
    "hit": "✓", "partial": "◐", "split": "✂", "missed": "✗", "unmeasured": "?",
    "unanswerable": "∅",
}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_corpus_arguments(parser)
    add_golden_arguments(parser, ask=True)
    parser.add_argument("--save", type=path, metavar="FILE", help="write the run as JSON, too")
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="of the bootstrap")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    add_configuration_flags(parser)
    add_model_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Split, rank, measure; a run with nothing measured is a result, not a failure."""
    configuration, notes = build_configuration(arguments)
    say_all(notes)
    corpus = read_corpus(arguments)
    golden, questions = read_questions(arguments, corpus)
    index = CorpusIndex(corpus, models_from(arguments))
    say_needs(index, [configuration], questions)
    with models_on_terminal(index.models):
        evaluation = evaluate(index, configuration, questions, intervals=True, seed=arguments.seed)
    say_all(f"warning: {line}" for line in evaluation.warnings)
    report = evaluation_to_json(evaluation, golden)
    if arguments.format == "json":
        print_json(report)
    else:
        _print_questions(evaluation)
        _print_metrics(evaluation)
    if arguments.save is not None:
        save_json(arguments.save, report)
        say(f"written: {arguments.save}")
    return 0


def _print_questions(evaluation: Evaluation) -> None:
    corpus = evaluation.chunks.corpus
    places = have_places([result.located for result in evaluation.questions], corpus)
    place: list[tuple[str, Column]] = [("place", "left")] if places else []
    made = new_table(
        evaluation.configuration.label,
        [("question", "left"), ("verdict", "left"), ("rank", "right"), ("recall", "right"),
         ("coverage", "right"), *place, ("why", "fill")],
    )  # fmt: skip
    for result in evaluation.questions:
        *numbers, why = _question_cells(result)
        stands = [evidence_place(result.located, corpus)] if places else []
        add_row(made, [*numbers, *stands, why])
    console().print(made)


def _question_cells(result: QuestionResult) -> list[str]:
    recall, coverage = (result.metrics.get(name) for name in ("recall", "coverage"))
    return [
        result.located.question.id,
        f"{_MARKS[result.verdict]} {result.verdict}",
        "–" if result.rank is None else str(result.rank),
        number(recall, 2),
        number(coverage, 2),
        result.reason,
    ]


def _print_metrics(evaluation: Evaluation) -> None:
    settings = evaluation.configuration.retriever
    # under a budget no cut-off is the one of the means, so that every one stands beside them
    others = settings.k if settings.budget else settings.k[1:]
    taken = (
        f"within {settings.budget} tokens"
        if settings.budget
        else f"at the first cut-off ({settings.k[0]})"
    )
    made = new_table(
        f"means over measured questions, {taken}",
        [("metric", "left"), ("mean", "right"), ("sd", "right"), ("95 % interval", "left"),
         *((f"@{k}", "right") for k in others)],
    )  # fmt: skip
    for name, mean in evaluation.metrics.items():
        if "@" in name or mean is None:
            continue
        interval = evaluation.intervals.get(name)
        shown = f"{number(interval[0])} … {number(interval[1])}" if interval else ""
        deeper = [evaluation.metrics.get(f"{name}@{k}") for k in others]
        cells = [name, number(mean), number(evaluation.sd.get(name)), shown]
        add_row(made, cells + ["" if value is None else number(value) for value in deeper])
    if made.row_count:
        console().print(made)
    counts, chunks = evaluation.counts, evaluation.statistics
    low, high = evaluation.recall_range
    lines = [
        f"{counts.questions} questions: {counts.measured} measured, {counts.unmeasured} unmeasured "
        f"(evidence not found), {counts.unanswerable} unanswerable",
        f"{chunks.count} chunks: {number(chunks.mean_tokens, 1)} tokens on average, "
        f"{chunks.max_tokens} at most; {chunks.oversize} oversize, {chunks.altered} altered, "
        f"{chunks.uncovered_characters} characters in no chunk",
    ]
    if low is not None and high is not None and low != high:
        lines.append(f"ties at the cut-off: recall could have been {number(low)} to {number(high)}")
    console().print("\n".join(lines))
