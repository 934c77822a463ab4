"""Flags for the models behind retrievers; light, as the inspector's start reads them."""

import argparse

from chunkscope.endpoint.settings import KEY_VARIABLE


def add_model_flags(parser: argparse.ArgumentParser) -> None:
    """Flags for endpoints that retrievers call; no ranking depends on them."""
    group = parser.add_argument_group("endpoint of openai:MODEL (--base-url says where)")
    group.add_argument(
        "--key-variable", default=KEY_VARIABLE, metavar="NAME",
        help=f"environment variable that holds the key ({KEY_VARIABLE})",
    )  # fmt: skip
    group.add_argument("--price-in", type=_not_negative, metavar="P", help="of a million tokens")
    group.add_argument(
        "--max-cost", type=_not_negative, metavar="C", help="call nothing that would cost more"
    )
    group.add_argument("--requests-per-minute", type=_whole, default=0, metavar="N")
    group.add_argument("--concurrency", type=_whole, default=4, metavar="N")
    group.add_argument("--timeout", type=_not_negative, default=60.0, metavar="SECONDS")


def _whole(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 up")
    return value


def _not_negative(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 up")
    return value
