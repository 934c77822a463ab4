"""How the models behind retrievers are called from the command line, and what that costs."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from chunkscope.cli.output import say
from chunkscope.cli.progress import progress
from chunkscope.endpoint.cost import described
from chunkscope.endpoint.settings import EndpointSettings
from chunkscope.errors import InputError
from chunkscope.evaluation.configuration import Configuration
from chunkscope.evaluation.embeddingplan import EndpointNeed, endpoint_needs
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.golden.model import LocatedQuestion
from chunkscope.retrieval.models import Access, Models


def models_from(arguments: argparse.Namespace) -> Models:
    """What the flags say of calling models.

    Raises:
        InputError: for a cap without a price.
    """
    return Models(access_of(arguments))


def access_of(arguments: argparse.Namespace) -> Access:
    """How models are called, by the flags.

    Raises:
        InputError: for a cap without a price.
    """
    if arguments.max_cost is not None and arguments.price_in is None:
        raise InputError(
            "--max-cost: needs the price of a million tokens to reckon with; give --price-in"
        )
    return Access(
        key_variable=arguments.key_variable,
        price=arguments.price_in,
        max_cost=arguments.max_cost,
        requests_per_minute=arguments.requests_per_minute,
        concurrency=arguments.concurrency,
        timeout=arguments.timeout,
    )


@contextmanager
def models_on_terminal(models: Models) -> Iterator[None]:
    """A bar on standard error, where that is a terminal, while models embed."""
    with progress("embedding") as advance:
        models.progress = lambda _model, done, total: advance(done, total)
        try:
            yield
        finally:
            models.progress = None
    say_spent(models)


def say_needs(
    index: CorpusIndex,
    configurations: Sequence[Configuration],
    questions: Sequence[LocatedQuestion],
) -> None:
    """Say what endpoints will be sent.

    Raises:
        InputError: when that would cost more than is allowed; nothing is sent.
    """
    needs = endpoint_needs(index, configurations, questions)
    for need in needs:
        say(_sentence(need))
    most = index.models.access.max_cost
    total = sum(need.price for need in needs if need.price is not None)
    if most is not None and total > most:
        raise InputError(
            f"--max-cost: what would be sent costs about {total:.4f}, more than {most:g}; nothing "
            "was sent: raise it, or try fewer configurations or a --sample"
        )


def say_spent(models: Models) -> None:
    """Say what endpoints were really sent, if anything."""
    usage = models.usage
    if usage.requests:
        settings = EndpointSettings("http://localhost", "any", price_in=models.access.price)
        say(f"sent: {described(usage, settings)}")


def _sentence(need: EndpointNeed) -> str:
    money = "" if need.price is None else f", cost about {need.price:.4f}"
    noun = "text" if need.texts == 1 else "texts"
    if need.reranks:
        return (
            f"{need.kind} at {need.base_url}: at most {need.texts} {noun} to rank anew, about "
            f"{need.tokens} tokens{money}"
        )
    return (
        f"{need.kind} at {need.base_url}: {need.texts} {noun} to embed, about {need.tokens} "
        f"tokens{money}; {need.known} are kept from before"
    )
