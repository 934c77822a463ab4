"""`chunkscope case`: one saved failure, reopened as it was seen."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from chunkscope.cli.configure import named_code
from chunkscope.cli.flags import add_reading_flags, path
from chunkscope.cli.output import add_row, console, number, print_json, say
from chunkscope.cli.output import table as new_table
from chunkscope.cli.sources import reading_of, report_skipped
from chunkscope.errors import InputError
from chunkscope.evaluation.case import Case, CaseVariant, retrieved_chunks
from chunkscope.evaluation.casefile import case_to_json, read_case, variant_to_json
from chunkscope.evaluation.casereplay import ReplayedCase, replay_case
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.results import Evaluation
from chunkscope.text.document import Corpus
from chunkscope.text.loading.extractions import default_extractions
from chunkscope.text.loading.load import load_corpus
from chunkscope.text.loading.reading import Reading

_LEFT_OUT = "(text left out)"
_AROUND = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.epilog = (
        "On a terminal the inspector opens at the question, with the case's A and B; with "
        "--format, or without a terminal, what was seen is printed, and what has changed since."
    )
    parser.add_argument("file", type=path, metavar="FILE", help="a saved case")
    parser.add_argument(
        "paths",
        nargs="*",
        type=path,
        metavar="PATH",
        help="files and folders; none: those the case names",
    )
    add_reading_flags(parser)
    for kind in ("splitter", "retriever", "embedder"):
        parser.add_argument(
            f"--{kind}", metavar="MODULE:OBJECT", help=f"let the case's own {kind} run this code"
        )
    parser.set_defaults(fuse=None)
    parser.add_argument("--format", choices=("table", "json"), help="print it, on a terminal too")


def run(arguments: argparse.Namespace) -> int:
    """Read the case, ask its question again, show both."""
    flags = tuple(named_code(arguments))
    case = read_case(arguments.file, flags=flags)
    corpus = read_case_documents(case, arguments)
    screen = arguments.format is None and all(
        stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)
    )
    replayed = None if corpus is None else replay_case(case, CorpusIndex(corpus))
    if screen and corpus is not None and replayed is not None:
        return _open(case, corpus, replayed, arguments)
    if arguments.format == "json":
        print_json(_report(case, replayed))
    else:
        _print_case(case)
        _print_changes(replayed)
    return 0


def read_case_documents(case: Case, arguments: argparse.Namespace) -> Corpus | None:
    """The documents of PATH…, or those that the case names; None where these are not there."""
    folder = arguments.file.resolve().parent
    paths = arguments.paths or [folder / name for name in case.paths]
    missing = [file for file in paths if not file.exists()]
    if missing and arguments.paths:
        raise InputError(f"{missing[0]}: no such file or folder; check the path")
    if missing or not paths:
        named = f"{missing[0]}: no such file or folder" if missing else "the case names no folder"
        say(f"documents not read: {named}; give PATH after the case's file")
        return None
    exclude = [arguments.file] + ([folder / case.golden] if case.golden else [])
    corpus = load_corpus(
        paths,
        reading=_reading(case, arguments),
        exclude=exclude,
        extractions=default_extractions(),
    )
    report_skipped(corpus, everything=arguments.list_skipped)
    return corpus


def _reading(case: Case, arguments: argparse.Namespace) -> Reading:
    """As the case says, unless flags say otherwise; passwords are never in it."""
    given = reading_of(arguments)
    usual = replace(given, passwords=()) == Reading()
    return replace(case.reading, passwords=given.passwords) if usual else given


def _open(case: Case, corpus: Corpus, replayed: ReplayedCase, arguments: argparse.Namespace) -> int:
    from chunkscope.tui.app import run_inspector

    folder = arguments.file.resolve().parent
    return run_inspector(
        arguments.paths or [folder / name for name in case.paths],
        golden=None,
        corpus=corpus,
        configuration_a=case.a.configuration,
        configuration_b=None if case.b is None else case.b.configuration,
        asked=replayed.located,
        reading=_reading(case, arguments),
        exclude=[arguments.file],
        case_golden=folder / case.golden if case.golden else None,
        notes=[change.sentence for change in replayed.changes],
    )


def _report(case: Case, replayed: ReplayedCase | None) -> dict[str, Any]:
    report: dict[str, Any] = {"case": case_to_json(case), "now": None, "changes": None}
    if replayed is None:
        return {**report, "as_seen": None}
    now = [_variant_now(run, texts=case.texts) for run in replayed.now]
    return {
        **report,
        "now": {"a": now[0], "b": now[1] if len(now) > 1 else None},
        "changes": [
            {"kind": change.kind, "sentence": change.sentence} for change in replayed.changes
        ],
        "as_seen": replayed.as_seen,
    }


def _variant_now(run: Evaluation, *, texts: bool) -> dict[str, Any]:
    line = run.questions[0]
    return variant_to_json(
        CaseVariant(
            configuration=run.configuration,
            verdict=line.verdict,
            reason=line.reason,
            rank=line.rank,
            recall=line.metrics.get("recall"),
            coverage=line.metrics.get("coverage"),
            retrieved=retrieved_chunks(run.chunks, line, texts=texts),
        )
    )


def _print_case(case: Case) -> None:
    head = new_table(f"case {case.id}", [("", "left"), ("as it was seen", "wrap")])
    add_row(head, ["question", case.question])
    if case.answer:
        add_row(head, ["answer", case.answer])
    for at, item in enumerate(case.evidence, start=1):
        if not item.places:
            add_row(head, [f"evidence {at}", f"not found: {item.text or _LEFT_OUT}"])
        for place in item.places:
            shown = _LEFT_OUT
            if place.text is not None:
                before, after = (place.before or "")[-_AROUND:], (place.after or "")[:_AROUND]
                shown = f"{before}⟦{place.text}⟧{after}"
            add_row(head, [f"evidence {at}", f"{place.doc} {place.start}–{place.end}: {shown}"])
    for letter, variant in case.variants:
        add_row(head, [letter, variant.configuration.label])
        rank = "" if variant.rank is None else f", rank {variant.rank}"
        why = f": {variant.reason}" if variant.reason else ""
        add_row(head, ["", f"{variant.verdict}{rank}{why}"])
        numbers = f"recall {number(variant.recall)}, coverage {number(variant.coverage)}"
        add_row(head, ["", numbers])
    console().print(head)
    for letter, variant in case.variants:
        _print_retrieved(letter, variant)


def _print_retrieved(letter: str, variant: CaseVariant) -> None:
    made = new_table(
        f"{letter}: what came back; ● is sent",
        [("rank", "right"), ("", "left"), ("document", "left"), ("range", "left"),
         ("score", "right"), ("text", "fill")],
    )  # fmt: skip
    for rank, chunk in enumerate(variant.retrieved, start=1):
        cells = [str(rank), "●" if chunk.sent else "", chunk.doc, f"{chunk.start}–{chunk.end}"]
        text = _LEFT_OUT if chunk.text is None else chunk.text
        add_row(made, [*cells, number(chunk.score), text])
    if made.row_count:
        console().print(made)
    else:
        console().print(f"{letter}: nothing came back")


def _print_changes(replayed: ReplayedCase | None) -> None:
    if replayed is None:
        console().print("not tried again: the documents were not read")
        return
    changes = replayed.changes
    if replayed.as_seen:
        console().print("tried again: exactly as it was seen")
    else:
        console().print("tried again: not as it was seen")
    made = new_table("", [("changed", "left"), ("", "wrap")])
    for change in changes:
        add_row(made, [change.kind, change.sentence])
    if made.row_count:
        console().print(made)


def read_cases(folder: Path, flags: tuple[str, ...]) -> dict[str, Case]:
    """Every case of a folder by its file's name, in order of the names.

    Raises:
        InputError: when the folder cannot be read or holds no case, or a case is none.
    """
    files = case_files(folder)
    if not files:
        raise InputError(
            f"--cases {folder}: no case in it (*.json); save one with diagnose --save-cases"
        )
    return {
        file.name.removesuffix(".json").removesuffix(".case"): read_case(file, flags=flags)
        for file in files
    }


def case_files(folder: Path) -> list[Path]:
    """The files of a folder that must be cases, in order of their names.

    Raises:
        InputError: when the folder cannot be read.
    """
    try:
        return sorted(file for file in folder.iterdir() if file.name.endswith(".json"))
    except OSError as error:
        raise InputError(
            f"--cases {folder}: cannot be read ({error.strerror}); give a folder of cases"
        ) from None
