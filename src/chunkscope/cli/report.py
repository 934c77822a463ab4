"""`chunkscope report`: sweep, comparison and running text as one HTML file."""

import argparse
from collections.abc import Sequence

from chunkscope.cancel import CancelToken
from chunkscope.cli.configure import build_configuration, with_effective_unit
from chunkscope.cli.flags import (
    add_configuration_flags,
    add_corpus_arguments,
    add_golden_arguments,
    path,
)
from chunkscope.cli.interrupt import cancelled_by_ctrl_c
from chunkscope.cli.modelflags import add_model_flags
from chunkscope.cli.models import models_from, say_needs
from chunkscope.cli.output import save_text, say, say_all
from chunkscope.cli.sources import read_corpus, read_questions
from chunkscope.cli.sweep import add_plan_flags, sweep_plan
from chunkscope.cli.sweepround import read_second, second_file, second_round
from chunkscope.cli.sweepshow import rows_on_terminal
from chunkscope.errors import InputError
from chunkscope.evaluation.compare import Comparison, compare
from chunkscope.evaluation.configfile import read_configuration
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.diagnosis import Diagnosis, diagnose
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.evaluation.sample import sample_corpus
from chunkscope.evaluation.sweep import run_sweep
from chunkscope.evaluation.sweepresults import Sweep
from chunkscope.golden.fingerprint import fingerprint

_INTERRUPTED = 130
_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.epilog = (
        "A is the configuration given, B the sweep's pick, or --b. The questions shown in the "
        "text are those that changed and those that A fails, or --show."
    )
    add_corpus_arguments(parser)
    add_golden_arguments(parser)
    parser.add_argument(
        "--out", type=path, required=True, metavar="FILE.html", help="the file to write"
    )
    parser.add_argument("--b", type=path, metavar="FILE", help="variant B, TOML")
    parser.add_argument(
        "--show", metavar="ID,ID|N", help=f"questions shown in the text, or how many; {_SHOWN}"
    )
    parser.add_argument("--title", default="chunkscope report", help="its heading")
    add_plan_flags(parser)
    add_configuration_flags(parser)
    add_model_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Sweep, compare, diagnose, write."""
    from chunkscope.report.page import Report, report_html

    a, notes = build_configuration(arguments)
    say_all(notes)
    b = None if arguments.b is None else with_effective_unit(read_configuration(arguments.b))
    plan = sweep_plan(a, arguments)
    corpus = read_corpus(arguments, [*second_file(arguments.validate), arguments.out])
    golden, questions = read_questions(arguments, corpus)
    other = read_second(arguments.validate, corpus)
    if arguments.sample is not None:
        every = (*questions, *other.questions)
        corpus = sample_corpus(corpus, every, arguments.sample, seed=arguments.seed)
        say(f"a sample of {len(corpus.documents)} documents, seed {arguments.seed}")
    index = CorpusIndex(corpus, models_from(arguments))
    say_needs(index, [*plan.rows, *([] if b is None else [b])], questions)
    token = CancelToken()
    with rows_on_terminal(len(plan.rows)) as shown, cancelled_by_ctrl_c(token):
        sweep = run_sweep(
            index,
            plan,
            questions,
            on_row=shown.row,
            cancel=token,
            seed=arguments.seed,
            luck_all=arguments.luck,
            on_phase=shown.phase,
        )
    if sweep.stopped:
        say(f"stopped: {len(sweep.rows)} of {len(plan.rows)} rows are done; nothing is written")
        return _INTERRUPTED
    second = None
    if arguments.validate is not None:
        second = second_round(sweep, index, plan, other, arguments.seed)
    runs = [
        evaluate(index, settings, questions, intervals=True, seed=arguments.seed)
        for settings in (a, b or _other(sweep, a))
    ]
    comparison = compare(*runs, seed=arguments.seed)
    diagnosis = diagnose(index, runs[0])
    report = Report(
        title=arguments.title,
        sweep=sweep,
        comparison=comparison,
        diagnosis=diagnosis,
        golden=fingerprint(golden),
        chosen=_chosen(arguments.show, comparison, diagnosis),
        second=second,
        notes=_warnings(comparison),
    )
    save_text(arguments.out, report_html(report))
    say(f"written: {arguments.out}")
    return 0


def _other(sweep: Sweep, a: Configuration) -> Configuration:
    """The pick; where A is the pick, or there is none, the row with most recall beside A."""
    pick = sweep.advice.pick
    if pick is not None and sweep.rows[pick].configuration.hash != a.hash:
        return sweep.rows[pick].configuration
    others = [row for row in sweep.rows if row.configuration.hash != a.hash]
    return max(others, key=lambda row: row.recall or 0.0).configuration if others else a


def _warnings(comparison: Comparison) -> list[str]:
    """Warnings of both runs, each once with the variants it is of."""
    of: dict[str, list[str]] = {}
    for letter, one in (("A", comparison.a), ("B", comparison.b)):
        for line in one.warnings:
            of.setdefault(line, []).append(letter)
    return [f"{' and '.join(letters)}: {line}" for line, letters in of.items()]


def _chosen(show: str | None, comparison: Comparison, diagnosis: Diagnosis) -> Sequence[str]:
    ids = [one.a.located.question.id for one in comparison.questions]
    count = _SHOWN
    if show is not None and show.strip().isdecimal():
        count = int(show)
    elif show is not None:
        wanted = [name.strip() for name in show.split(",")]
        for name in wanted:
            if name not in ids:
                raise InputError(f"--show: question {name!r} is not in the golden set")
        return wanted
    changed = [one.a.located.question.id for one in comparison.questions
               if one.change in ("won", "lost")]  # fmt: skip
    bad = [one.result.located.question.id for one in diagnosis.questions]
    return list(dict.fromkeys([*changed, *bad]))[:count]
