"""`chunkscope [PATH…]`: the inspector."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import chunkscope.cli.onethread  # noqa: F401
from chunkscope.cli.flags import (
    add_configuration_flags,
    add_golden_arguments,
    add_reading_flags,
    path,
)
from chunkscope.cli.modelflags import add_model_flags
from chunkscope.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The inspector's arguments."""
    parser.add_argument(
        "paths", nargs="*", type=path, metavar="PATH", help="files and folders; none: the samples"
    )
    add_golden_arguments(parser, ask=True)
    parser.add_argument(
        "--log",
        type=path,
        metavar="FILE",
        help="what a real system retrieved, drawn in the text beside A and B; JSON Lines: "
        "question, retrieved and, where known, expected",
    )
    parser.add_argument(
        "--b", type=path, metavar="FILE", help="TOML file of variant B; else A at double size"
    )
    parser.add_argument("--theme", metavar="NAME", help="a theme of the inspector")
    parser.add_argument("--ascii", action="store_true", help="marks of plain ASCII in the text")
    add_reading_flags(parser)
    add_configuration_flags(parser)
    add_model_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Open the inspector; refused without a terminal."""
    _check_asking(arguments)
    paths, golden = _documents(arguments)
    _check_paths([*paths, *(file for file in (golden, arguments.log) if file is not None)])
    # the screen is drawn on stderr, so that it too must be the terminal
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise InputError(
            "the inspector needs a terminal; without one use: "
            "chunkscope chunks PATH, or chunkscope eval PATH --golden FILE"
        )
    from chunkscope.cli.configure import build_configuration
    from chunkscope.cli.models import access_of
    from chunkscope.cli.sources import encodings, read_evidence, reading_of
    from chunkscope.evaluation.configfile import read_configuration
    from chunkscope.evaluation.logfile import read_log
    from chunkscope.tui.app import run_inspector

    if arguments.log is not None:
        read_log(arguments.log)  # a bad line is told before the screen opens
    a, notes = build_configuration(arguments)
    b = read_configuration(arguments.b) if arguments.b is not None else None
    if b is None:
        b = replace(a, splitter=replace(a.splitter, size=a.splitter.size * 2))
    reading = reading_of(arguments)
    return run_inspector(
        paths,
        golden=golden,
        configuration_a=a,
        configuration_b=b,
        question=arguments.question,
        evidence=read_evidence(arguments.evidence),
        encoding_of=encodings(arguments.encoding_of),
        reading=reading,
        log=arguments.log,
        notes=notes,
        ascii_marks=arguments.ascii,
        theme=arguments.theme,
        access=access_of(arguments),
    )


def _check_asking(arguments: argparse.Namespace) -> None:
    if arguments.evidence and arguments.question is None:
        raise InputError("--evidence: needs the question it belongs to; give -q TEXT")
    if arguments.question is not None and arguments.golden is not None:
        raise InputError("--golden and -q: give one of them")
    if arguments.question is not None and not arguments.evidence:
        raise InputError("-q: give what should have come back, too: --evidence TEXT or @FILE")


def _check_paths(files: list[Path]) -> None:
    for file in files:
        if not file.exists():
            raise InputError(
                f"{file}: no such file, folder or command; check the path, or see chunkscope --help"
            )


def _documents(arguments: argparse.Namespace) -> tuple[list[Path], Path | None]:
    """The paths to open and the golden set; the samples bring their own."""
    if arguments.paths:
        return arguments.paths, arguments.golden
    from chunkscope.cli.samples import sample_folder

    folder = sample_folder()
    golden = arguments.golden
    if golden is None and arguments.question is None:
        golden = folder / "golden.jsonl"
    return [folder], golden
