"""`chunkscope judge`: answers from each configuration's retrieved chunks, graded by a model."""

import argparse
import math

from chunkscope.cli.flags import (
    add_configuration_flags,
    add_golden_arguments,
    add_reading_flags,
    path,
    seed,
)
from chunkscope.cli.judgerows import Rows, rows_of
from chunkscope.cli.judgeshow import print_judgement
from chunkscope.cli.output import print_json, print_text, save_json, say, say_all
from chunkscope.cli.progress import progress
from chunkscope.cli.sources import read_corpus, read_questions
from chunkscope.endpoint.client import Client
from chunkscope.endpoint.cost import Usage
from chunkscope.endpoint.settings import KEY_VARIABLE, EndpointSettings
from chunkscope.errors import ChunkscopeError, InputError
from chunkscope.evaluation.configuration import varied_settings
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.model import GoldenSet
from chunkscope.llm.judging import (
    ANSWER_TOKENS,
    GRADE_TOKENS,
    INTERRUPTED,
    Expected,
    Graded,
    Judge,
)
from chunkscope.llm.judging_advice import advise
from chunkscope.llm.judging_asking import Asked, Asker, Role
from chunkscope.llm.judging_cache import ReplyCache, default_reply_path
from chunkscope.llm.judging_prompts import ANSWER_PROMPT, GRADE_PROMPT, JudgePrompts, read_prompt
from chunkscope.llm.judging_report import AskedReport, judgement_to_json
from chunkscope.llm.judging_results import Chosen, Judgement, Variant, choose, judged
from chunkscope.text.display import visible
from chunkscope.text.tokens import get_token_counter

_INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("paths", nargs="*", type=path, metavar="PATH", help="files and folders")
    add_reading_flags(parser)
    add_golden_arguments(parser)
    rows = parser.add_argument_group("two or three configurations, named in one way")
    rows.add_argument("--sizes", metavar="LIST", help="128,256: the configuration at these sizes")
    rows.add_argument(
        "--vary", action="append", default=[], metavar="NAME=A,B",
        help="any other setting, such as prefix=none,headings",
    )  # fmt: skip
    for letter in "abc":
        rows.add_argument(
            f"--{letter}", type=path, metavar="FILE", help=f"variant {letter.upper()}, TOML"
        )
    rows.add_argument(
        "--from", dest="source", type=path, metavar="FILE",
        help="what sweep --save wrote: its pick and the best rows that are not ruled out",
    )  # fmt: skip
    parser.add_argument(
        "--sample", type=int, metavar="N", help="N of the questions, drawn at random"
    )
    parser.add_argument(
        "--seed", type=seed, default=0, metavar="S",
        help="of the sample and the bootstrap, and sent to the model",
    )  # fmt: skip
    parser.add_argument("--estimate", action="store_true", help="say what to expect; call nothing")
    parser.add_argument("--save", type=path, metavar="FILE", help="write it as JSON, too")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    _add_prompt_flags(parser)
    _add_endpoint_flags(parser)
    add_configuration_flags(parser)


def _add_prompt_flags(parser: argparse.ArgumentParser) -> None:
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
        "--answer-tokens", type=_positive, default=ANSWER_TOKENS, metavar="N",
        help=f"longest answer ({ANSWER_TOKENS}); models that think aloud need more",
    )  # fmt: skip
    group.add_argument(
        "--grade-tokens", type=_positive, default=GRADE_TOKENS, metavar="N",
        help=f"longest grade with its reason ({GRADE_TOKENS})",
    )  # fmt: skip
    group.add_argument(
        "--cache", type=path, metavar="FILE",
        help="where replies are kept, so that none is paid for twice; in the user's cache folder "
        "if not given",
    )  # fmt: skip
    group.add_argument("--restart", action="store_true", help="ask again what the cache holds")


def _add_endpoint_flags(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("endpoint (any that speaks the OpenAI protocol)")
    group.add_argument("--endpoint", metavar="URL", help="such as http://localhost:11434/v1")
    group.add_argument("--model", metavar="NAME", help="answers")
    group.add_argument("--judge-model", metavar="NAME", help="grades; --model if not given")
    group.add_argument(
        "--key-variable", default=KEY_VARIABLE, metavar="NAME",
        help=f"environment variable that holds the key ({KEY_VARIABLE})",
    )  # fmt: skip
    group.add_argument("--price-in", type=_amount, metavar="P", help="of a million tokens sent")
    group.add_argument(
        "--price-out", type=_amount, metavar="P", help="of a million tokens received"
    )
    group.add_argument(
        "--judge-price-in", type=_amount, metavar="P", help="of --judge-model, if another"
    )
    group.add_argument(
        "--judge-price-out", type=_amount, metavar="P", help="of --judge-model, if another"
    )
    group.add_argument(
        "--max-cost", type=_amount, metavar="C",
        help="stop before this run costs more; what the cache holds costs nothing",
    )  # fmt: skip
    group.add_argument("--concurrency", type=_positive, default=4, metavar="N")
    group.add_argument("--requests-per-minute", type=int, default=0, metavar="N")
    group.add_argument("--timeout", type=_amount, default=60.0, metavar="SECONDS")


def run(arguments: argparse.Namespace) -> int:
    """Grade and report; what is graded is kept and reported, however the run ends."""
    prompts = _prompts(arguments)
    if arguments.show_prompt:
        _show(prompts, arguments)
        return 0
    _check_given(arguments)
    answering, grading = _settings(arguments)
    rows = rows_of(arguments)
    say_all(rows.notes)
    golden, chosen, variants = _variants(rows, arguments)
    client = Client(answering, seed=arguments.seed)
    grader = client if grading == answering else Client(grading, seed=arguments.seed)
    counter = get_token_counter(variants[0].evaluation.configuration.splitter.encoding)
    cache = ReplyCache(arguments.cache or default_reply_path())
    try:
        asker = Asker(
            {
                "answer": Asked(client, arguments.answer_tokens),
                "grade": Asked(grader, arguments.grade_tokens),
            },
            cache,
            counter,
            seed=arguments.seed,
            max_cost=arguments.max_cost,
            restart=arguments.restart,
        )
        # Question by question, so that a run that stops early has graded whole questions.
        pairs = [one.pair(row) for row in chosen.rows for one in variants]
        judge = Judge(pairs, asker, prompts, counter)
        expected = judge.expect()
        _say_expected(expected, answering, grading, arguments)
        if arguments.estimate:
            return 0
        graded = _run(judge, arguments, cache)
        usage = asker.usage
    finally:
        cache.close()
    judgement = judged(
        chosen, variants, graded.outcomes, stopped=graded.stopped, seed=arguments.seed
    )
    spent = sum(asker.price(role, used) for role, used in usage.items())
    report = AskedReport(
        endpoint=answering.url,
        model=answering.model,
        judge_model=grading.model,
        prompts=prompts.fingerprints,
        seed=arguments.seed,
        expected=expected,
        usage=_sum(usage),
        cost=spent if _priced(answering, grading) else None,
    )
    _report(judgement, report, golden, arguments)
    return _INTERRUPTED if graded.stopped == INTERRUPTED else 0


def _check_given(arguments: argparse.Namespace) -> None:
    if arguments.endpoint is None or arguments.model is None:
        missing = "--endpoint URL" if arguments.endpoint is None else "--model NAME"
        raise InputError(
            f"judge: answers are written and graded by a language model; give {missing} "
            "(--show-prompt shows what it would be asked)"
        )
    if not arguments.paths:
        raise InputError("judge: no documents; give PATH… (see chunkscope judge --help)")


def _settings(arguments: argparse.Namespace) -> tuple[EndpointSettings, EndpointSettings]:
    """The endpoint as it answers, and as it grades."""

    def settings(model: str, price_in: float | None, price_out: float | None) -> EndpointSettings:
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

    own = (arguments.price_in, arguments.price_out)
    others = (arguments.judge_price_in, arguments.judge_price_out)
    if others != (None, None) and arguments.judge_model is None:
        raise InputError("--judge-price-in, --judge-price-out: need --judge-model NAME")
    if (others[0] is None) != (others[1] is None):
        raise InputError("--judge-price-in, --judge-price-out: give both, or neither")
    judge_prices = own if others == (None, None) else others
    return (
        settings(arguments.model, *own),
        settings(arguments.judge_model or arguments.model, *judge_prices),
    )


def _prompts(arguments: argparse.Namespace) -> JudgePrompts:
    return JudgePrompts(
        ANSWER_PROMPT
        if arguments.answer_prompt is None
        else read_prompt("answer", arguments.answer_prompt, "--answer-prompt"),
        GRADE_PROMPT
        if arguments.grade_prompt is None
        else read_prompt("grade", arguments.grade_prompt, "--grade-prompt"),
    )


def _show(prompts: JudgePrompts, arguments: argparse.Namespace) -> None:
    if arguments.format == "json":
        print_json({"answer": prompts.answer, "grade": prompts.grade})
        return
    for kind, text in (("answer", prompts.answer), ("grade", prompts.grade)):
        print_text(f"--- {kind} prompt (another: --{kind}-prompt FILE)\n")
        print_text("\n".join(map(visible, text.split("\n"))) + "\n")


def _variants(
    rows: Rows, arguments: argparse.Namespace
) -> tuple[GoldenSet, Chosen, tuple[Variant, ...]]:
    """The golden set, the questions to judge, and each configuration's run."""
    corpus = read_corpus(arguments)
    golden, questions = read_questions(arguments, corpus)
    rows.check(corpus, golden)
    index = CorpusIndex(corpus)
    varied = varied_settings(rows.configurations)
    variants = []
    warned: dict[str, list[str]] = {}
    for letter, configuration in zip("ABC", rows.configurations, strict=False):
        found = evaluate(index, configuration, questions)
        for line in found.warnings:
            warned.setdefault(line, []).append(letter)
        variants.append(Variant(letter, configuration.label_with(varied), found))
    say_all(f"warning: {', '.join(letters)}: {line}" for line, letters in warned.items())
    chosen = choose(variants[0].evaluation, arguments.sample, arguments.seed)
    return golden, chosen, tuple(variants)


def _run(judge: Judge, arguments: argparse.Namespace, cache: ReplyCache) -> Graded:
    try:
        with progress("answers graded") as advance:
            return judge.run(arguments.concurrency, advance)
    except ChunkscopeError:
        left = judge.expect()
        say(f"{left.known} of {left.pairs} answers are graded; run again to go on: {cache.path}")
        raise


def _report(
    judgement: Judgement,
    asked: AskedReport,
    golden: GoldenSet,
    arguments: argparse.Namespace,
) -> None:
    advice = advise(judgement, seed=arguments.seed)
    report = judgement_to_json(judgement, advice, asked, golden)
    if arguments.format == "json":
        print_json(report)
    else:
        print_judgement(judgement, advice)
    for one in judgement.variants:
        cut = sum(line.outcome is not None and line.outcome.cut for line in one.lines)
        if cut:
            say(f"warning: {one.variant.name}: {cut} answers were cut off (--answer-tokens)")
    if arguments.save is not None:
        save_json(arguments.save, report)
        say(f"written: {arguments.save}")
    if judgement.stopped:
        say(f"stopped: {judgement.stopped}; run again to go on, what is graded is kept")
    say(f"spent: {_amounts(asked.usage, asked.cost)}")


def _say_expected(
    expected: Expected,
    answering: EndpointSettings,
    grading: EndpointSettings,
    arguments: argparse.Namespace,
) -> None:
    models = f"model {answering.model}"
    if grading.model != answering.model:
        models += f", graded by {grading.model}"
    price = expected.cost if _priced(answering, grading) else None
    asked = f"about {_amounts(_sum(expected.usage), price)}"
    kept = f"; {expected.known} of {expected.pairs} answers are graded already"
    begin = "would call" if arguments.estimate else "calling"
    say(f"{begin} {answering.url}, {models}: {asked}{kept if expected.known else ''}")
    if arguments.max_cost is not None and expected.cost > arguments.max_cost:
        say(f"warning: --max-cost {arguments.max_cost:g} will stop it before the end")
    if arguments.estimate:
        say("nothing was called")


def _priced(*settings: EndpointSettings) -> bool:
    return all(None not in (one.price_in, one.price_out) for one in settings)


def _sum(usage: dict[Role, Usage]) -> Usage:
    whole = Usage()
    for used in usage.values():
        whole = whole + used
    return whole


def _amounts(usage: Usage, price: float | None) -> str:
    money = "cost unknown without prices" if price is None else f"cost {price:.4f}"
    counted = " by our count" if usage.estimated else ""
    return (
        f"{usage.requests} requests, {usage.tokens_in} tokens sent, {usage.tokens_out} "
        f"received{counted}, {money}"
    )


def _amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 up")
    return value


def _positive(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return value
