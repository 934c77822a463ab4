"""The entry point: which command is meant, and how its errors become one line."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from chunkscope import __version__
from chunkscope.cli.streams import prepare_streams, to_stdout
from chunkscope.errors import ChunkscopeError, InputError
from chunkscope.text.display import visible

COMMANDS = {
    "chunks": "the chunks, each with its true source range",
    "eval": "one run: metrics and a line a question",
    "sweep": "a table of sizes and overlaps, and the advised pick",
    "compare": "configuration A against B, question by question",
    "check": "the gate for CI: a lowest recall, or a baseline",
    "health": "what is wrong with the chunks themselves, no questions needed",
    "diagnose": "why each bad question failed, and the nearest setting that mends it",
    "case": "one saved failure, reopened exactly as it was seen",
    "report": "sweep, comparison and running text as one HTML file",
    "export": "a configuration as code or config, proven to cut the same",
    "judge": "answers from each configuration's context, graded by a language model",
    "golden": "the golden set: import, generate, review, validate, stats",
    "cache": "vectors and extracted texts kept on disk: how many, and dropping the oldest",
}
RESERVED = ("serve",)

_MODULES = {"eval": "evaluate"}
_INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    """argparse, with its errors raised as ours: one line, exit code 2."""

    def error(self, message: str) -> "None":  # type: ignore[override]
        raise InputError(f"{message} (see {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the process's exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    prepare_streams()
    try:
        return _run_and_flush(arguments)
    except ChunkscopeError as error:
        _say_error(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        _say_error("stopped")
        return _INTERRUPTED


def _run_and_flush(arguments: list[str]) -> int:
    try:
        return _run(arguments)
    finally:
        # also after --help, which leaves by SystemExit: at exit it is too late for one clear line
        with to_stdout():
            pass


def _run(arguments: list[str]) -> int:
    name = arguments[0] if arguments else ""
    if name in RESERVED:
        raise InputError(
            f"{name}: not part of this version; a folder of that name is opened as ./{name}"
        )
    command = name if name in COMMANDS else "inspect"
    parser = _Parser(
        prog="chunkscope" if command == "inspect" else f"chunkscope {name}",
        description=COMMANDS.get(name, "Open documents, see the cuts, compare A and B."),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    if command == "inspect":
        listing = "\n".join(f"  {known:<9} {text}" for known, text in COMMANDS.items())
        parser.epilog = f"commands (chunkscope COMMAND --help):\n{listing}"
        parser.add_argument("--version", action="version", version=f"chunkscope {__version__}")
    module = importlib.import_module(f"chunkscope.cli.{_MODULES.get(command, command)}")
    module.add_arguments(parser)
    parsed = _parse(parser, arguments[1:] if command != "inspect" else arguments)
    code: int = module.run(parsed)
    return code


def _parse(parser: _Parser, arguments: list[str]) -> argparse.Namespace:
    """As `parse_args`; where a command sets `scattered`, PATHs may stand after flags as well."""
    parsed, others = parser.parse_known_args(arguments)
    scattered = getattr(parsed, "scattered", False)
    unknown = [one for one in others if not scattered or not one or one.startswith("-")]
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown) or 'an empty one'}")
    if others:
        parsed.paths = [*parsed.paths, *map(Path, others)]
    return parsed


def _say_error(message: str) -> None:
    with suppress(OSError):
        print(f"chunkscope: {visible(message)}", file=sys.stderr)
