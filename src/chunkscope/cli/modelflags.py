"""Flags for the models behind retrievers; light, as the inspector's start reads them."""

import argparse

from chunkscope.cli.endpointflags import add_endpoint_limits, add_key_variable
from chunkscope.cli.flags import amount, whole_from_zero


def add_model_flags(parser: argparse.ArgumentParser) -> None:
    """Flags for endpoints that retrievers call; no ranking depends on them."""
    group = parser.add_argument_group("endpoint of openai:MODEL (--base-url says where)")
    add_key_variable(group)
    group.add_argument("--price-in", type=amount, metavar="P", help="of a million tokens")
    group.add_argument(
        "--max-cost", type=amount, metavar="C", help="call nothing that would cost more"
    )
    add_endpoint_limits(
        group,
        {
            "--requests-per-minute": whole_from_zero,
            "--concurrency": whole_from_zero,
            "--timeout": amount,
        },
    )
