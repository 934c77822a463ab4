"""`chunkscope golden stats`: what a golden set consists of, and what it can tell apart."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from chunkscope.cli.flags import add_corpus_arguments, add_golden_arguments
from chunkscope.cli.output import add_row, console, number, print_json, table
from chunkscope.cli.sources import read_corpus, read_questions
from chunkscope.evaluation.statistics import compare_rows
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.stats import (
    FLOOR_SHARE,
    QUANTILES,
    TOKEN_QUANTILES,
    EvidenceTokens,
    GoldenStatistics,
    WordOverlap,
    evidence_tokens,
    golden_statistics,
    word_overlap,
)
from chunkscope.text.document import Corpus
from chunkscope.text.tokens import get_token_counter

DIFFER = 0.2
"""Share of questions on which two configurations are taken to differ, half of them each way."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_corpus_arguments(parser)
    add_golden_arguments(parser)
    parser.add_argument("--encoding", default="cl100k_base", metavar="NAME", help="counts tokens")
    parser.add_argument("--format", choices=("table", "json"), default="table")


@dataclass(frozen=True)
class _Detectable:
    """The smallest difference in recall these questions can detect, and what smaller ones need."""

    difference: float | None
    questions_for: Mapping[float, int]


def run(arguments: argparse.Namespace) -> int:
    """Print the statistics; 0."""
    counter = get_token_counter(arguments.encoding)
    corpus = read_corpus(arguments)
    golden, located = read_questions(arguments, corpus)
    counted = golden_statistics(located)
    tokens = evidence_tokens(located, corpus, counter)
    words = word_overlap(located)
    detectable = _detectable(counted.measured)
    if arguments.format == "json":
        made = _object(counted, tokens, words, detectable)
        made["golden"] = {"questions": counted.questions, "fingerprint": fingerprint(golden)}
        made["corpus"] = _corpus(corpus)
        print_json(made)
    else:
        _print(counted, tokens, words, detectable)
    return 0


def _detectable(measured: int) -> _Detectable:
    values = np.zeros((measured, 2))
    changed = values[: round(DIFFER * measured), 1]
    changed[0::2], changed[1::2] = 1.0, -1.0
    if len(changed) < 2:
        return _Detectable(None, {})
    found = compare_rows(values)
    return _Detectable(found.detectable, found.questions_for)


def _corpus(corpus: Corpus) -> dict[str, object]:
    return {"documents": len(corpus.documents), "fingerprint": corpus.fingerprint}


def _object(
    counted: GoldenStatistics, tokens: EvidenceTokens, words: WordOverlap, detectable: _Detectable
) -> dict[str, object]:
    return {
        "measured": counted.measured,
        "unmeasured": counted.unmeasured,
        "unanswerable": counted.unanswerable,
        "types": dict(counted.types),
        "documents": dict(counted.documents),
        "evidence": {
            "items": counted.evidence,
            "ambiguous": counted.ambiguous,
            "drifted": counted.drifted,
            "tiers": dict(counted.tiers),
            "characters": dict(zip(map(str, QUANTILES), counted.lengths, strict=False)),
            "tokens": dict(zip(map(str, TOKEN_QUANTILES), tokens.quantiles, strict=False)),
            "size_floor": tokens.floor,
        },
        "words": {"shared": words.mean, "quoting": words.quoting},
        "detectable": {
            "assumed_differing": DIFFER,
            "difference": detectable.difference,
            "questions_for": {str(key): value for key, value in detectable.questions_for.items()},
        },
    }


def _print(
    counted: GoldenStatistics, tokens: EvidenceTokens, words: WordOverlap, detectable: _Detectable
) -> None:
    made = table("", [("", "left"), ("value", "wrap")])
    rows = [
        ("questions", str(counted.questions)),
        (
            "measured / unmeasured / unanswerable",
            f"{counted.measured} / {counted.unmeasured} / {counted.unanswerable}",
        ),
        ("types", _shares(counted.types, counted.questions)),
        ("documents with questions", str(len(counted.documents))),
        ("evidence items", f"{counted.evidence}, {counted.ambiguous} of them ambiguous"),
        ("found by", _shares(counted.tiers, sum(counted.tiers.values()))),
        ("evidence in tokens", _quantiles(tokens)),
        (
            "size floor",
            "–"
            if tokens.floor is None
            else f"{tokens.floor} tokens: a smaller chunk cannot hold {FLOOR_SHARE:.0%} of the "
            "evidence whole",
        ),
        (
            "words shared with the evidence",
            f"{number(words.mean, 2)} of a question's words; {words.quoting} of {words.questions} "
            "questions quote it",
        ),
        ("smallest detectable difference", _difference(counted.measured, detectable)),
    ]
    for cells in rows:
        add_row(made, cells)
    console().print(made)


def _shares(counts: Mapping[str, int], whole: int) -> str:
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return ", ".join(f"{name or 'none'} {n} ({n / whole:.0%})" for name, n in ordered) or "–"


def _quantiles(tokens: EvidenceTokens) -> str:
    names = ["median" if q == 0.5 else "longest" if q == 1 else f"{q:.0%}" for q in TOKEN_QUANTILES]
    pairs = zip(names, tokens.quantiles, strict=False)
    return ", ".join(f"{name} {value}" for name, value in pairs) or "–"


def _difference(measured: int, detectable: _Detectable) -> str:
    if detectable.difference is None:
        return f"none: {measured} measured questions are too few to tell configurations apart"
    needs = ", ".join(f"{n} for {value:g}" for value, n in detectable.questions_for.items())
    return (
        f"{detectable.difference:.3f} in recall, if two configurations differ on "
        f"{DIFFER:.0%} of the questions" + (f"; questions needed: {needs}" if needs else "")
    )
