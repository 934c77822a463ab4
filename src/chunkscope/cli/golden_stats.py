"""`chunkscope golden stats`: what a golden set consists of, and what it can tell apart."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from chunkscope.cli.flags import CONFIG_NAME, add_corpus_arguments, add_golden_arguments, path
from chunkscope.cli.golden_detectable import DIFFER, HOPED, Detectable, detectable, said
from chunkscope.cli.output import add_row, console, number, print_json, say, table
from chunkscope.cli.sources import read_corpus, read_questions
from chunkscope.errors import InputError
from chunkscope.evaluation.configfile import read_configuration
from chunkscope.golden.fingerprint import fingerprint
from chunkscope.golden.stats import (
    FLOOR_SHARE,
    QUANTILES,
    SIZE_QUANTILES,
    EvidenceSizes,
    GoldenStatistics,
    WordOverlap,
    evidence_sizes,
    golden_statistics,
    word_overlap,
)
from chunkscope.golden.users import Balance, balance, read_asked, said_of_balance
from chunkscope.golden.wording import counted
from chunkscope.splitting.registry import effective_unit
from chunkscope.splitting.settings import SplitterSettings
from chunkscope.splitting.units import UNITS, length_function
from chunkscope.text.document import Corpus


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add_corpus_arguments(parser)
    add_golden_arguments(parser)
    add_asked_flags(parser)
    parser.add_argument(
        "--unit", choices=UNITS, help="counts evidence; without it the configuration's, or tokens"
    )
    parser.add_argument("--encoding", metavar="NAME", help="counts tokens; without it the same")
    parser.add_argument(
        "--config", type=path, metavar="FILE", help=f"TOML file; without it ./{CONFIG_NAME}, if any"
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")


def add_asked_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say what a golden set is to be held against."""
    parser.add_argument(
        "--asked", type=path, metavar="FILE",
        help="what users really asked, one a line, or records with question and perhaps type",
    )  # fmt: skip
    parser.add_argument(
        "--difference", type=difference, default=HOPED, metavar="X",
        help=f"difference in recall that the questions should detect ({HOPED:g})",
    )  # fmt: skip


def difference(text: str) -> float:
    """A difference in recall: above 0, up to 1."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.001 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a difference from 0.001 to 1")
    return value


def run(arguments: argparse.Namespace) -> int:
    """Print the statistics; 0."""
    unit = _unit(arguments)
    length = length_function(unit.name, unit.encoding)
    asked = None if arguments.asked is None else read_asked(arguments.asked)
    corpus = read_corpus(arguments, exclude=[] if asked is None else [arguments.asked])
    golden, located = read_questions(arguments, corpus)
    counts = golden_statistics(located)
    sizes = evidence_sizes(located, corpus, length)
    words = word_overlap(located)
    found = detectable(counts.measured, arguments.difference)
    held = None if asked is None else balance(golden.questions, asked)
    if arguments.format == "json":
        made = _object(counts, sizes, unit, words, found)
        made["users"] = None if held is None else balance_object(held)
        made["golden"] = {"questions": counts.questions, "fingerprint": fingerprint(golden)}
        made["corpus"] = _corpus(corpus)
        print_json(made)
    else:
        _print(counts, sizes, unit, words, found)
        if held is not None:
            _print_balance(held)
    return 0


class _Unit(NamedTuple):
    """What counts evidence: a unit's name, and the encoding that its tokens are of."""

    name: str
    encoding: str


def _unit(arguments: argparse.Namespace) -> _Unit:
    """Unit and encoding of the flags, else of the configuration, else tokens."""
    file = arguments.config
    if file is None and Path(CONFIG_NAME).is_file():
        file = Path(CONFIG_NAME)
        say(f"configuration: ./{CONFIG_NAME}")
    given = SplitterSettings() if file is None else read_configuration(file).splitter
    name = arguments.unit or effective_unit(given)
    if name not in UNITS:
        raise InputError(f"unit: {name!r} is not counted here; give --unit {'|'.join(UNITS)}")
    return _Unit(name, arguments.encoding or given.encoding)


def _corpus(corpus: Corpus) -> dict[str, object]:
    return {"documents": len(corpus.documents), "fingerprint": corpus.fingerprint}


def _object(
    counts: GoldenStatistics,
    sizes: EvidenceSizes,
    unit: _Unit,
    words: WordOverlap,
    found: Detectable,
) -> dict[str, object]:
    return {
        "measured": counts.measured,
        "unmeasured": counts.unmeasured,
        "unanswerable": counts.unanswerable,
        "types": dict(counts.types),
        "review": dict(counts.review),
        "documents": dict(counts.documents),
        "evidence": {
            "items": counts.evidence,
            "ambiguous": counts.ambiguous,
            "drifted": counts.drifted,
            "tiers": dict(counts.tiers),
            "characters": dict(zip(map(str, QUANTILES), counts.lengths, strict=False)),
            "unit": unit.name,
            "encoding": unit.encoding if unit.name == "tokens" else None,
            "lengths": dict(zip(map(str, SIZE_QUANTILES), sizes.quantiles, strict=False)),
            "size_floor": sizes.floor,
        },
        "words": {"shared": words.mean, "quoting": words.quoting},
        "detectable": detectable_object(found),
    }


def detectable_object(found: Detectable) -> dict[str, object]:
    """The smallest detectable difference as JSON."""
    return {
        "assumed_differing": DIFFER,
        "difference": found.difference,
        "questions_for": {f"{key:g}": value for key, value in found.questions_for.items()},
    }


def balance_object(held: Balance) -> dict[str, object]:
    """A golden set held against what users ask, as JSON."""
    return {
        "questions": held.asked,
        "by": held.by,
        "kinds": {
            one.kind: {"golden": one.golden, "users": one.users, "apart": one.apart}
            for one in held.shares
        },
        "words": {"golden": held.golden_words, "users": held.users_words},
    }


def _print(
    counts: GoldenStatistics,
    sizes: EvidenceSizes,
    unit: _Unit,
    words: WordOverlap,
    found: Detectable,
) -> None:
    made = table("", [("", "left"), ("value", "wrap")])
    named = f"{unit.name} ({unit.encoding})" if unit.name == "tokens" else unit.name
    rows = [
        ("questions", str(counts.questions)),
        (
            "measured / unmeasured / unanswerable",
            f"{counts.measured} / {counts.unmeasured} / {counts.unanswerable}",
        ),
        ("types", _shares(counts.types, counts.questions)),
        ("review", _shares(counts.review, counts.questions)),
        ("documents with questions", str(len(counts.documents))),
        ("evidence items", f"{counts.evidence}, {counts.ambiguous} of them ambiguous"),
        ("found by", _shares(counts.tiers, sum(counts.tiers.values()))),
        (f"evidence in {named}", _quantiles(sizes)),
        (
            "size floor",
            "–"
            if sizes.floor is None
            else f"{counted(sizes.floor, unit.name[:-1])}: a smaller chunk cannot hold "
            f"{FLOOR_SHARE:.0%} of the evidence whole",
        ),
        (
            "words shared with the evidence",
            f"{number(words.mean, 2)} of a question's words; {words.quoting} of "
            f"{counted(words.questions, 'question')} {'quotes' if words.quoting == 1 else 'quote'} "
            "it",
        ),
        ("smallest detectable difference", said(found)),
    ]
    for cells in rows:
        add_row(made, cells)
    console().print(made)


def _print_balance(held: Balance) -> None:
    made = table(
        "",
        [(held.by, "left"), ("golden", "right"), (f"users ({held.asked})", "right"), ("", "left")],
    )
    for one in held.shares:
        cells = [one.kind, f"{one.golden:.0%}", f"{one.users:.0%}", "apart" if one.apart else ""]
        add_row(made, cells, style="yellow" if one.apart else None)
    console().print(made)
    for line in said_of_balance(held):
        say(line)


def _shares(counts: Mapping[str, int], whole: int) -> str:
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return ", ".join(f"{name or 'none'} {n} ({n / whole:.0%})" for name, n in ordered) or "–"


def _quantiles(sizes: EvidenceSizes) -> str:
    names = ["median" if q == 0.5 else "longest" if q == 1 else f"{q:.0%}" for q in SIZE_QUANTILES]
    pairs = zip(names, sizes.quantiles, strict=False)
    return ", ".join(f"{name} {value}" for name, value in pairs) or "–"
