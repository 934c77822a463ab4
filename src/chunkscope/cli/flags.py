"""Flags shared by the commands; declarations only, so that help stays fast."""

import argparse
from pathlib import Path

from chunkscope.cli.separators import RULE

CONFIG_NAME = "chunkscope.toml"


def add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """Add PATH… and how to read it."""
    parser.add_argument("paths", nargs="+", type=path, metavar="PATH", help="files and folders")
    add_reading_flags(parser)


def add_reading_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say how files are read."""
    parser.add_argument(
        "--encoding-of",
        action="append",
        default=[],
        metavar="FILE=NAME",
        help="read FILE (its id or name) as text in this encoding, extracting nothing; a pattern "
        "such as *.csv=cp1252 only says how text is decoded; repeatable",
    )
    parser.add_argument(
        "--list-skipped", action="store_true", help="name every file left out, not just the first"
    )
    parser.add_argument(
        "--newline",
        choices=("keep", "lf"),
        default="keep",
        help="line ends as they are, or each CRLF and CR made an LF; offsets refer to the result",
    )
    parser.add_argument(
        "--extract",
        action="append",
        choices=("html",),
        default=[],
        help="read HTML files as their main text; without it they are their source",
    )
    parser.add_argument(
        "--records",
        metavar="FIELDS",
        help="each line of a .jsonl file, each object of a .json array, is a document, made of "
        "these fields, such as title,text; metadata.note reaches inside",
    )
    parser.add_argument(
        "--record-id",
        metavar="FIELD",
        default="_id",
        help="the field with a record's id; _id if not given, FILE:LINE where there is none",
    )
    parser.add_argument(
        "--join-hyphens", action="store_true", help="join words that a PDF parts at line ends"
    )
    parser.add_argument(
        "--drop-running",
        action="store_true",
        help="leave out lines that a PDF repeats at the head or foot of its pages",
    )
    parser.add_argument(
        "--passwords",
        type=path,
        metavar="FILE",
        help="passwords of PDFs, one a line; CHUNKSCOPE_PDF_PASSWORD holds one more",
    )


def add_golden_arguments(parser: argparse.ArgumentParser, *, ask: bool = False) -> None:
    """Add `--golden`, and with `ask` also `-q` and `--evidence` in its place."""
    parser.add_argument("--golden", type=path, metavar="FILE", help="golden set, JSON Lines")
    if ask:
        parser.add_argument("-q", "--question", metavar="TEXT", help="one question in its place")
        parser.add_argument(
            "--evidence",
            action="append",
            default=[],
            metavar="TEXT|@FILE",
            help="what must come back for -q, or @FILE that holds it; may be repeated",
        )


def add_configuration_flags(parser: argparse.ArgumentParser) -> None:
    """Add every setting of a configuration, `--config` and `--preset`; flags win."""
    source = parser.add_argument_group("configuration (flags win over the file)")
    source.add_argument(
        "--config", type=path, metavar="FILE", help=f"TOML file; without it ./{CONFIG_NAME}, if any"
    )
    source.add_argument("--preset", metavar="NAME", help="default or cookbook, in place of a file")
    splitter = parser.add_argument_group("splitter")
    splitter.add_argument(
        "--splitter",
        metavar="KIND",
        help="recursive, character, token, words, sentence, markdown, html, langchain-markdown, "
        "code:LANG, chonkie:NAME, llama-index:NAME or module:object; two stages with a plus, "
        "such as langchain-markdown+recursive",
    )
    splitter.add_argument("--size", metavar="N", type=_whole, help="largest chunk, in --unit")
    splitter.add_argument(
        "--overlap", metavar="N|P%", type=_overlap, help="in --unit, or a percentage of the size"
    )
    splitter.add_argument("--unit", choices=("tokens", "characters", "words", "sentences"))
    splitter.add_argument(
        "--encoding", metavar="NAME", help="token vocabulary, e.g. o200k_base, or a tokenizer.json"
    )
    splitter.add_argument("--separators", metavar="LIST", help=RULE.replace("%", "%%"))
    splitter.add_argument("--keep-separator", choices=("end", "start", "none"))
    for name, text in (
        ("regex", "separators are regular expressions"),
        ("strip", "drop white space at a chunk's ends"),
        ("dedupe", "drop chunks whose text already stands in an earlier chunk"),
    ):
        splitter.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, help=text)
    splitter.add_argument(
        "--breakpoint",
        choices=("percentile", "standard_deviation", "interquartile", "gradient", "cluster"),
        help="how semantic finds where the subject changes",
    )
    splitter.add_argument(
        "--breakpoint-amount", type=_amount_or_default, metavar="X", help="its percentile or factor"
    )
    splitter.add_argument(
        "--buffer", metavar="N", type=_whole, help="sentences on either side embedded with each"
    )
    splitter.add_argument("--embedder", metavar="static|module:object")
    enrich = parser.add_argument_group("enrichment")
    enrich.add_argument(
        "--prefix",
        metavar="NAME",
        help="put before each chunk: none; title or headings, and table (its header row) and "
        "definition (what encloses code), joined by plus signs, such as headings+table",
    )
    enrich.add_argument("--heading-pattern", metavar="REGEX", help="headings of plain text")
    enrich.add_argument("--parent", metavar="none|section|SIZE")
    retriever = parser.add_argument_group("retriever")
    retriever.add_argument(
        "--retriever",
        metavar="KIND",
        help="bm25, rank-bm25, tfidf, static, late, dense:MODEL, openai:MODEL, hybrid, "
        "module:object",
    )
    retriever.add_argument(
        "--k", type=_cut_offs, metavar="5,10", help="cut-offs; the first decides"
    )
    retriever.add_argument(
        "--budget", metavar="TOKENS", type=_whole, help="tokens in place of k; 0: use k"
    )
    retriever.add_argument("--words", metavar="unicode|whitespace|REGEX")
    retriever.add_argument("--query-terms", choices=("bag", "set"))
    retriever.add_argument("--ties", choices=("earlier", "later"))
    retriever.add_argument("--stem", metavar="LANGUAGE", help="lexical: reduce words to stems")
    retriever.add_argument(
        "--stop-words", metavar="LANGUAGE", help="lexical: leave out its commonest words"
    )
    retriever.add_argument(
        "--fuse", metavar="KIND,KIND", type=_kinds, help="the two retrievers of hybrid"
    )
    retriever.add_argument(
        "--fuse-constant", metavar="C", type=_whole, help="hybrid adds up 1 / (C + rank)"
    )
    retriever.add_argument(
        "--rerank", metavar="MODEL", help="cross-encoder that ranks the first chunks anew"
    )
    retriever.add_argument("--rerank-depth", metavar="N", type=_whole, help="how many it ranks")
    retriever.add_argument("--base-url", metavar="URL", help="of the endpoint of openai:MODEL")


def path(text: str) -> Path:
    """A path as given; an empty one, such as an unset variable leaves, is refused."""
    if not text:
        raise argparse.ArgumentTypeError("empty; name a file or a folder, . for this one")
    return Path(text)


def seed(text: str) -> int:
    """A seed: a whole number of at least 0."""
    value = _whole(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{value} is negative; give a whole number from 0 on")
    return value


def amount(text: str) -> float:
    """A finite number of at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 up")
    return value


def whole_from_zero(text: str) -> int:
    """A whole number of at least 0."""
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 up")
    return value


def positive(text: str) -> int:
    """A whole number of at least 1, in digits alone."""
    value = int(text) if text.isdecimal() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return value


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def _amount_or_default(text: str) -> float | str:
    if text == "default":
        return text
    try:
        return amount(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}, nor default") from None


def _overlap(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def _kinds(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


def _cut_offs(text: str) -> tuple[int, ...]:
    try:
        values = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: give whole numbers such as 5,10") from None
    if not values or min(values) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: every cut-off is at least 1")
    return values
