"""`chunkscope golden generate`: a golden set written by a language model, checked and filtered."""

import argparse
import shlex
from dataclasses import asdict
from pathlib import Path

from chunkscope.cli.endpointflags import (
    add_endpoint,
    add_endpoint_limits,
    add_key_variable,
    add_prices,
    endpoint_settings,
)
from chunkscope.cli.flags import add_corpus_arguments, path, seed
from chunkscope.cli.output import add_row, console, print_json, say, table
from chunkscope.cli.progress import progress
from chunkscope.cli.sources import read_corpus
from chunkscope.endpoint.client import Client
from chunkscope.endpoint.cost import Usage, cost
from chunkscope.endpoint.settings import EndpointSettings
from chunkscope.errors import ChunkscopeError, InputError
from chunkscope.golden.wording import counted
from chunkscope.golden.writing import write_golden
from chunkscope.llm.checkpoint import Checkpoint
from chunkscope.llm.filtering import LEAST_SCORE
from chunkscope.llm.generating import OVER_COST, Generator, checkpoint_path
from chunkscope.llm.plan import ALTERNATIVES, Alternatives, Generated, Plan
from chunkscope.llm.resuming import joined
from chunkscope.text.tokens import get_token_counter


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_corpus_arguments(parser)
    parser.add_argument(
        "--out", required=True, type=path, metavar="FILE", help="golden set to write"
    )
    parser.add_argument("--force", action="store_true", help="replace --out if it exists")
    parser.add_argument("--count", type=int, default=50, metavar="N", help="questions wanted")
    parser.add_argument("--seed", type=seed, default=0, metavar="S")
    parser.add_argument(
        "--least-score", type=int, default=LEAST_SCORE, metavar="N",
        help="keep what is graded so high or higher on all three scales of 1 to 5",
    )  # fmt: skip
    parser.add_argument(
        "--alternatives", type=int, default=ALTERNATIVES, metavar="N",
        help="other passages, at most, that are asked about for each kept question, whether they "
        f"answer it too ({ALTERNATIVES}); 0: none",
    )  # fmt: skip
    parser.add_argument("--estimate", action="store_true", help="say what to expect; call nothing")
    parser.add_argument("--restart", action="store_true", help="forget an unfinished run")
    parser.add_argument("--encoding", default="cl100k_base", metavar="NAME", help="counts tokens")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    group = add_endpoint(parser, required=True)
    group.add_argument("--model", required=True, metavar="NAME")
    add_key_variable(group)
    group.add_argument(
        "--answer-tokens", type=int, default=0, metavar="N",
        help="most tokens of each answer; raise it for models that think aloud",
    )  # fmt: skip
    add_prices(group, float)
    group.add_argument("--max-cost", type=float, metavar="C", help="stop before it costs more")
    add_endpoint_limits(
        group, {"--concurrency": int, "--requests-per-minute": int, "--timeout": float}
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the golden set; 1 when no question was kept."""
    record = checkpoint_path(arguments.out)
    going_on = record.exists() and not arguments.restart
    if arguments.out.exists() and not (arguments.force or arguments.estimate or going_on):
        raise InputError(f"{arguments.out}: exists; give --force to replace it, or another --out")
    settings = endpoint_settings(
        arguments, arguments.model, arguments.price_in, arguments.price_out
    )
    plan = Plan(
        arguments.count,
        arguments.seed,
        least=arguments.least_score,
        max_cost=arguments.max_cost,
        alternatives=arguments.alternatives,
        tokens=arguments.answer_tokens,
    )
    counter = get_token_counter(arguments.encoding)
    # What a run writes must not be a document of the run that goes on with it.
    corpus = read_corpus(arguments, exclude=[arguments.out, record])
    generator = Generator(corpus, Client(settings, seed=arguments.seed), counter, plan)
    expected = _spent(generator.estimate, settings)
    if arguments.estimate:
        say(f"about {expected}, if half of what is written is kept; nothing was called")
        return 0
    say(f"calling {settings.url}, model {settings.model}: about {expected}")
    checkpoint = Checkpoint(record, generator.settings, restart=arguments.restart)
    if checkpoint.outcomes:
        say(f"going on after {_passages(len(checkpoint.outcomes))} in {checkpoint.path}")
    try:
        with progress("questions") as advance:
            made = generator.run(checkpoint, advance)
        if made.golden.questions:
            whole = joined(made.golden, arguments.out) if going_on else made.golden
            # What came to the file meanwhile is another's; only --force replaces it.
            replaced = arguments.force and not going_on
            write_golden(whole, arguments.out, known=None if replaced else whole.digest)
        if not made.stopped:
            checkpoint.remove()
    except (ChunkscopeError, KeyboardInterrupt):
        done = _passages(len(checkpoint.outcomes))
        say(f"{done} done; run again to go on: {checkpoint.path}")
        raise
    finally:
        checkpoint.close()
    _report(made, settings, arguments, record)
    return 0 if made.golden.questions else 1


def _report(
    made: Generated, settings: EndpointSettings, arguments: argparse.Namespace, record: Path
) -> None:
    price = cost(made.usage, settings)
    if arguments.format == "json":
        print_json(
            {
                "questions": len(made.golden.questions),
                "wanted": arguments.count,
                "reasons": dict(made.reasons),
                "alternatives": asdict(made.alternatives),
                "model": settings.model,
                "answered_by": list(made.models),
                "seed": arguments.seed,
                "usage": {
                    "requests": made.usage.requests,
                    "tokens_in": made.usage.tokens_in,
                    "tokens_out": made.usage.tokens_out,
                    "cost": price,
                },
                "stopped": made.stopped,
            }
        )
    else:
        listed = table("", [("what became of it", "left"), ("passages", "right")])
        for reason, count in sorted(made.reasons.items(), key=lambda entry: (-entry[1], entry[0])):
            add_row(listed, [reason, str(count)])
        console().print(listed)
    if made.refused:
        say(f"last refusal: {made.refused}")
    _say_alternatives(made.alternatives)
    kept = len(made.golden.questions)
    if made.stopped:
        again = (
            f"; allow more and run again to go on from {record}"
            if made.stopped == OVER_COST
            else ""
        )
        say(f"{kept} of {counted(arguments.count, 'question')}: {made.stopped}{again}")
    say(f"{counted(kept, 'question')}{f', written to {arguments.out}' if kept else ''}")
    if kept:
        given = shlex.join(map(str, (*arguments.paths, "--golden", arguments.out)))
        say(f"review before use: chunkscope golden review {given}")
    say(f"spent {_spent(made.usage, settings)}")


def _say_alternatives(found: Alternatives) -> None:
    if found.repeated:
        say(f"{counted(found.repeated, 'place')} where the same words stand: added as alternatives")
    if found.asked:
        rest = (
            (f"{found.dropped} quoted what is not there", found.dropped),
            (f"{found.unusable} gave no usable answer", found.unusable),
        )
        said = "".join(f", {text}" for text, count in rest if count)
        say(
            f"{_passages(found.asked)} asked whether they answer too: {found.added} added as "
            f"alternatives{said}"
        )


def _passages(count: int) -> str:
    return counted(count, "passage")


def _spent(usage: Usage, settings: EndpointSettings) -> str:
    price = cost(usage, settings)
    money = "cost unknown without prices" if price is None else f"cost {price:.4g}"
    return (
        f"{counted(usage.requests, 'request')}, {usage.tokens_in:,} tokens sent, "
        f"{usage.tokens_out:,} received, {money}"
    )
