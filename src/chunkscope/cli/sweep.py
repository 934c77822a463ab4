"""`chunkscope sweep`: a table of configurations, and the advice drawn from it."""

import argparse
from contextlib import ExitStack

import chunkscope.cli.onethread  # noqa: F401
from chunkscope.cancel import CancelToken
from chunkscope.cli.configure import build_configuration
from chunkscope.cli.flags import (
    add_configuration_flags,
    add_corpus_arguments,
    add_golden_arguments,
    path,
    seed,
)
from chunkscope.cli.interrupt import cancelled_by_ctrl_c
from chunkscope.cli.modelflags import add_model_flags
from chunkscope.cli.models import models_from, say_needs, say_spent
from chunkscope.cli.output import add_row, console, number, print_json, say, say_all
from chunkscope.cli.output import table as new_table
from chunkscope.cli.sources import read_questions
from chunkscope.cli.sweepcorpus import read_swept, swept_index
from chunkscope.cli.sweepround import read_second, second_file, second_round
from chunkscope.cli.sweepsave import SavedSweep
from chunkscope.cli.sweepshow import rows_on_terminal
from chunkscope.errors import ChunkscopeError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.noise import against_best, chunk_notes, tie_note
from chunkscope.evaluation.report import sweep_to_json
from chunkscope.evaluation.sample import sample_corpus
from chunkscope.evaluation.secondround import SecondRound, second_round_to_json
from chunkscope.evaluation.sweep import run_sweep
from chunkscope.evaluation.sweepplan import (
    SweepPlan,
    parse_overlaps,
    parse_sizes,
    parse_vary,
    plan_sweep,
    unused_settings,
)
from chunkscope.evaluation.sweepresults import Sweep, SweepRow
from chunkscope.evaluation.sweepstore import unfinished
from chunkscope.golden.model import GoldenSet, LocatedQuestion
from chunkscope.text.display import visible
from chunkscope.text.tokens import get_token_counter

_INTERRUPTED = 130
_WARNINGS_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_corpus_arguments(parser)
    add_golden_arguments(parser)
    add_plan_flags(parser)
    parser.add_argument(
        "--save",
        type=path,
        metavar="FILE",
        help="write the sweep as JSON, too, as rows come; rows in it are not run again",
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")
    add_configuration_flags(parser)
    add_model_flags(parser)


def add_plan_flags(parser: argparse.ArgumentParser) -> None:
    """Add what a sweep runs over, and how sure its pick is to be made."""
    plan = parser.add_argument_group("sweep")
    plan.add_argument("--sizes", metavar="LIST", help="64,128 or 64..512:64")
    plan.add_argument("--overlaps", metavar="LIST", help="0,10%% or 0..40:10%%")
    plan.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="NAME=A,B",
        help="any other setting, such as splitter=recursive,words; values with commas as a JSON "
        "list; may be repeated",
    )
    plan.add_argument(
        "--sample", type=int, metavar="N", help="N documents: all with evidence, then at random"
    )
    plan.add_argument("--seed", type=seed, default=0, metavar="S", help="of sample and bootstrap")
    plan.add_argument(
        "--luck", action="store_true", help="boundary phases for every row, not just the best"
    )
    plan.add_argument(
        "--validate",
        metavar="FILE|halves",
        help="confirm the pick on another golden set, or on repeated halves of this one",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run every row; Ctrl-C keeps and prints those that are done."""
    with ExitStack() as until:
        return _run(arguments, until)


def _run(arguments: argparse.Namespace, until: ExitStack) -> int:
    """The sweep; what it keeps in temporary files is given back by `until`."""
    configuration, notes = build_configuration(arguments)
    say_all(notes)
    plan = sweep_plan(configuration, arguments)
    for encoding in {row.splitter.encoding for row in plan.rows}:
        get_token_counter(encoding).load_ahead()
    corpus = read_swept(arguments, second_file(arguments.validate), plan.rows, until)
    golden, questions = read_questions(arguments, corpus)
    other = read_second(arguments.validate, corpus)
    asked = (*questions, *other.questions)
    if arguments.sample is not None:
        corpus = sample_corpus(corpus, asked, arguments.sample, seed=arguments.seed)
        say(f"a sample of {len(corpus.documents)} documents, seed {arguments.seed}")
    index = swept_index(corpus, asked, models_from(arguments), until)
    saved = SavedSweep(arguments.save, index, golden, questions, arguments.seed)
    say_needs(index, [row for row in plan.rows if saved.store.get(row) is None], questions)
    try:
        sweep = _swept(index, plan, questions, saved, arguments)
    except ChunkscopeError:
        # What was measured before the fault is worth as much as before Ctrl-C.
        if saved.rows:
            _print(unfinished(saved.rows), golden, arguments.format)
            if arguments.save is not None:
                say(f"written: {arguments.save}")
            say(f"stopped: {len(saved.rows)} of {len(plan.rows)} rows are done")
        raise
    say_spent(index.models)
    _say_warnings(sweep)
    round_two = None
    if arguments.validate is not None and not sweep.stopped:
        round_two = second_round(sweep, index, plan, other, arguments.seed)
    _print(sweep, golden, arguments.format, round_two)
    saved.finish(sweep)
    if sweep.stopped:
        say(f"stopped: {len(sweep.rows)} of {len(plan.rows)} rows are done")
        return _INTERRUPTED
    if round_two is not None and round_two.stopped is not None:
        say(f"stopped: {round_two.stopped} of {len(plan.rows)} rows of the second round are done")
        return _INTERRUPTED
    return 0


def _swept(
    index: CorpusIndex,
    plan: SweepPlan,
    questions: tuple[LocatedQuestion, ...],
    saved: SavedSweep,
    arguments: argparse.Namespace,
) -> Sweep:
    """Run it before the user's eyes; `saved` gets each row that is done, whatever comes then."""
    token = CancelToken()
    with rows_on_terminal(len(plan.rows)) as shown, cancelled_by_ctrl_c(token):
        index.models.progress = shown.model
        index.progress = shown.cut

        def on_row(row: SweepRow) -> None:
            saved.add(row)
            shown.row(row)

        try:
            return run_sweep(
                index,
                plan,
                questions,
                on_row=on_row,
                cancel=token,
                seed=arguments.seed,
                luck_all=arguments.luck,
                store=saved.store,
                on_phase=shown.phase,
            )
        except BaseException:
            saved.keep()
            raise


def _print(
    sweep: Sweep, golden: GoldenSet, form: str, round_two: SecondRound | None = None
) -> None:
    """The rows on standard output, as `form` says, and what a second round says of the pick."""
    if form == "json":
        report = sweep_to_json(sweep, golden)
        if round_two is not None:
            report["validation"] = second_round_to_json(round_two)
        print_json(report)
        return
    _print_table(sweep)
    if round_two is not None:
        console().print(visible(round_two.sentence), soft_wrap=True)


def sweep_plan(configuration: Configuration, arguments: argparse.Namespace) -> SweepPlan:
    """The rows that the flags ask for; settings varied in vain are said."""
    vary = dict(map(parse_vary, arguments.vary))
    plan = plan_sweep(
        configuration,
        parse_sizes(arguments.sizes) if arguments.sizes is not None else None,
        parse_overlaps(arguments.overlaps) if arguments.overlaps is not None else None,
        vary,
    )
    say_all(f"warning: {line}" for line in unused_settings(plan, vary))
    return plan


def _say_warnings(sweep: Sweep) -> None:
    """Warnings of every row, then the first few of those that only some rows have."""
    rows: dict[str, list[str]] = {}
    for row in sweep.rows:
        for warning in row.evaluation.warnings:
            rows.setdefault(warning, []).append(row.label)
    shared = [warning for warning, labels in rows.items() if len(labels) == len(sweep.rows)]
    say_all(f"warning: {warning}" for warning in shared)
    others = [
        f"warning: {', '.join(dict.fromkeys(labels))}: {warning}"
        for warning, labels in rows.items()
        if warning not in shared
    ]
    say_all(others[:_WARNINGS_SHOWN])
    if len(others) > _WARNINGS_SHOWN:
        say(f"{len(others) - _WARNINGS_SHOWN} more warnings of single rows (--format json)")


def _print_table(sweep: Sweep) -> None:
    made = new_table(
        "recall is span recall at the first k; context is tokens sent a question",
        [("", "left"), ("configuration", "wrap"),
         *((name, "right") for name in ("chunks", "recall", "95 %", "luck", "at budget",
                                        "coverage", "terms", "context", "index")),
         ("said", "wrap")],
    )  # fmt: skip
    for position in range(len(sweep.rows)):
        picked = position == sweep.advice.pick
        add_row(made, _cells(sweep, position), style="bold" if picked else None)
    console().print(made)
    for skipped in sweep.skipped:
        say(f"skipped {skipped.configuration.label_with(sweep.varied)}: {skipped.reason}")
    lines = [*sweep.advice.reasons, *(f"{rule.sentence}" for rule in sweep.advice.rules)]
    if sweep.recall_budget is not None:
        lines.append(f"recall at budget: chunks taken up to {sweep.recall_budget} tokens")
    console().print("\n".join(lines), soft_wrap=True)


def _cells(sweep: Sweep, position: int) -> list[str]:
    row, picked = sweep.rows[position], position == sweep.advice.pick
    metrics = row.evaluation.metrics
    interval = row.evaluation.intervals.get("recall")
    said = [
        "" if row.same_as is None else f"same chunks as {sweep.rows[row.same_as].label}",
        tie_note(row, "–"),
        *chunk_notes(row),
        against_best(sweep, position),
    ]
    return [
        "▸" if picked else "",
        row.label,
        str(row.evaluation.statistics.count),
        number(metrics.get("recall")),
        f"{interval[0]:.2f}–{interval[1]:.2f}" if interval else "",
        f"{row.luck.mean:.2f} ({row.luck.low:.2f}–{row.luck.high:.2f})" if row.luck else "",
        number(metrics.get("recall_at_budget")),
        number(metrics.get("coverage")),
        number(metrics.get("term_coverage")),
        number(metrics.get("context_tokens"), 0),
        number(metrics.get("index_overhead"), 2),
        "; ".join(filter(None, said)),
    ]
