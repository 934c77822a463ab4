"""Flags of `judge`: prompts, the endpoint that answers and grades, and what that may cost."""

import argparse

from chunkscope.cli.endpointflags import (
    add_endpoint,
    add_endpoint_limits,
    add_key_variable,
    add_prices,
    endpoint_settings,
)
from chunkscope.cli.flags import amount, path, positive
from chunkscope.endpoint.settings import KEY_VARIABLE, EndpointSettings
from chunkscope.errors import InputError
from chunkscope.llm.judging import ANSWER_TOKENS, GRADE_TOKENS
from chunkscope.llm.judging_prompts import ANSWER_PROMPT, GRADE_PROMPT, JudgePrompts, read_prompt
from chunkscope.retrieval.models import Access


def add_prompt_flags(parser: argparse.ArgumentParser) -> None:
    """Add what the models are asked, and where their replies are kept."""
    group = parser.add_argument_group("prompts and replies")
    group.add_argument(
        "--show-prompt", action="store_true", help="print both prompts; nothing else is done"
    )
    group.add_argument(
        "--answer-prompt", type=path, metavar="FILE",
        help="asks for an answer; holds {question} and {context}",
    )  # fmt: skip
    group.add_argument(
        "--grade-prompt", type=path, metavar="FILE",
        help="asks for a grade; holds {question}, {reference} and {answer}",
    )  # fmt: skip
    group.add_argument(
        "--answer-tokens", type=positive, default=ANSWER_TOKENS, metavar="N",
        help=f"longest answer ({ANSWER_TOKENS}); models that think aloud need more",
    )  # fmt: skip
    group.add_argument(
        "--grade-tokens", type=positive, default=GRADE_TOKENS, metavar="N",
        help=f"longest grade with its reason ({GRADE_TOKENS})",
    )  # fmt: skip
    group.add_argument(
        "--cache", type=path, metavar="FILE",
        help="where replies are kept, so that none is paid for twice; in the user's cache folder "
        "if not given",
    )  # fmt: skip
    group.add_argument("--restart", action="store_true", help="ask again what the cache holds")


def add_endpoint_flags(parser: argparse.ArgumentParser) -> None:
    """Add who is asked, and within which limits."""
    group = add_endpoint(parser, required=False)
    group.add_argument("--model", metavar="NAME", help="answers")
    group.add_argument("--judge-model", metavar="NAME", help="grades; --model if not given")
    add_key_variable(group)
    add_prices(group, amount)
    group.add_argument(
        "--judge-price-in", type=amount, metavar="P", help="of --judge-model, if another"
    )
    group.add_argument(
        "--judge-price-out", type=amount, metavar="P", help="of --judge-model, if another"
    )
    group.add_argument(
        "--max-cost", type=amount, metavar="C",
        help="stop before this run costs more; what the cache holds costs nothing",
    )  # fmt: skip
    add_endpoint_limits(
        group, {"--concurrency": positive, "--requests-per-minute": int, "--timeout": amount}
    )
    group.add_argument(
        "--retriever-key-variable", default=KEY_VARIABLE, metavar="NAME",
        help="the same of the endpoint behind --retriever openai:MODEL",
    )  # fmt: skip
    group.add_argument(
        "--retriever-price", type=amount, metavar="P", help="of a million tokens sent there"
    )


def settings_of(arguments: argparse.Namespace) -> tuple[EndpointSettings, EndpointSettings]:
    """The endpoint as it answers, and as it grades."""
    own = (arguments.price_in, arguments.price_out)
    others = (arguments.judge_price_in, arguments.judge_price_out)
    if others != (None, None) and arguments.judge_model is None:
        raise InputError("--judge-price-in, --judge-price-out: need --judge-model NAME")
    if (others[0] is None) != (others[1] is None):
        raise InputError("--judge-price-in, --judge-price-out: give both, or neither")
    if arguments.max_cost is not None and None in (*own, *(own if others[0] is None else others)):
        raise InputError("--max-cost: needs both prices; give --price-in and --price-out")
    judge_prices = own if others == (None, None) else others
    return (
        endpoint_settings(arguments, arguments.model, *own),
        endpoint_settings(arguments, arguments.judge_model or arguments.model, *judge_prices),
    )


def access_of(arguments: argparse.Namespace) -> Access:
    """How an endpoint behind a retriever is called."""
    priced = arguments.retriever_price is not None
    return Access(
        key_variable=arguments.retriever_key_variable,
        price=arguments.retriever_price,
        max_cost=arguments.max_cost if priced else None,
        requests_per_minute=arguments.requests_per_minute,
        concurrency=arguments.concurrency,
        timeout=arguments.timeout,
    )


def prompts_of(arguments: argparse.Namespace) -> JudgePrompts:
    """The prompts of the files given, or our own.

    Raises:
        InputError: naming the file and what it lacks.
    """
    return JudgePrompts(
        ANSWER_PROMPT
        if arguments.answer_prompt is None
        else read_prompt("answer", arguments.answer_prompt, "--answer-prompt"),
        GRADE_PROMPT
        if arguments.grade_prompt is None
        else read_prompt("grade", arguments.grade_prompt, "--grade-prompt"),
    )
