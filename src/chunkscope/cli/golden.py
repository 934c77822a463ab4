"""`chunkscope golden …`: the golden set's life, one file an action."""

import argparse
from types import ModuleType

from chunkscope.cli import (
    golden_generate,
    golden_import,
    golden_review,
    golden_stats,
    golden_validate,
)

_ACTIONS: dict[str, tuple[ModuleType, str]] = {
    "import": (golden_import, "another tool's questions as a golden set with offsets"),
    "validate": (golden_validate, "what is wrong with the set, line by line"),
    "generate": (golden_generate, "questions written by a language model, each one checked"),
    "review": (golden_review, "generated questions accepted, mended or rejected, one by one"),
    "stats": (golden_stats, "what the set consists of, and the differences it can detect"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, (module, text) in _ACTIONS.items():
        module.add_arguments(actions.add_parser(name, help=text, description=text))


def run(arguments: argparse.Namespace) -> int:
    """Run the action; its exit code."""
    module, _text = _ACTIONS[arguments.action]
    code: int = module.run(arguments)
    return code
