"""A summary in Markdown, as GitHub shows it on the page of a run."""

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from chunkscope.cli.flags import path
from chunkscope.cli.output import number, save_text, say
from chunkscope.errors import InputError
from chunkscope.evaluation.compare import Comparison
from chunkscope.evaluation.gate import Check
from chunkscope.evaluation.results import Evaluation
from chunkscope.evaluation.statistics import Difference
from chunkscope.text.display import visible

VARIABLE = "GITHUB_STEP_SUMMARY"

_SHOWN = 20
_METRICS = ("recall", "coverage", "term_coverage", "hit_rate", "mrr", "split_rate",
            "context_tokens")  # fmt: skip


def add_summary_flag(parser: argparse.ArgumentParser) -> None:
    """Add `--summary` and `--step-summary`."""
    parser.add_argument("--summary", type=path, metavar="FILE", help="write a Markdown summary")
    parser.add_argument(
        "--step-summary",
        action="store_true",
        help=f"append it to the file that {VARIABLE} names, as GitHub Actions sets it",
    )


def write_summary(arguments: argparse.Namespace, make: Callable[[], str]) -> None:
    """Write the summary where it was asked for.

    Raises:
        InputError: when it cannot be written, or the variable is not set.
    """
    if arguments.summary is None and not arguments.step_summary:
        return
    text = make()
    if arguments.summary is not None:
        save_text(arguments.summary, text)
        say(f"written: {arguments.summary}")
    if arguments.step_summary:
        _append(os.environ.get(VARIABLE, ""), text)


def check_summary(checks: Sequence[Check], evaluation: Evaluation | None, label: str) -> str:
    """The gate's conditions, and the numbers behind them."""
    failed = sum(not check.passed for check in checks)
    outcome = "passed" if not failed else f"{failed} of {len(checks)} failed"
    lines = [f"## chunkscope check: {outcome}", ""]
    lines += ["| | check | numbers |", "|---|---|---|"]
    lines += [
        f"| {'✅' if check.passed else '❌'} | {literal(check.name)} | {literal(check.message)} |"
        for check in checks
    ]
    if evaluation is not None:
        lines += ["", f"{literal(label)}", "", "| metric | mean |", "|---|--:|"]
        lines += [f"| {name} | {number(evaluation.metrics.get(name))} |" for name in _METRICS]
    return "\n".join(lines) + "\n"


def compare_summary(comparison: Comparison, sentences: Sequence[str]) -> str:
    """What was won and lost, and the differences with their intervals."""
    a, b = comparison.a, comparison.b
    lines = [
        f"## chunkscope compare: {comparison.count('won')} won, {comparison.count('lost')} lost",
        "",
        f"- A: {literal(a.configuration.label)}",
        f"- B: {literal(b.configuration.label)}",
        "",
        "| metric | A | B | B − A | 95 % interval | |",
        "|---|--:|--:|--:|---|---|",
    ]
    for name in _METRICS:
        found = comparison.differences.get(name)
        if found is not None:
            means = f"{number(a.metrics.get(name))} | {number(b.metrics.get(name))}"
            lines.append(f"| {name} | {means} | {found.mean:+.3f} | {_interval(found)} |")
    changed = [one for one in comparison.questions if one.change in ("won", "lost")]
    if changed:
        lines += ["", "| question | | A | B |", "|---|---|---|---|"]
        lines += [
            f"| {literal(one.a.located.question.id)} | {one.change} | {one.a.verdict} | "
            f"{one.b.verdict} |"
            for one in changed[:_SHOWN]
        ]
    if len(changed) > _SHOWN:
        lines += ["", f"{len(changed) - _SHOWN} more"]
    lines += ["", *(f"- {literal(sentence.strip())}" for sentence in sentences)]
    return "\n".join(lines) + "\n"


def literal(text: str) -> str:
    """Outside text that neither Markdown nor HTML reads anything into."""
    return "".join(
        letter if letter.isalnum() or letter == " " or not letter.isascii() else f"&#{ord(letter)};"
        for letter in visible(text)
    )


def _interval(found: Difference) -> str:
    if found.low == float("-inf"):
        return "– | too few questions for one"
    return f"{found.low:+.3f} … {found.high:+.3f} | {'noise' if found.noise else ''}"


def _append(name: str, text: str) -> None:
    if not name:
        raise InputError(
            f"--step-summary: {VARIABLE} is not set; GitHub Actions sets it, or give --summary FILE"
        )
    try:
        # Other steps write to that file too: it is added to, never replaced.
        with Path(name).open("a", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise InputError(
            f"{VARIABLE}={name}: cannot be written ({error.strerror}); check the path"
        ) from None
