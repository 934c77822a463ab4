"""`chunkscope check`: the gate for CI."""

import argparse
import json
from pathlib import Path
from typing import Any, NoReturn

from chunkscope.cli.case import case_files, read_cases
from chunkscope.cli.configure import build_configuration, given_settings, named_code
from chunkscope.cli.flags import (
    CONFIG_NAME,
    add_configuration_flags,
    add_corpus_arguments,
    add_golden_arguments,
    path,
)
from chunkscope.cli.junit import junit_xml
from chunkscope.cli.modelflags import add_model_flags
from chunkscope.cli.models import models_from, models_on_terminal, say_needs
from chunkscope.cli.output import add_row, console, print_json, save_text, say_all, table
from chunkscope.cli.sources import read_corpus, read_questions
from chunkscope.cli.stepsummary import add_summary_flag, check_summary, write_summary
from chunkscope.errors import InputError
from chunkscope.evaluation.case import Case
from chunkscope.evaluation.casereplay import check_cases
from chunkscope.evaluation.gate import (
    Check,
    check_baseline,
    check_max_context,
    check_measured,
    check_min_recall,
)
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.report import evaluation_to_json
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.run import evaluate

_FAILED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_corpus_arguments(parser)
    add_golden_arguments(parser)
    parser.add_argument("--min-recall", type=_share, metavar="X", help="fail below this recall")
    parser.add_argument(
        "--max-context", type=_tokens, metavar="N", help="fail above so many tokens sent a question"
    )
    parser.add_argument(
        "--baseline", type=path, metavar="FILE", help="a run saved by eval --save; fail if worse"
    )
    parser.add_argument(
        "--cases",
        type=path,
        metavar="DIR",
        help="fail where the question of a saved case is no hit: under the configuration given, "
        "or with none under the case's own B, or A where it has no B",
    )
    parser.add_argument("--junit", type=path, metavar="FILE", help="write JUnit XML here")
    add_summary_flag(parser)
    parser.add_argument("--format", choices=("table", "json"), default="table")
    add_configuration_flags(parser)
    add_model_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure once; 1 when a condition does not hold."""
    _check_asked(arguments)
    configuration, notes = build_configuration(arguments)
    say_all(notes)
    baseline = None if arguments.baseline is None else _read_baseline(arguments.baseline)
    cases = _read_cases(arguments)
    corpus = read_corpus(arguments, [] if arguments.cases is None else case_files(arguments.cases))
    index = CorpusIndex(corpus, models_from(arguments))
    checks: list[Check] = []
    evaluation: Evaluation | None = None
    if arguments.golden is not None:
        golden, questions = read_questions(arguments, corpus)
        say_needs(index, [configuration], questions)
        with models_on_terminal(index.models):
            evaluation = evaluate(index, configuration, questions)
        say_all(f"warning: {line}" for line in evaluation.warnings)
        checks.append(check_measured(evaluation))
        if arguments.min_recall is not None:
            checks.append(check_min_recall(evaluation, arguments.min_recall))
        if arguments.max_context is not None:
            checks.append(check_max_context(evaluation, arguments.max_context))
        if baseline is not None:
            report = evaluation_to_json(evaluation, golden)
            checks.append(check_baseline(report, baseline, str(arguments.baseline)))
    if cases:
        used = configuration if _is_configured(arguments) else None
        checks += check_cases(cases, index, used)
    if arguments.junit is not None:
        save_text(arguments.junit, junit_xml(checks))
    write_summary(arguments, lambda: check_summary(checks, evaluation, configuration.label))
    passed = all(check.passed for check in checks)
    if arguments.format == "json":
        print_json(
            {
                "passed": passed,
                "checks": [
                    {"name": check.name, "passed": check.passed, "message": check.message}
                    for check in checks
                ],
                "metrics": {} if evaluation is None else dict(evaluation.metrics),
            }
        )
    else:
        _print_checks(checks)
    return 0 if passed else _FAILED


def _check_asked(arguments: argparse.Namespace) -> None:
    if arguments.golden is None and arguments.cases is None:
        raise InputError("nothing to check: give --golden FILE, --cases DIR or both")
    if arguments.golden is None:
        for name in ("min_recall", "max_context", "baseline"):
            if getattr(arguments, name) is not None:
                flag = f"--{name.replace('_', '-')}"
                raise InputError(f"{flag}: needs a golden set; give --golden FILE")


def _read_cases(arguments: argparse.Namespace) -> dict[str, Case]:
    if arguments.cases is None:
        return {}
    return read_cases(arguments.cases, tuple(named_code(arguments)))


def _is_configured(arguments: argparse.Namespace) -> bool:
    named = (arguments.config, arguments.preset)
    return (
        any(value is not None for value in named)
        or bool(given_settings(arguments))
        or Path(CONFIG_NAME).is_file()
    )


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not between 0 and 1; give a share such as 0.8"
        )
    return share


def _tokens(text: str) -> float:
    try:
        tokens = float(text)
    except ValueError:
        tokens = -1.0
    if not 0 < tokens < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of tokens; give one above 0")
    return tokens


def _print_checks(checks: list[Check]) -> None:
    made = table("", [("check", "left"), ("", "left"), ("numbers", "wrap")])
    for check in checks:
        outcome, style = ("passed", "green") if check.passed else ("FAILED", "bold red")
        add_row(made, [check.name, outcome, check.message], style=style)
    console().print(made)


def _read_baseline(file: Path) -> dict[str, Any]:
    try:
        value = json.loads(file.read_bytes(), parse_constant=_refuse_constant)
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror}); check the path") from None
    except ValueError as error:
        raise InputError(f"{file}: not JSON ({error}); save a run with eval --save") from None
    except RecursionError:
        raise InputError(
            f"{file}: not a saved run: nested too deeply; make one with eval --save"
        ) from None
    if not isinstance(value, dict):
        raise InputError(f"{file}: not a saved run; make one with eval --save")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
