"""`chunkscope judge`: answers from each configuration's retrieved chunks, graded by a model."""

import argparse
from collections.abc import Sequence

from chunkscope.cli.flags import (
    add_configuration_flags,
    add_golden_arguments,
    add_reading_flags,
    path,
    seed,
)
from chunkscope.cli.judgeflags import (
    access_of,
    add_endpoint_flags,
    add_prompt_flags,
    prompts_of,
    settings_of,
)
from chunkscope.cli.judgerows import Rows, rows_of
from chunkscope.cli.judgeshow import print_judgement
from chunkscope.cli.models import models_on_terminal, say_needs
from chunkscope.cli.output import print_json, print_text, save_json, say, say_all
from chunkscope.cli.progress import progress
from chunkscope.cli.sources import read_corpus, read_questions
from chunkscope.endpoint.client import Client
from chunkscope.endpoint.cost import Usage
from chunkscope.endpoint.settings import EndpointSettings
from chunkscope.errors import ChunkscopeError, InputError
from chunkscope.evaluation.configuration import varied_settings
from chunkscope.evaluation.embeddingplan import endpoint_needs
from chunkscope.evaluation.index import CorpusIndex
from chunkscope.evaluation.run import evaluate
from chunkscope.golden.model import GoldenSet, LocatedQuestion
from chunkscope.llm.judging import (
    INTERRUPTED,
    Expected,
    Graded,
    Judge,
)
from chunkscope.llm.judging_advice import advise
from chunkscope.llm.judging_asking import Asked, Asker, Role
from chunkscope.llm.judging_cache import ReplyCache, default_reply_path
from chunkscope.llm.judging_prompts import JudgePrompts
from chunkscope.llm.judging_report import AskedReport, judgement_to_json
from chunkscope.llm.judging_results import Chosen, Judgement, Variant, choose, judged
from chunkscope.retrieval.models import Models
from chunkscope.retrieval.registry import is_billed
from chunkscope.text.display import visible
from chunkscope.text.tokens import get_token_counter

_INTERRUPTED = 130
_NOTHING_GRADED = 1


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
    add_prompt_flags(parser)
    add_endpoint_flags(parser)
    add_configuration_flags(parser)


def run(arguments: argparse.Namespace) -> int:
    """Grade and report; what is graded is kept and reported, however the run ends.

    1 when no question was graded in every configuration.
    """
    prompts = prompts_of(arguments)
    if arguments.show_prompt:
        _show(prompts, arguments)
        return 0
    _check_given(arguments)
    answering, grading = settings_of(arguments)
    rows = rows_of(arguments)
    say_all(rows.notes)
    golden, chosen, variants, left = _variants(rows, arguments)
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
            max_cost=left,
            restart=arguments.restart,
        )
        # Question by question, so that a run that stops early has graded whole questions.
        pairs = [one.pair(row) for row in chosen.rows for one in variants]
        judge = Judge(pairs, asker, prompts, counter)
        expected = judge.expect()
        _say_expected(expected, answering, grading, left, estimate=arguments.estimate)
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
    if graded.stopped == INTERRUPTED:
        return _INTERRUPTED
    # Nothing to compare is no result that a script should take for one.
    return 0 if judgement.common else _NOTHING_GRADED


def _check_given(arguments: argparse.Namespace) -> None:
    if arguments.endpoint is None or arguments.model is None:
        missing = "--endpoint URL" if arguments.endpoint is None else "--model NAME"
        raise InputError(
            f"judge: answers are written and graded by a language model; give {missing} "
            "(--show-prompt shows what it would be asked)"
        )
    if not arguments.paths:
        raise InputError("judge: no documents; give PATH… (see chunkscope judge --help)")


def _show(prompts: JudgePrompts, arguments: argparse.Namespace) -> None:
    if arguments.format == "json":
        print_json({"answer": prompts.answer, "grade": prompts.grade})
        return
    for kind, text in (("answer", prompts.answer), ("grade", prompts.grade)):
        print_text(f"--- {kind} prompt (another: --{kind}-prompt FILE)\n")
        print_text("\n".join(map(visible, text.split("\n"))) + "\n")


def _variants(
    rows: Rows, arguments: argparse.Namespace
) -> tuple[GoldenSet, Chosen, tuple[Variant, ...], float | None]:
    """The golden set, the questions to judge, each configuration's run, and what money is left."""
    corpus = read_corpus(arguments)
    golden, questions = read_questions(arguments, corpus)
    rows.check(corpus, golden)
    chosen = choose(questions, arguments.sample, arguments.seed)
    index = CorpusIndex(corpus, Models(access_of(arguments)))
    left = _without_embedding(index, rows, questions, arguments)
    varied = varied_settings(rows.configurations)
    variants = []
    warned: dict[str, list[str]] = {}
    with models_on_terminal(index.models):
        for letter, configuration in zip("ABC", rows.configurations, strict=False):
            found = evaluate(index, configuration, questions)
            for line in found.warnings:
                warned.setdefault(line, []).append(letter)
            variants.append(Variant(letter, configuration.label_with(varied), found))
    say_all(f"warning: {', '.join(letters)}: {line}" for line, letters in warned.items())
    return golden, chosen, tuple(variants), left


def _without_embedding(
    index: CorpusIndex,
    rows: Rows,
    questions: Sequence[LocatedQuestion],
    arguments: argparse.Namespace,
) -> float | None:
    """What --max-cost leaves once an endpoint behind a retriever has had its part.

    Raises:
        InputError: when that is not known, or more than it may be; or it would have to be called
            for an estimate.
    """
    if not any(is_billed(one.retriever) for one in rows.configurations):
        return _max_cost(arguments)
    say_needs(index, rows.configurations, questions)
    needs = endpoint_needs(index, rows.configurations, questions)
    if arguments.estimate and any(need.texts for need in needs):
        raise InputError(
            "--estimate: the contexts are not known before the retriever's endpoint is called; "
            "nothing was called: run eval first, its vectors are kept"
        )
    limit = _max_cost(arguments)
    if limit is None:
        return None
    if arguments.retriever_price is None:
        raise InputError(
            "--max-cost: the retriever's endpoint is paid for, too; give --retriever-price"
        )
    return max(0.0, limit - sum(need.price or 0.0 for need in needs))


def _max_cost(arguments: argparse.Namespace) -> float | None:
    limit: float | None = arguments.max_cost
    return limit


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
    limit: float | None,
    *,
    estimate: bool,
) -> None:
    models = f"model {answering.model}"
    if grading.model != answering.model:
        models += f", graded by {grading.model}"
    price = expected.cost if _priced(answering, grading) else None
    asked = f"about {_amounts(_sum(expected.usage), price)}"
    # What is kept may be a reply that held no grade: it is not graded, and is not asked for again.
    kept = f"; {expected.known} of {expected.pairs} are kept from before, --restart asks again"
    begin = "would call" if estimate else "calling"
    say(f"{begin} {answering.url}, {models}: {asked}{kept if expected.known else ''}")
    if limit is not None and expected.cost > limit:
        say(f"warning: --max-cost will stop it before the end, at {limit:g}")
    if estimate:
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
