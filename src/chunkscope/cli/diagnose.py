"""`chunkscope diagnose`: why each bad question failed, and what would mend it."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.cli.configure import build_configuration
from chunkscope.cli.diagnoselog import run_log
from chunkscope.cli.fitted import Column
from chunkscope.cli.flags import (
    add_configuration_flags,
    add_corpus_arguments,
    add_golden_arguments,
    path,
)
from chunkscope.cli.interrupt import cancelled_by_ctrl_c
from chunkscope.cli.modelflags import add_model_flags
from chunkscope.cli.models import models_from, models_on_terminal, say_needs
from chunkscope.cli.output import (
    add_row,
    console,
    number,
    print_json,
    save_json,
    say,
    say_all,
)
from chunkscope.cli.output import table as new_table
from chunkscope.cli.progress import progress
from chunkscope.cli.sources import read_corpus, read_questions, reading_of
from chunkscope.errors import InputError
from chunkscope.evaluation.case import case_file_name, make_case, relative_paths
from chunkscope.evaluation.casefile import write_case
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.diagnosis import Diagnosis, diagnose
from chunkscope.evaluation.diagnosis_proofs import MENDABLE
from chunkscope.evaluation.diagnosis_report import diagnosis_to_json
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.mending import Mend, Mending, mend_all
from chunkscope.evaluation.places import first_place, have_places, item_place
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.registry import is_billed

_MENDS_SHOWN = 3
_INTERRUPTED = 130
_PLACE: tuple[str, Column] = ("place", "left")

_PRECEDENCE = """\
Each question that is not a hit gets one signature; the first of these whose proof holds:
  unmeasured  the evidence was not found in the corpus
  split       no chunk holds the evidence whole
  crowded     with repeats of one passage counted once, its chunk would be taken
  orphaned    words that its chunk lacks stand in its heading or a chunk beside it, weigh at least
              as much as its own, and with them it would be taken (an estimate)
  vocabulary  its chunk has no query word that at most half of all chunks have
  diluted     at three quarters, half or a quarter of the size it is taken
  outranked   none of these: other chunks score higher
Of several evidence items the first signature in this order is the question's. Chunking can mend
split, crowded, orphaned and diluted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.epilog = _PRECEDENCE
    add_corpus_arguments(parser)
    add_golden_arguments(parser, ask=True)
    parser.add_argument(
        "--log",
        type=path,
        metavar="FILE",
        help="what a real system retrieved and answered: JSON Lines, question, retrieved and, "
        "where known, answer, expected, ok",
    )
    parser.add_argument(
        "--no-mends", action="store_true", help="do not look for settings that would mend it"
    )
    parser.add_argument(
        "--save-cases",
        type=path,
        metavar="DIR",
        help="write each bad question as a case, with the cheapest mend as B",
    )
    parser.add_argument(
        "--without-text",
        action="store_true",
        help="cases without texts of documents: ranges and SHA-256 sums only",
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="write it as JSON, too")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    add_configuration_flags(parser)
    add_model_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure once, examine what failed, try the settings near by; always a result."""
    if arguments.log is not None:
        return run_log(arguments)
    configuration, notes = build_configuration(arguments)
    say_all(notes)
    corpus = read_corpus(arguments)
    golden, questions = read_questions(arguments, corpus)
    index = CorpusIndex(corpus, models_from(arguments))
    say_needs(index, [configuration], questions)
    with models_on_terminal(index.models):
        evaluation = evaluate(index, configuration, questions)
    say_all(f"warning: {line}" for line in evaluation.warnings)
    diagnosis = diagnose(index, evaluation)
    mending = None
    stopped = False
    wanted = not arguments.no_mends
    if wanted and is_billed(configuration.retriever):
        say("settings near by are not tried: an endpoint would have to be sent each of them")
        wanted = False
    if wanted and len(diagnosis.questions) > diagnosis.totals["unmeasured"]:
        token = CancelToken()
        with cancelled_by_ctrl_c(token), progress("trying settings near by") as advance:
            try:
                mending = mend_all(index, configuration, questions, token, advance)
            except CancelledError:
                stopped = True
                say("stopped: the diagnosis stands, what would mend it was not finished")
    report = diagnosis_to_json(diagnosis, golden, mending)
    if arguments.save is not None:
        save_json(arguments.save, report)
        say(f"written: {arguments.save}")
    if arguments.save_cases is not None:
        _save_cases(index, diagnosis, mending, questions, arguments)
    if arguments.format == "json":
        print_json(report)
    else:
        _print_diagnosis(diagnosis)
        if mending is not None:
            _print_mending(mending)
    return _INTERRUPTED if stopped else 0


def _save_cases(
    index: CorpusIndex,
    diagnosis: Diagnosis,
    mending: Mending | None,
    questions: Sequence[LocatedQuestion],
    arguments: argparse.Namespace,
) -> None:
    """A case for each bad question; B is the cheapest setting that mends it, where one does."""
    folder: Path = arguments.save_cases
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"--save-cases {folder}: cannot be made ({error.strerror}); name another folder"
        ) from None
    by_id = {located.question.id: located for located in questions}
    mends = {} if mending is None else mending.mends
    wanted: dict[Configuration, list[LocatedQuestion]] = {}
    for question in diagnosis.questions:
        name = question.result.located.question.id
        for mend in mends.get(name, ())[:1]:
            wanted.setdefault(mend.configuration, []).append(by_id[name])
    runs = {settings: evaluate(index, settings, some) for settings, some in wanted.items()}
    paths = relative_paths(arguments.paths, folder)
    golden = relative_paths([arguments.golden], folder)[0] if arguments.golden else None
    reading = reading_of(arguments)
    for question in diagnosis.questions:
        name = question.result.located.question.id
        best = next(iter(mends.get(name, ())), None)
        case = make_case(
            name,
            diagnosis.evaluation,
            None if best is None else runs[best.configuration],
            texts=not arguments.without_text,
            paths=paths,
            golden=golden,
            reading=reading,
        )
        write_case(case, folder / case_file_name(name))
    count = len(diagnosis.questions)
    say(f"written: {count} case{'s' * (count != 1)} in {folder}")


def _print_diagnosis(diagnosis: Diagnosis) -> None:
    counts, corpus = diagnosis.evaluation.counts, diagnosis.evaluation.chunks.corpus
    places = have_places([question.result.located for question in diagnosis.questions], corpus)
    made = new_table(
        diagnosis.evaluation.configuration.label,
        [("question", "left"), ("verdict", "left"), ("signature", "left"),
         *([_PLACE] if places else []), ("why", "wrap")],
    )  # fmt: skip
    for question in diagnosis.questions:
        result = question.result
        cells = [result.located.question.id, result.verdict, question.signature]
        if places:
            place = item_place(result, question.decisive.item, corpus)
            cells.append("" if place is None else first_place([place], corpus))
        add_row(made, [*cells, question.sentence])
    if made.row_count:
        console().print(made)
    totals = new_table(
        "", [("signature", "left"), ("questions", "right"), ("mended by other chunks", "left")]
    )
    for signature, total in diagnosis.totals.items():
        if total:
            add_row(totals, [signature, str(total), "yes" if signature in MENDABLE else "no"])
    if totals.row_count:
        console().print(totals)
    console().print(
        f"{len(diagnosis.questions)} of {counts.questions} questions are bad "
        f"({counts.measured} measured, {counts.unmeasured} unmeasured, "
        f"{counts.unanswerable} unanswerable)"
    )
    share = diagnosis.mendable_share
    if share is not None:
        failures = len(diagnosis.questions) - diagnosis.totals["unmeasured"]
        console().print(
            f"chunking can mend {diagnosis.mendable} of the {failures} measured failures "
            f"({share:.0%}); the others are the retriever's"
        )


def _print_mending(mending: Mending) -> None:
    made = new_table(
        "what would mend it: settings near by, cheapest first",
        [("question", "left"), *_mend_columns("others won")],
    )
    for question, mends in mending.mends.items():
        if not mends:
            add_row(made, [question, "nothing near by", "", "", "", ""])
        for place, mend in enumerate(mends[:_MENDS_SHOWN]):
            add_row(made, ["" if place else question, *_mend_cells(mend)])
    if made.row_count:
        console().print(made)
    best = new_table(
        "for the whole set: none of these is beaten by one that sends no more",
        _mend_columns("won"),
    )
    for mend in mending.best:
        add_row(best, _mend_cells(mend))
    if best.row_count:
        console().print(best)
    console().print(
        f"{mending.mended} of {len(mending.mends)} are hit by one of {mending.tried} settings "
        f"tried, {mending.mended_by_chunks} of them by other chunks"
    )
    for untried in mending.untried:
        say(f"not tried: {untried.setting}: {untried.reason}")


def _mend_columns(won: str) -> list[tuple[str, Column]]:
    return [
        ("change", "wrap"),
        ("tokens sent", "right"),
        ("more", "right"),
        (won, "right"),
        ("lost", "right"),
    ]


def _mend_cells(mend: Mend) -> list[str]:
    return [
        mend.change,
        number(mend.context_after, 0),
        f"{mend.context_after - mend.context_before:+.0f}",
        str(len(mend.won)),
        str(len(mend.lost)),
    ]
