"""`chunkscope diagnose --log`: a log of a real system."""

import argparse
from pathlib import Path
from typing import Any

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.cli.configure import build_configuration, given_settings
from chunkscope.cli.flags import CONFIG_NAME
from chunkscope.cli.interrupt import cancelled_by_ctrl_c
from chunkscope.cli.output import add_row, console, print_json, save_json, say, say_all
from chunkscope.cli.output import table as new_table
from chunkscope.cli.progress import progress
from chunkscope.cli.sources import read_corpus, read_questions
from chunkscope.errors import InputError
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.logdiagnosis import LogDiagnosis, diagnose_log, log_to_json
from chunkscope.evaluation.logfile import read_log
from chunkscope.evaluation.logoutcomes import FAILURES, failure_totals
from chunkscope.evaluation.logplaces import place_log
from chunkscope.evaluation.mending import Mending, mend_all
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.settings import RetrieverSettings

_INTERRUPTED = 130


def run_log(arguments: argparse.Namespace) -> int:
    """Read, place, judge and report a log; the process's exit code."""
    if arguments.question is not None or arguments.save_cases is not None:
        flag = "-q" if arguments.question is not None else "--save-cases"
        raise InputError(f"{flag}: not with --log; a log brings its own questions")
    entries = read_log(arguments.log)
    configuration, notes = build_configuration(arguments)
    say_all(notes)
    corpus = read_corpus(arguments, [arguments.log])
    golden: tuple[LocatedQuestion, ...] = ()
    if arguments.golden is not None:
        _set, golden = read_questions(arguments, corpus)
    index = CorpusIndex(corpus)
    given = given_settings(arguments)
    configured = arguments.config is not None or Path(CONFIG_NAME).is_file()
    infer = not configured and arguments.preset is None and not given & _SPLITTER
    token = CancelToken()
    with cancelled_by_ctrl_c(token):
        try:
            with progress("placing what came back") as advance:
                placed = place_log(entries, corpus, golden=golden, cancel=token, progress=advance)
            with progress("trying usual chunkings") as advance:
                found = diagnose_log(
                    index,
                    placed,
                    configuration,
                    infer=infer,
                    stand_ins=() if configured or given & _RETRIEVER else _STAND_INS,
                    keep_depth="k" in given or "budget" in given,
                    cancel=token,
                    progress=advance,
                )
        except CancelledError:
            say("stopped: nothing is known yet")
            return _INTERRUPTED
        mending = None
        failed = found.diagnosis.questions
        if not arguments.no_mends and any(one.signature != "unmeasured" for one in failed):
            with progress("trying settings near by") as advance:
                try:
                    mending = mend_all(index, found.configuration, found.questions, token, advance)
                except CancelledError:
                    say("stopped: the diagnosis stands, what would mend it was not finished")
    report = log_to_json(found)
    _add_mends(report, found, mending)
    if arguments.save is not None:
        save_json(arguments.save, report)
        say(f"written: {arguments.save}")
    if arguments.format == "json":
        print_json(report)
    else:
        _print(found, mending)
    return _INTERRUPTED if token.cancelled else 0


_SPLITTER = frozenset({"splitter", "size", "overlap", "unit", "encoding", "separators",
                       "keep_separator", "regex", "strip", "dedupe"})  # fmt: skip


_RETRIEVER = frozenset({"retriever", "words", "query_terms", "ties", "budget"})
_STAND_INS = (
    RetrieverSettings(kind="rank-bm25", words="whitespace"),
    RetrieverSettings(kind="tfidf"),
)
"""Tried beside bm25, as many real systems rank by words in one of these ways."""


def _mends(found: LogDiagnosis, mending: Mending | None) -> dict[str, list[Any]]:
    """Mends of the questions that failed in retrieval, by id."""
    if mending is None:
        return {}
    failed = [question.result.located.question.id for question in found.diagnosis.questions]
    return {name: list(mending.mends.get(name, ())) for name in failed if name in mending.mends}


def _add_mends(report: dict[str, Any], found: LogDiagnosis, mending: Mending | None) -> None:
    from chunkscope.evaluation.diagnosis_report import mend_to_json

    mends = _mends(found, mending)
    for entry in report["questions"]:
        entry["stand_in"]["mends"] = [mend_to_json(mend) for mend in mends.get(entry["id"], [])]


def _print(found: LogDiagnosis, mending: Mending | None) -> None:
    made = new_table(
        "by what really came back",
        [("question", "left"), ("verdict", "left"), ("failed in", "left"), ("why", "wrap"),
         ("asked", "fill")],
    )  # fmt: skip
    for outcome in found.outcomes:
        if outcome.failure != "none":
            entry = outcome.placed.entry
            cells = [entry.id, outcome.verdict, outcome.failure, outcome.sentence, entry.question]
            add_row(made, cells)
    if made.row_count:
        console().print(made)
    totals = new_table("", [("failed in", "left"), ("questions", "right"), ("meaning", "wrap")])
    for name, count in failure_totals(found.outcomes).items():
        add_row(totals, [name, str(count), FAILURES[name]])
    console().print(totals)
    _print_stand_in(found, mending)
    chunks = [chunk for outcome in found.outcomes for chunk in outcome.placed.chunks]
    lines = [
        f"{len(chunks)} chunks came back: {sum(chunk.certain for chunk in chunks)} have one "
        f"place, {sum(len(chunk.places) > 1 for chunk in chunks)} repeat in the documents, "
        f"{sum(not chunk.places for chunk in chunks)} stand in none",
        found.inference.sentence,
        *(f"{'✓' if entry.holds else '✗'} {entry.sentence}" for entry in found.carried),
    ]
    for line in lines:
        say_line(line)


def say_line(line: str) -> None:
    """One line of the report, outside text in it visible."""
    made = new_table("", [("", "wrap")])
    made.show_header = False
    made.box = None
    add_row(made, [line])
    console().print(made)


def _print_stand_in(found: LogDiagnosis, mending: Mending | None) -> None:
    made = new_table(
        f"failures of retrieval under the stand-in: {found.configuration.retriever.kind} over "
        f"{found.configuration.label}",
        [("question", "left"), ("signature", "left"), ("holds", "left"), ("why", "wrap"),
         ("mended by", "wrap")],
    )  # fmt: skip
    mends = _mends(found, mending)
    for question in found.diagnosis.questions:
        name = question.result.located.question.id
        best = next((mend.change for mend in mends.get(name, [])), "")
        holds = "yes" if found.carries(question.signature) else "?"
        add_row(made, [name, question.signature, holds, question.sentence, best])
    if made.row_count:
        console().print(made)
    failed = failure_totals(found.outcomes)["retrieval"]
    others = failed - len(found.diagnosis.questions)
    if others:
        say_line(f"{others} of {failed} failures of retrieval are hits under the stand-in")
