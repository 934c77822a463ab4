"""Flags of every command that calls an endpoint; light, as the inspector's start reads them."""

import argparse
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from chunkscope.endpoint.settings import KEY_VARIABLE, EndpointSettings

Number = Callable[[str], float]
"""Reads the number of a flag."""


class Flags(Protocol):
    """A parser, or a group of one."""

    def add_argument(self, *names: str, **options: Any) -> argparse.Action:
        """Add a flag."""
        ...


_LIMITS: Mapping[str, tuple[float, str]] = {
    "--concurrency": (4, "N"),
    "--requests-per-minute": (0, "N"),
    "--timeout": (60.0, "SECONDS"),
}
"""What each limit is if not given, and what stands for it in help."""


def add_endpoint(parser: argparse.ArgumentParser, *, required: bool) -> Flags:
    """Add a group with the endpoint's address; the group, for its other flags."""
    group = parser.add_argument_group("endpoint (any that speaks the OpenAI protocol)")
    group.add_argument(
        "--endpoint", required=required, metavar="URL", help="such as http://localhost:11434/v1"
    )
    return group


def add_key_variable(group: Flags) -> None:
    """Add where the key stands."""
    group.add_argument(
        "--key-variable", default=KEY_VARIABLE, metavar="NAME",
        help=f"environment variable that holds the key ({KEY_VARIABLE})",
    )  # fmt: skip


def add_prices(group: Flags, number: Number) -> None:
    """Add what is paid for tokens either way."""
    group.add_argument("--price-in", type=number, metavar="P", help="of a million tokens sent")
    group.add_argument("--price-out", type=number, metavar="P", help="of a million tokens received")


def add_endpoint_limits(group: Flags, numbers: Mapping[str, Number]) -> None:
    """Add `--concurrency`, `--requests-per-minute` and `--timeout`, each with its number.

    Args:
        group: gets them.
        numbers: by flag, in the order that help lists them in.
    """
    for flag, number in numbers.items():
        default, metavar = _LIMITS[flag]
        group.add_argument(flag, type=number, default=default, metavar=metavar)


def endpoint_settings(
    arguments: argparse.Namespace,
    model: str,
    price_in: float | None,
    price_out: float | None,
) -> EndpointSettings:
    """The endpoint of the flags with a model and its prices.

    Raises:
        InputError: for a limit or a price that cannot be.
    """
    return EndpointSettings(
        arguments.endpoint,
        model,
        key_variable=arguments.key_variable,
        timeout=arguments.timeout,
        requests_per_minute=arguments.requests_per_minute,
        concurrency=arguments.concurrency,
        price_in=price_in,
        price_out=price_out,
    )
